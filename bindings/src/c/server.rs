//! `mcp_server_t`: made, announced, ended.

use std::sync::Arc;
use std::time::Duration;

use mcp::{ProtocolVersion, RawJson, Server};

use super::error::mcp_error_t;
use super::options::{Parts, mcp_options_t};
use crate::executor::Executor;
use crate::guard::{guard, guard_pointer, guard_result};
use crate::handle::{borrow, null, put, take};
use crate::host::{mcp_server_t, runtime};
use crate::text::{mcp_str, mcp_text_t};

/// Another owner of what a handle stands for.
///
/// # Safety
/// `server` is null or a live handle.
pub(crate) unsafe fn shared(server: *const mcp_server_t) -> Option<Arc<mcp_server_t>> {
    if server.is_null() {
        return None;
    }
    // SAFETY: every handle came from `Arc::into_raw` and is alive, so the count can be raised and the raise be owned.
    unsafe {
        Arc::increment_strong_count(server);
        Some(Arc::from_raw(server))
    }
}

/// As `shared`, with the error for a missing handle.
///
/// # Safety
/// `server` is null or a live handle.
pub(crate) unsafe fn required(server: *const mcp_server_t) -> Result<Arc<mcp_server_t>, mcp::Error> {
    // SAFETY: as promised by the caller.
    unsafe { shared(server) }.ok_or_else(|| null("server"))
}

/// Makes a server and writes it to `out_server`. Fails with the first mistake in the options, or when the system gives no
/// threads.
///
/// # Safety
/// `options` is NULL or a live handle, which this takes; `out_server` can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mcp_server_new(
    options: *mut mcp_options_t,
    out_server: *mut *mut mcp_server_t,
) -> *mut mcp_error_t {
    guard_result(|| {
        // SAFETY: as promised by the caller.
        let options = unsafe { take(options) }.ok_or_else(|| null("options"))?;
        if out_server.is_null() {
            return Err(null("out_server"));
        }
        let mcp_options_t { draft, gate } = *options;
        let Parts { builder, info, events, incoming, outgoing, limits, executor, worker_threads, handler_threads } =
            draft.finish()?;
        let server = builder
            .server_info(info)
            .events(events)
            .incoming_filters(incoming)
            .outgoing_filters(outgoing)
            .limits(limits)
            .build()
            .map_err(super::config)?;
        let runtime = runtime(worker_threads, handler_threads)?;
        let executor = executor.map_or_else(|| Executor::Pool(runtime.handle().clone()), Executor::Host);
        let host = Arc::new(mcp_server_t::new(server, gate, runtime, worker_threads == 0, executor));
        // SAFETY: as promised by the caller.
        unsafe { put(out_server, Arc::into_raw(host).cast_mut()) };
        Ok(())
    })
}

/// Ends a server and frees it. NULL is fine.
///
/// Waits until every running call of the host's functions has returned; then runs every destructor of user data that has
/// not run, and ends the server's threads. When this returns, nothing of the host's is called any more; responders and
/// context clones that the host still holds have become inert. A handler that never returns is waited for without end:
/// call `mcp_server_close` first, which tells how many are running, and leak the server instead.
///
/// From inside of one of the host's functions this returns at once, and the rest happens when the last one has returned.
///
/// # Safety
/// `server` is NULL or a live handle, which this takes; no other thread is in a function of this server.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mcp_server_delete(server: *mut mcp_server_t) {
    guard(|| {
        if !server.is_null() {
            // SAFETY: the handle came from `Arc::into_raw` and is given up here.
            unsafe { Arc::from_raw(server) }.destroy();
        }
    });
}

/// Ends all transports of a server: nothing more is accepted, streams end in order, requests that run have `grace_ms`
/// milliseconds to finish. Writes to `out_running` (may be NULL) how many calls of the host's functions are still running
/// after that. May be called more than once. From inside of one of the host's functions it only asks for the end, and
/// returns at once.
///
/// # Safety
/// `server` is NULL or a live handle; `out_running` is NULL or can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mcp_server_close(
    server: *const mcp_server_t,
    grace_ms: u64,
    out_running: *mut usize,
) -> *mut mcp_error_t {
    guard_result(|| {
        // SAFETY: as promised by the caller.
        let running = unsafe { required(server) }?.close(Duration::from_millis(grace_ms));
        // SAFETY: as promised by the caller.
        unsafe { put(out_running, running) };
        Ok(())
    })
}

/// Waits until the server was closed, or until all of its transports have ended by themselves, as standard streams do when
/// the client closes them. Where the server has no worker threads, it is driven meanwhile.
///
/// # Safety
/// `server` is NULL or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mcp_server_wait(server: *const mcp_server_t) -> *mut mcp_error_t {
    // SAFETY: as promised by the caller.
    guard_result(|| unsafe { required(server) }?.wait())
}

/// Drives a server without worker threads for `timeout_ms` milliseconds; 0 does what can be done at once. Writes to
/// `out_going_on` (may be NULL) false when there is nothing left to wait for.
///
/// # Safety
/// `server` is NULL or a live handle; `out_going_on` is NULL or can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mcp_server_poll(
    server: *const mcp_server_t,
    timeout_ms: u64,
    out_going_on: *mut bool,
) -> *mut mcp_error_t {
    guard_result(|| {
        // SAFETY: as promised by the caller.
        let going_on = unsafe { required(server) }?.poll(Duration::from_millis(timeout_ms))?;
        // SAFETY: as promised by the caller.
        unsafe { put(out_going_on, going_on) };
        Ok(())
    })
}

/// Serves the client that started this process, over its standard streams, in the background; see `mcp_server_wait`. With
/// `isolate` the protocol has the streams for itself: what the host or its children print goes to standard error
/// meanwhile. Unix only.
///
/// # Safety
/// `server` is NULL or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mcp_server_start_stdio(server: *const mcp_server_t, isolate: bool) -> *mut mcp_error_t {
    guard_result(|| {
        // SAFETY: as promised by the caller.
        let host = unsafe { required(server) }?;
        let running = host.start()?;
        running.begin();
        let server = host.server.clone();
        host.spawn(async move {
            let served = match isolate {
                true => server.serve_stdio().await,
                false => server.serve_stdio_shared().await,
            };
            if let Err(error) = served {
                tracing::error!("standard streams: {error}");
            }
            drop(running);
        });
        Ok(())
    })
}

/// Answers one message that stands alone, without a connection: a request of revision 2026-07-28, whose metadata is in
/// itself. Waits for the answer and writes it to `out_answer`, owned by the caller; NULL for a notification. What the
/// handler sends before its answer is lost.
///
/// # Safety
/// `server` is NULL or a live handle; `message` can be read; `out_answer` can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mcp_server_dispatch(
    server: *const mcp_server_t,
    message: mcp_str,
    out_answer: *mut *mut mcp_text_t,
) -> *mut mcp_error_t {
    guard_result(|| {
        // SAFETY: as promised by the caller.
        let (host, message) = unsafe { (required(server)?, message.bytes("message")?) };
        if out_answer.is_null() {
            return Err(null("out_answer"));
        }
        let answer = host.block_on(host.server.dispatch(message.to_vec()))?;
        let answer = answer.map_or(std::ptr::null_mut(), mcp_text_t::give);
        // SAFETY: as promised by the caller.
        unsafe { put(out_answer, answer) };
        Ok(())
    })
}

/// # Safety
/// `server` is null or a live handle.
unsafe fn announce(server: *const mcp_server_t, announce: impl FnOnce(&Server)) {
    guard(|| {
        // SAFETY: as promised by the caller.
        if let Some(host) = unsafe { server.as_ref() } {
            announce(&host.server);
        }
    });
}

/// Tells clients that subscribed that the list of tools changed. Adding and removing does it by itself.
///
/// # Safety
/// `server` is NULL or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mcp_server_notify_tools_changed(server: *const mcp_server_t) {
    // SAFETY: as promised by the caller.
    unsafe { announce(server, Server::notify_tools_changed) };
}

/// Tells clients that subscribed that the list of resources or templates changed.
///
/// # Safety
/// `server` is NULL or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mcp_server_notify_resources_changed(server: *const mcp_server_t) {
    // SAFETY: as promised by the caller.
    unsafe { announce(server, Server::notify_resources_changed) };
}

/// Tells clients that subscribed that the list of prompts changed.
///
/// # Safety
/// `server` is NULL or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mcp_server_notify_prompts_changed(server: *const mcp_server_t) {
    // SAFETY: as promised by the caller.
    unsafe { announce(server, Server::notify_prompts_changed) };
}

/// Tells the clients that watch this resource that it changed.
///
/// # Safety
/// `server` is NULL or a live handle; `uri` can be read.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mcp_server_notify_resource_updated(
    server: *const mcp_server_t,
    uri: mcp_str,
) -> *mut mcp_error_t {
    guard_result(|| {
        // SAFETY: as promised by the caller.
        let (host, uri) = unsafe { (borrow(server, "server")?, uri.text("uri")?) };
        host.server.notify_resource_updated(uri);
        Ok(())
    })
}

/// Sends a log message to every client with a session that wants messages of this level, if the server declares logging.
/// `level` is one of `MCP_LEVEL_…`, `logger` may be none, `data` is JSON.
///
/// # Safety
/// `server` is NULL or a live handle; the others can be read.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mcp_server_log(
    server: *const mcp_server_t,
    level: i32,
    logger: mcp_str,
    data: mcp_str,
) -> *mut mcp_error_t {
    guard_result(|| {
        // SAFETY: as promised by the caller.
        let (host, logger) = unsafe { (borrow(server, "server")?, logger.optional("logger")?) };
        // SAFETY: as promised by the caller.
        host.server.log(super::level(level)?, logger, &unsafe { data.json("data") }?);
        Ok(())
    })
}

/// What the server declares that it can do, as the JSON object of the newest revision. The caller owns the text.
///
/// # Safety
/// `server` is NULL or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mcp_server_capabilities(server: *const mcp_server_t) -> *mut mcp_text_t {
    guard_pointer(|| {
        // SAFETY: as promised by the caller.
        let Some(host) = (unsafe { server.as_ref() }) else { return std::ptr::null_mut() };
        mcp_text_t::give(host.server.capabilities().to_json(ProtocolVersion::LATEST).into_bytes())
    })
}

/// The protocol revisions that the library knows, oldest first, as a JSON array. The caller owns the text.
#[unsafe(no_mangle)]
pub extern "C" fn mcp_protocol_versions() -> *mut mcp_text_t {
    guard_pointer(|| {
        let versions: Vec<_> = ProtocolVersion::ALL.iter().map(|version| version.as_str()).collect();
        RawJson::from_serialize(&versions).map_or(std::ptr::null_mut(), |json| mcp_text_t::give(json.into_bytes()))
    })
}
