//! The modern era over HTTP: every request alone, every answer on its own connection.

use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use futures_util::FutureExt;
use http::StatusCode;

use super::codec::{error_answer, serve};
use super::gate::{Admitted, admit, spoken, supported};
use super::headers;
use super::listen::Listen;
use crate::error::{Error, code};
use crate::ingress::Request;
use crate::peer::{Event, EventStream, Outlet};
use crate::server::Server;
use crate::server::exchange::Exchange;
use crate::server::http_head::{HttpHead, HttpReply, Received};

/// Serves one request. `quiet` is how long it may be silent before its answer becomes a stream.
pub(crate) fn post(server: &Server, head: &HttpHead<'_>, request: Request, quiet: Duration) -> Received {
    let id = request.id.clone();
    if let Some(error) = legacy_habit(server, head, &request) {
        return HttpReply::json(StatusCode::BAD_REQUEST, error_answer(server, Some(id.as_raw()), error).text).into();
    }
    let exchange = head.accept.events.then(|| Exchange::new(server.options().limits.max_queued_bytes));
    let outlet = exchange.clone().map(|exchange| exchange as Arc<dyn Outlet>);
    let admitted = admit(server, request, head.principal.clone(), outlet, |request, version| {
        headers::check(server, head, request, version)
    });
    let refuse = |status, error| HttpReply::json(status, error_answer(server, Some(id.as_raw()), error).text).into();
    match admitted {
        Err(error) => refuse(refusal_status(error.code()), error),
        Ok(Admitted::Answer(text)) => HttpReply::json(StatusCode::OK, text).into(),
        Ok(Admitted::Listen(..)) if !head.accept.events => {
            refuse(StatusCode::NOT_ACCEPTABLE, Error::invalid_request("The answer is text/event-stream: accept it"))
        }
        Ok(Admitted::Listen(listen, _)) => HttpReply::events(ListenStream(listen)).into(),
        Ok(Admitted::Call(call)) => {
            Received::Runs { work: Box::pin(serve(call).map(Some)), exchange, quiet, status: answer_status }
        }
    }
}

/// What tells a client of another era, which knows nothing of metadata, what the server speaks.
fn legacy_habit(server: &Server, head: &HttpHead<'_>, request: &Request) -> Option<Error> {
    if request.params.reserved.protocol_version.is_some() {
        return None;
    }
    match head.fields.protocol_version.text() {
        None => {
            let text =
                format!("Header mismatch: MCP-Protocol-Version is missing; this server speaks {}", spoken(server));
            Some(Error::new(code::HEADER_MISMATCH, text))
        }
        Some(version) => supported(server, version).err(),
    }
}

/// The status of a request that did not pass the gate.
fn refusal_status(code: i32) -> StatusCode {
    match code {
        code::METHOD_NOT_FOUND => StatusCode::NOT_FOUND,
        // What is asked for is right, and there is no room for it.
        code::INTERNAL_ERROR => StatusCode::SERVICE_UNAVAILABLE,
        _ => StatusCode::BAD_REQUEST,
    }
}

/// The status of an error that is the answer to a request.
fn answer_status(code: i32) -> StatusCode {
    match code {
        code::METHOD_NOT_FOUND => StatusCode::NOT_FOUND,
        code::HEADER_MISMATCH | code::MISSING_REQUIRED_CLIENT_CAPABILITY | code::UNSUPPORTED_PROTOCOL_VERSION => {
            StatusCode::BAD_REQUEST
        }
        _ => StatusCode::OK,
    }
}

struct ListenStream(Listen);

impl EventStream for ListenStream {
    fn poll_event(&mut self, cx: &mut Context<'_>) -> Poll<Option<Event>> {
        self.0.poll_message(cx).map(|message| message.map(Event::message))
    }

    fn is_endless(&self) -> bool {
        true
    }

    fn last_event(&mut self) -> Option<Event> {
        Some(Event::message(self.0.last()))
    }
}
