//! Where handlers run: on the server's pool of threads, or wherever the host wants.

use std::cell::Cell;
use std::ffi::c_void;

use tokio::runtime::Handle;

use crate::callback::Callback;
use crate::guard::guard;
use crate::handle::{give, take};
use crate::sigpipe;

/// One run of a handler, made for another thread.
pub(crate) type Work = Box<dyn FnOnce() + Send>;

/// A run of a handler that the host takes over. It must be run exactly once, on any thread; deleting it instead answers
/// the request with an error.
pub struct mcp_job_t(Work);

/// Takes a job and has it run soon: on the host's main loop, or on a pool of the host's. It should return quickly.
pub type mcp_post_fn = Option<unsafe extern "C" fn(user_data: *mut c_void, job: *mut mcp_job_t)>;

pub(crate) type PostFunction = unsafe extern "C" fn(*mut c_void, *mut mcp_job_t);

pub(crate) enum Executor {
    Pool(Handle),
    Host(Callback<PostFunction>),
}

thread_local! {
    /// This thread runs a job of a pool, not the connections.
    static IN_JOB: Cell<bool> = const { Cell::new(false) };
    /// `SIGPIPE` is let through on this thread, because the host's code runs here.
    static OPEN: Cell<bool> = const { Cell::new(false) };
}

/// Whether this thread may wait for the server: not when it is one of those that drive it.
pub(crate) fn may_wait() -> bool {
    IN_JOB.get() || Handle::try_current().is_err()
}

impl Executor {
    /// Has the work done. When it is not possible any more, the work is dropped.
    pub(crate) fn post(&self, work: Work) {
        match self {
            Executor::Pool(runtime) => drop(runtime.spawn_blocking(|| {
                if !OPEN.replace(true) {
                    sigpipe::unblock();
                }
                IN_JOB.set(true);
                work();
                IN_JOB.set(false);
            })),
            Executor::Host(callback) => {
                // SAFETY: function and data are those that the host registered together; the job is the host's now.
                callback.call(|post, data| unsafe { post(data, give(mcp_job_t(work))) });
            }
        }
    }
}

/// Runs a job, on this thread, and frees it.
///
/// # Safety
/// `job` is NULL or a live handle, which this takes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mcp_job_run(job: *mut mcp_job_t) {
    guard(|| {
        // SAFETY: as promised by the caller.
        if let Some(job) = unsafe { take(job) } {
            (job.0)();
        }
    });
}

/// Frees a job without running it; the request is answered with an internal error.
///
/// # Safety
/// `job` is NULL or a live handle, which this takes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mcp_job_delete(job: *mut mcp_job_t) {
    // SAFETY: as promised by the caller.
    guard(|| drop(unsafe { take(job) }));
}
