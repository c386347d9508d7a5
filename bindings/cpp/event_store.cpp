#include <mcp/http/EventStore.hpp>

#include <utility>

namespace mcp {

EventStore::EventStore() = default;

EventStore::~EventStore() = default;

std::uint64_t EventStore::Append(std::string_view session_id, std::string event_data) {
    const std::lock_guard<std::mutex> lock(mutex_);
    auto found = sessions_.find(session_id);
    if (found == sessions_.end()) {
        found = sessions_.emplace(std::string(session_id), Session()).first;
    }
    Session& session = found->second;
    const std::uint64_t number = session.next++;
    if (session.events.size() < kMaxEventsPerSession) {
        session.events.emplace_back(number, std::move(event_data));
    } else {
        session.events[session.first] = {number, std::move(event_data)};
        session.first = (session.first + 1) % kMaxEventsPerSession;
    }
    return number;
}

std::vector<std::pair<std::uint64_t, std::string>> EventStore::GetEventsSince(std::string_view session_id,
                                                                              std::uint64_t last_event_id) const {
    const std::lock_guard<std::mutex> lock(mutex_);
    std::vector<std::pair<std::uint64_t, std::string>> events;
    const auto found = sessions_.find(session_id);
    if (found == sessions_.end()) {
        return events;
    }
    const Session& session = found->second;
    for (std::size_t i = 0; i < session.events.size(); ++i) {
        const auto& event = session.events[(session.first + i) % session.events.size()];
        if (event.first > last_event_id) {
            events.push_back(event);
        }
    }
    return events;
}

void EventStore::Clear(std::string_view session_id) {
    const std::lock_guard<std::mutex> lock(mutex_);
    const auto found = sessions_.find(session_id);
    if (found != sessions_.end()) {
        sessions_.erase(found);
    }
}

}  // namespace mcp
