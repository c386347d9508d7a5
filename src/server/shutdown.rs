//! The wish to end, and how long what runs may still take.

use std::time::Duration;

use tokio::sync::watch;
use tokio::time::Instant;

/// Tells any number of listeners that they are to end by a certain time.
#[derive(Clone)]
pub(crate) struct Shutdown(watch::Sender<Option<Instant>>);

impl Shutdown {
    pub(crate) fn new() -> Shutdown {
        Shutdown(watch::Sender::new(None))
    }

    /// Asks everybody to end within `grace`. A later call can only shorten it.
    pub(crate) fn begin(&self, grace: Duration) {
        let deadline = Instant::now() + grace.min(Duration::from_secs(86_400));
        self.0.send_if_modified(|current| {
            let sooner = current.is_none_or(|current| deadline < current);
            if sooner {
                *current = Some(deadline);
            }
            sooner
        });
    }

    /// Returns when the end is wished for, with the time by which it must be reached.
    pub(crate) async fn begun(&self) -> Instant {
        let mut receiver = self.0.subscribe();
        let deadline = receiver.wait_for(Option::is_some).await.ok().and_then(|deadline| *deadline);
        deadline.unwrap_or_else(Instant::now)
    }
}
