//! Events of legacy sessions, kept for clients that come back after a broken connection.

use std::collections::{HashMap, VecDeque};
use std::sync::{Mutex, MutexGuard, PoisonError};

use bytes::Bytes;

/// Keeps events, so that a client can resume a stream with `Last-Event-ID` (revisions 2025-03-26 to 2025-11-25).
///
/// All methods are called on the runtime, and must not block for long. What a store has forgotten can't be resumed; it
/// may forget anything at any time to keep within its bounds.
pub trait EventStore: Send + Sync + 'static {
    /// Keeps an event of a stream; returns its number in the stream: one more than the one before, from 0. The first
    /// event of a stream may be empty.
    fn append(&self, session: &str, stream: u64, event: &Bytes) -> u64;

    /// The events of a stream after the one with this number, oldest first, with their numbers. `None` when the store
    /// does not know that event.
    fn replay(&self, session: &str, stream: u64, after: u64) -> Option<Vec<(u64, Bytes)>>;

    /// Forgets a session that has ended.
    fn forget(&self, session: &str);
}

/// Keeps the newest events of each session in memory. What a client missed and the store has forgotten is skipped when a
/// stream is resumed; answers are the newest events of their streams, so they are forgotten last.
pub struct MemoryEventStore {
    max_events: usize,
    max_bytes: usize,
    sessions: Mutex<HashMap<String, Log>>,
}

#[derive(Default)]
struct Log {
    events: VecDeque<Kept>,
    bytes: usize,
    /// By stream: how many events it had, and how many of them are kept.
    streams: HashMap<u64, (u64, usize)>,
}

struct Kept {
    stream: u64,
    number: u64,
    text: Bytes,
}

impl Default for MemoryEventStore {
    /// 1,024 events and 1 MiB for each session.
    fn default() -> MemoryEventStore {
        MemoryEventStore::new(1024, 1 << 20)
    }
}

impl MemoryEventStore {
    /// A store that keeps at most so many events and bytes for each session, and at least the newest event.
    pub fn new(max_events: usize, max_bytes: usize) -> MemoryEventStore {
        MemoryEventStore { max_events, max_bytes, sessions: Mutex::default() }
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<String, Log>> {
        self.sessions.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl EventStore for MemoryEventStore {
    fn append(&self, session: &str, stream: u64, event: &Bytes) -> u64 {
        let mut sessions = self.lock();
        let log = sessions.entry(session.to_owned()).or_default();
        let (count, kept) = log.streams.entry(stream).or_default();
        let number = *count;
        *count += 1;
        *kept += 1;
        log.bytes += event.len();
        log.events.push_back(Kept { stream, number, text: event.clone() });
        while log.events.len() > 1 && (log.events.len() > self.max_events || log.bytes > self.max_bytes) {
            log.forget_oldest();
        }
        number
    }

    fn replay(&self, session: &str, stream: u64, after: u64) -> Option<Vec<(u64, Bytes)>> {
        let sessions = self.lock();
        let log = sessions.get(session)?;
        let (count, _) = log.streams.get(&stream)?;
        if after >= *count {
            return None;
        }
        let missed = log.events.iter().filter(|kept| kept.stream == stream && kept.number > after);
        Some(missed.map(|kept| (kept.number, kept.text.clone())).collect())
    }

    fn forget(&self, session: &str) {
        self.lock().remove(session);
    }
}

impl Log {
    fn forget_oldest(&mut self) {
        let Some(oldest) = self.events.pop_front() else { return };
        self.bytes -= oldest.text.len();
        if let Some((_, kept)) = self.streams.get_mut(&oldest.stream) {
            *kept -= 1;
            if *kept == 0 {
                self.streams.remove(&oldest.stream);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(events: Option<Vec<(u64, Bytes)>>) -> Option<Vec<(u64, String)>> {
        let text = |(number, text): (u64, Bytes)| (number, String::from_utf8(text.to_vec()).unwrap());
        Some(events?.into_iter().map(text).collect())
    }

    #[test]
    fn a_stream_is_replayed_after_a_known_event_and_never_another_stream_or_session() {
        let store = MemoryEventStore::default();
        for (session, stream, text) in [("s", 1, "a"), ("s", 2, "b"), ("s", 1, "c"), ("t", 1, "d"), ("s", 1, "e")] {
            store.append(session, stream, &Bytes::from(text));
        }
        assert_eq!(texts(store.replay("s", 1, 0)), Some(vec![(1, "c".into()), (2, "e".into())]));
        assert_eq!(texts(store.replay("s", 1, 2)), Some(vec![]));
        assert_eq!(texts(store.replay("s", 1, 3)), None);
        assert_eq!(texts(store.replay("s", 3, 0)), None);
        assert_eq!(texts(store.replay("u", 1, 0)), None);
        store.forget("s");
        assert_eq!(texts(store.replay("s", 1, 0)), None);
    }

    #[test]
    fn the_oldest_events_are_forgotten_at_the_bound() {
        let store = MemoryEventStore::new(3, 1000);
        for n in 0..10 {
            store.append("s", n % 2, &Bytes::from(n.to_string()));
        }
        assert_eq!(texts(store.replay("s", 0, 0)), Some(vec![(4, "8".into())]));
        assert_eq!(texts(store.replay("s", 1, 0)), Some(vec![(3, "7".into()), (4, "9".into())]));
    }
}
