//! The HTTP+SSE transport of revision 2024-11-05: a stream that carries all answers, and an address to post to.

use std::sync::Arc;
use std::task::{Context, Poll};

use http::{HeaderMap, StatusCode};

use super::{LegacyHttp, NO_SESSION};
use crate::error::Error;
use crate::ingress::{Message, Reject};
use crate::legacy::sessions::{HttpSession, SessionReader, Sessions};
use crate::peer::{Event, EventStream, Necessity, Outlet};
use crate::server::http_head::{Accept, Fields, HttpBody, HttpHead, HttpReply};

const SSE_QUERY: &str = "sessionId=";

impl LegacyHttp {
    /// Opens a stream of the HTTP+SSE transport: its first event is the address to post to.
    pub(super) fn open_sse(&self, principal: Option<Arc<str>>) -> HttpReply {
        let opened = self.sessions.open(principal).filter(|session| self.sessions.enter(session));
        let Some(session) = opened else { return self.too_many_sessions(None) };
        let endpoint = format!("event: endpoint\ndata: ?{SSE_QUERY}{}\n\n", session.id);
        let reader = session.read(session.general.read(), true);
        let first = Some(Event::Written(endpoint.into()));
        HttpReply::events(SseConnection { first, reader, id: session.id.clone(), sessions: self.sessions.clone() })
    }

    pub(super) fn post_to_sse(
        &self,
        id: &str,
        head: &HttpHead<'_>,
        messages: Vec<Result<Message, Reject>>,
    ) -> HttpReply {
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
    pub(super) fn take_for_sse(&self, session: &Arc<HttpSession>, messages: Vec<Result<Message, Reject>>) -> HttpReply {
        let head = HttpHead {
            headers: &HeaderMap::new(),
            fields: &Fields::default(),
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
}

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

/// The session that an address names.
pub(super) fn sse_session(query: &str) -> Option<&str> {
    query.split('&').find_map(|pair| pair.strip_prefix(SSE_QUERY))
}

fn is_request(message: &Result<Message, Reject>) -> bool {
    matches!(message, Ok(Message::Request(_)))
}
