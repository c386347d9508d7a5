// What a consumer in C++ needs of the package: headers and a library with a server that starts, takes a tool and ends.

#include <mcp/server/McpServer.hpp>
#include <mcp/transport/InMemoryTransport.hpp>

#include <cstdio>
#include <exception>
#include <string>

#ifdef WITH_C
#include <mcp/mcp.h>
#endif

int main() try {
#ifdef WITH_C
    if (std::string(mcp_version()) != MCP_VERSION) return 1;
#endif
    mcp::ServerOptions options;
    options.server_info = mcp::Implementation{"consumer", "1"};
    auto pair = mcp::InMemoryTransport::CreatePair();
    auto server = mcp::McpServer::Create(pair.server, options);
    server->RegisterTool("hello", mcp::ToolOptions{}.Description("Greets"),
                         [](const mcp::RequestContext<mcp::CallToolRequestParams>&) {
                             mcp::CallToolResult result;
                             result.content.push_back(mcp::TextContent{"text", "hello from C++"});
                             return result;
                         });
    const bool has_tools = server->GetCapabilities().tools.has_value();
    server->Close();
    return has_tools ? 0 : 1;
} catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
}
