//! How the state of requests that ask for input is protected.

use std::ffi::c_void;
use std::time::Duration;

use super::options::{build, mcp_options_t, replace, set_callback};
use crate::callback::{Callback, mcp_destroy_fn};
use crate::text::mcp_str;

/// Sets the key that signs the state of requests which ask for input. Processes that serve one address share one key.
/// Default: a random key of the process.
///
/// # Safety
/// `options` is NULL or a live handle; `key` can be read.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mcp_options_set_request_state_key(options: *mut mcp_options_t, key: mcp_str) {
    // SAFETY: as promised by the caller.
    unsafe { build(options, |builder| Ok(builder.request_state_key(key.string("request_state_key")?))) };
}

/// Adds an older key, whose signatures are still accepted.
///
/// # Safety
/// `options` is NULL or a live handle; `key` can be read.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mcp_options_add_request_state_previous_key(options: *mut mcp_options_t, key: mcp_str) {
    // SAFETY: as promised by the caller.
    unsafe {
        build(options, |builder| Ok(builder.request_state_previous_key(key.string("request_state_previous_key")?)));
    }
}

/// Checks a state that a client brings back and that the server's own key did not sign: true when it is genuine. May be
/// called from several threads at once; must not throw.
pub type mcp_state_verifier_fn = Option<unsafe extern "C" fn(user_data: *mut c_void, state: mcp_str) -> bool>;

/// Sets the host's own check of states that come back.
///
/// # Safety
/// `options` is NULL or a live handle; the callback keeps the contract of callbacks.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mcp_options_set_request_state_verifier(
    options: *mut mcp_options_t,
    function: mcp_state_verifier_fn,
    user_data: *mut c_void,
    destroy: mcp_destroy_fn,
) {
    // SAFETY: as promised by the caller.
    unsafe {
        set_callback(options, function, user_data, destroy, |parts, callback| {
            replace(&mut parts.builder, |builder| builder.request_state_verifier(verifier(callback)));
            Ok(())
        });
    }
}

/// Sets how long a state is accepted; 0 means for ever. Default 15 min.
///
/// # Safety
/// `options` is NULL or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mcp_options_set_request_state_ttl(options: *mut mcp_options_t, milliseconds: u64) {
    // SAFETY: as promised by the caller.
    unsafe { build(options, |builder| Ok(builder.request_state_ttl(Duration::from_millis(milliseconds)))) };
}

type VerifierFunction = unsafe extern "C" fn(*mut c_void, mcp_str) -> bool;

fn verifier(callback: Callback<VerifierFunction>) -> impl Fn(&str) -> bool {
    move |state| {
        // SAFETY: function and data are those that the host registered together; the text outlives the call.
        callback.call(|function, data| unsafe { function(data, mcp_str::of(state)) }).unwrap_or(false)
    }
}
