//! What the tests of HTTP share: servers with options of their own, clients by hand, and a tool that streams.

use mcp::{Context, HttpOptions, HttpServer, ProtocolVersion, RawJson, Server, ToolOptions};

use crate::harness::*;

/// The newest legacy revision, whose clients have sessions.
pub(crate) const LEGACY: &str = "2025-11-25";
pub(crate) const MODERN: &str = "2026-07-28";

/// The revisions of clients with sessions over Streamable HTTP.
pub(crate) const SESSIONS: [&str; 3] = ["2025-03-26", "2025-06-18", "2025-11-25"];

/// Serves on a free port of the loopback interface.
pub(crate) async fn serve(server: &Server, options: HttpOptions) -> (HttpServer, Http) {
    let listener = server.serve_http(options.host("127.0.0.1").port(0)).await.unwrap();
    let http = Http::new(listener.local_addr());
    (listener, http)
}

/// The fixture with the tool `stream(name, n)`: it reports n times, waits at the gate `name`, reports once more and
/// answers. `change` is given the builder last.
pub(crate) fn streaming(change: impl FnOnce(mcp::ServerBuilder) -> mcp::ServerBuilder) -> Fixture {
    let gates = Gates::default();
    let inner = gates.clone();
    let builder = builder(&gates).raw_tool("stream", ToolOptions::new(), move |arguments: RawJson, ctx: Context| {
        let gates = inner.clone();
        async move {
            let arguments: Value = arguments.deserialize().unwrap();
            let (name, n) = (arguments["name"].as_str().unwrap(), arguments["n"].as_u64().unwrap_or(1));
            for i in 1..=n {
                ctx.report_progress(i as f64, None, Some(name));
            }
            gates.pass(name).await;
            ctx.report_progress((n + 1) as f64, None, Some(name));
            format!("streamed {name}")
        }
    });
    Fixture { server: change(builder).build().unwrap(), gates }
}

pub(crate) fn request(id: impl Into<Value>, method: &str, params: Value) -> Value {
    json!({"jsonrpc": "2.0", "id": id.into(), "method": method, "params": params})
}

pub(crate) fn ping(id: impl Into<Value>) -> Value {
    json!({"jsonrpc": "2.0", "id": id.into(), "method": "ping"})
}

pub(crate) fn notification(method: &str, params: Value) -> Value {
    json!({"jsonrpc": "2.0", "method": method, "params": params})
}

/// A call that wants progress under its own id.
pub(crate) fn call(id: impl Into<Value>, tool: &str, arguments: Value) -> Value {
    let id = id.into();
    request(id.clone(), "tools/call", json!({"name": tool, "arguments": arguments, "_meta": {"progressToken": id}}))
}

pub(crate) fn initialize(version: &str) -> Value {
    initialize_with(json!(version), json!({}))
}

pub(crate) fn initialize_with(version: Value, capabilities: Value) -> Value {
    let client = json!({"name": "t", "version": "0"});
    request(1, "initialize", json!({"protocolVersion": version, "capabilities": capabilities, "clientInfo": client}))
}

/// A modern request with its metadata.
pub(crate) fn modern(message: &Value) -> Value {
    let mut message = message.clone();
    let meta = &mut message["params"]["_meta"];
    meta["io.modelcontextprotocol/protocolVersion"] = MODERN.into();
    meta["io.modelcontextprotocol/clientCapabilities"] = json!({});
    message
}

/// The POST of a modern message with the headers that belong to it.
pub(crate) fn post_modern(http: &Http, message: &Value) -> HttpRequest {
    let message = if message.get("id").is_some() { modern(message) } else { message.clone() };
    let mut post = http.post(&message).header("MCP-Protocol-Version", MODERN);
    post = post.header("Mcp-Method", message["method"].as_str().unwrap());
    match message["params"]["name"].as_str() {
        Some(name) => post.header("Mcp-Name", name),
        None => post,
    }
}

/// Opens `subscriptions/listen` for everything and takes the acknowledgement.
pub(crate) async fn listen(http: &Http, id: i64, uris: &[&str]) -> HttpResponse {
    let filter = json!({"toolsListChanged": true, "promptsListChanged": true, "resourceSubscriptions": uris});
    let mut stream =
        post_modern(http, &request(id, "subscriptions/listen", json!({"notifications": filter}))).send().await;
    assert_eq!(stream.status, 200);
    let first = stream.message().await.unwrap().json();
    assert_eq!(first["method"], "notifications/subscriptions/acknowledged");
    stream
}

/// A session over Streamable HTTP, used by hand.
#[derive(Clone)]
pub(crate) struct Session {
    pub(crate) http: Http,
    pub(crate) id: String,
    pub(crate) version: &'static str,
}

impl Session {
    pub(crate) async fn open(http: &Http, version: &'static str) -> Session {
        Session::open_with(http, version, json!({})).await
    }

    pub(crate) async fn open_with(http: &Http, version: &'static str, capabilities: Value) -> Session {
        let session = Session::start(http, version, capabilities).await;
        let initialized = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
        assert_eq!(session.post(&initialized).send().await.status, 202);
        session
    }

    /// A session whose client has not said `notifications/initialized`.
    pub(crate) async fn start(http: &Http, version: &'static str, capabilities: Value) -> Session {
        let mut response = http.post(initialize_with(json!(version), capabilities)).send().await;
        let id = response.header("mcp-session-id").map(str::to_owned);
        let body = response.json().await;
        assert_eq!(body["result"]["protocolVersion"], version, "{body}");
        Session { http: http.clone(), id: id.expect("a session"), version }
    }

    fn mark(&self, request: HttpRequest) -> HttpRequest {
        let request = request.set("Mcp-Session-Id", &self.id);
        if self.version >= "2025-06-18" { request.set("MCP-Protocol-Version", self.version) } else { request }
    }

    pub(crate) fn post(&self, message: &Value) -> HttpRequest {
        self.mark(self.http.post(message))
    }

    pub(crate) fn get(&self) -> HttpRequest {
        self.mark(self.http.get())
    }

    pub(crate) fn delete(&self) -> HttpRequest {
        self.mark(self.http.request("DELETE"))
    }

    /// Opens the stream of the session's own.
    pub(crate) async fn stream(&self) -> HttpResponse {
        let stream = self.get().send().await;
        assert!(stream.status == 200 && stream.is_stream(), "{}", stream.status);
        stream
    }

    /// Reads on after an event.
    pub(crate) async fn resume(&self, last: &str) -> HttpResponse {
        self.get().header("Last-Event-ID", last).send().await
    }

    pub(crate) async fn echo(&self, id: i64, text: &str) -> String {
        let mut response = self.post(&call(id, "echo", json!({"text": text}))).send().await;
        assert_eq!(response.status, 200);
        text_of(&response.json().await).to_owned()
    }
}

/// The text of a result's first block of content.
pub(crate) fn text_of(message: &Value) -> &str {
    message["result"]["content"][0]["text"].as_str().unwrap_or_else(|| panic!("no text: {message}"))
}

/// The messages of a stream up to its end.
pub(crate) async fn messages(stream: &mut HttpResponse) -> Vec<Value> {
    let mut messages = Vec::new();
    while let Some(event) = stream.message().await {
        messages.push(event.json());
    }
    messages
}

/// The status and the JSON-RPC error of a refusal, whose text must say something.
pub(crate) async fn refusal(response: &mut HttpResponse) -> (u16, i64) {
    assert_eq!(response.header("content-type"), Some("application/json"), "{}", response.status);
    let body = response.json().await;
    assert_eq!(body["jsonrpc"], "2.0", "{body}");
    assert!(body["error"]["message"].as_str().is_some_and(|text| text.len() > 10), "{body}");
    (response.status, body["error"]["code"].as_i64().unwrap())
}

pub(crate) fn leg(version: ProtocolVersion, transport: Transport) -> Leg {
    Leg { version, transport }
}

/// A client of the HTTP+SSE transport of 2024-11-05, used by hand.
pub(crate) struct SseClient {
    pub(crate) stream: HttpResponse,
    pub(crate) http: Http,
}

impl SseClient {
    pub(crate) async fn open(http: &Http) -> SseClient {
        let mut stream = http.get().send().await;
        assert!(stream.status == 200 && stream.is_stream(), "{}", stream.status);
        let event = stream.event().await.unwrap();
        assert_eq!(event.event.as_deref(), Some("endpoint"), "{event:?}");
        let path = resolve(&http.path, event.data.as_deref().unwrap());
        SseClient { stream, http: Http { address: http.address, path } }
    }

    /// With the handshake done.
    pub(crate) async fn connect(http: &Http) -> SseClient {
        let mut client = SseClient::open(http).await;
        client.send(&initialize("2024-11-05")).await;
        assert_eq!(client.next().await["result"]["protocolVersion"], "2024-11-05");
        client.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"})).await;
        client
    }

    pub(crate) async fn post(&self, body: &Value) -> u16 {
        self.http.request("POST").header("Content-Type", "application/json").body(body).send().await.status
    }

    pub(crate) async fn send(&self, body: &Value) {
        assert_eq!(self.post(body).await, 202, "{body}");
    }

    /// The next message on the stream.
    pub(crate) async fn next(&mut self) -> Value {
        self.stream.message().await.expect("a message").json()
    }
}

/// What a client makes of the address that it was given (RFC 3986, the forms that servers use).
pub(crate) fn resolve(base: &str, reference: &str) -> String {
    match reference.as_bytes().first() {
        Some(b'/') => reference.to_owned(),
        Some(b'?') => format!("{}{reference}", base.split('?').next().unwrap()),
        _ => panic!("neither a path nor a query: {reference:?}"),
    }
}

/// Asks again and again until the answer is yes. For what the server is not obliged to have done at a certain time.
pub(crate) async fn eventually(what: &str, mut ask: impl AsyncFnMut() -> bool) {
    within(what, async {
        while !ask().await {
            tokio::task::yield_now().await;
        }
    })
    .await;
}
