//! Serving a legacy request. A handler that needs input is answered here: the client is asked with real requests, and
//! the handler is run again with the answers. It can't tell this from a modern client's retry.

use std::sync::Arc;

use bytes::Bytes;
use tokio::time::{Instant, timeout_at};

use super::codec;
use super::outgoing::Answer;
use super::session::Session;
use super::tasks;
use crate::error::Error;
use crate::json::RawJson;
use crate::protocol::input::InputRequired;
use crate::protocol::method::Method;
use crate::protocol::tool::CallToolResult;
use crate::server::call::{Call, Input, Outcome, Reply};
use crate::server::dispatch::dispatch;

/// Serves a call from end to end: the complete response.
pub(crate) async fn serve(session: &Session, mut call: Call) -> Bytes {
    let limit = session.server.options().input_required.max_rounds;
    let mut rounds = 0;
    let outcome = loop {
        let input = match dispatch(&call).await {
            Ok(Reply::InputRequired(input)) => input,
            outcome => break outcome,
        };
        if rounds == limit {
            break failure(
                &call,
                format!("The client was asked for input {limit} times and the request is still open."),
            );
        }
        rounds += 1;
        match ask(session, &call, input).await {
            Ok(input) => call.input = Some(Arc::new(input)),
            Err(text) => break failure(&call, text),
        }
        call.state.finished.store(false, std::sync::atomic::Ordering::Release);
    };
    call.state.finished.store(true, std::sync::atomic::Ordering::Release);
    if let Ok(Reply::TaskHandle(task)) = &outcome {
        session.watch_task(&task.id);
    }
    codec::response(&call.state, &outcome)
}

/// A tool tells its failures as a result, everything else as an error.
fn failure(call: &Call, text: String) -> Outcome {
    match call.method {
        Method::CallTool => Ok(Reply::Tool(CallToolResult::error(text))),
        _ => Err(Error::internal(text)),
    }
}

/// Asks the client everything at once and waits for all answers.
async fn ask(session: &Session, call: &Call, input: InputRequired) -> Result<Input, String> {
    let config = session.server.options().input_required;
    let client = &call.state.client;
    if !config.legacy_shim {
        return Err("The request needs input from the client, which this server does not ask of clients of this \
                    protocol version."
            .into());
    }
    let Some(outlet) = call.state.outlet.as_ref() else {
        return Err("The request needs input from the client, and there is no way to ask: use a session, and accept \
                    event streams."
            .into());
    };
    let capabilities = client.capabilities();
    if let Some(missing) = input.0.requests.iter().find_map(|(_, r)| capabilities.missing_for(r, client.version)) {
        return Err(format!("The request needs a client capability that was not declared: {missing}"));
    }
    let deadline = Instant::now() + config.round_timeout;
    let related = tasks::related_meta(call);
    let mut open = Vec::new();
    for (key, request) in &input.0.requests {
        let asked = session.outgoing.ask(request, client.version, &**outlet, related.as_ref());
        let asked = asked.ok_or("The request needs input from the client, which can't be reached.")?;
        open.push((key.clone(), asked));
    }
    let mut responses = Vec::new();
    for (key, asked) in open {
        let answer = timeout_at(deadline, asked.answer()).await;
        let answer = answer.map_err(|_| "The client did not answer in time.".to_owned())?;
        let answer = answer.ok_or_else(|| "The session ended before the client answered.".to_owned())?;
        responses.push((key, read_answer(answer)?));
    }
    Ok(Input { responses, carried: input.0.answers, state: input.0.state, ..Input::default() })
}

fn read_answer(answer: Answer) -> Result<RawJson, String> {
    #[derive(serde::Deserialize)]
    struct ClientError {
        message: String,
    }
    answer.map_err(|error| match error.deserialize::<ClientError>() {
        Ok(error) => format!("The client refused to give input: {}", error.message),
        Err(_) => "The client refused to give input.".to_owned(),
    })
}
