//! `mcp_http_t`: a listener.

use std::net::SocketAddr;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::sync::oneshot;

use super::error::mcp_error_t;
use super::http_options::mcp_http_options_t;
use super::server::required;
use crate::guard::{guard, guard_result};
use crate::handle::{borrow, give, null, put, take};
use crate::host::mcp_server_t;
use crate::text::mcp_str;

/// A listener that serves HTTP.
pub struct mcp_http_t {
    host: Arc<mcp_server_t>,
    address: SocketAddr,
    text: String,
    /// Asks the listener to end, once.
    end: Mutex<Option<oneshot::Sender<End>>>,
}

/// How a listener is asked to end.
struct End {
    grace: Duration,
    /// Where it tells how many connections it cut off.
    done: oneshot::Sender<usize>,
}

/// Listens for HTTP and serves in the background, until the server is closed. Writes the listener to `out_http` (may be
/// NULL). Fails when an option is not valid, or the address is taken.
///
/// # Safety
/// `server` is NULL or a live handle; `options` is NULL (for none) or a live handle, which this takes; `out_http` is NULL
/// or can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mcp_server_start_http(
    server: *const mcp_server_t,
    options: *mut mcp_http_options_t,
    out_http: *mut *mut mcp_http_t,
) -> *mut mcp_error_t {
    guard_result(|| {
        // SAFETY: as promised by the caller.
        let (options, host) = unsafe { (take(options), required(server)?) };
        let options = match options {
            Some(options) => options.draft.finish()?.limits(options.limits),
            None => mcp::HttpOptions::new(),
        };
        let running = host.start()?;
        let listener = host.block_on(host.server.serve_http(options))?.map_err(super::transport)?;
        running.begin();
        let address = listener.local_addr();
        let (end, asked) = oneshot::channel::<End>();
        host.spawn(async move {
            match asked.await {
                Ok(End { grace, done }) => drop(done.send(listener.shutdown(grace).await)),
                // Nobody can ask any more: it ends with the server.
                Err(_) => drop(listener.wait().await),
            }
            drop(running);
        });
        let http = mcp_http_t { host, address, text: address.to_string(), end: Mutex::new(Some(end)) };
        if out_http.is_null() {
            return Ok(());
        }
        // SAFETY: as promised by the caller.
        unsafe { put(out_http, give(http)) };
        Ok(())
    })
}

/// The port: the real one, where the system chose it.
///
/// # Safety
/// `http` is NULL or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mcp_http_port(http: *const mcp_http_t) -> u16 {
    // SAFETY: as promised by the caller.
    unsafe { http.as_ref() }.map_or(0, |http| http.address.port())
}

/// The address with its port, such as `127.0.0.1:3001`. Borrowed, valid until `http` is deleted.
///
/// # Safety
/// `http` is NULL or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mcp_http_address(http: *const mcp_http_t) -> mcp_str {
    // SAFETY: as promised by the caller.
    unsafe { http.as_ref() }.map_or(mcp_str::NONE, |http| mcp_str::of(&http.text))
}

/// Ends the listener alone: requests that run have `grace_ms` milliseconds to finish. Writes to `out_cut_off` (may be NULL)
/// how many connections had to be cut off after that. The address is free again when this returns.
///
/// # Safety
/// `http` is NULL or a live handle; `out_cut_off` is NULL or can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mcp_http_close(
    http: *const mcp_http_t,
    grace_ms: u64,
    out_cut_off: *mut usize,
) -> *mut mcp_error_t {
    guard_result(|| {
        // SAFETY: as promised by the caller.
        let http = unsafe { borrow(http, "http") }.map_err(|_| null("http"))?;
        let end = http.end.lock().unwrap_or_else(PoisonError::into_inner).take();
        let mut cut_off = 0;
        if let Some(end) = end {
            let (done, ended) = oneshot::channel();
            if end.send(End { grace: Duration::from_millis(grace_ms), done }).is_ok() {
                cut_off = http.host.block_on(ended)?.unwrap_or_default();
            }
        }
        // SAFETY: as promised by the caller.
        unsafe { put(out_cut_off, cut_off) };
        Ok(())
    })
}

/// Frees the handle; the listener goes on until its server is closed. NULL is fine.
///
/// # Safety
/// `http` is NULL or a live handle, which this takes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mcp_http_delete(http: *mut mcp_http_t) {
    // SAFETY: as promised by the caller.
    guard(|| drop(unsafe { take(http) }));
}
