//! HTTP/1.1 and SSE by hand, so that a test decides over every byte of a request and sees every byte of the response.
//!
//! ```ignore
//! let http = client.http();                            // or Http::new(address)
//! let mut response = http.post(json!({…})).set("Accept", "text/plain").send().await;
//! assert_eq!((response.status, response.header("content-type")), (406, Some("application/json")));
//! let body = response.text().await;
//! let mut stream = http.get().header("Accept", "text/event-stream").send().await;
//! while let Some(event) = stream.event().await { … }   // dropping `stream` closes the connection
//! ```

mod sse;

use std::net::SocketAddr;

use serde_json::Value;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use self::sse::{find_blank_line, parse_event};
use super::within;

pub(crate) use self::sse::SseEvent;

/// Where a server listens.
#[derive(Clone, Debug)]
pub(crate) struct Http {
    pub(crate) address: SocketAddr,
    /// Path and query of the endpoint.
    pub(crate) path: String,
}

impl Http {
    pub(crate) fn new(address: SocketAddr) -> Http {
        Http { address, path: "/mcp".to_owned() }
    }

    /// Follows a reference relative to this endpoint: a query, an absolute path or a whole address.
    pub(crate) fn resolve(&mut self, reference: &str) {
        let whole = format!("http://{}", self.address);
        let path = reference.strip_prefix(&whole).unwrap_or(reference);
        self.path = match path.starts_with('?') {
            true => format!("{}{path}", self.path.split('?').next().unwrap_or_default()),
            false => path.to_owned(),
        };
        assert!(self.path.starts_with('/'), "not a reference to this server: {reference}");
    }

    /// A request with nothing but `Host`.
    pub(crate) fn request(&self, method: &str) -> HttpRequest {
        HttpRequest {
            address: self.address,
            method: method.to_owned(),
            path: self.path.clone(),
            headers: vec![("Host".into(), self.address.to_string())],
            body: None,
        }
    }

    /// A POST of JSON that accepts both kinds of answer.
    pub(crate) fn post(&self, body: impl Into<Body>) -> HttpRequest {
        self.request("POST")
            .header("Content-Type", "application/json")
            .header("Accept", "application/json, text/event-stream")
            .body(body)
    }

    /// A GET that accepts a stream.
    pub(crate) fn get(&self) -> HttpRequest {
        self.request("GET").header("Accept", "text/event-stream")
    }

    /// A connection on which nothing was sent.
    pub(crate) async fn connect(&self) -> Connection {
        Connection::open(self.address).await
    }
}

/// The body of a request: JSON, text or bytes.
pub(crate) struct Body(Vec<u8>);

impl From<Value> for Body {
    fn from(value: Value) -> Body {
        Body(value.to_string().into_bytes())
    }
}

impl From<&Value> for Body {
    fn from(value: &Value) -> Body {
        Body(value.to_string().into_bytes())
    }
}

impl From<&str> for Body {
    fn from(text: &str) -> Body {
        Body(text.as_bytes().to_vec())
    }
}

impl From<String> for Body {
    fn from(text: String) -> Body {
        Body(text.into_bytes())
    }
}

impl From<Vec<u8>> for Body {
    fn from(bytes: Vec<u8>) -> Body {
        Body(bytes)
    }
}

/// A request that is being put together.
#[derive(Clone, Debug)]
pub(crate) struct HttpRequest {
    address: SocketAddr,
    method: String,
    path: String,
    headers: Vec<(String, String)>,
    body: Option<Vec<u8>>,
}

impl HttpRequest {
    /// Adds a header, also where there is one of this name.
    pub(crate) fn header(mut self, name: &str, value: impl AsRef<str>) -> HttpRequest {
        self.headers.push((name.to_owned(), value.as_ref().to_owned()));
        self
    }

    /// Replaces a header, or adds it.
    pub(crate) fn set(self, name: &str, value: impl AsRef<str>) -> HttpRequest {
        self.without(name).header(name, value)
    }

    /// Removes a header.
    pub(crate) fn without(mut self, name: &str) -> HttpRequest {
        self.headers.retain(|(other, _)| !other.eq_ignore_ascii_case(name));
        self
    }

    pub(crate) fn path(mut self, path: impl Into<String>) -> HttpRequest {
        self.path = path.into();
        self
    }

    pub(crate) fn body(mut self, body: impl Into<Body>) -> HttpRequest {
        self.body = Some(body.into().0);
        self
    }

    /// The bytes of the request. `Content-Length` is added unless the test set it or `Transfer-Encoding`.
    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        let mut head = format!("{} {} HTTP/1.1\r\n", self.method, self.path);
        for (name, value) in &self.headers {
            head.push_str(&format!("{name}: {value}\r\n"));
        }
        let has = |name: &str| self.headers.iter().any(|(other, _)| other.eq_ignore_ascii_case(name));
        if let Some(body) = &self.body
            && !has("content-length")
            && !has("transfer-encoding")
        {
            head.push_str(&format!("Content-Length: {}\r\n", body.len()));
        }
        head.push_str("\r\n");
        [head.into_bytes(), self.body.clone().unwrap_or_default()].concat()
    }

    /// Sends the request on a connection of its own and waits for the head of the response.
    pub(crate) async fn send(&self) -> HttpResponse {
        self.send_on(Connection::open(self.address).await).await
    }

    /// Sends the request on a connection, and waits for the head of the response.
    pub(crate) async fn send_on(&self, mut connection: Connection) -> HttpResponse {
        connection.write(&self.to_bytes()).await;
        connection.response().await
    }
}

/// A TCP connection.
pub(crate) struct Connection {
    stream: TcpStream,
    buffer: Vec<u8>,
}

impl Connection {
    pub(crate) async fn open(address: SocketAddr) -> Connection {
        let stream = within("connecting", TcpStream::connect(address)).await.unwrap();
        stream.set_nodelay(true).unwrap();
        Connection { stream, buffer: Vec::new() }
    }

    /// Writes raw bytes. That the other side has closed is no failure here: its response may still be read.
    pub(crate) async fn write(&mut self, bytes: &[u8]) {
        // See above: a server may answer and close before it has read everything.
        let _ = within("writing", self.stream.write_all(bytes)).await;
    }

    /// Waits for the head of a response.
    pub(crate) async fn response(self) -> HttpResponse {
        match self.try_response().await {
            Some(response) => response,
            None => panic!("the server closed the connection without a response"),
        }
    }

    /// Waits for the head of a response; `None` when the server closes the connection instead.
    pub(crate) async fn try_response(mut self) -> Option<HttpResponse> {
        let end = loop {
            if let Some(at) = self.buffer.windows(4).position(|window| window == b"\r\n\r\n") {
                break at;
            }
            if !self.fill().await {
                return None;
            }
        };
        let head = String::from_utf8(self.buffer.drain(..end + 4).collect()).unwrap();
        let mut lines = head.trim_end().split("\r\n");
        let status = lines.next().unwrap().split(' ').nth(1).unwrap().parse().unwrap();
        let headers: Vec<(String, String)> = lines
            .map(|line| line.split_once(':').unwrap())
            .map(|(name, value)| (name.to_ascii_lowercase(), value.trim().to_owned()))
            .collect();
        let mut response = HttpResponse {
            status,
            headers,
            connection: self,
            left: Left::Nothing,
            body: Vec::new(),
            events: Vec::new(),
        };
        response.left = match (response.header("transfer-encoding"), response.header("content-length")) {
            _ if matches!(response.status, 204 | 304) => Left::Nothing,
            (Some(_), _) => Left::Chunks,
            (None, Some(length)) => Left::Bytes(length.parse().unwrap()),
            (None, None) => Left::UntilClose,
        };
        Some(response)
    }

    /// Returns when the server has closed the connection.
    pub(crate) async fn closed(mut self) {
        while self.fill().await {}
    }

    /// Reads more; false at the end.
    async fn fill(&mut self) -> bool {
        let mut piece = [0; 16 * 1024];
        match within("reading from the server", self.stream.read(&mut piece)).await {
            Ok(0) | Err(_) => false,
            Ok(read) => {
                self.buffer.extend_from_slice(&piece[..read]);
                true
            }
        }
    }
}

/// How much of a body is to come.
#[derive(Debug)]
enum Left {
    Nothing,
    Bytes(usize),
    Chunks,
    UntilClose,
}

/// A response whose head has arrived.
pub(crate) struct HttpResponse {
    pub(crate) status: u16,
    /// Names in lower case, in the order of arrival.
    pub(crate) headers: Vec<(String, String)>,
    connection: Connection,
    left: Left,
    body: Vec<u8>,
    events: Vec<SseEvent>,
}

impl HttpResponse {
    /// The value of a header; fails when it is there more than once.
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        let values = self.header_values(name);
        assert!(values.len() < 2, "{name} is there {} times", values.len());
        values.first().copied()
    }

    pub(crate) fn header_values(&self, name: &str) -> Vec<&str> {
        let name = name.to_ascii_lowercase();
        self.headers.iter().filter(|(other, _)| *other == name).map(|(_, value)| value.as_str()).collect()
    }

    pub(crate) fn is_stream(&self) -> bool {
        self.header("content-type").is_some_and(|kind| kind.starts_with("text/event-stream"))
    }

    /// The rest of the body, to its end.
    pub(crate) async fn bytes(&mut self) -> Vec<u8> {
        while self.piece().await {}
        std::mem::take(&mut self.body)
    }

    /// The rest of the body as text.
    pub(crate) async fn text(&mut self) -> String {
        String::from_utf8(self.bytes().await).unwrap()
    }

    /// The rest of the body as JSON.
    pub(crate) async fn json(&mut self) -> Value {
        let text = self.text().await;
        serde_json::from_str(&text).unwrap_or_else(|error| panic!("not JSON ({error}): {text:?}"))
    }

    /// The next event of a stream, a lone comment included; `None` at the end of the stream.
    pub(crate) async fn event(&mut self) -> Option<SseEvent> {
        loop {
            if let Some(end) = find_blank_line(&self.body) {
                let lines = String::from_utf8(self.body.drain(..end).collect()).unwrap();
                let event = parse_event(&lines);
                if event != SseEvent::default() {
                    return Some(event);
                }
                continue;
            }
            if !self.piece().await {
                return None;
            }
        }
    }

    /// The next event that carries a message.
    pub(crate) async fn message(&mut self) -> Option<SseEvent> {
        loop {
            let event = self.event().await?;
            if event.has_message() {
                return Some(event);
            }
        }
    }

    /// The connection, for a further request; the body must have been read.
    pub(crate) fn into_connection(self) -> Connection {
        assert!(matches!(self.left, Left::Nothing), "the body was not read to its end");
        self.connection
    }

    /// Reads a piece of the body; false at its end.
    async fn piece(&mut self) -> bool {
        match self.left {
            Left::Nothing => false,
            Left::Bytes(0) => {
                self.left = Left::Nothing;
                false
            }
            Left::Bytes(left) => {
                if self.connection.buffer.is_empty() && !self.connection.fill().await {
                    panic!("the connection ended {left} bytes before the end of the body");
                }
                let take = left.min(self.connection.buffer.len());
                self.body.extend(self.connection.buffer.drain(..take));
                self.left = Left::Bytes(left - take);
                true
            }
            Left::UntilClose => {
                if self.connection.buffer.is_empty() && !self.connection.fill().await {
                    self.left = Left::Nothing;
                    return false;
                }
                self.body.append(&mut self.connection.buffer);
                true
            }
            Left::Chunks => self.chunk().await,
        }
    }

    async fn chunk(&mut self) -> bool {
        loop {
            let buffer = &mut self.connection.buffer;
            if let Some(at) = buffer.windows(2).position(|window| window == b"\r\n") {
                let size = std::str::from_utf8(&buffer[..at]).unwrap();
                let size = usize::from_str_radix(size.split(';').next().unwrap().trim(), 16).unwrap();
                if buffer.len() >= at + 2 + size + 2 {
                    self.body.extend_from_slice(&buffer[at + 2..at + 2 + size]);
                    buffer.drain(..at + 2 + size + 2);
                    if size == 0 {
                        self.left = Left::Nothing;
                        return false;
                    }
                    return true;
                }
            }
            if !self.connection.fill().await {
                self.left = Left::Nothing;
                return false;
            }
        }
    }
}
