//! `mcp_input_required_t`: questions to the client.

use mcp::{ElicitRequest, InputRequest, InputRequired};

use crate::draft::{Draft, edit};
use crate::guard::{guard, guard_pointer};
use crate::handle::{give, take};
use crate::text::mcp_str;

/// Questions to the client in the making. The setters never fail: what is not valid is told by
/// `mcp_respond_input_required`. Not to be used from two threads at once.
pub struct mcp_input_required_t(pub(crate) Draft<InputRequired>);

/// No questions.
#[unsafe(no_mangle)]
pub extern "C" fn mcp_input_required_new() -> *mut mcp_input_required_t {
    guard_pointer(|| give(mcp_input_required_t(Draft::new(InputRequired::new()))))
}

/// Frees questions that were not asked. NULL is fine.
///
/// # Safety
/// `questions` is NULL or a live handle, which this takes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mcp_input_required_delete(questions: *mut mcp_input_required_t) {
    // SAFETY: as promised by the caller.
    guard(|| drop(unsafe { take(questions) }));
}

/// # Safety
/// As `edit`.
unsafe fn set(
    questions: *mut mcp_input_required_t,
    change: impl FnOnce(InputRequired) -> Result<InputRequired, mcp::Error>,
) {
    // SAFETY: as promised by the caller.
    unsafe { edit(questions, |questions| &mut questions.0, change) };
}

/// Adds a question as JSON: `{"method": "elicitation/create", "params": {…}}`, or `sampling/createMessage`, or
/// `roots/list`. `key` names the answer.
///
/// # Safety
/// `questions` is NULL or a live handle; the others can be read.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mcp_input_required_add(questions: *mut mcp_input_required_t, key: mcp_str, request: mcp_str) {
    // SAFETY: as promised by the caller.
    unsafe {
        set(questions, |questions| {
            Ok(questions.request(key.string("key")?, super::read::<InputRequest>(request, "request")?))
        });
    }
}

/// Adds a form for the person: a message, and a JSON Schema of what is asked for (an object of simple values).
///
/// # Safety
/// `questions` is NULL or a live handle; the others can be read.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mcp_input_required_add_form(
    questions: *mut mcp_input_required_t,
    key: mcp_str,
    message: mcp_str,
    schema: mcp_str,
) {
    // SAFETY: as promised by the caller.
    unsafe {
        set(questions, |questions| {
            let form = ElicitRequest::form(message.string("message")?, schema.json("schema")?);
            Ok(questions.request(key.string("key")?, form))
        });
    }
}

/// Sets what the handler wants to have back with the answers (`mcp_context_request_state`). It travels through the client:
/// signed, but not secret.
///
/// # Safety
/// `questions` is NULL or a live handle; `state` can be read.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mcp_input_required_set_state(questions: *mut mcp_input_required_t, state: mcp_str) {
    // SAFETY: as promised by the caller.
    unsafe { set(questions, |questions| Ok(questions.state(state.string("state")?))) };
}
