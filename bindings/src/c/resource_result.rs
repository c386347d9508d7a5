//! `mcp_resource_result_t`: what a resource holds.

use mcp::{ReadResourceResult, ResourceContents};

use super::cache_hint;
use crate::draft::{Draft, edit};
use crate::guard::{guard, guard_pointer};
use crate::handle::{give, take};
use crate::text::mcp_str;

/// A resource's contents in the making. The setters never fail: what is not valid is told by `mcp_respond_resource`. Not to
/// be used from two threads at once.
pub struct mcp_resource_result_t(pub(crate) Draft<ReadResourceResult>);

/// An empty result. A resource that does not exist is an error, with `MCP_ERROR_RESOURCE_NOT_FOUND`.
#[unsafe(no_mangle)]
pub extern "C" fn mcp_resource_result_new() -> *mut mcp_resource_result_t {
    guard_pointer(|| give(mcp_resource_result_t(Draft::new(ReadResourceResult::default()))))
}

/// Frees a result that was not answered with. NULL is fine.
///
/// # Safety
/// `result` is NULL or a live handle, which this takes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mcp_resource_result_delete(result: *mut mcp_resource_result_t) {
    // SAFETY: as promised by the caller.
    guard(|| drop(unsafe { take(result) }));
}

/// # Safety
/// As `edit`.
unsafe fn set(
    result: *mut mcp_resource_result_t,
    change: impl FnOnce(ReadResourceResult) -> Result<ReadResourceResult, mcp::Error>,
) {
    // SAFETY: as promised by the caller.
    unsafe { edit(result, |result| &mut result.0, change) };
}

fn add(mut result: ReadResourceResult, contents: ResourceContents) -> ReadResourceResult {
    result.contents.push(contents);
    result
}

/// # Safety
/// `mime_type` can be read.
unsafe fn typed(contents: ResourceContents, mime_type: mcp_str) -> Result<ResourceContents, mcp::Error> {
    // SAFETY: as promised by the caller.
    let mime_type = unsafe { mime_type.optional("mime_type") }?;
    Ok(match mime_type {
        Some(mime_type) => contents.with_mime_type(mime_type),
        None => contents,
    })
}

/// Adds text, under the URI that was read or one below it. `mime_type` may be none.
///
/// # Safety
/// `result` is NULL or a live handle; the others can be read.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mcp_resource_result_add_text(
    result: *mut mcp_resource_result_t,
    uri: mcp_str,
    mime_type: mcp_str,
    text: mcp_str,
) {
    // SAFETY: as promised by the caller.
    unsafe {
        set(result, |result| {
            let contents = ResourceContents::text(uri.string("uri")?, text.string("text")?);
            Ok(add(result, typed(contents, mime_type)?))
        });
    }
}

/// Adds bytes, under the URI that was read or one below it. `mime_type` may be none.
///
/// # Safety
/// `result` is NULL or a live handle; the others can be read.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mcp_resource_result_add_blob(
    result: *mut mcp_resource_result_t,
    uri: mcp_str,
    mime_type: mcp_str,
    data: *const u8,
    len: usize,
) {
    let data = mcp_str { ptr: data.cast(), len };
    // SAFETY: as promised by the caller.
    unsafe {
        set(result, |result| {
            let contents = ResourceContents::blob(uri.string("uri")?, data.bytes("data")?);
            Ok(add(result, typed(contents, mime_type)?))
        });
    }
}

/// Adds contents as JSON: `{"uri": …, "text": …}` or `{"uri": …, "blob": …}`, with `_meta` where it is wanted.
///
/// # Safety
/// `result` is NULL or a live handle; `contents` can be read.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mcp_resource_result_add_contents(result: *mut mcp_resource_result_t, contents: mcp_str) {
    // SAFETY: as promised by the caller.
    unsafe { set(result, |result| Ok(add(result, super::read(contents, "contents")?))) };
}

/// Says how long the client may keep the contents. `scope` is one of `MCP_CACHE_…`.
///
/// # Safety
/// `result` is NULL or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mcp_resource_result_set_cache(result: *mut mcp_resource_result_t, ttl_ms: u64, scope: i32) {
    // SAFETY: as promised by the caller.
    unsafe { set(result, |result| Ok(ReadResourceResult { cache: Some(cache_hint(ttl_ms, scope)?), ..result })) };
}

/// Sets `_meta`: a JSON object.
///
/// # Safety
/// `result` is NULL or a live handle; `meta` can be read.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mcp_resource_result_set_meta(result: *mut mcp_resource_result_t, meta: mcp_str) {
    // SAFETY: as promised by the caller.
    unsafe { set(result, |result| Ok(ReadResourceResult { meta: Some(super::object(meta, "_meta")?), ..result })) };
}
