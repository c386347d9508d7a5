// The JSON of content blocks.

#include <mcp/Content.hpp>

#include "content_fields.hpp"

template class std::vector<mcp::ContentVariant>;
template mcp::ContentVariant& std::vector<mcp::ContentVariant>::emplace_back<mcp::ContentVariant>(mcp::ContentVariant&&);

namespace mcp {

MCP_SERIALIZE_BOTH(Icon)
MCP_SERIALIZE_BOTH(Annotations)
MCP_SERIALIZE_BOTH(Implementation)
MCP_SERIALIZE_BOTH(TextResourceContents)
MCP_SERIALIZE_BOTH(BlobResourceContents)
MCP_SERIALIZE_BOTH(ResourceContents)
MCP_SERIALIZE_BOTH(TextContent)
MCP_SERIALIZE_BOTH(ImageContent)
MCP_SERIALIZE_BOTH(AudioContent)
MCP_SERIALIZE_BOTH(EmbeddedResource)
MCP_SERIALIZE_BOTH(ResourceLink)
MCP_SERIALIZE_BOTH(ContentVariant)

}  // namespace mcp
