//! The plug-in: what all parts of it share.

use std::collections::HashMap;
use std::future::Future;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use tokio::sync::{Semaphore, oneshot};

use super::options::TaskOptions;
use super::record::{Task, owner, random_id};
use super::store::{StoreError, TaskStore};
use super::{requests, runner, upkeep};
use crate::error::Error;
use crate::protocol::task::TaskState;
use crate::server::Server;
use crate::server::background::{Background, Launch, Serving, TaskLink, WeakServer, millis, now_millis};
use crate::server::call::{Call, CallState, Client, Outcome};

/// Most changes by clients that may wait for the store.
const MAX_CHANGES: usize = 4096;

/// The tasks of a server.
pub(crate) struct Tasks(Arc<Inner>);

pub(super) struct Inner {
    pub(super) store: Arc<dyn TaskStore>,
    pub(super) options: TaskOptions,
    /// What this process is called in the store.
    pub(super) holder: OnceLock<String>,
    /// How long this process may take what it holds for its own, in milliseconds since 1970.
    lease_until: AtomicU64,
    renewing: tokio::sync::Mutex<()>,
    started: AtomicBool,
    server: OnceLock<WeakServer>,
    /// The tasks that run here.
    running: Mutex<HashMap<Arc<str>, Run>>,
    pub(super) slots: Arc<Semaphore>,
    /// The changes that clients ask for and that are not in the store yet.
    changes: Arc<Semaphore>,
}

/// A task that runs here.
#[derive(Clone)]
pub(super) struct Run {
    pub(super) state: Arc<CallState>,
    pub(super) link: Arc<TaskLink>,
}

impl Tasks {
    pub(super) fn new(store: Arc<dyn TaskStore>, options: TaskOptions) -> Tasks {
        Tasks(Arc::new(Inner {
            store,
            slots: Arc::new(Semaphore::new(options.max_running)),
            options,
            changes: Arc::new(Semaphore::new(MAX_CHANGES)),
            holder: OnceLock::new(),
            lease_until: AtomicU64::new(0),
            renewing: tokio::sync::Mutex::new(()),
            started: AtomicBool::new(false),
            server: OnceLock::new(),
            running: Mutex::default(),
        }))
    }
}

impl Background for Tasks {
    fn start(&self, server: &Server) {
        if self.0.started.load(Ordering::Acquire) || tokio::runtime::Handle::try_current().is_err() {
            return;
        }
        if !self.0.started.swap(true, Ordering::AcqRel) {
            // Nobody else sets it.
            let _ = self.0.server.set(server.downgrade());
            tokio::spawn(upkeep::run(Arc::downgrade(&self.0)));
        }
    }

    fn launch(&self, launch: Launch) -> Serving<'static, Outcome> {
        self.start(&launch.call.state.server);
        let inner = self.0.clone();
        Box::pin(runner::launch(inner, launch))
    }

    fn serve<'a>(&'a self, call: &'a Call) -> Serving<'a, Outcome> {
        self.start(&call.state.server);
        Box::pin(requests::serve(&self.0, call))
    }

    fn announce(&self, id: &str) {
        let (inner, id) = (self.0.clone(), id.to_owned());
        if let Ok(runtime) = tokio::runtime::Handle::try_current() {
            runtime.spawn(async move {
                let record = inner.within(inner.store.get(&id)).await;
                if let Some(task) = record.ok().flatten().and_then(|record| Task::read(record).ok()) {
                    inner.announce(&task);
                }
            });
        }
    }

    fn look_up(&self, ids: Vec<String>, client: &Client) -> Serving<'static, Vec<Arc<TaskState>>> {
        let (inner, owner) = (self.0.clone(), owner(client));
        Box::pin(async move {
            let mut found = Vec::new();
            for id in ids {
                found.extend(inner.find(&id, &owner).await.ok().map(|task| Arc::new(inner.state(&task))));
            }
            found
        })
    }
}

impl Inner {
    pub(super) fn server(&self) -> Option<Server> {
        self.server.get()?.upgrade()
    }

    pub(super) fn running(&self) -> MutexGuard<'_, HashMap<Arc<str>, Run>> {
        self.running.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What this process is called, with a lease that is good for a while.
    ///
    /// # Errors
    /// The store failed, or the system gave no random numbers.
    pub(super) async fn holder(&self) -> Result<&str, Error> {
        if self.holder.get().is_none() {
            // Of two that come first, one name stays.
            let _ = self.holder.set(random_id()?);
        }
        let name = self.holder.get().map(String::as_str).unwrap_or_default();
        let half = millis(self.options.lease) / 2;
        let is_good = || self.lease_until.load(Ordering::Acquire) > now_millis() + half;
        if !is_good() {
            let _one = self.renewing.lock().await;
            if !is_good() {
                self.renew(name).await?;
            }
        }
        Ok(name)
    }

    /// Renews the lease.
    ///
    /// # Errors
    /// The store failed.
    pub(super) async fn renew(&self, holder: &str) -> Result<(), Error> {
        let until = now_millis() + millis(self.options.lease);
        self.within(self.store.heartbeat(holder, until)).await?;
        self.lease_until.fetch_max(until, Ordering::AcqRel);
        Ok(())
    }

    /// Waits for the store, within its time.
    ///
    /// # Errors
    /// It failed, or took too long.
    pub(super) async fn within<T>(&self, work: impl Future<Output = Result<T, StoreError>>) -> Result<T, Error> {
        match tokio::time::timeout(self.options.store_timeout, work).await {
            Ok(Ok(value)) => Ok(value),
            Ok(Err(error)) => Err(store_failure(&error)),
            Err(_) => Err(Error::internal("The task store did not answer in time")),
        }
    }

    /// Makes a change that must not stop half-way, also when nobody waits for it any more, and waits for the store's time.
    ///
    /// # Errors
    /// That of the change, or it takes too long, or too many wait already.
    pub(super) async fn unbroken<T: Send + 'static>(
        &self,
        change: impl Future<Output = Result<T, Error>> + Send + 'static,
    ) -> Result<T, Error> {
        let many = || Error::internal("The task store failed: too many changes wait for it");
        let permit = self.changes.clone().try_acquire_owned().map_err(|_| many())?;
        let (sender, receiver) = oneshot::channel();
        tokio::spawn(async move {
            // Nobody may be there to hear of it.
            let _ = sender.send(change.await);
            drop(permit);
        });
        match tokio::time::timeout(self.options.store_timeout, receiver).await {
            Ok(Ok(result)) => result,
            Ok(Err(_)) => Err(Error::internal("The server is ending")),
            Err(_) => Err(Error::internal("The task store did not answer in time")),
        }
    }

    /// The task of this id, if it is the owner's and has not expired.
    ///
    /// # Errors
    /// `-32602`: there is none. `-32603`: the store failed.
    pub(super) async fn find(&self, id: &str, owner: &str) -> Result<Task, Error> {
        let record = self.within(self.store.get(id)).await?;
        let now = now_millis();
        let own = record.filter(|record| record.owner == owner && record.expires.is_none_or(|expires| expires > now));
        own.ok_or_else(|| not_found(id)).and_then(Task::read)
    }

    /// A task as clients see it. What its handler said last is in the record only later.
    pub(super) fn state(&self, task: &Task) -> TaskState {
        let mut state = task.state();
        if !state.status.is_final()
            && let Some(note) = self.running().get(state.id.as_str()).and_then(|run| run.link.note())
            && note.at >= state.updated
        {
            state.updated = note.at;
            state.message = Some(note.text);
        }
        state
    }

    /// Tells those who watch the task.
    pub(super) fn announce(&self, task: &Task) {
        if let Some(server) = self.server() {
            server.changes().task_changed(&Arc::new(self.state(task)));
        }
    }

    /// Stops the run of a task, if it runs here.
    pub(super) fn stop(&self, id: &str) {
        let run = self.running().get(id).cloned();
        if let Some(run) = run {
            run.state.cancel.raise();
        }
    }
}

pub(super) fn store_failure(error: &StoreError) -> Error {
    if !error.is_full() {
        tracing::error!("the task store failed: {error}");
    }
    Error::internal(format!("The task store failed: {error}"))
}

pub(super) fn not_found(id: &str) -> Error {
    let shown: String = id.chars().take(64).collect();
    Error::invalid_params(format!("Task not found: {shown}"))
}
