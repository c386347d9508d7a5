#include "host_link.hpp"

#include <mcp/McpError.hpp>

#include <exception>
#include <functional>
#include <string>
#include <utility>

#include "server_core.hpp"

namespace mcp::detail {

// Does not keep the link alive: the transport owns the channel, and the link the transport.
class HostLink::Sink : public ChannelSink {
public:
    explicit Sink(std::weak_ptr<HostLink> link) : link_(std::move(link)) {}

    Taken Take(const JsonRpcMessage& message) noexcept override {
        const std::shared_ptr<HostLink> link = link_.lock();
        return link ? link->Receive(message) : Taken::kNever;
    }

    void Ended() noexcept override {
        if (const std::shared_ptr<HostLink> link = link_.lock()) {
            link->EndConnection();
        }
    }

private:
    const std::weak_ptr<HostLink> link_;
};

HostLink::HostLink(const std::shared_ptr<ServerCore>& core, std::shared_ptr<ITransport> transport)
    : core_(core), transport_(std::move(transport)) {}

std::shared_ptr<HostLink> HostLink::Open(const std::shared_ptr<ServerCore>& core,
                                         std::shared_ptr<ITransport> transport) {
    auto link = std::make_shared<HostLink>(core, std::move(transport));
    using Entry = std::shared_ptr<HostLink>;
    auto entry = std::make_unique<Entry>(link);
    mcp_connection_t* connection = nullptr;
    Check(mcp_server_connect(core->Handle(), Carry, entry.release(), Destroy<Entry>, &connection));
    link->connection_.reset(connection, mcp_connection_delete);
    ITransport& carrier = *link->transport_;
    if (TransportBase* base = TransportAccess::Base(carrier)) {
        const std::weak_ptr<HostLink> weak = link;
        const auto on_close = [weak] {
            if (const auto self = weak.lock()) {
                self->EndConnection();
            }
        };
        const auto on_error = [weak](std::string_view text) {
            if (const auto self = weak.lock()) {
                self->TellError(text);
            }
        };
        TransportAccess::Listen(*base, on_close, on_error);
    }
    carrier.Start();
    link->channel_ = ChannelAccess::Shared(carrier.GetMessageChannel());
    link->channel_->SetSink(std::make_shared<Sink>(link));
    return link;
}

ChannelSink::Taken HostLink::Receive(const JsonRpcMessage& message) noexcept {
    std::shared_ptr<mcp_connection_t> connection;
    {
        const std::lock_guard<std::mutex> lock(mutex_);
        connection = connection_;
    }
    if (!connection) {
        return ChannelSink::Taken::kNever;
    }
    try {
        const std::string text = SerializeMessage(message);
        const ErrorPtr error(mcp_connection_receive(connection.get(), Str(text)));
        if (!error) {
            return ChannelSink::Taken::kYes;
        }
        return mcp_error_code(error.get()) == MCP_ERROR_BUSY ? ChannelSink::Taken::kLater : ChannelSink::Taken::kNever;
    } catch (const std::exception& error) {
        TellError(error.what());
        return ChannelSink::Taken::kNever;
    }
}

void HostLink::Carry(void* data, mcp_str message) {
    HostLink& link = **static_cast<const std::shared_ptr<HostLink>*>(data);
    const std::shared_ptr<ServerCore> core = link.core_.lock();
    const InsideCall inside(core.get());
    if (IsNone(message)) {
        link.EndConnection();
        return link.Close();
    }
    try {
        link.transport_->SendMessageAsync(DeserializeMessage(View(message)));
    } catch (const std::exception& error) {
        link.TellError(error.what());
    } catch (...) {
        link.TellError("the transport threw something that is no std::exception");
    }
}

void HostLink::EndConnection() noexcept {
    std::shared_ptr<mcp_connection_t> connection;
    const std::lock_guard<std::mutex> lock(mutex_);
    connection.swap(connection_);
}

void HostLink::Close() noexcept {
    if (closed_.exchange(true)) {
        return;
    }
    try {
        transport_->Close();
    } catch (...) {
        // It has ended for the server in any case.
    }
}

void HostLink::TellError(std::string_view text) const noexcept {
    const std::shared_ptr<ServerCore> core = core_.lock();
    if (!core || !core->OnTransportError()) {
        return;
    }
    try {
        core->OnTransportError()(text);
    } catch (...) {
        // Callbacks have nobody to complain to.
    }
}

}  // namespace mcp::detail
