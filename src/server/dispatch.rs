//! From a call to its outcome: the one place that knows which handler serves which method.

use std::future::Future;
use std::panic::AssertUnwindSafe;
use std::sync::atomic::Ordering;

use futures_util::FutureExt;

use super::Server;
use super::call::{Call, Outcome, Reply};
use super::executor::Panicked;
use super::handler::{Failure, HandlerError};
use super::handlers::{completion, prompts, resources, tools};
use crate::error::Error;
use crate::protocol::input::InputRequired;
use crate::protocol::method::Method;

/// Serves a call. Dropping the future cancels it; either way nothing more is sent for it afterwards.
pub(crate) async fn dispatch(call: &Call) -> Outcome {
    let running = Running(call);
    let outcome = match call.method {
        Method::ListTools => tools::list(call),
        Method::CallTool => tools::call(call).await,
        Method::ListResources => resources::list(call),
        Method::ListResourceTemplates => resources::list_templates(call),
        Method::ReadResource => resources::read(call).await,
        Method::ListPrompts => prompts::list(call),
        Method::GetPrompt => prompts::get(call).await,
        Method::Complete => completion::complete(call).await,
        Method::GetTask | Method::UpdateTask | Method::CancelTask | Method::TaskResult | Method::ListTasks => {
            match call.state.server.tasks() {
                Some(tasks) => tasks.serve(call).await,
                None => Err(Error::method_not_found(call.method.as_str())),
            }
        }
        other => Err(Error::method_not_found(other.as_str())),
    };
    call.state.finished.store(true, Ordering::Release);
    std::mem::forget(running);
    match outcome {
        Ok(Reply::InputRequired(_)) if !call.method.takes_input() => {
            tracing::error!(method = call.method.as_str(), "a handler asked for input where none can be asked for");
            Err(Error::internal("Internal error: the server asked for input that this request can't give"))
        }
        outcome => outcome,
    }
}

/// Runs the tool of a call that is a task. What a plain call would have been told as an error result of the server's
/// own making is a JSON-RPC error here.
pub(crate) async fn run_task(call: &Call) -> Outcome {
    let outcome = tools::run_task(call).await;
    call.state.finished.store(true, Ordering::Release);
    outcome
}

/// Whether the server offers a method at all.
pub(crate) fn is_offered(server: &Server, method: Method) -> bool {
    let options = server.options();
    match method {
        Method::ListTools => options.empty_lists || server.offers_tools(),
        Method::CallTool => server.offers_tools(),
        Method::ListResources | Method::ListResourceTemplates => options.empty_lists || server.offers_resources(),
        Method::ReadResource => server.offers_resources(),
        Method::Subscribe | Method::Unsubscribe => options.subscriptions_enabled && server.offers_resources(),
        Method::ListPrompts => options.empty_lists || server.offers_prompts(),
        Method::GetPrompt => server.offers_prompts(),
        Method::Complete => server.offers_completions(),
        Method::GetTask | Method::UpdateTask | Method::CancelTask | Method::TaskResult | Method::ListTasks => {
            options.tasks.is_some()
        }
        Method::SetLogLevel => options.declare_logging,
        Method::Listen => options.subscriptions_enabled,
        _ => true,
    }
}

/// Marks the request as over when its future is dropped before the end.
struct Running<'a>(&'a Call);

impl Drop for Running<'_> {
    fn drop(&mut self) {
        self.0.state.finished.store(true, Ordering::Release);
        self.0.state.cancel.raise();
    }
}

/// What came of running a handler.
pub(super) enum Ran<T> {
    Done(T),
    /// The client must answer questions first.
    Asks(InputRequired),
    /// A failure told in words meant for the client.
    Message(String),
    /// A JSON-RPC error.
    Error(Error),
    /// A failure whose detail is in the log.
    Internal,
}

/// Runs a handler: contains its panics, logs what clients must not see, and keeps earlier answers for a further round.
pub(super) async fn run<T, Fut>(call: &Call, what: &str, start: impl FnOnce() -> Fut) -> Ran<T>
where
    Fut: Future<Output = Result<T, HandlerError>>,
{
    let guarded = AssertUnwindSafe(async { start().await }).catch_unwind().await;
    let failure = match guarded {
        Ok(Ok(value)) => return Ran::Done(value),
        Ok(Err(error)) => error.into_failure(),
        Err(panic) => Failure::Internal(Box::new(Panicked::new(&*panic))),
    };
    match failure {
        Failure::Message(text) => Ran::Message(text),
        Failure::Protocol(error) => Ran::Error(error),
        Failure::InputRequired(input) => Ran::Asks(with_answers(call, input)),
        Failure::Internal(error) => {
            tracing::error!(handler = what, "{error}");
            Ran::Internal
        }
    }
}

/// Adds what the client answered so far, so that the next round has it too.
pub(super) fn with_answers(call: &Call, mut input: InputRequired) -> InputRequired {
    if let Some(known) = &call.input {
        input.0.answers = known.kept();
    }
    input
}

/// The outcome of a handler whose failures are all JSON-RPC errors.
pub(super) fn outcome<T>(ran: Ran<T>, reply: impl FnOnce(T) -> Outcome) -> Outcome {
    match ran {
        Ran::Done(value) => reply(value),
        Ran::Asks(input) => Ok(Reply::InputRequired(input)),
        Ran::Message(text) => Err(Error::internal(text)),
        Ran::Error(error) => Err(error),
        Ran::Internal => Err(Error::internal("Internal error: the server could not serve this request")),
    }
}
