// A queue of messages between a transport and a server.
#pragma once

#include <mcp/JsonRpc.hpp>

#include <chrono>
#include <cstddef>
#include <memory>
#include <optional>
#include <system_error>
#include <utility>

namespace mcp {

namespace detail {
struct ChannelAccess;
class ChannelState;
}  // namespace detail

// A bounded queue of messages. All functions may be called from any thread.
//
// A transport puts what arrives into its channel. When the channel belongs to the transport of a server, the server takes
// messages by itself, on the thread that sends them.
class MessageChannel {
public:
    // At most `max_buffer` messages wait in it.
    explicit MessageChannel(std::size_t max_buffer = 64);
    ~MessageChannel();
    MessageChannel(const MessageChannel&) = delete;
    MessageChannel& operator=(const MessageChannel&) = delete;

    // Puts a message in; waits while the channel is full. False when the channel is closed.
    bool Send(JsonRpcMessage message);

    // Puts a message in. False when the channel is full or closed.
    bool TrySend(JsonRpcMessage message);

    // Waits for a message. Nothing when the channel is closed and empty, or when `timeout` is over.
    std::optional<JsonRpcMessage> Receive();
    std::optional<JsonRpcMessage> Receive(std::chrono::milliseconds timeout);

    // Waits for a message and gives it to `callback(std::error_code, JsonRpcMessage)`, on this thread. When the channel is
    // closed and empty, the code is `std::errc::operation_canceled`.
    template <class Callback>
    void AsyncReceive(Callback&& callback) {
        std::optional<JsonRpcMessage> message = Receive();
        if (message) {
            callback(std::error_code(), std::move(*message));
        } else {
            callback(std::make_error_code(std::errc::operation_canceled), JsonRpcMessage());
        }
    }

    // Lets nothing in any more. What is in it can still be received. May be called more than once.
    void Close();

    bool IsOpen() const;
    bool Empty() const;

private:
    friend struct detail::ChannelAccess;

    std::shared_ptr<detail::ChannelState> state_;
};

}  // namespace mcp
