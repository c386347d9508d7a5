//! A host's own store of events, for clients that come back to a broken stream.

use std::ffi::c_void;
use std::sync::Arc;

use bytes::Bytes;
use mcp::{EventStore, MemoryEventStore};

use super::http_options::{mcp_http_options_t, set};
use crate::callback::mcp_destroy_fn;
use crate::guard::guard;
use crate::text::mcp_str;

/// A host's store of events (revisions 2025-03-26 to 2025-11-25). The functions are called on the threads that serve
/// connections, several at once; they must not block for long, and must not throw. What a store has forgotten can't be
/// resumed; it may forget anything at any time.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct mcp_event_store {
    /// `sizeof(mcp_event_store)`.
    pub size: usize,
    /// Given to every function.
    pub user_data: *mut c_void,
    /// Keeps an event of a stream; returns its number in the stream: one more than the one before, from 0.
    pub append:
        Option<unsafe extern "C" fn(user_data: *mut c_void, session: mcp_str, stream: u64, event: mcp_str) -> u64>,
    /// Gives the events of a stream after the one with the number `after` to `mcp_replay_add`, oldest first. False when it
    /// does not know that event.
    pub replay: Option<
        unsafe extern "C" fn(
            user_data: *mut c_void,
            session: mcp_str,
            stream: u64,
            after: u64,
            replay: *mut mcp_replay_t,
        ) -> bool,
    >,
    /// Forgets a session that has ended.
    pub forget: Option<unsafe extern "C" fn(user_data: *mut c_void, session: mcp_str)>,
    /// Frees `user_data`; called exactly once, after every other call.
    pub destroy: mcp_destroy_fn,
}

/// Takes the events that a store replays.
pub struct mcp_replay_t(Vec<(u64, Bytes)>);

/// Gives an event and its number to the one who asked for a replay.
///
/// # Safety
/// `replay` is what the store's function was given, during its call; `event` can be read.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mcp_replay_add(replay: *mut mcp_replay_t, number: u64, event: mcp_str) {
    guard(|| {
        // SAFETY: as promised by the caller.
        if let (Some(replay), Ok(event)) = (unsafe { replay.as_mut() }, unsafe { event.bytes("event") }) {
            replay.0.push((number, Bytes::copy_from_slice(event)));
        }
    });
}

struct Foreign(mcp_event_store);

// SAFETY: the contract of the table says that its functions may be called from any thread, several at once.
unsafe impl Send for Foreign {}
// SAFETY: as above.
unsafe impl Sync for Foreign {}

impl EventStore for Foreign {
    fn append(&self, session: &str, stream: u64, event: &Bytes) -> u64 {
        // SAFETY: the host promised functions that take its data; the texts outlive the call.
        self.0.append.map_or(0, |append| unsafe {
            append(self.0.user_data, mcp_str::of(session), stream, mcp_str::of_bytes(event))
        })
    }

    fn replay(&self, session: &str, stream: u64, after: u64) -> Option<Vec<(u64, Bytes)>> {
        let mut events = mcp_replay_t(Vec::new());
        // SAFETY: as above.
        let known = unsafe { self.0.replay?(self.0.user_data, mcp_str::of(session), stream, after, &mut events) };
        known.then_some(events.0)
    }

    fn forget(&self, session: &str) {
        if let Some(forget) = self.0.forget {
            // SAFETY: as above.
            unsafe { forget(self.0.user_data, mcp_str::of(session)) };
        }
    }
}

impl Drop for Foreign {
    fn drop(&mut self) {
        if let Some(destroy) = self.0.destroy {
            // SAFETY: as above; the table is dropped once.
            unsafe { destroy(self.0.user_data) };
        }
    }
}

/// Sets the host's own store of events. A table that lacks a function is a mistake.
///
/// # Safety
/// `options` is NULL or a live handle; `store` points to a table whose `size` is its own.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mcp_http_options_set_event_store(
    options: *mut mcp_http_options_t,
    store: *const mcp_event_store,
) {
    guard(|| {
        // SAFETY: as promised by the caller.
        let Some(table) = (unsafe { store.as_ref() }) else { return };
        if table.size < size_of::<mcp_event_store>() {
            // SAFETY: as promised by the caller.
            return unsafe { set(options, |_| Err(mcp::Error::invalid_params("event_store.size is too small"))) };
        }
        let store = Foreign(*table);
        let whole = table.append.is_some() && table.replay.is_some() && table.forget.is_some();
        // SAFETY: as promised by the caller.
        unsafe {
            set(options, |options| match whole {
                true => Ok(options.event_store(Some(Arc::new(store)))),
                false => Err(crate::handle::null("append, replay and forget of event_store")),
            });
        }
    });
}

/// Keeps so many events, and bytes of them, for each session in memory: what a client missed of them can be resumed. 0
/// events: none is kept, and nothing can be resumed. Default: 1,024 events and 1 MiB.
///
/// # Safety
/// `options` is NULL or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mcp_http_options_set_event_memory(
    options: *mut mcp_http_options_t,
    max_events: usize,
    max_bytes: usize,
) {
    // SAFETY: as promised by the caller.
    unsafe {
        set(options, |options| {
            let store = (max_events > 0).then(|| Arc::new(MemoryEventStore::new(max_events, max_bytes)) as Arc<_>);
            Ok(options.event_store(store))
        });
    }
}
