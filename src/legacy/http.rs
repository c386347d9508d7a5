//! The legacy era over HTTP: Streamable HTTP with sessions, without them, and the HTTP+SSE transport of the first
//! revision on the same endpoint.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use bytes::Bytes;
use http::{HeaderMap, StatusCode};

use super::codec::error_answer;
use super::fulfil::serve;
use super::session::{Admitted, Session};
pub(crate) use super::sessions::SessionSettings;
use super::sessions::{HttpSession, SessionReader, Sessions};
use super::stream::{Progress, Replay, Stream};
use crate::error::{Error, code};
use crate::ingress::{Message, Reject, Request};
use crate::peer::{Event, EventStream, Necessity, Outlet};
use crate::protocol::id::RequestId;
use crate::protocol::method::Method;
use crate::protocol::version::{Feature, ProtocolVersion};
use crate::server::Server;
use crate::server::exchange::Exchange;
use crate::server::http_head::{Accept, Field, Fields, HttpBody, HttpHead, HttpReply, Received};
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

    /// Takes several messages in one array.
    pub(crate) fn post_batch(&self, head: &HttpHead<'_>, messages: Option<Vec<Result<Message, Reject>>>) -> Received {
        let session = match self.session(head) {
            Ok(session) => session,
            Err((status, text)) => return self.refuse(status, None, Error::invalid_request(text)).into(),
        };
        let version = session.as_ref().and_then(|session| session.session.version());
        let version = version.unwrap_or_else(|| stated_version(&head.fields).unwrap_or(ProtocolVersion::HTTP_DEFAULT));
        let limit = self.server.options().limits.max_batch;
        let bad = |text: String| self.refuse(StatusCode::BAD_REQUEST, None, Error::invalid_request(text)).into();
        match messages {
            _ if !version.has(Feature::Batches) => {
                bad(format!("A message must be a JSON object: protocol version {version} has no batches"))
            }
            None => bad(format!("A batch must not have more than {limit} messages")),
            Some(messages) if messages.is_empty() => bad("A batch must not be empty".into()),
            Some(messages) => match session {
                Some(session) if head.query.and_then(sse_session).is_some() => {
                    self.take_for_sse(&session, messages).into()
                }
                Some(session) => self.serve_batch(session, head, messages),
                None => self.serve_batch_alone(version, head, messages),
            },
        }
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
            let version = stated_version(&head.fields);
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

    fn initialize(&self, head: &HttpHead<'_>, request: Box<Request>) -> Received {
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
            let error = Error::internal("The server has too many sessions; try again later");
            return self.refuse(StatusCode::SERVICE_UNAVAILABLE, Some(&id), error).into();
        };
        match session.session.admit(request, head.principal.clone(), None) {
            Ok(Admitted::Answer(text)) => {
                self.sessions.enter(&session);
                HttpReply { session: Some(session.id.clone()), ..HttpReply::json(StatusCode::OK, text) }.into()
            }
            Ok(Admitted::Call(_)) => {
                self.refuse(StatusCode::OK, Some(&id), Error::internal("The handshake failed")).into()
            }
            Err(error) => self.refuse(StatusCode::OK, Some(&id), error).into(),
        }
    }

    /// Serves a request of a session. It goes on when the client's connection breaks.
    fn serve(&self, session: Arc<HttpSession>, head: &HttpHead<'_>, request: Box<Request>) -> Received {
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
        request: Box<Request>,
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
    fn serve_alone(&self, head: &HttpHead<'_>, request: Box<Request>) -> Received {
        let session = Session::detached(&self.server, Arc::default());
        if request.method.known != Some(Method::Initialize) {
            session.assume(stated_version(&head.fields).unwrap_or(ProtocolVersion::HTTP_DEFAULT));
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

    /// Serves a batch: one stream that ends when all its requests have their answers, or one array.
    fn serve_batch(
        &self,
        session: Arc<HttpSession>,
        head: &HttpHead<'_>,
        messages: Vec<Result<Message, Reject>>,
    ) -> Received {
        let stream = session.stream();
        let mut answers = Vec::new();
        let mut works = Vec::new();
        for message in messages {
            match message {
                Err(reject) => answers.push(self.refusal(reject.id.as_ref(), reject.error)),
                Ok(Message::Notification(notification)) => session.session.notify(&notification),
                Ok(Message::Response(response)) => session.session.respond(response),
                Ok(Message::Request(request)) if request.method.known == Some(Method::Initialize) => {
                    let error = Error::invalid_request("\"initialize\" must not be part of a batch");
                    answers.push(self.refusal(Some(&request.id), error));
                }
                Ok(Message::Request(request)) => match self.begin(&session, head, request, &stream) {
                    Ok(Ok(text)) => answers.push(text),
                    Ok(Err(work)) => works.push(work),
                    Err(HttpReply { body: HttpBody::Json(text), .. }) => answers.push(text),
                    Err(_) => {}
                },
            }
        }
        if answers.is_empty() && works.is_empty() {
            session.finish(&stream, None);
            return HttpReply::empty(StatusCode::ACCEPTED).into();
        }
        let work = async move {
            let served = futures_util::future::join_all(works).await;
            answers.extend(served.into_iter().flatten());
            Some(array(&answers))
        };
        self.run(session, head.accept, stream, Box::pin(work))
    }

    /// Serves a batch that has no session. It ends when the client's connection does.
    fn serve_batch_alone(
        &self,
        version: ProtocolVersion,
        head: &HttpHead<'_>,
        messages: Vec<Result<Message, Reject>>,
    ) -> Received {
        let session = Arc::new(Session::detached(&self.server, Arc::default()));
        session.assume(version);
        let exchange = head.accept.events.then(|| Exchange::new(self.server.options().limits.max_queued_bytes));
        let outlet = exchange.clone().map(|exchange| exchange as Arc<dyn Outlet>);
        let mut answers = Vec::new();
        let mut works: Vec<Work> = Vec::new();
        for message in messages {
            let request = match message {
                Ok(Message::Request(request)) => request,
                Ok(_) => continue,
                Err(reject) => {
                    answers.push(self.refusal(reject.id.as_ref(), reject.error));
                    continue;
                }
            };
            let id = request.id.clone();
            let admitted = match request.method.known {
                Some(Method::Initialize) => Err(Error::invalid_request("\"initialize\" must not be part of a batch")),
                _ => session.admit(request, head.principal.clone(), outlet.clone()),
            };
            match admitted {
                Err(error) => answers.push(self.refusal(Some(&id), error)),
                Ok(Admitted::Answer(text)) => answers.push(text),
                Ok(Admitted::Call(call)) => {
                    let session = session.clone();
                    works.push(Box::pin(async move { Some(serve(&session, call).await) }));
                }
            }
        }
        if answers.is_empty() && works.is_empty() {
            return HttpReply::empty(StatusCode::ACCEPTED).into();
        }
        let work = async move {
            answers.extend(futures_util::future::join_all(works).await.into_iter().flatten());
            Some(Answer { text: array(&answers), error: None })
        };
        Received::Runs { work: Box::pin(work), exchange, quiet: self.quiet, status: |_| StatusCode::OK }
    }

    /// Ends all sessions.
    pub(crate) fn close(&self) {
        self.sessions.close();
    }

    /// Opens a stream of the HTTP+SSE transport: its first event is the address to post to.
    fn open_sse(&self, principal: Option<Arc<str>>) -> HttpReply {
        let Some(session) = self.sessions.open(principal) else {
            let error = Error::internal("The server has too many sessions; try again later");
            return self.refuse(StatusCode::SERVICE_UNAVAILABLE, None, error);
        };
        self.sessions.enter(&session);
        let endpoint = format!("event: endpoint\ndata: ?{SSE_QUERY}{}\n\n", session.id);
        let reader = session.read(session.general.read(), true);
        let first = Some(Event::Written(endpoint.into()));
        HttpReply::events(SseConnection { first, reader, id: session.id.clone(), sessions: self.sessions.clone() })
    }

    fn post_to_sse(&self, id: &str, head: &HttpHead<'_>, messages: Vec<Result<Message, Reject>>) -> HttpReply {
        match self.sessions.find(id, head.principal.as_deref()) {
            // What asks for nothing is taken all the same: a client must be able to cancel.
            Some(session) if session.general.is_full() && messages.iter().any(is_request) => {
                let error = Error::internal("Too many answers wait to be read from the event stream");
                self.refuse(StatusCode::SERVICE_UNAVAILABLE, None, error)
            }
            Some(session) => self.take_for_sse(&session, messages),
            None => self.refuse(StatusCode::NOT_FOUND, None, Error::invalid_request(NO_SESSION)),
        }
    }

    /// Takes messages whose answers go to the stream.
    fn take_for_sse(&self, session: &Arc<HttpSession>, messages: Vec<Result<Message, Reject>>) -> HttpReply {
        let head = HttpHead {
            headers: &HeaderMap::new(),
            fields: Fields::default(),
            query: None,
            accept: Accept { json: false, events: true },
            principal: session.principal.clone(),
        };
        for message in messages {
            match message {
                Ok(Message::Notification(notification)) => session.session.notify(&notification),
                Ok(Message::Response(response)) => session.session.respond(response),
                Err(reject) => {
                    let text = self.refusal(reject.id.as_ref(), reject.error);
                    session.general.send(text, Necessity::Required);
                }
                Ok(Message::Request(request)) => match self.begin(session, &head, request, &session.general) {
                    Ok(Ok(text)) | Err(HttpReply { body: HttpBody::Json(text), .. }) => {
                        session.general.send(text, Necessity::Required);
                    }
                    Err(_) => {}
                    Ok(Err(work)) => {
                        let general = session.general.clone();
                        tokio::spawn(async move {
                            if let Some(text) = work.await {
                                general.send(text, Necessity::Required);
                            }
                        });
                    }
                },
            }
        }
        HttpReply::empty(StatusCode::ACCEPTED)
    }

    fn refuse(&self, status: StatusCode, id: Option<&RequestId>, error: Error) -> HttpReply {
        HttpReply::json(status, self.refusal(id, error))
    }

    fn refusal(&self, id: Option<&RequestId>, error: Error) -> Bytes {
        error_answer(&self.server, id.map(RequestId::as_raw), error)
    }
}

const SSE_QUERY: &str = "sessionId=";
const NO_SESSION: &str = "There is no such session: it has ended, or it belongs to another server; initialize again";
const UNSUPPORTED: Refusal =
    (StatusCode::BAD_REQUEST, "The header MCP-Protocol-Version names a version that this server does not support here");

/// A stream whose end is the end of its session.
struct SseConnection {
    first: Option<Event>,
    reader: SessionReader,
    id: Arc<str>,
    sessions: Arc<Sessions>,
}

impl EventStream for SseConnection {
    fn poll_event(&mut self, cx: &mut Context<'_>) -> Poll<Option<Event>> {
        match self.first.take() {
            Some(first) => Poll::Ready(Some(first)),
            None => self.reader.poll_event(cx),
        }
    }

    fn is_endless(&self) -> bool {
        true
    }
}

impl Drop for SseConnection {
    fn drop(&mut self) {
        self.sessions.remove(&self.id);
    }
}

fn sse_session(query: &str) -> Option<&str> {
    query.split('&').find_map(|pair| pair.strip_prefix(SSE_QUERY))
}

fn is_request(message: &Result<Message, Reject>) -> bool {
    matches!(message, Ok(Message::Request(_)))
}

fn stated_version(fields: &Fields<'_>) -> Option<ProtocolVersion> {
    fields.protocol_version.text()?.parse().ok().filter(|version: &ProtocolVersion| !version.is_modern())
}

fn parse_event_id(id: &str) -> Option<(u64, u64)> {
    let (stream, number) = id.split_once('_')?;
    Some((stream.parse().ok()?, number.parse().ok()?))
}

fn array(answers: &[Bytes]) -> Bytes {
    let mut text = Vec::with_capacity(answers.iter().map(|answer| answer.len() + 1).sum::<usize>() + 1);
    for answer in answers {
        text.push(if text.is_empty() { b'[' } else { b',' });
        text.extend_from_slice(answer);
    }
    text.push(b']');
    text.into()
}
