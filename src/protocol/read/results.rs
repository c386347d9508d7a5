//! Results. One that says `input_required` becomes the question, whatever it would have been.

use std::time::Duration;

use serde::de::{Deserialize, Deserializer, MapAccess};

use super::input::InputRequiredParts;
use super::{Member, Parts, read, required};
use crate::json::RawJson;
use crate::protocol::cache::{CacheHint, CacheScope};
use crate::protocol::completion::CompleteResult;
use crate::protocol::content::{Content, ResourceContents, Role};
use crate::protocol::input::InputRequired;
use crate::protocol::prompt::{GetPromptResult, PromptArgument, PromptMessage};
use crate::protocol::resource::ReadResourceResult;
use crate::protocol::tool::CallToolResult;

/// What every result may have beside its own members.
#[derive(Default)]
struct ResultParts {
    result_type: Option<String>,
    input: InputRequiredParts,
    meta: Option<RawJson>,
}

impl ResultParts {
    fn member<'de, A: MapAccess<'de>>(&mut self, member: &mut Member<'_, 'de, A>) -> Result<(), A::Error> {
        match member.name() {
            "resultType" => member.read(&mut self.result_type, TYPES),
            "_meta" => member.object(&mut self.meta),
            _ => self.input.member(member),
        }
    }

    /// The question in place of a result, if it is one. Without a type a result is complete.
    fn finish(self) -> Result<(Option<InputRequired>, Option<RawJson>), String> {
        match self.result_type.as_deref() {
            None | Some("complete") => Ok((None, self.meta)),
            Some("input_required") => Ok((Some(self.input.finish()?), self.meta)),
            Some(other) => Err(format!("\"resultType\" must be {TYPES}, not {other:?}")),
        }
    }
}

const TYPES: &str = "\"complete\" or \"input_required\"";

impl<'de> Deserialize<'de> for CallToolResult {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<CallToolResult, D::Error> {
        read::<CallToolParts, D>(deserializer)
    }
}

#[derive(Default)]
struct CallToolParts {
    content: Option<Vec<Content>>,
    structured_content: Option<RawJson>,
    is_error: Option<bool>,
    result: ResultParts,
}

impl<'de> Parts<'de> for CallToolParts {
    type Whole = CallToolResult;
    const WHAT: &'static str = "the result of a tool call";

    fn member<A: MapAccess<'de>>(&mut self, member: &mut Member<'_, 'de, A>) -> Result<(), A::Error> {
        match member.name() {
            "content" => member.read(&mut self.content, CONTENT),
            "structuredContent" => member.json(&mut self.structured_content),
            "isError" => member.read(&mut self.is_error, "true or false"),
            _ => self.result.member(member),
        }
    }

    fn finish(self) -> Result<CallToolResult, String> {
        let (input_required, meta) = self.result.finish()?;
        // The text of a structured result is the server's to add.
        let may_be_empty = input_required.is_some() || self.structured_content.is_some();
        let content = match self.content {
            None if may_be_empty => Vec::new(),
            content => required(content, "content", CONTENT)?,
        };
        Ok(CallToolResult {
            content,
            structured_content: self.structured_content,
            is_error: self.is_error.unwrap_or(false),
            meta,
            input_required,
        })
    }
}

const CONTENT: &str = "an array of content blocks";

impl<'de> Deserialize<'de> for ReadResourceResult {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<ReadResourceResult, D::Error> {
        read::<ReadResourceParts, D>(deserializer)
    }
}

#[derive(Default)]
struct ReadResourceParts {
    contents: Option<Vec<ResourceContents>>,
    ttl: Option<u64>,
    scope: Option<String>,
    result: ResultParts,
}

impl<'de> Parts<'de> for ReadResourceParts {
    type Whole = ReadResourceResult;
    const WHAT: &'static str = "the result of reading a resource";

    fn member<A: MapAccess<'de>>(&mut self, member: &mut Member<'_, 'de, A>) -> Result<(), A::Error> {
        match member.name() {
            "contents" => member.read(&mut self.contents, CONTENTS),
            "ttlMs" => member.whole(&mut self.ttl),
            "cacheScope" => member.read(&mut self.scope, SCOPES),
            _ => self.result.member(member),
        }
    }

    fn finish(self) -> Result<ReadResourceResult, String> {
        let (input_required, meta) = self.result.finish()?;
        let scope = match self.scope.as_deref() {
            None => None,
            Some("public") => Some(CacheScope::Public),
            Some("private") => Some(CacheScope::Private),
            Some(other) => return Err(format!("\"cacheScope\" must be {SCOPES}, not {other:?}")),
        };
        let cache = (self.ttl.is_some() || scope.is_some())
            .then(|| CacheHint { ttl: Duration::from_millis(self.ttl.unwrap_or(0)), scope: scope.unwrap_or_default() });
        let contents = match self.contents {
            None if input_required.is_some() => Vec::new(),
            contents => required(contents, "contents", CONTENTS)?,
        };
        Ok(ReadResourceResult { contents, cache, meta, input_required })
    }
}

const CONTENTS: &str = "an array of contents";
const SCOPES: &str = "\"public\" or \"private\"";

impl<'de> Deserialize<'de> for GetPromptResult {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<GetPromptResult, D::Error> {
        read::<GetPromptParts, D>(deserializer)
    }
}

#[derive(Default)]
struct GetPromptParts {
    description: Option<String>,
    messages: Option<Vec<PromptMessage>>,
    result: ResultParts,
}

impl<'de> Parts<'de> for GetPromptParts {
    type Whole = GetPromptResult;
    const WHAT: &'static str = "the result of getting a prompt";

    fn member<A: MapAccess<'de>>(&mut self, member: &mut Member<'_, 'de, A>) -> Result<(), A::Error> {
        match member.name() {
            "description" => member.read(&mut self.description, "a string"),
            "messages" => member.read(&mut self.messages, MESSAGES),
            _ => self.result.member(member),
        }
    }

    fn finish(self) -> Result<GetPromptResult, String> {
        let (input_required, meta) = self.result.finish()?;
        let messages = match self.messages {
            None if input_required.is_some() => Vec::new(),
            messages => required(messages, "messages", MESSAGES)?,
        };
        Ok(GetPromptResult { description: self.description, messages, meta, input_required })
    }
}

const MESSAGES: &str = "an array of messages";

impl<'de> Deserialize<'de> for PromptMessage {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<PromptMessage, D::Error> {
        read::<PromptMessageParts, D>(deserializer)
    }
}

#[derive(Default)]
struct PromptMessageParts {
    role: Option<Role>,
    content: Option<Content>,
}

impl<'de> Parts<'de> for PromptMessageParts {
    type Whole = PromptMessage;
    const WHAT: &'static str = "a message of a prompt";

    fn member<A: MapAccess<'de>>(&mut self, member: &mut Member<'_, 'de, A>) -> Result<(), A::Error> {
        match member.name() {
            "role" => member.read(&mut self.role, super::ROLES),
            "content" => member.read(&mut self.content, "a content block"),
            _ => member.skip(),
        }
    }

    fn finish(self) -> Result<PromptMessage, String> {
        let role = required(self.role, "role", super::ROLES)?;
        Ok(PromptMessage { role, content: required(self.content, "content", "a content block")? })
    }
}

impl<'de> Deserialize<'de> for PromptArgument {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<PromptArgument, D::Error> {
        read::<PromptArgumentParts, D>(deserializer)
    }
}

#[derive(Default)]
struct PromptArgumentParts {
    name: Option<String>,
    title: Option<String>,
    description: Option<String>,
    required: Option<bool>,
}

impl<'de> Parts<'de> for PromptArgumentParts {
    type Whole = PromptArgument;
    const WHAT: &'static str = "an argument of a prompt";

    fn member<A: MapAccess<'de>>(&mut self, member: &mut Member<'_, 'de, A>) -> Result<(), A::Error> {
        match member.name() {
            "name" => member.read(&mut self.name, "a string"),
            "title" => member.read(&mut self.title, "a string"),
            "description" => member.read(&mut self.description, "a string"),
            "required" => member.read(&mut self.required, "true or false"),
            _ => member.skip(),
        }
    }

    fn finish(self) -> Result<PromptArgument, String> {
        let PromptArgumentParts { name, title, description, required: must } = self;
        let name = required(name, "name", "a string")?;
        Ok(PromptArgument { name, title, description, required: must.unwrap_or(false) })
    }
}

impl<'de> Deserialize<'de> for CompleteResult {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<CompleteResult, D::Error> {
        read::<CompleteParts, D>(deserializer)
    }
}

#[derive(Default)]
struct CompleteParts {
    completion: Option<Completion>,
}

impl<'de> Parts<'de> for CompleteParts {
    type Whole = CompleteResult;
    const WHAT: &'static str = "the result of a completion";

    fn member<A: MapAccess<'de>>(&mut self, member: &mut Member<'_, 'de, A>) -> Result<(), A::Error> {
        match member.name() {
            "completion" => member.read(&mut self.completion, "an object with the suggestions"),
            _ => member.skip(),
        }
    }

    fn finish(self) -> Result<CompleteResult, String> {
        required(self.completion, "completion", "an object with the suggestions").map(|Completion(result)| result)
    }
}

struct Completion(CompleteResult);

impl<'de> Deserialize<'de> for Completion {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Completion, D::Error> {
        read::<CompletionParts, D>(deserializer)
    }
}

#[derive(Default)]
struct CompletionParts {
    values: Option<Vec<String>>,
    total: Option<u64>,
    has_more: Option<bool>,
}

impl<'de> Parts<'de> for CompletionParts {
    type Whole = Completion;
    const WHAT: &'static str = "suggestions";

    fn member<A: MapAccess<'de>>(&mut self, member: &mut Member<'_, 'de, A>) -> Result<(), A::Error> {
        match member.name() {
            "values" => member.read(&mut self.values, "an array of strings"),
            "total" => member.whole(&mut self.total),
            "hasMore" => member.read(&mut self.has_more, "true or false"),
            _ => member.skip(),
        }
    }

    fn finish(self) -> Result<Completion, String> {
        let values = required(self.values, "values", "an array of strings")?;
        Ok(Completion(CompleteResult { values, total: self.total, has_more: self.has_more }))
    }
}
