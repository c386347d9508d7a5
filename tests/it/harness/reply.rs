//! The answer to a request.

use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

use super::mailbox::Received;

/// What a server answered, with shortcuts to what tests look at. They panic, with the whole answer, when it is not there.
#[derive(Clone, Debug)]
pub(crate) struct Reply {
    /// The message as it was on the wire.
    pub(crate) wire: String,
    pub(crate) value: Value,
    /// The status of HTTP, on such legs.
    pub(crate) status: Option<u16>,
}

impl From<Received> for Reply {
    fn from(received: Received) -> Reply {
        Reply { wire: received.wire, value: received.value, status: received.status }
    }
}

impl Reply {
    /// The result.
    pub(crate) fn result(&self) -> &Value {
        self.value.get("result").unwrap_or_else(|| panic!("not a result: {}", self.wire))
    }

    /// The error object.
    pub(crate) fn error(&self) -> &Value {
        self.value.get("error").unwrap_or_else(|| panic!("not an error: {}", self.wire))
    }

    /// The code of the error.
    pub(crate) fn code(&self) -> i64 {
        self.error()["code"].as_i64().unwrap_or_else(|| panic!("no code: {}", self.wire))
    }

    /// The text of the error.
    pub(crate) fn message(&self) -> &str {
        self.error()["message"].as_str().unwrap_or_else(|| panic!("no message: {}", self.wire))
    }

    /// The text of the first block of content.
    pub(crate) fn text(&self) -> &str {
        let text = self.result()["content"][0]["text"].as_str();
        text.unwrap_or_else(|| panic!("no text: {}", self.wire))
    }

    /// The text of a tool's failure: a result with `isError`.
    pub(crate) fn tool_error(&self) -> &str {
        assert_eq!(self.result()["isError"], true, "not a failed tool: {}", self.wire);
        self.text()
    }

    pub(crate) fn is_error(&self) -> bool {
        self.value.get("error").is_some()
    }

    /// The id as it stands on the wire.
    pub(crate) fn raw_id(&self) -> String {
        raw_id(&self.wire).unwrap_or_else(|| panic!("no id: {}", self.wire))
    }

    /// The names of the entries of a list result.
    pub(crate) fn names(&self, list: &str) -> Vec<String> {
        let entries = self.result()[list].as_array().unwrap_or_else(|| panic!("no {list}: {}", self.wire));
        entries.iter().map(|entry| entry["name"].as_str().unwrap().to_owned()).collect()
    }

    /// Fails unless this is an error of the code; its text must say something.
    #[track_caller]
    pub(crate) fn expect_code(&self, code: i64) -> &Reply {
        assert_eq!(self.code(), code, "{}", self.wire);
        assert!(self.message().len() > 5, "the text says nothing: {}", self.wire);
        self
    }
}

/// The `id` of a message exactly as it was written.
pub(super) fn raw_id(wire: &str) -> Option<String> {
    #[derive(Deserialize)]
    struct Message<'a> {
        #[serde(borrow)]
        id: Option<&'a RawValue>,
    }
    let message: Message<'_> = serde_json::from_str(wire).ok()?;
    message.id.map(|id| id.get().to_owned())
}
