//! How long clients may keep what they get.

use std::ffi::c_void;

use mcp::CacheHint;

use super::options::{build, mcp_options_t, replace, set_callback};
use crate::callback::{Callback, mcp_destroy_fn};
use crate::text::mcp_str;

/// Says how long clients may keep the results of a method. `scope` is one of `MCP_CACHE_…`.
///
/// # Safety
/// `options` is NULL or a live handle; `method` can be read.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mcp_options_set_cache_hint(
    options: *mut mcp_options_t,
    method: mcp_str,
    ttl_ms: u64,
    scope: i32,
) {
    // SAFETY: as promised by the caller.
    unsafe {
        build(options, |builder| Ok(builder.cache_hint(method.text("method")?, super::cache_hint(ttl_ms, scope)?)));
    }
}

/// Says how long clients may keep the results of a method: writes both and returns true, or returns false where it has
/// nothing to say. Asked before the table of `mcp_options_set_cache_hint`. May be called from several threads at once; must
/// not throw.
pub type mcp_cache_resolver_fn = Option<
    unsafe extern "C" fn(user_data: *mut c_void, method: mcp_str, out_ttl_ms: *mut u64, out_scope: *mut i32) -> bool,
>;

/// Sets who is asked for cache hints first.
///
/// # Safety
/// `options` is NULL or a live handle; the callback keeps the contract of callbacks.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mcp_options_set_cache_hint_resolver(
    options: *mut mcp_options_t,
    function: mcp_cache_resolver_fn,
    user_data: *mut c_void,
    destroy: mcp_destroy_fn,
) {
    // SAFETY: as promised by the caller.
    unsafe {
        set_callback(options, function, user_data, destroy, |parts, callback| {
            replace(&mut parts.builder, |builder| builder.cache_hint_resolver(resolver(callback)));
            Ok(())
        });
    }
}

type ResolverFunction = unsafe extern "C" fn(*mut c_void, mcp_str, *mut u64, *mut i32) -> bool;

fn resolver(callback: Callback<ResolverFunction>) -> impl Fn(&str) -> Option<CacheHint> {
    move |method| {
        let (mut ttl, mut scope) = (0, super::MCP_CACHE_PRIVATE);
        // SAFETY: function and data are those that the host registered together; the others outlive the call.
        let known =
            callback.call(|function, data| unsafe { function(data, mcp_str::of(method), &mut ttl, &mut scope) });
        known.filter(|known| *known).and_then(|_| super::cache_hint(ttl, scope).ok())
    }
}
