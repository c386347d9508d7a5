//! Pointers of the caller's, turned into what Rust can hold, with the checks that are possible.

use mcp::Error;

/// What a function says when it was given no handle.
pub(crate) fn null(what: &str) -> Error {
    Error::invalid_params(format!("{what} must not be NULL"))
}

/// Gives a handle to the caller, who owns it from here on.
pub(crate) fn give<T>(value: T) -> *mut T {
    Box::into_raw(Box::new(value))
}

/// Takes a handle back from the caller.
///
/// # Safety
/// `handle` is null, or came from `give` and was not taken since.
pub(crate) unsafe fn take<T>(handle: *mut T) -> Option<Box<T>> {
    // SAFETY: as promised by the caller; null is sorted out first.
    (!handle.is_null()).then(|| unsafe { Box::from_raw(handle) })
}

/// Borrows a handle that the caller goes on owning.
///
/// # Safety
/// `handle` is null, or points to a live value that nobody changes for as long as the borrow lasts.
pub(crate) unsafe fn borrow<'a, T>(handle: *const T, what: &str) -> Result<&'a T, Error> {
    // SAFETY: as promised by the caller.
    unsafe { handle.as_ref() }.ok_or_else(|| null(what))
}

/// Writes an out-parameter.
///
/// # Safety
/// `out` is null or may be written to.
pub(crate) unsafe fn put<T>(out: *mut T, value: T) {
    if !out.is_null() {
        // SAFETY: as promised by the caller.
        unsafe { out.write(value) };
    }
}
