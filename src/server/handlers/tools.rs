//! `tools/list` and `tools/call`.

use std::future::Future;
use std::sync::Arc;

use super::super::call::{Call, Outcome, Reply};
use super::super::context::Context;
use super::super::dispatch::{Ran, run, with_answers};
use super::super::registry::ToolEntry;
use super::super::schema::element_count_exceeds;
use super::{arguments, page, required_string};
use crate::error::Error;
use crate::json::RawJson;
use crate::protocol::content::Content;
use crate::protocol::tool::CallToolResult;
use crate::protocol::version::ProtocolVersion;

pub(crate) fn list(call: &Call) -> Outcome {
    page(call, &call.state.server.registry().tools)
}

pub(crate) async fn call(call: &Call) -> Outcome {
    let name = required_string(call, "name")?;
    let arguments = arguments(call)?.unwrap_or(RawJson::EMPTY_OBJECT);
    let server = &call.state.server;
    let unknown = || Error::invalid_params(format!("Unknown tool: {name}"));
    let tool = server.registry().tools.get(&name).ok_or_else(unknown)?;
    if let Err(problem) = check_arguments(call, &tool, &arguments) {
        let text = format!("Invalid arguments for tool \"{name}\": {problem}");
        return Ok(Reply::Tool(CallToolResult::error(text)));
    }
    let Some(ran) = run_tool(call, &tool, arguments).await else {
        call.state.cancel.raise();
        let limit = tool.timeout.unwrap_or_default();
        let text = format!("The tool \"{name}\" was stopped: it took longer than {} ms.", limit.as_millis());
        return Ok(Reply::Tool(CallToolResult::error(text)));
    };
    match ran {
        Ran::Done(CallToolResult { input_required: Some(input), .. }) => {
            Ok(Reply::InputRequired(with_answers(call, input)))
        }
        Ran::Done(result) => Ok(Reply::Tool(finish(&tool, result, call.state.client.version))),
        Ran::Asks(input) => Ok(Reply::InputRequired(input)),
        Ran::Message(text) => Ok(Reply::Tool(CallToolResult::error(text))),
        Ran::Error(error) => Err(error),
        Ran::Internal => {
            let text = format!("The tool \"{name}\" failed with an internal error.");
            Ok(Reply::Tool(CallToolResult::error(text)))
        }
    }
}

/// Runs the tool within its limits; `None` when its time is up.
async fn run_tool(call: &Call, tool: &ToolEntry, arguments: RawJson) -> Option<Ran<CallToolResult>> {
    let running = run(call, &tool.definition.name, || tool.handler.call(arguments, Context::new(call)));
    if tool.timeout.is_none() && tool.permits.is_none() {
        return Some(running.await);
    }
    // Limits are rare: what they need is not part of every call's future.
    Box::pin(limited(tool, running)).await
}

async fn limited<T>(tool: &ToolEntry, running: impl Future<Output = T>) -> Option<T> {
    let permitted = async {
        let _permit = match &tool.permits {
            // The semaphore is never closed, so acquiring can't fail; it waits for a running call to end.
            Some(permits) => Arc::clone(permits).acquire_owned().await.ok(),
            None => None,
        };
        running.await
    };
    match tool.timeout {
        None => Some(permitted.await),
        Some(limit) => tokio::time::timeout(limit, permitted).await.ok(),
    }
}

fn check_arguments(call: &Call, tool: &ToolEntry, arguments: &RawJson) -> Result<(), String> {
    if let Some(limit) = call.state.server.options().max_tool_input_elements
        && element_count_exceeds(arguments, limit)
    {
        return Err(format!("there are more than {limit} object members and array items"));
    }
    tool.input.validate(arguments)
}

/// Checks a structured result and adds its copy as text.
fn finish(tool: &ToolEntry, mut result: CallToolResult, version: ProtocolVersion) -> CallToolResult {
    if result.is_error {
        return result;
    }
    if let Some(problem) = output_problem(tool, &result) {
        tracing::error!(tool = tool.definition.name, "the result does not match the output schema: {problem}");
        let name = &tool.definition.name;
        return CallToolResult::error(format!(
            "The tool \"{name}\" returned a result that does not match its own output schema."
        ));
    }
    if let Some(value) = &result.structured_content
        && result.content.is_empty()
        && (tool.text_copy || !result.shows_structured_content(version))
    {
        result.content.push(Content::text(value.as_str()));
    }
    result
}

fn output_problem(tool: &ToolEntry, result: &CallToolResult) -> Option<String> {
    let schema = tool.output.as_ref()?;
    match &result.structured_content {
        Some(value) => schema.validate(value).err(),
        None => Some("there is no structured content".into()),
    }
}
