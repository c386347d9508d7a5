// Our headers after a header that defines macros as platform headers do (B151).

#include "hostile_macros.hpp"

#include <mcp/McpCore.hpp>
#include <mcp/http/EventStore.hpp>
#include <mcp/protocol/MessageFilter.hpp>
#include <mcp/server/McpServer.hpp>
#include <mcp/server/RequestState.hpp>
#include <mcp/storage/FileTaskStore.hpp>
#include <mcp/transport/InMemoryTransport.hpp>
#include <mcp/transport/StdioServerTransport.hpp>
#include <mcp/transport/StreamableHttpServerTransport.hpp>

// Names that the test framework uses itself.
#undef min
#undef max
#undef ERROR
#undef interface
#undef small
#undef GetObject
#undef INFO

#include <doctest/doctest.h>

TEST_SUITE("macros") {
    TEST_CASE("names are what they are, in spite of macros") {
        auto server = mcp::McpServer::Create(nullptr);
        server->RegisterTool("t", {}, [](const mcp::RequestContext<mcp::CallToolRequestParams>&) {
            mcp::CallToolResult result;
            result.content.push_back(mcp::TextContent{"text", "x"});
            return result;
        });
        CHECK(server->GetCapabilities().tools.has_value());
        const mcp::JsonValue object(mcp::JsonValue::object_tag);
        CHECK(object.GetObject().empty());
        CHECK(mcp::LoggingLevel::Error != mcp::LoggingLevel::Info);
    }
}
