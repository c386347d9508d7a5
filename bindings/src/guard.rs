//! No panic crosses the border: every exported function runs its body through `guard`.

use std::panic::{AssertUnwindSafe, catch_unwind};

use mcp::Error;

use crate::border;
use crate::c::error::mcp_error_t;

/// What a function returns when its body panicked.
pub(crate) trait OnPanic {
    /// The value that says "failed", or "nothing".
    fn on_panic() -> Self;
}

impl OnPanic for *mut mcp_error_t {
    fn on_panic() -> Self {
        mcp_error_t::give(Error::internal("Internal error in libmcp: a function panicked; the log has the detail"))
    }
}

macro_rules! default_on_panic {
    ($($type:ty),*) => {
        $(impl OnPanic for $type {
            fn on_panic() -> $type {
                <$type>::default()
            }
        })*
    };
}

default_on_panic!((), bool, i32, u16, u32, usize, f64);

/// A null pointer.
pub(crate) struct Null<T>(pub(crate) *mut T);

impl<T> OnPanic for Null<T> {
    fn on_panic() -> Self {
        Null(std::ptr::null_mut())
    }
}

/// Runs the body of an exported function. A panic is logged and gives the value that stands for failure.
pub(crate) fn guard<T: OnPanic>(body: impl FnOnce() -> T) -> T {
    border::cross();
    let result = catch_unwind(AssertUnwindSafe(body)).unwrap_or_else(|panic| {
        let text = panic.downcast_ref::<&str>().copied();
        let text = text.or_else(|| panic.downcast_ref::<String>().map(String::as_str)).unwrap_or("unknown panic");
        tracing::error!("a function of the C interface panicked: {text}");
        T::on_panic()
    });
    border::cross();
    result
}

/// Runs the body of a function that reports by an error handle: null when all went well.
pub(crate) fn guard_result(body: impl FnOnce() -> Result<(), Error>) -> *mut mcp_error_t {
    guard(|| match body() {
        Ok(()) => std::ptr::null_mut(),
        Err(error) => mcp_error_t::give(error),
    })
}

/// Runs the body of a function that makes a handle: null when it could not.
pub(crate) fn guard_pointer<T>(body: impl FnOnce() -> *mut T) -> *mut T {
    guard(|| Null(body())).0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_becomes_the_value_that_stands_for_failure() {
        assert!(guard_pointer::<u8>(|| panic!("on purpose")).is_null());
        assert!(!guard(|| -> bool { panic!("on purpose") }));
        let error = guard_result(|| panic!("on purpose"));
        assert!(!error.is_null());
        // SAFETY: the handle was made just now and is given up here.
        unsafe { crate::c::error::mcp_error_delete(error) };
    }
}
