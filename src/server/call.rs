//! One request, free of its era: what dispatch takes and what it gives back.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};
use std::sync::{Mutex, PoisonError};

use tokio::sync::Notify;

use super::Server;
use super::background::TaskSlot;
use crate::error::Error;
use crate::json::{JsonWriter, Members, RawJson};
use crate::peer::Outlet;
use crate::protocol::cache::CacheHint;
use crate::protocol::capability::ClientCapabilities;
use crate::protocol::completion::CompleteResult;
use crate::protocol::id::RequestId;
use crate::protocol::identity::Implementation;
use crate::protocol::input::InputRequired;
use crate::protocol::logging::LoggingLevel;
use crate::protocol::method::Method;
use crate::protocol::prompt::GetPromptResult;
use crate::protocol::resource::ReadResourceResult;
use crate::protocol::task::TaskState;
use crate::protocol::tool::CallToolResult;
use crate::protocol::version::{Feature, ProtocolVersion};

/// A request that passed its era's gate.
#[derive(Clone)]
pub(crate) struct Call {
    pub(crate) method: Method,
    pub(crate) state: Arc<CallState>,
    pub(crate) input: Option<Arc<Input>>,
}

/// What a request and everything that runs for it share.
pub(crate) struct CallState {
    pub(crate) server: Server,
    pub(crate) id: RequestId,
    pub(crate) params: Members,
    pub(crate) client: Client,
    pub(crate) meta: Option<RawJson>,
    pub(crate) progress: Option<Progress>,
    pub(crate) log_threshold: LogThreshold,
    pub(crate) outlet: Option<Arc<dyn Outlet>>,
    pub(crate) cancel: Cancel,
    pub(crate) task: TaskSlot,
    /// Set when the answer is decided: nothing that belongs to the request may be sent any more.
    pub(crate) finished: AtomicBool,
}

/// Who asks.
#[derive(Clone)]
pub(crate) struct Client {
    pub(crate) version: ProtocolVersion,
    pub(crate) info: Option<RawJson>,
    pub(crate) capabilities: RawJson,
    pub(crate) principal: Option<Arc<str>>,
    /// What tells its session from others, where it has one.
    pub(crate) session: Option<Arc<str>>,
}

impl Client {
    pub(crate) fn implementation(&self) -> Option<Implementation> {
        self.info.as_ref()?.deserialize().ok()
    }

    pub(crate) fn capabilities(&self) -> ClientCapabilities {
        self.capabilities.deserialize().unwrap_or_default()
    }
}

/// The token that the client chose for progress notifications, and the last value sent under it.
pub(crate) struct Progress {
    pub(crate) token: RawJson,
    last: Mutex<f64>,
}

impl Progress {
    pub(crate) fn new(token: RawJson) -> Progress {
        Progress { token, last: Mutex::new(f64::NEG_INFINITY) }
    }

    /// Whether `value` may be sent: each must be greater than the one before.
    pub(crate) fn advance(&self, value: f64) -> bool {
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        let advances = value > *last;
        if advances {
            *last = value;
        }
        advances
    }
}

/// The least severe log message that the client wants.
#[derive(Clone)]
pub(crate) enum LogThreshold {
    /// None at all.
    Off,
    /// For this request.
    Request(LoggingLevel),
    /// Whatever the session's level is at the time.
    Session(Arc<SessionLogLevel>),
}

/// The log level of a session, changed by the client at any time.
pub(crate) struct SessionLogLevel(AtomicU8);

impl Default for SessionLogLevel {
    /// What a client receives that never asked for a level.
    fn default() -> SessionLogLevel {
        SessionLogLevel(AtomicU8::new(LoggingLevel::Info as u8))
    }
}

impl SessionLogLevel {
    pub(crate) fn set(&self, level: LoggingLevel) {
        self.0.store(level as u8, Ordering::Relaxed);
    }

    pub(crate) fn get(&self) -> LoggingLevel {
        LoggingLevel::ALL[usize::from(self.0.load(Ordering::Relaxed)).min(LoggingLevel::ALL.len() - 1)]
    }
}

impl LogThreshold {
    pub(crate) fn level(&self) -> Option<LoggingLevel> {
        match self {
            LogThreshold::Off => None,
            LogThreshold::Request(level) => Some(*level),
            LogThreshold::Session(level) => Some(level.get()),
        }
    }
}

/// A flag that is raised once, and can be waited for.
#[derive(Default)]
pub(crate) struct Cancel {
    raised: AtomicBool,
    /// Nobody wants the answer any more.
    abandoned: AtomicBool,
    notify: Notify,
}

impl Cancel {
    pub(crate) fn raise(&self) {
        self.raised.store(true, Ordering::Release);
        self.notify.notify_waiters();
    }

    /// Raises the flag because the client gave up: whatever comes of the request, it is not answered.
    pub(crate) fn abandon(&self) {
        self.abandoned.store(true, Ordering::Release);
        self.raise();
    }

    pub(crate) fn is_abandoned(&self) -> bool {
        self.abandoned.load(Ordering::Acquire)
    }

    pub(crate) fn is_raised(&self) -> bool {
        self.raised.load(Ordering::Acquire)
    }

    pub(crate) async fn wait(&self) {
        loop {
            let notified = self.notify.notified();
            if self.is_raised() {
                return;
            }
            notified.await;
        }
    }
}

/// What the client brought along on a retry.
#[derive(Default)]
pub(crate) struct Input {
    /// Answers of this round, by key.
    pub(crate) responses: Vec<(String, RawJson)>,
    /// Answers of earlier rounds to `Context::ask`.
    pub(crate) carried: Vec<(String, RawJson)>,
    /// The handler's own state, verified.
    pub(crate) state: Option<String>,
    /// Keys that `Context::ask` found answered in this round.
    pub(crate) consumed: Mutex<Vec<String>>,
}

impl Input {
    pub(crate) fn answer(&self, key: &str) -> Option<&RawJson> {
        let carried = self.carried.iter().find(|(name, _)| name == key);
        if let Some((_, answer)) = carried {
            return Some(answer);
        }
        let (_, answer) = self.responses.iter().find(|(name, _)| name == key)?;
        self.consumed.lock().unwrap_or_else(PoisonError::into_inner).push(key.to_owned());
        Some(answer)
    }

    /// The answers that a further round must not lose.
    pub(crate) fn kept(&self) -> Vec<(String, RawJson)> {
        let consumed = self.consumed.lock().unwrap_or_else(PoisonError::into_inner);
        let fresh = self.responses.iter().filter(|(name, _)| consumed.contains(name));
        self.carried.iter().chain(fresh).cloned().collect()
    }
}

/// The end of a request.
pub(crate) type Outcome = Result<Reply, Error>;

/// A result, before it is written for a revision.
pub(crate) enum Reply {
    Tool(CallToolResult),
    Resource(ReadResourceResult),
    Prompt(GetPromptResult),
    Completion(CompleteResult),
    /// The members of a list result, written already.
    Page(bytes::Bytes),
    InputRequired(InputRequired),
    /// The handle of a task that was made.
    TaskHandle(Box<TaskState>),
    /// A task with what belongs to its status.
    Task(Box<TaskState>),
    /// A result object, written already; `_meta` belongs to it.
    Written {
        members: RawJson,
        meta: Option<RawJson>,
    },
    /// Nothing but that it was done.
    Done,
}

impl Reply {
    /// Whether the result is the handle of a task in place of the result that was asked for.
    pub(crate) fn is_handle(&self) -> bool {
        matches!(self, Reply::TaskHandle(_))
    }

    /// Writes the members that belong to the method's result.
    pub(crate) fn write_members(&self, w: &mut JsonWriter, version: ProtocolVersion) {
        match self {
            Reply::Tool(result) => result.write_members(w, version),
            Reply::Resource(result) => result.write_members(w, version),
            Reply::Prompt(result) => result.write_members(w, version),
            Reply::Completion(result) => result.write_members(w),
            Reply::Page(members) => w.verbatim(members),
            Reply::TaskHandle(task) if version.has(Feature::TaskHandles) => task.write_members(w, version),
            Reply::TaskHandle(task) => {
                w.key("task");
                w.begin_object();
                task.write_members(w, version);
                w.end_object();
            }
            Reply::Task(task) => task.write_detailed(w, version),
            Reply::Written { members, .. } => w.verbatim(inner(members)),
            Reply::InputRequired(_) | Reply::Done => {}
        }
    }

    /// `_meta` of the result.
    pub(crate) fn meta(&self) -> Option<&RawJson> {
        match self {
            Reply::Tool(result) => result.meta.as_ref(),
            Reply::Resource(result) => result.meta.as_ref(),
            Reply::Prompt(result) => result.meta.as_ref(),
            Reply::Written { meta, .. } => meta.as_ref(),
            _ => None,
        }
    }

    /// A cache hint of the result's own.
    pub(crate) fn cache(&self) -> Option<CacheHint> {
        match self {
            Reply::Resource(result) => result.cache,
            _ => None,
        }
    }

    /// About how many bytes the result takes.
    pub(crate) fn size_hint(&self) -> usize {
        match self {
            Reply::Tool(result) => result.size_hint(),
            Reply::Page(members) => members.len(),
            Reply::Written { members, .. } => members.as_bytes().len(),
            _ => 512,
        }
    }
}

/// What stands between the braces of an object.
pub(crate) fn inner(object: &RawJson) -> &[u8] {
    match object.as_bytes() {
        [b'{', members @ .., b'}'] => members.trim_ascii(),
        _ => &[],
    }
}
