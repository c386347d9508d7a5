//! Messages on their way out of one connection.

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::task::{Poll, Waker};

use bytes::Bytes;

use crate::peer::{Necessity, Outlet};

/// A bounded queue between what runs for a connection and the one who writes it.
pub(super) struct Outbox {
    limit: usize,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    messages: VecDeque<Bytes>,
    bytes: usize,
    /// Bytes that the writer took and has not written yet.
    unwritten: usize,
    closed: bool,
    writer: Option<Waker>,
    waiting: Vec<Waker>,
}

impl Outbox {
    pub(super) fn new(limit: usize) -> Outbox {
        Outbox { limit, state: Mutex::default() }
    }

    /// Takes all messages, and leaves a waker for the next one.
    pub(super) fn take(&self, waker: &Waker, into: &mut Vec<Bytes>) {
        let mut state = self.lock();
        state.bytes = 0;
        into.extend(state.messages.drain(..));
        if !state.writer.as_ref().is_some_and(|known| known.will_wake(waker)) {
            state.writer = Some(waker.clone());
        }
    }

    /// Takes the next message, or leaves a waker for it.
    pub(super) fn poll_next(&self, waker: &Waker) -> Poll<Bytes> {
        let mut state = self.lock();
        match state.messages.pop_front() {
            Some(message) => {
                state.bytes -= message.len();
                Poll::Ready(message)
            }
            None => {
                state.writer = Some(waker.clone());
                Poll::Pending
            }
        }
    }

    /// Wakes whoever waits for a message.
    pub(super) fn wake(&self) {
        let writer = self.lock().writer.take();
        if let Some(writer) = writer {
            writer.wake();
        }
    }

    /// Tells how much of what was taken waits to be written.
    pub(super) fn set_unwritten(&self, bytes: usize) {
        let mut state = self.lock();
        state.unwritten = bytes;
        if bytes < self.limit {
            let waiting = std::mem::take(&mut state.waiting);
            drop(state);
            waiting.into_iter().for_each(Waker::wake);
        }
    }

    /// No more messages are taken.
    pub(super) fn close(&self) {
        let mut state = self.lock();
        state.closed = true;
        state.messages = VecDeque::new();
        let waiting = std::mem::take(&mut state.waiting);
        drop(state);
        waiting.into_iter().for_each(Waker::wake);
    }

    /// Returns when there is room: for those who can wait, and merge what happens meanwhile.
    pub(super) async fn room(&self) {
        std::future::poll_fn(|cx| {
            let mut state = self.lock();
            if state.closed || state.bytes + state.unwritten < self.limit {
                return Poll::Ready(());
            }
            state.waiting.push(cx.waker().clone());
            Poll::Pending
        })
        .await;
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Outlet for Outbox {
    fn send(&self, message: Bytes, necessity: Necessity) -> bool {
        let mut state = self.lock();
        let room = state.bytes + state.unwritten + message.len() <= self.limit;
        if state.closed || !(room || necessity == Necessity::Required) {
            return false;
        }
        state.bytes += message.len();
        state.messages.push_back(message);
        let writer = state.writer.take();
        drop(state);
        if let Some(writer) = writer {
            writer.wake();
        }
        true
    }
}
