//! How the modern era writes answers, and what each error means to HTTP.

use std::future::Future;

use bytes::Bytes;

use crate::error::{Error, code};
use crate::json::{JsonWriter, RawJson};
use crate::protocol::input::InputRequired;
use crate::protocol::method::Method;
use crate::server::Server;
use crate::server::call::{Call, CallState, Outcome, Reply};
use crate::server::dispatch::dispatch;
use crate::server::wire::{Answer, error_response};

/// Serves a call from end to end: the complete response.
#[allow(clippy::manual_async_fn)] // an async function would keep the call twice: as its argument and as a variable
pub(crate) fn serve(call: Call) -> impl Future<Output = Answer> + Send {
    async move {
        let outcome = dispatch(&call).await;
        answer(&call, outcome)
    }
}

/// A refusal, or a failure that has no call yet.
pub(crate) fn error_answer(server: &Server, id: Option<&RawJson>, error: Error) -> Answer {
    let error = for_wire(error);
    server.options().events.error(&error);
    Answer { text: error_response(id, &error), error: Some(error.code()) }
}

fn answer(call: &Call, outcome: Outcome) -> Answer {
    let state = &call.state;
    let written = match outcome {
        Ok(Reply::InputRequired(input)) => input_required(call, input),
        Ok(reply) => Ok(complete(call.method, state, &reply)),
        Err(error) => Err(error),
    };
    match written {
        Ok(text) => {
            observe(&state.server, &text);
            Answer { text, error: None }
        }
        Err(error) => error_answer(&state.server, Some(state.id.as_raw()), error),
    }
}

/// Tells the host of an answer with a result.
pub(super) fn observe(server: &Server, text: &Bytes) {
    let events = &server.options().events;
    if events.wants_responses() {
        events.response(&RawJson::trusted(text.clone()));
    }
}

fn complete(method: Method, state: &CallState, reply: &Reply) -> Bytes {
    let server = &state.server;
    let mut w = begin(state.id.as_raw(), server, reply.size_hint());
    w.verbatim(if reply.is_handle() { br#""resultType":"task""# } else { br#""resultType":"complete""# });
    reply.write_members(&mut w, state.client.version);
    if method.is_cacheable() {
        let hint = reply.cache().unwrap_or_else(|| server.options().cache_hint(method.as_str()));
        hint.write_members(&mut w);
    }
    end(w, server, reply.meta())
}

/// Opens a result response: what `end` closes.
pub(super) fn begin(id: &RawJson, server: &Server, size: usize) -> JsonWriter {
    let mut w =
        JsonWriter::with_capacity(size + 128 + id.as_bytes().len() + server.server_info_meta().as_bytes().len());
    w.verbatim(b"{\"jsonrpc\":\"2.0\",\"id\":");
    w.verbatim(id.as_bytes());
    w.verbatim(b"\"result\":{");
    w
}

/// Writes `_meta` and closes the response.
pub(super) fn end(mut w: JsonWriter, server: &Server, own: Option<&RawJson>) -> Bytes {
    w.key("_meta");
    let info = server.server_info_meta().as_bytes();
    match own.map(RawJson::as_bytes) {
        Some([b'{', members @ .., b'}']) if !members.trim_ascii().is_empty() => {
            w.verbatim(b"{");
            w.verbatim(members);
            w.verbatim(&info[1..info.len() - 1]);
            w.end_object();
        }
        _ => w.verbatim(info),
    }
    w.end_object();
    w.end_object();
    w.into_bytes()
}

/// "Ask the client": allowed for what it declared only, with a sealed state where there is something to carry.
fn input_required(call: &Call, input: InputRequired) -> Result<Bytes, Error> {
    let state = &call.state;
    if input.0.requests.is_empty() && input.0.state.is_none() {
        tracing::error!(method = call.method.as_str(), "a handler required input without saying which");
        return Err(Error::internal("Internal error: the server asked for input without saying which"));
    }
    let capabilities = state.client.capabilities();
    let missing =
        input.0.requests.iter().find_map(|(_, request)| capabilities.missing_for(request, state.client.version));
    if let Some(missing) = missing {
        return Err(Error::missing_capability(missing));
    }
    let sealed = state.server.sealer().seal(call, &input)?;
    let mut w = begin(state.id.as_raw(), &state.server, 512);
    w.string_member("resultType", "input_required");
    if !input.0.requests.is_empty() {
        w.key("inputRequests");
        w.begin_object();
        for (key, request) in &input.0.requests {
            w.any_key(key);
            request.write(&mut w, state.client.version);
        }
        w.end_object();
    }
    w.optional_string("requestState", sealed.as_deref());
    Ok(end(w, &state.server, None))
}

/// Codes of the reserved ranges that this revision does not allow take the nearest one that it does.
fn for_wire(error: Error) -> Error {
    match error.code() {
        code::HEADER_MISMATCH | code::MISSING_REQUIRED_CLIENT_CAPABILITY | code::UNSUPPORTED_PROTOCOL_VERSION => error,
        code::RESOURCE_NOT_FOUND => error.with_code(code::INVALID_PARAMS),
        -32099..=-32000 => error.with_code(code::INTERNAL_ERROR),
        _ => error,
    }
}
