// Clients over HTTP, of all protocol revisions.
#pragma once

#include <mcp/Transport.hpp>
#include <mcp/http/EventStore.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace mcp {

inline constexpr std::uint16_t kDefaultPort = 3001;

// Bounds of HTTP. What arrives beyond one is refused with an HTTP error. Nothing set: the library's own bound.
struct HttpLimits {
    // Longest body. Default 4 MiB.
    std::optional<std::size_t> body_bytes;
    // Most bytes of all headers together. Default 64 KiB.
    std::optional<std::size_t> header_bytes;
    // Most open connections; further ones wait to be accepted. Default 10,000.
    std::optional<std::size_t> connections;
    // How long a connection may wait for a request and its headers. Default 60 s.
    std::optional<std::chrono::milliseconds> header_time;
    // How long a body may take. Default 30 s.
    std::optional<std::chrono::milliseconds> body_time;
    // Most open sessions. Default 10,000.
    std::optional<std::size_t> sessions;
    // After how long without a request or an open stream a session ends. Default 30 min.
    std::optional<std::chrono::milliseconds> session_idle_time;
};

struct StreamableHttpServerOptions {
    // 0 lets the system choose; see `StreamableHttpServerTransport::Port`.
    std::uint16_t port{kDefaultPort};
    std::string endpoint{"/mcp"};
    // Legacy clients get no sessions: each of their requests stands alone. Requests of revision 2026-07-28 always do.
    bool stateless{true};
    // Legacy clients may open streams with GET.
    bool enable_legacy_sse{true};
    // How often a silent stream carries a comment; 0 means never.
    int sse_keep_alive_ms{15000};
    // Where events are kept for clients that come back for them. Nothing: in memory, bounded.
    std::shared_ptr<EventStore> event_store{};
    // Who the server is, where `ServerOptions::server_info` does not say.
    std::string server_name{"mcp-server"};
    std::string server_version{"1.0.0"};
    // The address to listen on: an IP address or a name.
    std::string host{"127.0.0.1"};
    // The values of the header `Host` that are served, with or without port. Empty: loopback names when the address is a
    // loopback one, any otherwise.
    std::vector<std::string> allowed_hosts{};
    // The values of the header `Origin` that are served. Empty: as for hosts.
    std::vector<std::string> allowed_origins{};
    // The origins whose pages may read answers (CORS); `*` for all.
    std::vector<std::string> cors_origins{};
    // When clients should come back to a stream that was closed. Default 1 s.
    std::optional<std::chrono::milliseconds> retry{};
    HttpLimits limits{};
};

// Streamable HTTP. Listens as soon as `McpServer::Create` has returned; `Create` throws `McpError` when the address is
// taken. The address is free again when `Close` of the server or of the transport has returned. A transport serves one
// server, and can't be started again.
class StreamableHttpServerTransport : public TransportBase {
public:
    StreamableHttpServerTransport(StreamableHttpServerOptions options = {});
    ~StreamableHttpServerTransport() override;

    // Begins to listen, when a server was created with this transport and it does not listen already. Throws `McpError`
    // when the address is taken, or after `Close`.
    void Start() override;

    // Ends the listener: requests that run have the server's `close_timeout` to finish. From inside of a handler it only
    // asks for the end. May be called more than once.
    void Close() override;

    // Does nothing: the server writes by itself.
    void SendMessageAsync(JsonRpcMessage message) override;

    bool IsStateless() const override;

    // The port that it listens on: the real one where the system chose it. The one of the options before that.
    std::uint16_t Port() const;

private:
    detail::BuiltinTransport* Builtin() noexcept override;

    std::shared_ptr<detail::BuiltinTransport> impl_;
};

}  // namespace mcp
