//! The modern era over HTTP: every request alone, every answer on its own connection.

use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use bytes::Bytes;
use http::StatusCode;

use super::codec::{error_answer, serve};
use super::gate::{Admitted, admit};
use super::headers;
use super::listen::Listen;
use crate::error::{Error, code};
use crate::ingress::Request;
use crate::peer::{Event, EventStream, Outlet};
use crate::server::Server;
use crate::server::exchange::{Begun, Exchange, begin};
use crate::server::http_reply::{HttpHead, HttpReply};
use crate::server::wire::Answer;

/// Serves one request. `quiet` is how long it may be silent before its answer becomes a stream.
pub(crate) async fn post(server: &Server, head: HttpHead<'_>, request: Request, quiet: Duration) -> HttpReply {
    let id = request.id.clone();
    let exchange = head.accepts_events.then(|| Exchange::new(server.options().limits.max_queued_bytes));
    let outlet = exchange.clone().map(|exchange| exchange as Arc<dyn Outlet>);
    let admitted = admit(server, request, head.principal.clone(), outlet, |request, version| {
        headers::check(server, head.headers, request, version)
    });
    let refuse = |status, error| HttpReply::json(status, error_answer(server, Some(id.as_raw()), error).text);
    match admitted {
        Err(error) => refuse(status(Some(error.code()), StatusCode::BAD_REQUEST), error),
        Ok(Admitted::Answer(text)) => document(&head, StatusCode::OK, text),
        Ok(Admitted::Listen(..)) if !head.accepts_events => {
            refuse(StatusCode::NOT_ACCEPTABLE, Error::invalid_request("The answer is text/event-stream: accept it"))
        }
        Ok(Admitted::Listen(listen, _)) => HttpReply::events(ListenStream(listen)),
        Ok(Admitted::Call(call)) => {
            match begin(Box::pin(async move { Some(serve(call).await) }), exchange, quiet).await {
                Begun::Answer(Some(Answer { text, error })) => document(&head, status(error, StatusCode::OK), text),
                Begun::Answer(None) => HttpReply::empty(StatusCode::ACCEPTED),
                Begun::Stream(stream) => HttpReply::events(stream),
            }
        }
    }
}

/// The status that goes with an error, or `otherwise`.
fn status(error: Option<i32>, otherwise: StatusCode) -> StatusCode {
    match error {
        Some(code::METHOD_NOT_FOUND) => StatusCode::NOT_FOUND,
        Some(
            code::HEADER_MISMATCH | code::MISSING_REQUIRED_CLIENT_CAPABILITY | code::UNSUPPORTED_PROTOCOL_VERSION,
        ) => StatusCode::BAD_REQUEST,
        _ => otherwise,
    }
}

/// An answer as a document, or as a stream of one event for those who take nothing else.
fn document(head: &HttpHead<'_>, status: StatusCode, text: Bytes) -> HttpReply {
    if head.accepts_json || status != StatusCode::OK {
        return HttpReply::json(status, text);
    }
    HttpReply::events(Once(Some(text)))
}

struct Once(Option<Bytes>);

impl EventStream for Once {
    fn poll_event(&mut self, _: &mut Context<'_>) -> Poll<Option<Event>> {
        Poll::Ready(self.0.take().map(Event::message))
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
