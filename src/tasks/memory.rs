//! Tasks in memory.

use std::future::ready;
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::record::TaskRecord;
use super::store::{StoreFuture, TaskStore};
use super::table::Table;

/// Keeps tasks in memory: they outlive connections and sessions, and end with the process.
#[derive(Default)]
pub struct MemoryTaskStore(Mutex<Table>);

impl MemoryTaskStore {
    /// An empty store.
    pub fn new() -> MemoryTaskStore {
        MemoryTaskStore::default()
    }

    fn lock(&self) -> MutexGuard<'_, Table> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl TaskStore for MemoryTaskStore {
    fn create(&self, task: TaskRecord, max_tasks: usize) -> StoreFuture<'_, ()> {
        Box::pin(ready(self.lock().create(task, max_tasks)))
    }

    fn get<'a>(&'a self, id: &'a str) -> StoreFuture<'a, Option<TaskRecord>> {
        Box::pin(ready(Ok(self.lock().get(id))))
    }

    fn replace(&self, task: TaskRecord) -> StoreFuture<'_, bool> {
        Box::pin(ready(Ok(self.lock().replace(task))))
    }

    fn list<'a>(
        &'a self,
        owner: &'a str,
        after: Option<(u64, String)>,
        limit: usize,
    ) -> StoreFuture<'a, Vec<TaskRecord>> {
        Box::pin(ready(Ok(self.lock().list(owner, after, limit))))
    }

    fn heartbeat<'a>(&'a self, holder: &'a str, until: u64) -> StoreFuture<'a, ()> {
        self.lock().heartbeat(holder, until);
        Box::pin(ready(Ok(())))
    }

    fn claim<'a>(&'a self, holder: &'a str, now: u64, limit: usize) -> StoreFuture<'a, Vec<TaskRecord>> {
        Box::pin(ready(Ok(self.lock().claim(holder, now, limit))))
    }

    fn sweep(&self, now: u64, limit: usize) -> StoreFuture<'_, Vec<String>> {
        Box::pin(ready(Ok(self.lock().sweep(now, limit))))
    }
}
