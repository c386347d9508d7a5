//! Requests that the server sent to the client, and the answers that are awaited.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use tokio::sync::oneshot;

use crate::json::RawJson;
use crate::protocol::id::RequestId;

/// What the client answered: its result, or its error object.
pub(super) type Answer = Result<RawJson, RawJson>;

/// The open requests of one session.
#[derive(Default)]
pub(super) struct Outgoing(Mutex<Open>);

#[derive(Default)]
struct Open {
    last_id: u64,
    waiting: HashMap<u64, oneshot::Sender<Answer>>,
}

/// An open request. Dropping it gives up on the answer.
pub(super) struct Awaited<'a> {
    pub(super) id: u64,
    pub(super) answer: oneshot::Receiver<Answer>,
    table: &'a Outgoing,
}

impl Outgoing {
    /// Opens a request under an id of its own.
    pub(super) fn open(&self) -> Awaited<'_> {
        let (sender, answer) = oneshot::channel();
        let mut open = self.lock();
        open.last_id += 1;
        let id = open.last_id;
        open.waiting.insert(id, sender);
        Awaited { id, answer, table: self }
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

    /// Ends all waiting: the session is over.
    pub(super) fn close(&self) {
        self.lock().waiting.clear();
    }

    fn lock(&self) -> MutexGuard<'_, Open> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Awaited<'_> {
    fn drop(&mut self) {
        self.table.lock().waiting.remove(&self.id);
    }
}
