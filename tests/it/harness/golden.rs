//! Transcripts of what goes over the wire, byte for byte.
//!
//! A line of a transcript begins with `> ` (the client sends it and, when it is a request, waits for its answer), `>> `
//! (the client sends it and does not wait), `< ` (the server must send exactly this) or `? N` (the client waits for N
//! messages). Everything else is commentary. `<state>` stands for the last `requestState` that the server sent.
//! `UPDATE_GOLDEN=1 cargo test` writes the lines of the server anew.

use std::path::PathBuf;

use mcp::Server;
use serde_json::Value;
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};

use super::mailbox::Mailbox;
use super::reply::raw_id;
use super::within;

/// Plays a transcript against a server over lines and compares what it sends.
pub(crate) async fn check_golden(name: &str, server: &Server) {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/golden").join(format!("{name}.txt"));
    let script = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let played = play(&script, server).await;
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        std::fs::write(&path, &played).unwrap();
        return;
    }
    for (number, (want, got)) in script.lines().zip(played.lines()).enumerate() {
        assert_eq!(want, got, "{}:{}: (UPDATE_GOLDEN=1 rewrites it)", path.display(), number + 1);
    }
    assert_eq!(script.lines().count(), played.lines().count(), "{}: length", path.display());
}

async fn play(script: &str, server: &Server) -> String {
    let (reader, mut writer) = tokio::io::split(server.memory_pair());
    let mut lines = BufReader::new(reader).lines();
    let mailbox = Mailbox::new("a transcript".to_owned(), mcp::ProtocolVersion::V2025_11_25);
    let mut played = String::new();
    let mut state = String::new();
    for line in script.lines().filter(|line| !line.starts_with("< ")) {
        played.push_str(line);
        played.push('\n');
        let (message, waits) = match (line.strip_prefix("> "), line.strip_prefix(">> "), line.strip_prefix("? ")) {
            (Some(message), _, _) => (message, usize::MAX),
            (_, Some(message), _) => (message, 0),
            (_, _, Some(count)) => ("", count.parse().unwrap()),
            _ => continue,
        };
        let message = message.replace("<state>", &state);
        if !message.is_empty() {
            mailbox.note_sent(message.as_bytes());
            writer.write_all(format!("{message}\n").as_bytes()).await.unwrap();
        }
        let id =
            raw_id(&message).filter(|_| serde_json::from_str::<Value>(&message).is_ok_and(|m| m["method"].is_string()));
        let mut left = if waits == usize::MAX && id.is_none() { 0 } else { waits };
        while left > 0 {
            let got = within(&format!("an answer to {line}"), lines.next_line()).await.unwrap().expect("a line");
            mailbox.push(&got, None, 0);
            let value: Value = serde_json::from_str(&got).unwrap();
            if let Some(sealed) = value["result"]["requestState"].as_str() {
                state = sealed.to_owned();
            }
            let shown = if state.is_empty() { got.clone() } else { got.replace(&state, "<state>") };
            played.push_str(&format!("< {shown}\n"));
            let is_answer = value["method"].is_null() && (raw_id(&got) == id || value["id"].is_null());
            left = if waits == usize::MAX { usize::from(!is_answer) } else { left - 1 };
        }
    }
    mailbox.check();
    played
}
