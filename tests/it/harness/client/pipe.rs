//! The ways in which a client's messages travel.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncRead, AsyncWrite, AsyncWriteExt, BufReader};
use tokio::task::JoinHandle;

use super::super::leg::{Host, HostKind, Leg, Transport};
use super::super::mailbox::{Mailbox, Received};
use super::super::process::Process;
use super::super::within;
use super::Responder;

type Writer = Box<dyn AsyncWrite + Send + Unpin>;

/// One client's way to its server, and back into its mailbox.
pub(super) struct Pipe {
    leg: Leg,
    kind: Kind,
    mailbox: Arc<Mailbox>,
    responder: Arc<Mutex<Option<Responder>>>,
    tasks: Mutex<Vec<JoinHandle<()>>>,
    streams: Mutex<HashMap<u64, JoinHandle<()>>>,
    next_stream: AtomicU64,
    session: Mutex<Option<String>>,
}

enum Kind {
    Lines(tokio::sync::Mutex<Option<Writer>>, Mutex<Option<Box<Process>>>),
    Link(Arc<mcp::Link>),
    #[cfg(feature = "http")]
    Http(Mutex<super::super::Http>),
}

impl Pipe {
    pub(super) async fn open(
        host: &Host,
        mailbox: Arc<Mailbox>,
        responder: Arc<Mutex<Option<Responder>>>,
    ) -> Arc<Pipe> {
        let mut reader: Option<Box<dyn AsyncRead + Send + Unpin>> = None;
        let kind = match &host.kind {
            HostKind::Local(server) if host.leg.transport == Transport::Link => Kind::Link(Arc::new(server.link())),
            HostKind::Local(server) => {
                let (read, write) = tokio::io::split(server.memory_pair());
                reader = Some(Box::new(read));
                Kind::Lines(tokio::sync::Mutex::new(Some(Box::new(write))), Mutex::new(None))
            }
            HostKind::Process => {
                let mut process = Process::start();
                reader = Some(Box::new(process.stdout.take().unwrap().into_inner()));
                let writer: Writer = Box::new(process.stdin.take().unwrap());
                Kind::Lines(tokio::sync::Mutex::new(Some(writer)), Mutex::new(Some(Box::new(process))))
            }
            #[cfg(feature = "http")]
            HostKind::Http(_) => Kind::Http(Mutex::new(host.http())),
        };
        let pipe = Arc::new(Pipe {
            leg: host.leg,
            kind,
            mailbox,
            responder,
            tasks: Mutex::default(),
            streams: Mutex::default(),
            next_stream: AtomicU64::new(1),
            session: Mutex::default(),
        });
        if let Some(reader) = reader {
            pipe.keep(tokio::spawn(read_lines(pipe.clone(), reader)));
        }
        if let Kind::Link(link) = &pipe.kind {
            pipe.keep(tokio::spawn(read_link(pipe.clone(), link.clone())));
        }
        if host.leg.transport == Transport::Sse {
            pipe.open_stream().await;
        }
        pipe
    }

    /// Sends a message; over HTTP, gives the number of the response's stream.
    pub(super) async fn send(self: &Arc<Pipe>, wire: Vec<u8>, _message: Option<&Value>) -> Option<u64> {
        self.mailbox.note_sent(&wire);
        match &self.kind {
            Kind::Lines(..) => {
                within("writing", self.write(&[&wire[..], b"\n"].concat())).await;
                None
            }
            Kind::Link(link) => {
                let stream = self.next_stream.fetch_add(1, Ordering::Relaxed);
                let (pipe, link) = (self.clone(), link.clone());
                let task = tokio::spawn(async move {
                    if let Some(answer) = link.dispatch(wire).await {
                        pipe.receive(&String::from_utf8_lossy(&answer), None, stream);
                    }
                });
                self.streams.lock().unwrap().insert(stream, task);
                None
            }
            #[cfg(feature = "http")]
            Kind::Http(_) => Some(self.send_http(wire, _message).await),
        }
    }

    /// Sends what has no answer.
    pub(super) async fn send_silent(self: &Arc<Pipe>, wire: Vec<u8>, message: &Value) {
        match &self.kind {
            #[cfg(feature = "http")]
            Kind::Http(_) => {
                let mut response = self.post(wire, Some(message)).send().await;
                let body = response.bytes().await;
                assert_eq!(response.status, 202, "{}: {message}: {}", self.leg, String::from_utf8_lossy(&body));
                assert!(body.is_empty(), "{}: {message} was answered with a body", self.leg);
            }
            Kind::Link(link) => {
                let answer = within("dispatching", link.dispatch(wire)).await;
                assert!(answer.is_none(), "{}: {message} was answered: {answer:?}", self.leg);
            }
            Kind::Lines(..) => {
                self.send(wire, Some(message)).await;
            }
        }
    }

    /// Writes bytes on lines.
    pub(super) async fn write(&self, bytes: &[u8]) {
        let Kind::Lines(writer, _) = &self.kind else { panic!("{} has no lines", self.leg) };
        let mut writer = writer.lock().await;
        let writer = writer.as_mut().expect("the connection is open");
        // A server that has gone away shows in what is, or is not, read.
        let _ = writer.write_all(bytes).await;
        let _ = writer.flush().await;
    }

    pub(super) async fn close(&self) {
        if let Kind::Lines(writer, _) = &self.kind
            && let Some(mut writer) = writer.lock().await.take()
        {
            // The same: there is nobody to tell that the other side was first.
            let _ = writer.shutdown().await;
        }
    }

    /// Ends everything at once.
    pub(super) fn end(&self) {
        self.tasks.lock().unwrap().iter().for_each(JoinHandle::abort);
        self.streams.lock().unwrap().values().for_each(JoinHandle::abort);
        if let Kind::Lines(writer, process) = &self.kind {
            if let Ok(mut writer) = writer.try_lock() {
                *writer = None;
            }
            *process.lock().unwrap() = None;
        }
    }

    /// Closes the connection of one stream.
    pub(super) fn abandon(&self, stream: u64) {
        self.streams.lock().unwrap().remove(&stream).expect("an open stream").abort();
    }

    pub(super) fn session_id(&self) -> Option<String> {
        self.session.lock().unwrap().clone()
    }

    /// Opens the stream on which a server over HTTP speaks by itself. Elsewhere it does without one.
    pub(super) async fn open_stream(self: &Arc<Pipe>) {
        #[cfg(feature = "http")]
        if let Kind::Http(http) = &self.kind {
            if self.leg.transport == Transport::Sse && !self.streams.lock().unwrap().is_empty() {
                return;
            }
            let mut get = http.lock().unwrap().get();
            for (name, value) in self.headers(None) {
                get = get.set(&name, value);
            }
            let mut response = get.send().await;
            assert_eq!(response.status, 200, "{}: no stream", self.leg);
            if self.leg.transport == Transport::Sse {
                let event = response.event().await.expect("an event");
                assert_eq!(event.event.as_deref(), Some("endpoint"), "{event:?}");
                http.lock().unwrap().resolve(&event.data.expect("the address to post to"));
            }
            let pipe = self.clone();
            let task = tokio::spawn(async move {
                pipe.read_stream(response, 0, None).await;
                if pipe.leg.transport == Transport::Sse {
                    pipe.mailbox.close();
                }
            });
            self.streams.lock().unwrap().insert(0, task);
        }
    }

    fn keep(&self, task: JoinHandle<()>) {
        self.tasks.lock().unwrap().push(task);
    }

    /// Takes a message, and answers it where it is a question.
    fn receive(self: &Arc<Pipe>, wire: &str, status: Option<u16>, stream: u64) {
        for received in self.mailbox.push(wire, status, stream) {
            let (Some(method), Some(_)) = (received.method(), received.raw_id()) else { continue };
            let Some(responder) = self.responder.lock().unwrap().clone() else { continue };
            let message = answer(&received, responder(method, received.params()));
            let id = received.raw_id();
            self.mailbox.try_take(|message| message.raw_id() == id && message.method().is_some());
            let pipe = self.clone();
            self.keep(tokio::spawn(async move { pipe.send_silent(message.to_string().into_bytes(), &message).await }));
        }
    }
}

/// The message that answers a request of the server's.
pub(super) fn answer(request: &Received, outcome: Result<Value, Value>) -> Value {
    let id = request.value["id"].clone();
    match outcome {
        Ok(result) => json!({"jsonrpc": "2.0", "id": id, "result": result}),
        Err(error) => json!({"jsonrpc": "2.0", "id": id, "error": error}),
    }
}

async fn read_lines(pipe: Arc<Pipe>, reader: Box<dyn AsyncRead + Send + Unpin>) {
    let mut reader = BufReader::new(reader);
    loop {
        let mut line = Vec::new();
        let read = reader.read_until(b'\n', &mut line).await;
        if !matches!(read, Ok(1..)) {
            break;
        }
        match String::from_utf8(line) {
            Ok(line) if line.ends_with('\n') && !line.ends_with("\r\n") => pipe.receive(line.trim_end(), None, 0),
            Ok(line) => pipe.mailbox.violation(format!("a line must end with one line feed: {line:?}")),
            Err(error) => pipe.mailbox.violation(format!("a line is not UTF-8: {error}")),
        }
    }
    pipe.mailbox.close();
}

async fn read_link(pipe: Arc<Pipe>, link: Arc<mcp::Link>) {
    loop {
        let message = link.next_message().await;
        pipe.receive(&String::from_utf8_lossy(&message), None, 0);
    }
}

#[cfg(feature = "http")]
impl Pipe {
    /// A POST with all headers of this client's.
    pub(super) fn post(&self, wire: Vec<u8>, message: Option<&Value>) -> super::super::HttpRequest {
        let Kind::Http(http) = &self.kind else { panic!("{} is not HTTP", self.leg) };
        let mut post = http.lock().unwrap().post(wire);
        for (name, value) in self.headers(message) {
            post = post.set(&name, value);
        }
        post
    }

    fn headers(&self, message: Option<&Value>) -> Vec<(String, String)> {
        let mut headers = Vec::new();
        let mut add = |name: &str, value: &str| headers.push((name.to_owned(), value.to_owned()));
        if self.leg.transport == Transport::Sse {
            return headers;
        }
        if let Some(session) = &*self.session.lock().unwrap() {
            add("Mcp-Session-Id", session);
        }
        let method = message.and_then(|message| message["method"].as_str());
        let knows_version = self.leg.version >= mcp::ProtocolVersion::V2025_06_18 || !self.leg.has_handshake();
        if knows_version && (self.leg.is_modern() || method != Some("initialize")) {
            add("MCP-Protocol-Version", self.leg.version.as_str());
        }
        if let (true, Some(message), Some(method)) = (self.leg.is_modern(), message, method) {
            add("Mcp-Method", method);
            let named = match method {
                "tools/call" | "prompts/get" => message["params"]["name"].as_str(),
                "resources/read" => message["params"]["uri"].as_str(),
                "tasks/get" | "tasks/update" | "tasks/cancel" => message["params"]["taskId"].as_str(),
                _ => None,
            };
            if let Some(name) = named {
                add("Mcp-Name", &header_value(name));
            }
        }
        headers
    }

    async fn send_http(self: &Arc<Pipe>, wire: Vec<u8>, message: Option<&Value>) -> u64 {
        let stream = self.next_stream.fetch_add(1, Ordering::Relaxed);
        let post = self.post(wire, message);
        let mut connection = self.http_connection().await;
        // Written before this returns, so that what is sent afterwards comes afterwards.
        connection.write(&post.to_bytes()).await;
        let pipe = self.clone();
        let task = tokio::spawn(async move {
            if let Some(response) = connection.try_response().await {
                if let Some(session) = response.header("mcp-session-id") {
                    *pipe.session.lock().unwrap() = Some(session.to_owned());
                }
                let status = response.status;
                pipe.mailbox.set_status(stream, status);
                pipe.read_body(response, stream, status).await;
            }
            pipe.mailbox.finish(stream);
        });
        self.streams.lock().unwrap().insert(stream, task);
        stream
    }

    async fn http_connection(&self) -> super::super::http::Connection {
        let Kind::Http(http) = &self.kind else { panic!("{} is not HTTP", self.leg) };
        let http = http.lock().unwrap().clone();
        http.connect().await
    }

    async fn read_body(self: &Arc<Pipe>, mut response: super::super::HttpResponse, stream: u64, status: u16) {
        if response.is_stream() {
            return self.read_stream(response, stream, Some(status)).await;
        }
        let kind = response.header("content-type").unwrap_or_default().to_owned();
        let body = response.text().await;
        if kind.starts_with("application/json") {
            self.receive(&body, Some(status), stream);
        } else if status < 300 && !body.is_empty() {
            self.mailbox.violation(format!("a body of the type {kind:?}: {body:?}"));
        }
    }

    async fn read_stream(self: &Arc<Pipe>, mut response: super::super::HttpResponse, stream: u64, status: Option<u16>) {
        while let Some(event) = response.message().await {
            self.receive(event.data.as_deref().unwrap_or_default(), status, stream);
        }
    }
}

#[cfg(not(feature = "http"))]
impl Pipe {
    fn post(&self) {}
}

/// A value as a header carries it: plain where that is possible, else base64 between markers.
#[cfg(feature = "http")]
fn header_value(text: &str) -> String {
    use base64::Engine;
    let plain =
        text.bytes().all(|byte| (0x20..0x7f).contains(&byte)) && text.trim() == text && !text.starts_with("=?base64?");
    match plain {
        true => text.to_owned(),
        false => format!("=?base64?{}?=", base64::engine::general_purpose::STANDARD.encode(text)),
    }
}
