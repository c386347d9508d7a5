//! Tools that change what the server offers, or say that it has changed.

use mcp::{CallToolResult, Context, HandlerError, HandlerFuture, RawJson, ServerBuilder, ToolHandler};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::described;

pub(crate) fn register(builder: ServerBuilder) -> ServerBuilder {
    builder
        .tool("notify", described("Announces a change to the clients that subscribed to it"), notify)
        .tool("add_tool", described("Adds a tool of this name"), add_tool)
        .tool("remove_tool", described("Removes the tool of this name"), remove_tool)
        .raw_tool("test_trigger_tool_change", described("Announces a change of the tools"), trigger_tools)
        .raw_tool("test_trigger_prompt_change", described("Announces a change of the prompts"), trigger_prompts)
}

#[derive(Deserialize, JsonSchema)]
struct Change {
    /// `tools`, `resources`, `prompts`, or `updated:` and the URI of a resource
    kind: String,
}

async fn notify(args: Change, ctx: Context) -> Result<&'static str, HandlerError> {
    let server = ctx.server();
    match args.kind.as_str() {
        "tools" => server.notify_tools_changed(),
        "resources" => server.notify_resources_changed(),
        "prompts" => server.notify_prompts_changed(),
        kind => match kind.strip_prefix("updated:") {
            Some(uri) if !uri.is_empty() => server.notify_resource_updated(uri),
            _ => {
                let text = "\"kind\" must be \"tools\", \"resources\", \"prompts\", or \"updated:\" and a URI.";
                return Err(HandlerError::message(text));
            }
        },
    }
    Ok("announced")
}

#[derive(Deserialize, JsonSchema)]
struct Name {
    /// Name of the tool
    name: String,
}

/// A tool that was added at run time.
struct Added(String);

impl ToolHandler for Added {
    fn call(&self, _arguments: RawJson, _context: Context) -> HandlerFuture<CallToolResult> {
        let result = CallToolResult::text(format!("This is {}.", self.0));
        Box::pin(async { Ok(result) })
    }
}

async fn add_tool(args: Name, ctx: Context) -> Result<String, HandlerError> {
    let Name { name } = args;
    let added = ctx.server().add_tool_handler(&name, described("Was added at run time"), Added(name.clone()));
    added.map_err(|error| HandlerError::message(error.to_string()))?;
    Ok(format!("added {name}"))
}

async fn remove_tool(args: Name, ctx: Context) -> Result<String, HandlerError> {
    let Name { name } = args;
    if ctx.server().remove_tool(&name) {
        Ok(format!("removed {name}"))
    } else {
        Err(HandlerError::message(format!("There is no tool \"{name}\".")))
    }
}

async fn trigger_tools(_args: RawJson, ctx: Context) -> &'static str {
    ctx.server().notify_tools_changed();
    "announced"
}

async fn trigger_prompts(_args: RawJson, ctx: Context) -> &'static str {
    ctx.server().notify_prompts_changed();
    "announced"
}
