// The JSON of capabilities.

#include "capability_fields.hpp"

namespace mcp {

MCP_SERIALIZE_BOTH(ToolsCapability)
MCP_SERIALIZE_BOTH(ResourcesCapability)
MCP_SERIALIZE_BOTH(PromptsCapability)
MCP_SERIALIZE_BOTH(SamplingCapability)
MCP_SERIALIZE_BOTH(RootsCapability)
MCP_SERIALIZE_BOTH(ElicitationCapability)
MCP_SERIALIZE_BOTH(EmptyCapability)
MCP_SERIALIZE_BOTH(ServerCapabilities)
MCP_SERIALIZE_BOTH(ClientCapabilities)

}  // namespace mcp
