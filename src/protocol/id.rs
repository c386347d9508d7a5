//! Request ids and progress tokens: a string or an integer, echoed exactly as it came.

use crate::error::Error;
use crate::json::{Kind, RawJson};

/// The id of a request, kept as the text that the client sent.
///
/// Two ids are equal when they have the same type and the same value, however a string is escaped.
#[derive(Clone, Debug)]
pub struct RequestId {
    raw: RawJson,
    /// The unescaped characters, where they differ from the raw text.
    unescaped: Option<Box<str>>,
}

/// Longest id in bytes; a longer one is refused rather than kept and echoed.
const MAX_LENGTH: usize = 1024;

impl RequestId {
    /// Takes a JSON value as an id.
    ///
    /// # Errors
    /// `-32600`: the value is neither a string nor an integer, or longer than 1,024 bytes.
    pub fn new(raw: RawJson) -> Result<RequestId, Error> {
        if raw.as_bytes().len() > MAX_LENGTH {
            return Err(Error::invalid_request(format!("\"id\" is longer than {MAX_LENGTH} bytes")));
        }
        if !is_string_or_integer(&raw) {
            return Err(Error::invalid_request("\"id\" must be a string or an integer"));
        }
        let is_escaped = raw.kind() == Kind::String && raw.as_bytes().contains(&b'\\');
        let unescaped = if is_escaped { raw.to_text().map(Into::into) } else { None };
        Ok(RequestId { raw, unescaped })
    }

    /// The id as it stands on the wire.
    pub fn as_raw(&self) -> &RawJson {
        &self.raw
    }

    fn key(&self) -> (bool, &[u8]) {
        match &self.unescaped {
            Some(text) => (true, text.as_bytes()),
            None => match self.raw.as_bytes() {
                [b'"', text @ .., b'"'] => (true, text),
                number => (false, number),
            },
        }
    }
}

impl PartialEq for RequestId {
    fn eq(&self, other: &RequestId) -> bool {
        self.key() == other.key()
    }
}

impl Eq for RequestId {}

impl std::hash::Hash for RequestId {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.key().hash(state);
    }
}

/// Whether a value may be an id or a progress token.
pub(crate) fn is_string_or_integer(raw: &RawJson) -> bool {
    match raw.kind() {
        Kind::String => true,
        Kind::Number => !raw.as_bytes().iter().any(|b| matches!(b, b'.' | b'e' | b'E')),
        _ => false,
    }
}
