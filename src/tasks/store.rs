//! What keeps tasks.

use std::fmt;
use std::future::Future;
use std::pin::Pin;

use super::record::TaskRecord;

/// What a store's functions return. They must not block the thread that polls them.
pub type StoreFuture<'a, T> = Pin<Box<dyn Future<Output = Result<T, StoreError>> + Send + 'a>>;

/// Keeps tasks, for one process or for several at once.
///
/// **Durability.** When the future of `create` or `replace` is ready with success, the change survives whatever the
/// store is there to survive (for `SqliteTaskStore` and `FileTaskStore` the end of the process and of the power, for
/// `MemoryTaskStore` nothing), and every later `get` sees it. A future that is dropped may or may not have its effect.
///
/// **Atomicity.** Each function takes effect at once or not at all, also against other processes. None may give back or
/// keep half a record.
///
/// **Bounds.** `create` refuses beyond `max_tasks`. Functions may be called concurrently and from any thread; a store
/// bounds what it queues, by waiting or by an error. A slow or failing store makes the requests fail that need it.
pub trait TaskStore: Send + Sync + 'static {
    /// Adds a task whose id is new.
    ///
    /// # Errors
    /// `StoreError::full` when there are `max_tasks` tasks already; any other when it can't be written.
    fn create(&self, task: TaskRecord, max_tasks: usize) -> StoreFuture<'_, ()>;

    /// The task of this id, expired or not.
    fn get<'a>(&'a self, id: &'a str) -> StoreFuture<'a, Option<TaskRecord>>;

    /// Puts `task` in the place of the stored one and adds one to its revision. False, and no change, when there is
    /// none of this id, when its revision is not that of `task`, or when its status is final.
    fn replace(&self, task: TaskRecord) -> StoreFuture<'_, bool>;

    /// The tasks of an owner in the order of creation (and of the id among equals), from the one after `after`.
    fn list<'a>(
        &'a self,
        owner: &'a str,
        after: Option<(u64, String)>,
        limit: usize,
    ) -> StoreFuture<'a, Vec<TaskRecord>>;

    /// Lets what `holder` holds be its own until `until`, in milliseconds since 1970. An earlier lease is replaced.
    fn heartbeat<'a>(&'a self, holder: &'a str, until: u64) -> StoreFuture<'a, ()>;

    /// Gives to `holder` at most `limit` tasks that are not final and that another holds whose lease has run out by
    /// `now`; adds one to their revisions. No task is given to two.
    fn claim<'a>(&'a self, holder: &'a str, now: u64, limit: usize) -> StoreFuture<'a, Vec<TaskRecord>>;

    /// Removes at most `limit` tasks that have expired by `now`, and gives back their ids.
    fn sweep(&self, now: u64, limit: usize) -> StoreFuture<'_, Vec<String>>;
}

/// Why a store did not do what it was asked to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoreError {
    is_full: bool,
    text: String,
}

impl StoreError {
    /// The cause in words. It reaches clients: keep secrets out of it.
    pub fn new(text: impl Into<String>) -> StoreError {
        StoreError { is_full: false, text: text.into() }
    }

    /// There are as many tasks as there may be.
    pub fn full(max_tasks: usize) -> StoreError {
        StoreError { is_full: true, text: format!("there are {max_tasks} tasks and no more are taken") }
    }

    /// Whether the bound on tasks was met.
    pub fn is_full(&self) -> bool {
        self.is_full
    }
}

impl fmt::Display for StoreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl std::error::Error for StoreError {}
