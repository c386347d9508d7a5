//! Changes of what a server offers, on their way to those who subscribed.
//!
//! A subscription holds at most one pending mark per kind and per watched URI, so it is bounded however many changes
//! there are and however slow its reader is; changes that nobody has read yet merge.

use std::collections::{BTreeMap, VecDeque};
use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use tokio::time::{Instant, Sleep};

use crate::protocol::task::TaskState;

/// Shortest time between two notifications of the same changed list to one subscriber.
const LIST_INTERVAL: Duration = Duration::from_millis(50);

/// The lists that can change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum List {
    Tools,
    Resources,
    Prompts,
}

const LISTS: [List; 3] = [List::Tools, List::Resources, List::Prompts];

/// One thing that changed.
#[derive(Clone, Debug)]
pub(crate) enum Change {
    List(List),
    Resource(Arc<str>),
    Task(Arc<TaskState>),
}

/// Which lists a subscriber wants to hear of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Lists {
    pub(crate) tools: bool,
    pub(crate) resources: bool,
    pub(crate) prompts: bool,
}

impl Lists {
    pub(crate) const ALL: Lists = Lists { tools: true, resources: true, prompts: true };

    fn contains(self, list: List) -> bool {
        match list {
            List::Tools => self.tools,
            List::Resources => self.resources,
            List::Prompts => self.prompts,
        }
    }
}

/// All subscriptions of a server.
#[derive(Default)]
pub(crate) struct Changes {
    state: Mutex<Subscribers>,
}

#[derive(Default)]
struct Subscribers {
    next: u64,
    by_key: BTreeMap<u64, Arc<Mailbox>>,
    closed: bool,
}

/// The pending changes of one subscriber.
struct Mailbox(Mutex<Pending>);

#[derive(Default)]
struct Pending {
    wanted: Lists,
    watched: BTreeMap<Arc<str>, bool>,
    lists: [bool; 3],
    updated: VecDeque<Arc<str>>,
    /// Watched tasks, each with its state where that is news.
    tasks: BTreeMap<Arc<str>, Option<Arc<TaskState>>>,
    /// The tasks that have news, in their order.
    changed: VecDeque<Arc<str>>,
    closed: bool,
    waker: Option<Waker>,
}

impl Changes {
    /// Opens a subscription. It ends when it is dropped, or when the server closes.
    pub(crate) fn subscribe(self: &Arc<Self>, wanted: Lists, uris: impl IntoIterator<Item = Arc<str>>) -> Subscription {
        let mut state = lock(&self.state);
        let watched = uris.into_iter().map(|uri| (uri, false)).collect();
        let pending = Pending { wanted, watched, closed: state.closed, ..Pending::default() };
        let mailbox = Arc::new(Mailbox(Mutex::new(pending)));
        let key = state.next;
        state.next += 1;
        state.by_key.insert(key, mailbox.clone());
        Subscription { changes: self.clone(), key, mailbox, last_sent: [None; 3], timer: None }
    }

    /// Marks a list as changed, for everybody who wants to hear of it.
    pub(crate) fn list_changed(&self, list: List) {
        self.each(|pending| {
            let news = pending.wanted.contains(list) && !pending.lists[list as usize];
            if news {
                pending.lists[list as usize] = true;
            }
            news
        });
    }

    /// Marks a resource as changed, for everybody who watches it.
    pub(crate) fn resource_updated(&self, uri: &str) {
        self.each(|pending| match pending.watched.get_key_value(uri) {
            Some((uri, false)) => {
                let uri = uri.clone();
                pending.watched.insert(uri.clone(), true);
                pending.updated.push_back(uri);
                true
            }
            _ => false,
        });
    }

    /// Hands the state of a task to everybody who watches it. Where an earlier one was not read yet, it takes its place.
    pub(crate) fn task_changed(&self, state: &Arc<TaskState>) {
        self.each(|pending| match pending.tasks.get_key_value(state.id.as_str()) {
            Some((id, known)) => {
                let (id, is_news) = (id.clone(), known.is_none());
                pending.tasks.insert(id.clone(), Some(state.clone()));
                if is_news {
                    pending.changed.push_back(id);
                }
                true
            }
            None => false,
        });
    }

    /// Ends every subscription, present and future.
    pub(crate) fn close(&self) {
        lock(&self.state).closed = true;
        self.each(|pending| {
            pending.closed = true;
            true
        });
    }

    fn each(&self, mut mark: impl FnMut(&mut Pending) -> bool) {
        let mut wakers = Vec::new();
        for mailbox in lock(&self.state).by_key.values() {
            let mut pending = lock(&mailbox.0);
            if mark(&mut pending) {
                wakers.extend(pending.waker.take());
            }
        }
        wakers.into_iter().for_each(Waker::wake);
    }
}

/// One subscriber's end.
pub(crate) struct Subscription {
    changes: Arc<Changes>,
    key: u64,
    mailbox: Arc<Mailbox>,
    last_sent: [Option<Instant>; 3],
    timer: Option<Pin<Box<Sleep>>>,
}

impl Subscription {
    /// Watches a task until it is over; false when there are `limit` already.
    pub(crate) fn watch_task(&self, id: &str, limit: usize) -> bool {
        watch_task(&self.mailbox, id, limit)
    }

    /// Takes the state of a watched task for news, unless there is a later one.
    pub(crate) fn begin_task(&self, state: Arc<TaskState>) {
        let mut pending = lock(&self.mailbox.0);
        let id: Arc<str> = state.id.as_str().into();
        if let Some(news @ None) = pending.tasks.get_mut(&id) {
            *news = Some(state);
            pending.changed.push_back(id);
        }
    }

    pub(crate) fn unwatch_task(&self, id: &str) {
        lock(&self.mailbox.0).tasks.remove(id);
    }

    /// Watches a resource.
    #[cfg(feature = "legacy")]
    pub(crate) fn watcher(&self) -> Watcher {
        Watcher(self.mailbox.clone())
    }

    /// The next change; `None` when the server closes.
    pub(crate) fn poll_change(&mut self, cx: &mut Context<'_>) -> Poll<Option<Change>> {
        let now = Instant::now();
        let mut wait = None;
        {
            let mut pending = lock(&self.mailbox.0);
            for list in LISTS {
                let due = self.last_sent[list as usize].map(|last| last + LIST_INTERVAL).filter(|due| *due > now);
                match due {
                    _ if !pending.lists[list as usize] => {}
                    None => {
                        pending.lists[list as usize] = false;
                        self.last_sent[list as usize] = Some(now);
                        return Poll::Ready(Some(Change::List(list)));
                    }
                    Some(due) => wait = Some(wait.map_or(due, |other: Instant| other.min(due))),
                }
            }
            if let Some(uri) = pending.updated.pop_front() {
                if let Some(mark) = pending.watched.get_mut(&uri) {
                    *mark = false;
                }
                return Poll::Ready(Some(Change::Resource(uri)));
            }
            while let Some(id) = pending.changed.pop_front() {
                let news = pending.tasks.get_mut(&id).and_then(Option::take);
                if let Some(state) = news {
                    if state.status.is_final() {
                        pending.tasks.remove(&id);
                    }
                    return Poll::Ready(Some(Change::Task(state)));
                }
            }
            if pending.closed {
                return Poll::Ready(None);
            }
            pending.waker = Some(cx.waker().clone());
        }
        if let Some(due) = wait {
            let timer = self.timer.insert(Box::pin(tokio::time::sleep_until(due)));
            if timer.as_mut().poll(cx).is_ready() {
                cx.waker().wake_by_ref();
            }
        }
        Poll::Pending
    }

    /// Waits for the next change; `None` when the server closes.
    pub(crate) async fn next(&mut self) -> Option<Change> {
        std::future::poll_fn(|cx| self.poll_change(cx)).await
    }
}

impl Drop for Subscription {
    fn drop(&mut self) {
        lock(&self.changes.state).by_key.remove(&self.key);
    }
}

/// Changes which resources a subscription watches.
#[cfg(feature = "legacy")]
#[derive(Clone)]
pub(crate) struct Watcher(Arc<Mailbox>);

#[cfg(feature = "legacy")]
impl Watcher {
    /// Watches a resource; false when there are `limit` already.
    pub(crate) fn watch(&self, uri: &str, limit: usize) -> bool {
        let mut pending = lock(&self.0.0);
        if pending.watched.contains_key(uri) {
            return true;
        }
        let room = pending.watched.len() < limit;
        if room {
            pending.watched.insert(uri.into(), false);
        }
        room
    }

    /// Watches a task until it is over; false when there are `limit` already.
    pub(crate) fn watch_task(&self, id: &str, limit: usize) -> bool {
        watch_task(&self.0, id, limit)
    }

    pub(crate) fn unwatch(&self, uri: &str) {
        let mut pending = lock(&self.0.0);
        pending.watched.remove(uri);
        pending.updated.retain(|other| &**other != uri);
    }
}

fn watch_task(mailbox: &Mailbox, id: &str, limit: usize) -> bool {
    let mut pending = lock(&mailbox.0);
    let room = pending.tasks.len() < limit || pending.tasks.contains_key(id);
    if room {
        pending.tasks.entry(id.into()).or_default();
    }
    room
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
