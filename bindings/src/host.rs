//! What a server handle stands for: the server, the threads that drive it, and the gate to the host's code.

use std::future::Future;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use mcp::{Error, Server};
use tokio::runtime::{Builder, Handle, Runtime};
use tokio::sync::Notify;

use crate::c::error::MCP_ERROR_CONNECTION_CLOSED;
use crate::executor::{Executor, Work, may_wait};
use crate::gate::SharedGate;
use crate::sigpipe;

/// How long freeing a server waits for its threads. They have nothing left to do by then.
const THREADS_LIMIT: Duration = Duration::from_secs(5);

/// How much longer than the grace period closing waits for transports.
const CUT_OFF_LIMIT: Duration = Duration::from_millis(500);

/// A server with everything that was registered, its threads and its transports.
///
/// All functions of a server may be called from any thread, several at once, also from inside of a handler.
pub struct mcp_server_t {
    pub(crate) server: Server,
    pub(crate) gate: SharedGate,
    pub(crate) executor: Executor,
    runtime: Mutex<Option<Arc<Runtime>>>,
    handle: Handle,
    /// The host drives the server: there are no threads that would.
    driven: bool,
    life: Mutex<Life>,
    changed: Condvar,
    woken: Notify,
}

#[derive(Default)]
struct Life {
    /// Transports that were started and have not ended.
    transports: usize,
    /// A transport was running once.
    started: bool,
    closed: bool,
}

/// A transport that is going on. Dropping it tells that it has ended.
pub(crate) struct Running(Arc<mcp_server_t>);

impl Running {
    /// Notes that the transport runs: from here on, its end is one that can be waited for.
    pub(crate) fn begin(&self) {
        self.0.change(|life| life.started = true);
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.0.change(|life| life.transports -= 1);
    }
}

impl mcp_server_t {
    pub(crate) fn new(server: Server, gate: SharedGate, runtime: Runtime, driven: bool, executor: Executor) -> Self {
        mcp_server_t {
            server,
            gate,
            executor,
            handle: runtime.handle().clone(),
            runtime: Mutex::new(Some(Arc::new(runtime))),
            driven,
            life: Mutex::default(),
            changed: Condvar::new(),
            woken: Notify::new(),
        }
    }

    /// Notes that a transport starts.
    ///
    /// # Errors
    /// The server is closed.
    pub(crate) fn start(self: &Arc<Self>) -> Result<Running, Error> {
        let mut life = self.life();
        if life.closed {
            return Err(closed());
        }
        life.transports += 1;
        drop(life);
        Ok(Running(self.clone()))
    }

    pub(crate) fn spawn(&self, work: impl Future<Output = ()> + Send + 'static) {
        drop(self.handle.spawn(work));
    }

    /// Calls `body` as one of the server's threads would.
    pub(crate) fn within<T>(&self, body: impl FnOnce() -> T) -> T {
        let _entered = self.handle.enter();
        body()
    }

    /// Has work done that may block: on the pool, or, where the host drives the server, on the host's thread.
    pub(crate) fn run_blocking(&self, work: Work) {
        match self.driven {
            true => work(),
            false => Executor::Pool(self.handle.clone()).post(work),
        }
    }

    /// Waits for `work` on this thread.
    ///
    /// # Errors
    /// The server is closed, or this thread drives it, so that it would wait for itself.
    pub(crate) fn block_on<T>(&self, work: impl Future<Output = T>) -> Result<T, Error> {
        if !may_wait() {
            return Err(Error::invalid_request(
                "this call waits, and this thread serves the connections: call it from another thread, or from a \
                 handler that is not inline",
            ));
        }
        let runtime = self.runtime().ok_or_else(closed)?;
        if !self.driven {
            return Ok(self.handle.block_on(work));
        }
        let _blocked = sigpipe::Blocked::begin();
        Ok(runtime.block_on(work))
    }

    fn runtime(&self) -> Option<Arc<Runtime>> {
        self.runtime.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn life(&self) -> MutexGuard<'_, Life> {
        self.life.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn change(&self, change: impl FnOnce(&mut Life)) {
        change(&mut self.life());
        self.changed.notify_all();
        self.woken.notify_waiters();
    }

    /// Whether there is nothing left to wait for.
    fn is_over(life: &Life) -> bool {
        life.transports == 0 && (life.closed || life.started)
    }

    /// Returns when the server is closed and its transports have ended, or when all of them ended by themselves.
    pub(crate) fn wait(&self) -> Result<(), Error> {
        if self.driven {
            return self.block_on(self.until(Self::is_over));
        }
        if self.gate.is_inside() {
            return Err(Error::invalid_request("a handler can't wait for the server that runs it"));
        }
        let mut life = self.life();
        while !Self::is_over(&life) {
            life = self.changed.wait(life).unwrap_or_else(PoisonError::into_inner);
        }
        Ok(())
    }

    async fn until(&self, reached: impl Fn(&Life) -> bool) {
        loop {
            let woken = self.woken.notified();
            if reached(&self.life()) {
                return;
            }
            woken.await;
        }
    }

    /// Drives a server without threads for at most so long, or until there is nothing left to do at once (zero).
    pub(crate) fn poll(&self, limit: Duration) -> Result<bool, Error> {
        if !self.driven {
            return Err(Error::invalid_request("the server has worker threads; only one without is to be polled"));
        }
        self.block_on(async {
            match limit.is_zero() {
                // Every task that is ready gets its turn before this one is looked at again.
                true => {
                    for _ in 0..4 {
                        tokio::task::yield_now().await;
                    }
                }
                false => drop(tokio::time::timeout(limit, self.until(Self::is_over)).await),
            }
        })?;
        Ok(!Self::is_over(&self.life()))
    }

    /// Ends the transports: requests that run have `grace` to finish. How many calls of the host's code are still running
    /// after that. From inside of a handler this only asks for the end, and returns at once.
    pub(crate) fn close(&self, grace: Duration) -> usize {
        self.change(|life| life.closed = true);
        self.server.shutdown(grace);
        if self.gate.is_inside() || !may_wait() {
            return self.gate.running();
        }
        let deadline = Instant::now() + grace;
        // Transports that cut requests off at the end of the grace period need a moment to do it.
        let limit = grace + CUT_OFF_LIMIT;
        if self.driven {
            let ended = self.until(|life| life.transports == 0);
            // The only failure is a server that is closed already.
            let _ = self.block_on(async { tokio::time::timeout(limit, ended).await });
        } else {
            let life = self.life();
            drop(self.changed.wait_timeout_while(life, limit, |life| life.transports > 0));
        }
        self.gate.wait_quiet(deadline.saturating_duration_since(Instant::now()))
    }

    /// Ends everything: no callback runs any more, all destructors have run, the threads are gone. From inside of a
    /// callback that happens as soon as the last callback has returned.
    pub(crate) fn destroy(self: Arc<Self>) {
        self.change(|life| life.closed = true);
        self.server.shutdown(Duration::ZERO);
        let (gate, own_thread) = (self.gate.clone(), self.gate.is_inside());
        gate.close(move || {
            let runtime = self.runtime.lock().unwrap_or_else(PoisonError::into_inner).take();
            let Some(runtime) = runtime.and_then(Arc::into_inner) else { return };
            // A thread of the runtime can't wait for itself.
            match own_thread || !may_wait() {
                true => runtime.shutdown_background(),
                false => runtime.shutdown_timeout(THREADS_LIMIT),
            }
        });
    }
}

/// The runtime of a server.
///
/// # Errors
/// The system gives no threads.
pub(crate) fn runtime(workers: usize, handlers: usize) -> Result<Runtime, Error> {
    let mut builder = match workers {
        0 => Builder::new_current_thread(),
        workers => {
            let mut builder = Builder::new_multi_thread();
            builder.worker_threads(workers);
            builder
        }
    };
    builder.max_blocking_threads(handlers.max(1)).thread_name("mcp").on_thread_start(sigpipe::block).enable_all();
    builder.build().map_err(|error| Error::internal(format!("the server's threads could not be started: {error}")))
}

pub(crate) fn closed() -> Error {
    Error::new(MCP_ERROR_CONNECTION_CLOSED, "The server is closed")
}
