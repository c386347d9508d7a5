//! How the legacy era writes answers. Nothing here can write a word that only the modern era has.

use bytes::Bytes;

use crate::error::{Error, code};
use crate::json::{JsonWriter, RawJson};
use crate::protocol::version::ProtocolVersion;
use crate::server::Server;
use crate::server::call::{CallState, Outcome, Reply};
use crate::server::wire::error_response;

/// The complete response to a call.
pub(crate) fn response(state: &CallState, outcome: &Outcome) -> Bytes {
    match outcome {
        Ok(reply) => result(&state.server, state.id.as_raw(), reply, state.client.version),
        Err(error) => error_answer(&state.server, Some(state.id.as_raw()), error.clone()),
    }
}

/// A response with a result.
fn result(server: &Server, id: &RawJson, reply: &Reply, version: ProtocolVersion) -> Bytes {
    finish(server, id, reply.size_hint(), |w| {
        reply.write_members(w, version);
        w.optional_raw("_meta", reply.meta());
    })
}

/// A response whose result has these members.
pub(super) fn finish(server: &Server, id: &RawJson, size: usize, members: impl FnOnce(&mut JsonWriter)) -> Bytes {
    let mut w = JsonWriter::with_capacity(size + 64 + id.as_bytes().len());
    w.verbatim(b"{\"jsonrpc\":\"2.0\",\"id\":");
    w.raw(id);
    w.verbatim(b"\"result\":{");
    members(&mut w);
    w.end_object();
    w.end_object();
    let text = w.into_bytes();
    let events = &server.options().events;
    if events.wants_responses() {
        events.response(&RawJson::trusted(text.clone()));
    }
    text
}

/// A response with an error.
pub(crate) fn error_answer(server: &Server, id: Option<&RawJson>, error: Error) -> Bytes {
    let error = for_wire(error);
    server.options().events.error(&error);
    error_response(id, &error)
}

/// Codes that only the modern era has take the nearest one that every legacy revision has.
fn for_wire(error: Error) -> Error {
    match error.code() {
        code::HEADER_MISMATCH | code::MISSING_REQUIRED_CLIENT_CAPABILITY | code::UNSUPPORTED_PROTOCOL_VERSION => {
            error.with_code(code::INVALID_REQUEST)
        }
        _ => error,
    }
}
