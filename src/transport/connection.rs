//! One connection that carries lines in both directions: reads, routes, runs and writes, all in one task.

use std::future::Future;
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, Waker};

use bytes::{Buf, Bytes, BytesMut};
use futures_util::StreamExt;
use futures_util::stream::FuturesUnordered;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::time::{Instant, Sleep};
use tokio_util::io::poll_read_buf;

use super::frame::{Line, Lines};
use super::outbox::Outbox;
use super::router::{Router, Step, Work};
use crate::error::TransportError;
use crate::server::Server;

/// Least room for what arrives.
const READ_SIZE: usize = 16 * 1024;
/// When this much waits to be written, nothing more is read.
const WRITE_MARK: usize = 256 * 1024;

/// Serves one connection until the client closes its end or the server is shut down. What was accepted is answered
/// first, within the drain time.
///
/// # Errors
/// The connection broke.
pub(crate) async fn serve<R, W>(server: Server, reader: R, writer: W) -> Result<(), TransportError>
where
    R: AsyncRead + Unpin,
    W: AsyncWrite + Unpin,
{
    let shutdown = server.shutdown_signal().clone();
    let mut connection = Connection::new(&server, reader, writer);
    let mut begun = std::pin::pin!(shutdown.begun());
    let mut registered: Option<Waker> = None;
    let served = std::future::poll_fn(|cx| {
        // A connection is polled for every message: the wish to end is registered once for each task that polls.
        let is_registered = registered.as_ref().is_some_and(|waker| waker.will_wake(cx.waker()));
        if connection.draining.is_none() && (!is_registered || shutdown.has_begun()) {
            registered = Some(cx.waker().clone());
            if let Poll::Ready(deadline) = begun.as_mut().poll(cx) {
                connection.drain(deadline);
            }
        }
        connection.poll(cx)
    });
    let served = served.await;
    connection.router.close();
    connection.outbox.close();
    let events = &server.options().events;
    match served {
        Ok(()) => {
            events.transport_closed();
            Ok(())
        }
        Err(error) => {
            events.transport_error(&error.to_string());
            Err(TransportError::new("the connection broke", error))
        }
    }
}

struct Connection<R, W> {
    server: Server,
    reader: R,
    writer: W,
    lines: Lines,
    output: BytesMut,
    outbox: Arc<Outbox>,
    taken: Vec<Bytes>,
    router: Router,
    running: FuturesUnordered<Work>,
    unflushed: bool,
    /// Set when nothing more is read: the time by which the rest must be done.
    draining: Option<Pin<Box<Sleep>>>,
}

impl<R: AsyncRead + Unpin, W: AsyncWrite + Unpin> Connection<R, W> {
    fn new(server: &Server, reader: R, writer: W) -> Connection<R, W> {
        let limits = server.options().limits;
        let outbox = Arc::new(Outbox::new(limits.max_queued_bytes));
        Connection {
            server: server.clone(),
            reader,
            writer,
            lines: Lines::new(limits.max_message_bytes),
            output: BytesMut::new(),
            router: Router::new(server, outbox.clone()),
            outbox,
            taken: Vec::new(),
            running: FuturesUnordered::new(),
            unflushed: false,
            draining: None,
        }
    }

    /// Stops reading; what runs may go on until `deadline`.
    fn drain(&mut self, deadline: Instant) {
        self.draining.get_or_insert_with(|| Box::pin(tokio::time::sleep_until(deadline)));
        self.router.end_streams();
    }

    fn poll(&mut self, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        loop {
            let mut moved = self.poll_running(cx);
            self.take_outbox(cx);
            moved |= self.route_lines(cx);
            self.poll_write(cx)?;
            moved |= self.poll_read(cx)?;
            if moved {
                continue;
            }
            let Some(timer) = &mut self.draining else { return Poll::Pending };
            let over = timer.as_mut().poll(cx).is_ready();
            let idle = self.running.is_empty() && self.output.is_empty() && !self.unflushed;
            return if idle || over { Poll::Ready(Ok(())) } else { Poll::Pending };
        }
    }

    /// Lets what runs go on; true when something ended.
    fn poll_running(&mut self, cx: &mut Context<'_>) -> bool {
        if self.running.is_empty() || self.output.len() >= WRITE_MARK {
            return false;
        }
        match self.running.poll_next_unpin(cx) {
            Poll::Ready(Some(message)) => {
                self.finish(cx, message);
                true
            }
            _ => false,
        }
    }

    /// Routes the lines that have arrived; true when there were any.
    fn route_lines(&mut self, cx: &mut Context<'_>) -> bool {
        let mut moved = false;
        while self.output.len() < WRITE_MARK {
            let line = match (self.lines.next(), &self.draining) {
                (None, Some(_)) => self.lines.rest(),
                (line, _) => line,
            };
            match line {
                None => break,
                Some(Line::TooLong) => {
                    let step = self.router.too_long();
                    self.step(cx, step);
                }
                Some(Line::Text(text)) => {
                    let step = self.router.take(text);
                    self.step(cx, step);
                }
            }
            moved = true;
        }
        moved
    }

    fn step(&mut self, cx: &mut Context<'_>, step: Step) {
        match step {
            Step::Nothing => {}
            Step::Send(message) => self.finish(cx, Some(message)),
            Step::Open(message, work) => {
                self.finish(cx, Some(message));
                self.running.push(work);
            }
            Step::Run(mut work) => {
                // Most work ends at once; only what does not joins the running.
                let mut quick = Context::from_waker(std::task::Waker::noop());
                match work.as_mut().poll(&mut quick) {
                    Poll::Ready(message) => self.finish(cx, message),
                    Poll::Pending => self.running.push(work),
                }
            }
        }
    }

    /// Writes an answer, after everything that was sent before it.
    fn finish(&mut self, cx: &mut Context<'_>, message: Option<Bytes>) {
        self.take_outbox(cx);
        if let Some(message) = message {
            self.append(message);
        }
    }

    fn take_outbox(&mut self, cx: &mut Context<'_>) {
        let mut taken = std::mem::take(&mut self.taken);
        self.outbox.take(cx.waker(), &mut taken);
        taken.drain(..).for_each(|message| self.append(message));
        self.taken = taken;
    }

    fn append(&mut self, message: Bytes) {
        let Some(message) = self.server.filter_outgoing(message) else { return };
        self.output.reserve(message.len() + 1);
        self.output.extend_from_slice(&message);
        self.output.extend_from_slice(b"\n");
    }

    fn poll_write(&mut self, cx: &mut Context<'_>) -> io::Result<()> {
        while !self.output.is_empty() {
            match Pin::new(&mut self.writer).poll_write(cx, &self.output) {
                Poll::Pending => break,
                Poll::Ready(Ok(0)) => return Err(io::ErrorKind::WriteZero.into()),
                Poll::Ready(written) => self.output.advance(written?),
            }
            self.unflushed = true;
        }
        self.outbox.set_unwritten(self.output.len());
        if self.output.is_empty() {
            if self.output.capacity() > WRITE_MARK {
                self.output = BytesMut::new();
            }
            if self.unflushed
                && let Poll::Ready(flushed) = Pin::new(&mut self.writer).poll_flush(cx)
            {
                flushed?;
                self.unflushed = false;
            }
        }
        Ok(())
    }

    /// Reads what there is; true when something arrived or the stream ended.
    fn poll_read(&mut self, cx: &mut Context<'_>) -> io::Result<bool> {
        if self.draining.is_some() || self.output.len() >= WRITE_MARK {
            return Ok(false);
        }
        let buffer = self.lines.buffer();
        buffer.reserve(READ_SIZE);
        match poll_read_buf(Pin::new(&mut self.reader), cx, buffer) {
            Poll::Pending => Ok(false),
            Poll::Ready(Ok(0)) => {
                self.drain(Instant::now() + self.server.options().limits.drain_timeout);
                Ok(true)
            }
            Poll::Ready(read) => read.map(|_| true),
        }
    }
}
