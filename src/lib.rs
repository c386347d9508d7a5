//! A server library for the Model Context Protocol: every published revision on one endpoint, over the standard streams
//! and Streamable HTTP.
//!
//! ```no_run
//! use mcp::{Server, ToolOptions};
//!
//! #[derive(serde::Deserialize, schemars::JsonSchema)]
//! struct Weather {
//!     /// City name
//!     city: String,
//! }
//!
//! #[tokio::main]
//! async fn main() -> Result<(), Box<dyn std::error::Error>> {
//!     let server = Server::builder("weather", "1.0")
//!         .tool("weather", ToolOptions::new().description("Weather for a city"), |args: Weather, _ctx| async move {
//!             format!("It is sunny in {}.", args.city)
//!         })
//!         .build()?;
//!     server.serve_stdio().await?;
//!     Ok(())
//! }
//! ```
//!
//! A handler is written once and serves clients of both eras: those that open a session with a handshake (revisions up
//! to 2025-11-25) and those whose every request stands alone (2026-07-28). See `Context::ask` for asking the client.

// The vocabulary is whole in every build; one without some features uses less of it.
#![cfg_attr(
    not(all(feature = "modern", feature = "legacy", feature = "http", feature = "stdio", feature = "schemars")),
    allow(dead_code)
)]

#[cfg(not(any(feature = "modern", feature = "legacy")))]
compile_error!("enable the feature `modern`, `legacy` or both: without them no protocol revision can be spoken");

mod error;
mod ingress;
mod json;
#[cfg(feature = "legacy")]
mod legacy;
#[cfg(feature = "modern")]
mod modern;
mod peer;
mod protocol;
mod server;
mod tasks;
mod transport;

pub use error::{ConfigError, Error, TransportError, code};
pub use json::{JsonWriter, Kind as JsonKind, RawJson, SyntaxError};
#[cfg(all(feature = "http", feature = "legacy"))]
pub use legacy::event_store::{EventStore, MemoryEventStore};
pub use protocol::cache::{CacheHint, CacheScope};
pub use protocol::capability::{
    ClientCapabilities, ElicitationCapability, RootsCapability, SamplingCapability, ServerCapabilities,
};
pub use protocol::completion::{
    CompleteRequest, CompleteResult, CompletionArgument, CompletionContext, CompletionReference,
};
pub use protocol::content::{Annotations, Content, ContentKind, ResourceBody, ResourceContents, ResourceLink, Role};
pub use protocol::elicitation::{ElicitAction, ElicitRequest, ElicitResult};
pub use protocol::id::RequestId;
pub use protocol::identity::{Icon, IconTheme, Implementation};
pub use protocol::input::{InputRequest, InputRequired};
pub use protocol::logging::{LoggingLevel, UnknownLevel};
pub use protocol::prompt::{GetPromptResult, PromptArgument, PromptMessage, PromptOptions};
pub use protocol::resource::{ReadResourceResult, ResourceOptions};
pub use protocol::roots::{ListRootsResult, Root};
pub use protocol::sampling::{CreateMessageRequest, CreateMessageResult, SamplingContent, SamplingMessage};
pub use protocol::task::TaskStatus;
pub use protocol::tool::{CallToolResult, TaskMode, ToolOptions};
pub use protocol::version::{Era, ProtocolVersion, UnknownVersion};
pub use server::Server;
pub use server::builder::ServerBuilder;
pub use server::client::Client;
pub use server::context::{Context, ListRoots, Question};
pub use server::executor::Job;
pub use server::filter::{Filter, Filters};
pub use server::handler::{
    CompletionHandler, HandlerError, HandlerFuture, IntoToolResult, Json, PromptArguments, PromptHandler, ReadRequest,
    ResourceHandler, ToolHandler,
};
pub use server::observer::Events;
pub use server::options::{InputRequiredConfig, Limits};
#[cfg(feature = "sqlite")]
pub use tasks::SqliteTaskStore;
pub use tasks::{FileTaskStore, MemoryTaskStore, StoreError, StoreFuture, TaskOptions, TaskRecord, TaskStore};
#[cfg(feature = "http")]
pub use transport::http::{HttpLimits, HttpOptions, HttpServer, HttpService, Principal, ResponseBody};
pub use transport::memory::Link;
