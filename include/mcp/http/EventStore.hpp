// Events that clients of the legacy revisions may come back for.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace mcp {

// Keeps events in memory, a bounded number for each session. A host may derive a store of its own: all functions are called
// from several threads at once, and must not block for long. What a store has forgotten can't be resumed.
//
// `session_id` names one stream of one session.
class EventStore {
public:
    static constexpr std::size_t kMaxEventsPerSession = 1024;

    EventStore();
    virtual ~EventStore();
    EventStore(const EventStore&) = delete;
    EventStore& operator=(const EventStore&) = delete;

    // Keeps an event; returns its number, which grows from event to event and is at least 1.
    virtual std::uint64_t Append(std::string_view session_id, std::string event_data);

    // The events after the one with this number, oldest first. 0: all that are kept.
    virtual std::vector<std::pair<std::uint64_t, std::string>> GetEventsSince(std::string_view session_id,
                                                                              std::uint64_t last_event_id) const;

    // Forgets a session.
    virtual void Clear(std::string_view session_id);

private:
    struct Session {
        std::uint64_t next{1};
        // A ring: the oldest event is at `first`.
        std::vector<std::pair<std::uint64_t, std::string>> events;
        std::size_t first{0};
    };

    mutable std::mutex mutex_;
    std::map<std::string, Session, std::less<>> sessions_;
};

}  // namespace mcp
