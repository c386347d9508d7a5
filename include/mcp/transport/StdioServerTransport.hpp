// The client that started this process, over the standard streams.
#pragma once

#include <mcp/Transport.hpp>

#include <memory>

namespace mcp {

// How the standard streams are served.
struct StdioServerOptions {
    // The protocol has the streams for itself: what the host or its children print goes to standard error meanwhile, and
    // they read nothing.
    bool isolate{true};
};

// Standard streams. Reading begins with `McpServer::Run`, or with `Start` after `McpServer::Create`: what is registered
// before that is known to the client from the beginning. Unix only.
class StdioServerTransport : public TransportBase {
public:
    StdioServerTransport();
    explicit StdioServerTransport(StdioServerOptions options);
    ~StdioServerTransport() override;

    // Begins to read. Does nothing before a server was created with this transport, or when it has begun already.
    void Start() override;

    // Closes the server of this transport.
    void Close() override;

    // Does nothing: the server writes by itself.
    void SendMessageAsync(JsonRpcMessage message) override;

private:
    detail::BuiltinTransport* Builtin() noexcept override;

    std::shared_ptr<detail::BuiltinTransport> impl_;
};

}  // namespace mcp
