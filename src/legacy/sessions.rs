//! The sessions of one HTTP endpoint: opened by a handshake, found by their id, ended by the client or by time.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::task::{Context, Poll};
use std::time::Duration;

use bytes::Bytes;
use tokio::time::Instant;

use super::event_store::EventStore;
use super::session::Session;
use super::stream::{Stream, StreamReader};
use crate::peer::{Event, EventStream, Necessity, Outlet};
use crate::protocol::version::Feature;
use crate::server::Server;
use crate::server::changes::Subscription;

/// How the sessions of an endpoint are kept.
#[derive(Clone)]
pub(crate) struct SessionSettings {
    pub(crate) max_sessions: usize,
    pub(crate) idle_timeout: Duration,
    pub(crate) retry: Duration,
    pub(crate) event_store: Option<Arc<dyn EventStore>>,
}

/// The table.
pub(super) struct Sessions {
    server: Server,
    settings: SessionSettings,
    table: Mutex<HashMap<Arc<str>, Arc<HttpSession>>>,
    sweeping: Mutex<bool>,
}

/// A session and its streams.
pub(super) struct HttpSession {
    pub(super) id: Arc<str>,
    pub(super) session: Session,
    pub(super) principal: Option<Arc<str>>,
    server: Server,
    settings: SessionSettings,
    subscription: Mutex<Option<Subscription>>,
    /// What belongs to no request.
    pub(super) general: Arc<Stream>,
    streams: Mutex<HashMap<u64, Arc<Stream>>>,
    last_stream: AtomicU64,
    readers: AtomicUsize,
    opened: Instant,
    last_used: Mutex<Instant>,
}

impl Sessions {
    pub(super) fn new(server: &Server, settings: SessionSettings) -> Arc<Sessions> {
        let (table, sweeping) = (Mutex::default(), Mutex::new(false));
        Arc::new(Sessions { server: server.clone(), settings, table, sweeping })
    }

    /// A session under a fresh id, not in the table yet. `None` when there are too many, or no random numbers.
    pub(super) fn open(&self, principal: Option<Arc<str>>) -> Option<Arc<HttpSession>> {
        if lock(&self.table).len() >= self.settings.max_sessions {
            self.sweep();
            if lock(&self.table).len() >= self.settings.max_sessions {
                return None;
            }
        }
        let id: Arc<str> = random_id()?.into();
        let limit = self.server.options().limits.max_queued_bytes;
        let general = Stream::new(id.clone(), 0, limit, self.settings.event_store.clone(), None);
        let outlet: Weak<dyn Outlet> = Arc::downgrade(&general) as _;
        let (session, subscription) = Session::open(&self.server, Arc::default(), outlet);
        let now = Instant::now();
        Some(Arc::new(HttpSession {
            general,
            id,
            session,
            principal,
            server: self.server.clone(),
            settings: self.settings.clone(),
            subscription: Mutex::new(subscription),
            streams: Mutex::default(),
            last_stream: AtomicU64::new(0),
            readers: AtomicUsize::new(0),
            opened: now,
            last_used: Mutex::new(now),
        }))
    }

    /// Enters a session into the table; false when it has become full in the meantime.
    pub(super) fn enter(self: &Arc<Self>, session: &Arc<HttpSession>) -> bool {
        {
            let mut table = lock(&self.table);
            if table.len() >= self.settings.max_sessions {
                return false;
            }
            table.insert(session.id.clone(), session.clone());
        }
        let mut sweeping = lock(&self.sweeping);
        if !*sweeping {
            *sweeping = true;
            tokio::spawn(Sessions::keep_sweeping(Arc::downgrade(self)));
        }
        true
    }

    /// The session of this id, if it belongs to the principal.
    pub(super) fn find(&self, id: &str, principal: Option<&str>) -> Option<Arc<HttpSession>> {
        let session = lock(&self.table).get(id).cloned()?;
        let owned = session.principal.as_deref() == principal;
        owned.then(|| {
            *lock(&session.last_used) = Instant::now();
            session
        })
    }

    /// Ends a session; false when there is none of this id.
    pub(super) fn remove(&self, id: &str) -> bool {
        let session = lock(&self.table).remove(id);
        if let Some(session) = &session {
            self.end(session);
        }
        session.is_some()
    }

    /// Ends all sessions.
    pub(super) fn close(&self) {
        let sessions = std::mem::take(&mut *lock(&self.table));
        sessions.values().for_each(|session| self.end(session));
    }

    fn end(&self, session: &HttpSession) {
        session.session.close();
        session.general.finish(None);
        lock(&session.subscription).take();
        if let Some(store) = &self.settings.event_store {
            store.forget(&session.id);
        }
        self.server.options().events.transport_closed();
    }

    /// Ends the sessions that nobody uses any more.
    fn sweep(&self) {
        let mut over = Vec::new();
        lock(&self.table).retain(|_, session| {
            let keep = session.is_used();
            if !keep {
                over.push(session.clone());
            }
            keep
        });
        over.iter().for_each(|session| self.end(session));
    }

    /// Sweeps from time to time, as long as there are sessions.
    async fn keep_sweeping(sessions: Weak<Sessions>) {
        let Some(idle) = sessions.upgrade().map(|sessions| sessions.settings.idle_timeout) else { return };
        let interval = (idle / 4).clamp(Duration::from_millis(10), Duration::from_secs(10));
        loop {
            tokio::time::sleep(interval).await;
            let Some(sessions) = sessions.upgrade() else { return };
            sessions.sweep();
            let mut sweeping = lock(&sessions.sweeping);
            if lock(&sessions.table).is_empty() {
                *sweeping = false;
                return;
            }
        }
    }
}

impl HttpSession {
    /// A stream for one request.
    pub(super) fn stream(&self) -> Arc<Stream> {
        let number = self.last_stream.fetch_add(1, Ordering::Relaxed) + 1;
        let limit = self.server.options().limits.max_queued_bytes;
        let primes = self.session.version().is_some_and(|version| version.has(Feature::PrimingEvents));
        let priming = primes.then_some(self.settings.retry);
        let stream = Stream::new(self.id.clone(), number, limit, self.settings.event_store.clone(), priming);
        lock(&self.streams).insert(number, stream.clone());
        stream
    }

    /// The stream of this number, as long as its request runs; 0 is the general one.
    pub(super) fn find_stream(&self, number: u64) -> Option<Arc<Stream>> {
        if number == 0 { Some(self.general.clone()) } else { lock(&self.streams).get(&number).cloned() }
    }

    /// Ends a request's stream with its answer.
    pub(super) fn finish(&self, stream: &Stream, answer: Option<Bytes>) {
        // In this order: a client that comes back in between must find the stream, or all that was kept of it.
        stream.finish(answer);
        lock(&self.streams).remove(&stream.number());
        *lock(&self.last_used) = Instant::now();
    }

    /// What was kept of a stream that is over.
    pub(super) fn replay(&self, number: u64, after: u64) -> Option<Vec<(u64, Bytes)>> {
        self.settings.event_store.as_ref()?.replay(&self.id, number, after)
    }

    /// Counts a reader for as long as it lives. The reader of the general stream brings the changes along.
    pub(super) fn read(self: &Arc<Self>, reader: StreamReader, is_general: bool) -> SessionReader {
        self.readers.fetch_add(1, Ordering::AcqRel);
        SessionReader { session: self.clone(), reader, is_general }
    }

    fn is_used(&self) -> bool {
        let idle = lock(&self.last_used).elapsed();
        let limit = self.settings.idle_timeout;
        let handshake = self.server.options().initialization_timeout;
        if !self.session.is_initialized() && self.opened.elapsed() > handshake && idle > handshake.min(limit) {
            return self.readers.load(Ordering::Acquire) > 0 && idle <= limit;
        }
        idle <= limit || self.readers.load(Ordering::Acquire) > 0 || !lock(&self.streams).is_empty()
    }
}

/// A reader that keeps its session alive.
pub(super) struct SessionReader {
    session: Arc<HttpSession>,
    reader: StreamReader,
    is_general: bool,
}

impl EventStream for SessionReader {
    fn poll_event(&mut self, cx: &mut Context<'_>) -> Poll<Option<Event>> {
        if self.is_general && self.session.session.version().is_some() {
            let mut subscription = lock(&self.session.subscription);
            if let Some(open) = subscription.as_mut()
                && let Poll::Ready(change) = open.poll_change(cx)
            {
                match change {
                    Some(change) => {
                        self.session.general.send(Session::announce(&change), Necessity::Required);
                    }
                    None => {
                        subscription.take();
                        self.session.general.finish(None);
                    }
                }
            }
        }
        self.reader.poll_event(cx)
    }

    fn is_endless(&self) -> bool {
        self.is_general
    }
}

impl Drop for SessionReader {
    fn drop(&mut self) {
        *lock(&self.session.last_used) = Instant::now();
        self.session.readers.fetch_sub(1, Ordering::AcqRel);
    }
}

/// 128 random bits, in hexadecimal digits.
fn random_id() -> Option<String> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).ok()?;
    Some(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
