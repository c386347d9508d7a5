//! The whole work of the bare servers: read a modern `tools/call` of `echo`, write its answer.
//!
//! Knows one method and one tool, checks nothing else, and leaves the transport to its callers.

use std::borrow::Cow;
use std::fmt;

use serde::Deserialize;
use serde_json::value::RawValue;

#[derive(Deserialize)]
struct Call<'a> {
    jsonrpc: &'a str,
    #[serde(borrow)]
    id: &'a RawValue,
    method: &'a str,
    #[serde(borrow)]
    params: Params<'a>,
}

#[derive(Deserialize)]
struct Params<'a> {
    name: &'a str,
    #[serde(borrow)]
    arguments: Arguments<'a>,
}

#[derive(Deserialize)]
struct Arguments<'a> {
    #[serde(borrow)]
    text: Cow<'a, str>,
}

/// A message that is not a call of `echo`.
#[derive(Debug)]
pub struct NotAnEcho;

impl fmt::Display for NotAnEcho {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("not a tools/call of echo")
    }
}

impl std::error::Error for NotAnEcho {}

impl From<serde_json::Error> for NotAnEcho {
    fn from(_: serde_json::Error) -> Self {
        Self
    }
}

/// Appends the answer of `message` to `out`, without a line end.
///
/// # Errors
/// [`NotAnEcho`] for anything but a well-formed call of `echo`; `out` may then hold the beginning of an answer.
pub fn answer(message: &[u8], out: &mut Vec<u8>) -> Result<(), NotAnEcho> {
    let call: Call<'_> = serde_json::from_slice(message)?;
    if call.jsonrpc != "2.0" || call.method != "tools/call" || call.params.name != "echo" {
        return Err(NotAnEcho);
    }
    let text = call.params.arguments.text;
    out.reserve(text.len() + text.len() / 32 + 224);
    out.extend_from_slice(br#"{"jsonrpc":"2.0","id":"#);
    out.extend_from_slice(call.id.get().as_bytes());
    out.extend_from_slice(br#","result":{"resultType":"complete","content":[{"type":"text","text":"#);
    serde_json::to_writer(&mut *out, text.as_ref())?;
    out.extend_from_slice(br#"}],"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"echo","version":"0.1.0"}}}}"#);
    Ok(())
}

#[cfg(test)]
mod tests;
