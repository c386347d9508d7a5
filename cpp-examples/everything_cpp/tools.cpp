// Help for tools.

#include <utility>

#include "everything.hpp"

namespace everything {

mcp::ToolOptions Described(std::string_view description) {
    mcp::ToolOptions options;
    options.Description(description);
    return options;
}

mcp::ToolOptions Described(std::string_view description, std::string_view schema) {
    mcp::ToolOptions options;
    options.Description(description).InputSchema(mcp::JsonValue::Parse(schema));
    return options;
}

std::string SchemaOfText(const std::string& name, const std::string& description) {
    mcp::JsonValue text(mcp::JsonValue::Object{{"type", "string"}, {"description", description}});
    mcp::JsonValue schema(mcp::JsonValue::object_tag);
    schema["type"] = "object";
    schema["properties"] = mcp::JsonValue::Object{{name, std::move(text)}};
    schema["required"] = mcp::JsonValue::Array{name};
    return schema.Dump();
}

const mcp::JsonValue& Argument(const ToolContext& ctx, std::string_view name) {
    return ctx.Params().arguments.value().At(name);
}

mcp::CallToolResult TextResult(std::string text) {
    mcp::CallToolResult result;
    result.content.push_back(mcp::TextContent{"text", std::move(text)});
    return result;
}

mcp::CallToolResult ErrorResult(std::string text) {
    mcp::CallToolResult result = TextResult(std::move(text));
    result.is_error = true;
    return result;
}

mcp::McpError Failure(std::string text) { return mcp::McpError(mcp::McpErrorCode::HandlerError, std::move(text)); }

}  // namespace everything
