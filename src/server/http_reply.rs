//! What an era answers over HTTP, before a transport turns it into a response.

use std::sync::Arc;

use bytes::Bytes;
use http::{HeaderMap, StatusCode};

use crate::peer::EventStream;

/// What an era needs to know of an HTTP request beside its message.
pub(crate) struct HttpHead<'a> {
    pub(crate) headers: &'a HeaderMap,
    /// The part of the URI behind the question mark.
    pub(crate) query: Option<&'a str>,
    pub(crate) accepts_json: bool,
    pub(crate) accepts_events: bool,
    pub(crate) principal: Option<Arc<str>>,
}

/// An answer.
pub(crate) struct HttpReply {
    pub(crate) status: StatusCode,
    /// The id of a session that was opened.
    pub(crate) session: Option<Arc<str>>,
    pub(crate) body: HttpBody,
}

/// The body of an answer.
pub(crate) enum HttpBody {
    Empty,
    Json(Bytes),
    Events(Box<dyn EventStream>),
}

impl HttpReply {
    pub(crate) fn empty(status: StatusCode) -> HttpReply {
        HttpReply { status, session: None, body: HttpBody::Empty }
    }

    pub(crate) fn json(status: StatusCode, text: Bytes) -> HttpReply {
        HttpReply { status, session: None, body: HttpBody::Json(text) }
    }

    pub(crate) fn events(source: impl EventStream + 'static) -> HttpReply {
        HttpReply { status: StatusCode::OK, session: None, body: HttpBody::Events(Box::new(source)) }
    }
}
