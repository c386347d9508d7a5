//! Tools that ask the client with `Context::ask`. Each serves clients of both eras, and none can tell which it has.

use std::collections::BTreeMap;

use mcp::{Context, CreateMessageRequest, ElicitAction, ElicitRequest, HandlerError, RawJson, ServerBuilder};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use crate::described;

pub(crate) fn register(builder: ServerBuilder) -> ServerBuilder {
    builder
        .raw_tool("ask_name", described("Asks for a name, then greets"), ask_name)
        .raw_tool("ask_twice", described("Asks two questions, one after the other"), ask_twice)
        .tool("test_sampling", described("Asks the client's model"), sampling)
        .raw_tool("test_missing_capability", described("Needs a client with a model"), needs_sampling)
        .raw_tool("test_streaming_elicitation", described("Reports progress, then asks"), streaming_elicitation)
}

/// A form with one text field.
pub(crate) fn text_form(message: &str, field: &str) -> ElicitRequest {
    let schema = json!({"type": "object", "properties": {field: {"type": "string"}}, "required": [field]});
    ElicitRequest::form(message, schema)
}

/// The answer to the question for one text.
///
/// # Errors
/// The question is still open, or the person did not answer it.
pub(crate) fn ask_text(ctx: &Context, key: &str, message: &str, field: &str) -> Result<String, HandlerError> {
    let answer = ctx.ask(key, text_form(message, field))?;
    let form = match answer.action {
        ElicitAction::Accept => answer.content,
        ElicitAction::Decline => return Err(HandlerError::message(format!("The person declined: {message}"))),
        ElicitAction::Cancel => return Err(HandlerError::message(format!("The person dismissed: {message}"))),
    };
    let fields: BTreeMap<String, RawJson> = form.and_then(|form| form.deserialize().ok()).unwrap_or_default();
    let text = fields.get(field).and_then(RawJson::to_text);
    text.ok_or_else(|| HandlerError::message(format!("The client's answer has no text \"{field}\".")))
}

async fn ask_name(_args: RawJson, ctx: Context) -> Result<String, HandlerError> {
    let name = ask_text(&ctx, "name", "What is your name?", "name")?;
    Ok(format!("Hello, {name}!"))
}

async fn ask_twice(_args: RawJson, ctx: Context) -> Result<String, HandlerError> {
    let name = ask_text(&ctx, "name", "What is your name?", "name")?;
    let color = ask_text(&ctx, "color", &format!("What is your favourite colour, {name}?"), "color")?;
    Ok(format!("{name} likes {color}."))
}

#[derive(Deserialize, JsonSchema)]
struct Prompt {
    /// What to ask the model
    prompt: String,
}

async fn sampling(args: Prompt, ctx: Context) -> Result<String, HandlerError> {
    let answer = ctx.ask("completion", CreateMessageRequest::new(100).user(args.prompt))?;
    Ok(format!("LLM response: {}", answer.text().unwrap_or_default()))
}

/// To ask is all that it takes: the server answers in the handler's place when the client can't be asked.
async fn needs_sampling(_args: RawJson, ctx: Context) -> Result<String, HandlerError> {
    let answer = ctx.ask("greeting", CreateMessageRequest::new(50).user("Say hello."))?;
    Ok(format!("The model says: {}", answer.text().unwrap_or_default()))
}

async fn streaming_elicitation(_args: RawJson, ctx: Context) -> Result<String, HandlerError> {
    ctx.report_progress(1.0, None, Some("about to ask"));
    let word = ask_text(&ctx, "word", "Please enter a word", "word")?;
    Ok(format!("The word is {word}."))
}
