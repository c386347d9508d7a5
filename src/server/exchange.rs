//! One request over HTTP whose client waits on the connection: the answer is one JSON document, and becomes a stream
//! of events only when something is sent before it. No task, no channel: whoever polls the response runs the handler,
//! and dropping the response cancels it.

use std::collections::VecDeque;
use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use bytes::Bytes;
use tokio::time::Sleep;

use super::wire::Answer;
use crate::peer::{Event, EventStream, Necessity, Outlet};

/// The service of a request; `None` when it was cancelled.
pub(crate) type Work = Pin<Box<dyn Future<Output = Option<Answer>> + Send>>;

/// Messages that belong to the request and wait for the client to read them.
pub(crate) struct Exchange {
    limit: usize,
    queue: Mutex<Queue>,
}

#[derive(Default)]
struct Queue {
    messages: VecDeque<Bytes>,
    bytes: usize,
    reader: Option<Waker>,
}

/// How an answer begins.
pub(crate) enum Begun {
    /// It is complete, and nothing came before it.
    Answer(Option<Answer>),
    /// It is a stream.
    Stream(ExchangeStream),
}

impl Exchange {
    pub(crate) fn new(limit: usize) -> Arc<Exchange> {
        Arc::new(Exchange { limit, queue: Mutex::default() })
    }

    fn lock(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn poll_next(&self, cx: &mut Context<'_>) -> Poll<Bytes> {
        let mut queue = self.lock();
        match queue.messages.pop_front() {
            Some(message) => {
                queue.bytes -= message.len();
                Poll::Ready(message)
            }
            None => {
                queue.reader = Some(cx.waker().clone());
                Poll::Pending
            }
        }
    }

    fn poll_any(&self, cx: &mut Context<'_>) -> Poll<()> {
        let mut queue = self.lock();
        if !queue.messages.is_empty() {
            return Poll::Ready(());
        }
        queue.reader = Some(cx.waker().clone());
        Poll::Pending
    }
}

impl Outlet for Exchange {
    fn send(&self, message: Bytes, necessity: Necessity) -> bool {
        let mut queue = self.lock();
        if queue.bytes + message.len() > self.limit && necessity == Necessity::Droppable {
            return false;
        }
        queue.bytes += message.len();
        queue.messages.push_back(message);
        let reader = queue.reader.take();
        drop(queue);
        if let Some(reader) = reader {
            reader.wake();
        }
        true
    }
}

/// Runs a request until its answer is there or must become a stream: something was sent, or nothing has happened for
/// `quiet`, after which clients and proxies want to see a sign of life. Without an exchange it never becomes a stream.
pub(crate) async fn begin(mut work: Work, exchange: Option<Arc<Exchange>>, quiet: Duration) -> Begun {
    let mut timer: Option<Pin<Box<Sleep>>> = None;
    let answer = std::future::poll_fn(|cx| {
        if let Poll::Ready(answer) = work.as_mut().poll(cx) {
            return Poll::Ready(Some(answer));
        }
        let Some(exchange) = &exchange else { return Poll::Pending };
        if exchange.poll_any(cx).is_ready() {
            return Poll::Ready(None);
        }
        let timer = timer.get_or_insert_with(|| Box::pin(tokio::time::sleep(quiet)));
        timer.as_mut().poll(cx).map(|()| None)
    })
    .await;
    match (answer, exchange) {
        (Some(answer), Some(exchange)) if !exchange.lock().messages.is_empty() => {
            Begun::Stream(ExchangeStream { exchange, state: Stage::Answered(answer) })
        }
        (None, Some(exchange)) => Begun::Stream(ExchangeStream { exchange, state: Stage::Running(work) }),
        (answer, _) => Begun::Answer(answer.flatten()),
    }
}

/// The stream of one request: what is sent for it, then its answer.
pub(crate) struct ExchangeStream {
    exchange: Arc<Exchange>,
    state: Stage,
}

enum Stage {
    Running(Work),
    Answered(Option<Answer>),
}

impl EventStream for ExchangeStream {
    fn poll_event(&mut self, cx: &mut Context<'_>) -> Poll<Option<Event>> {
        if let Stage::Running(work) = &mut self.state
            && let Poll::Ready(answer) = work.as_mut().poll(cx)
        {
            self.state = Stage::Answered(answer);
        }
        if let Poll::Ready(message) = self.exchange.poll_next(cx) {
            return Poll::Ready(Some(Event::message(message)));
        }
        match &mut self.state {
            Stage::Running(_) => Poll::Pending,
            Stage::Answered(answer) => Poll::Ready(answer.take().map(|answer| Event::message(answer.text))),
        }
    }
}
