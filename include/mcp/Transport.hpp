// What carries messages between a server and its client.
#pragma once

#include <mcp/JsonRpc.hpp>
#include <mcp/protocol/MessageChannel.hpp>

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>

namespace mcp {

class TransportBase;

namespace detail {
struct TransportAccess;
class BuiltinTransport;
}  // namespace detail

// A transport. A host may write its own: it sends what arrives into its channel (`GetMessageChannel`), and carries away what
// `SendMessageAsync` is given. `McpServer::Create` calls `Start`.
class ITransport {
public:
    virtual ~ITransport() = default;

    virtual std::string_view SessionId() const = 0;

    // Where messages that arrive are put. The same channel every time, alive for as long as the transport is.
    virtual MessageChannel& GetMessageChannel() = 0;

    // Carries a message to the client. Called for one message at a time, on a thread of the server's, which it may block:
    // then later messages wait. What it throws is told as a transport error.
    virtual void SendMessageAsync(JsonRpcMessage message) = 0;

    // Ends the transport. Called by the server when it closes, from any thread, possibly more than once.
    virtual void Close() = 0;

    virtual bool IsStateless() const { return false; }

    // Begins to carry messages. Called by the server; must do no harm when it is called again. Throws when it can't.
    virtual void Start() {}

private:
    friend struct detail::TransportAccess;

    // The transports of this library answer here; others need nothing.
    virtual detail::BuiltinTransport* Builtin() noexcept { return nullptr; }
    virtual TransportBase* Base() noexcept { return nullptr; }
};

enum class TransportState { Initial, Connected, Disconnected };

// Help for writing a transport: a channel, a state, and callbacks. `SendMessageAsync` and `Close` are left to be written.
class TransportBase : public ITransport, public std::enable_shared_from_this<TransportBase> {
public:
    TransportBase();
    ~TransportBase() override;
    TransportBase(const TransportBase&) = delete;
    TransportBase& operator=(const TransportBase&) = delete;

    std::string_view SessionId() const override;
    MessageChannel& GetMessageChannel() override;
    bool IsStateless() const override;

    void SetConnected();
    // Calls the callback of `SetOnClose`, the first time.
    void SetDisconnected();
    TransportState GetState() const;

    void SetOnClose(std::function<void()> callback);
    void SetOnError(std::function<void(std::string_view)> callback);

protected:
    void NotifyClose();
    void NotifyError(std::string_view error);
    // Puts a message that arrived into the channel.
    void WriteMessage(JsonRpcMessage message);

    std::unique_ptr<MessageChannel> channel_;
    std::string session_id_;
    std::atomic<int> state_{0};
    std::function<void()> on_close_;
    std::function<void(std::string_view)> on_error_;
    std::mutex callback_mutex_;

private:
    friend struct detail::TransportAccess;

    TransportBase* Base() noexcept final { return this; }

    // The server listens too, without taking the host's callbacks away.
    std::function<void()> server_on_close_;
    std::function<void(std::string_view)> server_on_error_;
};

}  // namespace mcp
