//! What the thread sanitizer is told. It watches the C and C++ code of a program, and can't see how Rust orders threads:
//! data that a host hands over on one thread and gets back on another looks unordered to it.
//!
//! Built with `--cfg mcp_tsan`, every crossing of the border, in either direction, is ordered after all earlier ones. That
//! is more than the interface promises, so what such a build finds is a race for certain, but races that a crossing
//! happens to separate stay hidden. Any other build has nothing of this.

/// A thread enters or leaves the library.
#[inline(always)]
pub(crate) fn cross() {
    #[cfg(mcp_tsan)]
    tsan::order();
}

#[cfg(mcp_tsan)]
mod tsan {
    use std::ffi::c_void;

    unsafe extern "C" {
        fn __tsan_acquire(address: *mut c_void);
        fn __tsan_release(address: *mut c_void);
    }

    static BORDER: u8 = 0;

    pub(super) fn order() {
        let address = (&raw const BORDER).cast_mut().cast();
        // SAFETY: the sanitizer, which the program is linked with, takes any address and never touches what is there.
        unsafe {
            __tsan_acquire(address);
            __tsan_release(address);
        }
    }
}
