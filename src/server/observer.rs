//! Callbacks through which a host watches what passes.

use std::sync::Arc;

use super::executor::contain;
use crate::error::Error;
use crate::json::RawJson;
use crate::protocol::identity::Implementation;

type Callback<T> = Option<Arc<dyn Fn(&T) + Send + Sync>>;
type MessageCallback = Option<Arc<dyn Fn(&str, &RawJson) + Send + Sync>>;

/// What a host wants to be told. Each callback is called on the thread that handles the message and should be quick; a
/// callback that panics is logged and otherwise ignored.
///
/// ```
/// let events = mcp::Events::new().on_method_called(|method| eprintln!("{method}"));
/// ```
#[derive(Clone, Default)]
pub struct Events {
    request: MessageCallback,
    notification: MessageCallback,
    response: Callback<RawJson>,
    error: Callback<Error>,
    method_called: Callback<str>,
    protocol_error: Callback<str>,
    client_connected: Callback<Implementation>,
    initialized: Callback<()>,
    transport_close: Callback<()>,
    transport_error: Callback<str>,
}

impl Events {
    /// Tells nothing.
    pub fn new() -> Events {
        Events::default()
    }

    /// Every request that arrives: its method and the whole message.
    pub fn on_request(mut self, callback: impl Fn(&str, &RawJson) + Send + Sync + 'static) -> Events {
        self.request = Some(Arc::new(callback));
        self
    }

    /// Every notification that arrives: its method and the whole message.
    pub fn on_notification(mut self, callback: impl Fn(&str, &RawJson) + Send + Sync + 'static) -> Events {
        self.notification = Some(Arc::new(callback));
        self
    }

    /// Every answer that leaves with a result, whole.
    pub fn on_response(mut self, callback: impl Fn(&RawJson) + Send + Sync + 'static) -> Events {
        self.response = Some(Arc::new(callback));
        self
    }

    /// Every answer that leaves with an error.
    pub fn on_error(mut self, callback: impl Fn(&Error) + Send + Sync + 'static) -> Events {
        self.error = Some(Arc::new(callback));
        self
    }

    /// The method of every request: the short form of `on_request`.
    pub fn on_method_called(mut self, callback: impl Fn(&str) + Send + Sync + 'static) -> Events {
        self.method_called = Some(Arc::new(callback));
        self
    }

    /// The text of every error that leaves: the short form of `on_error`.
    pub fn on_protocol_error(mut self, callback: impl Fn(&str) + Send + Sync + 'static) -> Events {
        self.protocol_error = Some(Arc::new(callback));
        self
    }

    /// A legacy client completed `initialize`.
    pub fn on_client_connected(mut self, callback: impl Fn(&Implementation) + Send + Sync + 'static) -> Events {
        self.client_connected = Some(Arc::new(callback));
        self
    }

    /// A legacy client sent `notifications/initialized`.
    pub fn on_initialized(mut self, callback: impl Fn() + Send + Sync + 'static) -> Events {
        self.initialized = Some(Arc::new(move |()| callback()));
        self
    }

    /// A connection or session ended in order.
    pub fn on_transport_close(mut self, callback: impl Fn() + Send + Sync + 'static) -> Events {
        self.transport_close = Some(Arc::new(move |()| callback()));
        self
    }

    /// A connection broke.
    pub fn on_transport_error(mut self, callback: impl Fn(&str) + Send + Sync + 'static) -> Events {
        self.transport_error = Some(Arc::new(callback));
        self
    }

    /// `describe` gives the method and the message; it is called only when somebody wants to know.
    pub(crate) fn request(&self, describe: impl FnOnce() -> (String, RawJson)) {
        if self.request.is_none() && self.method_called.is_none() {
            return;
        }
        let (method, message) = describe();
        guarded(&self.request, |callback| callback(&method, &message));
        guarded(&self.method_called, |callback| callback(&method));
    }

    /// Like `request`, for notifications.
    pub(crate) fn notification(&self, describe: impl FnOnce() -> (String, RawJson)) {
        if self.notification.is_some() {
            let (method, message) = describe();
            guarded(&self.notification, |callback| callback(&method, &message));
        }
    }

    /// Whether anybody wants to see answers, so that they need not be copied otherwise.
    pub(crate) fn wants_responses(&self) -> bool {
        self.response.is_some()
    }

    pub(crate) fn response(&self, message: &RawJson) {
        guarded(&self.response, |callback| callback(message));
    }

    pub(crate) fn error(&self, error: &Error) {
        guarded(&self.error, |callback| callback(error));
        guarded(&self.protocol_error, |callback| callback(error.message()));
    }

    pub(crate) fn client_connected(&self, client: &Implementation) {
        guarded(&self.client_connected, |callback| callback(client));
    }

    pub(crate) fn initialized(&self) {
        guarded(&self.initialized, |callback| callback(&()));
    }

    pub(crate) fn transport_closed(&self) {
        guarded(&self.transport_close, |callback| callback(&()));
    }

    pub(crate) fn transport_error(&self, text: &str) {
        guarded(&self.transport_error, |callback| callback(text));
    }
}

fn guarded<C: ?Sized>(callback: &Option<Arc<C>>, call: impl FnOnce(&C)) {
    let Some(callback) = callback else { return };
    contain("an event callback", || call(callback));
}
