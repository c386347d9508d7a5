//! Tasks: long work that goes on while its client is away, and whose result outlives the connection, and with a durable
//! store the process.
//!
//! - `store` is what keeps tasks: a trait with its durability contract. `memory`, `file` and `sqlite` keep them.
//! - `runner` runs the tool of a task and writes down what becomes of it.
//! - `requests` serves what clients ask about tasks.
//! - `upkeep` renews the lease, takes over what other processes left behind, and frees what has expired.
//!
//! A task is worked on by the process that holds it, which must renew its lease for that. Every change is a replacement
//! of the revision that the changer has read, so of two changers one loses and looks again; a final state is never
//! replaced. A task that waits for its client is held by nobody: no handler waits, and any process goes on with it.

mod calls;
mod file;
mod memory;
mod options;
mod record;
mod requests;
mod runner;
mod service;
#[cfg(feature = "sqlite")]
mod sqlite;
mod store;
mod table;
#[cfg(test)]
mod tests;
mod upkeep;

use std::sync::Arc;

pub use file::FileTaskStore;
pub use memory::MemoryTaskStore;
pub use options::TaskOptions;
pub use record::TaskRecord;
#[cfg(feature = "sqlite")]
pub use sqlite::SqliteTaskStore;
pub use store::{StoreError, StoreFuture, TaskStore};

use crate::server::builder::ServerBuilder;

impl ServerBuilder {
    /// Lets tools run as tasks (see `ToolOptions::task_mode`), which `store` keeps.
    ///
    /// ```
    /// use mcp::{MemoryTaskStore, RawJson, Server, TaskMode, TaskOptions, ToolOptions};
    /// let server = Server::builder("render", "1.0")
    ///     .raw_tool("render", ToolOptions::new().task_mode(TaskMode::Optional), |_: RawJson, ctx| async move {
    ///         ctx.set_task_status("half of it is there");
    ///         "done"
    ///     })
    ///     .task_store(MemoryTaskStore::new(), TaskOptions::new())
    ///     .build()
    ///     .unwrap();
    /// ```
    pub fn task_store(self, store: impl TaskStore, options: TaskOptions) -> ServerBuilder {
        self.shared_task_store(Arc::new(store), options)
    }

    /// Like `task_store`, for a store that the host keeps a hold of.
    pub fn shared_task_store(mut self, store: Arc<dyn TaskStore>, options: TaskOptions) -> ServerBuilder {
        self.options.tasks = Some(Arc::new(service::Tasks::new(store, options)));
        self
    }
}
