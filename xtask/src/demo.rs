//! `cargo xtask demo`: the C++ weather server, called over HTTP the way clients of both eras call it, everything shown.
//!
//! Without `--once` the server takes over this very process (exec), so that Ctrl-C, or a signal from whoever started the
//! demo, reaches the server itself and nothing is left behind. A helper process, this program again, makes the calls: it
//! reads the server's stderr, passes it on, and ends when the server does.

use std::io::{BufRead, BufReader};
use std::path::Path;

use serde_json::{Value, json};

use crate::http::{self, Response, Url};
use crate::{cmake, server};

/// The hidden command that runs [`client`].
pub(crate) const CLIENT_COMMAND: &str = "demo-client";

const MODERN: &str = "2026-07-28";
const LEGACY: &str = "2025-11-25";
const CITY: &str = "Zürich";
/// How much of a long body is shown.
const SHOWN: usize = 1200;

/// # Errors
/// The build failed, the server did not start, or a call was not answered as it should be.
pub(crate) fn run(args: &[String]) -> Result<(), String> {
    let once = match args {
        [] => false,
        [only] if only == "--once" => true,
        _ => return Err("demo takes no option but --once".into()),
    };
    let [program] = cmake::programs("debug", ["weather_server"])?;
    if once {
        let server = server::Server::start(&program)?;
        return calls(server.url());
    }
    serve(&program)
}

/// Reads the server's stderr on stdin and makes the calls as soon as it listens. Passes on everything that it reads.
///
/// # Errors
/// The server ended before it listened, or a call failed; then the server, the process that started us, is ended too.
pub(crate) fn client() -> Result<(), String> {
    let mut lines = BufReader::new(std::io::stdin()).split(b'\n').map_while(Result::ok);
    let mut outcome = Err("the server ended before it listened".to_owned());
    for line in lines.by_ref() {
        let line = String::from_utf8_lossy(&line);
        eprintln!("{line}");
        if let Some(url) = server::ready_url(&line) {
            outcome = calls(&url).map(|()| url).inspect_err(|_| stop_server());
            break;
        }
    }
    if let Ok(url) = &outcome {
        println!("\nThe server keeps serving at {url}. Ctrl-C ends it.");
    }
    for line in lines {
        eprintln!("{}", String::from_utf8_lossy(&line));
    }
    outcome.map(drop)
}

#[cfg(unix)]
fn serve(program: &Path) -> Result<(), String> {
    use std::os::unix::process::CommandExt;
    use std::process::{Command, Stdio};

    let this = std::env::current_exe().map_err(|error| format!("cannot find this program: {error}"))?;
    let mut client = Command::new(this)
        .arg(CLIENT_COMMAND)
        .stdin(Stdio::piped())
        // Out of the reach of Ctrl-C: it reads the server's last words, then ends.
        .process_group(0)
        .spawn()
        .map_err(|error| format!("cannot start the client: {error}"))?;
    let stdin = client.stdin.take().ok_or("the client has no stdin")?;
    let error = server::http_command(program).stderr(Stdio::from(stdin)).exec();
    Err(format!("cannot start {}: {error}", program.display()))
}

#[cfg(not(unix))]
fn serve(program: &Path) -> Result<(), String> {
    let server = server::Server::start(program)?;
    calls(server.url())?;
    println!("\nThe server keeps serving at {}. Enter ends it.", server.url());
    let mut line = String::new();
    std::io::stdin().read_line(&mut line).map(drop).map_err(|error| error.to_string())
}

#[cfg(unix)]
fn stop_server() {
    let server = std::os::unix::process::parent_id().to_string();
    // It may have ended by itself.
    let _ = std::process::Command::new("kill").args(["-KILL", &server]).status();
}

#[cfg(not(unix))]
fn stop_server() {}

fn calls(url: &Url) -> Result<(), String> {
    title("A client of revision 2026-07-28: every request stands alone");
    modern(url, 1, "server/discover", json!({}))?;
    modern(url, 2, "tools/list", json!({}))?;
    let answer = modern(url, 3, "tools/call", weather())?;
    expect_text(&answer, CITY)?;

    title("A client of revision 2025-11-25: handshake, session, call");
    let params = json!({
        "protocolVersion": LEGACY,
        "capabilities": {},
        "clientInfo": {"name": "xtask-demo", "version": env!("CARGO_PKG_VERSION")},
    });
    let mut headers = common_headers();
    let (response, _) = exchange(url, &headers, &request(1, "initialize", &params))?;
    headers.push(("MCP-Protocol-Version".into(), LEGACY.into()));
    if let Some(session) = response.header("mcp-session-id") {
        headers.push(("Mcp-Session-Id".into(), session.into()));
    }
    exchange(url, &headers, &json!({"jsonrpc": "2.0", "method": "notifications/initialized"}))?;
    let (_, answer) = exchange(url, &headers, &request(2, "tools/call", &weather()))?;
    expect_text(&answer, CITY)
}

fn weather() -> Value {
    json!({"name": "get_weather", "arguments": {"location": CITY}})
}

fn modern(url: &Url, id: u32, method: &str, mut params: Value) -> Result<Value, String> {
    let mut headers = common_headers();
    headers.push(("MCP-Protocol-Version".into(), MODERN.into()));
    headers.push(("Mcp-Method".into(), method.into()));
    if let Some(name) = params.get("name").and_then(Value::as_str) {
        headers.push(("Mcp-Name".into(), name.into()));
    }
    if let Some(params) = params.as_object_mut() {
        let meta = json!({
            "io.modelcontextprotocol/protocolVersion": MODERN,
            "io.modelcontextprotocol/clientInfo": {"name": "xtask-demo", "version": env!("CARGO_PKG_VERSION")},
            "io.modelcontextprotocol/clientCapabilities": {},
        });
        params.insert("_meta".into(), meta);
    }
    Ok(exchange(url, &headers, &request(id, method, &params))?.1)
}

fn common_headers() -> Vec<(String, String)> {
    vec![
        ("Content-Type".into(), "application/json".into()),
        ("Accept".into(), "application/json, text/event-stream".into()),
    ]
}

fn request(id: u32, method: &str, params: &Value) -> Value {
    json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params})
}

/// Sends the message and shows both ways. Gives the `result` of the answer, `null` for a notification.
fn exchange(url: &Url, headers: &[(String, String)], message: &Value) -> Result<(Response, Value), String> {
    let body = message.to_string();
    println!("\n--> POST {} HTTP/1.1", url.path());
    for (name, value) in headers {
        println!("    {name}: {value}");
    }
    println!("    {body}");
    let response = http::post(url, headers, &body)?;
    println!("<-- {}", response.status_line);
    for (name, value) in &response.headers {
        println!("    {name}: {value}");
    }
    for message in &response.messages {
        println!("    {}", shortened(message));
    }
    if !(200..300).contains(&response.status) {
        return Err(format!("the server answered {}", response.status_line));
    }
    let Some(id) = message.get("id") else { return Ok((response, Value::Null)) };
    let mut answers = response.messages.iter().filter_map(|text| serde_json::from_str::<Value>(text).ok());
    let answer = answers.rfind(|answer| answer.get("id") == Some(id));
    let mut answer = answer.ok_or("the response has no answer to the request")?;
    match answer.get_mut("result").map(Value::take) {
        Some(result) => Ok((response, result)),
        None => Err(format!("the server answered with an error: {answer}")),
    }
}

fn expect_text(result: &Value, wanted: &str) -> Result<(), String> {
    let text = first_text(result);
    if text.contains(wanted) { Ok(()) } else { Err(format!("the tool answered `{text}`, without `{wanted}`")) }
}

fn first_text(result: &Value) -> &str {
    result.pointer("/content/0/text").and_then(Value::as_str).unwrap_or_default()
}

fn shortened(text: &str) -> String {
    if text.len() <= SHOWN {
        return text.to_owned();
    }
    let end = (0..=SHOWN).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0);
    format!("{} … and {} bytes more", &text[..end], text.len() - end)
}

fn title(text: &str) {
    println!("\n== {text} ==");
}
