//! Handlers whose code is the host's.

use std::collections::BTreeMap;
use std::ffi::c_void;
use std::sync::{Arc, Weak};

use mcp::{
    CallToolResult, CompleteRequest, CompleteResult, CompletionHandler, Context, GetPromptResult, HandlerFuture,
    PromptArguments, PromptHandler, RawJson, ReadRequest, ReadResourceResult, ResourceHandler, ToolHandler,
};
use serde::Serialize;
use tokio::sync::oneshot;

use crate::c::context::mcp_context_t;
use crate::c::responder::{Answer, mcp_responder_t};
use crate::callback::Callback;
use crate::handle::give;
use crate::host::{closed, mcp_server_t};
use crate::text::mcp_str;

/// A handler: serves one request.
///
/// `input` is JSON, borrowed for the duration of the call, by what the handler was registered as:
/// - a tool: the arguments, an object that satisfies the tool's input schema;
/// - a resource: `{"uri": "…"}`; a template: `{"uri": "…", "variables": {"name": "value"}}`, percent-decoded;
/// - a prompt: the arguments, an object of strings, all required ones there;
/// - completion: `{"ref": …, "argument": {"name": …, "value": …}, "context": …}`.
///
/// `context` is borrowed for the duration of the call (see `mcp_context_clone`). `responder` is the handler's: it must be
/// given to one of the functions `mcp_respond_…`, or to `mcp_responder_delete`, exactly once, during the call or later,
/// from any thread. The function may be called from several threads at once. It must not throw or `longjmp`.
pub type mcp_handler_fn = Option<
    unsafe extern "C" fn(
        user_data: *mut c_void,
        context: *const mcp_context_t,
        input: mcp_str,
        responder: *mut mcp_responder_t,
    ),
>;

pub(crate) type HandlerFunction =
    unsafe extern "C" fn(*mut c_void, *const mcp_context_t, mcp_str, *mut mcp_responder_t);

/// A handler, and where it runs.
#[derive(Clone)]
pub(crate) struct Foreign {
    callback: Callback<HandlerFunction>,
    host: Weak<mcp_server_t>,
    /// On the thread that serves the connection, which it must not block.
    inline: bool,
}

impl Foreign {
    pub(crate) fn new(callback: Callback<HandlerFunction>, host: &Arc<mcp_server_t>, inline: bool) -> Foreign {
        Foreign { callback, host: Arc::downgrade(host), inline }
    }

    /// Has the host's function called, and waits for what it answers.
    fn run<T: Answer>(&self, input: RawJson, context: Context) -> HandlerFuture<T> {
        let (sender, receiver) = oneshot::channel();
        let Some(host) = self.host.upgrade() else { return Box::pin(std::future::ready(Err(closed().into()))) };
        let responder = mcp_responder_t::new(sender);
        if self.inline {
            call(&self.callback, mcp_context_t::new(context, host), &input, responder);
        } else {
            let callback = self.callback.clone();
            let server = host.clone();
            host.executor.post(Box::new(move || {
                call(&callback, mcp_context_t::new(context, server), &input, responder);
            }));
        }
        Box::pin(async move { receiver.await.unwrap_or_else(|_| Err(Unanswered.into())) })
    }

    /// As `run`, with an input that is written as JSON first.
    fn run_with<T: Answer>(&self, input: &impl Serialize, context: Context) -> HandlerFuture<T> {
        match RawJson::from_serialize(input) {
            Ok(input) => self.run(input, context),
            Err(error) => Box::pin(std::future::ready(Err(error.into()))),
        }
    }
}

/// What the handler of a resource is given.
#[derive(Serialize)]
struct ReadInput {
    uri: String,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    variables: BTreeMap<String, String>,
}

fn call(callback: &Callback<HandlerFunction>, context: mcp_context_t, input: &RawJson, responder: mcp_responder_t) {
    // A server that is closed drops the responder, which answers with an error.
    callback.call(|function, data| {
        // SAFETY: function and data are those that the host registered together; context and input live until the call
        // returns, and the responder is the host's now.
        unsafe { function(data, &context, mcp_str::of(input.as_str()), give(responder)) }
    });
}

/// The handler gave its responder up, or never ran.
#[derive(Debug)]
pub(crate) struct Unanswered;

impl std::fmt::Display for Unanswered {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("the handler gave no answer: its responder was deleted, or its server was closed")
    }
}

impl std::error::Error for Unanswered {}

impl ToolHandler for Foreign {
    fn call(&self, arguments: RawJson, context: Context) -> HandlerFuture<CallToolResult> {
        self.run(arguments, context)
    }
}

impl ResourceHandler for Foreign {
    fn read(&self, request: ReadRequest, context: Context) -> HandlerFuture<ReadResourceResult> {
        let ReadRequest { uri, variables } = request;
        self.run_with(&ReadInput { uri, variables }, context)
    }
}

impl PromptHandler for Foreign {
    fn get(&self, arguments: PromptArguments, context: Context) -> HandlerFuture<GetPromptResult> {
        self.run_with(&arguments, context)
    }
}

impl CompletionHandler for Foreign {
    fn complete(&self, _: CompleteRequest, context: Context) -> HandlerFuture<CompleteResult> {
        self.run(context.params(), context)
    }
}
