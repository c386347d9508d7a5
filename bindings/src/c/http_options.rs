//! `mcp_http_options_t`: how HTTP is served.

use std::time::Duration;

use mcp::{Error, HttpLimits, HttpOptions};

use crate::draft::{Draft, edit};
use crate::guard::{guard, guard_pointer};
use crate::handle::{give, take};
use crate::text::mcp_str;

/// How Streamable HTTP is served. The setters never fail: the first mistake is told by `mcp_server_start_http`. Not to be
/// used from two threads at once.
pub struct mcp_http_options_t {
    pub(crate) draft: Draft<HttpOptions>,
    pub(crate) limits: HttpLimits,
}

/// `127.0.0.1:3001/mcp`, with sessions for legacy clients.
#[unsafe(no_mangle)]
pub extern "C" fn mcp_http_options_new() -> *mut mcp_http_options_t {
    guard_pointer(|| give(mcp_http_options_t { draft: Draft::new(HttpOptions::new()), limits: HttpLimits::default() }))
}

/// Frees options that nothing was started with. NULL is fine.
///
/// # Safety
/// `options` is NULL or a live handle, which this takes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mcp_http_options_delete(options: *mut mcp_http_options_t) {
    // SAFETY: as promised by the caller.
    guard(|| drop(unsafe { take(options) }));
}

/// # Safety
/// As `edit`.
pub(super) unsafe fn set(
    options: *mut mcp_http_options_t,
    change: impl FnOnce(HttpOptions) -> Result<HttpOptions, Error>,
) {
    // SAFETY: as promised by the caller.
    unsafe { edit(options, |options| &mut options.draft, change) };
}

/// Sets the address to listen on: an IP address or a name. Default `127.0.0.1`.
///
/// # Safety
/// `options` is NULL or a live handle; `host` can be read.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mcp_http_options_set_host(options: *mut mcp_http_options_t, host: mcp_str) {
    // SAFETY: as promised by the caller.
    unsafe { set(options, |options| Ok(options.host(host.string("host")?))) };
}

/// Sets the port to listen on; 0 lets the system choose (see `mcp_http_port`). Default 3001.
///
/// # Safety
/// `options` is NULL or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mcp_http_options_set_port(options: *mut mcp_http_options_t, port: u16) {
    // SAFETY: as promised by the caller.
    unsafe { set(options, |options| Ok(options.port(port))) };
}

/// Sets the path of the endpoint. Default `/mcp`.
///
/// # Safety
/// `options` is NULL or a live handle; `path` can be read.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mcp_http_options_set_endpoint(options: *mut mcp_http_options_t, path: mcp_str) {
    // SAFETY: as promised by the caller.
    unsafe {
        set(options, |options| {
            let path = path.string("endpoint")?;
            if !path.starts_with('/') {
                return Err(Error::invalid_params(format!("endpoint is \"{path}\"; it must begin with \"/\"")));
            }
            Ok(options.endpoint(path))
        });
    }
}

/// Whether legacy clients are served without sessions, each request alone. Default false.
///
/// # Safety
/// `options` is NULL or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mcp_http_options_set_stateless(options: *mut mcp_http_options_t, yes: bool) {
    // SAFETY: as promised by the caller.
    unsafe { set(options, |options| Ok(options.stateless(yes))) };
}

/// Whether legacy clients may open streams with GET, those of the HTTP+SSE transport of 2024-11-05 included. Default true.
///
/// # Safety
/// `options` is NULL or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mcp_http_options_set_enable_legacy_sse(options: *mut mcp_http_options_t, yes: bool) {
    // SAFETY: as promised by the caller.
    unsafe { set(options, |options| Ok(options.enable_legacy_sse(yes))) };
}

/// Sets the values of the header `Host` that are served, with or without port. Default: loopback names when the listener is
/// bound to a loopback address, any otherwise. It protects servers on a user's machine from web pages.
///
/// # Safety
/// `options` is NULL or a live handle; `hosts` points to `count` texts that can be read.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mcp_http_options_set_allowed_hosts(
    options: *mut mcp_http_options_t,
    hosts: *const mcp_str,
    count: usize,
) {
    // SAFETY: as promised by the caller.
    unsafe { set(options, |options| Ok(options.allowed_hosts(super::strings(hosts, count, "allowed_hosts")?))) };
}

/// Sets the values of the header `Origin` that are served, such as `https://app.example`. Default: as for hosts.
///
/// # Safety
/// `options` is NULL or a live handle; `origins` points to `count` texts that can be read.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mcp_http_options_set_allowed_origins(
    options: *mut mcp_http_options_t,
    origins: *const mcp_str,
    count: usize,
) {
    // SAFETY: as promised by the caller.
    unsafe { set(options, |options| Ok(options.allowed_origins(super::strings(origins, count, "allowed_origins")?))) };
}

/// Sets the origins whose pages may read answers (CORS); `*` for all. Default: none.
///
/// # Safety
/// `options` is NULL or a live handle; `origins` points to `count` texts that can be read.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mcp_http_options_set_cors_origins(
    options: *mut mcp_http_options_t,
    origins: *const mcp_str,
    count: usize,
) {
    // SAFETY: as promised by the caller.
    unsafe { set(options, |options| Ok(options.cors_origins(super::strings(origins, count, "cors_origins")?))) };
}

/// Sets how often a silent stream carries a comment, in milliseconds; 0 means never. Default 15,000.
///
/// # Safety
/// `options` is NULL or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mcp_http_options_set_keep_alive(options: *mut mcp_http_options_t, milliseconds: u64) {
    // SAFETY: as promised by the caller.
    unsafe { set(options, |options| Ok(options.keep_alive(Duration::from_millis(milliseconds)))) };
}

/// Sets after how many milliseconds clients of revision 2025-11-25 should come back to a stream that was closed. Default
/// 1,000.
///
/// # Safety
/// `options` is NULL or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mcp_http_options_set_retry(options: *mut mcp_http_options_t, milliseconds: u64) {
    // SAFETY: as promised by the caller.
    unsafe { set(options, |options| Ok(options.retry(Duration::from_millis(milliseconds)))) };
}

/// Longest body in bytes. Default 4 MiB.
pub const MCP_HTTP_LIMIT_BODY_BYTES: i32 = 0;
/// Most bytes of all headers together. Default 64 KiB.
pub const MCP_HTTP_LIMIT_HEADER_BYTES: i32 = 1;
/// Most open connections; further ones wait to be accepted. Default 10,000.
pub const MCP_HTTP_LIMIT_CONNECTIONS: i32 = 2;
/// How long, in milliseconds, a connection may wait for a request and its headers. Default 60,000.
pub const MCP_HTTP_LIMIT_HEADER_MS: i32 = 3;
/// How long, in milliseconds, a body may take. Default 30,000.
pub const MCP_HTTP_LIMIT_BODY_MS: i32 = 4;
/// Most open sessions. Default 10,000.
pub const MCP_HTTP_LIMIT_SESSIONS: i32 = 5;
/// After how many milliseconds without a request or an open stream a session ends. Default 1,800,000.
pub const MCP_HTTP_LIMIT_SESSION_IDLE_MS: i32 = 6;

/// Sets a bound, one of `MCP_HTTP_LIMIT_…`. What arrives beyond it is refused with an HTTP error.
///
/// # Safety
/// `options` is NULL or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mcp_http_options_set_limit(options: *mut mcp_http_options_t, limit: i32, value: usize) {
    guard(|| {
        // SAFETY: as promised by the caller.
        let Some(handle) = (unsafe { options.as_mut() }) else { return };
        let limits = &mut handle.limits;
        let time = Duration::from_millis(value as u64);
        match limit {
            MCP_HTTP_LIMIT_BODY_BYTES => limits.max_body_bytes = value,
            MCP_HTTP_LIMIT_HEADER_BYTES => limits.max_header_bytes = value,
            MCP_HTTP_LIMIT_CONNECTIONS => limits.max_connections = value,
            MCP_HTTP_LIMIT_HEADER_MS => limits.header_timeout = time,
            MCP_HTTP_LIMIT_BODY_MS => limits.body_timeout = time,
            MCP_HTTP_LIMIT_SESSIONS => limits.max_sessions = value,
            MCP_HTTP_LIMIT_SESSION_IDLE_MS => limits.session_idle_timeout = time,
            other => handle
                .draft
                .edit(|_| Err(Error::invalid_params(format!("limit is {other}; it must be one of MCP_HTTP_LIMIT_…")))),
        }
    });
}
