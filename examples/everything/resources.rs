//! Resources, and a template of them.

use mcp::{
    Context, Error, HandlerError, ReadRequest, ReadResourceResult, ResourceContents, ResourceOptions, ServerBuilder,
};
use serde_json::json;

use crate::content::PIXEL;

pub(crate) fn register(builder: ServerBuilder) -> ServerBuilder {
    let described = |text: &str, mime_type: &str| ResourceOptions::new().description(text).mime_type(mime_type);
    builder
        .resource("static-text", "test://static-text", described("Text", "text/plain"), static_text)
        .resource("static-binary", "test://static-binary", described("A picture", "image/png"), static_binary)
        .resource("watched-resource", "test://watched-resource", described("To subscribe to", "text/plain"), watched)
        .resource_template(
            "template",
            "test://template/{id}/data",
            described("Data for any id", "application/json"),
            data,
        )
}

async fn static_text(request: ReadRequest, _ctx: Context) -> Result<ReadResourceResult, HandlerError> {
    Ok(text(request.uri, "This is the content of the static text resource."))
}

async fn static_binary(request: ReadRequest, _ctx: Context) -> Result<ReadResourceResult, HandlerError> {
    Ok(ResourceContents::blob_base64(request.uri, PIXEL).with_mime_type("image/png").into())
}

async fn watched(request: ReadRequest, _ctx: Context) -> Result<ReadResourceResult, HandlerError> {
    Ok(text(request.uri, "The tool \"notify\" announces changes of this resource."))
}

fn text(uri: String, text: &str) -> ReadResourceResult {
    ResourceContents::text(uri, text).with_mime_type("text/plain").into()
}

async fn data(request: ReadRequest, _ctx: Context) -> Result<ReadResourceResult, HandlerError> {
    let id = request.variables.get("id").ok_or_else(|| Error::resource_not_found(&request.uri))?;
    let data = json!({"id": id, "templateTest": true, "data": format!("Data for ID: {id}")});
    Ok(ResourceContents::text(request.uri, data.to_string()).with_mime_type("application/json").into())
}
