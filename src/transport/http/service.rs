//! One HTTP request: guarded, collected, handed to its era, answered. Usable as a `tower` or hyper service.

use std::convert::Infallible;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use bytes::Bytes;
use http::header::{ALLOW, CACHE_CONTROL, CONTENT_TYPE};
use http::{HeaderMap, HeaderName, HeaderValue, Method, Request, Response, StatusCode};
use http_body::Body;

use super::body::{ResponseBody, collect};
use super::guard::{Guard, allow_reading, allow_sending};
use super::negotiate::{Accept, is_json};
use super::options::{HttpOptions, Principal};
use crate::error::Error;
use crate::ingress::{self, Frame, Message, Reject};
use crate::json::RawJson;
use crate::protocol::id::RequestId;
use crate::protocol::version::{Era, ProtocolVersion};
use crate::server::Server;
use crate::server::call::Cancel;
use crate::server::http_reply::{HttpBody, HttpHead, HttpReply};
use crate::server::wire::error_response;

const PROTOCOL_VERSION: HeaderName = HeaderName::from_static("mcp-protocol-version");
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
        let guard = &self.0.guard;
        let origin = guard.cors_origin(request.headers());
        let mut response = match guard.check(&request) {
            Ok(()) => self.route(request).await,
            Err(text) => self.refuse(StatusCode::FORBIDDEN, None, Error::invalid_request(text)),
        };
        if guard.has_cors() {
            allow_reading(response.headers_mut(), origin);
        }
        response
    }

    /// Answers a request for a path that is not the endpoint.
    pub(super) fn not_found<B>(&self, request: &Request<B>) -> Response<ResponseBody> {
        match self.0.guard.check(request) {
            Ok(()) => {
                let text = format!("There is nothing at this path; the endpoint is {}", self.0.options.endpoint);
                self.refuse(StatusCode::NOT_FOUND, None, Error::invalid_request(text))
            }
            Err(text) => self.refuse(StatusCode::FORBIDDEN, None, Error::invalid_request(text)),
        }
    }

    /// Ends the streams that would go on for ever.
    pub(super) fn close_streams(&self) {
        self.0.ending.raise();
    }

    async fn route<B>(&self, request: Request<B>) -> Response<ResponseBody>
    where
        B: Body<Data = Bytes>,
    {
        match *request.method() {
            Method::POST => self.post(request).await,
            #[cfg(feature = "legacy")]
            Method::GET if self.speaks_legacy() => self.legacy_without_body(request, |legacy, head| legacy.get(head)),
            #[cfg(feature = "legacy")]
            Method::DELETE if self.speaks_legacy() => {
                self.legacy_without_body(request, |legacy, head| legacy.delete(head))
            }
            Method::OPTIONS if self.0.guard.has_cors() => {
                let mut response = self.finish(HttpReply::empty(StatusCode::NO_CONTENT));
                allow_sending(response.headers_mut(), request.headers());
                response
            }
            _ => self.method_not_allowed(),
        }
    }

    fn speaks_legacy(&self) -> bool {
        self.0.server.options().versions.iter().any(|version| !version.is_modern())
    }

    fn method_not_allowed(&self) -> Response<ResponseBody> {
        let error = Error::invalid_request("This method is not allowed here; messages are sent with POST");
        self.refuse(StatusCode::METHOD_NOT_ALLOWED, None, error)
    }

    async fn post<B>(&self, request: Request<B>) -> Response<ResponseBody>
    where
        B: Body<Data = Bytes>,
    {
        let (parts, body) = request.into_parts();
        if !is_json(&parts.headers) {
            let error = Error::invalid_request("Content-Type must be application/json, in UTF-8");
            return self.refuse(StatusCode::UNSUPPORTED_MEDIA_TYPE, None, error);
        }
        let accept = Accept::of(&parts.headers);
        if !accept.json && !accept.events {
            let error = Error::invalid_request("Accept must allow application/json or text/event-stream");
            return self.refuse(StatusCode::NOT_ACCEPTABLE, None, error);
        }
        let limits = &self.0.options.limits;
        let text = match collect(body, limits.max_body_bytes, limits.body_timeout).await {
            Ok(text) => text,
            Err((status, text)) => return self.refuse(status, None, Error::invalid_request(text)),
        };
        let head = HttpHead {
            headers: &parts.headers,
            query: parts.uri.query(),
            accepts_json: accept.json,
            accepts_events: accept.events,
            principal: parts.extensions.get::<Principal>().map(|principal| principal.0.clone()),
        };
        self.receive(head, text).await
    }

    async fn receive(&self, head: HttpHead<'_>, text: Bytes) -> Response<ResponseBody> {
        let options = self.0.server.options();
        let text = match self.filter(text) {
            Ok(text) => text,
            Err(response) => return response,
        };
        match ingress::read(&text, options.limits.max_batch) {
            Err(reject) | Ok(Frame::Single(Err(reject))) => {
                self.refuse(StatusCode::BAD_REQUEST, reject.id.as_ref(), reject.error)
            }
            Ok(Frame::Single(Ok(message))) => {
                self.observe(&text, &message);
                self.dispatch(head, message).await
            }
            Ok(Frame::Batch(messages)) => self.batch(head, messages).await,
        }
    }

    fn filter(&self, text: Bytes) -> Result<Bytes, Response<ResponseBody>> {
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
            _ => self.finish(HttpReply::empty(StatusCode::ACCEPTED)),
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

    async fn dispatch(&self, head: HttpHead<'_>, message: Message) -> Response<ResponseBody> {
        let stated = head.headers.get(PROTOCOL_VERSION).and_then(|version| version.to_str().ok()?.trim().parse().ok());
        let era = match &message {
            _ if self.is_for_sse(&head) => Era::Legacy,
            Message::Request(request) => ingress::era(&request.method, &request.params, stated),
            Message::Notification(notification) => ingress::era(&notification.method, &notification.params, stated),
            Message::Response(_) => stated.map_or(Era::Legacy, ProtocolVersion::era),
        };
        match era {
            Era::Modern => self.modern(head, message).await,
            Era::Legacy => self.legacy(head, message).await,
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
    async fn legacy(&self, head: HttpHead<'_>, message: Message) -> Response<ResponseBody> {
        let reply = self.0.legacy.post(head, message).await;
        self.finish(reply)
    }

    #[cfg(not(feature = "legacy"))]
    async fn legacy(&self, head: HttpHead<'_>, message: Message) -> Response<ResponseBody> {
        // Only the gate of the modern era is there: it says what is missing.
        self.modern(head, message).await
    }

    #[cfg(feature = "legacy")]
    async fn batch(
        &self,
        head: HttpHead<'_>,
        messages: Option<Vec<Result<Message, Reject>>>,
    ) -> Response<ResponseBody> {
        let reply = self.0.legacy.post_batch(head, messages).await;
        self.finish(reply)
    }

    #[cfg(not(feature = "legacy"))]
    async fn batch(&self, _: HttpHead<'_>, _: Option<Vec<Result<Message, Reject>>>) -> Response<ResponseBody> {
        let error = Error::invalid_request("A message must be a JSON object: this protocol version has no batches");
        self.refuse(StatusCode::BAD_REQUEST, None, error)
    }

    #[cfg(feature = "legacy")]
    fn legacy_without_body<B>(
        &self,
        request: Request<B>,
        serve: impl FnOnce(&crate::legacy::http::LegacyHttp, HttpHead<'_>) -> HttpReply,
    ) -> Response<ResponseBody> {
        let accept = Accept::of(request.headers());
        let head = HttpHead {
            headers: request.headers(),
            query: request.uri().query(),
            accepts_json: accept.json,
            accepts_events: accept.events,
            principal: request.extensions().get::<Principal>().map(|principal| principal.0.clone()),
        };
        self.finish(serve(&self.0.legacy, head))
    }

    #[cfg(feature = "modern")]
    async fn modern(&self, head: HttpHead<'_>, message: Message) -> Response<ResponseBody> {
        match message {
            Message::Request(request) => {
                let reply = crate::modern::http::post(&self.0.server, head, request, self.0.options.keep_alive).await;
                self.finish(reply)
            }
            Message::Notification(_) => self.finish(HttpReply::empty(StatusCode::ACCEPTED)),
            Message::Response(_) => {
                let error = Error::invalid_request("Clients of this protocol version send no responses");
                self.refuse(StatusCode::BAD_REQUEST, None, error)
            }
        }
    }

    #[cfg(not(feature = "modern"))]
    async fn modern(&self, head: HttpHead<'_>, message: Message) -> Response<ResponseBody> {
        self.legacy(head, message).await
    }

    fn refuse(&self, status: StatusCode, id: Option<&RequestId>, error: Error) -> Response<ResponseBody> {
        self.0.server.options().events.error(&error);
        let text = error_response(id.map(RequestId::as_raw), &error);
        self.finish(HttpReply::json(status, text))
    }

    /// Turns an answer into a response.
    fn finish(&self, mut reply: HttpReply) -> Response<ResponseBody> {
        let mut headers = HeaderMap::with_capacity(4);
        let body = match reply.body {
            HttpBody::Empty => ResponseBody::empty(),
            HttpBody::Json(text) => {
                let text = self.0.server.filter_outgoing(text).unwrap_or_else(|| {
                    reply.status = StatusCode::FORBIDDEN;
                    let error = Error::internal("The answer was withheld by this server's policy");
                    error_response(None, &error)
                });
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
            let legacy = self.speaks_legacy() && !self.0.options.stateless;
            headers.insert(ALLOW, HeaderValue::from_static(if legacy { "GET, POST, DELETE" } else { "POST" }));
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
