//! A thread with a connection of its own, which does one job after the other.

use rusqlite::Connection;
use tokio::sync::{mpsc, oneshot};

use super::super::store::{StoreError, StoreFuture};

/// How many jobs may wait. Beyond it those who bring one wait.
const QUEUE: usize = 4096;
/// Most jobs of one transaction.
const BATCH: usize = 1024;

/// The way to the thread, which ends when this is dropped.
pub(super) struct Lane(mpsc::Sender<Job>);

/// Works with the connection where there is a transaction for it, and leaves who is to hear of the end.
type Job = Box<dyn FnOnce(Result<&Connection, StoreError>) -> Done + Send>;
type Done = Box<dyn FnOnce(Result<(), StoreError>) + Send>;

impl Lane {
    /// Starts the thread. With `writes`, all jobs that wait are put into one transaction.
    pub(super) fn start(db: Connection, writes: bool) -> Result<Lane, StoreError> {
        let (sender, queue) = mpsc::channel(QUEUE);
        let name = if writes { "mcp-task-writer" } else { "mcp-task-reader" };
        let work = move || if writes { write_all(&db, queue) } else { read_all(&db, queue) };
        let started = std::thread::Builder::new().name(name.into()).spawn(work);
        started.map_err(|error| StoreError::new(format!("can't start a thread: {error}")))?;
        Ok(Lane(sender))
    }

    /// Runs a job: what it returns counts once its transaction is on the disk.
    pub(super) fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Connection) -> rusqlite::Result<Result<T, StoreError>> + Send + 'static,
    ) -> StoreFuture<'_, T> {
        let (sender, receiver) = oneshot::channel();
        let job: Job = Box::new(move |db| {
            let result = db.and_then(|db| work(db).unwrap_or_else(|error| Err(failure(&error))));
            // The one who asked may be gone.
            Box::new(move |ended: Result<(), StoreError>| drop(sender.send(ended.and(result))))
        });
        Box::pin(async move {
            let ended = || StoreError::new("the thread of the task file has ended");
            self.0.send(job).await.map_err(|_| ended())?;
            receiver.await.unwrap_or_else(|_| Err(ended()))
        })
    }
}

fn failure(error: &rusqlite::Error) -> StoreError {
    StoreError::new(error.to_string())
}

fn read_all(db: &Connection, mut queue: mpsc::Receiver<Job>) {
    while let Some(job) = queue.blocking_recv() {
        job(Ok(db))(Ok(()));
    }
}

fn write_all(db: &Connection, mut queue: mpsc::Receiver<Job>) {
    while let Some(first) = queue.blocking_recv() {
        let mut waiting = Vec::new();
        let ended = transaction(db, first, &mut queue, &mut waiting);
        let ended = ended.map_err(|error| {
            // Some errors have ended the transaction already.
            if !db.is_autocommit() && db.execute_batch("ROLLBACK").is_err() {
                tracing::error!("the task file could not be rolled back after an error");
            }
            failure(&error)
        });
        waiting.into_iter().for_each(|done| done(ended.clone()));
    }
}

/// Puts the first job and those that wait into one transaction. Each job is one statement as far as it changes things,
/// so one that fails changes nothing, and the others go on.
fn transaction(
    db: &Connection,
    first: Job,
    queue: &mut mpsc::Receiver<Job>,
    waiting: &mut Vec<Done>,
) -> rusqlite::Result<()> {
    let begun = db.prepare_cached("BEGIN IMMEDIATE").and_then(|mut begin| begin.execute([]));
    if let Err(error) = begun {
        waiting.push(first(Err(failure(&error))));
        return Err(error);
    }
    let mut next = Some(first);
    while let Some(job) = next {
        waiting.push(job(Ok(db)));
        if db.is_autocommit() {
            // A full disk ends the transaction, and with it everything that was in it.
            let text = "the transaction was ended by an error; the disk may be full".to_owned();
            return Err(rusqlite::Error::SqliteFailure(rusqlite::ffi::Error::new(13), Some(text)));
        }
        next = if waiting.len() < BATCH { queue.try_recv().ok() } else { None };
    }
    db.prepare_cached("COMMIT")?.execute([]).map(|_| ())
}
