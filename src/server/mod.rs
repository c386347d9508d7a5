//! The server: what it offers, and how a request is served. Knows no era and no transport.

pub(crate) mod background;
pub(crate) mod builder;
pub(crate) mod call;
pub(crate) mod changes;
pub(crate) mod client;
pub(crate) mod context;
#[cfg(feature = "schemars")]
mod derive;
pub(crate) mod dispatch;
#[cfg(feature = "http")]
pub(crate) mod exchange;
pub(crate) mod executor;
pub(crate) mod filter;
pub(crate) mod handler;
mod handlers;
#[cfg(feature = "http")]
pub(crate) mod http_head;
pub(crate) mod in_flight;
pub(crate) mod observer;
pub(crate) mod options;
pub(crate) mod registry;
#[cfg(feature = "modern")]
pub(crate) mod request_state;
pub(crate) mod schema;
mod shelf;
pub(crate) mod shutdown;
pub(crate) mod uri_template;
pub(crate) mod wire;

use std::future::Future;
use std::sync::Arc;

use builder::ServerBuilder;
use changes::{Changes, List};
use executor::Executor;
use handler::{CompletionHandler, PromptHandler, ResourceHandler, ToolHandler};
use options::Options;
use registry::{Registry, ToolEntry, prompt_entry, resource_entry, template_entry};
use shutdown::Shutdown;

use crate::error::ConfigError;
use crate::json::RawJson;
use crate::protocol::capability::ServerCapabilities;
use crate::protocol::identity::Implementation;
use crate::protocol::prompt::{GetPromptResult, PromptOptions};
use crate::protocol::resource::{ReadResourceResult, ResourceOptions};
use crate::protocol::task;
use crate::protocol::tool::ToolOptions;

/// An MCP server. Cheap to clone; all clones are one server, which any number of transports may serve at once.
///
/// ```
/// let server = mcp::Server::builder("weather", "1.0").declare_tools().build().unwrap();
/// assert!(server.capabilities().tools);
/// ```
#[derive(Clone)]
pub struct Server(Arc<Inner>);

struct Inner {
    options: Options,
    registry: Registry,
    changes: Arc<Changes>,
    clients: client::Clients,
    shutdown: Shutdown,
    #[cfg(feature = "modern")]
    sealer: request_state::Sealer,
    #[cfg(feature = "modern")]
    server_info_meta: RawJson,
    #[cfg(feature = "modern")]
    listening: Arc<std::sync::atomic::AtomicUsize>,
}

impl Server {
    /// Starts to put a server together.
    pub fn builder(name: impl Into<String>, version: impl Into<String>) -> ServerBuilder {
        ServerBuilder::new(Implementation::new(name, version))
    }

    pub(crate) fn new(options: Options, registry: Registry) -> Result<Server, ConfigError> {
        Ok(Server(Arc::new(Inner {
            #[cfg(feature = "modern")]
            sealer: request_state::Sealer::new(&options.request_state)?,
            #[cfg(feature = "modern")]
            server_info_meta: options.server_info.server_meta(),
            #[cfg(feature = "modern")]
            listening: Arc::default(),
            options,
            registry,
            changes: Arc::default(),
            clients: client::Clients::default(),
            shutdown: Shutdown::new(),
        })))
    }

    /// Adds a tool with typed arguments, like `ServerBuilder::tool`; clients that subscribed are told.
    ///
    /// # Errors
    /// The name is taken or invalid, or a schema is.
    #[cfg(feature = "schemars")]
    pub fn add_tool<T, F, Fut>(&self, name: &str, options: ToolOptions, function: F) -> Result<(), ConfigError>
    where
        F: Fn(T, context::Context) -> Fut + Send + Sync + 'static,
        T: serde::de::DeserializeOwned + schemars::JsonSchema + Send + 'static,
        Fut: Future + Send + 'static,
        Fut::Output: handler::IntoToolResult,
    {
        let options = derive::typed_options::<T, Fut::Output>(options);
        self.add_tool_handler(name, options, handler::TypedTool(function, std::marker::PhantomData))
    }

    /// Adds a tool whose arguments are raw JSON, like `ServerBuilder::raw_tool`; clients that subscribed are told.
    ///
    /// # Errors
    /// The name is taken or invalid, or a schema is.
    pub fn add_raw_tool<F, Fut>(&self, name: &str, options: ToolOptions, function: F) -> Result<(), ConfigError>
    where
        F: Fn(RawJson, context::Context) -> Fut + Send + Sync + 'static,
        Fut: Future + Send + 'static,
        Fut::Output: handler::IntoToolResult,
    {
        self.add_tool_handler(name, options, handler::RawTool(function))
    }

    /// Adds a tool that is a type of the host's; clients that subscribed are told.
    ///
    /// # Errors
    /// The name is taken or invalid, or a schema is.
    pub fn add_tool_handler(
        &self,
        name: &str,
        options: ToolOptions,
        handler: impl ToolHandler,
    ) -> Result<(), ConfigError> {
        let entry = ToolEntry::new(name, options, Arc::new(handler))?.for_server(self.options().tasks.is_some());
        self.registry().add_tool(entry)?;
        self.notify_tools_changed();
        Ok(())
    }

    /// Removes a tool; calls that run already go on. False when there is none of this name.
    pub fn remove_tool(&self, name: &str) -> bool {
        self.removed(self.registry().tools.remove(name), List::Tools)
    }

    /// Adds a resource; clients that subscribed are told.
    ///
    /// # Errors
    /// The URI is taken or invalid.
    pub fn add_resource_handler(
        &self,
        name: &str,
        uri: &str,
        options: ResourceOptions,
        handler: impl ResourceHandler,
    ) -> Result<(), ConfigError> {
        self.registry().add_resource(resource_entry(name, uri, options, Arc::new(handler))?)?;
        self.notify_resources_changed();
        Ok(())
    }

    /// Adds a resource, like `ServerBuilder::resource`; clients that subscribed are told.
    ///
    /// # Errors
    /// It is taken or invalid.
    pub fn add_resource<F, Fut, R, E>(
        &self,
        name: &str,
        uri: &str,
        options: ResourceOptions,
        function: F,
    ) -> Result<(), ConfigError>
    where
        F: Fn(handler::ReadRequest, context::Context) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = Result<R, E>> + Send + 'static,
        R: Into<ReadResourceResult> + 'static,
        E: Into<handler::HandlerError> + 'static,
    {
        self.add_resource_handler(name, uri, options, handler::ResourceFunction(function))
    }

    /// Removes a resource. False when there is none of this URI.
    pub fn remove_resource(&self, uri: &str) -> bool {
        self.removed(self.registry().resources.remove(uri), List::Resources)
    }

    /// Adds a resource template; clients that subscribed are told.
    ///
    /// # Errors
    /// The template is taken or invalid.
    pub fn add_resource_template_handler(
        &self,
        name: &str,
        template: &str,
        options: ResourceOptions,
        handler: impl ResourceHandler,
    ) -> Result<(), ConfigError> {
        self.registry().add_template(template_entry(name, template, options, Arc::new(handler))?)?;
        self.notify_resources_changed();
        Ok(())
    }

    /// Adds a family of resources, like `ServerBuilder::resource_template`; clients that subscribed are told.
    ///
    /// # Errors
    /// It is taken or invalid.
    pub fn add_resource_template<F, Fut, R, E>(
        &self,
        name: &str,
        template: &str,
        options: ResourceOptions,
        function: F,
    ) -> Result<(), ConfigError>
    where
        F: Fn(handler::ReadRequest, context::Context) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = Result<R, E>> + Send + 'static,
        R: Into<ReadResourceResult> + 'static,
        E: Into<handler::HandlerError> + 'static,
    {
        self.add_resource_template_handler(name, template, options, handler::ResourceFunction(function))
    }

    /// Removes a resource template. False when there is none of this text.
    pub fn remove_resource_template(&self, template: &str) -> bool {
        self.removed(self.registry().templates.remove(template), List::Resources)
    }

    /// Adds a prompt; clients that subscribed are told.
    ///
    /// # Errors
    /// The name is taken or invalid.
    pub fn add_prompt_handler(
        &self,
        name: &str,
        options: PromptOptions,
        handler: impl PromptHandler,
    ) -> Result<(), ConfigError> {
        self.registry().add_prompt(prompt_entry(name, options, Arc::new(handler))?)?;
        self.notify_prompts_changed();
        Ok(())
    }

    /// Adds a prompt, like `ServerBuilder::prompt`; clients that subscribed are told.
    ///
    /// # Errors
    /// It is taken or invalid.
    pub fn add_prompt<F, Fut, R, E>(&self, name: &str, options: PromptOptions, function: F) -> Result<(), ConfigError>
    where
        F: Fn(handler::PromptArguments, context::Context) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = Result<R, E>> + Send + 'static,
        R: Into<GetPromptResult> + 'static,
        E: Into<handler::HandlerError> + 'static,
    {
        self.add_prompt_handler(name, options, handler::PromptFunction(function))
    }

    /// Removes a prompt. False when there is none of this name.
    pub fn remove_prompt(&self, name: &str) -> bool {
        self.removed(self.registry().prompts.remove(name), List::Prompts)
    }

    /// Sets what completes the arguments of prompts and the variables of resource templates, or removes it. Requests that
    /// are being served go on with the one before. Whether there is a handler is declared to clients that connect later.
    pub fn set_completion_handler(&self, handler: Option<Box<dyn CompletionHandler>>) {
        self.registry().completion.store(handler.map(Arc::new));
    }

    /// Tells clients that subscribed that the list of tools changed. Adding and removing does it by itself.
    pub fn notify_tools_changed(&self) {
        self.0.changes.list_changed(List::Tools);
    }

    /// Tells clients that subscribed that the list of resources or templates changed.
    pub fn notify_resources_changed(&self) {
        self.0.changes.list_changed(List::Resources);
    }

    /// Tells clients that subscribed that the list of prompts changed.
    pub fn notify_prompts_changed(&self) {
        self.0.changes.list_changed(List::Prompts);
    }

    /// Tells the clients that watch this resource that it changed.
    pub fn notify_resource_updated(&self, uri: &str) {
        self.0.changes.resource_updated(uri);
    }

    /// What the server declares that it can do.
    pub fn capabilities(&self) -> ServerCapabilities {
        ServerCapabilities {
            tools: self.offers_tools(),
            resources: self.offers_resources(),
            prompts: self.offers_prompts(),
            completions: self.offers_completions(),
            logging: self.options().declare_logging,
            change_notifications: self.options().subscriptions_enabled,
            extensions: self.tasks().map(|_| (task::EXTENSION.to_owned(), RawJson::EMPTY_OBJECT)).into_iter().collect(),
            tasks: self.tasks().is_some(),
            lists_tasks: false,
        }
    }

    pub(crate) fn offers_tools(&self) -> bool {
        self.options().declare_tools || !self.registry().tools.is_empty()
    }

    pub(crate) fn offers_resources(&self) -> bool {
        let registry = self.registry();
        self.options().declare_resources || !registry.resources.is_empty() || !registry.templates.is_empty()
    }

    pub(crate) fn offers_prompts(&self) -> bool {
        self.options().declare_prompts || !self.registry().prompts.is_empty()
    }

    pub(crate) fn offers_completions(&self) -> bool {
        self.options().declare_completions || self.registry().completion.load().is_some()
    }

    /// Asks every transport that serves this server to end: subscriptions end in order, nothing new is accepted, and
    /// requests that are being served have `grace` to finish. Returns at once; the transports' own futures tell when
    /// they have ended. May be called from anywhere, a handler included.
    pub fn shutdown(&self, grace: std::time::Duration) {
        self.0.shutdown.begin(grace);
        self.0.changes.close();
    }

    fn removed(&self, removed: bool, list: List) -> bool {
        if removed {
            self.0.changes.list_changed(list);
        }
        removed
    }

    pub(crate) fn options(&self) -> &Options {
        &self.0.options
    }

    pub(crate) fn registry(&self) -> &Registry {
        &self.0.registry
    }

    pub(crate) fn changes(&self) -> &Arc<Changes> {
        &self.0.changes
    }

    pub(crate) fn client_list(&self) -> &client::Clients {
        &self.0.clients
    }

    /// A message as it may leave; `None` when a filter stopped it.
    pub(crate) fn filter_outgoing(&self, message: bytes::Bytes) -> Option<bytes::Bytes> {
        let filters = &self.options().outgoing_filters;
        if filters.is_empty() {
            return Some(message);
        }
        filters.run(RawJson::trusted(message)).map(RawJson::into_bytes)
    }

    pub(crate) fn shutdown_signal(&self) -> &Shutdown {
        &self.0.shutdown
    }

    pub(crate) fn executor(&self) -> Executor {
        self.0.options.executor.clone()
    }

    #[cfg(feature = "modern")]
    pub(crate) fn sealer(&self) -> &request_state::Sealer {
        &self.0.sealer
    }

    #[cfg(feature = "modern")]
    pub(crate) fn server_info_meta(&self) -> &RawJson {
        &self.0.server_info_meta
    }

    #[cfg(feature = "modern")]
    pub(crate) fn listening(&self) -> &Arc<std::sync::atomic::AtomicUsize> {
        &self.0.listening
    }
}
