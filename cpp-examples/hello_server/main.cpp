// The first server: one tool, on standard streams.

#include <mcp/server/McpServer.hpp>
#include <mcp/transport/StdioServerTransport.hpp>

#include <memory>

int main() {
    mcp::ServerOptions options;
    options.server_info = mcp::Implementation{"hello", "1.0.0"};

    auto server = mcp::McpServer::Create(std::make_shared<mcp::StdioServerTransport>(), options);

    server->RegisterTool("hello", mcp::ToolOptions{}.Description("Says hello"),
                         [](const mcp::RequestContext<mcp::CallToolRequestParams>&) {
                             mcp::CallToolResult result;
                             result.content.push_back(mcp::TextContent{"text", "Hello!"});
                             return result;
                         });

    server->Run();
}
