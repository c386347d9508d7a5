//! Writing to a connection that the client has closed raises `SIGPIPE`, which ends a process that does nothing about it.
//! The host's dispositions are its own affair, so the signal is blocked instead, on the threads that write.

/// Blocks the signal on this thread, for ever: for the library's own threads.
pub(crate) fn block() {
    #[cfg(unix)]
    change(libc::SIG_BLOCK);
}

/// Lets the signal through on this thread again: where the host's code runs, and starts processes that inherit the mask.
pub(crate) fn unblock() {
    #[cfg(unix)]
    change(libc::SIG_UNBLOCK);
}

/// Keeps the signal blocked on a thread of the host's. Dropping it puts everything back.
pub(crate) struct Blocked {
    #[cfg(unix)]
    was_open: bool,
}

impl Blocked {
    pub(crate) fn begin() -> Blocked {
        #[cfg(unix)]
        return Blocked { was_open: change(libc::SIG_BLOCK).is_some_and(|blocked| !blocked) };
        #[cfg(not(unix))]
        Blocked {}
    }
}

#[cfg(unix)]
impl Drop for Blocked {
    fn drop(&mut self) {
        if !self.was_open {
            return;
        }
        // A signal that was raised meanwhile is taken off first; otherwise it would be delivered now.
        let (signals, now) = (only_sigpipe(), libc::timespec { tv_sec: 0, tv_nsec: 0 });
        // SAFETY: both arguments are initialised and outlive the call; no information is asked for.
        while unsafe { libc::sigtimedwait(&signals, std::ptr::null_mut(), &now) } == libc::SIGPIPE {}
        unblock();
    }
}

/// Changes the mask of this thread; whether the signal was blocked before.
#[cfg(unix)]
fn change(how: libc::c_int) -> Option<bool> {
    let signals = only_sigpipe();
    let mut before = signals;
    // SAFETY: both sets are initialised and outlive the call.
    let changed = unsafe { libc::pthread_sigmask(how, &signals, &mut before) } == 0;
    // SAFETY: the set is initialised.
    changed.then(|| unsafe { libc::sigismember(&before, libc::SIGPIPE) } == 1)
}

#[cfg(unix)]
fn only_sigpipe() -> libc::sigset_t {
    let mut signals = std::mem::MaybeUninit::uninit();
    // SAFETY: `sigemptyset` initialises the set; the signal exists.
    unsafe {
        libc::sigemptyset(signals.as_mut_ptr());
        libc::sigaddset(signals.as_mut_ptr(), libc::SIGPIPE);
        signals.assume_init()
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn a_signal_raised_while_blocked_is_gone_afterwards_and_the_mask_is_as_it_was() {
        // The test program ignores the signal, as Rust programs do; pending and blocked are the same all the same.
        unblock();
        let blocked = Blocked::begin();
        assert_eq!(change(libc::SIG_BLOCK), Some(true));
        drop(blocked);
        assert_eq!(change(libc::SIG_BLOCK), Some(false));
    }
}
