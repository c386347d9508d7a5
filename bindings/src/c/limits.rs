//! The bounds of a server, and its threads.

use std::ffi::c_void;
use std::time::Duration;

use mcp::Error;

use super::options::{build, mcp_options_t, set, set_callback};
use crate::callback::mcp_destroy_fn;
use crate::executor::mcp_post_fn;

/// Bounds the arguments of a tool call: so many members and items in all. Beyond it the tool answers with an error result.
/// Default: no bound but that of the message.
///
/// # Safety
/// `options` is NULL or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mcp_options_set_max_tool_input_elements(options: *mut mcp_options_t, elements: usize) {
    // SAFETY: as promised by the caller.
    unsafe { build(options, |builder| Ok(builder.max_tool_input_elements(elements))) };
}

/// Sets how many entries a page of a list has. Default 1,000.
///
/// # Safety
/// `options` is NULL or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mcp_options_set_page_size(options: *mut mcp_options_t, entries: usize) {
    // SAFETY: as promised by the caller.
    unsafe { build(options, |builder| Ok(builder.page_size(entries))) };
}

/// Longest message in bytes. Default 16 MiB.
pub const MCP_LIMIT_MESSAGE_BYTES: i32 = 0;
/// Most requests of one connection or session that may run at once. Default 4,096.
pub const MCP_LIMIT_IN_FLIGHT: i32 = 1;
/// Most messages in one batch. Default 256.
pub const MCP_LIMIT_BATCH: i32 = 2;
/// Most bytes that may wait for a slow reader of one stream; beyond it notifications are dropped. Default 1 MiB.
pub const MCP_LIMIT_QUEUED_BYTES: i32 = 3;
/// Most subscriptions of one server, and most resources that one subscriber may watch. Default 10,000.
pub const MCP_LIMIT_SUBSCRIPTIONS: i32 = 4;
/// How long, in milliseconds, requests may still run when their client closes its end. Default 5,000.
pub const MCP_LIMIT_DRAIN_MS: i32 = 5;

/// Sets a bound, one of `MCP_LIMIT_…`. What arrives beyond it is refused with an error; nothing waits or grows.
///
/// # Safety
/// `options` is NULL or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mcp_options_set_limit(options: *mut mcp_options_t, limit: i32, value: usize) {
    // SAFETY: as promised by the caller.
    unsafe {
        set(options, |parts| {
            match limit {
                MCP_LIMIT_MESSAGE_BYTES => parts.limits.max_message_bytes = value,
                MCP_LIMIT_IN_FLIGHT => parts.limits.max_in_flight = value,
                MCP_LIMIT_BATCH => parts.limits.max_batch = value,
                MCP_LIMIT_QUEUED_BYTES => parts.limits.max_queued_bytes = value,
                MCP_LIMIT_SUBSCRIPTIONS => parts.limits.max_subscriptions = value,
                MCP_LIMIT_DRAIN_MS => parts.limits.drain_timeout = Duration::from_millis(value as u64),
                other => {
                    return Err(Error::invalid_params(format!("limit is {other}; it must be one of MCP_LIMIT_…")));
                }
            }
            Ok(())
        });
    }
}

/// Sets how many threads serve connections. 0: none; the host drives the server with `mcp_server_poll` or
/// `mcp_server_wait`. Default: as many as there are cores, four at most.
///
/// # Safety
/// `options` is NULL or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mcp_options_set_worker_threads(options: *mut mcp_options_t, threads: usize) {
    // SAFETY: as promised by the caller.
    unsafe {
        set(options, |parts| {
            parts.worker_threads = threads;
            Ok(())
        });
    }
}

/// Sets how many threads run handlers at most; they are started when they are needed, and end when they are not. Further
/// calls wait. Default 64.
///
/// # Safety
/// `options` is NULL or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mcp_options_set_handler_threads(options: *mut mcp_options_t, threads: usize) {
    // SAFETY: as promised by the caller.
    unsafe {
        set(options, |parts| {
            parts.handler_threads = threads;
            Ok(())
        });
    }
}

/// Has handlers run where the host wants: each call of a handler that is not inline is given to `function` as a job.
///
/// # Safety
/// `options` is NULL or a live handle; the callback keeps the contract of callbacks.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mcp_options_set_executor(
    options: *mut mcp_options_t,
    function: mcp_post_fn,
    user_data: *mut c_void,
    destroy: mcp_destroy_fn,
) {
    // SAFETY: as promised by the caller.
    unsafe {
        set_callback(options, function, user_data, destroy, |parts, callback| {
            parts.executor = Some(callback);
            Ok(())
        });
    }
}
