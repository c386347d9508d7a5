#include <mcp/Transport.hpp>

#include <utility>

#include "builtin_transport.hpp"

namespace mcp {

namespace detail {

void TransportAccess::Listen(TransportBase& transport, std::function<void()> on_close,
                             std::function<void(std::string_view)> on_error) {
    const std::lock_guard<std::mutex> lock(transport.callback_mutex_);
    transport.server_on_close_ = std::move(on_close);
    transport.server_on_error_ = std::move(on_error);
}

}  // namespace detail

TransportBase::TransportBase() : channel_(std::make_unique<MessageChannel>()) {}

TransportBase::~TransportBase() = default;

std::string_view TransportBase::SessionId() const { return session_id_; }

MessageChannel& TransportBase::GetMessageChannel() { return *channel_; }

bool TransportBase::IsStateless() const { return false; }

void TransportBase::SetConnected() { state_.store(static_cast<int>(TransportState::Connected)); }

void TransportBase::SetDisconnected() {
    const int disconnected = static_cast<int>(TransportState::Disconnected);
    if (state_.exchange(disconnected) != disconnected) {
        NotifyClose();
    }
}

TransportState TransportBase::GetState() const { return static_cast<TransportState>(state_.load()); }

void TransportBase::SetOnClose(std::function<void()> callback) {
    const std::lock_guard<std::mutex> lock(callback_mutex_);
    on_close_ = std::move(callback);
}

void TransportBase::SetOnError(std::function<void(std::string_view)> callback) {
    const std::lock_guard<std::mutex> lock(callback_mutex_);
    on_error_ = std::move(callback);
}

void TransportBase::NotifyClose() {
    std::function<void()> host;
    std::function<void()> server;
    {
        const std::lock_guard<std::mutex> lock(callback_mutex_);
        host = on_close_;
        server = server_on_close_;
    }
    if (server) {
        server();
    }
    if (host) {
        host();
    }
}

void TransportBase::NotifyError(std::string_view error) {
    std::function<void(std::string_view)> host;
    std::function<void(std::string_view)> server;
    {
        const std::lock_guard<std::mutex> lock(callback_mutex_);
        host = on_error_;
        server = server_on_error_;
    }
    if (server) {
        server(error);
    }
    if (host) {
        host(error);
    }
}

void TransportBase::WriteMessage(JsonRpcMessage message) { channel_->Send(std::move(message)); }

}  // namespace mcp
