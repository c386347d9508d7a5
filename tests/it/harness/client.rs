//! A client that hides its leg.

mod pipe;
mod raw;

use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, Mutex};

use mcp::Era;
use serde_json::{Value, json};

use self::pipe::Pipe;
use super::leg::{Host, Leg, Transport};
use super::mailbox::{Mailbox, Received};
use super::meta::{client_info, with_meta};
use super::reply::Reply;

/// What a client answers to a request of the server's.
pub(crate) type Responder = Arc<dyn Fn(&str, &Value) -> Result<Value, Value> + Send + Sync>;

/// A client. Dropping it closes its connection, and fails the test when the server broke a schema.
pub(crate) struct Client {
    pub(crate) leg: Leg,
    mailbox: Arc<Mailbox>,
    pipe: Arc<Pipe>,
    capabilities: Value,
    /// Far from the ids that tests choose.
    next_id: AtomicI64,
    responder: Arc<Mutex<Option<Responder>>>,
    host: Arc<Host>,
}

/// A request whose answer is awaited.
#[derive(Clone, Debug)]
pub(crate) struct Pending {
    /// The id as it was written.
    pub(crate) id: String,
    /// The stream on which the answer is to come; `None` where there is only one.
    pub(crate) stream: Option<u64>,
}

impl Client {
    /// A client that has sent nothing yet.
    pub(super) async fn open(host: Arc<Host>, capabilities: Value) -> Client {
        let leg = host.leg;
        // Before the handshake the server does not know which legacy revision it speaks to; what it says then is judged
        // by the newest.
        let version = if leg.has_handshake() { mcp::ProtocolVersion::V2025_11_25 } else { leg.version };
        let mailbox = Arc::new(Mailbox::new(leg.to_string(), version));
        let responder = Arc::<Mutex<Option<Responder>>>::default();
        let pipe = Pipe::open(&host, mailbox.clone(), responder.clone()).await;
        Client { leg, mailbox, pipe, capabilities, next_id: AtomicI64::new(1000), responder, host }
    }

    /// The client's half of the handshake, where there is one.
    pub(super) async fn handshake(&self) {
        if self.leg.has_handshake() {
            let reply = self.initialize(self.leg.version.as_str()).await;
            assert_eq!(reply.result()["protocolVersion"], self.leg.version.as_str(), "{}", reply.wire);
            self.initialized().await;
        }
    }

    /// Sends `initialize` with an offer and waits for the answer.
    pub(crate) async fn initialize(&self, version: &str) -> Reply {
        let params = json!({
            "protocolVersion": version, "capabilities": self.capabilities, "clientInfo": client_info(),
        });
        self.request("initialize", params).await
    }

    /// Sends `notifications/initialized`.
    pub(crate) async fn initialized(&self) {
        self.notify("notifications/initialized", Value::Null).await;
    }

    /// Sends a request and waits for its answer. A modern server that asks for input is answered, when `answer_with` was
    /// called, and the final answer is returned.
    pub(crate) async fn request(&self, method: &str, params: Value) -> Reply {
        let mut reply = self.request_once(method, params.clone()).await;
        for _ in 0..20 {
            let responder = self.responder.lock().unwrap().clone();
            let asks = reply.value["result"]["resultType"] == "input_required";
            let Some(responder) = responder.filter(|_| asks) else { return reply };
            reply = self.request_once(method, retry(&params, &reply, &responder)).await;
        }
        panic!("{}: the server asks without end", self.leg);
    }

    /// Sends a request and waits for its answer, whatever it is.
    pub(crate) async fn request_once(&self, method: &str, params: Value) -> Reply {
        let pending = self.start(method, params).await;
        self.reply(&pending).await
    }

    /// Calls a tool and waits for the answer.
    pub(crate) async fn call(&self, tool: &str, arguments: Value) -> Reply {
        self.request("tools/call", json!({"name": tool, "arguments": arguments})).await
    }

    /// Sends a request and does not wait.
    pub(crate) async fn start(&self, method: &str, params: Value) -> Pending {
        let id = self.next_id.fetch_add(1, Ordering::Relaxed);
        self.start_with_id(json!(id), method, params).await
    }

    /// Calls a tool and does not wait.
    pub(crate) async fn start_call(&self, tool: &str, arguments: Value) -> Pending {
        self.start("tools/call", json!({"name": tool, "arguments": arguments})).await
    }

    /// Sends a request under an id of the test's choice and does not wait.
    pub(crate) async fn start_with_id(&self, id: Value, method: &str, params: Value) -> Pending {
        let message = self.message(Some(id), method, params);
        self.send(&message).await
    }

    /// Sends a request under an id of the test's choice and waits for its answer.
    pub(crate) async fn request_with_id(&self, id: Value, method: &str, params: Value) -> Reply {
        let pending = self.start_with_id(id, method, params).await;
        self.reply(&pending).await
    }

    /// Sends a whole message as it is; it must be one JSON object.
    pub(crate) async fn send(&self, message: &Value) -> Pending {
        let wire = message.to_string();
        let id = message.get("id").map(Value::to_string).unwrap_or_default();
        let stream = self.pipe.send(wire.into_bytes(), Some(message)).await;
        // With HTTP+SSE the answers come on the one stream.
        Pending { id, stream: stream.filter(|_| self.leg.transport != Transport::Sse) }
    }

    /// Waits for the answer to a request.
    pub(crate) async fn reply(&self, pending: &Pending) -> Reply {
        match self.reply_or_end(pending).await {
            Some(reply) => reply,
            None => panic!("{}: the request {} was not answered", self.leg, pending.id),
        }
    }

    /// Waits for the answer to a request; `None` when the connection, or over HTTP its response, ends without.
    pub(crate) async fn reply_or_end(&self, pending: &Pending) -> Option<Reply> {
        let wanted = |message: &Received| {
            message.is_response()
                && message.raw_id().as_deref() == Some(pending.id.as_str())
                && pending.stream.is_none_or(|stream| stream == message.stream)
        };
        let what = format!("the answer to {}", pending.id);
        self.mailbox.take_until(&what, pending.stream, wanted).await.map(Reply::from)
    }

    /// The answer to a request, if it has arrived.
    pub(crate) fn try_reply(&self, pending: &Pending) -> Option<Reply> {
        let id = Some(pending.id.as_str());
        self.mailbox.try_take(|message| message.is_response() && message.raw_id().as_deref() == id).map(Reply::from)
    }

    /// Sends a notification. Over HTTP, waits for its response: 202 and nothing else.
    pub(crate) async fn notify(&self, method: &str, params: Value) {
        let message = self.message(None, method, params);
        self.pipe.send_silent(message.to_string().into_bytes(), &message).await;
    }

    /// Gives up on a request in the way of the leg: by notification, or by closing the response's connection.
    pub(crate) async fn cancel(&self, pending: &Pending) {
        match pending.stream {
            Some(stream) if self.leg.is_modern() || !self.leg.has_handshake() => self.pipe.abandon(stream),
            _ => {
                let id: Value = serde_json::from_str(&pending.id).unwrap();
                self.notify("notifications/cancelled", json!({"requestId": id})).await;
            }
        }
    }

    /// Closes the connection that is to bring the answer. Only over HTTP.
    pub(crate) fn abandon(&self, pending: &Pending) {
        self.pipe.abandon(pending.stream.expect("a leg over HTTP"));
    }

    /// Waits for a notification of the method and takes it.
    pub(crate) async fn notification(&self, method: &str) -> Received {
        let wanted = |message: &Received| message.method() == Some(method) && message.raw_id().is_none();
        self.mailbox.take(method, wanted).await
    }

    /// Waits for a request of the server's and takes it; `answer` answers it.
    pub(crate) async fn server_request(&self, method: &str) -> Received {
        let wanted = |message: &Received| message.method() == Some(method) && message.raw_id().is_some();
        self.mailbox.take(method, wanted).await
    }

    /// Answers a request of the server's.
    pub(crate) async fn answer(&self, request: &Received, outcome: Result<Value, Value>) {
        let message = pipe::answer(request, outcome);
        self.pipe.send_silent(message.to_string().into_bytes(), &message).await;
    }

    /// Answers all that the server asks from here on.
    pub(crate) fn answer_with(&self, responder: impl Fn(&str, &Value) -> Result<Value, Value> + Send + Sync + 'static) {
        *self.responder.lock().unwrap() = Some(Arc::new(responder));
    }

    /// The next message of any kind that nobody has taken.
    pub(crate) async fn next(&self) -> Received {
        self.mailbox.take("any message", |_| true).await
    }

    /// The next message of any kind; `None` when the connection ends before.
    pub(crate) async fn next_or_end(&self) -> Option<Received> {
        self.mailbox.take_until("any message", None, |_| true).await
    }

    /// Takes all that has arrived. On lines, everything that the server said before it took this call's own request is
    /// there, so an empty answer shows that it said nothing.
    pub(crate) async fn drain(&self) -> Vec<Received> {
        let alive = if self.leg.is_modern() { "server/discover" } else { "ping" };
        self.request_once(alive, Value::Null).await;
        std::iter::from_fn(|| self.mailbox.try_take(|_| true)).collect()
    }

    /// Everything that ever arrived, in order.
    pub(crate) fn history(&self) -> Vec<Received> {
        self.mailbox.history()
    }

    /// Subscribes to changes of all lists and of these resources, in the way of the leg.
    pub(crate) async fn subscribe(&self, uris: &[&str]) -> Option<Pending> {
        if self.leg.version.era() == Era::Modern {
            let mut filter =
                json!({"toolsListChanged": true, "promptsListChanged": true, "resourcesListChanged": true});
            if !uris.is_empty() {
                filter["resourceSubscriptions"] = json!(uris);
            }
            let pending = self.start("subscriptions/listen", json!({"notifications": filter})).await;
            self.notification("notifications/subscriptions/acknowledged").await;
            return Some(pending);
        }
        self.pipe.open_stream().await;
        for uri in uris {
            self.request("resources/subscribe", json!({"uri": uri})).await.result();
        }
        None
    }

    /// A whole message, with the metadata of the era.
    pub(crate) fn message(&self, id: Option<Value>, method: &str, params: Value) -> Value {
        let params = if self.leg.is_modern() && id.is_some() {
            with_meta(params, self.leg.version, &self.capabilities)
        } else {
            params
        };
        let mut message = json!({"jsonrpc": "2.0", "method": method});
        if let Some(id) = id {
            message["id"] = id;
        }
        if !params.is_null() {
            message["params"] = params;
        }
        message
    }

    /// The status with which the POST of a request was answered.
    pub(crate) fn status(&self, pending: &Pending) -> Option<u16> {
        self.mailbox.status(pending.stream?)
    }

    /// Closes the client's half of the connection; what is still to come is still taken.
    pub(crate) async fn close(&self) {
        self.pipe.close().await;
    }

    /// Waits until the server has closed the connection.
    pub(crate) async fn ended(&self) {
        self.mailbox.ended().await;
    }

    /// Where the server listens.
    #[cfg(feature = "http")]
    pub(crate) fn http(&self) -> super::Http {
        self.host.http()
    }

    /// A POST with the headers that this client's requests have.
    #[cfg(feature = "http")]
    pub(crate) fn post(&self, message: &Value) -> super::HttpRequest {
        self.pipe.post(message.to_string().into_bytes(), Some(message))
    }

    /// The id of the session, over HTTP.
    pub(crate) fn session_id(&self) -> Option<String> {
        self.pipe.session_id()
    }

    /// The server that the client talks to.
    pub(crate) fn host(&self) -> &Arc<Host> {
        &self.host
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        self.pipe.end();
        if !std::thread::panicking() {
            self.mailbox.check();
        }
    }
}

/// The parameters of a retry with the answers to what was asked.
fn retry(params: &Value, reply: &Reply, responder: &Responder) -> Value {
    let mut answers = json!({});
    for (key, request) in reply.result()["inputRequests"].as_object().into_iter().flatten() {
        let answer = responder(request["method"].as_str().unwrap(), &request["params"]);
        answers[key] = answer.expect("a modern client can't answer with an error");
    }
    let mut params = params.clone();
    params["inputResponses"] = answers;
    if let Some(state) = reply.result().get("requestState") {
        params["requestState"] = state.clone();
    }
    params
}
