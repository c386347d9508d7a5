#include "event_store_adapter.hpp"

#include <charconv>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "server_core.hpp"

namespace mcp::detail {

namespace {

// The interface counts the events of each stream from 0, a store numbers them as it likes. So each event is stored with its
// own number in front: `7:{…}`.
class Adapter {
public:
    explicit Adapter(std::shared_ptr<EventStore> store) : store_(std::move(store)) {}

    std::uint64_t Append(std::string_view session, std::uint64_t stream, std::string_view event) {
        std::uint64_t number = 0;
        {
            const std::lock_guard<std::mutex> lock(mutex_);
            auto found = sessions_.find(session);
            if (found == sessions_.end()) {
                found = sessions_.emplace(std::string(session), Streams()).first;
            }
            number = found->second[stream]++;
        }
        try {
            store_->Append(Key(session, stream), std::to_string(number) + ":" + std::string(event));
        } catch (...) {
            // The event can't be resumed, which a store may say of any event.
        }
        return number;
    }

    bool Replay(std::string_view session, std::uint64_t stream, std::uint64_t after, mcp_replay_t* replay) {
        const auto events = store_->GetEventsSince(Key(session, stream), 0);
        std::vector<std::pair<std::uint64_t, std::string_view>> missed;
        bool known = false;
        for (const auto& [ignored, text] : events) {
            static_cast<void>(ignored);
            std::uint64_t number = 0;
            const char* end = text.data() + text.size();
            const auto read = std::from_chars(text.data(), end, number);
            if (read.ec != std::errc() || read.ptr == end || *read.ptr != ':') {
                continue;
            }
            // All that follow the event must be there, the event itself need not.
            known = known || number == after || number == after + 1;
            if (number > after) {
                const char* begin = read.ptr + 1;
                missed.emplace_back(number, std::string_view(begin, static_cast<std::size_t>(end - begin)));
            }
        }
        if (!known) {
            return false;
        }
        for (const auto& [number, text] : missed) {
            mcp_replay_add(replay, number, Str(text));
        }
        return true;
    }

    void Forget(std::string_view session) {
        Streams streams;
        {
            const std::lock_guard<std::mutex> lock(mutex_);
            const auto found = sessions_.find(session);
            if (found == sessions_.end()) {
                return;
            }
            streams.swap(found->second);
            sessions_.erase(found);
        }
        for (const auto& [stream, next] : streams) {
            static_cast<void>(next);
            store_->Clear(Key(session, stream));
        }
    }

private:
    // The next number of each stream.
    using Streams = std::map<std::uint64_t, std::uint64_t>;

    static std::string Key(std::string_view session, std::uint64_t stream) {
        return std::string(session) + "#" + std::to_string(stream);
    }

    const std::shared_ptr<EventStore> store_;
    std::mutex mutex_;
    std::map<std::string, Streams, std::less<>> sessions_;
};

std::uint64_t Append(void* data, mcp_str session, std::uint64_t stream, mcp_str event) {
    try {
        return static_cast<Adapter*>(data)->Append(View(session), stream, View(event));
    } catch (...) {
        // There is no memory to count in.
        return 0;
    }
}

bool Replay(void* data, mcp_str session, std::uint64_t stream, std::uint64_t after, mcp_replay_t* replay) {
    try {
        return static_cast<Adapter*>(data)->Replay(View(session), stream, after, replay);
    } catch (...) {
        return false;
    }
}

void Forget(void* data, mcp_str session) {
    try {
        static_cast<Adapter*>(data)->Forget(View(session));
    } catch (...) {
        // What it did not forget is the store's own.
    }
}

}  // namespace

void SetEventStore(mcp_http_options_t* c, std::shared_ptr<EventStore> store) {
    auto adapter = std::make_unique<Adapter>(std::move(store));
    mcp_event_store table{};
    table.size = sizeof table;
    table.append = Append;
    table.replay = Replay;
    table.forget = Forget;
    table.destroy = Destroy<Adapter>;
    table.user_data = adapter.release();
    mcp_http_options_set_event_store(c, &table);
}

}  // namespace mcp::detail
