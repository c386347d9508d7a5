//! The JSON-RPC envelope of answers: what is the same for every revision.

use bytes::Bytes;

use crate::error::Error;
use crate::json::{JsonWriter, RawJson};

/// A complete response, with what a transport needs to know of it.
pub(crate) struct Answer {
    pub(crate) text: Bytes,
    /// The code of the error, where it is one.
    pub(crate) error: Option<i32>,
}

/// An error response. Without an id, the member is left out.
pub(crate) fn error_response(id: Option<&RawJson>, error: &Error) -> Bytes {
    let mut w = JsonWriter::with_capacity(160 + error.message().len());
    w.begin_object();
    w.string_member("jsonrpc", "2.0");
    w.optional_raw("id", id);
    w.key("error");
    error.write(&mut w);
    w.end_object();
    w.into_bytes()
}

/// The answers of a batch in one array.
#[cfg(feature = "legacy")]
pub(crate) fn array(answers: &[Bytes]) -> Bytes {
    let mut text = Vec::with_capacity(answers.iter().map(|answer| answer.len() + 1).sum::<usize>() + 1);
    for answer in answers {
        text.push(if text.is_empty() { b'[' } else { b',' });
        text.extend_from_slice(answer);
    }
    text.push(b']');
    text.into()
}
