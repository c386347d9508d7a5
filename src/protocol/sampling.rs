//! Asking the client's model.

use serde::Deserialize;

use super::content::{Content, Role};
use super::version::{Feature, ProtocolVersion};
use crate::json::{JsonWriter, RawJson};

/// A request to the client's model.
///
/// ```
/// let request = mcp::CreateMessageRequest::new(100).user("What is the capital of France?");
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct CreateMessageRequest {
    /// The conversation.
    pub messages: Vec<SamplingMessage>,
    /// Most tokens that the answer may have.
    pub max_tokens: u32,
    /// System prompt.
    pub system_prompt: Option<String>,
    /// Whose context the client may add: `none`, or with a client that declared `sampling.context` `thisServer` or
    /// `allServers`.
    pub include_context: Option<String>,
    /// Temperature.
    pub temperature: Option<f64>,
    /// Texts that end the answer.
    pub stop_sequences: Vec<String>,
    /// Which model is preferred: a JSON object.
    pub model_preferences: Option<RawJson>,
    /// For the provider: a JSON object.
    pub metadata: Option<RawJson>,
    /// Tools that the model may use: a JSON array. Needs a client that declared `sampling.tools`.
    pub tools: Option<RawJson>,
    /// How the model may use them: a JSON object.
    pub tool_choice: Option<RawJson>,
}

/// One message of the conversation.
#[derive(Clone, Debug, PartialEq)]
pub struct SamplingMessage {
    /// Who speaks.
    pub role: Role,
    /// What is said, in blocks. A client before revision 2025-11-25 receives a message for each of them.
    pub content: Vec<SamplingContent>,
}

/// One block of a message of the conversation.
#[derive(Clone, Debug, PartialEq)]
pub enum SamplingContent {
    /// Text, a picture, sound.
    Block(Content),
    /// A `tool_use` or `tool_result` block, as it is on the wire. Needs a client that declared `sampling.tools`.
    Tool(RawJson),
}

impl From<Content> for SamplingContent {
    fn from(content: Content) -> SamplingContent {
        SamplingContent::Block(content)
    }
}

impl SamplingMessage {
    /// A message of one block.
    pub fn new(role: Role, content: impl Into<Content>) -> SamplingMessage {
        SamplingMessage { role, content: vec![SamplingContent::Block(content.into())] }
    }

    fn write(&self, w: &mut JsonWriter, version: ProtocolVersion) {
        match &*self.content {
            [block] => self.write_blocks(w, |w| block.write(w, version)),
            blocks if version.has(Feature::SamplingTools) => self.write_blocks(w, |w| {
                w.begin_array();
                blocks.iter().for_each(|block| block.write(w, version));
                w.end_array();
            }),
            blocks => blocks.iter().for_each(|block| self.write_blocks(w, |w| block.write(w, version))),
        }
    }

    fn write_blocks(&self, w: &mut JsonWriter, blocks: impl FnOnce(&mut JsonWriter)) {
        w.begin_object();
        w.value_member("role", &self.role);
        w.key("content");
        blocks(w);
        w.end_object();
    }
}

impl SamplingContent {
    fn write(&self, w: &mut JsonWriter, version: ProtocolVersion) {
        match self {
            SamplingContent::Block(content) => content.write(w, version),
            SamplingContent::Tool(block) => w.raw(block),
        }
    }
}

impl CreateMessageRequest {
    /// A request without messages yet.
    pub fn new(max_tokens: u32) -> CreateMessageRequest {
        CreateMessageRequest {
            messages: Vec::new(),
            max_tokens,
            system_prompt: None,
            include_context: None,
            temperature: None,
            stop_sequences: Vec::new(),
            model_preferences: None,
            metadata: None,
            tools: None,
            tool_choice: None,
        }
    }

    /// Adds something that the person says.
    pub fn user(mut self, content: impl Into<Content>) -> CreateMessageRequest {
        self.messages.push(SamplingMessage::new(Role::User, content));
        self
    }

    /// Adds something that the model says.
    pub fn assistant(mut self, content: impl Into<Content>) -> CreateMessageRequest {
        self.messages.push(SamplingMessage::new(Role::Assistant, content));
        self
    }

    /// Whether some message has the use of a tool in it.
    pub(crate) fn has_tool_blocks(&self) -> bool {
        let mut blocks = self.messages.iter().flat_map(|message| &message.content);
        blocks.any(|block| matches!(block, SamplingContent::Tool(_)))
    }

    pub(crate) fn write_params(&self, w: &mut JsonWriter, version: ProtocolVersion) {
        w.begin_object();
        w.key("messages");
        w.begin_array();
        self.messages.iter().for_each(|message| message.write(w, version));
        w.end_array();
        w.value_member("maxTokens", &self.max_tokens);
        w.optional_string("systemPrompt", self.system_prompt.as_deref());
        w.optional_string("includeContext", self.include_context.as_deref());
        w.optional_value("temperature", self.temperature);
        if !self.stop_sequences.is_empty() {
            w.value_member("stopSequences", &self.stop_sequences);
        }
        w.optional_raw("modelPreferences", self.model_preferences.as_ref());
        w.optional_raw("metadata", self.metadata.as_ref());
        if version.has(Feature::SamplingTools) {
            w.optional_raw("tools", self.tools.as_ref());
            w.optional_raw("toolChoice", self.tool_choice.as_ref());
        }
        w.end_object();
    }
}

/// The model's answer.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CreateMessageResult {
    /// Who speaks.
    pub role: Role,
    /// A content block, or an array of them, as the client sent it.
    pub content: RawJson,
    /// The model that answered.
    pub model: String,
    /// Why it stopped.
    #[serde(default)]
    pub stop_reason: Option<String>,
}

impl CreateMessageResult {
    /// The text of the answer: of its block, or of its first block that is text.
    pub fn text(&self) -> Option<String> {
        #[derive(Deserialize)]
        struct Block {
            text: Option<String>,
        }
        #[derive(Deserialize)]
        #[serde(untagged)]
        enum Blocks {
            One(Block),
            Many(Vec<Block>),
        }
        match self.content.deserialize().ok()? {
            Blocks::One(block) => block.text,
            Blocks::Many(blocks) => blocks.into_iter().find_map(|block| block.text),
        }
    }
}
