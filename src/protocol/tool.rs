//! Tools: how they are described, and what a call returns.

use std::time::Duration;

use serde::Serialize;

use super::content::{Content, write_meta};
use super::identity::{Icon, write_icons};
use super::input::InputRequired;
use super::version::{Feature, ProtocolVersion};
use crate::json::{JsonWriter, Kind, RawJson};

/// How a tool is described to clients, and how its calls are run.
///
/// ```
/// use std::time::Duration;
/// let options = mcp::ToolOptions::new()
///     .title("Weather")
///     .description("Weather for a city")
///     .read_only_hint(true)
///     .timeout(Duration::from_secs(10));
/// ```
#[derive(Clone, Debug, Default)]
pub struct ToolOptions {
    pub(crate) title: Option<String>,
    pub(crate) description: Option<String>,
    pub(crate) input_schema: Option<RawJson>,
    pub(crate) output_schema: Option<RawJson>,
    pub(crate) use_structured_content: bool,
    pub(crate) text_copy: Option<bool>,
    pub(crate) annotations: ToolAnnotations,
    pub(crate) icons: Vec<Icon>,
    pub(crate) meta: Option<RawJson>,
    pub(crate) timeout: Option<Duration>,
    pub(crate) max_concurrency: Option<usize>,
    pub(crate) validate_output: Option<bool>,
    pub(crate) task_mode: TaskMode,
}

/// Whether calls of a tool become tasks: work that goes on in the background while the client has a handle to it.
///
/// It takes effect on servers with a task store (`ServerBuilder::task_store`) only; without one every call is a plain
/// one. A client can take a handle when it declares the tasks extension (revision 2026-07-28), or when it asks for a
/// task (revision 2025-11-25).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TaskMode {
    /// Calls are never tasks.
    #[default]
    Never,
    /// A call is a task from its start where the client can take a handle, and a plain call elsewhere.
    Optional,
    /// Every call is a task from its start. Clients that can't take a handle are refused.
    Required,
    /// A call begins as a plain one, and the tool decides: `Context::into_task`. A client of revision 2025-11-25 that
    /// asks for a task gets one at once.
    PerCall,
}

impl TaskMode {
    fn support(self) -> Option<&'static str> {
        match self {
            TaskMode::Never => None,
            TaskMode::Optional | TaskMode::PerCall => Some(r#"{"taskSupport":"optional"}"#),
            TaskMode::Required => Some(r#"{"taskSupport":"required"}"#),
        }
    }
}

/// Hints about what a tool does. Clients must not trust them from servers that they do not trust.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ToolAnnotations {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) read_only_hint: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) destructive_hint: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) idempotent_hint: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) open_world_hint: Option<bool>,
}

impl ToolOptions {
    /// No description, no limits.
    pub fn new() -> ToolOptions {
        ToolOptions::default()
    }

    /// Name for people.
    pub fn title(mut self, title: impl Into<String>) -> ToolOptions {
        self.title = Some(title.into());
        self
    }

    /// What the tool does, for the model that chooses it.
    pub fn description(mut self, description: impl Into<String>) -> ToolOptions {
        self.description = Some(description.into());
        self
    }

    /// JSON Schema of the arguments: an object schema in the 2020-12 or draft-07 dialect, with local references only.
    /// The default is the schema of the handler's argument type, and `{"type":"object","properties":{}}` for raw JSON.
    pub fn input_schema(mut self, schema: impl Into<RawJson>) -> ToolOptions {
        self.input_schema = Some(schema.into());
        self
    }

    /// JSON Schema of the structured result.
    pub fn output_schema(mut self, schema: impl Into<RawJson>) -> ToolOptions {
        self.output_schema = Some(schema.into());
        self
    }

    /// Announces structured results; without an output schema of its own the tool gets `{"type":"object"}`.
    pub fn use_structured_content(mut self, yes: bool) -> ToolOptions {
        self.use_structured_content = yes;
        self
    }

    /// Whether a structured result that comes without content is copied into a text block, for clients that read only
    /// text. On by default.
    pub fn text_copy(mut self, yes: bool) -> ToolOptions {
        self.text_copy = Some(yes);
        self
    }

    /// Whether structured results are checked against the output schema before they are sent. On by default.
    pub fn validate_output(mut self, yes: bool) -> ToolOptions {
        self.validate_output = Some(yes);
        self
    }

    /// The tool changes nothing.
    pub fn read_only_hint(mut self, yes: bool) -> ToolOptions {
        self.annotations.read_only_hint = Some(yes);
        self
    }

    /// The tool may destroy something.
    pub fn destructive(mut self, yes: bool) -> ToolOptions {
        self.annotations.destructive_hint = Some(yes);
        self
    }

    /// Calling it twice with the same arguments has the effect of calling it once.
    pub fn idempotent(mut self, yes: bool) -> ToolOptions {
        self.annotations.idempotent_hint = Some(yes);
        self
    }

    /// The tool reaches out to an open world, such as the web.
    pub fn open_world_hint(mut self, yes: bool) -> ToolOptions {
        self.annotations.open_world_hint = Some(yes);
        self
    }

    /// Adds a picture.
    pub fn icon(mut self, icon: Icon) -> ToolOptions {
        self.icons.push(icon);
        self
    }

    /// `_meta` of the definition: a JSON object.
    pub fn meta(mut self, meta: impl Into<RawJson>) -> ToolOptions {
        self.meta = Some(meta.into());
        self
    }

    /// Longest time a call may take. Beyond it the call is cancelled and answered with an error result.
    pub fn timeout(mut self, limit: Duration) -> ToolOptions {
        self.timeout = Some(limit);
        self
    }

    /// Whether calls become tasks. Default `TaskMode::Never`.
    pub fn task_mode(mut self, mode: TaskMode) -> ToolOptions {
        self.task_mode = mode;
        self
    }

    /// How many calls may run at once. Further ones wait for their turn.
    pub fn max_concurrency(mut self, calls: usize) -> ToolOptions {
        self.max_concurrency = Some(calls);
        self
    }
}

/// A tool as `tools/list` shows it.
#[derive(Clone, Debug)]
pub(crate) struct ToolDefinition {
    pub(crate) name: String,
    pub(crate) title: Option<String>,
    pub(crate) description: Option<String>,
    pub(crate) input_schema: RawJson,
    pub(crate) output_schema: Option<RawJson>,
    /// Whether the root of the output schema is an object, as every revision before structured content of any kind
    /// demands.
    pub(crate) output_is_object: bool,
    pub(crate) annotations: ToolAnnotations,
    pub(crate) icons: Vec<Icon>,
    pub(crate) meta: Option<RawJson>,
    /// What is shown: `Never` where there is no task store.
    pub(crate) task_mode: TaskMode,
}

impl ToolDefinition {
    pub(crate) fn write(&self, w: &mut JsonWriter, version: ProtocolVersion) {
        w.begin_object();
        w.string_member("name", &self.name);
        if version.has(Feature::Titles) {
            w.optional_string("title", self.title.as_deref());
        }
        w.optional_string("description", self.description.as_deref());
        w.raw_member("inputSchema", &self.input_schema);
        if self.shows_output_schema(version) {
            w.optional_raw("outputSchema", self.output_schema.as_ref());
        }
        if version.has(Feature::ToolAnnotations) && self.annotations != ToolAnnotations::default() {
            w.value_member("annotations", &self.annotations);
        }
        if version.has(Feature::TaskRequests)
            && let Some(support) = self.task_mode.support()
        {
            w.raw_member("execution", &RawJson::trusted(support.as_bytes()));
        }
        write_icons(w, &self.icons, version);
        write_meta(w, self.meta.as_ref(), version);
        w.end_object();
    }

    fn shows_output_schema(&self, version: ProtocolVersion) -> bool {
        version.has(Feature::AnyStructuredContent) || (version.has(Feature::StructuredContent) && self.output_is_object)
    }
}

/// What a tool call returns.
///
/// ```
/// use mcp::CallToolResult;
/// let fine = CallToolResult::text("21 degrees");
/// let failed = CallToolResult::error("The city is unknown; try the name in English.");
/// assert!(failed.is_error);
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CallToolResult {
    /// Blocks for the model.
    pub content: Vec<Content>,
    /// The result for programs. Any JSON; clients before revision 2026-07-28 receive objects only.
    pub structured_content: Option<RawJson>,
    /// Whether the call failed in a way that the model should see.
    pub is_error: bool,
    /// `_meta`: a JSON object.
    pub meta: Option<RawJson>,
    /// The client must first answer questions; everything else here is ignored then.
    pub input_required: Option<InputRequired>,
}

impl CallToolResult {
    /// One block of text.
    pub fn text(text: impl Into<String>) -> CallToolResult {
        CallToolResult { content: vec![Content::text(text)], ..CallToolResult::default() }
    }

    /// A failure, told to the model in words that let it correct itself.
    pub fn error(text: impl Into<String>) -> CallToolResult {
        CallToolResult { is_error: true, ..CallToolResult::text(text) }
    }

    /// A result for programs. The server adds a copy as text unless there is content.
    pub fn structured(value: impl Into<RawJson>) -> CallToolResult {
        CallToolResult { structured_content: Some(value.into()), ..CallToolResult::default() }
    }

    /// Adds a block.
    pub fn with_content(mut self, content: impl Into<Content>) -> CallToolResult {
        self.content.push(content.into());
        self
    }

    /// Sets the result for programs.
    pub fn with_structured(mut self, value: impl Into<RawJson>) -> CallToolResult {
        self.structured_content = Some(value.into());
        self
    }

    /// Sets `_meta`.
    pub fn with_meta(mut self, meta: impl Into<RawJson>) -> CallToolResult {
        self.meta = Some(meta.into());
        self
    }

    pub(crate) fn write_members(&self, w: &mut JsonWriter, version: ProtocolVersion) {
        w.key("content");
        w.begin_array();
        for block in &self.content {
            block.write(w, version);
        }
        w.end_array();
        if let Some(value) = &self.structured_content
            && self.shows_structured_content(version)
        {
            w.raw_member("structuredContent", value);
        }
        if self.is_error {
            w.value_member("isError", &true);
        }
    }

    /// Whether a client of this revision sees the structured content.
    pub(crate) fn shows_structured_content(&self, version: ProtocolVersion) -> bool {
        let is_object = self.structured_content.as_ref().is_some_and(|value| value.kind() == Kind::Object);
        version.has(Feature::AnyStructuredContent) || (version.has(Feature::StructuredContent) && is_object)
    }

    pub(crate) fn size_hint(&self) -> usize {
        let block = |content: &Content| match &content.kind {
            super::content::ContentKind::Text(text) => text.len() + text.len() / 32 + 64,
            super::content::ContentKind::Image { data, .. } | super::content::ContentKind::Audio { data, .. } => {
                data.len() + 80
            }
            _ => 512,
        };
        self.content.iter().map(block).sum::<usize>()
            + self.structured_content.as_ref().map_or(0, |value| value.as_bytes().len() + 24)
    }
}
