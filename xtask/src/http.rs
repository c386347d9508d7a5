//! A tiny HTTP/1.1 client: one request a connection, fixed-length and chunked bodies, event streams. No TLS, no proxy.

use std::fmt;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::time::Duration;

const TIMEOUT: Duration = Duration::from_secs(30);

/// An `http://HOST:PORT/PATH` address.
#[derive(Clone, Debug, Default)]
pub(crate) struct Url {
    authority: String,
    path: String,
}

impl Url {
    /// # Errors
    /// The text is not of the form `http://HOST:PORT/PATH`.
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        let rest = text.strip_prefix("http://").ok_or_else(|| format!("`{text}` is not an http:// address"))?;
        let (authority, path) = rest.split_once('/').unwrap_or((rest, ""));
        if !authority.contains(':') {
            return Err(format!("`{text}` has no port"));
        }
        Ok(Self { authority: authority.to_owned(), path: format!("/{path}") })
    }

    /// The path, with its leading slash.
    pub(crate) fn path(&self) -> &str {
        &self.path
    }
}

impl fmt::Display for Url {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "http://{}{}", self.authority, self.path)
    }
}

/// A response, read up to its end.
pub(crate) struct Response {
    /// The first line, for example `HTTP/1.1 200 OK`.
    pub(crate) status_line: String,
    /// The code in it.
    pub(crate) status: u16,
    /// Names in lower case, in the order received.
    pub(crate) headers: Vec<(String, String)>,
    /// A plain body as one message; of an event stream the data of each event that has some. Empty when there is none.
    pub(crate) messages: Vec<String>,
}

impl Response {
    /// The value of the first header of this (lower-case) name.
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
    }
}

/// Sends one POST and reads the whole response.
///
/// # Errors
/// No connection, a response that is not HTTP/1.1, or silence for 30 seconds.
pub(crate) fn post(url: &Url, headers: &[(String, String)], body: &str) -> Result<Response, String> {
    exchange(url, headers, body).map_err(|error| format!("POST {url}: {error}"))
}

fn exchange(url: &Url, headers: &[(String, String)], body: &str) -> std::io::Result<Response> {
    let mut stream = TcpStream::connect(&url.authority)?;
    stream.set_read_timeout(Some(TIMEOUT))?;
    stream.set_write_timeout(Some(TIMEOUT))?;
    let mut request = format!("POST {} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n", url.path, url.authority);
    for (name, value) in headers {
        request.push_str(&format!("{name}: {value}\r\n"));
    }
    request.push_str(&format!("Content-Length: {}\r\n\r\n{body}", body.len()));
    stream.write_all(request.as_bytes())?;

    let mut reader = BufReader::new(stream);
    let status_line = line(&mut reader)?;
    let status = status_line.split(' ').nth(1).and_then(|code| code.parse().ok());
    let status = status.ok_or_else(|| bad(&format!("`{status_line}` is not a status line")))?;
    let mut headers = Vec::new();
    loop {
        let text = line(&mut reader)?;
        if text.is_empty() {
            break;
        }
        let (name, value) = text.split_once(':').ok_or_else(|| bad(&format!("`{text}` is not a header")))?;
        headers.push((name.trim().to_ascii_lowercase(), value.trim().to_owned()));
    }
    let mut response = Response { status_line, status, headers, messages: Vec::new() };
    let body = read_body(&mut reader, &response)?;
    let stream = response.header("content-type").is_some_and(|value| value.starts_with("text/event-stream"));
    response.messages = if stream {
        event_data(&body)
    } else if body.is_empty() {
        Vec::new()
    } else {
        vec![body]
    };
    Ok(response)
}

fn read_body(reader: &mut impl BufRead, response: &Response) -> std::io::Result<String> {
    let mut body = Vec::new();
    let chunked = response.header("transfer-encoding").is_some_and(|value| value.eq_ignore_ascii_case("chunked"));
    if chunked {
        loop {
            let head = line(reader)?;
            let digits = head.split(';').next().unwrap_or_default().trim();
            let size = u64::from_str_radix(digits, 16).map_err(|_| bad(&format!("`{head}` is not a chunk size")))?;
            if size == 0 {
                while !line(reader)?.is_empty() {}
                break;
            }
            if reader.take(size).read_to_end(&mut body)? as u64 != size || !line(reader)?.is_empty() {
                return Err(bad("a chunk has not the size that it says"));
            }
        }
    } else if let Some(length) = response.header("content-length") {
        let length: u64 = length.parse().map_err(|_| bad(&format!("`{length}` is not a length")))?;
        if reader.take(length).read_to_end(&mut body)? as u64 != length {
            return Err(bad("the body ends too early"));
        }
    } else if response.status != 204 && response.status != 202 {
        reader.read_to_end(&mut body)?;
    }
    String::from_utf8(body).map_err(|_| bad("the body is not UTF-8"))
}

/// The `data` of each event that has some, several lines joined as the event stream format says.
fn event_data(body: &str) -> Vec<String> {
    let mut events = Vec::new();
    let mut data: Vec<&str> = Vec::new();
    for line in body.lines().chain([""]) {
        if line.is_empty() {
            let event = data.join("\n");
            if !event.is_empty() {
                events.push(event);
            }
            data.clear();
        } else if let Some(value) = line.strip_prefix("data:") {
            data.push(value.strip_prefix(' ').unwrap_or(value));
        }
    }
    events
}

fn line(reader: &mut impl BufRead) -> std::io::Result<String> {
    let mut text = String::new();
    if reader.take(64 * 1024).read_line(&mut text)? == 0 {
        return Err(bad("the connection closed early"));
    }
    Ok(text.trim_end_matches(['\r', '\n']).to_owned())
}

fn bad(text: &str) -> std::io::Error {
    std::io::Error::new(std::io::ErrorKind::InvalidData, text.to_owned())
}
