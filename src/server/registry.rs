//! What a server offers: tools, resources, templates, prompts and completion.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use arc_swap::ArcSwapOption;
use tokio::sync::Semaphore;

use super::handler::{CompletionHandler, PromptHandler, ResourceHandler, ToolHandler};
use super::schema::headers::{ParamHeader, param_headers};
use super::schema::{self, Schema};
use super::shelf::{Entry, Shelf};
use super::uri_template::UriTemplate;
use crate::error::ConfigError;
use crate::json::{JsonWriter, Kind, RawJson};
use crate::protocol::prompt::PromptOptions;
use crate::protocol::resource::ResourceOptions;
use crate::protocol::tool::{TaskMode, ToolDefinition, ToolOptions};
use crate::protocol::version::ProtocolVersion;

/// Everything that is registered.
pub(crate) struct Registry {
    pub(crate) tools: Shelf<ToolEntry>,
    pub(crate) resources: Shelf<ResourceEntry>,
    pub(crate) templates: Shelf<TemplateEntry>,
    pub(crate) prompts: Shelf<PromptEntry>,
    pub(crate) completion: ArcSwapOption<Box<dyn CompletionHandler>>,
    /// Whether any tool ever had an argument that is mirrored into a header.
    pub(crate) mirrors_arguments: AtomicBool,
}

pub(crate) struct ToolEntry {
    pub(crate) definition: ToolDefinition,
    pub(crate) handler: Arc<dyn ToolHandler>,
    pub(crate) input: Schema,
    pub(crate) output: Option<Schema>,
    pub(crate) text_copy: bool,
    pub(crate) timeout: Option<Duration>,
    pub(crate) permits: Option<Arc<Semaphore>>,
    pub(crate) headers: Vec<ParamHeader>,
}

pub(crate) struct ResourceEntry {
    pub(crate) uri: String,
    pub(crate) name: String,
    pub(crate) options: ResourceOptions,
    pub(crate) handler: Arc<dyn ResourceHandler>,
}

pub(crate) struct TemplateEntry {
    pub(crate) template: UriTemplate,
    pub(crate) text: String,
    pub(crate) name: String,
    pub(crate) options: ResourceOptions,
    pub(crate) handler: Arc<dyn ResourceHandler>,
}

pub(crate) struct PromptEntry {
    pub(crate) name: String,
    pub(crate) options: PromptOptions,
    pub(crate) handler: Arc<dyn PromptHandler>,
}

impl Registry {
    pub(crate) fn new() -> Registry {
        Registry {
            tools: Shelf::new(),
            resources: Shelf::new(),
            templates: Shelf::new(),
            prompts: Shelf::new(),
            completion: ArcSwapOption::empty(),
            mirrors_arguments: AtomicBool::new(false),
        }
    }

    pub(crate) fn add_tool(&self, entry: ToolEntry) -> Result<(), ConfigError> {
        let name = entry.definition.name.clone();
        self.note_headers(&entry);
        if self.tools.insert(&name, entry) { Ok(()) } else { Err(duplicate("tool", &name)) }
    }

    pub(crate) fn add_tools(&self, entries: Vec<ToolEntry>) -> Result<(), ConfigError> {
        entries.iter().for_each(|entry| self.note_headers(entry));
        let named = entries.into_iter().map(|entry| (entry.definition.name.as_str().into(), entry)).collect();
        self.tools.extend(named).map_err(|name| duplicate("tool", &name))
    }

    fn note_headers(&self, entry: &ToolEntry) {
        if !entry.headers.is_empty() {
            self.mirrors_arguments.store(true, Ordering::Release);
        }
    }

    pub(crate) fn add_resource(&self, entry: ResourceEntry) -> Result<(), ConfigError> {
        let uri = entry.uri.clone();
        if self.resources.insert(&uri, entry) { Ok(()) } else { Err(duplicate("resource", &uri)) }
    }

    pub(crate) fn add_template(&self, entry: TemplateEntry) -> Result<(), ConfigError> {
        let text = entry.text.clone();
        if self.templates.insert(&text, entry) { Ok(()) } else { Err(duplicate("resource template", &text)) }
    }

    pub(crate) fn add_prompt(&self, entry: PromptEntry) -> Result<(), ConfigError> {
        let name = entry.name.clone();
        if self.prompts.insert(&name, entry) { Ok(()) } else { Err(duplicate("prompt", &name)) }
    }
}

fn duplicate(what: &str, key: &str) -> ConfigError {
    ConfigError::taken(format!("a {what} \"{key}\" is registered already; remove it first or choose another name"))
}

impl ToolEntry {
    /// Checks a tool and prepares what its calls need.
    ///
    /// # Errors
    /// The name is empty, too long or has characters that clients can't use; a schema is invalid; a limit is zero.
    pub(crate) fn new(
        name: &str,
        options: ToolOptions,
        handler: Arc<dyn ToolHandler>,
    ) -> Result<ToolEntry, ConfigError> {
        let wrong = |what: String| ConfigError::new(format!("tool \"{}\": {what}", name.escape_debug()));
        check_tool_name(name).map_err(wrong)?;
        let given =
            options.input_schema.unwrap_or_else(|| RawJson::trusted(&br#"{"type":"object","properties":{}}"#[..]));
        let input_schema = schema::normalise_input(&given).map_err(|e| wrong(format!("input schema: {e}")))?;
        let input = Schema::compile(&input_schema).map_err(|e| wrong(format!("input schema: {e}")))?;
        let headers = param_headers(&input_schema).map_err(|e| wrong(format!("x-mcp-header: {e}")))?;
        let output_schema = match options.output_schema {
            None if options.use_structured_content => Some(RawJson::trusted(&br#"{"type":"object"}"#[..])),
            given => given,
        };
        let output = output_schema.as_ref().map(Schema::compile).transpose();
        let output = output.map_err(|e| wrong(format!("output schema: {e}")))?;
        if options.meta.as_ref().is_some_and(|meta| meta.kind() != Kind::Object) {
            return Err(wrong("_meta must be a JSON object".into()));
        }
        if options.max_concurrency == Some(0) {
            return Err(wrong("max_concurrency must be at least 1".into()));
        }
        Ok(ToolEntry {
            definition: ToolDefinition {
                name: name.to_owned(),
                title: options.title,
                description: options.description,
                input_schema,
                output_is_object: output_schema.as_ref().is_some_and(schema::root_is_object),
                output_schema,
                annotations: options.annotations,
                icons: options.icons,
                meta: options.meta,
                task_mode: options.task_mode,
            },
            handler,
            input,
            output: output.filter(|_| options.validate_output.unwrap_or(true)),
            text_copy: options.text_copy.unwrap_or(true),
            timeout: options.timeout,
            permits: options.max_concurrency.map(|calls| Arc::new(Semaphore::new(calls.min(Semaphore::MAX_PERMITS)))),
            headers,
        })
    }
}

impl ToolEntry {
    /// The tool as it is on a server that keeps tasks, or does not.
    pub(crate) fn for_server(mut self, keeps_tasks: bool) -> ToolEntry {
        if !keeps_tasks {
            self.definition.task_mode = TaskMode::Never;
        }
        self
    }
}

fn check_tool_name(name: &str) -> Result<(), String> {
    if name.is_empty() {
        return Err("the name must not be empty".into());
    }
    if name.chars().count() > 128 {
        return Err("the name must not be longer than 128 characters".into());
    }
    match name.chars().find(|c| c.is_control() || c.is_whitespace() || *c == ',') {
        Some(c) => Err(format!("the name must not contain {c:?}; use letters, digits, '_', '-' and '.'")),
        None => Ok(()),
    }
}

/// Checks a URI that is to be registered.
fn check_uri(uri: &str) -> Result<(), ConfigError> {
    let (scheme, _) = uri.split_once(':').unwrap_or_default();
    let is_scheme = scheme.starts_with(|c: char| c.is_ascii_alphabetic())
        && scheme.chars().all(|c| c.is_ascii_alphanumeric() || "+-.".contains(c));
    if is_scheme && !uri.chars().any(|c| c.is_control() || c == ' ') {
        Ok(())
    } else {
        Err(ConfigError::new(format!("\"{}\" is not a URI with a scheme, such as \"file:///a\"", uri.escape_debug())))
    }
}

pub(crate) fn resource_entry(
    name: &str,
    uri: &str,
    options: ResourceOptions,
    handler: Arc<dyn ResourceHandler>,
) -> Result<ResourceEntry, ConfigError> {
    check_name("resource", name)?;
    check_uri(uri)?;
    Ok(ResourceEntry { uri: uri.to_owned(), name: name.to_owned(), options, handler })
}

pub(crate) fn template_entry(
    name: &str,
    template: &str,
    options: ResourceOptions,
    handler: Arc<dyn ResourceHandler>,
) -> Result<TemplateEntry, ConfigError> {
    check_name("resource template", name)?;
    let wrong = |e| ConfigError::new(format!("resource template \"{}\": {e}", template.escape_debug()));
    let parsed = UriTemplate::parse(template).map_err(wrong)?;
    Ok(TemplateEntry { template: parsed, text: template.to_owned(), name: name.to_owned(), options, handler })
}

pub(crate) fn prompt_entry(
    name: &str,
    options: PromptOptions,
    handler: Arc<dyn PromptHandler>,
) -> Result<PromptEntry, ConfigError> {
    check_name("prompt", name)?;
    Ok(PromptEntry { name: name.to_owned(), options, handler })
}

fn check_name(what: &str, name: &str) -> Result<(), ConfigError> {
    if name.is_empty() || name.chars().any(char::is_control) {
        let name = name.escape_debug();
        return Err(ConfigError::new(format!(
            "{what} \"{name}\": the name must not be empty or contain control characters"
        )));
    }
    Ok(())
}

impl Entry for ToolEntry {
    const LIST: &'static str = "tools";

    fn write(&self, w: &mut JsonWriter, version: ProtocolVersion) {
        self.definition.write(w, version);
    }
}

impl Entry for ResourceEntry {
    const LIST: &'static str = "resources";

    fn write(&self, w: &mut JsonWriter, version: ProtocolVersion) {
        self.options.write(w, "uri", &self.uri, &self.name, version);
    }
}

impl Entry for TemplateEntry {
    const LIST: &'static str = "resourceTemplates";

    fn write(&self, w: &mut JsonWriter, version: ProtocolVersion) {
        self.options.write(w, "uriTemplate", &self.text, &self.name, version);
    }
}

impl Entry for PromptEntry {
    const LIST: &'static str = "prompts";

    fn write(&self, w: &mut JsonWriter, version: ProtocolVersion) {
        self.options.write(w, &self.name, version);
    }
}
