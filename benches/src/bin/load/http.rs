//! Keep-alive HTTP/1.1 connections over plain sockets, each with one request in flight.

use std::time::{Duration, Instant};

use libmcp_benches::histogram::Histogram;
use libmcp_benches::message::{self, Message};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::task::JoinSet;
use tokio::time::timeout;

use crate::args::{Args, Url};

/// How long a run may last beyond its seconds, or in all when it counts requests.
const GRACE: Duration = Duration::from_secs(10);
const LONGEST: Duration = Duration::from_secs(300);
const READ: usize = 16 * 1024;
const ID_SPACE: u64 = 1_000_000;

/// When a connection stops asking.
#[derive(Clone, Copy)]
enum Until {
    Moment(Instant),
    Requests(u64),
}

/// One connection and its request.
pub(crate) struct Connection {
    stream: TcpStream,
    message: Message,
    request: Vec<u8>,
    received: Vec<u8>,
}

/// What one connection saw.
#[derive(Default)]
struct Seen {
    latencies: Histogram,
    errors: u64,
    first_error: Option<String>,
    response_bytes: usize,
}

/// Runs the load that `args` describes.
pub(crate) fn run(args: &Args) -> Result<Value, String> {
    let url = args.url()?;
    let connections = args.count("connections", 1)?.max(1);
    let message = match args.text("method").unwrap_or("tools/call") {
        "tools/call" => {
            let text = message::text(args.count("payload", 100)?);
            let tool = args.text("path-name").unwrap_or("echo");
            if args.text("as-task").is_some() { Message::task(tool, text) } else { Message::call(tool, text) }
        }
        "tools/list" => Message::list(),
        other => return Err(format!("--method: {other} is not supported")),
    };
    let requests = args.number("requests")?;
    let seconds = args.number("seconds")?.unwrap_or(2);
    let limit = requests.map_or(Duration::from_secs(seconds) + GRACE, |_| LONGEST);
    runtime()?.block_on(async {
        let load = spread(&url, &message, connections, requests, seconds);
        timeout(limit, load).await.map_err(|_| "the server did not answer in time".to_owned())?
    })
}

/// The runtime of the generator: one thread.
pub(crate) fn runtime() -> Result<tokio::runtime::Runtime, String> {
    tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(|error| error.to_string())
}

async fn spread(
    url: &Url,
    message: &Message,
    connections: usize,
    requests: Option<u64>,
    seconds: u64,
) -> Result<Value, String> {
    let mut open = Vec::with_capacity(connections);
    for _ in 0..connections {
        open.push(Connection::open(url, message.clone()).await?);
    }
    let started = Instant::now();
    let mut tasks = JoinSet::new();
    for (at, connection) in open.into_iter().enumerate() {
        let (at, all) = (at as u64, connections as u64);
        let until = match requests {
            Some(count) => Until::Requests(count / all + u64::from(at < count % all)),
            None => Until::Moment(started + Duration::from_secs(seconds)),
        };
        tasks.spawn(connection.drive(at * ID_SPACE, until));
    }
    let mut seen = Seen::default();
    while let Some(one) = tasks.join_next().await {
        seen.merge(one.map_err(|error| error.to_string())?);
    }
    seen.report(started.elapsed())
}

impl Seen {
    fn merge(&mut self, other: Self) {
        self.latencies.merge(&other.latencies);
        self.errors += other.errors;
        self.first_error = self.first_error.take().or(other.first_error);
        self.response_bytes = self.response_bytes.max(other.response_bytes);
    }

    fn failed(&mut self, error: String) {
        self.errors += 1;
        self.first_error.get_or_insert(error);
    }

    fn report(self, elapsed: Duration) -> Result<Value, String> {
        let requests = self.latencies.samples();
        if let Some(error) = self.first_error {
            eprintln!("load: {} errors, the first: {error}", self.errors);
        }
        Ok(json!({
            "requests": requests,
            "seconds": elapsed.as_secs_f64(),
            "rps": requests as f64 / elapsed.as_secs_f64(),
            "p50_us": self.latencies.percentile_us(50),
            "p99_us": self.latencies.percentile_us(99),
            "errors": self.errors,
            "response_bytes": self.response_bytes,
        }))
    }
}

impl Connection {
    /// Connects; the server is not asked yet.
    pub(crate) async fn open(url: &Url, message: Message) -> Result<Self, String> {
        let stream = TcpStream::connect(&url.authority).await;
        let stream = stream.map_err(|error| format!("{}: {error}", url.authority))?;
        stream.set_nodelay(true).map_err(|error| error.to_string())?;
        let request = message.http(&url.authority, &url.path);
        Ok(Self { stream, message, request, received: Vec::with_capacity(READ) })
    }

    async fn drive(mut self, first_id: u64, until: Until) -> Seen {
        let mut seen = Seen::default();
        let mut count = 0;
        let mut started = Instant::now();
        loop {
            match until {
                Until::Moment(end) if started >= end => break,
                Until::Requests(wanted) if count >= wanted => break,
                _ => {}
            }
            self.message.set_id(&mut self.request, 0, first_id + count);
            let body = match self.round_trip().await {
                Ok(body) => body,
                Err(error) => {
                    seen.failed(error);
                    break;
                }
            };
            let ended = Instant::now();
            seen.latencies.record(ended - started);
            started = ended;
            if let Err(error) = self.verify(body, count, &mut seen.response_bytes) {
                seen.failed(error);
                break;
            }
            count += 1;
        }
        seen
    }

    /// Sends the request and reads the reply; answers where its body begins in the received bytes.
    pub(crate) async fn round_trip(&mut self) -> Result<usize, String> {
        self.send().await?;
        let (body, length) = loop {
            self.receive().await?;
            if let Some(found) = head(&self.received)? {
                break found;
            }
        };
        self.received.reserve((body + length).saturating_sub(self.received.len()));
        while self.received.len() < body + length {
            self.receive().await?;
        }
        if self.received.len() > body + length {
            return Err("more bytes than Content-Length says".to_owned());
        }
        Ok(body)
    }

    /// Sends the request.
    pub(crate) async fn send(&mut self) -> Result<(), String> {
        self.received.clear();
        self.stream.write_all(&self.request).await.map_err(|error| error.to_string())
    }

    /// Reads what the server sent; fails at the end of the connection.
    pub(crate) async fn receive(&mut self) -> Result<&[u8], String> {
        match self.stream.read_buf(&mut self.received).await {
            Ok(0) => Err("the server closed the connection".to_owned()),
            Ok(_) => Ok(&self.received),
            Err(error) => Err(error.to_string()),
        }
    }

    /// Checks the whole of the first reply, and that each later one has its length.
    fn verify(&self, body: usize, count: u64, length: &mut usize) -> Result<(), String> {
        let reply = self.received.get(body..).unwrap_or_default();
        if count == 0 {
            *length = reply.len();
            self.message.check(reply)
        } else if reply.len() == *length {
            Ok(())
        } else {
            Err(format!("a reply of {} bytes after one of {length}", reply.len()))
        }
    }
}

/// Where the body begins and how long it is, once the head is complete.
fn head(received: &[u8]) -> Result<Option<(usize, usize)>, String> {
    let Some(end) = received.windows(4).position(|four| four == b"\r\n\r\n") else {
        return Ok(None);
    };
    let head = received.get(..end).unwrap_or_default();
    let wrong = |what: &str| format!("{what}: {}", String::from_utf8_lossy(head));
    if head.get(..12) != Some(b"HTTP/1.1 200") {
        return Err(wrong("not a 200"));
    }
    let name = b"\r\ncontent-length:";
    let at = head.windows(name.len()).position(|part| part.eq_ignore_ascii_case(name));
    let value = at.and_then(|at| head.get(at + name.len()..)).ok_or_else(|| wrong("no Content-Length"))?;
    let digits = value.trim_ascii_start().iter().take_while(|byte| byte.is_ascii_digit());
    let length = digits.fold(0_usize, |sum, digit| sum.saturating_mul(10).saturating_add((digit - b'0').into()));
    Ok(Some((end + 4, length)))
}
