//! `mcp_tool_result_t`: what a tool call gave.

use mcp::{CallToolResult, Content};

use crate::draft::{Draft, edit};
use crate::guard::{guard, guard_pointer};
use crate::handle::{give, take};
use crate::text::mcp_str;

/// A tool's result in the making. The setters never fail: what is not valid is told by `mcp_respond_tool`. Not to be used
/// from two threads at once.
pub struct mcp_tool_result_t(pub(crate) Draft<CallToolResult>);

/// An empty result.
#[unsafe(no_mangle)]
pub extern "C" fn mcp_tool_result_new() -> *mut mcp_tool_result_t {
    guard_pointer(|| give(mcp_tool_result_t(Draft::new(CallToolResult::default()))))
}

/// Frees a result that was not answered with. NULL is fine.
///
/// # Safety
/// `result` is NULL or a live handle, which this takes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mcp_tool_result_delete(result: *mut mcp_tool_result_t) {
    // SAFETY: as promised by the caller.
    guard(|| drop(unsafe { take(result) }));
}

/// # Safety
/// As `edit`.
unsafe fn set(
    result: *mut mcp_tool_result_t,
    change: impl FnOnce(CallToolResult) -> Result<CallToolResult, mcp::Error>,
) {
    // SAFETY: as promised by the caller.
    unsafe { edit(result, |result| &mut result.0, change) };
}

/// Adds text.
///
/// # Safety
/// `result` is NULL or a live handle; `text` can be read.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mcp_tool_result_add_text(result: *mut mcp_tool_result_t, text: mcp_str) {
    // SAFETY: as promised by the caller.
    unsafe { set(result, |result| Ok(result.with_content(Content::text(text.string("text")?)))) };
}

/// Adds a picture: its bytes, and its media type.
///
/// # Safety
/// `result` is NULL or a live handle; the others can be read.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mcp_tool_result_add_image(
    result: *mut mcp_tool_result_t,
    data: *const u8,
    len: usize,
    mime_type: mcp_str,
) {
    let data = mcp_str { ptr: data.cast(), len };
    // SAFETY: as promised by the caller.
    unsafe {
        set(result, |result| {
            Ok(result.with_content(Content::image(data.bytes("data")?, mime_type.string("mime_type")?)))
        });
    }
}

/// Adds sound: its bytes, and its media type.
///
/// # Safety
/// `result` is NULL or a live handle; the others can be read.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mcp_tool_result_add_audio(
    result: *mut mcp_tool_result_t,
    data: *const u8,
    len: usize,
    mime_type: mcp_str,
) {
    let data = mcp_str { ptr: data.cast(), len };
    // SAFETY: as promised by the caller.
    unsafe {
        set(result, |result| {
            Ok(result.with_content(Content::audio(data.bytes("data")?, mime_type.string("mime_type")?)))
        });
    }
}

/// Adds a content block of any kind, as JSON: `{"type": "resource_link", …}`.
///
/// # Safety
/// `result` is NULL or a live handle; `content` can be read.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mcp_tool_result_add_content(result: *mut mcp_tool_result_t, content: mcp_str) {
    // SAFETY: as promised by the caller.
    unsafe { set(result, |result| Ok(result.with_content(super::read::<Content>(content, "content")?))) };
}

/// Sets the structured result, any JSON value. Where no text was added, the client receives a copy of it as text.
///
/// # Safety
/// `result` is NULL or a live handle; `value` can be read.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mcp_tool_result_set_structured(result: *mut mcp_tool_result_t, value: mcp_str) {
    // SAFETY: as promised by the caller.
    unsafe { set(result, |result| Ok(result.with_structured(value.json("structured content")?))) };
}

/// Says that the tool failed: the content tells why.
///
/// # Safety
/// `result` is NULL or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mcp_tool_result_set_error(result: *mut mcp_tool_result_t, is_error: bool) {
    // SAFETY: as promised by the caller.
    unsafe { set(result, |result| Ok(CallToolResult { is_error, ..result })) };
}

/// Sets `_meta`: a JSON object.
///
/// # Safety
/// `result` is NULL or a live handle; `meta` can be read.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mcp_tool_result_set_meta(result: *mut mcp_tool_result_t, meta: mcp_str) {
    // SAFETY: as promised by the caller.
    unsafe { set(result, |result| Ok(result.with_meta(super::object(meta, "_meta")?))) };
}
