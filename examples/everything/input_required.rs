//! Tools that return `InputRequired` themselves, which gives them what `Context::ask` takes care of: several questions
//! at once, and a state of their own between the rounds.

use mcp::{
    Context, CreateMessageRequest, HandlerError, InputRequest, InputRequired, ListRoots, RawJson, ServerBuilder,
};
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::asking::{ask_text, text_form};
use crate::described;

pub(crate) fn register(builder: ServerBuilder) -> ServerBuilder {
    builder
        .raw_tool("test_input_required_result_elicitation", described("Asks the person"), elicitation)
        .raw_tool("test_input_required_result_sampling", described("Asks the client's model"), sampling)
        .raw_tool("test_input_required_result_list_roots", described("Asks for the client's roots"), list_roots)
        .raw_tool("test_input_required_result_request_state", described("Keeps a state while it asks"), confirmed)
        .raw_tool("test_input_required_result_tampered_state", described("Refuses a changed state"), confirmed)
        .raw_tool("test_input_required_result_multiple_inputs", described("Asks three things at once"), three_at_once)
        .raw_tool("test_input_required_result_multi_round", described("Asks in two rounds"), two_rounds)
        .raw_tool("test_input_required_result_capabilities", described("Asks what the client can answer"), whatever)
}

async fn elicitation(_args: RawJson, ctx: Context) -> Result<String, HandlerError> {
    let name = ask_text(&ctx, "user_name", "What is your name?", "name")?;
    Ok(format!("Hello, {name}!"))
}

async fn sampling(_args: RawJson, ctx: Context) -> Result<String, HandlerError> {
    let question = CreateMessageRequest::new(100).user("What is the capital of France?");
    Ok(ctx.ask("capital_question", question)?.text().unwrap_or_default())
}

async fn list_roots(_args: RawJson, ctx: Context) -> Result<String, HandlerError> {
    let roots = ctx.ask("client_roots", ListRoots)?.roots;
    let uris: Vec<_> = roots.into_iter().map(|root| root.uri).collect();
    Ok(format!("{} roots: {}", uris.len(), uris.join(", ")))
}

async fn confirmed(_args: RawJson, ctx: Context) -> Result<String, HandlerError> {
    match (ctx.request_state(), ctx.input_response("confirm")) {
        (Some("confirming"), Some(answer)) => Ok(format!("state-ok: {answer}")),
        _ => {
            let schema = json!({"type": "object", "properties": {"ok": {"type": "boolean"}}, "required": ["ok"]});
            let question = mcp::ElicitRequest::form("Please confirm", schema);
            Err(InputRequired::new().request("confirm", question).state("confirming").into())
        }
    }
}

async fn three_at_once(_args: RawJson, ctx: Context) -> Result<String, HandlerError> {
    let answers = ["user_name", "greeting", "client_roots"].map(|key| ctx.input_response(key));
    if let [Some(name), Some(greeting), Some(roots)] = answers {
        return Ok(format!("name: {name}, greeting: {greeting}, roots: {roots}"));
    }
    Err(InputRequired::new()
        .request("user_name", text_form("What is your name?", "name"))
        .request("greeting", CreateMessageRequest::new(50).user("Generate a greeting"))
        .request("client_roots", ListRoots)
        .state("three questions")
        .into())
}

/// What the tool of two rounds remembers; the client carries it and can't change it.
#[derive(Serialize, Deserialize)]
struct Rounds {
    /// What the first round brought.
    name: Option<String>,
}

async fn two_rounds(_args: RawJson, ctx: Context) -> Result<String, HandlerError> {
    let known = match ctx.request_state() {
        None => {
            let state = serde_json::to_string(&Rounds { name: None })?;
            let question = text_form("Step 1: What is your name?", "name");
            return Err(InputRequired::new().request("step1", question).state(state).into());
        }
        Some(state) => serde_json::from_str::<Rounds>(state)?,
    };
    let Some(name) = known.name else {
        let name = ask_text(&ctx, "step1", "Step 1: What is your name?", "name")?;
        let state = serde_json::to_string(&Rounds { name: Some(name) })?;
        let question = text_form("Step 2: What is your favorite color?", "color");
        return Err(InputRequired::new().request("step2", question).state(state).into());
    };
    let color = ask_text(&ctx, "step2", "Step 2: What is your favorite color?", "color")?;
    Ok(format!("{name} likes {color}."))
}

async fn whatever(_args: RawJson, ctx: Context) -> Result<String, HandlerError> {
    let known: Vec<_> = ctx.input_responses().map(|(key, answer)| format!("{key}: {answer}")).collect();
    let can = ctx.client_capabilities();
    let mut questions: Vec<(&str, InputRequest)> = Vec::new();
    if can.elicitation.is_some() {
        questions.push(("user_name", text_form("What is your name?", "name").into()));
    }
    if can.sampling.is_some() {
        questions.push(("greeting", CreateMessageRequest::new(50).user("Generate a greeting").into()));
    }
    if can.roots.is_some() {
        questions.push(("client_roots", ListRoots.into()));
    }
    if questions.is_empty() {
        return Ok("The client can't be asked anything.".into());
    }
    if !known.is_empty() {
        return Ok(format!("The client answered {}", known.join(", ")));
    }
    let ask = |input: InputRequired, (key, question)| input.request(key, question);
    Err(questions.into_iter().fold(InputRequired::new(), ask).into())
}
