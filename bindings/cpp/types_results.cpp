// The JSON of results.

#include "result_fields.hpp"

namespace mcp {

MCP_SERIALIZE_BOTH(EmptyResult)
MCP_SERIALIZE_BOTH(CallToolResult)
MCP_SERIALIZE_BOTH(ListToolsResult)
MCP_SERIALIZE_BOTH(ListResourcesResult)
MCP_SERIALIZE_BOTH(ListResourceTemplatesResult)
MCP_SERIALIZE_BOTH(ReadResourceResult)
MCP_SERIALIZE_BOTH(ListPromptsResult)
MCP_SERIALIZE_BOTH(GetPromptResult)
MCP_SERIALIZE_BOTH(CompleteResult)
MCP_SERIALIZE_BOTH(InitializeResult)
MCP_SERIALIZE_BOTH(DiscoverResult)

}  // namespace mcp
