//! The server that most tests talk to.

use std::time::Duration;

use mcp::{
    CallToolResult, Context, ElicitRequest, Error, HandlerError, LoggingLevel, PromptArgument, PromptMessage,
    PromptOptions, RawJson, ReadRequest, ReadResourceResult, ResourceOptions, Server, ServerBuilder, ToolOptions,
};
use serde_json::{Value, json};

use super::Gates;

/// A server and the gates of its tool `gate`.
pub(crate) struct Fixture {
    pub(crate) server: Server,
    pub(crate) gates: Gates,
}

/// A fresh server with everything.
pub(crate) fn fixture() -> Fixture {
    let gates = Gates::default();
    Fixture { server: builder(&gates).build().unwrap(), gates }
}

impl Fixture {
    /// A fresh server with everything and with other options.
    pub(crate) fn with(change: impl FnOnce(ServerBuilder) -> ServerBuilder) -> Fixture {
        let gates = Gates::default();
        Fixture { server: change(builder(&gates)).build().unwrap(), gates }
    }
}

/// The builder of that server, for tests that want other options.
///
/// Its tools are those of the example `everything`, and `gate`, which waits at a gate, `gate_cancellable`, which watches
/// for its cancellation there, `blocking_gate`, which blocks its thread, `log(level, data)`, `fail(kind, text)` and
/// `late_progress`, which reports progress after its answer.
pub(crate) fn builder(gates: &Gates) -> ServerBuilder {
    let builder = Server::builder("fixture", "1.0").declare_logging();
    let builder = waiting_tools(running_tools(plain_tools(builder)), gates);
    changing_tools(asking_tools(builder))
        .resource("plain", "test://plain", ResourceOptions::new().mime_type("text/plain"), read)
        .resource_template("item", "test://items/{id}", ResourceOptions::new(), read)
        .prompt("plain", PromptOptions::new().description("A prompt without arguments"), prompt)
        .prompt("greet", PromptOptions::new().argument(PromptArgument::required("name")), prompt)
        .completion(async |request: mcp::CompleteRequest, _ctx: Context| {
            Ok::<_, HandlerError>(mcp::CompleteResult::new([format!("{}-done", request.argument.value)]))
        })
}

fn schema(properties: Value, required: &[&str]) -> ToolOptions {
    ToolOptions::new().input_schema(json!({"type": "object", "properties": properties, "required": required}))
}

fn value(arguments: &RawJson) -> Value {
    arguments.deserialize().unwrap()
}

fn text(arguments: &RawJson, name: &str) -> String {
    value(arguments)[name].as_str().unwrap_or_default().to_owned()
}

fn plain_tools(builder: ServerBuilder) -> ServerBuilder {
    builder
        .raw_tool("echo", schema(json!({"text": {"type": "string"}}), &["text"]), async |arguments, _ctx| {
            text(&arguments, "text")
        })
        .raw_tool(
            "add",
            schema(json!({"a": {"type": "number"}, "b": {"type": "number"}}), &["a", "b"]),
            async |arguments, _ctx| {
                let arguments = value(&arguments);
                (arguments["a"].as_f64().unwrap() + arguments["b"].as_f64().unwrap()).to_string()
            },
        )
        .raw_tool("noargs", ToolOptions::new(), async |arguments, _ctx| arguments.to_string())
        .raw_tool("echo_int", schema(json!({"id": {"type": "integer"}}), &["id"]), async |arguments: RawJson, _ctx| {
            CallToolResult::structured(arguments)
        })
        .raw_tool("bytes", schema(json!({"hex": {"type": "string"}}), &["hex"]), async |arguments, _ctx| {
            let hex = text(&arguments, "hex");
            let bytes: Vec<u8> =
                (0..hex.len() / 2).map(|i| u8::from_str_radix(&hex[2 * i..2 * i + 2], 16).unwrap()).collect();
            String::from_utf8_lossy(&bytes).into_owned()
        })
        .raw_tool("boom", schema(json!({"text": {"type": "string"}}), &[]), async |arguments, _ctx| -> String {
            panic!("{}", text(&arguments, "text"))
        })
        .raw_tool("fail", schema(json!({"kind": {}, "text": {}}), &["kind"]), async |arguments, _ctx| {
            let said = text(&arguments, "text");
            Err::<String, HandlerError>(match text(&arguments, "kind").as_str() {
                "message" => HandlerError::message(said),
                "protocol" => Error::new(4711, said).into(),
                _ => std::io::Error::other(said).into(),
            })
        })
}

fn running_tools(builder: ServerBuilder) -> ServerBuilder {
    let millis = || schema(json!({"ms": {"type": "integer"}}), &["ms"]);
    builder
        .raw_tool("sleep", millis(), async |arguments, _ctx| {
            tokio::time::sleep(Duration::from_millis(value(&arguments)["ms"].as_u64().unwrap())).await;
            "slept"
        })
        .raw_tool("sleep_cancellable", millis(), async |arguments, ctx: Context| {
            let sleep = tokio::time::sleep(Duration::from_millis(value(&arguments)["ms"].as_u64().unwrap()));
            tokio::select! {
                () = sleep => "slept",
                () = ctx.cancelled() => "cancelled",
            }
        })
        .raw_tool("progress", schema(json!({"n": {"type": "integer"}}), &["n"]), async |arguments, ctx: Context| {
            let n = value(&arguments)["n"].as_u64().unwrap();
            for i in 1..=n {
                ctx.report_progress(i as f64, Some(n as f64), Some("working"));
            }
            "done"
        })
        .raw_tool("log", schema(json!({"level": {"type": "string"}}), &["level"]), async |arguments, ctx: Context| {
            let arguments = value(&arguments);
            let level: LoggingLevel = serde_json::from_value(arguments["level"].clone()).unwrap();
            ctx.log(level, &arguments["data"]);
            "logged"
        })
}

fn waiting_tools(builder: ServerBuilder, gates: &Gates) -> ServerBuilder {
    let name = || schema(json!({"name": {"type": "string"}}), &["name"]);
    let (plain, cancellable, blocking, late) = (gates.clone(), gates.clone(), gates.clone(), gates.clone());
    builder
        .raw_tool("gate", name(), move |arguments, _ctx| {
            let gates = plain.clone();
            async move {
                gates.pass(&text(&arguments, "name")).await;
                "passed"
            }
        })
        .raw_tool("gate_cancellable", name(), move |arguments, ctx: Context| {
            let gates = cancellable.clone();
            async move {
                let name = text(&arguments, "name");
                tokio::select! {
                    () = gates.pass(&name) => "passed",
                    () = ctx.cancelled() => "cancelled",
                }
            }
        })
        .blocking_tool("blocking_gate", name(), move |arguments, ctx| {
            let gates = blocking.clone();
            let name = text(&arguments, "name");
            let waiting = async move {
                tokio::select! {
                    () = gates.pass(&name) => "passed",
                    () = ctx.cancelled() => "cancelled",
                }
            };
            tokio::runtime::Handle::current().block_on(waiting)
        })
        // Reports 1 and 3 of 3 and answers; a task of its own reports more once the gate is open, then starts "… done".
        .raw_tool("late_progress", name(), move |arguments, ctx: Context| {
            let gates = late.clone();
            async move {
                ctx.report_progress(1.0, Some(3.0), None);
                ctx.report_progress(3.0, Some(3.0), None);
                let name = text(&arguments, "name");
                tokio::spawn(async move {
                    gates.pass(&name).await;
                    for i in 4..100 {
                        ctx.report_progress(f64::from(i), None, None);
                        ctx.log(LoggingLevel::Emergency, "late");
                    }
                    gates.note_started(&format!("{name} done"));
                });
                "answered"
            }
        })
}

fn changing_tools(builder: ServerBuilder) -> ServerBuilder {
    let name = || schema(json!({"name": {"type": "string"}}), &["name"]);
    builder
        .raw_tool("notify", schema(json!({"kind": {"type": "string"}}), &["kind"]), async |arguments, ctx: Context| {
            let kind = text(&arguments, "kind");
            match kind.as_str() {
                "tools" => ctx.server().notify_tools_changed(),
                "resources" => ctx.server().notify_resources_changed(),
                "prompts" => ctx.server().notify_prompts_changed(),
                updated => ctx.server().notify_resource_updated(updated.trim_start_matches("updated:")),
            }
            "notified"
        })
        .raw_tool("add_tool", name(), async |arguments, ctx: Context| {
            let hello = |_, _| -> mcp::HandlerFuture<CallToolResult> {
                Box::pin(std::future::ready(Ok(CallToolResult::text("added"))))
            };
            let added = ctx.server().add_tool_handler(&text(&arguments, "name"), ToolOptions::new(), Function(hello));
            added.map(|()| "added").map_err(|error| HandlerError::message(error.to_string()))
        })
        .raw_tool("remove_tool", name(), async |arguments, ctx: Context| {
            ctx.server().remove_tool(&text(&arguments, "name")).to_string()
        })
}

struct Function<F>(F);

impl<F> mcp::ToolHandler for Function<F>
where
    F: Fn(RawJson, Context) -> mcp::HandlerFuture<CallToolResult> + Send + Sync + 'static,
{
    fn call(&self, arguments: RawJson, context: Context) -> mcp::HandlerFuture<CallToolResult> {
        self.0(arguments, context)
    }
}

/// A form with one string.
pub(crate) fn question(field: &str) -> ElicitRequest {
    let schema = json!({"type": "object", "properties": {field: {"type": "string"}}, "required": [field]});
    ElicitRequest::form(format!("Your {field}?"), schema)
}

fn field(answer: &mcp::ElicitResult, name: &str) -> String {
    answer.content.as_ref().map(|content| text(content, name)).unwrap_or_default()
}

fn asking_tools(builder: ServerBuilder) -> ServerBuilder {
    builder
        .raw_tool("ask_name", ToolOptions::new(), async |_, ctx: Context| {
            let answer = ctx.ask("name", question("name"))?;
            Ok::<_, HandlerError>(format!("Hello, {}!", field(&answer, "name")))
        })
        .raw_tool("ask_twice", ToolOptions::new(), async |_, ctx: Context| {
            let name = ctx.ask("name", question("name"))?;
            let city = ctx.ask("city", question("city"))?;
            Ok::<_, HandlerError>(format!("{} of {}", field(&name, "name"), field(&city, "city")))
        })
        .raw_tool("ask_roots", ToolOptions::new(), async |_, ctx: Context| {
            let roots = ctx.ask("roots", mcp::ListRoots)?;
            Ok::<_, HandlerError>(format!("{} roots", roots.roots.len()))
        })
}

async fn read(request: ReadRequest, _ctx: Context) -> Result<ReadResourceResult, HandlerError> {
    match request.variables.get("id").map(String::as_str) {
        Some("missing") => Err(Error::resource_not_found(&request.uri).into()),
        Some("empty") => Ok(ReadResourceResult::default()),
        Some("boom") => panic!("password=1234"),
        id => {
            let text = format!("contents of {}", id.unwrap_or("the resource"));
            Ok(ReadResourceResult::text(request.uri, text))
        }
    }
}

async fn prompt(arguments: mcp::PromptArguments, _ctx: Context) -> Result<PromptMessage, HandlerError> {
    let name = arguments.get("name").map_or("world", String::as_str);
    Ok(PromptMessage::user(mcp::Content::text(format!("Greet {name}"))))
}
