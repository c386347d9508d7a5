//! The legacy era over HTTP: Streamable HTTP with sessions and without them; batches; and the HTTP+SSE transport of the
//! first revision on the same endpoint.

mod batch;
mod sse;

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use bytes::Bytes;
use http::StatusCode;

use sse::sse_session;

use super::codec::error_answer;
use super::fulfil::serve;
use super::session::{Admitted, Session};
pub(crate) use super::sessions::SessionSettings;
use super::sessions::{HttpSession, Sessions};
use super::stream::{Progress, Replay, Stream};
use crate::error::{Error, code};
use crate::ingress::{Message, Request};
use crate::peer::Outlet;
use crate::protocol::id::RequestId;
use crate::protocol::method::Method;
use crate::protocol::version::ProtocolVersion;
use crate::server::Server;
use crate::server::exchange::Exchange;
use crate::server::http_head::{Accept, Field, Fields, HttpHead, HttpReply, Received};
use crate::server::wire::Answer;

/// The legacy side of an endpoint.
pub(crate) struct LegacyHttp {
    server: Server,
    sessions: Arc<Sessions>,
    stateless: bool,
    get_streams: bool,
    /// How long a request may be silent before its answer becomes a stream.
    quiet: Duration,
}

type Work = Pin<Box<dyn Future<Output = Option<Bytes>> + Send>>;

/// Why a request is refused before its message is looked at.
type Refusal = (StatusCode, &'static str);

impl LegacyHttp {
    pub(crate) fn new(
        server: &Server,
        stateless: bool,
        get_streams: bool,
        quiet: Duration,
        settings: SessionSettings,
    ) -> LegacyHttp {
        let sessions = Sessions::new(server, settings);
        LegacyHttp { server: server.clone(), sessions, stateless, get_streams, quiet }
    }

    /// Whether a message was posted to the address that an HTTP+SSE stream announced.
    pub(crate) fn is_for_sse(query: Option<&str>) -> bool {
        query.is_some_and(|query| sse_session(query).is_some())
    }

    /// Takes one message.
    pub(crate) fn post(&self, head: &HttpHead<'_>, message: Message) -> Received {
        if let Some(id) = head.query.and_then(sse_session) {
            return self.post_to_sse(id, head, vec![Ok(message)]).into();
        }
        if let Message::Request(request) = message {
            if request.method.known == Some(Method::Initialize) {
                return self.initialize(head, request);
            }
            return match self.session(head) {
                Ok(Some(session)) => self.serve(session, head, request),
                Ok(None) => self.serve_alone(head, request),
                Err((status, text)) => self.refuse(status, Some(&request.id), Error::invalid_request(text)).into(),
            };
        }
        let reply = match (self.session(head), message) {
            (Err((status, text)), _) => self.refuse(status, None, Error::invalid_request(text)),
            (Ok(Some(session)), Message::Notification(notification)) => {
                session.session.notify(&notification);
                HttpReply::empty(StatusCode::ACCEPTED)
            }
            (Ok(Some(session)), Message::Response(response)) => {
                session.session.respond(response);
                HttpReply::empty(StatusCode::ACCEPTED)
            }
            (Ok(_), _) => HttpReply::empty(StatusCode::ACCEPTED),
        };
        reply.into()
    }

    /// Opens a stream for the client, or gives it back one that broke.
    pub(crate) fn get(&self, head: HttpHead<'_>) -> HttpReply {
        let fields = &head.fields;
        let bad = |status, text: &str| self.refuse(status, None, Error::invalid_request(text));
        if !self.get_streams || self.stateless {
            return bad(StatusCode::METHOD_NOT_ALLOWED, "This server offers no stream at this address");
        }
        if !head.accept.events {
            return bad(StatusCode::NOT_ACCEPTABLE, "The stream is text/event-stream: accept it");
        }
        let is_plain = !fields.session_id.is_present() && !fields.protocol_version.is_present();
        if is_plain && self.server.options().supports(ProtocolVersion::ALL[0]) {
            return self.open_sse(head.principal);
        }
        let session = match self.session(&head) {
            Ok(Some(session)) => session,
            Ok(None) => return bad(StatusCode::BAD_REQUEST, "The header Mcp-Session-Id is missing"),
            Err((status, text)) => return bad(status, text),
        };
        if !fields.last_event_id.is_present() {
            let reader = session.general.read();
            return HttpReply::events(session.read(reader, true));
        }
        let known = fields.last_event_id.text().and_then(parse_event_id).and_then(|(stream, after)| {
            if let Some(live) = session.find_stream(stream) {
                let reader = live.resume(after)?;
                return Some(HttpReply::events(session.read(reader, stream == 0)));
            }
            session.replay(stream, after).map(|events| HttpReply::events(Replay::new(stream, events)))
        });
        known.unwrap_or_else(|| {
            bad(StatusCode::BAD_REQUEST, "The header Last-Event-ID names no event that this session can resume after")
        })
    }

    /// Ends a session.
    pub(crate) fn delete(&self, head: HttpHead<'_>) -> HttpReply {
        if self.stateless {
            let error = Error::invalid_request("This server has no sessions");
            return self.refuse(StatusCode::METHOD_NOT_ALLOWED, None, error);
        }
        match self.session(&head) {
            Ok(Some(session)) if self.sessions.remove(&session.id) => HttpReply::empty(StatusCode::NO_CONTENT),
            Ok(_) => self.refuse(StatusCode::NOT_FOUND, None, Error::invalid_request(NO_SESSION)),
            Err((status, text)) => self.refuse(status, None, Error::invalid_request(text)),
        }
    }

    /// The session that a request names; `None` where there are no sessions.
    fn session(&self, head: &HttpHead<'_>) -> Result<Option<Arc<HttpSession>>, Refusal> {
        if head.fields.protocol_version.is_present() {
            let version = stated_version(head.fields);
            version.filter(|version| self.server.options().supports(*version)).ok_or(UNSUPPORTED)?;
        }
        if self.stateless {
            return Ok(None);
        }
        let id = match (head.fields.session_id, head.query.and_then(sse_session)) {
            (Field::Once(id), _) => id.to_str().map_err(|_| (StatusCode::NOT_FOUND, NO_SESSION))?,
            (Field::Absent, Some(id)) => id,
            (Field::Absent, None) => {
                return Err((
                    StatusCode::BAD_REQUEST,
                    "The header Mcp-Session-Id is missing: send \"initialize\" first, and the id that it returns with \
                     every further request",
                ));
            }
            (Field::Repeated, _) => {
                return Err((StatusCode::BAD_REQUEST, "The header Mcp-Session-Id occurs more than once"));
            }
        };
        self.sessions.find(id, head.principal.as_deref()).map(Some).ok_or((StatusCode::NOT_FOUND, NO_SESSION))
    }

    fn initialize(&self, head: &HttpHead<'_>, request: Request) -> Received {
        if self.stateless {
            return self.serve_alone(head, request);
        }
        let id = request.id.clone();
        if head.fields.session_id.is_present() {
            return match self.session(head) {
                Ok(Some(session)) => self.serve(session, head, request),
                Ok(None) => self.serve_alone(head, request),
                Err((status, text)) => self.refuse(status, Some(&id), Error::invalid_request(text)).into(),
            };
        }
        let Some(session) = self.sessions.open(head.principal.clone()) else {
            return self.too_many_sessions(Some(&id)).into();
        };
        match session.session.admit(request, head.principal.clone(), None) {
            Ok(Admitted::Answer(text)) => {
                if !self.sessions.enter(&session) {
                    return self.too_many_sessions(Some(&id)).into();
                }
                HttpReply { session: Some(session.id.clone()), ..HttpReply::json(StatusCode::OK, text) }.into()
            }
            Ok(Admitted::Call(_)) => {
                self.refuse(StatusCode::OK, Some(&id), Error::internal("The handshake failed")).into()
            }
            Err(error) => self.refuse(StatusCode::OK, Some(&id), error).into(),
        }
    }

    /// Serves a request of a session. It goes on when the client's connection breaks.
    fn serve(&self, session: Arc<HttpSession>, head: &HttpHead<'_>, request: Request) -> Received {
        let stream = session.stream();
        match self.begin(&session, head, request, &stream) {
            Err(reply) => {
                session.finish(&stream, None);
                reply.into()
            }
            Ok(Ok(text)) => {
                session.finish(&stream, None);
                HttpReply::json(StatusCode::OK, text).into()
            }
            Ok(Err(work)) => self.run(session, head.accept, stream, work),
        }
    }

    /// Admits a request: its answer, or its work; or the refusal.
    fn begin(
        &self,
        session: &Arc<HttpSession>,
        head: &HttpHead<'_>,
        request: Request,
        outlet: &Arc<Stream>,
    ) -> Result<Result<Bytes, Work>, HttpReply> {
        let id = request.id.clone();
        let outlet = head.accept.events.then(|| outlet.clone() as Arc<dyn Outlet>);
        let refuse = |status, error| self.refuse(status, Some(&id), error);
        let admitted = session.session.admit(request, head.principal.clone(), outlet);
        match admitted.map_err(|error| refuse(StatusCode::OK, error))? {
            Admitted::Answer(text) => Ok(Ok(text)),
            Admitted::Call(call) => {
                let limit = self.server.options().limits.max_in_flight;
                let entered = session.session.in_flight.enter(&call.state, limit);
                let entered = entered.map_err(|error| match error.code() {
                    code::INVALID_REQUEST => refuse(StatusCode::BAD_REQUEST, error),
                    _ => refuse(StatusCode::SERVICE_UNAVAILABLE, error),
                })?;
                let session = session.clone();
                Ok(Err(Box::pin(async move { entered.run(serve(&session.session, call)).await })))
            }
        }
    }

    fn run(&self, session: Arc<HttpSession>, accept: Accept, stream: Arc<Stream>, mut work: Work) -> Received {
        let quick = work.as_mut().poll(&mut Context::from_waker(std::task::Waker::noop()));
        match quick {
            Poll::Ready(answer) => session.finish(&stream, answer),
            Poll::Pending => {
                let (session, stream) = (session.clone(), stream.clone());
                tokio::spawn(async move {
                    let answer = work.await;
                    session.finish(&stream, answer);
                });
            }
        }
        let quiet = self.quiet;
        Received::Later(Box::pin(async move {
            let mut timer = std::pin::pin!(tokio::time::sleep(quiet));
            let progress = std::future::poll_fn(|cx| match stream.poll_progress(cx) {
                Poll::Pending if accept.events => timer.as_mut().poll(cx).map(|()| Progress::Streams),
                progress => progress,
            });
            match progress.await {
                Progress::Answered(Some(text)) => HttpReply::json(StatusCode::OK, text),
                Progress::Answered(None) => HttpReply::empty(StatusCode::ACCEPTED),
                Progress::Streams => HttpReply::events(session.read(stream.read(), false)),
            }
        }))
    }

    /// Serves a request that has no session. It ends when the client's connection does.
    fn serve_alone(&self, head: &HttpHead<'_>, request: Request) -> Received {
        let session = Session::detached(&self.server, Arc::default());
        if request.method.known != Some(Method::Initialize) {
            session.assume(stated_version(head.fields).unwrap_or(ProtocolVersion::HTTP_DEFAULT));
        }
        let id = request.id.clone();
        let exchange = head.accept.events.then(|| Exchange::new(self.server.options().limits.max_queued_bytes));
        let outlet = exchange.clone().map(|exchange| exchange as Arc<dyn Outlet>);
        match session.admit(request, head.principal.clone(), outlet) {
            Err(error) => self.refuse(StatusCode::OK, Some(&id), error).into(),
            Ok(Admitted::Answer(text)) => HttpReply::json(StatusCode::OK, text).into(),
            Ok(Admitted::Call(call)) => Received::Runs {
                work: Box::pin(async move { Some(Answer { text: serve(&session, call).await, error: None }) }),
                exchange,
                quiet: self.quiet,
                status: |_| StatusCode::OK,
            },
        }
    }

    /// Ends all sessions.
    pub(crate) fn close(&self) {
        self.sessions.close();
    }

    fn too_many_sessions(&self, id: Option<&RequestId>) -> HttpReply {
        let error = Error::internal("The server has too many sessions; try again later");
        self.refuse(StatusCode::SERVICE_UNAVAILABLE, id, error)
    }

    fn refuse(&self, status: StatusCode, id: Option<&RequestId>, error: Error) -> HttpReply {
        HttpReply::json(status, self.refusal(id, error))
    }

    fn refusal(&self, id: Option<&RequestId>, error: Error) -> Bytes {
        error_answer(&self.server, id.map(RequestId::as_raw), error)
    }
}

const NO_SESSION: &str = "There is no such session: it has ended, or it belongs to another server; initialize again";
const UNSUPPORTED: Refusal =
    (StatusCode::BAD_REQUEST, "The header MCP-Protocol-Version names a version that this server does not support here");

fn stated_version(fields: &Fields<'_>) -> Option<ProtocolVersion> {
    fields.protocol_version.text()?.parse().ok().filter(|version: &ProtocolVersion| !version.is_modern())
}

fn parse_event_id(id: &str) -> Option<(u64, u64)> {
    let (stream, number) = id.split_once('_')?;
    Some((stream.parse().ok()?, number.parse().ok()?))
}
