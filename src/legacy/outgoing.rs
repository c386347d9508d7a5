//! Requests of the server to the client, and the answers that are awaited.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use bytes::Bytes;
use tokio::sync::oneshot;

use crate::json::{JsonWriter, RawJson};
use crate::peer::{Necessity, Outlet};
use crate::protocol::id::RequestId;
use crate::protocol::input::InputRequest;
use crate::protocol::method::Method;
use crate::protocol::version::ProtocolVersion;
use crate::server::call::inner;
use crate::server::context::notification;

/// What the client answered: its result, or its error object.
pub(super) type Answer = Result<RawJson, RawJson>;

/// The open requests of one session.
#[derive(Default)]
pub(super) struct Outgoing(Mutex<Open>);

#[derive(Default)]
struct Open {
    last_id: u64,
    closed: bool,
    waiting: HashMap<u64, oneshot::Sender<Answer>>,
}

/// A request that was sent. When it is dropped unanswered, the client is told that nobody waits for it any more.
pub(super) struct Asked<'a> {
    id: u64,
    answer: oneshot::Receiver<Answer>,
    table: &'a Outgoing,
    outlet: &'a dyn Outlet,
    answered: bool,
}

impl Outgoing {
    /// Sends a request under an id of its own; `None` when it can't be sent.
    pub(super) fn ask<'a>(
        &'a self,
        request: &InputRequest,
        version: ProtocolVersion,
        outlet: &'a dyn Outlet,
        meta: Option<&RawJson>,
    ) -> Option<Asked<'a>> {
        let (sender, answer) = oneshot::channel();
        let id = {
            let mut open = self.lock();
            if open.closed {
                return None;
            }
            open.last_id += 1;
            let id = open.last_id;
            open.waiting.insert(id, sender);
            id
        };
        let mut asked = Asked { id, answer, table: self, outlet, answered: false };
        let sent = outlet.send(request_message(id, request, version, meta), Necessity::Required);
        asked.answered = !sent;
        sent.then_some(asked)
    }

    /// Hands an answer to the one who waits for it. Answers that nobody waits for are ignored.
    pub(super) fn answer(&self, id: Option<RequestId>, answer: Answer) {
        let id = id.and_then(|id| id.as_raw().as_str().parse().ok());
        let waiting = id.and_then(|id: u64| self.lock().waiting.remove(&id));
        if let Some(waiting) = waiting {
            // Nobody waits any more when the request was cancelled in the meantime.
            let _ = waiting.send(answer);
        }
    }

    /// Ends all waiting, once and for all: the session is over.
    pub(super) fn close(&self) {
        let mut open = self.lock();
        open.closed = true;
        open.waiting.clear();
    }

    pub(super) fn is_closed(&self) -> bool {
        self.lock().closed
    }

    fn lock(&self) -> MutexGuard<'_, Open> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Asked<'_> {
    /// Waits for the answer; `None` when the session ends before.
    pub(super) async fn answer(mut self) -> Option<Answer> {
        let answer = (&mut self.answer).await.ok();
        self.answered = true;
        answer
    }
}

impl Drop for Asked<'_> {
    fn drop(&mut self) {
        self.table.lock().waiting.remove(&self.id);
        if !self.answered {
            let message = notification(Method::Cancelled, |w| w.value_member("requestId", &self.id));
            self.outlet.send(message, Necessity::Droppable);
        }
    }
}

fn request_message(id: u64, request: &InputRequest, version: ProtocolVersion, meta: Option<&RawJson>) -> Bytes {
    let mut w = JsonWriter::with_capacity(512);
    w.begin_object();
    w.string_member("jsonrpc", "2.0");
    w.value_member("id", &id);
    w.string_member("method", request.method().as_str());
    let mut params = JsonWriter::default();
    match request {
        InputRequest::Elicit(request) => request.write_params(&mut params, version, &format!("elicitation-{id}")),
        InputRequest::Sample(request) => request.write_params(&mut params, version),
        InputRequest::ListRoots => {}
    }
    let params = params.into_raw();
    if !params.as_bytes().is_empty() || meta.is_some() {
        w.key("params");
        w.begin_object();
        w.verbatim(inner(&params));
        w.optional_raw("_meta", meta);
        w.end_object();
    }
    w.end_object();
    w.into_bytes()
}
