//! Handlers that stand still until a test lets them go.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use tokio::sync::watch;

use super::within;

/// The gates of a fixture, by name. The tool `gate` passes one.
#[derive(Clone, Default)]
pub(crate) struct Gates(Arc<Mutex<HashMap<String, watch::Sender<Gate>>>>);

#[derive(Clone, Copy, Debug, Default)]
struct Gate {
    started: usize,
    open: bool,
    passed: usize,
    cancelled: usize,
}

impl Gates {
    /// Returns when as many handlers as `count` have come to the gate, in all.
    pub(crate) async fn started_times(&self, name: &str, count: usize) {
        self.wait(name, "a handler to start", |gate| gate.started >= count).await;
    }

    /// Returns when a handler has come to the gate.
    pub(crate) async fn started(&self, name: &str) {
        self.started_times(name, 1).await;
    }

    /// Returns when a handler at the gate was cancelled or dropped.
    pub(crate) async fn cancelled(&self, name: &str) {
        self.wait(name, "a handler to be cancelled", |gate| gate.cancelled > 0).await;
    }

    /// Returns when a handler has passed the gate.
    pub(crate) async fn passed(&self, name: &str) {
        self.wait(name, "a handler to pass", |gate| gate.passed > 0).await;
    }

    /// Whether a handler at the gate was cancelled or dropped.
    pub(crate) fn was_cancelled(&self, name: &str) -> bool {
        self.sender(name).borrow().cancelled > 0
    }

    /// How many handlers have come to the gate.
    pub(crate) fn count(&self, name: &str) -> usize {
        self.sender(name).borrow().started
    }

    /// Lets all handlers through, those that are to come too.
    pub(crate) fn open(&self, name: &str) {
        self.sender(name).send_modify(|gate| gate.open = true);
    }

    /// Forgets what happened at a gate and shuts it.
    pub(crate) fn reset(&self, name: &str) {
        self.sender(name).send_replace(Gate::default());
    }

    /// What a handler does: counts itself and waits. Dropping the future counts as cancellation.
    pub(crate) async fn pass(&self, name: &str) {
        let sender = self.sender(name);
        sender.send_modify(|gate| gate.started += 1);
        let dropped = Dropped(Some(sender.clone()));
        let mut receiver = sender.subscribe();
        receiver.wait_for(|gate| gate.open).await.unwrap();
        dropped.forget();
        sender.send_modify(|gate| gate.passed += 1);
    }

    /// Counts a handler at the gate that does not wait.
    pub(crate) fn note_started(&self, name: &str) {
        self.sender(name).send_modify(|gate| gate.started += 1);
    }

    async fn wait(&self, name: &str, what: &str, until: impl Fn(&Gate) -> bool) {
        let mut receiver = self.sender(name).subscribe();
        within(&format!("waiting for {what} at the gate {name:?}"), receiver.wait_for(|gate| until(gate)))
            .await
            .unwrap();
    }

    fn sender(&self, name: &str) -> watch::Sender<Gate> {
        self.0.lock().unwrap().entry(name.to_owned()).or_insert_with(|| watch::Sender::new(Gate::default())).clone()
    }
}

struct Dropped(Option<watch::Sender<Gate>>);

impl Dropped {
    fn forget(mut self) {
        self.0 = None;
    }
}

impl Drop for Dropped {
    fn drop(&mut self) {
        if let Some(sender) = self.0.take() {
            sender.send_modify(|gate| gate.cancelled += 1);
        }
    }
}
