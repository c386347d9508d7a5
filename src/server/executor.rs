//! Where handlers that may block are run.

use std::any::Any;
use std::fmt;
use std::future::Future;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use tokio::sync::oneshot;

use super::handler::HandlerError;

/// One run of a handler. It must be run exactly once, on any thread; dropping it answers the request with an error.
pub type Job = Box<dyn FnOnce() + Send>;

/// Runs jobs: on the runtime's pool of blocking threads, or as the host wants.
#[derive(Clone, Default)]
pub(crate) struct Executor(Option<Arc<dyn Fn(Job) + Send + Sync>>);

impl Executor {
    pub(crate) fn new(post: impl Fn(Job) + Send + Sync + 'static) -> Executor {
        Executor(Some(Arc::new(post)))
    }

    /// Runs `function` and waits for its result without blocking.
    pub(crate) fn run<T: Send + 'static, F: FnOnce() -> Result<T, HandlerError> + Send + 'static>(
        &self,
        function: F,
    ) -> impl Future<Output = Result<T, HandlerError>> + Send + use<T, F> {
        let (sender, receiver) = oneshot::channel();
        self.post(Box::new(move || {
            let result = catch_unwind(AssertUnwindSafe(function));
            // The receiver is gone when the request was cancelled; then nobody wants the result.
            let _ = sender.send(result.unwrap_or_else(|panic| Err(Panicked::new(&*panic).into())));
        }));
        async move { receiver.await.unwrap_or_else(|_| Err(JobDropped.into())) }
    }

    fn post(&self, job: Job) {
        match &self.0 {
            Some(post) => post(job),
            None => match tokio::runtime::Handle::try_current() {
                Ok(runtime) => drop(runtime.spawn_blocking(job)),
                Err(_) => drop(std::thread::Builder::new().name("mcp-handler".into()).spawn(job)),
            },
        }
    }
}

/// Calls a callback of the host's; a panic is logged and gives `None`.
pub(crate) fn contain<T>(what: &str, call: impl FnOnce() -> T) -> Option<T> {
    catch_unwind(AssertUnwindSafe(call)).map_err(|panic| tracing::error!("{what}: {}", Panicked::new(&*panic))).ok()
}

/// A handler panicked. The text goes to the log, never to the client.
#[derive(Debug)]
pub(crate) struct Panicked(String);

impl Panicked {
    pub(crate) fn new(panic: &(dyn Any + Send)) -> Panicked {
        let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
        Panicked(text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_else(|| "unknown panic".into()))
    }
}

impl fmt::Display for Panicked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the handler panicked: {}", self.0)
    }
}

impl std::error::Error for Panicked {}

#[derive(Debug)]
struct JobDropped;

impl fmt::Display for JobDropped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the executor dropped the handler's job without running it")
    }
}

impl std::error::Error for JobDropped {}
