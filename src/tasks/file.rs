//! Tasks in a JSON file.

use std::fs::{self, File, OpenOptions};
use std::future::ready;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use serde::{Deserialize, Serialize};
use tokio::sync::{mpsc, oneshot};

use super::record::TaskRecord;
use super::store::{StoreError, StoreFuture, TaskStore};
use super::table::Table;

/// How many changes may wait to be written.
const QUEUE: usize = 1024;
/// The form of the file.
const VERSION: u32 = 1;

/// Keeps tasks in memory and in one JSON file, which people and other programs can read.
///
/// Every change writes the whole file anew beside the old one, flushes it to the disk and puts it in the old one's
/// place, so that the file is whole at any moment; changes that come together are written together. The cost of a change
/// grows with the number of tasks: for some hundreds of tasks it is fine, for more there is `SqliteTaskStore`.
///
/// A file belongs to one process at a time: a file beside it, with `.lock` added to its name, is locked while the store
/// is open. The leases of processes are not kept, so tasks that were running when the process ended are found at once.
pub struct FileTaskStore {
    committed: Arc<Mutex<Arc<Table>>>,
    jobs: mpsc::Sender<Job>,
}

/// Changes the table, tells whether the file is to be written for it, and leaves who is to hear of the end.
type Job = Box<dyn FnOnce(&mut Table) -> (bool, Done) + Send>;
type Done = Box<dyn FnOnce(Result<(), StoreError>) + Send>;

#[derive(Serialize)]
struct Written<'a> {
    version: u32,
    tasks: Vec<&'a TaskRecord>,
}

#[derive(Deserialize)]
struct Read {
    version: u32,
    tasks: Vec<TaskRecord>,
}

impl FileTaskStore {
    /// Opens the file, or begins one. Not to be called where blocking is not allowed: it reads the file.
    ///
    /// # Errors
    /// The file can't be read, is damaged or of another version, or another process has it open. It is left as it is.
    pub fn open(path: impl AsRef<Path>) -> Result<FileTaskStore, StoreError> {
        let path = path.as_ref().to_owned();
        let failed = |what: &str, error: &dyn std::fmt::Display| {
            StoreError::new(format!("can't {what} the task file {}: {error}", path.display()))
        };
        let lock = OpenOptions::new().create(true).write(true).truncate(false).open(beside(&path, "lock"));
        let lock = lock.map_err(|error| failed("lock", &error))?;
        lock.try_lock().map_err(|error| failed("lock", &error))?;
        let table = match fs::read(&path) {
            Ok(text) => {
                let read: Read = serde_json::from_slice(&text).map_err(|error| failed("read", &error))?;
                if read.version != VERSION {
                    return Err(failed("read", &format_args!("its version {} is not {VERSION}", read.version)));
                }
                Table::from_records(read.tasks)
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => Table::default(),
            Err(error) => return Err(failed("read", &error)),
        };
        let committed = Arc::new(Mutex::new(Arc::new(table)));
        let (jobs, queue) = mpsc::channel(QUEUE);
        let shared = committed.clone();
        let writer = move || {
            write_all(&path, &shared, queue);
            drop(lock);
        };
        std::thread::Builder::new()
            .name("mcp-task-file".into())
            .spawn(writer)
            .map_err(|error| StoreError::new(format!("can't start a thread: {error}")))?;
        Ok(FileTaskStore { committed, jobs })
    }

    fn table(&self) -> Arc<Table> {
        self.committed.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Makes a change; `is_kept` tells whether the result means that the file is to be written.
    fn change<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut Table) -> Result<T, StoreError> + Send + 'static,
        is_kept: impl FnOnce(&T) -> bool + Send + 'static,
    ) -> StoreFuture<'_, T> {
        let (sender, receiver) = oneshot::channel();
        let job: Job = Box::new(move |table| {
            let result = work(table);
            let is_change = result.as_ref().is_ok_and(is_kept);
            // The one who asked may be gone.
            (is_change, Box::new(move |written| drop(sender.send(written.and(result)))))
        });
        Box::pin(async move {
            let ended = || StoreError::new("the writer of the task file has ended");
            self.jobs.send(job).await.map_err(|_| ended())?;
            receiver.await.unwrap_or_else(|_| Err(ended()))
        })
    }
}

impl TaskStore for FileTaskStore {
    fn create(&self, task: TaskRecord, max_tasks: usize) -> StoreFuture<'_, ()> {
        self.change(move |table| table.create(task, max_tasks), |()| true)
    }

    fn get<'a>(&'a self, id: &'a str) -> StoreFuture<'a, Option<TaskRecord>> {
        Box::pin(ready(Ok(self.table().get(id))))
    }

    fn replace(&self, task: TaskRecord) -> StoreFuture<'_, bool> {
        self.change(move |table| Ok(table.replace(task)), |replaced| *replaced)
    }

    fn list<'a>(
        &'a self,
        owner: &'a str,
        after: Option<(u64, String)>,
        limit: usize,
    ) -> StoreFuture<'a, Vec<TaskRecord>> {
        Box::pin(ready(Ok(self.table().list(owner, after, limit))))
    }

    fn heartbeat<'a>(&'a self, holder: &'a str, until: u64) -> StoreFuture<'a, ()> {
        let holder = holder.to_owned();
        self.change(
            move |table| {
                table.heartbeat(&holder, until);
                Ok(())
            },
            |()| false,
        )
    }

    fn claim<'a>(&'a self, holder: &'a str, now: u64, limit: usize) -> StoreFuture<'a, Vec<TaskRecord>> {
        let holder = holder.to_owned();
        self.change(move |table| Ok(table.claim(&holder, now, limit)), |claimed| !claimed.is_empty())
    }

    fn sweep(&self, now: u64, limit: usize) -> StoreFuture<'_, Vec<String>> {
        self.change(move |table| Ok(table.sweep(now, limit)), |removed| !removed.is_empty())
    }
}

/// Makes the changes that come, as many at once as are there. A change that can't be written does not take place.
fn write_all(path: &Path, committed: &Mutex<Arc<Table>>, mut queue: mpsc::Receiver<Job>) {
    while let Some(job) = queue.blocking_recv() {
        let mut table = Table::clone(&committed.lock().unwrap_or_else(PoisonError::into_inner));
        let mut jobs = vec![job];
        while jobs.len() < QUEUE
            && let Ok(job) = queue.try_recv()
        {
            jobs.push(job);
        }
        let mut is_change = false;
        let mut waiting = Vec::with_capacity(jobs.len());
        for job in jobs {
            let (changes, done) = job(&mut table);
            is_change |= changes;
            waiting.push(done);
        }
        let written = if is_change { write(path, &table) } else { Ok(()) };
        let written = written.map_err(|error| StoreError::new(format!("can't write the task file: {error}")));
        if written.is_ok() {
            *committed.lock().unwrap_or_else(PoisonError::into_inner) = Arc::new(table);
        }
        waiting.into_iter().for_each(|done| done(written.clone()));
    }
}

/// Replaces the file by one that holds the table.
fn write(path: &Path, table: &Table) -> io::Result<()> {
    let mut tasks: Vec<_> = table.records().collect();
    tasks.sort_by(|a, b| (a.created, &a.id).cmp(&(b.created, &b.id)));
    let text = serde_json::to_vec(&Written { version: VERSION, tasks }).map_err(io::Error::other)?;
    let draft = beside(path, "draft");
    let mut file = File::create(&draft)?;
    file.write_all(&text)?;
    file.sync_all()?;
    drop(file);
    fs::rename(&draft, path)?;
    // The new name has to be on the disk as well.
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    if cfg!(unix) { File::open(folder)?.sync_all() } else { Ok(()) }
}

/// The file with `.extension` added to its name.
fn beside(path: &Path, extension: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".");
    name.push(extension);
    name.into()
}
