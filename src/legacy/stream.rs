//! One stream of events of a session: what is sent on it, whether or not somebody reads it at the time.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use bytes::Bytes;

use super::event_store::EventStore;
use crate::peer::{Event, EventStream, Necessity, Outlet};

/// A stream. One reader at a time; a further one takes over from the one before.
pub(super) struct Stream {
    session: Arc<str>,
    number: u64,
    limit: usize,
    store: Option<Arc<dyn EventStore>>,
    /// Opens the stream with an event that has an id and no data, and this time to wait before coming back.
    priming: Option<Duration>,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    queue: VecDeque<(Option<u64>, Bytes)>,
    bytes: usize,
    primed: bool,
    /// The answer, as long as it may still become a document of its own.
    answer: Option<Bytes>,
    /// Events have been, or are going to be, read as a stream.
    streaming: bool,
    ended: bool,
    released: bool,
    /// Which reader is the present one.
    reader: u64,
    /// The present reader is there.
    is_read: bool,
    waker: Option<Waker>,
}

/// What became of a request.
pub(super) enum Progress {
    /// Something was sent before the answer.
    Streams,
    /// The answer came first. `None`: there is none, the request was cancelled.
    Answered(Option<Bytes>),
}

impl Stream {
    pub(super) fn new(
        session: Arc<str>,
        number: u64,
        limit: usize,
        store: Option<Arc<dyn EventStore>>,
        priming: Option<Duration>,
    ) -> Arc<Stream> {
        Arc::new(Stream { session, number, limit, store, priming, state: Mutex::default() })
    }

    pub(super) fn number(&self) -> u64 {
        self.number
    }

    /// Whether as much waits to be read as may.
    pub(super) fn is_full(&self) -> bool {
        self.lock().bytes >= self.limit
    }

    /// Sends the answer and ends the stream.
    pub(super) fn finish(&self, answer: Option<Bytes>) {
        let mut state = self.lock();
        if state.streaming || !state.queue.is_empty() {
            if let Some(answer) = answer {
                self.push(&mut state, answer);
            }
        } else {
            state.answer = answer;
        }
        state.ended = true;
        wake(state);
    }

    /// Waits for the first message or the answer.
    pub(super) fn poll_progress(&self, cx: &mut Context<'_>) -> Poll<Progress> {
        let mut state = self.lock();
        if !state.queue.is_empty() || state.released {
            return Poll::Ready(Progress::Streams);
        }
        if state.ended {
            return Poll::Ready(Progress::Answered(state.answer.take()));
        }
        state.waker = Some(cx.waker().clone());
        Poll::Pending
    }

    /// Begins to read.
    pub(super) fn read(self: &Arc<Self>) -> StreamReader {
        let mut state = self.lock();
        state.streaming = true;
        if let Some(answer) = state.answer.take() {
            self.push(&mut state, answer);
        }
        let mut first = VecDeque::new();
        if let Some(retry) = self.priming.filter(|_| state.reader == 0 && self.prime(&mut state)) {
            let id = self.event_id(0);
            let text = format!("id: {id}\nretry: {}\ndata: \n\n", retry.as_millis());
            first.push_back(Event::Written(text.into()));
        }
        self.reader(&mut state, first)
    }

    /// Reads on after an event; `None` when it is not known.
    pub(super) fn resume(self: &Arc<Self>, after: u64) -> Option<StreamReader> {
        let mut state = self.lock();
        let missed = self.store.as_ref()?.replay(&self.session, self.number, after)?;
        state.queue.clear();
        state.bytes = 0;
        state.streaming = true;
        state.released = false;
        let missed = missed.into_iter().map(|(number, text)| Event::Message { id: Some(self.event_id(number)), text });
        Some(self.reader(&mut state, missed.collect()))
    }

    /// Keeps the priming event, before every other; false when there is none.
    fn prime(&self, state: &mut State) -> bool {
        let Some(store) = self.store.as_ref().filter(|_| self.priming.is_some()) else { return false };
        if !std::mem::replace(&mut state.primed, true) {
            store.append(&self.session, self.number, &Bytes::new());
        }
        true
    }

    fn reader(self: &Arc<Self>, state: &mut State, first: VecDeque<Event>) -> StreamReader {
        state.reader += 1;
        state.is_read = true;
        let before = state.waker.take();
        if let Some(before) = before {
            before.wake();
        }
        StreamReader { stream: self.clone(), number: state.reader, first, over: false }
    }

    fn push(&self, state: &mut State, message: Bytes) {
        self.prime(state);
        let number = self.store.as_ref().map(|store| store.append(&self.session, self.number, &message));
        state.bytes += message.len();
        state.queue.push_back((number, message));
    }

    fn event_id(&self, number: u64) -> String {
        format!("{}_{number}", self.number)
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn wake(mut state: MutexGuard<'_, State>) {
    let waker = state.waker.take();
    drop(state);
    if let Some(waker) = waker {
        waker.wake();
    }
}

impl Outlet for Stream {
    fn send(&self, message: Bytes, necessity: Necessity) -> bool {
        let mut state = self.lock();
        let room = state.bytes + message.len() <= self.limit;
        if state.ended || !(room || necessity == Necessity::Required) {
            return false;
        }
        self.push(&mut state, message);
        wake(state);
        true
    }

    fn is_read(&self) -> bool {
        self.lock().is_read
    }

    fn release_connection(&self) {
        // A client that was not told to come back would take the end of the stream for the end of its request.
        if self.store.is_some() && self.priming.is_some() {
            let mut state = self.lock();
            state.released = true;
            wake(state);
        }
    }
}

/// Who reads a stream.
pub(super) struct StreamReader {
    stream: Arc<Stream>,
    number: u64,
    first: VecDeque<Event>,
    over: bool,
}

impl EventStream for StreamReader {
    fn poll_event(&mut self, cx: &mut Context<'_>) -> Poll<Option<Event>> {
        if let Some(first) = self.first.pop_front() {
            return Poll::Ready(Some(first));
        }
        let mut state = self.stream.lock();
        if self.over || state.reader != self.number {
            return Poll::Ready(None);
        }
        if let Some((number, message)) = state.queue.pop_front() {
            state.bytes -= message.len();
            let id = number.map(|number| self.stream.event_id(number));
            return Poll::Ready(Some(Event::Message { id, text: message }));
        }
        if state.ended || std::mem::take(&mut state.released) {
            self.over = true;
            return Poll::Ready(None);
        }
        state.waker = Some(cx.waker().clone());
        Poll::Pending
    }
}

impl Drop for StreamReader {
    fn drop(&mut self) {
        let mut state = self.stream.lock();
        state.is_read &= state.reader != self.number;
    }
}

/// Events of a stream that is over.
pub(super) struct Replay(VecDeque<Event>);

impl Replay {
    pub(super) fn new(stream: u64, events: Vec<(u64, Bytes)>) -> Replay {
        let event = |(number, text)| Event::Message { id: Some(format!("{stream}_{number}")), text };
        Replay(events.into_iter().map(event).collect())
    }
}

impl EventStream for Replay {
    fn poll_event(&mut self, _: &mut Context<'_>) -> Poll<Option<Event>> {
        Poll::Ready(self.0.pop_front())
    }
}
