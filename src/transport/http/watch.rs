//! What wakes an idle connection: a deadline that has passed, or the end of the listener.
//!
//! Deadlines are looked at a few times in their span, by one task for all connections. A connection that is busy pays
//! for them with a store, where a timer of the runtime would cost it a lock and often a wake-up.

use std::collections::HashMap;
use std::future::Future;
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use futures_util::task::AtomicWaker;
use hyper::rt::{Sleep, Timer};

const NEVER: u64 = u64::MAX;

/// All connections of one listener.
pub(super) struct Watches {
    start: Instant,
    /// Milliseconds since the start, as of the last look.
    now: AtomicU64,
    open: Mutex<HashMap<u64, Arc<Watch>>>,
    last_key: AtomicU64,
}

/// One connection.
pub(super) struct Watch {
    all: Arc<Watches>,
    key: u64,
    deadline: AtomicU64,
    ending: AtomicBool,
    waker: AtomicWaker,
}

impl Watches {
    /// Looks at the deadlines several times in `span`. Must be called within a tokio runtime.
    pub(super) fn start(span: Duration) -> Arc<Watches> {
        let watches = Arc::new(Watches {
            start: Instant::now(),
            now: AtomicU64::new(0),
            open: Mutex::default(),
            last_key: AtomicU64::new(0),
        });
        let interval = (span / 8).clamp(Duration::from_millis(5), Duration::from_secs(1));
        tokio::spawn(Watches::keep_looking(Arc::downgrade(&watches), interval));
        watches
    }

    async fn keep_looking(watches: Weak<Watches>, interval: Duration) {
        loop {
            tokio::time::sleep(interval).await;
            let Some(watches) = watches.upgrade() else { return };
            let now = watches.milliseconds(Instant::now());
            watches.now.store(now, Ordering::Release);
            for watch in watches.lock().values() {
                if watch.deadline.load(Ordering::Acquire) <= now {
                    watch.deadline.store(NEVER, Ordering::Release);
                    watch.waker.wake();
                }
            }
        }
    }

    /// Watches a connection until the returned guard is dropped.
    pub(super) fn open(self: &Arc<Self>) -> Open {
        let key = self.last_key.fetch_add(1, Ordering::Relaxed);
        let watch = Arc::new(Watch {
            all: self.clone(),
            key,
            deadline: AtomicU64::new(NEVER),
            ending: AtomicBool::new(false),
            waker: AtomicWaker::new(),
        });
        self.lock().insert(key, watch.clone());
        Open(watch)
    }

    /// Tells all connections to end.
    pub(super) fn end(&self) {
        for watch in self.lock().values() {
            watch.ending.store(true, Ordering::Release);
            watch.waker.wake();
        }
    }

    fn milliseconds(&self, time: Instant) -> u64 {
        u64::try_from(time.saturating_duration_since(self.start).as_millis()).unwrap_or(NEVER - 1)
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<u64, Arc<Watch>>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A connection that is being watched.
pub(super) struct Open(Arc<Watch>);

impl Open {
    /// A timer for the connection's own protocol.
    pub(super) fn timer(&self) -> impl Timer + Send + Sync + use<> {
        ConnectionTimer(self.0.clone())
    }

    /// Whether the connection is to end; the task of `cx` is woken when it is, and when a deadline has passed.
    pub(super) fn is_ending(&self, cx: &mut Context<'_>) -> bool {
        self.0.waker.register(cx.waker());
        self.0.ending.load(Ordering::Acquire)
    }
}

impl Drop for Open {
    fn drop(&mut self) {
        self.0.all.lock().remove(&self.0.key);
    }
}

struct ConnectionTimer(Arc<Watch>);

impl Timer for ConnectionTimer {
    fn sleep(&self, duration: Duration) -> Pin<Box<dyn Sleep>> {
        self.sleep_until(self.now() + duration)
    }

    fn now(&self) -> Instant {
        let all = &self.0.all;
        all.start + Duration::from_millis(all.now.load(Ordering::Acquire))
    }

    fn sleep_until(&self, deadline: Instant) -> Pin<Box<dyn Sleep>> {
        Box::pin(Deadline { watch: self.0.clone(), at: self.0.all.milliseconds(deadline) })
    }
}

struct Deadline {
    watch: Arc<Watch>,
    at: u64,
}

impl Future for Deadline {
    type Output = ();

    fn poll(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<()> {
        if self.watch.all.now.load(Ordering::Acquire) >= self.at {
            return Poll::Ready(());
        }
        // The connection's task is known already: it is the one that polls everything of it.
        self.watch.deadline.store(self.at, Ordering::Release);
        Poll::Pending
    }
}

impl Sleep for Deadline {}
