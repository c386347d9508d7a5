//! How tasks are run and kept.

use std::time::Duration;

/// Bounds and times of tasks.
///
/// ```
/// use std::time::Duration;
/// let options = mcp::TaskOptions::new().default_ttl(Duration::from_secs(600)).max_running(50);
/// ```
#[derive(Clone, Debug)]
pub struct TaskOptions {
    pub(super) default_ttl: Option<Duration>,
    pub(super) max_ttl: Option<Duration>,
    pub(super) poll_interval: Duration,
    pub(super) max_tasks: usize,
    pub(super) max_running: usize,
    pub(super) lease: Duration,
    pub(super) store_timeout: Duration,
    pub(super) rerun_idempotent: bool,
}

impl Default for TaskOptions {
    fn default() -> TaskOptions {
        TaskOptions {
            default_ttl: Some(Duration::from_secs(3600)),
            max_ttl: Some(Duration::from_secs(24 * 3600)),
            poll_interval: Duration::from_secs(1),
            max_tasks: 100_000,
            max_running: 1000,
            lease: Duration::from_secs(10),
            store_timeout: Duration::from_secs(10),
            rerun_idempotent: false,
        }
    }
}

impl TaskOptions {
    /// The defaults.
    pub fn new() -> TaskOptions {
        TaskOptions::default()
    }

    /// How long a task is kept from its creation, whatever its state, where the client does not say; `Duration::MAX`
    /// for ever. A task that still runs then is cancelled. Default 1 hour.
    pub fn default_ttl(mut self, ttl: Duration) -> TaskOptions {
        self.default_ttl = Some(ttl).filter(|ttl| *ttl != Duration::MAX);
        self
    }

    /// The longest time that a client may ask for; `Duration::MAX` for no bound. Default 24 hours.
    pub fn max_ttl(mut self, ttl: Duration) -> TaskOptions {
        self.max_ttl = Some(ttl).filter(|ttl| *ttl != Duration::MAX);
        self
    }

    /// How often clients are told to ask. At least 1 ms. Default 1 s.
    pub fn poll_interval(mut self, interval: Duration) -> TaskOptions {
        self.poll_interval = interval.max(Duration::from_millis(1));
        self
    }

    /// Most tasks in the store. Beyond it a call that would become one is refused. Default 100,000.
    pub fn max_tasks(mut self, tasks: usize) -> TaskOptions {
        self.max_tasks = tasks;
        self
    }

    /// Most tasks that this process runs at once; those that wait for their client do not count. Beyond it a call that
    /// would become one is refused. Default 1,000.
    pub fn max_running(mut self, tasks: usize) -> TaskOptions {
        self.max_running = tasks.min(tokio::sync::Semaphore::MAX_PERMITS);
        self
    }

    /// How long a process may give no sign before others take its tasks for abandoned. It gives one three times as
    /// often. At least 100 ms. Default 10 s.
    pub fn lease(mut self, lease: Duration) -> TaskOptions {
        self.lease = lease.max(Duration::from_millis(100));
        self
    }

    /// How long a request waits for the store. Default 10 s.
    pub fn store_timeout(mut self, limit: Duration) -> TaskOptions {
        self.store_timeout = limit;
        self
    }

    /// Whether a task whose process ended is run again, from its start, when its tool is declared idempotent
    /// (`ToolOptions::idempotent`). Otherwise it fails. Default false.
    pub fn rerun_idempotent(mut self, yes: bool) -> TaskOptions {
        self.rerun_idempotent = yes;
        self
    }
}
