//! `mcp_context_t`: the request that a handler serves.

use std::sync::{Arc, OnceLock};

use mcp::{Context, InputRequest, JsonWriter, RawJson};

use super::error::mcp_error_t;
use super::responder::{ask, mcp_responder_t};
use crate::guard::{guard, guard_pointer, guard_result};
use crate::handle::{borrow, give, null, put, take};
use crate::host::mcp_server_t;
use crate::text::{mcp_str, mcp_text_t};

/// The request that a handler serves. A handler's own is borrowed for the duration of the call; a clone may be kept and
/// used from any thread. All functions may be called concurrently. Once the request has its answer, sending through it
/// does nothing.
pub struct mcp_context_t {
    context: Context,
    host: Arc<mcp_server_t>,
    params: OnceLock<RawJson>,
}

impl mcp_context_t {
    pub(crate) fn new(context: Context, host: Arc<mcp_server_t>) -> mcp_context_t {
        mcp_context_t { context, host, params: OnceLock::new() }
    }
}

/// # Safety
/// `context` is null or a live handle.
unsafe fn read<'a>(context: *const mcp_context_t, read: impl FnOnce(&'a mcp_context_t) -> mcp_str) -> mcp_str {
    // SAFETY: as promised by the caller.
    unsafe { context.as_ref() }.map_or(mcp_str::NONE, read)
}

/// A context of the caller's own, for use after the handler has returned.
///
/// # Safety
/// `context` is NULL or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mcp_context_clone(context: *const mcp_context_t) -> *mut mcp_context_t {
    guard_pointer(|| {
        // SAFETY: as promised by the caller.
        let context = unsafe { context.as_ref() };
        context.map_or(std::ptr::null_mut(), |context| {
            give(mcp_context_t::new(context.context.clone(), context.host.clone()))
        })
    })
}

/// Frees a clone. NULL is fine.
///
/// # Safety
/// `context` is NULL or a handle that `mcp_context_clone` made, which this takes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mcp_context_delete(context: *mut mcp_context_t) {
    // SAFETY: as promised by the caller.
    guard(|| drop(unsafe { take(context) }));
}

/// The server, borrowed: valid for as long as the context is. It must not be deleted through this pointer. When it has
/// been deleted elsewhere, its functions fail with `MCP_ERROR_CONNECTION_CLOSED`.
///
/// # Safety
/// `context` is NULL or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mcp_context_server(context: *const mcp_context_t) -> *const mcp_server_t {
    // SAFETY: as promised by the caller.
    unsafe { context.as_ref() }.map_or(std::ptr::null(), |context| Arc::as_ptr(&context.host))
}

/// The method of the request. Borrowed, valid for as long as the context is, like all texts of a context.
///
/// # Safety
/// `context` is NULL or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mcp_context_method(context: *const mcp_context_t) -> mcp_str {
    // SAFETY: as promised by the caller.
    unsafe { read(context, |context| mcp_str::of(context.context.method())) }
}

/// The parameters of the request, as they arrived: a JSON object.
///
/// # Safety
/// `context` is NULL or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mcp_context_params(context: *const mcp_context_t) -> mcp_str {
    // SAFETY: as promised by the caller.
    unsafe { read(context, |context| mcp_str::of(context.params.get_or_init(|| context.context.params()).as_str())) }
}

/// The id of the request: a JSON string or number.
///
/// # Safety
/// `context` is NULL or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mcp_context_request_id(context: *const mcp_context_t) -> mcp_str {
    // SAFETY: as promised by the caller.
    unsafe { read(context, |context| mcp_str::of(context.context.request_id().as_raw().as_str())) }
}

/// The protocol revision that the client speaks, such as `2026-07-28`.
///
/// # Safety
/// `context` is NULL or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mcp_context_protocol_version(context: *const mcp_context_t) -> mcp_str {
    // SAFETY: as promised by the caller.
    unsafe { read(context, |context| mcp_str::of(context.context.protocol_version().as_str())) }
}

/// Who the client says it is, as JSON; none where it did not say.
///
/// # Safety
/// `context` is NULL or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mcp_context_client_info(context: *const mcp_context_t) -> mcp_str {
    // SAFETY: as promised by the caller.
    unsafe { read(context, |context| mcp_str::of_json(context.context.client_info_json())) }
}

/// What the client can do, as JSON.
///
/// # Safety
/// `context` is NULL or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mcp_context_client_capabilities(context: *const mcp_context_t) -> mcp_str {
    // SAFETY: as promised by the caller.
    unsafe { read(context, |context| mcp_str::of(context.context.client_capabilities_json().as_str())) }
}

/// Who was authenticated by what stands in front of the server; none where nobody was.
///
/// # Safety
/// `context` is NULL or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mcp_context_principal(context: *const mcp_context_t) -> mcp_str {
    // SAFETY: as promised by the caller.
    unsafe { read(context, |context| mcp_str::of_option(context.context.principal())) }
}

/// `_meta` of the request as JSON, or none.
///
/// # Safety
/// `context` is NULL or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mcp_context_meta(context: *const mcp_context_t) -> mcp_str {
    // SAFETY: as promised by the caller.
    unsafe { read(context, |context| mcp_str::of_json(context.context.meta())) }
}

/// Whether the client has given up or gone away, or the call has taken too long. Long work asks from time to time.
///
/// # Safety
/// `context` is NULL or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mcp_context_is_cancelled(context: *const mcp_context_t) -> bool {
    // SAFETY: as promised by the caller.
    unsafe { context.as_ref() }.is_some_and(|context| context.context.is_cancelled())
}

/// Reports progress, which must grow from report to report. `total` may be negative for unknown, `message` none. Nothing is
/// sent when the client did not ask for it.
///
/// # Safety
/// `context` is NULL or a live handle; `message` can be read.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mcp_context_report_progress(
    context: *const mcp_context_t,
    progress: f64,
    total: f64,
    message: mcp_str,
) -> *mut mcp_error_t {
    guard_result(|| {
        // SAFETY: as promised by the caller.
        let (context, message) = unsafe { (borrow(context, "context")?, message.optional("message")?) };
        context.context.report_progress(progress, (total >= 0.0).then_some(total), message);
        Ok(())
    })
}

/// The least severe log message that the client wants, one of `MCP_LEVEL_…`; -1 when it wants none.
///
/// # Safety
/// `context` is NULL or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mcp_context_log_level(context: *const mcp_context_t) -> i32 {
    guard(|| {
        // SAFETY: as promised by the caller.
        let level = unsafe { context.as_ref() }.and_then(|context| context.context.log_level());
        level.map_or(-1, |level| level as i32)
    })
}

/// Sends a log message to the client, if it wants messages of this level and the server declares logging. `level` is one of
/// `MCP_LEVEL_…`, `logger` may be none, `data` is JSON. Keep secrets out of it.
///
/// # Safety
/// `context` is NULL or a live handle; the others can be read.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mcp_context_log(
    context: *const mcp_context_t,
    level: i32,
    logger: mcp_str,
    data: mcp_str,
) -> *mut mcp_error_t {
    guard_result(|| {
        // SAFETY: as promised by the caller.
        let (context, logger) = unsafe { (borrow(context, "context")?, logger.optional("logger")?) };
        // SAFETY: as promised by the caller.
        context.context.log_from(super::level(level)?, logger, &unsafe { data.json("data") }?);
        Ok(())
    })
}

/// Like `mcp_context_log`, with text instead of JSON.
///
/// # Safety
/// `context` is NULL or a live handle; `text` can be read.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mcp_context_log_text(
    context: *const mcp_context_t,
    level: i32,
    text: mcp_str,
) -> *mut mcp_error_t {
    guard_result(|| {
        // SAFETY: as promised by the caller.
        let (context, text) = unsafe { (borrow(context, "context")?, text.text("text")?) };
        context.context.log(super::level(level)?, text);
        Ok(())
    })
}

/// The client's answer to the question that this handler asked under `key` in the round before, as JSON; none where there
/// is none.
///
/// # Safety
/// `context` is NULL or a live handle; `key` can be read.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mcp_context_input_response(context: *const mcp_context_t, key: mcp_str) -> mcp_str {
    // SAFETY: as promised by the caller.
    let Ok(key) = (unsafe { key.text("key") }) else { return mcp_str::NONE };
    // SAFETY: as promised by the caller.
    unsafe { read(context, |context| mcp_str::of_json(context.context.input_response(key))) }
}

/// All answers of this round, as a JSON object by key. The caller owns the text. NULL where no answers came.
///
/// # Safety
/// `context` is NULL or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mcp_context_input_responses(context: *const mcp_context_t) -> *mut mcp_text_t {
    guard_pointer(|| {
        // SAFETY: as promised by the caller.
        let Some(context) = (unsafe { context.as_ref() }) else { return std::ptr::null_mut() };
        let mut responses = context.context.input_responses().peekable();
        if responses.peek().is_none() {
            return std::ptr::null_mut();
        }
        let mut w = JsonWriter::default();
        w.begin_object();
        for (key, answer) in responses {
            w.any_key(key);
            w.raw(answer);
        }
        w.end_object();
        w.finish().map_or(std::ptr::null_mut(), |json| mcp_text_t::give(json.into_bytes()))
    })
}

/// What this handler set with `mcp_input_required_set_state` in the round before, verified; none in the first round.
///
/// # Safety
/// `context` is NULL or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mcp_context_request_state(context: *const mcp_context_t) -> mcp_str {
    // SAFETY: as promised by the caller.
    unsafe { read(context, |context| mcp_str::of_option(context.context.request_state())) }
}

/// The answer to a question, or the end of this run of the handler.
///
/// Where the answer is there already, this writes it to `out_answer` (JSON, owned by the caller) and returns true.
/// Otherwise it returns false, and has taken `responder`: the handler must return. The client is asked, and the handler is
/// called again from its start, with this and all earlier answers at hand; so what comes before a question runs once
/// more with every round. `request` is JSON as for `mcp_input_required_add`. A mistake in it, or a malformed answer, is
/// answered as an error, and gives false too.
///
/// # Safety
/// `context` and `responder` are live handles, `key` and `request` can be read, `out_answer` can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mcp_context_ask(
    context: *const mcp_context_t,
    key: mcp_str,
    request: mcp_str,
    responder: *mut mcp_responder_t,
    out_answer: *mut *mut mcp_text_t,
) -> bool {
    let answer = || {
        // SAFETY: as promised by the caller.
        let (context, key) = unsafe { (borrow(context, "context")?, key.text("key")?) };
        if out_answer.is_null() {
            return Err(null("out_answer"));
        }
        // SAFETY: as promised by the caller.
        let request = unsafe { super::read::<InputRequest>(request, "request") }?;
        Ok(context.context.ask(key, request))
    };
    guard(|| {
        let failed = match answer() {
            Ok(Ok(answer)) => {
                // SAFETY: as promised by the caller.
                unsafe { put(out_answer, mcp_text_t::give(answer.into_bytes())) };
                return true;
            }
            Ok(Err(asks)) => Ok(asks),
            Err(error) => Err(error),
        };
        // SAFETY: as promised by the caller.
        let Some(responder) = (unsafe { take(responder) }) else { return false };
        match failed {
            Ok(asks) => responder.fail(asks),
            // The host's mistake is in the log and in the answer; there is nobody else to tell.
            Err(error) => drop(ask(*responder, Err(error))),
        }
        false
    })
}

/// Closes the connection that waits for the answer, where the client can come back for it (revision 2025-11-25 over HTTP
/// with an event store): it will poll. Elsewhere this does nothing.
///
/// # Safety
/// `context` is NULL or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mcp_context_release_connection(context: *const mcp_context_t) {
    guard(|| {
        // SAFETY: as promised by the caller.
        if let Some(context) = unsafe { context.as_ref() } {
            context.context.release_connection();
        }
    });
}
