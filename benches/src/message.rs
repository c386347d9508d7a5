//! The requests that the load generator sends, and what their replies must hold.
//!
//! Each body carries an id of fixed width that can be rewritten in place, so a request is built once and every reply to
//! it has the same length. Knows no sockets.

use serde_json::{Value, json};

const BEFORE_ID: &str = r#"{"jsonrpc":"2.0","id":"#;
const FIRST_ID: u64 = 1_000_000_000;
const ID_DIGITS: usize = 10;
const PROTOCOL: &str = "2026-07-28";
const WORDS: [&str; 24] = [
    "the", "server", "answers", "a", "question", "of", "its", "client", "with", "some", "words", "that", "were",
    "sent", "before", "and", "nothing", "else", "is", "kept", "between", "two", "such", "requests",
];

/// A request, ready to be sent many times.
#[derive(Clone)]
pub struct Message {
    body: Vec<u8>,
    method: &'static str,
    tool: Option<String>,
    text: String,
    /// Whether the reply is the handle of a task.
    is_task: bool,
}

impl Message {
    /// A `tools/call` of `tool` with the one argument `text`.
    #[must_use]
    pub fn call(tool: &str, text: String) -> Self {
        let (name, arguments) = (json!(tool), json!({ "text": text }));
        let params = format!(r#"{{"_meta":{},"name":{name},"arguments":{arguments}}}"#, meta());
        let body = body("tools/call", &params);
        Self { body, method: "tools/call", tool: Some(tool.to_owned()), text, is_task: false }
    }

    /// Like `call`, from a client that takes tasks, of a tool that makes one of every call.
    #[must_use]
    pub fn task(tool: &str, text: String) -> Self {
        let (name, arguments) = (json!(tool), json!({ "text": text }));
        let mut meta = meta();
        meta["io.modelcontextprotocol/clientCapabilities"] =
            json!({ "extensions": { "io.modelcontextprotocol/tasks": {} } });
        let params = format!(r#"{{"_meta":{meta},"name":{name},"arguments":{arguments}}}"#);
        Self { body: body("tools/call", &params), is_task: true, ..Self::call(tool, text) }
    }

    /// A `tools/list` of the first page.
    #[must_use]
    pub fn list() -> Self {
        let params = format!(r#"{{"_meta":{}}}"#, meta());
        Self {
            body: body("tools/list", &params),
            method: "tools/list",
            tool: None,
            text: String::new(),
            is_task: false,
        }
    }

    /// A `subscriptions/listen` for changes of the tool list.
    #[must_use]
    pub fn listen() -> Self {
        let params = format!(r#"{{"_meta":{},"notifications":{{"toolsListChanged":true}}}}"#, meta());
        let method = "subscriptions/listen";
        Self { body: body(method, &params), method, tool: None, text: String::new(), is_task: false }
    }

    /// The JSON text, without a line end.
    #[must_use]
    pub fn body(&self) -> &[u8] {
        &self.body
    }

    /// The body as a complete HTTP/1.1 request, with the headers of a modern client.
    #[must_use]
    pub fn http(&self, authority: &str, path: &str) -> Vec<u8> {
        let name = self.tool.as_ref().map(|tool| format!("Mcp-Name: {tool}\r\n")).unwrap_or_default();
        let mut request = format!(
            "POST {path} HTTP/1.1\r\nHost: {authority}\r\nContent-Type: application/json\r\n\
             Accept: application/json, text/event-stream\r\nMCP-Protocol-Version: {PROTOCOL}\r\n\
             Mcp-Method: {}\r\n{name}Content-Length: {}\r\n\r\n",
            self.method,
            self.body.len(),
        )
        .into_bytes();
        request.extend_from_slice(&self.body);
        request
    }

    /// Whether the reply is a stream that stays open.
    #[must_use]
    pub fn is_listen(&self) -> bool {
        self.method == "subscriptions/listen"
    }

    /// Gives `bytes`, which end with this body and `after` more bytes, the id number `id`.
    pub fn set_id(&self, bytes: &mut [u8], after: usize, id: u64) {
        let start = bytes.len().saturating_sub(self.body.len() + after) + BEFORE_ID.len();
        let mut rest = FIRST_ID + id % FIRST_ID;
        for digit in bytes.iter_mut().skip(start).take(ID_DIGITS).rev() {
            *digit = b'0' + (rest % 10) as u8;
            rest /= 10;
        }
    }

    /// Tells whether `reply` is the right answer, whatever its id.
    ///
    /// # Errors
    /// What is wrong with it, with the beginning of the reply.
    pub fn check(&self, reply: &[u8]) -> Result<(), String> {
        let shown = || String::from_utf8_lossy(reply.get(..300).unwrap_or(reply)).into_owned();
        let value: Value = serde_json::from_slice(reply).map_err(|error| format!("{error}: {}", shown()))?;
        let right = match self.tool {
            Some(_) if self.is_task => value.pointer("/result/taskId").is_some_and(Value::is_string),
            Some(_) => value.pointer("/result/content/0/text").and_then(Value::as_str) == Some(self.text.as_str()),
            None => value.pointer("/result/tools/0/name").is_some_and(Value::is_string),
        };
        if right { Ok(()) } else { Err(format!("unexpected reply to {}: {}", self.method, shown())) }
    }
}

/// Words of `bytes` ASCII characters in all, the same at every call; every 200th character needs an escape in JSON.
#[must_use]
pub fn text(bytes: usize) -> String {
    let mut text = String::with_capacity(bytes + 16);
    let mut seed = 1_u32;
    while text.len() < bytes {
        seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        text.push_str(WORDS[(seed >> 16) as usize % WORDS.len()]);
        text.push(' ');
    }
    text.truncate(bytes);
    let escaped = |(at, character)| match at % 400 {
        50 => '"',
        250 => '\n',
        _ => character,
    };
    text.chars().enumerate().map(escaped).collect()
}

fn meta() -> Value {
    json!({
        "io.modelcontextprotocol/protocolVersion": PROTOCOL,
        "io.modelcontextprotocol/clientInfo": { "name": "load", "version": "0.1.0" },
        "io.modelcontextprotocol/clientCapabilities": {},
    })
}

fn body(method: &str, params: &str) -> Vec<u8> {
    format!(r#"{BEFORE_ID}{FIRST_ID},"method":"{method}","params":{params}}}"#).into_bytes()
}

#[cfg(test)]
mod tests;
