//! Where everything lies that a server sent, until a test takes it.

use std::collections::HashMap;
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
    closed: bool,
}

impl Mailbox {
    pub(super) fn new(who: String, version: ProtocolVersion) -> Mailbox {
        let state = State {
            messages: Vec::new(),
            requests: HashMap::new(),
            spoken: vec![version],
            violations: Vec::new(),
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
            let id = if value.is_array() { id.to_string() } else { std::str::from_utf8(wire).ok().and_then(raw_id).unwrap() };
            state.requests.entry(id).or_default().push((method.to_owned(), version));
        }
    }

    /// Takes what arrived: one message, or a batch.
    pub(super) fn push(&self, wire: &str, status: Option<u16>, stream: u64) -> Vec<Received> {
        let mut state = self.lock();
        let pushed = match serde_json::from_str::<Value>(wire) {
            Err(error) => {
                state.violations.push(format!("the server sent what is not JSON ({error}): {wire:?}"));
                Vec::new()
            }
            Ok(Value::Array(messages)) => messages.into_iter().map(|value| (value.to_string(), value)).collect(),
            Ok(value) => vec![(wire.to_owned(), value)],
        };
        let pushed: Vec<Received> = pushed
            .into_iter()
            .map(|(wire, value)| Received { wire, value, status, stream, taken: false })
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

    /// Says what went wrong outside of the messages themselves.
    pub(super) fn violation(&self, text: String) {
        self.lock().violations.push(text);
        self.news.notify_waiters();
    }

    /// Waits for a message and takes it.
    pub(super) async fn take(&self, what: &str, wanted: impl Fn(&Received) -> bool) -> Received {
        match self.take_or_end(what, wanted).await {
            Some(received) => received,
            None => panic!("{}: the connection ended while waiting for {what}\n{}", self.who, self.dump()),
        }
    }

    /// Waits for a message and takes it; `None` when the connection ends before.
    pub(super) async fn take_or_end(&self, what: &str, wanted: impl Fn(&Received) -> bool) -> Option<Received> {
        let deadline = Instant::now() + PATIENCE;
        loop {
            let news = self.news.notified();
            tokio::pin!(news);
            news.as_mut().enable();
            if let Some(received) = self.try_take(&wanted) {
                return Some(received);
            }
            self.check();
            if self.lock().closed {
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
        assert!(self.take_or_end("the end of the connection", never).await.is_none());
    }

    /// The answer to `initialize` names the revision that is spoken from here on.
    pub(super) fn set_version(&self, version: ProtocolVersion) {
        self.lock().spoken[0] = version;
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
