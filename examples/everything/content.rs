//! Tools that show the kinds of content, of failure and of schema.

use mcp::{CallToolResult, Content, Context, RawJson, ResourceContents, ServerBuilder};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::described;

/// A picture of one pixel, PNG as base64.
pub(crate) const PIXEL: &str =
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==";
/// A sound without samples, WAV as base64.
const SILENCE: &str = "UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAA=";

pub(crate) fn register(builder: ServerBuilder) -> ServerBuilder {
    builder
        .raw_tool("test_simple_text", described("Returns text"), simple_text)
        .raw_tool("test_image_content", described("Returns a picture"), image)
        .raw_tool("test_audio_content", described("Returns a sound"), audio)
        .raw_tool("test_embedded_resource", described("Returns an embedded resource"), embedded_resource)
        .raw_tool("test_multiple_content_types", described("Returns several kinds of content"), several)
        .raw_tool("test_error_handling", described("Fails"), failing)
        .raw_tool(
            "json_schema_2020_12_tool",
            described("Has a schema that uses much of JSON Schema 2020-12").input_schema(rich_schema()),
            contact,
        )
        .tool("test_x_mcp_header", described("Has an argument that HTTP shows in a header"), region)
}

async fn simple_text(_args: RawJson, _ctx: Context) -> &'static str {
    "This is a simple text response for testing."
}

async fn image(_args: RawJson, _ctx: Context) -> Content {
    Content::image_base64(PIXEL, "image/png")
}

async fn audio(_args: RawJson, _ctx: Context) -> Content {
    Content::audio_base64(SILENCE, "audio/wav")
}

async fn embedded_resource(_args: RawJson, _ctx: Context) -> Content {
    let text = "This is an embedded resource content.";
    Content::resource(ResourceContents::text("test://embedded-resource", text).with_mime_type("text/plain"))
}

async fn several(_args: RawJson, _ctx: Context) -> Vec<Content> {
    let data = json!({"test": "data", "value": 123}).to_string();
    let resource = ResourceContents::text("test://mixed-content-resource", data).with_mime_type("application/json");
    vec![
        Content::text("Multiple content types test:"),
        Content::image_base64(PIXEL, "image/png"),
        Content::resource(resource),
    ]
}

async fn failing(_args: RawJson, _ctx: Context) -> CallToolResult {
    CallToolResult::error("This tool intentionally returns an error for testing")
}

async fn contact(args: RawJson, _ctx: Context) -> String {
    format!("These arguments are valid: {args}")
}

fn rich_schema() -> Value {
    json!({
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
    })
}

#[derive(Deserialize, JsonSchema)]
struct Region {
    /// Any text
    #[schemars(extend("x-mcp-header" = "Region"))]
    region: String,
}

async fn region(args: Region, _ctx: Context) -> String {
    format!("The region is {}.", args.region)
}
