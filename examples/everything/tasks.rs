//! Tools that run as tasks, and the store that keeps them.

use std::process::exit;
use std::sync::Arc;
use std::time::Duration;

use mcp::{
    CallToolResult, Context, Error, FileTaskStore, HandlerError, InputRequired, MemoryTaskStore, RawJson,
    ServerBuilder, SqliteTaskStore, StoreError, TaskMode, TaskOptions, TaskStore, ToolOptions,
};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::asking::{ask_text, text_form};
use crate::common::CommandLine;
use crate::described;

pub(crate) fn register(builder: ServerBuilder) -> ServerBuilder {
    builder
        .tool("greet", described("Greets at once").read_only_hint(true), greet)
        .tool("echo_task", task("Gives back the text, as a task").read_only_hint(true).idempotent(true), echo_task)
        .tool("slow_compute", task("Computes for a while").idempotent(true), slow_compute)
        .raw_tool(
            "failing_job",
            described("Fails after a second, with a result that says so").task_mode(TaskMode::Required),
            failing_job,
        )
        .raw_tool("protocol_error_job", task("Fails with an error of the protocol"), protocol_error_job)
        .tool("confirm_delete", task("Asks the person before it deletes"), confirm_delete)
        .raw_tool("multi_input", task("Asks the person two things at once"), multi_input)
        .raw_tool(
            "test_tool_with_task",
            described("Asks the person, and then goes on as a task").task_mode(TaskMode::PerCall),
            asks_then_task,
        )
}

/// Keeps tasks where the command line says, in memory where it says nothing.
pub(crate) fn keep(builder: ServerBuilder, command_line: &CommandLine) -> ServerBuilder {
    let place = command_line.task_store.as_deref().unwrap_or("memory");
    let mut options = TaskOptions::new().poll_interval(Duration::from_millis(200)).max_tasks(10_000_000);
    if place != "memory" {
        options = options.lease(Duration::from_secs(1)).rerun_idempotent(true);
    }
    match open(place) {
        Ok(store) => builder.shared_task_store(store, options),
        Err(error) => {
            eprintln!("everything: {error}");
            exit(2);
        }
    }
}

fn open(place: &str) -> Result<Arc<dyn TaskStore>, StoreError> {
    Ok(match place.split_once(':') {
        None if place == "memory" => Arc::new(MemoryTaskStore::new()),
        Some(("file", path)) if !path.is_empty() => Arc::new(FileTaskStore::open(path)?),
        Some(("sqlite", path)) if !path.is_empty() => Arc::new(SqliteTaskStore::open(path)?),
        _ => return Err(StoreError::new(format!("--task-store {place}: give memory, file:PATH or sqlite:PATH"))),
    })
}

/// The options of a tool that runs as a task where the client can take one.
fn task(description: &str) -> ToolOptions {
    described(description).task_mode(TaskMode::Optional)
}

#[derive(Deserialize, JsonSchema)]
struct Who {
    /// Whom to greet
    name: String,
}

async fn greet(args: Who, _ctx: Context) -> String {
    format!("Hello, {}!", args.name)
}

#[derive(Deserialize, JsonSchema)]
struct Text {
    /// Any text
    text: String,
}

async fn echo_task(args: Text, _ctx: Context) -> String {
    args.text
}

#[derive(Deserialize, JsonSchema)]
struct Computation {
    /// How long it takes, in milliseconds
    #[serde(default)]
    ms: u64,
    /// How long it takes, in seconds, beside the milliseconds
    #[serde(default)]
    seconds: u64,
    /// What it is called in the result
    #[serde(default)]
    label: Option<String>,
}

async fn slow_compute(args: Computation, ctx: Context) -> String {
    let total = args.ms.saturating_add(args.seconds.saturating_mul(1000));
    let mut passed = 0;
    while passed < total && !ctx.is_cancelled() {
        let step = (total - passed).min(100);
        tokio::select! {
            () = ctx.cancelled() => break,
            () = tokio::time::sleep(Duration::from_millis(step)) => passed += step,
        }
        ctx.report_progress(passed as f64, Some(total as f64), Some(&format!("{passed} of {total} ms")));
    }
    let label = args.label.unwrap_or_else(|| "slow_compute".into());
    format!("{label}: computed for {passed} ms")
}

async fn failing_job(_args: RawJson, _ctx: Context) -> CallToolResult {
    tokio::time::sleep(Duration::from_secs(1)).await;
    CallToolResult::error("The job failed, as it always does.")
}

async fn protocol_error_job(_args: RawJson, _ctx: Context) -> Result<String, HandlerError> {
    tokio::time::sleep(Duration::from_millis(50)).await;
    Err(Error::internal("The job broke down, as it always does.").into())
}

#[derive(Deserialize, JsonSchema)]
struct Deletion {
    /// What to delete (nothing is)
    filename: String,
}

#[derive(Deserialize)]
struct Confirmation {
    confirm: bool,
}

async fn confirm_delete(args: Deletion, ctx: Context) -> Result<String, HandlerError> {
    let schema = serde_json::json!({
        "type": "object",
        "properties": {"confirm": {"type": "boolean", "title": "Delete it?"}},
        "required": ["confirm"],
    });
    let question = mcp::ElicitRequest::form(format!("Delete {}?", args.filename), schema);
    let answer = ctx.ask("confirm", question)?;
    let is_confirmed = match &answer.content {
        Some(content) => content.deserialize::<Confirmation>()?.confirm,
        None => false,
    };
    Ok(match is_confirmed {
        true => format!("{} would be deleted.", args.filename),
        false => format!("{} is kept.", args.filename),
    })
}

async fn multi_input(_args: RawJson, ctx: Context) -> Result<String, HandlerError> {
    match (ctx.input_response("first"), ctx.input_response("second")) {
        (Some(first), Some(second)) => Ok(format!("first: {first}, second: {second}")),
        _ => Err(InputRequired::new()
            .request("first", text_form("The first name?", "name"))
            .request("second", text_form("The second name?", "name"))
            .into()),
    }
}

async fn asks_then_task(_args: RawJson, ctx: Context) -> Result<String, HandlerError> {
    if !ctx.can_be_task() {
        // Says what the client would have to declare.
        ctx.into_task().await?;
    }
    let name = ask_text(&ctx, "user_name", "What is your name?", "name")?;
    ctx.into_task().await?;
    tokio::time::sleep(Duration::from_millis(50)).await;
    Ok(format!("Done for {name}."))
}
