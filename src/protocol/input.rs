//! Input that a server needs from the client in the middle of a request.

use super::elicitation::ElicitRequest;
use super::method::Method;
use super::sampling::CreateMessageRequest;
use super::version::ProtocolVersion;
use crate::json::{JsonWriter, RawJson};

/// One thing that the client is asked for.
#[derive(Clone, Debug, PartialEq)]
pub enum InputRequest {
    /// Ask the person (`elicitation/create`).
    Elicit(ElicitRequest),
    /// Ask the client's model (`sampling/createMessage`).
    Sample(CreateMessageRequest),
    /// Ask for the client's roots (`roots/list`).
    ListRoots,
}

impl InputRequest {
    pub(crate) fn method(&self) -> Method {
        match self {
            InputRequest::Elicit(_) => Method::Elicit,
            InputRequest::Sample(_) => Method::CreateMessage,
            InputRequest::ListRoots => Method::ListRoots,
        }
    }

    /// Writes the question with its method.
    pub(crate) fn write(&self, w: &mut JsonWriter, version: ProtocolVersion) {
        w.begin_object();
        w.string_member("method", self.method().as_str());
        match self {
            InputRequest::Elicit(request) => {
                w.key("params");
                request.write_params(w, version, "");
            }
            InputRequest::Sample(request) => {
                w.key("params");
                request.write_params(w, version);
            }
            InputRequest::ListRoots => {}
        }
        w.end_object();
    }
}

impl From<ElicitRequest> for InputRequest {
    fn from(request: ElicitRequest) -> InputRequest {
        InputRequest::Elicit(request)
    }
}

impl From<CreateMessageRequest> for InputRequest {
    fn from(request: CreateMessageRequest) -> InputRequest {
        InputRequest::Sample(request)
    }
}

/// "I need answers before I can go on": what a handler returns in place of a result.
///
/// A modern client receives it and retries its request with the answers; a legacy client is asked with real requests and
/// the handler is called again. The handler finds the answers in `Context::input_responses` and its own state in
/// `Context::request_state`.
///
/// ```
/// use mcp::{ElicitRequest, InputRequired};
/// let question = ElicitRequest::form("Your name?", serde_json::json!({
///     "type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]
/// }));
/// let needed = InputRequired::new().request("name", question).state("step 1");
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct InputRequired(pub(crate) Box<Needs>);

/// What `InputRequired` holds: boxed, because the results that may be one are moved often and rarely are.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Needs {
    pub(crate) requests: Vec<(String, InputRequest)>,
    pub(crate) state: Option<String>,
    /// Answers to `Context::ask` that the sealed state must carry to the retry.
    pub(crate) answers: Vec<(String, RawJson)>,
}

impl InputRequired {
    /// Nothing asked yet. One request or a state at least must be added.
    pub fn new() -> InputRequired {
        InputRequired::default()
    }

    /// Adds a request under a key of the server's choice; a later one under the same key replaces it.
    pub fn request(mut self, key: impl Into<String>, request: impl Into<InputRequest>) -> InputRequired {
        let key = key.into();
        self.0.requests.retain(|(other, _)| *other != key);
        self.0.requests.push((key, request.into()));
        self
    }

    /// Sets the state that the retry brings back, unchanged and unread by the client.
    pub fn state(mut self, state: impl Into<String>) -> InputRequired {
        self.0.state = Some(state.into());
        self
    }
}
