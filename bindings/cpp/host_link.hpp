#pragma once

// Connects a transport of the host's, or one in memory, with a server.

#include <mcp/Transport.hpp>

#include <atomic>
#include <memory>
#include <mutex>

#include "c_api.hpp"
#include "channel_state.hpp"

namespace mcp::detail {

class ServerCore;

class HostLink : public std::enable_shared_from_this<HostLink> {
public:
    // Opens a connection, starts the transport, and takes what its channel holds. Throws when one of them fails.
    static std::shared_ptr<HostLink> Open(const std::shared_ptr<ServerCore>& core, std::shared_ptr<ITransport> transport);

    HostLink(const std::shared_ptr<ServerCore>& core, std::shared_ptr<ITransport> transport);
    HostLink(const HostLink&) = delete;
    HostLink& operator=(const HostLink&) = delete;

    // Closes the transport, once.
    void Close() noexcept;

private:
    class Sink;

    // Carries a message of the server's; none: the connection has ended.
    static void Carry(void* data, mcp_str message);

    ChannelSink::Taken Receive(const JsonRpcMessage& message) noexcept;
    // The transport has ended.
    void EndConnection() noexcept;
    void TellError(std::string_view text) const noexcept;

    const std::weak_ptr<ServerCore> core_;
    const std::shared_ptr<ITransport> transport_;
    std::shared_ptr<ChannelState> channel_;
    std::atomic<bool> closed_{false};

    std::mutex mutex_;
    std::shared_ptr<mcp_connection_t> connection_;
};

}  // namespace mcp::detail
