//! What an era is told of an HTTP request, and what it answers: both before and after a transport has to do with it.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use http::{HeaderMap, HeaderValue, StatusCode};

use super::exchange::{Exchange, Work};
use crate::peer::EventStream;

/// A header that must not occur twice.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) enum Field<'a> {
    #[default]
    Absent,
    Once(&'a HeaderValue),
    Repeated,
}

impl<'a> Field<'a> {
    fn add(&mut self, value: &'a HeaderValue) {
        *self = match self {
            Field::Absent => Field::Once(value),
            Field::Once(_) | Field::Repeated => Field::Repeated,
        };
    }

    pub(crate) fn is_present(self) -> bool {
        !matches!(self, Field::Absent)
    }

    /// The value, if it occurs once and is text.
    pub(crate) fn text(self) -> Option<&'a str> {
        match self {
            Field::Once(value) => value.to_str().ok().map(str::trim),
            Field::Absent | Field::Repeated => None,
        }
    }
}

/// The headers that matter, found in one pass.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Fields<'a> {
    pub(crate) host: Field<'a>,
    pub(crate) origin: Field<'a>,
    pub(crate) accept: Field<'a>,
    pub(crate) content_type: Field<'a>,
    pub(crate) protocol_version: Field<'a>,
    pub(crate) method: Field<'a>,
    pub(crate) name: Field<'a>,
    pub(crate) session_id: Field<'a>,
    pub(crate) last_event_id: Field<'a>,
    /// Bytes of all names and values together.
    pub(crate) size: usize,
}

impl<'a> Fields<'a> {
    pub(crate) fn of(headers: &'a HeaderMap) -> Fields<'a> {
        let mut fields = Fields::default();
        for (name, value) in headers {
            fields.size += name.as_str().len() + value.len();
            let field = match name.as_str() {
                "host" => &mut fields.host,
                "origin" => &mut fields.origin,
                "accept" => &mut fields.accept,
                "content-type" => &mut fields.content_type,
                "mcp-protocol-version" => &mut fields.protocol_version,
                "mcp-method" => &mut fields.method,
                "mcp-name" => &mut fields.name,
                "mcp-session-id" => &mut fields.session_id,
                "last-event-id" => &mut fields.last_event_id,
                _ => continue,
            };
            field.add(value);
        }
        fields
    }
}

/// What an era needs to know of an HTTP request beside its message.
pub(crate) struct HttpHead<'a> {
    pub(crate) headers: &'a HeaderMap,
    pub(crate) fields: &'a Fields<'a>,
    /// The part of the URI behind the question mark.
    pub(crate) query: Option<&'a str>,
    pub(crate) accept: Accept,
    pub(crate) principal: Option<Arc<str>>,
}

/// What a client takes as an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Accept {
    pub(crate) json: bool,
    pub(crate) events: bool,
}

/// An answer, now or later.
pub(crate) enum Received {
    Reply(HttpReply),
    /// The request runs, and its client waits on the connection.
    Runs {
        work: Work,
        exchange: Option<Arc<Exchange>>,
        /// How long it may be silent before its answer becomes a stream.
        quiet: Duration,
        /// The status that goes with the code of an error.
        status: fn(i32) -> StatusCode,
    },
    /// The request runs on its own, and somebody waits for what becomes of it.
    Later(Pin<Box<dyn Future<Output = HttpReply> + Send>>),
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

impl From<HttpReply> for Received {
    fn from(reply: HttpReply) -> Received {
        Received::Reply(reply)
    }
}
