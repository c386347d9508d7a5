#pragma once

// What a `MessageChannel` stands on.

#include <mcp/protocol/MessageChannel.hpp>

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>

namespace mcp::detail {

// Takes the messages of a channel in place of its queue.
class ChannelSink {
public:
    enum class Taken { kYes, kLater, kNever };

    virtual ~ChannelSink() = default;
    virtual Taken Take(const JsonRpcMessage& message) noexcept = 0;
    // The channel is closed.
    virtual void Ended() noexcept = 0;
};

class ChannelState {
public:
    explicit ChannelState(std::size_t max_buffer) : max_buffer_(max_buffer == 0 ? 1 : max_buffer) {}

    bool Send(JsonRpcMessage message, bool wait);
    std::optional<JsonRpcMessage> Receive(const std::chrono::milliseconds* timeout);
    void Close();
    bool IsOpen();
    bool Empty();

    // Gives what is in the channel and all that follows to `sink`; null: to the queue again.
    void SetSink(std::shared_ptr<ChannelSink> sink);

private:
    bool Give(const std::shared_ptr<ChannelSink>& sink, const JsonRpcMessage& message, bool wait);

    const std::size_t max_buffer_;
    std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<JsonRpcMessage> queue_;
    std::shared_ptr<ChannelSink> sink_;
    bool open_{true};
};

struct ChannelAccess {
    static ChannelState& State(MessageChannel& channel) noexcept { return *channel.state_; }
    static std::shared_ptr<ChannelState> Shared(MessageChannel& channel) noexcept { return channel.state_; }
};

}  // namespace mcp::detail
