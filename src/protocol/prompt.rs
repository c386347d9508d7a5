//! Prompts: how they are described, and what getting one returns.

use super::content::{Content, Role, write_meta};
use super::identity::{Icon, write_icons};
use super::input::InputRequired;
use super::version::{Feature, ProtocolVersion};
use crate::json::{JsonWriter, RawJson};

/// How a prompt is described to clients.
#[derive(Clone, Debug, Default)]
pub struct PromptOptions {
    pub(crate) title: Option<String>,
    pub(crate) description: Option<String>,
    pub(crate) arguments: Vec<PromptArgument>,
    pub(crate) icons: Vec<Icon>,
    pub(crate) meta: Option<RawJson>,
}

/// One argument of a prompt.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PromptArgument {
    /// Identifier.
    pub name: String,
    /// Name for people.
    pub title: Option<String>,
    /// What it is for.
    pub description: Option<String>,
    /// Whether the prompt can't be had without it.
    pub required: bool,
}

impl PromptArgument {
    /// An argument that may be left out.
    pub fn optional(name: impl Into<String>) -> PromptArgument {
        PromptArgument { name: name.into(), ..PromptArgument::default() }
    }

    /// An argument that must be given.
    pub fn required(name: impl Into<String>) -> PromptArgument {
        PromptArgument { required: true, ..PromptArgument::optional(name) }
    }

    /// Says what it is for.
    pub fn description(mut self, description: impl Into<String>) -> PromptArgument {
        self.description = Some(description.into());
        self
    }
}

impl PromptOptions {
    /// No arguments.
    pub fn new() -> PromptOptions {
        PromptOptions::default()
    }

    /// Name for people.
    pub fn title(mut self, title: impl Into<String>) -> PromptOptions {
        self.title = Some(title.into());
        self
    }

    /// What the prompt is for.
    pub fn description(mut self, description: impl Into<String>) -> PromptOptions {
        self.description = Some(description.into());
        self
    }

    /// Adds an argument.
    pub fn argument(mut self, argument: PromptArgument) -> PromptOptions {
        self.arguments.push(argument);
        self
    }

    /// Adds a picture.
    pub fn icon(mut self, icon: Icon) -> PromptOptions {
        self.icons.push(icon);
        self
    }

    /// `_meta` of the definition: a JSON object.
    pub fn meta(mut self, meta: impl Into<RawJson>) -> PromptOptions {
        self.meta = Some(meta.into());
        self
    }

    pub(crate) fn write(&self, w: &mut JsonWriter, name: &str, version: ProtocolVersion) {
        w.begin_object();
        w.string_member("name", name);
        if version.has(Feature::Titles) {
            w.optional_string("title", self.title.as_deref());
        }
        w.optional_string("description", self.description.as_deref());
        if !self.arguments.is_empty() {
            w.key("arguments");
            w.begin_array();
            for argument in &self.arguments {
                argument.write(w, version);
            }
            w.end_array();
        }
        write_icons(w, &self.icons, version);
        write_meta(w, self.meta.as_ref(), version);
        w.end_object();
    }
}

impl PromptArgument {
    fn write(&self, w: &mut JsonWriter, version: ProtocolVersion) {
        w.begin_object();
        w.string_member("name", &self.name);
        if version.has(Feature::Titles) {
            w.optional_string("title", self.title.as_deref());
        }
        w.optional_string("description", self.description.as_deref());
        w.value_member("required", &self.required);
        w.end_object();
    }
}

/// One message of a prompt.
#[derive(Clone, Debug, PartialEq)]
pub struct PromptMessage {
    /// Who speaks.
    pub role: Role,
    /// What is said.
    pub content: Content,
}

impl PromptMessage {
    /// Something that the person says.
    pub fn user(content: impl Into<Content>) -> PromptMessage {
        PromptMessage { role: Role::User, content: content.into() }
    }

    /// Something that the model says.
    pub fn assistant(content: impl Into<Content>) -> PromptMessage {
        PromptMessage { role: Role::Assistant, content: content.into() }
    }
}

/// What `prompts/get` returns.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GetPromptResult {
    /// What the prompt is for.
    pub description: Option<String>,
    /// The messages.
    pub messages: Vec<PromptMessage>,
    /// `_meta`: a JSON object.
    pub meta: Option<RawJson>,
    /// The client must first answer questions; everything else here is ignored then.
    pub input_required: Option<InputRequired>,
}

impl GetPromptResult {
    /// Messages.
    pub fn new(messages: impl IntoIterator<Item = PromptMessage>) -> GetPromptResult {
        GetPromptResult { messages: messages.into_iter().collect(), ..GetPromptResult::default() }
    }

    pub(crate) fn write_members(&self, w: &mut JsonWriter, version: ProtocolVersion) {
        w.optional_string("description", self.description.as_deref());
        w.key("messages");
        w.begin_array();
        for message in &self.messages {
            message.content.write_message(w, message.role, version);
        }
        w.end_array();
    }
}

impl From<PromptMessage> for GetPromptResult {
    fn from(message: PromptMessage) -> GetPromptResult {
        GetPromptResult::new([message])
    }
}
