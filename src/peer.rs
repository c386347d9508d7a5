//! What a running request may send to the other side before its answer.

use bytes::Bytes;

/// Where the messages of one request go. Transports implement it; handlers reach it through their context.
pub(crate) trait Outlet: Send + Sync {
    /// Queues one complete JSON-RPC message. Does not block. False when it was not taken.
    fn send(&self, message: Bytes, necessity: Necessity) -> bool;

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
