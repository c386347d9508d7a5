//! What a running request may send to the other side before its answer.

#[cfg(feature = "http")]
use std::task::{Context, Poll};

use bytes::Bytes;

/// Where the messages of one request go. Transports implement it; handlers reach it through their context.
pub(crate) trait Outlet: Send + Sync {
    /// Queues one complete JSON-RPC message. Does not block. False when it was not taken.
    fn send(&self, message: Bytes, necessity: Necessity) -> bool;

    /// Whether somebody is there to take what is sent, as far as the transport knows.
    fn is_read(&self) -> bool {
        true
    }

    /// Ends the connection that carries the answer, where the transport lets the client come back for it. Nothing else
    /// changes for the handler.
    fn release_connection(&self) {}
}

/// What happens to a message when its queue is at its bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Necessity {
    /// It is dropped: a notification whose loss the client survives.
    Droppable,
    /// It is queued all the same: there is at most one such message for each running request.
    Required,
}

/// A server-sent event.
#[cfg(feature = "http")]
pub(crate) enum Event {
    /// A JSON-RPC message, under an id where the client can resume after it.
    Message { id: Option<String>, text: Bytes },
    /// An event of the transport itself, written out.
    Written(Bytes),
}

#[cfg(feature = "http")]
impl Event {
    /// A message that can't be resumed after.
    pub(crate) fn message(text: Bytes) -> Event {
        Event::Message { id: None, text }
    }
}

/// A stream of server-sent events.
#[cfg(feature = "http")]
pub(crate) trait EventStream: Send {
    /// The next event; `None` at the end.
    fn poll_event(&mut self, cx: &mut Context<'_>) -> Poll<Option<Event>>;

    /// Whether it goes on until somebody ends it.
    fn is_endless(&self) -> bool {
        false
    }

    /// What is sent last when an endless stream is ended.
    fn last_event(&mut self) -> Option<Event> {
        None
    }
}
