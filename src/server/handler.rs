//! Handlers: what a host writes, and how the results and failures of its functions are taken.

use std::fmt;
use std::future::Future;
use std::marker::PhantomData;
use std::pin::Pin;

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::context::Context;
use crate::error::Error;
use crate::json::RawJson;
use crate::protocol::completion::{CompleteRequest, CompleteResult};
use crate::protocol::content::Content;
use crate::protocol::input::InputRequired;
use crate::protocol::prompt::GetPromptResult;
use crate::protocol::resource::ReadResourceResult;
use crate::protocol::tool::CallToolResult;

/// A boxed future, as handlers return it.
pub type HandlerFuture<T> = Pin<Box<dyn Future<Output = Result<T, HandlerError>> + Send>>;

/// Why a handler gave no result.
///
/// - `HandlerError::message(text)`: the text is meant for the model or the person. A tool answers with an error result,
///   other handlers with an internal error, both with this text.
/// - An `Error`: a JSON-RPC error, as it is.
/// - An `InputRequired`, as `Context::ask` returns it: the client is asked, the handler runs again.
/// - Any other error type: the client receives a general text, the log receives the detail.
pub struct HandlerError(Box<dyn std::error::Error + Send + Sync>);

/// What a handler's error means.
pub(crate) enum Failure {
    Message(String),
    Protocol(Error),
    InputRequired(InputRequired),
    Internal(Box<dyn std::error::Error + Send + Sync>),
}

impl HandlerError {
    /// A failure told in words that the client may see.
    pub fn message(text: impl Into<String>) -> HandlerError {
        HandlerError(Box::new(Message(text.into())))
    }

    pub(crate) fn into_failure(self) -> Failure {
        let error = match self.0.downcast::<Message>() {
            Ok(message) => return Failure::Message(message.0),
            Err(error) => error,
        };
        let error = match error.downcast::<Error>() {
            Ok(error) => return Failure::Protocol(*error),
            Err(error) => error,
        };
        match error.downcast::<InputRequired>() {
            Ok(input) => Failure::InputRequired(*input),
            Err(error) => Failure::Internal(error),
        }
    }
}

impl<E: std::error::Error + Send + Sync + 'static> From<E> for HandlerError {
    fn from(error: E) -> HandlerError {
        HandlerError(Box::new(error))
    }
}

impl fmt::Debug for HandlerError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.0, f)
    }
}

impl fmt::Display for HandlerError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}

#[derive(Debug)]
struct Message(String);

impl fmt::Display for Message {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Message {}

impl fmt::Display for InputRequired {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("input from the client is required")
    }
}

impl std::error::Error for InputRequired {}

/// A tool. Implement it for a type of your own, or pass a function to `ServerBuilder::tool`.
pub trait ToolHandler: Send + Sync + 'static {
    /// Serves one call. `arguments` is a JSON object that satisfies the tool's input schema. May be called concurrently.
    fn call(&self, arguments: RawJson, context: Context) -> HandlerFuture<CallToolResult>;
}

/// A resource or resource template.
pub trait ResourceHandler: Send + Sync + 'static {
    /// Reads `uri`. `variables` holds the decoded variables of a template. May be called concurrently.
    fn read(&self, request: ReadRequest, context: Context) -> HandlerFuture<ReadResourceResult>;
}

/// What is to be read.
#[derive(Clone, Debug)]
pub struct ReadRequest {
    /// The URI as the client sent it.
    pub uri: String,
    /// The variables of the template that matched, percent-decoded once; empty for a plain resource.
    pub variables: std::collections::BTreeMap<String, String>,
}

/// A prompt.
pub trait PromptHandler: Send + Sync + 'static {
    /// Gets the prompt. All required arguments are there. May be called concurrently.
    fn get(&self, arguments: PromptArguments, context: Context) -> HandlerFuture<GetPromptResult>;
}

/// The arguments of a prompt, by name.
pub type PromptArguments = std::collections::BTreeMap<String, String>;

/// Completion of arguments, for all prompts and templates.
pub trait CompletionHandler: Send + Sync + 'static {
    /// Suggests values. May be called concurrently.
    fn complete(&self, request: CompleteRequest, context: Context) -> HandlerFuture<CompleteResult>;
}

/// What a tool's function may return.
pub trait IntoToolResult {
    /// JSON Schema of the structured result, where the type tells.
    fn output_schema() -> Option<RawJson> {
        None
    }

    /// The result.
    ///
    /// # Errors
    /// The function failed, or its value has no JSON form.
    fn into_tool_result(self) -> Result<CallToolResult, HandlerError>;
}

impl IntoToolResult for CallToolResult {
    fn into_tool_result(self) -> Result<CallToolResult, HandlerError> {
        Ok(self)
    }
}

impl IntoToolResult for String {
    fn into_tool_result(self) -> Result<CallToolResult, HandlerError> {
        Ok(CallToolResult::text(self))
    }
}

impl IntoToolResult for &'static str {
    fn into_tool_result(self) -> Result<CallToolResult, HandlerError> {
        Ok(CallToolResult::text(self))
    }
}

impl IntoToolResult for () {
    fn into_tool_result(self) -> Result<CallToolResult, HandlerError> {
        Ok(CallToolResult::default())
    }
}

impl IntoToolResult for Content {
    fn into_tool_result(self) -> Result<CallToolResult, HandlerError> {
        Ok(CallToolResult::default().with_content(self))
    }
}

impl IntoToolResult for Vec<Content> {
    fn into_tool_result(self) -> Result<CallToolResult, HandlerError> {
        Ok(CallToolResult { content: self, ..CallToolResult::default() })
    }
}

impl IntoToolResult for InputRequired {
    fn into_tool_result(self) -> Result<CallToolResult, HandlerError> {
        Ok(CallToolResult { input_required: Some(self), ..CallToolResult::default() })
    }
}

impl<T: IntoToolResult, E: Into<HandlerError>> IntoToolResult for Result<T, E> {
    fn output_schema() -> Option<RawJson> {
        T::output_schema()
    }

    fn into_tool_result(self) -> Result<CallToolResult, HandlerError> {
        self.map_err(Into::into)?.into_tool_result()
    }
}

/// A structured result: the value as JSON, its schema as the tool's output schema.
#[derive(Clone, Copy, Debug)]
pub struct Json<T>(pub T);

#[cfg(feature = "schemars")]
impl<T: Serialize + schemars::JsonSchema> IntoToolResult for Json<T> {
    fn output_schema() -> Option<RawJson> {
        Some(super::derive::schema_of::<T>())
    }

    fn into_tool_result(self) -> Result<CallToolResult, HandlerError> {
        Ok(CallToolResult::structured(RawJson::from_serialize(&self.0)?))
    }
}

#[cfg(not(feature = "schemars"))]
impl<T: Serialize> IntoToolResult for Json<T> {
    fn into_tool_result(self) -> Result<CallToolResult, HandlerError> {
        Ok(CallToolResult::structured(RawJson::from_serialize(&self.0)?))
    }
}

/// A tool made of an async function of typed arguments.
pub(crate) struct TypedTool<F, T>(pub(crate) F, pub(crate) PhantomData<fn(T)>);

impl<F, T, Fut> ToolHandler for TypedTool<F, T>
where
    F: Fn(T, Context) -> Fut + Send + Sync + 'static,
    T: DeserializeOwned + Send + 'static,
    Fut: Future + Send + 'static,
    Fut::Output: IntoToolResult,
{
    fn call(&self, arguments: RawJson, context: Context) -> HandlerFuture<CallToolResult> {
        match arguments.deserialize() {
            Ok(arguments) => {
                let result = (self.0)(arguments, context);
                Box::pin(async move { result.await.into_tool_result() })
            }
            Err(error) => {
                let result = CallToolResult::error(format!("Invalid arguments: {error}"));
                Box::pin(std::future::ready(Ok(result)))
            }
        }
    }
}

/// A tool made of an async function of raw JSON.
pub(crate) struct RawTool<F>(pub(crate) F);

impl<F, Fut> ToolHandler for RawTool<F>
where
    F: Fn(RawJson, Context) -> Fut + Send + Sync + 'static,
    Fut: Future + Send + 'static,
    Fut::Output: IntoToolResult,
{
    fn call(&self, arguments: RawJson, context: Context) -> HandlerFuture<CallToolResult> {
        let result = (self.0)(arguments, context);
        Box::pin(async move { result.await.into_tool_result() })
    }
}

/// A tool made of a function that may block; it runs on the handler pool.
pub(crate) struct BlockingTool<F>(pub(crate) std::sync::Arc<F>);

impl<F, R> ToolHandler for BlockingTool<F>
where
    F: Fn(RawJson, Context) -> R + Send + Sync + 'static,
    R: IntoToolResult,
{
    fn call(&self, arguments: RawJson, context: Context) -> HandlerFuture<CallToolResult> {
        let function = self.0.clone();
        let executor = context.server().executor();
        Box::pin(executor.run(move || function(arguments, context).into_tool_result()))
    }
}

macro_rules! function_handler {
    ($trait:ident :: $method:ident ($argument:ty) -> $result:ty, $name:ident) => {
        /// A handler made of an async function.
        pub(crate) struct $name<F>(pub(crate) F);

        impl<F, Fut, R, E> $trait for $name<F>
        where
            F: Fn($argument, Context) -> Fut + Send + Sync + 'static,
            Fut: Future<Output = Result<R, E>> + Send + 'static,
            R: Into<$result>,
            E: Into<HandlerError>,
        {
            fn $method(&self, argument: $argument, context: Context) -> HandlerFuture<$result> {
                let result = (self.0)(argument, context);
                Box::pin(async move { result.await.map(Into::into).map_err(Into::into) })
            }
        }
    };
}

function_handler!(ResourceHandler::read(ReadRequest) -> ReadResourceResult, ResourceFunction);
function_handler!(PromptHandler::get(PromptArguments) -> GetPromptResult, PromptFunction);
function_handler!(CompletionHandler::complete(CompleteRequest) -> CompleteResult, CompletionFunction);
