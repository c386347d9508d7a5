//! Message filters: the host looks at, changes or stops whole messages.

use std::ffi::c_void;

use mcp::RawJson;

use super::error::mcp_error_t;
use super::options::{mcp_options_t, set_callback};
use crate::callback::{Callback, mcp_destroy_fn};
use crate::guard::guard_result;
use crate::text::mcp_str;

/// Passes a message on. See `mcp_filter_pass`.
pub struct mcp_filter_next_t(Option<RawJson>);

/// Looks at a message. To let it go on, changed or not, call `mcp_filter_pass` with it before returning; otherwise it is
/// stopped, and a request that arrives is refused with an error. Called on the thread that serves the connection, possibly
/// several at once: it should be quick, and must not throw.
pub type mcp_filter_fn =
    Option<unsafe extern "C" fn(user_data: *mut c_void, message: mcp_str, next: *mut mcp_filter_next_t)>;

type FilterFunction = unsafe extern "C" fn(*mut c_void, mcp_str, *mut mcp_filter_next_t);

/// Lets a message go on. A second call during the same filter has no effect. Fails when `message` is not valid JSON.
///
/// # Safety
/// `next` is what the filter was given, during its call; `message` can be read.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mcp_filter_pass(next: *mut mcp_filter_next_t, message: mcp_str) -> *mut mcp_error_t {
    guard_result(|| {
        // SAFETY: as promised by the caller.
        let next = unsafe { next.as_mut() }.ok_or_else(|| crate::handle::null("next"))?;
        if next.0.is_none() {
            // SAFETY: as promised by the caller.
            next.0 = Some(unsafe { message.json("message") }?);
        }
        Ok(())
    })
}

fn filter(callback: Callback<FilterFunction>) -> impl mcp::Filter {
    move |message: RawJson, next: &mut dyn FnMut(RawJson)| {
        let mut passed = mcp_filter_next_t(None);
        // SAFETY: function and data are those that the host registered together; the others outlive the call.
        callback.call(|function, data| unsafe { function(data, mcp_str::of(message.as_str()), &mut passed) });
        if let Some(message) = passed.0 {
            next(message);
        }
    }
}

/// Adds a filter to those that see every message that arrives, after those added before.
///
/// # Safety
/// `options` is NULL or a live handle; the callback keeps the contract of callbacks.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mcp_options_add_incoming_filter(
    options: *mut mcp_options_t,
    function: mcp_filter_fn,
    user_data: *mut c_void,
    destroy: mcp_destroy_fn,
) {
    // SAFETY: as promised by the caller.
    unsafe {
        set_callback(options, function, user_data, destroy, |parts, callback| {
            parts.incoming = std::mem::take(&mut parts.incoming).add(filter(callback));
            Ok(())
        });
    }
}

/// Adds a filter to those that see every message that leaves, after those added before.
///
/// # Safety
/// `options` is NULL or a live handle; the callback keeps the contract of callbacks.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mcp_options_add_outgoing_filter(
    options: *mut mcp_options_t,
    function: mcp_filter_fn,
    user_data: *mut c_void,
    destroy: mcp_destroy_fn,
) {
    // SAFETY: as promised by the caller.
    unsafe {
        set_callback(options, function, user_data, destroy, |parts, callback| {
            parts.outgoing = std::mem::take(&mut parts.outgoing).add(filter(callback));
            Ok(())
        });
    }
}
