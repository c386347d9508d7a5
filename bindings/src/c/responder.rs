//! `mcp_responder_t`: where the answer to one request goes.

use mcp::{
    CallToolResult, CompleteResult, Error, GetPromptResult, HandlerError, InputRequired, RawJson, ReadResourceResult,
};
use tokio::sync::oneshot;

use super::completion_result::mcp_completion_result_t;
use super::error::mcp_error_t;
use super::input_required::mcp_input_required_t;
use super::prompt_result::mcp_prompt_result_t;
use super::resource_result::mcp_resource_result_t;
use super::tool_result::mcp_tool_result_t;
use crate::draft::Draft;
use crate::foreign::Unanswered;
use crate::guard::{guard, guard_result};
use crate::handle::{null, take};
use crate::text::mcp_str;

/// Where the answer to one request goes. It may be answered from any thread, once: each `mcp_respond_…` takes it, also when
/// it fails. What is answered after the client has gone or the server is deleted is lost, without harm.
pub struct mcp_responder_t(Option<Sender>);

/// A sender, by what the request wants.
pub(crate) enum Sender {
    Tool(Channel<CallToolResult>),
    Resource(Channel<ReadResourceResult>),
    Prompt(Channel<GetPromptResult>),
    Completion(Channel<CompleteResult>),
}

type Channel<T> = oneshot::Sender<Result<T, HandlerError>>;

/// A type of result that a handler gives.
pub(crate) trait Answer: Sized + Send + 'static {
    /// What the result is called in errors.
    const WHAT: &str;

    fn sender(channel: Channel<Self>) -> Sender;

    /// The channel, where the request wants this type.
    fn channel(sender: Sender) -> Result<Channel<Self>, Sender>;
}

macro_rules! answer {
    ($type:ty, $variant:ident, $what:literal) => {
        impl Answer for $type {
            const WHAT: &str = $what;

            fn sender(channel: Channel<Self>) -> Sender {
                Sender::$variant(channel)
            }

            fn channel(sender: Sender) -> Result<Channel<Self>, Sender> {
                match sender {
                    Sender::$variant(channel) => Ok(channel),
                    other => Err(other),
                }
            }
        }
    };
}

answer!(CallToolResult, Tool, "a tool's result");
answer!(ReadResourceResult, Resource, "a resource's result");
answer!(GetPromptResult, Prompt, "a prompt's result");
answer!(CompleteResult, Completion, "a completion's result");

impl Sender {
    fn fail(self, error: HandlerError) {
        // The receiver is gone when the request was cancelled; then nobody wants the answer.
        match self {
            Sender::Tool(channel) => drop(channel.send(Err(error))),
            Sender::Resource(channel) => drop(channel.send(Err(error))),
            Sender::Prompt(channel) => drop(channel.send(Err(error))),
            Sender::Completion(channel) => drop(channel.send(Err(error))),
        }
    }

    fn what(&self) -> &'static str {
        match self {
            Sender::Tool(_) => CallToolResult::WHAT,
            Sender::Resource(_) => ReadResourceResult::WHAT,
            Sender::Prompt(_) => GetPromptResult::WHAT,
            Sender::Completion(_) => CompleteResult::WHAT,
        }
    }
}

impl mcp_responder_t {
    pub(crate) fn new<T: Answer>(channel: Channel<T>) -> mcp_responder_t {
        mcp_responder_t(Some(T::sender(channel)))
    }

    /// Sends a result, or the error that says why there is none.
    fn send<T: Answer>(mut self, result: Result<T, Error>) -> Result<(), Error> {
        let Some(sender) = self.0.take() else { return Ok(()) };
        let result = match result {
            Ok(result) => result,
            Err(error) => {
                sender.fail(BadAnswer(error.clone()).into());
                return Err(error);
            }
        };
        match T::channel(sender) {
            Ok(channel) => {
                drop(channel.send(Ok(result)));
                Ok(())
            }
            Err(sender) => {
                let error = format!("the request wants {}, but was answered with {}", sender.what(), T::WHAT);
                let error = Error::invalid_request(error);
                sender.fail(BadAnswer(error.clone()).into());
                Err(error)
            }
        }
    }

    pub(crate) fn fail(mut self, error: HandlerError) {
        if let Some(sender) = self.0.take() {
            sender.fail(error);
        }
    }
}

impl Drop for mcp_responder_t {
    fn drop(&mut self) {
        if let Some(sender) = self.0.take() {
            sender.fail(Unanswered.into());
        }
    }
}

/// A mistake of the host's in its answer: the client is told that something went wrong, the log what.
#[derive(Debug)]
struct BadAnswer(Error);

impl std::fmt::Display for BadAnswer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "the handler's answer can't be used: {}", self.0.message())
    }
}

impl std::error::Error for BadAnswer {}

/// # Safety
/// Both are null or live handles, which this takes.
unsafe fn respond<H, T: Answer>(
    responder: *mut mcp_responder_t,
    result: *mut H,
    draft: impl FnOnce(H) -> Draft<T>,
) -> *mut mcp_error_t {
    guard_result(|| {
        // SAFETY: as promised by the caller.
        let (responder, result) = unsafe { (take(responder), take(result)) };
        let result = result.ok_or_else(|| null("result")).and_then(|result| draft(*result).finish());
        responder.ok_or_else(|| null("responder"))?.send(result)
    })
}

/// Answers a tool call. Fails when a setter of the result was given something that is not valid, or when the request is
/// none of a tool; then the client receives an internal error.
///
/// # Safety
/// Both are NULL or live handles, which this takes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mcp_respond_tool(
    responder: *mut mcp_responder_t,
    result: *mut mcp_tool_result_t,
) -> *mut mcp_error_t {
    // SAFETY: as promised by the caller.
    unsafe { respond(responder, result, |result| result.0) }
}

/// Answers a tool call with text: the usual case.
///
/// # Safety
/// `responder` is NULL or a live handle, which this takes; `text` can be read.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mcp_respond_text(responder: *mut mcp_responder_t, text: mcp_str) -> *mut mcp_error_t {
    guard_result(|| {
        // SAFETY: as promised by the caller.
        let (responder, text) = unsafe { (take(responder), text.string("text")) };
        responder.ok_or_else(|| null("responder"))?.send(text.map(CallToolResult::text))
    })
}

/// Answers a read of a resource, like `mcp_respond_tool`.
///
/// # Safety
/// Both are NULL or live handles, which this takes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mcp_respond_resource(
    responder: *mut mcp_responder_t,
    result: *mut mcp_resource_result_t,
) -> *mut mcp_error_t {
    // SAFETY: as promised by the caller.
    unsafe { respond(responder, result, |result| result.0) }
}

/// Answers a request for a prompt, like `mcp_respond_tool`.
///
/// # Safety
/// Both are NULL or live handles, which this takes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mcp_respond_prompt(
    responder: *mut mcp_responder_t,
    result: *mut mcp_prompt_result_t,
) -> *mut mcp_error_t {
    // SAFETY: as promised by the caller.
    unsafe { respond(responder, result, |result| result.0) }
}

/// Answers a request for completion, like `mcp_respond_tool`.
///
/// # Safety
/// Both are NULL or live handles, which this takes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mcp_respond_completion(
    responder: *mut mcp_responder_t,
    result: *mut mcp_completion_result_t,
) -> *mut mcp_error_t {
    // SAFETY: as promised by the caller.
    unsafe { respond(responder, result, |result| result.0) }
}

/// Answers any request with a result as JSON, in the form that the specification gives it
/// (`{"content": […]}`, `{"contents": […]}`, `{"messages": […]}`, `{"completion": {…}}`). Only the members that the
/// specification names are sent.
///
/// # Safety
/// `responder` is NULL or a live handle, which this takes; `result` can be read.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mcp_respond_json(responder: *mut mcp_responder_t, result: mcp_str) -> *mut mcp_error_t {
    fn read<T: serde::de::DeserializeOwned>(result: Result<RawJson, Error>) -> Result<T, Error> {
        result?.deserialize().map_err(|error| Error::invalid_params(format!("result: {error}")))
    }
    guard_result(|| {
        // SAFETY: as promised by the caller.
        let (responder, result) = unsafe { (take(responder), result.json("result")) };
        let responder = *responder.ok_or_else(|| null("responder"))?;
        match &responder.0 {
            Some(Sender::Tool(_)) => responder.send::<CallToolResult>(read(result)),
            Some(Sender::Resource(_)) => responder.send::<ReadResourceResult>(read(result)),
            Some(Sender::Prompt(_)) => responder.send::<GetPromptResult>(read(result)),
            Some(Sender::Completion(_)) => responder.send::<CompleteResult>(read(result)),
            None => Ok(()),
        }
    })
}

/// Answers with questions: the client is asked, and the handler is called again with the answers (see
/// `mcp_context_input_response`). Not for completion.
///
/// # Safety
/// Both are NULL or live handles, which this takes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mcp_respond_input_required(
    responder: *mut mcp_responder_t,
    questions: *mut mcp_input_required_t,
) -> *mut mcp_error_t {
    guard_result(|| {
        // SAFETY: as promised by the caller.
        let (responder, questions) = unsafe { (take(responder), take(questions)) };
        let responder = responder.ok_or_else(|| null("responder"))?;
        let questions = questions.ok_or_else(|| null("questions")).and_then(|questions| questions.0.finish());
        ask(*responder, questions)
    })
}

/// Answers with questions, or with the error that says why there are none.
pub(crate) fn ask(responder: mcp_responder_t, questions: Result<InputRequired, Error>) -> Result<(), Error> {
    match questions {
        Ok(questions) => {
            responder.fail(questions.into());
            Ok(())
        }
        Err(error) => {
            responder.fail(BadAnswer(error.clone()).into());
            Err(error)
        }
    }
}

/// Answers with a failure told in words that the client may see: a tool's result with `isError`, an internal error
/// elsewhere.
///
/// # Safety
/// `responder` is NULL or a live handle, which this takes; `text` can be read.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mcp_respond_failure(responder: *mut mcp_responder_t, text: mcp_str) -> *mut mcp_error_t {
    guard_result(|| {
        // SAFETY: as promised by the caller.
        let (responder, text) = unsafe { (take(responder), text.text("text")) };
        let responder = responder.ok_or_else(|| null("responder"))?;
        match text {
            Ok(text) => responder.fail(HandlerError::message(text)),
            Err(error) => {
                responder.fail(BadAnswer(error.clone()).into());
                return Err(error);
            }
        }
        Ok(())
    })
}

/// Answers with a failure that the client learns nothing about: a tool's result with `isError` and a general text, an
/// internal error elsewhere. `detail` goes to the log.
///
/// # Safety
/// `responder` is NULL or a live handle, which this takes; `detail` can be read.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mcp_respond_internal_failure(
    responder: *mut mcp_responder_t,
    detail: mcp_str,
) -> *mut mcp_error_t {
    guard_result(|| {
        // SAFETY: as promised by the caller.
        let (responder, detail) = unsafe { (take(responder), detail.bytes("detail")) };
        let detail = String::from_utf8_lossy(detail.unwrap_or_default()).into_owned();
        responder.ok_or_else(|| null("responder"))?.fail(Detail(detail).into());
        Ok(())
    })
}

/// A detail for the log.
#[derive(Debug)]
struct Detail(String);

impl std::fmt::Display for Detail {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Detail {}

/// Answers with a JSON-RPC error.
///
/// # Safety
/// Both are NULL or live handles, which this takes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mcp_respond_error(
    responder: *mut mcp_responder_t,
    error: *mut mcp_error_t,
) -> *mut mcp_error_t {
    guard_result(|| {
        // SAFETY: as promised by the caller.
        let (responder, error) = unsafe { (take(responder), take(error)) };
        let error = error.map_or_else(|| Error::internal("Internal error"), |error| error.0);
        responder.ok_or_else(|| null("responder"))?.fail(error.into());
        Ok(())
    })
}

/// Gives a request up: the client receives an internal error.
///
/// # Safety
/// `responder` is NULL or a live handle, which this takes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mcp_responder_delete(responder: *mut mcp_responder_t) {
    // SAFETY: as promised by the caller.
    guard(|| drop(unsafe { take(responder) }));
}
