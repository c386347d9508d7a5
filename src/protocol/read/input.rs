//! Questions to the client.

use serde::de::{Deserialize, Deserializer, Error, MapAccess};

use super::{Member, Parts, ROLES, read, required};
use crate::json::{Kind, RawJson};
use crate::protocol::content::Role;
use crate::protocol::elicitation::ElicitRequest;
use crate::protocol::input::{InputRequest, InputRequired, Needs};
use crate::protocol::method::Method;
use crate::protocol::sampling::{CreateMessageRequest, SamplingContent, SamplingMessage};

impl<'de> Deserialize<'de> for ElicitRequest {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<ElicitRequest, D::Error> {
        read::<ElicitParts, D>(deserializer)
    }
}

#[derive(Default)]
struct ElicitParts {
    mode: Option<String>,
    message: Option<String>,
    requested_schema: Option<RawJson>,
    url: Option<String>,
}

impl<'de> Parts<'de> for ElicitParts {
    type Whole = ElicitRequest;
    const WHAT: &'static str = "the parameters of an elicitation";

    fn member<A: MapAccess<'de>>(&mut self, member: &mut Member<'_, 'de, A>) -> Result<(), A::Error> {
        match member.name() {
            "mode" => member.read(&mut self.mode, "\"form\" or \"url\""),
            "message" => member.read(&mut self.message, "a string"),
            "requestedSchema" => member.object(&mut self.requested_schema),
            "url" => member.read(&mut self.url, "a string"),
            _ => member.skip(),
        }
    }

    fn finish(self) -> Result<ElicitRequest, String> {
        let message = required(self.message, "message", "a string")?;
        match self.mode.as_deref() {
            // Revision 2025-06-18 has forms only, and no word for them.
            None | Some("form") => {
                let requested_schema = required(self.requested_schema, "requestedSchema", "an object")?;
                Ok(ElicitRequest::Form { message, requested_schema })
            }
            Some("url") => Ok(ElicitRequest::Url { message, url: required(self.url, "url", "a string")? }),
            Some(other) => Err(format!("\"mode\" must be \"form\" or \"url\", not {other:?}")),
        }
    }
}

impl<'de> Deserialize<'de> for CreateMessageRequest {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<CreateMessageRequest, D::Error> {
        read::<CreateMessageParts, D>(deserializer)
    }
}

#[derive(Default)]
struct CreateMessageParts {
    messages: Option<Vec<SamplingMessage>>,
    max_tokens: Option<u64>,
    system_prompt: Option<String>,
    include_context: Option<String>,
    temperature: Option<f64>,
    stop_sequences: Option<Vec<String>>,
    model_preferences: Option<RawJson>,
    metadata: Option<RawJson>,
    tools: Option<RawJson>,
    tool_choice: Option<RawJson>,
}

impl<'de> Parts<'de> for CreateMessageParts {
    type Whole = CreateMessageRequest;
    const WHAT: &'static str = "the parameters of a sampling request";

    fn member<A: MapAccess<'de>>(&mut self, member: &mut Member<'_, 'de, A>) -> Result<(), A::Error> {
        match member.name() {
            "messages" => member.read(&mut self.messages, "an array of messages"),
            "maxTokens" => member.whole(&mut self.max_tokens),
            "systemPrompt" => member.read(&mut self.system_prompt, "a string"),
            "includeContext" => member.read(&mut self.include_context, CONTEXTS),
            "temperature" => member.read(&mut self.temperature, "a number"),
            "stopSequences" => member.read(&mut self.stop_sequences, "an array of strings"),
            "modelPreferences" => member.object(&mut self.model_preferences),
            "metadata" => member.object(&mut self.metadata),
            "tools" => member.array(&mut self.tools),
            "toolChoice" => member.object(&mut self.tool_choice),
            _ => member.skip(),
        }
    }

    fn finish(self) -> Result<CreateMessageRequest, String> {
        const COUNT: &str = "a whole number up to 4294967295";
        if let Some(other) = self.include_context.as_deref()
            && !["none", "thisServer", "allServers"].contains(&other)
        {
            return Err(format!("\"includeContext\" must be {CONTEXTS}, not {other:?}"));
        }
        let max_tokens = required(self.max_tokens, "maxTokens", COUNT)?;
        Ok(CreateMessageRequest {
            messages: required(self.messages, "messages", "an array of messages")?,
            max_tokens: u32::try_from(max_tokens).map_err(|_| format!("\"maxTokens\" must be {COUNT}"))?,
            system_prompt: self.system_prompt,
            include_context: self.include_context,
            temperature: self.temperature,
            stop_sequences: self.stop_sequences.unwrap_or_default(),
            model_preferences: self.model_preferences,
            metadata: self.metadata,
            tools: self.tools,
            tool_choice: self.tool_choice,
        })
    }
}

const CONTEXTS: &str = "\"none\", \"thisServer\" or \"allServers\"";

impl<'de> Deserialize<'de> for SamplingMessage {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<SamplingMessage, D::Error> {
        read::<SamplingMessageParts, D>(deserializer)
    }
}

#[derive(Default)]
struct SamplingMessageParts {
    role: Option<Role>,
    content: Option<RawJson>,
}

impl<'de> Parts<'de> for SamplingMessageParts {
    type Whole = SamplingMessage;
    const WHAT: &'static str = "a message for a model";

    fn member<A: MapAccess<'de>>(&mut self, member: &mut Member<'_, 'de, A>) -> Result<(), A::Error> {
        match member.name() {
            "role" => member.read(&mut self.role, ROLES),
            "content" => member.json(&mut self.content),
            _ => member.skip(),
        }
    }

    fn finish(self) -> Result<SamplingMessage, String> {
        const WHAT: &str = "a content block or an array of them";
        let role = required(self.role, "role", ROLES)?;
        let content = required(self.content, "content", WHAT)?;
        let blocks = match content.kind() {
            Kind::Array => content.deserialize::<Vec<RawJson>>().map_err(|error| error.to_string())?,
            _ => vec![content],
        };
        let content: Result<Vec<SamplingContent>, String> = blocks.into_iter().map(read_block).collect();
        Ok(SamplingMessage { role, content: content.map_err(|error| format!("\"content\" must be {WHAT}: {error}"))? })
    }
}

/// A block that a model may read: one of the five kinds, or the use of a tool.
fn read_block(block: RawJson) -> Result<SamplingContent, String> {
    #[derive(serde::Deserialize)]
    struct Type {
        #[serde(default, rename = "type")]
        kind: Option<RawJson>,
    }
    let kind = block.deserialize::<Type>().ok().and_then(|Type { kind }| kind?.to_text());
    match kind.as_deref() {
        Some("tool_use" | "tool_result") => Ok(SamplingContent::Tool(block)),
        _ => block.deserialize().map(SamplingContent::Block).map_err(|error| error.to_string()),
    }
}

impl<'de> Deserialize<'de> for InputRequest {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<InputRequest, D::Error> {
        read::<InputRequestParts, D>(deserializer)
    }
}

/// The method may come after its parameters, so they are kept until it is known.
#[derive(Default)]
struct InputRequestParts {
    method: Option<String>,
    params: Option<RawJson>,
}

impl<'de> Parts<'de> for InputRequestParts {
    type Whole = InputRequest;
    const WHAT: &'static str = "a question to the client";

    fn member<A: MapAccess<'de>>(&mut self, member: &mut Member<'_, 'de, A>) -> Result<(), A::Error> {
        match member.name() {
            "method" => member.read(&mut self.method, METHODS),
            "params" => member.object(&mut self.params),
            _ => member.skip(),
        }
    }

    fn finish(self) -> Result<InputRequest, String> {
        fn params<T: serde::de::DeserializeOwned>(params: Option<RawJson>) -> Result<T, String> {
            let params = required(params, "params", "an object")?;
            params.deserialize().map_err(|error| format!("\"params\": {error}"))
        }
        let method = required(self.method, "method", METHODS)?;
        match Method::parse(method.as_bytes()) {
            Some(Method::Elicit) => params(self.params).map(InputRequest::Elicit),
            Some(Method::CreateMessage) => params(self.params).map(InputRequest::Sample),
            Some(Method::ListRoots) => Ok(InputRequest::ListRoots),
            _ => Err(format!("\"method\" must be {METHODS}, not {method:?}")),
        }
    }
}

const METHODS: &str = "\"elicitation/create\", \"sampling/createMessage\" or \"roots/list\"";

impl<'de> Deserialize<'de> for InputRequired {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<InputRequired, D::Error> {
        read::<InputRequiredParts, D>(deserializer)
    }
}

#[derive(Default)]
pub(super) struct InputRequiredParts {
    requests: Option<Requests>,
    state: Option<String>,
}

impl<'de> Parts<'de> for InputRequiredParts {
    type Whole = InputRequired;
    const WHAT: &'static str = "questions to the client";

    fn member<A: MapAccess<'de>>(&mut self, member: &mut Member<'_, 'de, A>) -> Result<(), A::Error> {
        match member.name() {
            "inputRequests" => member.read(&mut self.requests, "an object of questions by key"),
            "requestState" => member.read(&mut self.state, "a string"),
            _ => member.skip(),
        }
    }

    fn finish(self) -> Result<InputRequired, String> {
        let requests = self.requests.map(|Requests(requests)| requests).unwrap_or_default();
        if requests.is_empty() && self.state.is_none() {
            return Err("\"inputRequests\" or \"requestState\" is missing; it must be an object of questions by key, \
                        or a string"
                .into());
        }
        Ok(InputRequired(Box::new(Needs { requests, state: self.state, answers: Vec::new() })))
    }
}

/// Questions by key, in their order: a legacy client is asked in it.
struct Requests(Vec<(String, InputRequest)>);

impl<'de> Deserialize<'de> for Requests {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Requests, D::Error> {
        read::<RequestsParts, D>(deserializer)
    }
}

#[derive(Default)]
struct RequestsParts(Vec<(String, InputRequest)>);

impl<'de> Parts<'de> for RequestsParts {
    type Whole = Requests;
    const WHAT: &'static str = "questions by key";

    fn member<A: MapAccess<'de>>(&mut self, member: &mut Member<'_, 'de, A>) -> Result<(), A::Error> {
        let mut request = None;
        member.read(&mut request, "a question to the client")?;
        let key = member.name();
        if self.0.iter().any(|(other, _)| other == key) {
            return Err(A::Error::custom(format_args!("\"{key}\" occurs more than once")));
        }
        self.0.extend(request.map(|request| (key.to_owned(), request)));
        Ok(())
    }

    fn finish(self) -> Result<Requests, String> {
        Ok(Requests(self.0))
    }
}
