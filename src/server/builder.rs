//! Putting a server together.

use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use super::Server;
use super::context::Context;
use super::executor::{Executor, Job};
use super::filter::Filters;
use super::handler::*;
use super::observer::Events;
use super::options::{InputRequiredConfig, Limits, Options};
use super::registry::{
    PromptEntry, Registry, ResourceEntry, TemplateEntry, ToolEntry, prompt_entry, resource_entry, template_entry,
};
use crate::error::ConfigError;
use crate::json::RawJson;
use crate::protocol::cache::CacheHint;
use crate::protocol::completion::{CompleteRequest, CompleteResult};
use crate::protocol::identity::Implementation;
use crate::protocol::prompt::{GetPromptResult, PromptOptions};
use crate::protocol::resource::{ReadResourceResult, ResourceOptions};
use crate::protocol::tool::ToolOptions;
use crate::protocol::version::ProtocolVersion;

/// Collects what a server offers and how it behaves. Mistakes are reported by `build`, the first one made.
#[must_use = "a server exists only after `build`"]
pub struct ServerBuilder {
    pub(crate) options: Options,
    tools: Vec<ToolEntry>,
    resources: Vec<ResourceEntry>,
    templates: Vec<TemplateEntry>,
    prompts: Vec<PromptEntry>,
    completion: Option<Box<dyn CompletionHandler>>,
    error: Option<ConfigError>,
}

impl ServerBuilder {
    pub(crate) fn new(info: Implementation) -> ServerBuilder {
        ServerBuilder {
            options: Options::new(info),
            tools: Vec::new(),
            resources: Vec::new(),
            templates: Vec::new(),
            prompts: Vec::new(),
            completion: None,
            error: None,
        }
    }

    fn check<T>(&mut self, result: Result<T, ConfigError>) -> Option<T> {
        match result {
            Ok(value) => Some(value),
            Err(error) => {
                self.error.get_or_insert(error);
                None
            }
        }
    }

    /// Adds a tool with typed arguments. Its input schema is that of `T` unless the options give one; a function that
    /// returns `Json<R>` gets the schema of `R` as its output schema.
    ///
    /// The function runs on the runtime: it must not block. See `blocking_tool`.
    ///
    /// ```
    /// use mcp::{Server, ToolOptions};
    /// #[derive(serde::Deserialize, schemars::JsonSchema)]
    /// struct Add { a: f64, b: f64 }
    /// let server = Server::builder("sums", "1.0")
    ///     .tool("add", ToolOptions::new().description("Adds two numbers"), |args: Add, _ctx| async move {
    ///         (args.a + args.b).to_string()
    ///     })
    ///     .build()
    ///     .unwrap();
    /// ```
    #[cfg(feature = "schemars")]
    pub fn tool<T, F, Fut>(self, name: &str, options: ToolOptions, function: F) -> ServerBuilder
    where
        F: Fn(T, Context) -> Fut + Send + Sync + 'static,
        T: serde::de::DeserializeOwned + schemars::JsonSchema + Send + 'static,
        Fut: Future + Send + 'static,
        Fut::Output: IntoToolResult,
    {
        let options = super::derive::typed_options::<T, Fut::Output>(options);
        self.tool_handler(name, options, TypedTool(function, std::marker::PhantomData))
    }

    /// Adds a tool whose arguments are raw JSON, described by the input schema in the options.
    ///
    /// The function runs on the runtime: it must not block. See `blocking_tool`.
    pub fn raw_tool<F, Fut>(self, name: &str, options: ToolOptions, function: F) -> ServerBuilder
    where
        F: Fn(RawJson, Context) -> Fut + Send + Sync + 'static,
        Fut: Future + Send + 'static,
        Fut::Output: IntoToolResult,
    {
        self.tool_handler(name, options, RawTool(function))
    }

    /// Adds a tool whose function may block. It runs on the handler pool (see `executor`) and should look at
    /// `Context::is_cancelled` now and then.
    pub fn blocking_tool<F, R>(self, name: &str, options: ToolOptions, function: F) -> ServerBuilder
    where
        F: Fn(RawJson, Context) -> R + Send + Sync + 'static,
        R: IntoToolResult,
    {
        self.tool_handler(name, options, BlockingTool(Arc::new(function)))
    }

    /// Adds a tool that is a type of the host's.
    pub fn tool_handler(mut self, name: &str, options: ToolOptions, handler: impl ToolHandler) -> ServerBuilder {
        let entry = self.check(ToolEntry::new(name, options, Arc::new(handler)));
        self.tools.extend(entry);
        self
    }

    /// Adds a resource.
    pub fn resource<F, Fut, R, E>(self, name: &str, uri: &str, options: ResourceOptions, function: F) -> ServerBuilder
    where
        F: Fn(ReadRequest, Context) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = Result<R, E>> + Send + 'static,
        R: Into<ReadResourceResult> + 'static,
        E: Into<HandlerError> + 'static,
    {
        self.resource_handler(name, uri, options, ResourceFunction(function))
    }

    /// Adds a resource that is a type of the host's.
    pub fn resource_handler(
        mut self,
        name: &str,
        uri: &str,
        options: ResourceOptions,
        handler: impl ResourceHandler,
    ) -> ServerBuilder {
        let entry = self.check(resource_entry(name, uri, options, Arc::new(handler)));
        self.resources.extend(entry);
        self
    }

    /// Adds a family of resources, by an RFC 6570 template such as `file:///{path}`.
    ///
    /// A value of `{v}` never contains a slash, and never names a parent folder; `{+v}` may span folders.
    pub fn resource_template<F, Fut, R, E>(
        self,
        name: &str,
        template: &str,
        options: ResourceOptions,
        function: F,
    ) -> ServerBuilder
    where
        F: Fn(ReadRequest, Context) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = Result<R, E>> + Send + 'static,
        R: Into<ReadResourceResult> + 'static,
        E: Into<HandlerError> + 'static,
    {
        self.resource_template_handler(name, template, options, ResourceFunction(function))
    }

    /// Adds a family of resources that is a type of the host's.
    pub fn resource_template_handler(
        mut self,
        name: &str,
        template: &str,
        options: ResourceOptions,
        handler: impl ResourceHandler,
    ) -> ServerBuilder {
        let entry = self.check(template_entry(name, template, options, Arc::new(handler)));
        self.templates.extend(entry);
        self
    }

    /// Adds a prompt.
    pub fn prompt<F, Fut, R, E>(self, name: &str, options: PromptOptions, function: F) -> ServerBuilder
    where
        F: Fn(PromptArguments, Context) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = Result<R, E>> + Send + 'static,
        R: Into<GetPromptResult> + 'static,
        E: Into<HandlerError> + 'static,
    {
        self.prompt_handler(name, options, PromptFunction(function))
    }

    /// Adds a prompt that is a type of the host's.
    pub fn prompt_handler(mut self, name: &str, options: PromptOptions, handler: impl PromptHandler) -> ServerBuilder {
        let entry = self.check(prompt_entry(name, options, Arc::new(handler)));
        self.prompts.extend(entry);
        self
    }

    /// Sets what completes the arguments of prompts and the variables of resource templates.
    pub fn completion<F, Fut, R, E>(mut self, function: F) -> ServerBuilder
    where
        F: Fn(CompleteRequest, Context) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = Result<R, E>> + Send + 'static,
        R: Into<CompleteResult> + 'static,
        E: Into<HandlerError> + 'static,
    {
        self.completion = Some(Box::new(CompletionFunction(function)));
        self
    }

    /// Replaces name and version by a full description of the server.
    pub fn server_info(mut self, info: Implementation) -> ServerBuilder {
        self.options.server_info = info;
        self
    }

    /// Text that tells the client's model how to use the server.
    pub fn server_instructions(mut self, text: impl Into<String>) -> ServerBuilder {
        self.options.instructions = Some(text.into());
        self
    }

    /// Speaks this revision only.
    pub fn protocol_version(self, version: ProtocolVersion) -> ServerBuilder {
        self.supported_protocol_versions([version])
    }

    /// Narrows the revisions that are spoken, in discovery, handshake and the gate of every request. Empty means all.
    pub fn supported_protocol_versions(mut self, versions: impl IntoIterator<Item = ProtocolVersion>) -> ServerBuilder {
        let wanted: Vec<_> = versions.into_iter().collect();
        let mut versions = Options::known_versions();
        if !wanted.is_empty() {
            versions.retain(|version| wanted.contains(version));
        }
        if versions.is_empty() {
            self.error.get_or_insert(ConfigError::new(
                "supported_protocol_versions: none of these revisions is part of this build; enable the feature \
                 `modern` or `legacy`",
            ));
        } else {
            self.options.versions = versions;
        }
        self
    }

    /// How long an HTTP session may exist before its client sends `notifications/initialized`. Default 60 s.
    pub fn initialization_timeout(mut self, limit: Duration) -> ServerBuilder {
        self.options.initialization_timeout = limit;
        self
    }

    /// Declares the logging capability, without which `Context::log` sends nothing.
    pub fn declare_logging(mut self) -> ServerBuilder {
        self.options.declare_logging = true;
        self
    }

    /// Declares the completions capability without a completion handler.
    pub fn declare_completions(mut self) -> ServerBuilder {
        self.options.declare_completions = true;
        self
    }

    /// Declares tools although none is registered yet.
    pub fn declare_tools(mut self) -> ServerBuilder {
        self.options.declare_tools = true;
        self
    }

    /// Declares resources although none is registered yet.
    pub fn declare_resources(mut self) -> ServerBuilder {
        self.options.declare_resources = true;
        self
    }

    /// Declares prompts although none is registered yet.
    pub fn declare_prompts(mut self) -> ServerBuilder {
        self.options.declare_prompts = true;
        self
    }

    /// Answers the list methods of what is not declared with empty lists in place of "method not found": some clients
    /// take the latter for a broken server.
    pub fn answer_empty_lists(mut self, yes: bool) -> ServerBuilder {
        self.options.empty_lists = yes;
        self
    }

    /// Whether clients can subscribe to changes. Default true.
    pub fn subscriptions_enabled(mut self, yes: bool) -> ServerBuilder {
        self.options.subscriptions_enabled = yes;
        self
    }

    /// The secret that protects the state of multi round-trip requests. All processes that serve the same clients need
    /// the same one. Without it each process makes its own, and a retry that reaches another process is refused.
    pub fn request_state_key(mut self, key: impl Into<String>) -> ServerBuilder {
        self.options.request_state.keys.insert(0, key.into());
        self
    }

    /// A former secret: states that it protects are still accepted.
    pub fn request_state_previous_key(mut self, key: impl Into<String>) -> ServerBuilder {
        self.options.request_state.keys.push(key.into());
        self
    }

    /// The host's own check of states that its handlers protect themselves. It takes the place of the built-in
    /// protection for what handlers pass to `InputRequired::state`; answers carried for `Context::ask` stay protected.
    pub fn request_state_verifier(mut self, verify: impl Fn(&str) -> bool + Send + Sync + 'static) -> ServerBuilder {
        self.options.request_state.verifier = Some(Arc::new(verify));
        self
    }

    /// Longest life of a state. Zero means no limit. Default 900 s.
    pub fn request_state_ttl(mut self, ttl: Duration) -> ServerBuilder {
        self.options.request_state.ttl = Some(ttl).filter(|ttl| !ttl.is_zero());
        self
    }

    /// The cache hint of a method, such as `tools/list`.
    pub fn cache_hint(mut self, method: &str, hint: CacheHint) -> ServerBuilder {
        self.options.cache_hints.insert(method.to_owned(), hint);
        self
    }

    /// Asked for the cache hint of every cacheable result, before the table of `cache_hint`.
    pub fn cache_hint_resolver(
        mut self,
        resolve: impl Fn(&str) -> Option<CacheHint> + Send + Sync + 'static,
    ) -> ServerBuilder {
        self.options.cache_hint_resolver = Some(Arc::new(resolve));
        self
    }

    /// Most object members and array items in the arguments of one tool call. Beyond it the call is answered with an
    /// error result.
    pub fn max_tool_input_elements(mut self, elements: usize) -> ServerBuilder {
        self.options.max_tool_input_elements = Some(elements);
        self
    }

    /// How clients are asked in the middle of a request.
    pub fn input_required_config(mut self, config: InputRequiredConfig) -> ServerBuilder {
        self.options.input_required = config;
        self
    }

    /// Entries on one page of a list. Default 1,000.
    pub fn page_size(mut self, entries: usize) -> ServerBuilder {
        if entries == 0 {
            self.error.get_or_insert(ConfigError::new("page_size must be at least 1"));
        }
        self.options.page_size = entries.max(1);
        self
    }

    /// Callbacks that watch what passes.
    pub fn events(mut self, events: Events) -> ServerBuilder {
        self.options.events = events;
        self
    }

    /// Filters for messages that arrive.
    pub fn incoming_filters(mut self, filters: Filters) -> ServerBuilder {
        self.options.incoming_filters = filters;
        self
    }

    /// Filters for messages that leave.
    pub fn outgoing_filters(mut self, filters: Filters) -> ServerBuilder {
        self.options.outgoing_filters = filters;
        self
    }

    /// Runs handlers that may block where the host wants: `post` must arrange for each job to be run once.
    pub fn executor(mut self, post: impl Fn(Job) + Send + Sync + 'static) -> ServerBuilder {
        self.options.executor = Executor::new(post);
        self
    }

    /// Bounds that hold on every transport.
    pub fn limits(mut self, limits: Limits) -> ServerBuilder {
        self.options.limits = limits;
        self
    }

    /// The server.
    ///
    /// # Errors
    /// The first mistake that was made: an invalid or repeated name, schema, URI, template or option.
    pub fn build(self) -> Result<Server, ConfigError> {
        if let Some(error) = self.error {
            return Err(error);
        }
        let registry = Registry::new();
        let keeps_tasks = self.options.tasks.is_some();
        registry.add_tools(self.tools.into_iter().map(|entry| entry.for_server(keeps_tasks)).collect())?;
        self.resources.into_iter().try_for_each(|entry| registry.add_resource(entry))?;
        self.templates.into_iter().try_for_each(|entry| registry.add_template(entry))?;
        self.prompts.into_iter().try_for_each(|entry| registry.add_prompt(entry))?;
        registry.completion.store(self.completion.map(Arc::new));
        Server::new(self.options, registry)
    }
}
