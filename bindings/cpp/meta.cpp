// The JSON of `_meta` and of its parts.

#include "meta_fields.hpp"

namespace mcp {

MCP_SERIALIZE_BOTH(ProgressToken)
MCP_SERIALIZE_BOTH(LoggingLevel)
MCP_SERIALIZE_BOTH(CacheHint)
MCP_SERIALIZE_BOTH(RequestMeta)

}  // namespace mcp
