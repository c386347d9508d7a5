//! Calls that go on in the background: what the server knows of tasks. The plug-in `tasks` does the rest.

use std::future::Future;
use std::pin::{Pin, pin};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError, Weak};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use tokio::sync::Notify;

use super::Server;
use super::call::{Call, Client, Outcome};
use crate::error::{Error, code};
use crate::protocol::task::{self, TaskState};

/// A boxed future.
pub(crate) type Serving<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// What runs calls in the background and keeps what becomes of them.
pub(crate) trait Background: Send + Sync {
    /// Begins its upkeep, once; later calls cost next to nothing.
    fn start(&self, server: &Server);

    /// Makes a call a task. The outcome is its handle: by then the task is as durable as it will be.
    fn launch(&self, launch: Launch) -> Serving<'static, Outcome>;

    /// Serves a request about tasks.
    fn serve<'a>(&'a self, call: &'a Call) -> Serving<'a, Outcome>;

    /// Tells those who watch a task of its state.
    fn announce(&self, id: &str);

    /// The tasks of these ids that belong to the client.
    fn look_up(&self, ids: Vec<String>, client: &Client) -> Serving<'static, Vec<Arc<TaskState>>>;
}

/// A call that becomes a task.
pub(crate) struct Launch {
    pub(crate) call: Call,
    /// How long the client wants the task to be kept, in milliseconds.
    pub(crate) ttl: Option<u64>,
    /// The run of the tool, where it has begun.
    pub(crate) begun: Option<Serving<'static, Outcome>>,
}

/// Whether a request may be answered with the handle of a task.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TaskTerms {
    /// The client did not declare that it knows tasks, or there are none.
    Unavailable,
    /// The server decides.
    Accepted,
    /// The client could have asked for a task and did not.
    Declined,
    /// The client asks for a task, to be kept for so many milliseconds.
    Asked { ttl: Option<u64> },
}

impl TaskTerms {
    /// Why a call with these terms can't be a task.
    pub(crate) fn refusal(self, tool: &str) -> Error {
        match self {
            TaskTerms::Unavailable => Error::missing_capability(task::REQUIRED),
            TaskTerms::Declined => Error::new(
                code::METHOD_NOT_FOUND,
                format!("The tool \"{tool}\" runs as a task only: give \"params.task\""),
            ),
            TaskTerms::Accepted | TaskTerms::Asked { .. } => {
                Error::internal("The call can't become a task: the tool was not registered as one that decides")
            }
        }
    }
}

/// The link from a call to the task that it is, or may become.
pub(crate) struct TaskSlot {
    pub(crate) terms: TaskTerms,
    link: OnceLock<Arc<TaskLink>>,
    /// Whether somebody waits for the handler's wish.
    offered: AtomicBool,
    wished: Notify,
    refused: Mutex<Option<Error>>,
    settled: Notify,
}

impl TaskSlot {
    pub(crate) fn new(terms: TaskTerms) -> TaskSlot {
        TaskSlot {
            terms,
            link: OnceLock::new(),
            offered: AtomicBool::new(false),
            wished: Notify::new(),
            refused: Mutex::new(None),
            settled: Notify::new(),
        }
    }

    /// A slot that is filled already.
    pub(crate) fn of(link: Arc<TaskLink>) -> TaskSlot {
        TaskSlot { link: link.into(), ..TaskSlot::new(TaskTerms::Accepted) }
    }

    pub(crate) fn link(&self) -> Option<&Arc<TaskLink>> {
        self.link.get()
    }

    /// From here on the handler's wish is heard.
    pub(crate) fn offer(&self) {
        self.offered.store(true, Ordering::Release);
    }

    /// Returns when the handler wants to be a task.
    pub(crate) async fn wished(&self) {
        self.wished.notified().await;
    }

    /// The call is a task.
    pub(crate) fn fill(&self, link: Arc<TaskLink>) {
        // A slot is filled once: what is there already stays.
        let _ = self.link.set(link);
        self.settled.notify_waiters();
    }

    /// The call can't be a task.
    pub(crate) fn refuse(&self, error: Error) {
        *self.refused.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
        self.settled.notify_waiters();
    }

    /// The handler's wish. Returns when the call is a task.
    ///
    /// # Errors
    /// It can't be one.
    pub(crate) async fn wish(&self, tool: &str) -> Result<(), Error> {
        if self.link.get().is_none() && !self.offered.load(Ordering::Acquire) {
            return Err(self.terms.refusal(tool));
        }
        loop {
            let mut settled = pin!(self.settled.notified());
            settled.as_mut().enable();
            if self.link.get().is_some() {
                return Ok(());
            }
            if let Some(error) = self.refused.lock().unwrap_or_else(PoisonError::into_inner).clone() {
                return Err(error);
            }
            self.wished.notify_one();
            settled.await;
        }
    }
}

/// A running task as its handler reaches it.
pub(crate) struct TaskLink {
    pub(crate) id: Arc<str>,
    note: Mutex<Option<Note>>,
    over: AtomicBool,
    /// Called after each change of the note.
    tell: Box<dyn Fn(&TaskLink) + Send + Sync>,
}

/// What a handler says of its progress.
#[derive(Clone, Debug)]
pub(crate) struct Note {
    pub(crate) text: String,
    pub(crate) at: u64,
}

impl TaskLink {
    pub(crate) fn new(id: Arc<str>, tell: impl Fn(&TaskLink) + Send + Sync + 'static) -> TaskLink {
        TaskLink { id, note: Mutex::new(None), over: AtomicBool::new(false), tell: Box::new(tell) }
    }

    pub(crate) fn note(&self) -> Option<Note> {
        self.note.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The run has ended: nothing is said of it any more.
    pub(crate) fn end(&self) {
        self.over.store(true, Ordering::Release);
    }

    pub(crate) fn is_over(&self) -> bool {
        self.over.load(Ordering::Acquire)
    }

    pub(crate) fn set_note(&self, text: String) {
        *self.note.lock().unwrap_or_else(PoisonError::into_inner) = Some(Note { text, at: now_millis() });
        (self.tell)(self);
    }
}

impl Server {
    /// Tells the clients that watch this task of its state. Changes of tasks are told by themselves; this is for hosts that
    /// change a store of their own.
    pub fn notify_task(&self, id: &str) {
        if let Some(tasks) = self.tasks() {
            tasks.announce(id);
        }
    }

    /// What runs calls in the background, where there is such.
    pub(crate) fn tasks(&self) -> Option<&Arc<dyn Background>> {
        self.0.options.tasks.as_ref()
    }

    /// Lets what runs in the background begin, on a runtime.
    pub(crate) fn start_background(&self) {
        if let Some(tasks) = self.tasks() {
            tasks.start(self);
        }
    }

    /// The server for those who must not keep it alive.
    pub(crate) fn downgrade(&self) -> WeakServer {
        WeakServer(Arc::downgrade(&self.0))
    }
}

/// A server that may be gone.
#[derive(Clone)]
pub(crate) struct WeakServer(Weak<super::Inner>);

impl WeakServer {
    pub(crate) fn upgrade(&self) -> Option<Server> {
        self.0.upgrade().map(Server)
    }
}

/// Milliseconds since 1970.
pub(crate) fn now_millis() -> u64 {
    millis(SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default())
}

pub(crate) fn millis(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}
