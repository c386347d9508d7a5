//! What the tests of tasks share: servers with tools that run as tasks, and clients that know tasks.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use mcp::{
    CallToolResult, Context, ElicitRequest, Error, HandlerError, InputRequired, MemoryTaskStore, ProtocolVersion,
    RawJson, ServerBuilder, TaskMode, TaskOptions, ToolOptions,
};

use crate::harness::*;

/// Milliseconds after which tests look again.
const LOOK: Duration = Duration::from_millis(5);

/// Every leg whose clients know tasks.
pub(crate) fn task_legs() -> impl Iterator<Item = Leg> {
    legs::all().filter(|leg| leg.version >= ProtocolVersion::V2025_11_25)
}

pub(crate) fn modern_legs() -> impl Iterator<Item = Leg> {
    task_legs().filter(|leg| leg.is_modern())
}

pub(crate) fn legacy_legs() -> impl Iterator<Item = Leg> {
    task_legs().filter(|leg| leg.is_legacy())
}

/// What a client declares that knows tasks and can be asked.
pub(crate) fn declared() -> Value {
    json!({"elicitation": {}, "extensions": {"io.modelcontextprotocol/tasks": {}}})
}

pub(crate) fn options() -> TaskOptions {
    TaskOptions::new().poll_interval(Duration::from_millis(20))
}

/// The fixture with tools that run as tasks, kept in memory.
pub(crate) fn task_fixture() -> Fixture {
    task_fixture_with(options())
}

pub(crate) fn task_fixture_with(options: TaskOptions) -> Fixture {
    let gates = Gates::default();
    let builder = task_tools(builder(&gates), &gates).task_store(MemoryTaskStore::new(), options);
    Fixture { server: builder.build().unwrap(), gates }
}

pub(crate) fn mode(mode: TaskMode) -> ToolOptions {
    ToolOptions::new().task_mode(mode)
}

fn name_form() -> ElicitRequest {
    let schema = json!({"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]});
    ElicitRequest::form("Your name?", schema)
}

fn answer_of(answer: &mcp::ElicitResult) -> String {
    let content: Value = answer.content.as_ref().unwrap().deserialize().unwrap();
    content["name"].as_str().unwrap().to_owned()
}

/// `job(name, end)` waits at a gate, watches for its cancellation, and ends as it is told; `needed` is a task always;
/// `asker` asks twice, under one key; `both` asks two things at once; `decides` asks, and then becomes a task.
pub(crate) fn task_tools(builder: ServerBuilder, gates: &Gates) -> ServerBuilder {
    let gates = gates.clone();
    builder
        .raw_tool("job", mode(TaskMode::Optional), move |arguments: RawJson, ctx: Context| {
            let gates = gates.clone();
            async move { job(arguments, ctx, gates).await }
        })
        .raw_tool("needed", mode(TaskMode::Required), async |_: RawJson, _ctx: Context| "it was needed")
        .raw_tool("asker", mode(TaskMode::Optional), async |_: RawJson, ctx: Context| match ctx.request_state() {
            None => Err(InputRequired::new().request("name", name_form()).state("second").into()),
            Some("second") => {
                let first = ctx.ask("name", name_form())?;
                Err(InputRequired::new().request("name", name_form()).state(answer_of(&first)).into())
            }
            Some(first) => {
                let second: Value = ctx.input_response("name").unwrap().deserialize()?;
                Ok::<_, HandlerError>(format!("{first} and {}", second["content"]["name"].as_str().unwrap()))
            }
        })
        .raw_tool("both", mode(TaskMode::Optional), async |_: RawJson, ctx: Context| {
            match (ctx.input_response("a"), ctx.input_response("b")) {
                (Some(a), Some(b)) => Ok::<_, HandlerError>(format!("{a} {b}")),
                _ => Err(InputRequired::new().request("a", name_form()).request("b", name_form()).into()),
            }
        })
        .raw_tool("decides", mode(TaskMode::PerCall), async |_: RawJson, ctx: Context| {
            let runs = ctx.task_id().is_some();
            let name = answer_of(&ctx.ask("name", name_form())?);
            ctx.into_task().await?;
            let more = answer_of(&ctx.ask("more", name_form())?);
            Ok::<_, HandlerError>(format!("{name}, {more}, again: {runs}"))
        })
        .raw_tool("plain", ToolOptions::new(), async |_: RawJson, ctx: Context| {
            ctx.into_task().await?;
            Ok::<_, HandlerError>("not reached")
        })
}

async fn job(arguments: RawJson, ctx: Context, gates: Gates) -> Result<CallToolResult, HandlerError> {
    let arguments: Value = arguments.deserialize()?;
    let name = arguments["name"].as_str().unwrap_or("job").to_owned();
    if arguments["end"] != "at once" {
        ctx.report_progress(1.0, Some(2.0), Some("at the gate"));
        tokio::select! {
            () = gates.pass(&name) => {}
            () = ctx.cancelled() => {
                gates.open(&format!("{name} was cancelled"));
                return Err(HandlerError::message("cancelled"));
            }
        }
    }
    match arguments["end"].as_str() {
        Some("error") => Ok(CallToolResult::error("it went wrong")),
        Some("message") => Err(HandlerError::message("told in words")),
        Some("protocol") => Err(Error::new(-32050, "broken").with_data(json!({"why": "test"}).into()).into()),
        Some("panic") => panic!("a secret"),
        _ => Ok(CallToolResult::text(format!("{name} is done")).with_meta(json!({"own": 1}))),
    }
}

/// Calls a tool so that the call becomes a task, in the way of the leg.
pub(crate) async fn start_task(client: &Client, tool: &str, arguments: Value) -> Reply {
    let mut params = json!({"name": tool, "arguments": arguments});
    if client.leg.is_legacy() {
        params["task"] = json!({});
    }
    client.request_once("tools/call", params).await
}

/// The handle in an answer.
pub(crate) fn handle(reply: &Reply) -> Value {
    let result = reply.result();
    let task = result.get("task").unwrap_or(result);
    assert!(task["taskId"].is_string(), "no handle: {}", reply.wire);
    task.clone()
}

/// The id of the task that a call became.
pub(crate) async fn task_of(client: &Client, tool: &str, arguments: Value) -> String {
    let handle = handle(&start_task(client, tool, arguments).await);
    handle["taskId"].as_str().unwrap().to_owned()
}

pub(crate) async fn get(client: &Client, id: &str) -> Reply {
    client.request_once("tasks/get", json!({"taskId": id})).await
}

/// Looks at a task until its state is as wanted.
pub(crate) async fn until(client: &Client, id: &str, wanted: impl Fn(&Value) -> bool) -> Value {
    let look = async {
        loop {
            let reply = get(client, id).await;
            if wanted(reply.result()) {
                return reply.result().clone();
            }
            tokio::time::sleep(LOOK).await;
        }
    };
    within("the task to come into the wanted state", look).await
}

pub(crate) async fn until_status(client: &Client, id: &str, status: &str) -> Value {
    until(client, id, |task| task["status"] == status).await
}

/// The result of a task that has ended, in the way of the leg.
pub(crate) async fn result_of(client: &Client, id: &str) -> Value {
    if client.leg.is_legacy() {
        return client.request("tasks/result", json!({"taskId": id})).await.result().clone();
    }
    until_status(client, id, "completed").await["result"].clone()
}

/// Counts, and can be shared with a handler.
#[derive(Clone, Default)]
pub(crate) struct Counter(Arc<AtomicUsize>);

impl Counter {
    pub(crate) fn add(&self) {
        self.0.fetch_add(1, Ordering::AcqRel);
    }

    pub(crate) fn get(&self) -> usize {
        self.0.load(Ordering::Acquire)
    }
}
