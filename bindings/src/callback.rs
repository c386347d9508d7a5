//! A callback of the host's: a function, its user data, and the destructor of that data.
//!
//! Three promises: the function is never called once the destructor has begun; the destructor runs exactly once, after
//! every call has ended, also when a registration fails; the function may be called from several threads at once.

use std::ffi::c_void;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Weak};

use mcp::Error;

use crate::border;
use crate::gate::{Disposable, SharedGate};

/// Frees the user data of a callback. Called exactly once, on any thread, after the last call of the callback; it must
/// not throw or `longjmp`. NULL where there is nothing to free.
pub type mcp_destroy_fn = Option<unsafe extern "C" fn(user_data: *mut c_void)>;

/// A callback that is registered somewhere.
pub(crate) struct Callback<F: Copy>(Arc<Slot<F>>);

struct Slot<F> {
    function: F,
    data: Data,
    gate: SharedGate,
    key: std::sync::OnceLock<u64>,
}

/// User data that its destructor has not seen yet.
struct Data {
    pointer: *mut c_void,
    destroy: mcp_destroy_fn,
    destroyed: AtomicBool,
}

// SAFETY: the contract of callbacks says that function and data may be used from any thread, several at once.
unsafe impl Send for Data {}
// SAFETY: as above.
unsafe impl Sync for Data {}

impl Data {
    fn dispose(&self) -> bool {
        if self.destroyed.swap(true, Ordering::AcqRel) {
            return false;
        }
        if let Some(destroy) = self.destroy {
            border::cross();
            // SAFETY: the host promised a destructor that takes this pointer; the flag lets it run once.
            unsafe { destroy(self.pointer) };
            border::cross();
        }
        true
    }
}

impl<F: Copy + Send + Sync + 'static> Callback<F> {
    /// Takes a callback over. The destructor runs also when this fails.
    ///
    /// # Errors
    /// There is no function.
    pub(crate) fn new(
        gate: &SharedGate,
        function: Option<F>,
        pointer: *mut c_void,
        destroy: mcp_destroy_fn,
    ) -> Result<Callback<F>, Error> {
        let data = Data { pointer, destroy, destroyed: AtomicBool::new(false) };
        let Some(function) = function else {
            data.dispose();
            return Err(crate::handle::null("the callback function"));
        };
        let slot = Arc::new(Slot { function, data, gate: gate.clone(), key: std::sync::OnceLock::new() });
        let member: Weak<dyn Disposable> = Arc::<Slot<F>>::downgrade(&slot);
        // Nobody else has the slot yet, so it has no key.
        let _ = slot.key.set(gate.admit(member));
        Ok(Callback(slot))
    }

    /// Calls the function; `None` when the server is closed for calls.
    pub(crate) fn call<R>(&self, call: impl FnOnce(F, *mut c_void) -> R) -> Option<R> {
        let _pass = self.0.gate.enter()?;
        if self.0.data.destroyed.load(Ordering::Acquire) {
            return None;
        }
        border::cross();
        let result = call(self.0.function, self.0.data.pointer);
        border::cross();
        Some(result)
    }
}

impl<F: Copy> Clone for Callback<F> {
    fn clone(&self) -> Self {
        Callback(self.0.clone())
    }
}

impl<F: Send + Sync> Disposable for Slot<F> {
    fn dispose(&self) {
        self.data.dispose();
    }
}

impl<F> Drop for Slot<F> {
    fn drop(&mut self) {
        self.data.dispose();
        if let Some(key) = self.key.get() {
            self.gate.forget(*key);
        }
    }
}

/// Runs the destructor of data that no callback was made for, because something else was wrong first.
pub(crate) fn discard(pointer: *mut c_void, destroy: mcp_destroy_fn) {
    Data { pointer, destroy, destroyed: AtomicBool::new(false) }.dispose();
}

#[cfg(test)]
mod tests;
