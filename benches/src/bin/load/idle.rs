//! The memory of what a server keeps open: listen streams and idle connections.

use std::time::Duration;

use libmcp_benches::message::{self, Message};
use serde_json::{Value, json};
use tokio::time::timeout;

use crate::args::{Args, Url};
use crate::http::{self, Connection};
use crate::proc;

const LONGEST: Duration = Duration::from_secs(60);
const ACKNOWLEDGED: &[u8] = b"notifications/subscriptions/acknowledged";

/// Opens listen streams, waits for the acknowledgement of each and tells what the server's memory grew by.
pub(crate) fn listen(args: &Args) -> Result<Value, String> {
    measure(args, "streams", &Message::listen())
}

/// Makes one call on each connection and tells what the server's memory grew by.
pub(crate) fn connections(args: &Args) -> Result<Value, String> {
    measure(args, "connections", &Message::call("echo", message::text(100)))
}

fn measure(args: &Args, what: &str, message: &Message) -> Result<Value, String> {
    let url = args.url()?;
    let pid = args.number("pid")?.ok_or("--pid is needed")?;
    let count = args.count(what, 2000)?.max(1);
    http::runtime()?.block_on(async {
        let all = open(&url, message, pid, count);
        let (before, after) = timeout(LONGEST, all).await.map_err(|_| "the server did not answer in time")??;
        Ok(json!({
            what: count,
            "rss_before_kib": before,
            "rss_after_kib": after,
            "per_stream_bytes": after.saturating_sub(before) * 1024 / count as u64,
        }))
    })
}

/// Opens everything, reads the memory and closes everything.
async fn open(url: &Url, message: &Message, pid: u64, count: usize) -> Result<(u64, u64), String> {
    // What a server sets up at its first request belongs to none of the streams.
    settle(url, message).await?;
    let before = proc::status_kib(pid, "VmRSS")?;
    let mut kept = Vec::with_capacity(count);
    for at in 0..count {
        kept.push(settle(url, message).await.map_err(|error| format!("after {at}: {error}"))?);
    }
    let after = proc::status_kib(pid, "VmRSS")?;
    drop(kept);
    Ok((before, after))
}

/// Opens one connection and brings it to rest.
async fn settle(url: &Url, message: &Message) -> Result<Connection, String> {
    let mut connection = Connection::open(url, message.clone()).await?;
    if message.is_listen() {
        connection.send().await?;
        while !acknowledged(connection.receive().await?)? {}
    } else {
        connection.round_trip().await?;
    }
    Ok(connection)
}

fn acknowledged(received: &[u8]) -> Result<bool, String> {
    let status = received.get(..12).unwrap_or_default();
    if !status.is_empty() && status != b"HTTP/1.1 200" {
        return Err(format!("not a 200: {}", String::from_utf8_lossy(received)));
    }
    if received.len() > 16 * 1024 {
        return Err("no acknowledgement in 16 KiB".to_owned());
    }
    Ok(received.windows(ACKNOWLEDGED.len()).any(|part| part == ACKNOWLEDGED))
}
