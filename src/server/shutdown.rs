//! The wish to end, and how long what runs may still take.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use tokio::sync::watch;
use tokio::time::Instant;

/// Tells any number of listeners that they are to end by a certain time.
#[derive(Clone)]
pub(crate) struct Shutdown(Arc<State>);

struct State {
    deadline: watch::Sender<Option<Instant>>,
    begun: AtomicBool,
}

impl Shutdown {
    pub(crate) fn new() -> Shutdown {
        Shutdown(Arc::new(State { deadline: watch::Sender::new(None), begun: AtomicBool::new(false) }))
    }

    /// Asks everybody to end within `grace`. A later call can only shorten it.
    pub(crate) fn begin(&self, grace: Duration) {
        let deadline = Instant::now() + grace.min(Duration::from_secs(86_400));
        self.0.begun.store(true, Ordering::Release);
        self.0.deadline.send_if_modified(|current| {
            let sooner = current.is_none_or(|current| deadline < current);
            if sooner {
                *current = Some(deadline);
            }
            sooner
        });
    }

    /// Whether the end is wished for.
    pub(crate) fn has_begun(&self) -> bool {
        self.0.begun.load(Ordering::Acquire)
    }

    /// Returns when the end is wished for, with the time by which it must be reached.
    pub(crate) async fn begun(&self) -> Instant {
        let mut receiver = self.0.deadline.subscribe();
        let deadline = receiver.wait_for(Option::is_some).await.ok().and_then(|deadline| *deadline);
        deadline.unwrap_or_else(Instant::now)
    }
}
