//! `mcp_error_t`: why a function failed, or why a handler gives no result.

use mcp::Error;

use crate::guard::{guard, guard_pointer};
use crate::handle::{give, take};
use crate::text::mcp_str;

/// JSON could not be read.
pub const MCP_ERROR_PARSE: i32 = -32700;
/// A message or a call is not valid.
pub const MCP_ERROR_INVALID_REQUEST: i32 = -32600;
/// There is no such method.
pub const MCP_ERROR_METHOD_NOT_FOUND: i32 = -32601;
/// An argument is not valid: NULL where the contract forbids it, bad UTF-8, a bad name or schema included.
pub const MCP_ERROR_INVALID_PARAMS: i32 = -32602;
/// Something went wrong inside.
pub const MCP_ERROR_INTERNAL: i32 = -32603;
/// The other side is gone, or the server is closed.
pub const MCP_ERROR_CONNECTION_CLOSED: i32 = -32000;
/// Something took too long.
pub const MCP_ERROR_TIMEOUT: i32 = -32001;
/// A resource does not exist.
pub const MCP_ERROR_RESOURCE_NOT_FOUND: i32 = -32002;
/// A transport could not start: an address is taken or invalid, a stream can't be used.
pub const MCP_ERROR_TRANSPORT: i32 = -32003;
/// A queue is full.
pub const MCP_ERROR_BUSY: i32 = -32005;
/// A name or URI is taken by something that is registered already; everything else about the registration is valid.
pub const MCP_ERROR_TAKEN: i32 = -32010;

/// Why something failed: a code, a text for people, and data for programs. A function that returns one returns NULL when
/// all went well; the caller owns what it gets.
pub struct mcp_error_t(pub(crate) Error);

impl mcp_error_t {
    pub(crate) fn give(error: Error) -> *mut mcp_error_t {
        give(mcp_error_t(error))
    }
}

/// An error of the caller's, for `mcp_respond_error`. NULL when `message` is not valid UTF-8.
///
/// # Safety
/// `message` can be read.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mcp_error_new(code: i32, message: mcp_str) -> *mut mcp_error_t {
    guard_pointer(|| {
        // SAFETY: as promised by the caller.
        let message = unsafe { message.text("message") };
        message.map_or(std::ptr::null_mut(), |message| mcp_error_t::give(Error::new(code, message)))
    })
}

/// Adds data for programs. False when it is not valid JSON; then nothing changes.
///
/// # Safety
/// `error` is NULL or a live handle that nobody else uses meanwhile; `data` can be read.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mcp_error_set_data(error: *mut mcp_error_t, data: mcp_str) -> bool {
    guard(|| {
        // SAFETY: as promised by the caller.
        let (Some(error), Ok(data)) = (unsafe { error.as_mut() }, unsafe { data.json("data") }) else { return false };
        error.0 = error.0.clone().with_data(data);
        true
    })
}

/// The code: one of `MCP_ERROR_…`, or of the protocol's; 0 for NULL.
///
/// # Safety
/// `error` is NULL or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mcp_error_code(error: *const mcp_error_t) -> i32 {
    // SAFETY: as promised by the caller.
    unsafe { error.as_ref() }.map_or(0, |error| error.0.code())
}

/// The text for people: what was wrong, and what to change. Borrowed, valid until `error` is deleted.
///
/// # Safety
/// `error` is NULL or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mcp_error_message(error: *const mcp_error_t) -> mcp_str {
    // SAFETY: as promised by the caller.
    unsafe { error.as_ref() }.map_or(mcp_str::NONE, |error| mcp_str::of(error.0.message()))
}

/// The data for programs as JSON, or none. Borrowed, valid until `error` is deleted.
///
/// # Safety
/// `error` is NULL or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mcp_error_data(error: *const mcp_error_t) -> mcp_str {
    // SAFETY: as promised by the caller.
    unsafe { error.as_ref() }.map_or(mcp_str::NONE, |error| mcp_str::of_json(error.0.data()))
}

/// Frees an error. NULL is fine.
///
/// # Safety
/// `error` is NULL or a live handle, which this takes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mcp_error_delete(error: *mut mcp_error_t) {
    // SAFETY: as promised by the caller.
    guard(|| drop(unsafe { take(error) }));
}
