//! One HTTP request: guarded, collected, handed to its era, answered. Usable as a `tower` or hyper service.

use std::convert::Infallible;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use bytes::Bytes;
use http::header::{ALLOW, CACHE_CONTROL, CONTENT_TYPE};
use http::request::Parts;
use http::{HeaderMap, HeaderName, HeaderValue, Method, Request, Response, StatusCode};
use http_body::Body;

use super::body::{ResponseBody, collect};
use super::guard::{Guard, allow_reading, allow_sending};
use super::negotiate::{accept, is_json};
use super::options::{HttpOptions, Principal};
use crate::error::Error;
use crate::ingress::{self, Frame, Message, Reject};
use crate::json::{Members, RawJson};
use crate::peer::{Event, EventStream};
use crate::protocol::id::RequestId;
use crate::protocol::version::{Era, ProtocolVersion};
use crate::server::Server;
use crate::server::call::Cancel;
use crate::server::exchange::{Begun, begin};
use crate::server::http_head::{Accept, Fields, HttpBody, HttpHead, HttpReply, Received};
use crate::server::wire::error_response;

const SESSION_ID: HeaderName = HeaderName::from_static("mcp-session-id");
const ACCEL_BUFFERING: HeaderName = HeaderName::from_static("x-accel-buffering");

/// The endpoint as a service: `tower::Service` for `http::Request`, to be mounted in axum or any hyper server. Cheap to
/// clone. It serves every path that is routed to it.
///
/// ```
/// # fn app(server: mcp::Server) -> axum::Router {
/// axum::Router::new().route_service("/mcp", server.http_service(mcp::HttpOptions::new()))
/// # }
/// ```
#[derive(Clone)]
pub struct HttpService(Arc<Shared>);

struct Shared {
    server: Server,
    options: HttpOptions,
    guard: Guard,
    /// Raised when streams are to end because their listener does.
    ending: Arc<Cancel>,
    #[cfg(feature = "legacy")]
    legacy: crate::legacy::http::LegacyHttp,
}

impl Server {
    /// The endpoint as a service to be mounted elsewhere. Unless the options allow other hosts, requests are served
    /// only when their `Host` is a loopback name. Host, port and path of the options are not used.
    pub fn http_service(&self, options: HttpOptions) -> HttpService {
        HttpService::new(self, options, true)
    }
}

impl HttpService {
    pub(super) fn new(server: &Server, options: HttpOptions, is_local: bool) -> HttpService {
        HttpService(Arc::new(Shared {
            guard: Guard::new(&options, is_local),
            #[cfg(feature = "legacy")]
            legacy: crate::legacy::http::LegacyHttp::new(
                server,
                options.stateless,
                options.legacy_sse,
                options.keep_alive,
                crate::legacy::http::SessionSettings {
                    max_sessions: options.limits.max_sessions,
                    idle_timeout: options.limits.session_idle_timeout,
                    retry: options.retry,
                    event_store: options.event_store.clone(),
                },
            ),
            ending: Arc::default(),
            server: server.clone(),
            options,
        }))
    }

    /// Answers one request.
    pub async fn respond<B>(&self, request: Request<B>) -> Response<ResponseBody>
    where
        B: Body<Data = Bytes>,
    {
        self.0.server.start_background();
        let (parts, body) = request.into_parts();
        let fields = Fields::of(&parts.headers);
        let guard = &self.0.guard;
        let (reply, accept) = match guard.check(&parts.uri, &fields) {
            Ok(()) if fields.size > self.0.options.limits.max_header_bytes => {
                let text = format!("The headers are longer than {} bytes", self.0.options.limits.max_header_bytes);
                let status = StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE;
                (self.refuse(status, None, Error::invalid_request(text)), EVERYTHING)
            }
            Ok(()) if parts.method == Method::POST => self.post(&parts, &fields, body).await,
            Ok(()) => (self.without_body(&parts, &fields), EVERYTHING),
            Err((status, text)) => (self.refuse(status, None, Error::invalid_request(text)), EVERYTHING),
        };
        let mut response = self.finish(reply, accept);
        self.add_cors(&mut response, &fields);
        if guard.has_cors() && parts.method == Method::OPTIONS {
            allow_sending(response.headers_mut(), &parts.headers);
        }
        response
    }

    fn add_cors(&self, response: &mut Response<ResponseBody>, fields: &Fields<'_>) {
        if self.0.guard.has_cors() {
            allow_reading(response.headers_mut(), self.0.guard.cors_origin(fields));
        }
    }

    /// Answers a request for a path that is not the endpoint.
    pub(super) fn not_found<B>(&self, request: &Request<B>) -> Response<ResponseBody> {
        let fields = Fields::of(request.headers());
        let (status, text) = match self.0.guard.check(request.uri(), &fields) {
            Ok(()) => {
                let text = format!("There is nothing at this path; the endpoint is {}", self.0.options.endpoint);
                (StatusCode::NOT_FOUND, text)
            }
            Err(refused) => refused,
        };
        let mut response = self.finish(self.refuse(status, None, Error::invalid_request(text)), EVERYTHING);
        self.add_cors(&mut response, &fields);
        response
    }

    /// Ends the sessions of legacy clients.
    pub(super) fn close_sessions(&self) {
        #[cfg(feature = "legacy")]
        self.0.legacy.close();
    }

    /// Ends the streams that would go on for ever.
    pub(super) fn close_streams(&self) {
        self.0.ending.raise();
    }

    fn without_body(&self, parts: &Parts, fields: &Fields<'_>) -> HttpReply {
        #[cfg(feature = "legacy")]
        if self.speaks_legacy() && matches!(parts.method, Method::GET | Method::DELETE) {
            let head = HttpHead {
                headers: &parts.headers,
                accept: accept(fields.accept, &parts.headers),
                fields,
                query: parts.uri.query(),
                principal: principal(parts),
            };
            let legacy = &self.0.legacy;
            return if parts.method == Method::GET { legacy.get(head) } else { legacy.delete(head) };
        }
        let _ = fields;
        if parts.method == Method::OPTIONS && self.0.guard.has_cors() {
            return HttpReply::empty(StatusCode::NO_CONTENT);
        }
        let error = Error::invalid_request("This method is not allowed here; messages are sent with POST");
        self.refuse(StatusCode::METHOD_NOT_ALLOWED, None, error)
    }

    fn speaks_legacy(&self) -> bool {
        self.0.server.options().versions.iter().any(|version| !version.is_modern())
    }

    async fn post<B>(&self, parts: &Parts, fields: &Fields<'_>, body: B) -> (HttpReply, Accept)
    where
        B: Body<Data = Bytes>,
    {
        let accept = accept(fields.accept, &parts.headers);
        let refuse = |status, text: String| (self.refuse(status, None, Error::invalid_request(text)), EVERYTHING);
        if !is_json(fields.content_type) {
            let text = "Content-Type must be application/json, in UTF-8".into();
            return refuse(StatusCode::UNSUPPORTED_MEDIA_TYPE, text);
        }
        if !accept.json && !accept.events {
            let text = "Accept must allow application/json or text/event-stream".into();
            return refuse(StatusCode::NOT_ACCEPTABLE, text);
        }
        let limits = &self.0.options.limits;
        let text = match collect(body, limits.max_body_bytes, limits.body_timeout).await {
            Ok(text) => text,
            Err((status, text)) => return refuse(status, text),
        };
        let head =
            HttpHead { headers: &parts.headers, fields, query: parts.uri.query(), accept, principal: principal(parts) };
        let reply = match self.receive(&head, text) {
            Received::Reply(reply) => reply,
            Received::Later(reply) => reply.await,
            Received::Runs { work, exchange, quiet, status } => match begin(work, exchange, quiet).await {
                Begun::Answer(Some(answer)) => {
                    HttpReply::json(answer.error.map_or(StatusCode::OK, status), answer.text)
                }
                Begun::Answer(None) => HttpReply::empty(StatusCode::ACCEPTED),
                Begun::Stream(stream) => HttpReply::events(stream),
            },
        };
        (reply, accept)
    }

    fn receive(&self, head: &HttpHead<'_>, text: Bytes) -> Received {
        let options = self.0.server.options();
        let text = match self.filter(text) {
            Ok(text) => text,
            Err(reply) => return reply.into(),
        };
        match ingress::read(&text, options.limits.max_batch) {
            Err(reject) | Ok(Frame::Single(Err(reject))) => {
                self.refuse(StatusCode::BAD_REQUEST, reject.id.as_ref(), reject.error).into()
            }
            Ok(Frame::Single(Ok(message))) => {
                self.observe(&text, &message);
                self.dispatch(head, message)
            }
            Ok(Frame::Batch(messages)) => self.batch(head, messages),
        }
    }

    fn filter(&self, text: Bytes) -> Result<Bytes, HttpReply> {
        let filters = &self.0.server.options().incoming_filters;
        if filters.is_empty() {
            return Ok(text);
        }
        // What is not JSON is no message yet; it is refused where it is read.
        let Ok(message) = RawJson::parse(text.clone()) else { return Ok(text) };
        if let Some(message) = filters.run(message) {
            return Ok(message.into_bytes());
        }
        Err(match ingress::read(&text, 0) {
            Ok(Frame::Single(Ok(Message::Request(request)))) => {
                let error = Error::invalid_request("The request was refused by this server's policy");
                self.refuse(StatusCode::FORBIDDEN, Some(&request.id), error)
            }
            _ => HttpReply::empty(StatusCode::ACCEPTED),
        })
    }

    fn observe(&self, text: &Bytes, message: &Message) {
        let events = &self.0.server.options().events;
        match message {
            Message::Request(request) => events.request(|| (request.method.to_text(), RawJson::trusted(text.clone()))),
            Message::Notification(notification) => {
                events.notification(|| (notification.method.to_text(), RawJson::trusted(text.clone())));
            }
            Message::Response(_) => {}
        }
    }

    fn dispatch(&self, head: &HttpHead<'_>, message: Message) -> Received {
        let stated = head.fields.protocol_version.text().and_then(|version| version.parse().ok());
        let era = match &message {
            _ if !self.speaks_legacy() => Era::Modern,
            _ if self.is_for_sse(head) => Era::Legacy,
            Message::Request(request) => ingress::era(&request.method, &request.params, stated),
            Message::Notification(notification) => ingress::era(&notification.method, &notification.params, stated),
            Message::Response(_) => stated.map_or(Era::Legacy, ProtocolVersion::era),
        };
        match era {
            Era::Modern => self.modern(head, message),
            Era::Legacy => self.legacy(head, message),
        }
    }

    #[cfg(feature = "legacy")]
    fn is_for_sse(&self, head: &HttpHead<'_>) -> bool {
        crate::legacy::http::LegacyHttp::is_for_sse(head.query)
    }

    #[cfg(not(feature = "legacy"))]
    fn is_for_sse(&self, _: &HttpHead<'_>) -> bool {
        false
    }

    #[cfg(feature = "legacy")]
    fn legacy(&self, head: &HttpHead<'_>, message: Message) -> Received {
        self.0.legacy.post(head, message)
    }

    #[cfg(not(feature = "legacy"))]
    fn legacy(&self, head: &HttpHead<'_>, message: Message) -> Received {
        // Only the gate of the modern era is there: it says what is missing.
        self.modern(head, message)
    }

    #[cfg(feature = "legacy")]
    fn batch(&self, head: &HttpHead<'_>, messages: Option<Vec<Result<Message, Reject>>>) -> Received {
        if self.speaks_legacy() { self.0.legacy.post_batch(head, messages) } else { self.no_batches() }
    }

    #[cfg(not(feature = "legacy"))]
    fn batch(&self, _: &HttpHead<'_>, _: Option<Vec<Result<Message, Reject>>>) -> Received {
        self.no_batches()
    }

    fn no_batches(&self) -> Received {
        let error = Error::invalid_request("A message must be a JSON object: this protocol version has no batches");
        self.refuse(StatusCode::BAD_REQUEST, None, error).into()
    }

    #[cfg(feature = "modern")]
    fn modern(&self, head: &HttpHead<'_>, message: Message) -> Received {
        match message {
            Message::Request(request) => {
                crate::modern::http::post(&self.0.server, head, request, self.0.options.keep_alive)
            }
            Message::Notification(_) => HttpReply::empty(StatusCode::ACCEPTED).into(),
            Message::Response(_) => {
                let error = Error::invalid_request("Clients of this protocol version send no responses");
                self.refuse(StatusCode::BAD_REQUEST, None, error).into()
            }
        }
    }

    #[cfg(not(feature = "modern"))]
    fn modern(&self, head: &HttpHead<'_>, message: Message) -> Received {
        self.legacy(head, message)
    }

    fn refuse(&self, status: StatusCode, id: Option<&RequestId>, error: Error) -> HttpReply {
        self.0.server.options().events.error(&error);
        HttpReply::json(status, error_response(id.map(RequestId::as_raw), &error))
    }

    /// An answer as it may leave: what a filter stops becomes an error.
    fn filter_outgoing(&self, text: Bytes, status: &mut StatusCode) -> Bytes {
        if self.0.server.options().outgoing_filters.is_empty() {
            return text;
        }
        self.0.server.filter_outgoing(text.clone()).unwrap_or_else(|| {
            *status = StatusCode::FORBIDDEN;
            let error = Error::internal("The answer was withheld by this server's policy");
            let id = Members::of(&RawJson::trusted(text)).and_then(|message| message.get("id").ok().flatten());
            error_response(id.as_ref(), &error)
        })
    }

    /// Turns an answer into a response: a document is sent as a stream of one event to those who take nothing else.
    fn finish(&self, mut reply: HttpReply, accept: Accept) -> Response<ResponseBody> {
        if let HttpBody::Json(text) = &mut reply.body
            && !accept.json
            && reply.status == StatusCode::OK
        {
            reply.body = HttpBody::Events(Box::new(Once(Some(std::mem::take(text)))));
        }
        let mut headers = HeaderMap::with_capacity(4);
        let body = match reply.body {
            HttpBody::Empty => ResponseBody::empty(),
            HttpBody::Json(text) => {
                let text = self.filter_outgoing(text, &mut reply.status);
                headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
                ResponseBody::document(text)
            }
            HttpBody::Events(source) => {
                headers.insert(CONTENT_TYPE, HeaderValue::from_static("text/event-stream"));
                headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-cache, no-transform"));
                headers.insert(ACCEL_BUFFERING, HeaderValue::from_static("no"));
                let shared = &self.0;
                ResponseBody::events(shared.server.clone(), source, shared.options.keep_alive, shared.ending.clone())
            }
        };
        if reply.status == StatusCode::METHOD_NOT_ALLOWED {
            let has_sessions = self.speaks_legacy() && !self.0.options.stateless;
            let methods = match (has_sessions, self.0.options.legacy_sse) {
                (true, true) => "GET, POST, DELETE",
                (true, false) => "POST, DELETE",
                (false, _) => "POST",
            };
            headers.insert(ALLOW, HeaderValue::from_static(methods));
        }
        if let Some(id) = reply.session.and_then(|id| HeaderValue::from_str(&id).ok()) {
            headers.insert(SESSION_ID, id);
        }
        let mut response = Response::new(body);
        *response.status_mut() = reply.status;
        *response.headers_mut() = headers;
        response
    }
}

const EVERYTHING: Accept = Accept { json: true, events: true };

fn principal(parts: &Parts) -> Option<Arc<str>> {
    parts.extensions.get::<Principal>().map(|principal| principal.0.clone())
}

/// A stream of one message.
struct Once(Option<Bytes>);

impl EventStream for Once {
    fn poll_event(&mut self, _: &mut Context<'_>) -> Poll<Option<Event>> {
        Poll::Ready(self.0.take().map(Event::message))
    }
}

impl<B> tower_service::Service<Request<B>> for HttpService
where
    B: Body<Data = Bytes> + Send + 'static,
    B::Error: Send,
{
    type Response = Response<ResponseBody>;
    type Error = Infallible;
    type Future = Pin<Box<dyn Future<Output = Result<Response<ResponseBody>, Infallible>> + Send>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request<B>) -> Self::Future {
        let service = self.clone();
        Box::pin(async move { Ok(service.respond(request).await) })
    }
}
