//! Something that is put together by setters which never fail: the first mistake is kept and told at the end.

use mcp::Error;

pub(crate) struct Draft<T>(Result<T, Error>);

impl<T> Draft<T> {
    pub(crate) fn new(value: T) -> Draft<T> {
        Draft(Ok(value))
    }

    /// Changes the value, or keeps the mistake that was made.
    pub(crate) fn edit(&mut self, change: impl FnOnce(T) -> Result<T, Error>) {
        let value = std::mem::replace(&mut self.0, Err(Error::internal("a setter panicked")));
        self.0 = value.and_then(change);
    }

    /// The value.
    ///
    /// # Errors
    /// The first mistake.
    pub(crate) fn finish(self) -> Result<T, Error> {
        self.0
    }
}

/// Changes a draft that the caller holds; a null handle has nothing to change.
///
/// # Safety
/// `handle` is null, or points to a live value that nobody else uses meanwhile.
pub(crate) unsafe fn edit<H, T>(
    handle: *mut H,
    draft: impl FnOnce(&mut H) -> &mut Draft<T>,
    change: impl FnOnce(T) -> Result<T, Error>,
) {
    crate::guard::guard(|| {
        // SAFETY: as promised by the caller.
        if let Some(handle) = unsafe { handle.as_mut() } {
            draft(handle).edit(change);
        }
    });
}
