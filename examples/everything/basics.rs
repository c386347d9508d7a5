//! Tools that do one small thing each, well or badly.

use std::io::Write;
use std::process::{Command, Stdio};
use std::time::Duration;

use mcp::{CallToolResult, Context, HandlerError, RawJson, ServerBuilder};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Number, json};

use crate::described;

pub(crate) fn register(builder: ServerBuilder) -> ServerBuilder {
    let id = json!({"type": "object", "properties": {"id": {"type": "integer"}}, "required": ["id"]});
    builder
        .tool("echo", described("Gives back the text").read_only_hint(true), echo)
        .tool("add", described("Adds two numbers").read_only_hint(true), add)
        .tool("sleep", described("Answers after a while, whatever happens"), sleep)
        .tool("sleep_cancellable", described("Answers after a while, or when it is cancelled"), sleep_cancellable)
        .tool("boom", described("Crashes with the text"), boom)
        .tool("bytes", described("Gives back bytes, written as hexadecimal digits, as text"), bytes)
        .tool("print", described("Prints the text, and lets a child process read and print"), print)
        .raw_tool("noargs", described("Takes no arguments"), noargs)
        .raw_tool(
            "echo_int",
            described("Gives back an integer of any size").input_schema(id.clone()).output_schema(id),
            echo_int,
        )
}

#[derive(Deserialize, JsonSchema)]
struct Text {
    /// Any text
    text: String,
}

async fn echo(args: Text, _ctx: Context) -> String {
    args.text
}

#[derive(Deserialize, JsonSchema)]
struct Summands {
    /// The first number
    a: Number,
    /// The second number
    b: Number,
}

async fn add(args: Summands, _ctx: Context) -> Result<String, HandlerError> {
    let sum = match (args.a.as_i128(), args.b.as_i128()) {
        // Integers of 64 bits: their sum fits.
        (Some(a), Some(b)) => (a + b).to_string(),
        _ => match (args.a.as_f64(), args.b.as_f64()) {
            (Some(a), Some(b)) if (a + b).is_finite() => (a + b).to_string(),
            _ => return Err(HandlerError::message("The sum is too large for a number of 64 bits.")),
        },
    };
    Ok(sum)
}

#[derive(Deserialize, JsonSchema)]
struct Duty {
    /// Milliseconds
    ms: u64,
}

async fn sleep(args: Duty, _ctx: Context) -> String {
    tokio::time::sleep(Duration::from_millis(args.ms)).await;
    format!("slept {} ms", args.ms)
}

async fn sleep_cancellable(args: Duty, ctx: Context) -> String {
    tokio::select! {
        () = ctx.cancelled() => "cancelled".into(),
        text = sleep(args, ctx.clone()) => text,
    }
}

#[allow(clippy::panic, reason = "to crash is what this tool is for")]
async fn boom(args: Text, _ctx: Context) -> String {
    panic!("{}", args.text)
}

/// What careless handlers do: on stdio none of it may reach the client, or take its messages away.
async fn print(args: Text, _ctx: Context) -> Result<String, HandlerError> {
    std::io::stdout().write_all(args.text.as_bytes())?;
    std::io::stdout().flush()?;
    let child = Command::new("cat").stdin(Stdio::inherit()).output();
    Command::new("echo").arg(&args.text).status()?;
    Ok(format!("printed; a child read {} bytes", child?.stdout.len()))
}

#[derive(Deserialize, JsonSchema)]
struct Hex {
    /// Two hexadecimal digits for each byte
    hex: String,
}

async fn bytes(args: Hex, _ctx: Context) -> Result<String, HandlerError> {
    let digit = |byte: u8| (byte as char).to_digit(16).and_then(|digit| u8::try_from(digit).ok());
    let byte = |pair: &[u8]| match pair {
        [high, low] => Some(digit(*high)? << 4 | digit(*low)?),
        _ => None,
    };
    let bytes: Option<Vec<u8>> = args.hex.as_bytes().chunks(2).map(byte).collect();
    let wrong = || HandlerError::message("\"hex\" must be pairs of hexadecimal digits, such as \"48656c6c6f\".");
    Ok(String::from_utf8_lossy(&bytes.ok_or_else(wrong)?).into_owned())
}

async fn noargs(_args: RawJson, _ctx: Context) -> &'static str {
    "This tool takes no arguments."
}

/// The number as the client wrote it: no type of Rust stands between, so no size is too large.
#[derive(Deserialize)]
struct Id {
    id: RawJson,
}

async fn echo_int(args: RawJson, _ctx: Context) -> Result<CallToolResult, HandlerError> {
    let Id { id } = args.deserialize()?;
    Ok(CallToolResult::structured(RawJson::parse(format!("{{\"id\":{id}}}"))?))
}
