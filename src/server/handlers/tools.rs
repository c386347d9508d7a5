//! `tools/list` and `tools/call`.

use std::future::Future;
use std::sync::Arc;

use super::super::background::{Background, Launch, Serving, TaskTerms};
use super::super::call::{Call, Outcome, Reply};
use super::super::context::Context;
use super::super::dispatch::{Ran, run, with_answers};
use super::super::registry::ToolEntry;
use super::super::schema::element_count_exceeds;
use super::{arguments, page, required_string};
use crate::error::{Error, code};
use crate::json::RawJson;
use crate::protocol::content::Content;
use crate::protocol::tool::{CallToolResult, TaskMode};
use crate::protocol::version::ProtocolVersion;

pub(crate) fn list(call: &Call) -> Outcome {
    page(call, &call.state.server.registry().tools)
}

pub(crate) async fn call(call: &Call) -> Outcome {
    let (tool, arguments) = find(call)?;
    let terms = call.state.task.terms;
    if let Err(problem) = check_arguments(call, &tool, &arguments) {
        let text = format!("Invalid arguments for tool \"{}\": {problem}", tool.definition.name);
        return match terms {
            // Who asked for a handle can't read a result in its place.
            TaskTerms::Asked { .. } => Err(Error::invalid_params(text)),
            _ => Ok(Reply::Tool(CallToolResult::error(text))),
        };
    }
    let background = call.state.server.tasks();
    match (tool.definition.task_mode, terms, background) {
        (TaskMode::Never, TaskTerms::Asked { .. }, Some(_)) => {
            let text = format!("The tool \"{}\" can't be run as a task", tool.definition.name);
            Err(Error::new(code::METHOD_NOT_FOUND, text))
        }
        (TaskMode::Required, TaskTerms::Unavailable | TaskTerms::Declined, Some(_)) => {
            Err(terms.refusal(&tool.definition.name))
        }
        (TaskMode::Optional | TaskMode::Required, TaskTerms::Accepted, Some(background)) => {
            background.launch(Launch { call: call.clone(), ttl: None, begun: None }).await
        }
        (_, TaskTerms::Asked { ttl }, Some(background)) => {
            background.launch(Launch { call: call.clone(), ttl, begun: None }).await
        }
        (TaskMode::PerCall, TaskTerms::Accepted, Some(background)) => per_call(call, tool, arguments, background).await,
        _ => {
            let ran = run_tool(call, &tool, arguments).await;
            conclude(call, &tool, ran)
        }
    }
}

/// Runs a tool that may become a task in its course.
async fn per_call(call: &Call, tool: Arc<ToolEntry>, arguments: RawJson, background: &Arc<dyn Background>) -> Outcome {
    let slot = &call.state.task;
    slot.offer();
    let own = call.clone();
    let mut running: Serving<'static, Outcome> = Box::pin(async move {
        let ran = run_tool(&own, &tool, arguments).await;
        conclude(&own, &tool, ran)
    });
    tokio::select! {
        biased;
        outcome = &mut running => return outcome,
        () = slot.wished() => {}
    }
    background.launch(Launch { call: call.clone(), ttl: None, begun: Some(running) }).await
}

/// Runs the tool of a call that is a task. The arguments were checked when the task was made.
pub(crate) async fn run_task(call: &Call) -> Outcome {
    let (tool, arguments) = find(call)?;
    let ran = run_tool(call, &tool, arguments).await;
    conclude(call, &tool, ran)
}

/// The tool and the arguments of a call.
fn find(call: &Call) -> Result<(Arc<ToolEntry>, RawJson), Error> {
    let name = required_string(call, "name")?;
    let arguments = arguments(call)?.unwrap_or(RawJson::EMPTY_OBJECT);
    let unknown = || Error::invalid_params(format!("Unknown tool: {name}"));
    let tool = call.state.server.registry().tools.get(&name).ok_or_else(unknown)?;
    Ok((tool, arguments))
}

/// What the client is told of a run. A task tells a failure of the server's as the error that it is.
fn conclude(call: &Call, tool: &ToolEntry, ran: Option<Ran<CallToolResult>>) -> Outcome {
    let name = &tool.definition.name;
    let Some(ran) = ran else {
        call.state.cancel.raise();
        let limit = tool.timeout.unwrap_or_default();
        let text = format!("The tool \"{name}\" was stopped: it took longer than {} ms.", limit.as_millis());
        return Ok(Reply::Tool(CallToolResult::error(text)));
    };
    match ran {
        Ran::Done(CallToolResult { input_required: Some(input), .. }) => {
            Ok(Reply::InputRequired(with_answers(call, input)))
        }
        Ran::Done(result) => Ok(Reply::Tool(finish(tool, result, call.state.client.version))),
        Ran::Asks(input) => Ok(Reply::InputRequired(input)),
        Ran::Message(text) => Ok(Reply::Tool(CallToolResult::error(text))),
        Ran::Error(error) => Err(error),
        Ran::Internal => {
            let text = format!("The tool \"{name}\" failed with an internal error.");
            match call.state.task.link() {
                Some(_) => Err(Error::internal(text)),
                None => Ok(Reply::Tool(CallToolResult::error(text))),
            }
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
