//! The gate that every call into the host's code passes: when it is closed nothing is called any more, and what is
//! running can be waited for.

use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;

/// Set in `Gate::calls` when the gate is closed.
const CLOSED: usize = 1 << (usize::BITS - 1);
/// Set in `Gate::calls` when somebody wants to know that the last call has ended. The other bits count the calls.
const WATCHED: usize = 1 << (usize::BITS - 2);
const FLAGS: usize = CLOSED | WATCHED;

/// How long closing waits for destructors that other threads are in the middle of.
const DESTRUCTOR_LIMIT: Duration = Duration::from_secs(5);

/// Counts the calls into the code of one server's host, and knows all callbacks that it gave.
#[derive(Default)]
pub(crate) struct Gate {
    calls: AtomicUsize,
    members: Mutex<Members>,
    quiet: Condvar,
}

#[derive(Default)]
struct Members {
    next: u64,
    callbacks: HashMap<u64, Weak<dyn Disposable>>,
    /// Runs when the last call has ended, where whoever closed the gate could not wait.
    at_quiet: Option<Box<dyn FnOnce() + Send>>,
}

/// Something with a destructor that must run exactly once, after every call.
pub(crate) trait Disposable: Send + Sync {
    /// Runs the destructor, if it has not run yet. No call is running, and none will begin.
    fn dispose(&self);
}

thread_local! {
    /// The gates that this thread has passed and not left, innermost last.
    static INSIDE: RefCell<Vec<*const Gate>> = const { RefCell::new(Vec::new()) };
}

/// A call that is going on.
pub(crate) struct Pass<'a>(&'a Gate);

impl Gate {
    /// Begins a call; `None` when the gate is closed.
    pub(crate) fn enter(&self) -> Option<Pass<'_>> {
        if self.calls.fetch_add(1, Ordering::AcqRel) & CLOSED != 0 {
            self.leave();
            return None;
        }
        INSIDE.with_borrow_mut(|inside| inside.push(self));
        Some(Pass(self))
    }

    fn leave(&self) {
        let before = self.calls.fetch_sub(1, Ordering::AcqRel);
        if before & !FLAGS == 1 && before & FLAGS != 0 {
            let mut members = self.lock();
            self.quiet.notify_all();
            let at_quiet = if before & CLOSED != 0 { members.at_quiet.take() } else { None };
            drop(members);
            if let Some(at_quiet) = at_quiet {
                self.dispose_all();
                at_quiet();
            }
        }
    }

    /// How many calls are running.
    pub(crate) fn running(&self) -> usize {
        self.calls.load(Ordering::Acquire) & !FLAGS
    }

    /// Whether this thread is in the middle of such a call.
    pub(crate) fn is_inside(&self) -> bool {
        INSIDE.with_borrow(|inside| inside.contains(&std::ptr::from_ref(self)))
    }

    /// Waits until no call is running, or until the time is over; how many run then.
    pub(crate) fn wait_quiet(&self, limit: Duration) -> usize {
        self.calls.fetch_or(WATCHED, Ordering::AcqRel);
        let members = self.lock();
        drop(self.quiet.wait_timeout_while(members, limit, |_| self.running() > 0));
        self.running()
    }

    /// Closes the gate, waits until the last call has ended, and runs every destructor that has not run.
    ///
    /// On a thread that is itself inside of such a call nothing can be waited for: the destructors, and `then`, run when
    /// the last call ends. Otherwise `then` runs before this returns.
    pub(crate) fn close(&self, then: impl FnOnce() + Send + 'static) {
        if self.is_inside() {
            self.lock().at_quiet = Some(Box::new(then));
            self.calls.fetch_or(CLOSED, Ordering::AcqRel);
            return;
        }
        self.calls.fetch_or(CLOSED, Ordering::AcqRel);
        let mut members = self.lock();
        while self.running() > 0 {
            members = self.quiet.wait(members).unwrap_or_else(PoisonError::into_inner);
        }
        drop(members);
        self.dispose_all();
        then();
    }

    /// Remembers a callback, so that its destructor runs when the gate is closed at the latest.
    pub(crate) fn admit(&self, callback: Weak<dyn Disposable>) -> u64 {
        let mut members = self.lock();
        let key = members.next;
        members.next += 1;
        members.callbacks.insert(key, callback);
        key
    }

    /// Forgets a callback whose destructor has run.
    pub(crate) fn forget(&self, key: u64) {
        self.lock().callbacks.remove(&key);
        self.quiet.notify_all();
    }

    fn dispose_all(&self) {
        let held: Vec<_> = self.lock().callbacks.values().filter_map(Weak::upgrade).collect();
        for callback in held {
            callback.dispose();
        }
        // What is left is being dropped by another thread, which is in the middle of the destructor. A destructor that
        // closes its own server would wait for itself, hence the limit.
        let members = self.lock();
        let dropping = |members: &mut Members| members.callbacks.values().any(|callback| callback.strong_count() == 0);
        drop(self.quiet.wait_timeout_while(members, DESTRUCTOR_LIMIT, dropping));
    }

    fn lock(&self) -> MutexGuard<'_, Members> {
        self.members.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Pass<'_> {
    fn drop(&mut self) {
        INSIDE.with_borrow_mut(|inside| inside.pop());
        self.0.leave();
    }
}

/// A gate that several owners share.
pub(crate) type SharedGate = Arc<Gate>;
