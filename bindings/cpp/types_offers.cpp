// The JSON of tools, resources and prompts, and the setters of their options.

#include "type_fields.hpp"

namespace mcp {

MCP_SERIALIZE_BOTH(ToolAnnotations)
MCP_SERIALIZE_BOTH(ToolExecution)
MCP_SERIALIZE_BOTH(ResourceAnnotations)
MCP_SERIALIZE_BOTH(Tool)
MCP_SERIALIZE_BOTH(Resource)
MCP_SERIALIZE_BOTH(ResourceTemplate)
MCP_SERIALIZE_BOTH(PromptArgument)
MCP_SERIALIZE_BOTH(Prompt)
MCP_SERIALIZE_BOTH(PromptMessage)

ToolOptions& ToolOptions::Description(std::string_view text) {
    description = std::string(text);
    return *this;
}

ToolOptions& ToolOptions::Title(std::string_view text) {
    title = std::string(text);
    return *this;
}

ToolOptions& ToolOptions::InputSchema(JsonValue schema) {
    input_schema = std::move(schema);
    return *this;
}

ResourceOptions& ResourceOptions::Description(std::string_view text) {
    description = std::string(text);
    return *this;
}

ResourceOptions& ResourceOptions::Title(std::string_view text) {
    title = std::string(text);
    return *this;
}

ResourceOptions& ResourceOptions::MimeType(std::string_view text) {
    mime_type = std::string(text);
    return *this;
}

PromptOptions& PromptOptions::Description(std::string_view text) {
    description = std::string(text);
    return *this;
}

PromptOptions& PromptOptions::Title(std::string_view text) {
    title = std::string(text);
    return *this;
}

PromptOptions& PromptOptions::Arguments(std::vector<PromptArgument> list) {
    arguments = std::move(list);
    return *this;
}

}  // namespace mcp
