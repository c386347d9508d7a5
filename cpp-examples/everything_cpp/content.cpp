// Tools that show the kinds of content, of failure and of schema.

#include <utility>

#include "everything.hpp"

namespace everything {

namespace {

// A sound without samples, WAV as base64.
constexpr const char* kSilence = "UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAA=";

constexpr const char* kRichSchema = R"({
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "type": "object",
    "$defs": {
        "address": {
            "$anchor": "addressDef",
            "type": "object",
            "properties": {"street": {"type": "string"}, "city": {"type": "string"}}
        }
    },
    "properties": {
        "name": {"type": "string"},
        "address": {"$ref": "#/$defs/address"},
        "contactMethod": {"type": "string", "enum": ["phone", "email"]},
        "phone": {"type": "string"},
        "email": {"type": "string"}
    },
    "allOf": [{"anyOf": [{"required": ["phone"]}, {"required": ["email"]}]}],
    "if": {"properties": {"contactMethod": {"const": "phone"}}, "required": ["contactMethod"]},
    "then": {"required": ["phone"]},
    "else": {"required": ["email"]},
    "additionalProperties": false
})";

mcp::EmbeddedResource Embedded(const std::string& uri, const std::string& text, const std::string& mime_type) {
    mcp::EmbeddedResource embedded;
    embedded.resource = mcp::TextResourceContents{uri, text, mime_type};
    return embedded;
}

mcp::CallToolResult Content(mcp::ContentVariant content) {
    mcp::CallToolResult result;
    result.content.push_back(std::move(content));
    return result;
}

mcp::CallToolResult SimpleText(const ToolContext&) {
    return TextResult("This is a simple text response for testing.");
}

mcp::CallToolResult Image(const ToolContext&) { return Content(mcp::ImageContent{"image", kPixel, "image/png"}); }

mcp::CallToolResult Audio(const ToolContext&) { return Content(mcp::AudioContent{"audio", kSilence, "audio/wav"}); }

mcp::CallToolResult EmbeddedText(const ToolContext&) {
    return Content(Embedded("test://embedded-resource", "This is an embedded resource content.", "text/plain"));
}

mcp::CallToolResult Several(const ToolContext&) {
    mcp::CallToolResult result = TextResult("Multiple content types test:");
    result.content.push_back(mcp::ImageContent{"image", kPixel, "image/png"});
    const mcp::JsonValue data(mcp::JsonValue::Object{{"test", "data"}, {"value", 123}});
    result.content.push_back(Embedded("test://mixed-content-resource", data.Dump(), "application/json"));
    return result;
}

mcp::CallToolResult Failing(const ToolContext&) {
    return ErrorResult("This tool intentionally returns an error for testing");
}

mcp::CallToolResult Contact(const ToolContext& ctx) {
    const auto& arguments = ctx.Params().arguments;
    return TextResult("These arguments are valid: " + (arguments ? arguments->Dump() : "{}"));
}

mcp::CallToolResult Region(const ToolContext& ctx) {
    return TextResult("The region is " + Argument(ctx, "region").GetString() + ".");
}

}  // namespace

void RegisterContent(mcp::McpServer& server) {
    server.RegisterTool("test_simple_text", Described("Returns text"), SimpleText);
    server.RegisterTool("test_image_content", Described("Returns a picture"), Image);
    server.RegisterTool("test_audio_content", Described("Returns a sound"), Audio);
    server.RegisterTool("test_embedded_resource", Described("Returns an embedded resource"), EmbeddedText);
    server.RegisterTool("test_multiple_content_types", Described("Returns several kinds of content"), Several);
    server.RegisterTool("test_error_handling", Described("Fails"), Failing);
    server.RegisterTool("json_schema_2020_12_tool",
                        Described("Has a schema that uses much of JSON Schema 2020-12", kRichSchema), Contact);
    server.RegisterTool("test_x_mcp_header", Described("Has an argument that HTTP shows in a header", R"({
        "type": "object",
        "properties": {"region": {"type": "string", "description": "Any text", "x-mcp-header": "Region"}},
        "required": ["region"]
    })"),
                        Region);
}

}  // namespace everything
