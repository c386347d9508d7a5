//! Where everything lies that a server sent, until a test takes it.

use std::collections::{HashMap, HashSet};
use std::sync::{Mutex, MutexGuard, PoisonError};

use mcp::ProtocolVersion;
use serde_json::Value;
use tokio::sync::Notify;
use tokio::time::{Instant, timeout_at};

use super::reply::raw_id;
use super::{PATIENCE, meta, schema};

/// One message that arrived.
#[derive(Clone, Debug)]
pub(crate) struct Received {
    /// The message as it was on the wire.
    pub(crate) wire: String,
    pub(crate) value: Value,
    /// The status of HTTP, on such legs.
    pub(crate) status: Option<u16>,
    /// Which stream it came on: 0 for the connection itself or the GET stream, else the number of the POST.
    pub(crate) stream: u64,
    /// Which of the frames, in the order of arrival; the messages of a batch share one.
    pub(crate) frame: usize,
    /// Whether the frame was an array.
    pub(crate) is_batch: bool,
    taken: bool,
}

impl Received {
    pub(crate) fn method(&self) -> Option<&str> {
        self.value.get("method").and_then(Value::as_str)
    }

    pub(crate) fn raw_id(&self) -> Option<String> {
        raw_id(&self.wire)
    }

    pub(crate) fn is_response(&self) -> bool {
        self.method().is_none()
    }

    pub(crate) fn params(&self) -> &Value {
        &self.value["params"]
    }
}

/// The messages of one client.
pub(super) struct Mailbox {
    who: String,
    state: Mutex<State>,
    news: Notify,
}

struct State {
    messages: Vec<Received>,
    /// What was requested under each id, and in which revision.
    requests: HashMap<String, Vec<(String, ProtocolVersion)>>,
    /// The revisions that are spoken on this connection.
    spoken: Vec<ProtocolVersion>,
    violations: Vec<String>,
    /// The statuses of the responses of HTTP, by stream.
    statuses: HashMap<u64, u16>,
    /// Streams on which nothing more will come.
    finished: HashSet<u64>,
    closed: bool,
}

impl Mailbox {
    pub(super) fn new(who: String, version: ProtocolVersion) -> Mailbox {
        let state = State {
            messages: Vec::new(),
            requests: HashMap::new(),
            spoken: vec![version],
            violations: Vec::new(),
            statuses: HashMap::new(),
            finished: HashSet::new(),
            closed: false,
        };
        Mailbox { who, state: Mutex::new(state), news: Notify::new() }
    }

    /// Remembers what is being sent, so that the answer can be judged.
    pub(super) fn note_sent(&self, wire: &[u8]) {
        let Ok(value) = serde_json::from_slice::<Value>(wire) else { return };
        let messages = match &value {
            Value::Array(messages) => messages.clone(),
            _ => vec![value.clone()],
        };
        let mut state = self.lock();
        for message in messages {
            let (Some(method), Some(id)) = (message["method"].as_str(), message.get("id")) else { continue };
            let named = message["params"]["_meta"][meta::VERSION].as_str().and_then(|text| text.parse().ok());
            let version = named.unwrap_or(state.spoken[0]);
            if named.is_some() && !state.spoken.contains(&version) {
                state.spoken.push(version);
            }
            let raw =
                if value.is_array() { Some(id.to_string()) } else { std::str::from_utf8(wire).ok().and_then(raw_id) };
            let Some(id) = raw else { continue };
            state.requests.entry(id).or_default().push((method.to_owned(), version));
        }
    }

    /// Takes what arrived: one message, or a batch.
    pub(super) fn push(&self, wire: &str, status: Option<u16>, stream: u64) -> Vec<Received> {
        let mut state = self.lock();
        let frame = state.messages.last().map_or(0, |last| last.frame + 1);
        let parsed = serde_json::from_str::<Value>(wire);
        let is_batch = matches!(parsed, Ok(Value::Array(_)));
        let pushed = match parsed {
            Err(error) => {
                state.violations.push(format!("the server sent what is not JSON ({error}): {wire:?}"));
                Vec::new()
            }
            Ok(Value::Array(messages)) => messages.into_iter().map(|value| (value.to_string(), value)).collect(),
            Ok(value) => vec![(wire.to_owned(), value)],
        };
        let pushed: Vec<Received> = pushed
            .into_iter()
            .map(|(wire, value)| Received { wire, value, status, stream, frame, is_batch, taken: false })
            .collect();
        for received in &pushed {
            if let Err(problem) = state.judge(received) {
                state.violations.push(format!("{problem}\n  in {}", received.wire));
            }
        }
        state.messages.extend(pushed.iter().cloned());
        drop(state);
        self.news.notify_waiters();
        pushed
    }

    pub(super) fn close(&self) {
        self.lock().closed = true;
        self.news.notify_waiters();
    }

    /// Nothing more will come on this stream.
    pub(super) fn finish(&self, stream: u64) {
        self.lock().finished.insert(stream);
        self.news.notify_waiters();
    }

    pub(super) fn set_status(&self, stream: u64, status: u16) {
        self.lock().statuses.insert(stream, status);
    }

    pub(super) fn status(&self, stream: u64) -> Option<u16> {
        self.lock().statuses.get(&stream).copied()
    }

    /// Says what went wrong outside of the messages themselves.
    pub(super) fn violation(&self, text: String) {
        self.lock().violations.push(text);
        self.news.notify_waiters();
    }

    /// Waits for a message and takes it.
    pub(super) async fn take(&self, what: &str, wanted: impl Fn(&Received) -> bool) -> Received {
        match self.take_until(what, None, wanted).await {
            Some(received) => received,
            None => panic!("{}: the connection ended while waiting for {what}\n{}", self.who, self.dump()),
        }
    }

    /// Waits for a message and takes it; `None` when the connection, or the stream, ends before.
    pub(super) async fn take_until(
        &self,
        what: &str,
        stream: Option<u64>,
        wanted: impl Fn(&Received) -> bool,
    ) -> Option<Received> {
        let deadline = Instant::now() + PATIENCE;
        loop {
            let news = self.news.notified();
            tokio::pin!(news);
            news.as_mut().enable();
            if let Some(received) = self.try_take(&wanted) {
                return Some(received);
            }
            self.check();
            let over = {
                let state = self.lock();
                state.closed || stream.is_some_and(|stream| state.finished.contains(&stream))
            };
            if over {
                return None;
            }
            if timeout_at(deadline, news).await.is_err() {
                panic!("{}: waited for {what} in vain\n{}", self.who, self.dump());
            }
        }
    }

    /// Takes the first message of the kind that lies here.
    pub(super) fn try_take(&self, wanted: impl Fn(&Received) -> bool) -> Option<Received> {
        let mut state = self.lock();
        let found = state.messages.iter_mut().find(|message| !message.taken && wanted(message))?;
        found.taken = true;
        Some(found.clone())
    }

    /// Everything that arrived so far, in order, taken or not.
    pub(super) fn history(&self) -> Vec<Received> {
        self.lock().messages.clone()
    }

    /// Waits for the end of the connection.
    pub(super) async fn ended(&self) {
        let never = |_: &Received| false;
        assert!(self.take_until("the end of the connection", None, never).await.is_none());
    }

    /// Fails when a message broke the schema.
    pub(super) fn check(&self) {
        let violations = std::mem::take(&mut self.lock().violations);
        assert!(violations.is_empty(), "{}: {}", self.who, violations.join("\n"));
    }

    fn dump(&self) -> String {
        let state = self.lock();
        let line = |message: &Received| {
            let cut: String = message.wire.chars().take(400).collect();
            format!("  {} {cut}", if message.taken { "taken  " } else { "waiting" })
        };
        state.messages.iter().map(line).collect::<Vec<_>>().join("\n")
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    /// Checks a message against the schema of the revision that it belongs to.
    fn judge(&mut self, received: &Received) -> Result<(), String> {
        let value = &received.value;
        let any = |versions: &[ProtocolVersion], check: &dyn Fn(ProtocolVersion) -> Result<(), String>| {
            let mut last = Ok(());
            for version in versions {
                last = check(*version);
                if last.is_ok() {
                    break;
                }
            }
            last
        };
        match (received.method(), received.raw_id()) {
            (Some(method), None) => any(&self.spoken, &|version| schema::notification(version, method, value)),
            (Some(method), Some(_)) => any(&self.spoken, &|version| schema::request(version, method, value)),
            (None, id) => {
                let asked = id.as_ref().and_then(|id| self.requests.get(id)).cloned();
                let Some(asked) = asked else {
                    // HTTP has errors without an id in every revision, and a batch has no other way to name a bad member.
                    let batches = self.spoken[0] == ProtocolVersion::V2025_03_26;
                    if id.is_none() && (received.status.is_some() || batches) {
                        return schema::error(ProtocolVersion::V2025_11_25, value);
                    }
                    return any(&self.spoken, &|version| schema::error(version, value));
                };
                if let Some(version) = negotiated(&asked, value) {
                    self.spoken[0] = version;
                }
                let mut last = Ok(());
                for (method, version) in &asked {
                    let version = if version.era() == mcp::Era::Legacy { self.spoken[0] } else { *version };
                    last = schema::response(version, method, value);
                    if last.is_ok() {
                        break;
                    }
                }
                last
            }
        }
    }
}

fn negotiated(asked: &[(String, ProtocolVersion)], value: &Value) -> Option<ProtocolVersion> {
    asked.iter().find(|(method, _)| method == "initialize")?;
    value["result"]["protocolVersion"].as_str()?.parse().ok()
}
