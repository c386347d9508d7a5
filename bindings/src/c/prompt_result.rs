//! `mcp_prompt_result_t`: the messages of a prompt.

use mcp::{Content, Error, GetPromptResult, PromptMessage};

use crate::draft::{Draft, edit};
use crate::guard::{guard, guard_pointer};
use crate::handle::{give, take};
use crate::text::mcp_str;

/// The role of whom a message is from: the person.
pub const MCP_ROLE_USER: i32 = 0;
/// The role of whom a message is from: the model.
pub const MCP_ROLE_ASSISTANT: i32 = 1;

/// A prompt's messages in the making. The setters never fail: what is not valid is told by `mcp_respond_prompt`. Not to be
/// used from two threads at once.
pub struct mcp_prompt_result_t(pub(crate) Draft<GetPromptResult>);

/// A prompt without messages.
#[unsafe(no_mangle)]
pub extern "C" fn mcp_prompt_result_new() -> *mut mcp_prompt_result_t {
    guard_pointer(|| give(mcp_prompt_result_t(Draft::new(GetPromptResult::new([])))))
}

/// Frees a result that was not answered with. NULL is fine.
///
/// # Safety
/// `result` is NULL or a live handle, which this takes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mcp_prompt_result_delete(result: *mut mcp_prompt_result_t) {
    // SAFETY: as promised by the caller.
    guard(|| drop(unsafe { take(result) }));
}

/// # Safety
/// As `edit`.
unsafe fn set(
    result: *mut mcp_prompt_result_t,
    change: impl FnOnce(GetPromptResult) -> Result<GetPromptResult, Error>,
) {
    // SAFETY: as promised by the caller.
    unsafe { edit(result, |result| &mut result.0, change) };
}

fn add(mut result: GetPromptResult, role: i32, content: Content) -> Result<GetPromptResult, Error> {
    result.messages.push(match role {
        MCP_ROLE_USER => PromptMessage::user(content),
        MCP_ROLE_ASSISTANT => PromptMessage::assistant(content),
        other => return Err(Error::invalid_params(format!("role is {other}; it must be one of MCP_ROLE_…"))),
    });
    Ok(result)
}

/// Describes the prompt.
///
/// # Safety
/// `result` is NULL or a live handle; `text` can be read.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mcp_prompt_result_set_description(result: *mut mcp_prompt_result_t, text: mcp_str) {
    // SAFETY: as promised by the caller.
    unsafe {
        set(result, |result| Ok(GetPromptResult { description: Some(text.string("description")?), ..result }));
    }
}

/// Adds a message of text. `role` is one of `MCP_ROLE_…`.
///
/// # Safety
/// `result` is NULL or a live handle; `text` can be read.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mcp_prompt_result_add_text(result: *mut mcp_prompt_result_t, role: i32, text: mcp_str) {
    // SAFETY: as promised by the caller.
    unsafe { set(result, |result| add(result, role, Content::text(text.string("text")?))) };
}

/// Adds a message whose content is given as JSON: `{"type": "image", …}`. `role` is one of `MCP_ROLE_…`.
///
/// # Safety
/// `result` is NULL or a live handle; `content` can be read.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mcp_prompt_result_add_content(result: *mut mcp_prompt_result_t, role: i32, content: mcp_str) {
    // SAFETY: as promised by the caller.
    unsafe { set(result, |result| add(result, role, super::read(content, "content")?)) };
}

/// Sets `_meta`: a JSON object.
///
/// # Safety
/// `result` is NULL or a live handle; `meta` can be read.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mcp_prompt_result_set_meta(result: *mut mcp_prompt_result_t, meta: mcp_str) {
    // SAFETY: as promised by the caller.
    unsafe { set(result, |result| Ok(GetPromptResult { meta: Some(super::object(meta, "_meta")?), ..result })) };
}
