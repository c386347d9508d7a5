//! `mcp_client_t`: a client that opened a session with a handshake.

use std::ffi::c_void;
use std::sync::Arc;

use mcp::{Client, Error, InputRequest};

use super::error::mcp_error_t;
use crate::callback::{Callback, discard, mcp_destroy_fn};
use crate::guard::{guard, guard_pointer, guard_result};
use crate::handle::{borrow, give, take};
use crate::host::mcp_server_t;
use crate::text::mcp_str;

/// A client that opened a session with a handshake (revisions 2024-11-05 to 2025-11-25). Clients of 2026-07-28 open none:
/// each of their requests tells who they are (`mcp_context_client_info`). All functions may be called concurrently.
pub struct mcp_client_t {
    client: Client,
    host: Arc<mcp_server_t>,
}

/// Takes a client's answer to a question: either `error` or `answer` (JSON) is there. Both are borrowed for the duration of
/// the call. Called exactly once, on a thread of the server's, which it must not block, unless the server is deleted first.
pub type mcp_answer_fn =
    Option<unsafe extern "C" fn(user_data: *mut c_void, error: *const mcp_error_t, answer: mcp_str)>;

/// How many sessions are open.
///
/// # Safety
/// `server` is NULL or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mcp_server_client_count(server: *const mcp_server_t) -> usize {
    // SAFETY: as promised by the caller.
    guard(|| unsafe { server.as_ref() }.map_or(0, |server| server.server.clients().len()))
}

/// The client of an open session, by its number from 0, oldest first; NULL when there are not so many. The caller owns it.
/// A session that ends meanwhile does no harm: its handle stays valid.
///
/// # Safety
/// `server` is NULL or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mcp_server_client(server: *const mcp_server_t, number: usize) -> *mut mcp_client_t {
    guard_pointer(|| {
        // SAFETY: as promised by the caller.
        let Some(host) = (unsafe { super::server::shared(server) }) else { return std::ptr::null_mut() };
        let client = host.server.clients().into_iter().nth(number);
        client.map_or(std::ptr::null_mut(), |client| give(mcp_client_t { client, host }))
    })
}

/// Frees a client's handle; its session goes on. NULL is fine.
///
/// # Safety
/// `client` is NULL or a live handle, which this takes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mcp_client_delete(client: *mut mcp_client_t) {
    // SAFETY: as promised by the caller.
    guard(|| drop(unsafe { take(client) }));
}

/// Who the client says it is, as JSON. Borrowed, valid until `client` is deleted.
///
/// # Safety
/// `client` is NULL or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mcp_client_info(client: *const mcp_client_t) -> mcp_str {
    // SAFETY: as promised by the caller.
    unsafe { client.as_ref() }.map_or(mcp_str::NONE, |client| mcp_str::of(client.client.info_json().as_str()))
}

/// What the client can do, as JSON. Borrowed, valid until `client` is deleted.
///
/// # Safety
/// `client` is NULL or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mcp_client_capabilities(client: *const mcp_client_t) -> mcp_str {
    // SAFETY: as promised by the caller.
    unsafe { client.as_ref() }.map_or(mcp_str::NONE, |client| mcp_str::of(client.client.capabilities_json().as_str()))
}

/// The protocol revision that was agreed on. Borrowed, valid until `client` is deleted.
///
/// # Safety
/// `client` is NULL or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mcp_client_protocol_version(client: *const mcp_client_t) -> mcp_str {
    // SAFETY: as promised by the caller.
    unsafe { client.as_ref() }.map_or(mcp_str::NONE, |client| mcp_str::of(client.client.protocol_version().as_str()))
}

/// Sends a log message to this client, if it wants messages of this level and the server declares logging. `level` is one
/// of `MCP_LEVEL_…`, `logger` may be none, `data` is JSON.
///
/// # Safety
/// `client` is NULL or a live handle; the others can be read.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mcp_client_log(
    client: *const mcp_client_t,
    level: i32,
    logger: mcp_str,
    data: mcp_str,
) -> *mut mcp_error_t {
    guard_result(|| {
        // SAFETY: as promised by the caller.
        let (client, logger) = unsafe { (borrow(client, "client")?, logger.optional("logger")?) };
        // SAFETY: as promised by the caller.
        client.client.log(super::level(level)?, logger, &unsafe { data.json("data") }?);
        Ok(())
    })
}

/// Asks the client something outside of any request, and returns at once; `function` takes the answer. `request` is JSON as
/// for `mcp_input_required_add`. When this fails, `function` is not called.
///
/// # Safety
/// `client` is NULL or a live handle; `request` can be read; the callback keeps the contract of callbacks.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mcp_client_ask(
    client: *const mcp_client_t,
    request: mcp_str,
    function: mcp_answer_fn,
    user_data: *mut c_void,
    destroy: mcp_destroy_fn,
) -> *mut mcp_error_t {
    guard_result(|| {
        // SAFETY: as promised by the caller.
        let read = || unsafe { Ok((borrow(client, "client")?, super::read::<InputRequest>(request, "request")?)) };
        let (client, request) = read().inspect_err(|_: &Error| discard(user_data, destroy))?;
        let callback = Callback::new(&client.host.gate, function, user_data, destroy)?;
        let asked = client.client.clone();
        client.host.spawn(async move {
            let answer = asked.ask(request).await;
            callback.call(|function, data| {
                let (error, answer) = match &answer {
                    Ok(answer) => (None, mcp_str::of(answer.as_str())),
                    Err(error) => (Some(mcp_error_t(error.clone())), mcp_str::NONE),
                };
                let error = error.as_ref().map_or(std::ptr::null(), std::ptr::from_ref);
                // SAFETY: function and data are those that the host registered together.
                unsafe { function(data, error, answer) }
            });
        });
        Ok(())
    })
}
