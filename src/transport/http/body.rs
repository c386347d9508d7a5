//! Bodies: of requests, collected within bounds; of responses, a document or a stream of events.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use bytes::{Bytes, BytesMut};
use http::StatusCode;
use http_body::{Body, Frame, SizeHint};
use http_body_util::BodyExt;
use tokio::time::{Sleep, timeout};

use crate::peer::{Event, EventStream};
use crate::server::Server;
use crate::server::call::Cancel;

/// A comment, by which a stream shows that it is alive.
const ALIVE: Bytes = Bytes::from_static(b": keep-alive\n\n");

/// Collects a request's body.
///
/// # Errors
/// The status and the reason: too long, too slow, or broken off.
pub(super) async fn collect<B>(body: B, limit: usize, time: Duration) -> Result<Bytes, (StatusCode, String)>
where
    B: Body<Data = Bytes>,
{
    let too_long = || (StatusCode::PAYLOAD_TOO_LARGE, format!("The body is longer than {limit} bytes"));
    let announced = body.size_hint().lower();
    if announced > limit as u64 {
        return Err(too_long());
    }
    let collecting = async {
        let mut body = std::pin::pin!(body);
        let mut first = Bytes::new();
        let mut rest: Option<BytesMut> = None;
        while let Some(frame) = body.as_mut().frame().await {
            let broken = |_| (StatusCode::BAD_REQUEST, "The body ended too early".to_owned());
            let Ok(data) = frame.map_err(broken)?.into_data() else { continue };
            if first.len() + rest.as_ref().map_or(0, BytesMut::len) + data.len() > limit {
                return Err(too_long());
            }
            match &mut rest {
                Some(rest) => rest.extend_from_slice(&data),
                None if first.is_empty() => first = data,
                None => {
                    let mut all = BytesMut::with_capacity((announced as usize).max(first.len() + data.len()));
                    all.extend_from_slice(&first);
                    all.extend_from_slice(&data);
                    first = Bytes::new();
                    rest = Some(all);
                }
            }
        }
        Ok(rest.map_or(first, BytesMut::freeze))
    };
    // Most bodies have arrived with their headers: the timer is for those that have not.
    let mut collecting = std::pin::pin!(collecting);
    if let Poll::Ready(collected) = std::future::poll_fn(|cx| Poll::Ready(collecting.as_mut().poll(cx))).await {
        return collected;
    }
    let slow = |_| (StatusCode::REQUEST_TIMEOUT, "The body took too long to arrive".to_owned());
    Box::pin(timeout(time, collecting)).await.map_err(slow)?
}

/// The body of a response.
pub struct ResponseBody(Kind);

enum Kind {
    Document(Bytes),
    Events(Box<Events>),
}

struct Events {
    server: Server,
    source: Box<dyn EventStream>,
    interval: Duration,
    timer: Pin<Box<Sleep>>,
    /// Ready when the listener ends.
    ending: Pin<Box<dyn Future<Output = ()> + Send>>,
    /// Nothing was sent yet: clients and proxies want to see at once that the stream is there.
    fresh: bool,
    ended: bool,
}

impl ResponseBody {
    pub(super) fn empty() -> ResponseBody {
        ResponseBody::document(Bytes::new())
    }

    pub(super) fn document(text: Bytes) -> ResponseBody {
        ResponseBody(Kind::Document(text))
    }

    /// A stream that sends a comment whenever it has been silent for `interval`, and ends when `ending` is raised
    /// unless it ends by itself.
    pub(super) fn events(
        server: Server,
        source: Box<dyn EventStream>,
        interval: Duration,
        ending: Arc<Cancel>,
    ) -> ResponseBody {
        let timer = Box::pin(tokio::time::sleep(interval));
        let ending = Box::pin(async move { ending.wait().await });
        ResponseBody(Kind::Events(Box::new(Events {
            server,
            source,
            interval,
            timer,
            ending,
            fresh: true,
            ended: false,
        })))
    }
}

impl Events {
    fn poll_next(&mut self, cx: &mut Context<'_>) -> Poll<Option<Bytes>> {
        while !self.ended {
            let next = match self.source.poll_event(cx) {
                Poll::Pending if self.source.is_endless() && self.ending.as_mut().poll(cx).is_ready() => {
                    self.ended = true;
                    self.source.last_event()
                }
                Poll::Pending if self.fresh || self.timer.as_mut().poll(cx).is_ready() => Some(Event::Written(ALIVE)),
                Poll::Pending => return Poll::Pending,
                Poll::Ready(next) => next,
            };
            self.fresh = false;
            self.ended |= next.is_none();
            self.timer.as_mut().reset(tokio::time::Instant::now() + self.interval);
            if let Some(written) = next.and_then(|event| self.write(event)) {
                return Poll::Ready(Some(written));
            }
        }
        Poll::Ready(None)
    }

    /// The bytes of an event; `None` when a filter stopped it.
    fn write(&self, event: Event) -> Option<Bytes> {
        let (id, text) = match event {
            Event::Written(bytes) => return Some(bytes),
            Event::Message { id, text } => (id, self.server.filter_outgoing(text)?),
        };
        let mut bytes = BytesMut::with_capacity(text.len() + 64);
        if let Some(id) = id {
            bytes.extend_from_slice(b"id: ");
            bytes.extend_from_slice(id.as_bytes());
            bytes.extend_from_slice(b"\n");
        }
        bytes.extend_from_slice(b"event: message\ndata: ");
        bytes.extend_from_slice(&text);
        bytes.extend_from_slice(b"\n\n");
        Some(bytes.freeze())
    }
}

impl Body for ResponseBody {
    type Data = Bytes;
    type Error = std::convert::Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, std::convert::Infallible>>> {
        let next = match &mut self.0 {
            Kind::Document(text) if text.is_empty() => Poll::Ready(None),
            Kind::Document(text) => Poll::Ready(Some(std::mem::take(text))),
            Kind::Events(events) => events.poll_next(cx),
        };
        next.map(|data| data.map(|data| Ok(Frame::data(data))))
    }

    fn is_end_stream(&self) -> bool {
        match &self.0 {
            Kind::Document(text) => text.is_empty(),
            Kind::Events(events) => events.ended,
        }
    }

    fn size_hint(&self) -> SizeHint {
        match &self.0 {
            Kind::Document(text) => SizeHint::with_exact(text.len() as u64),
            Kind::Events(_) => SizeHint::default(),
        }
    }
}
