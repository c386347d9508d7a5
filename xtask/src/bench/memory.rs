//! The memory of what a server keeps open.

use std::process::Command;

use super::Programs;
use super::load;
use super::report::{Report, Wanted};
use super::server::{RAISE_LIMIT, Server};

const STREAMS: u64 = 2000;
/// Files that a process opens besides its streams.
const SPARE: u64 = 100;
const WANTED_BYTES: f64 = 16.0 * 1024.0;

/// Measures listen streams of ours, and idle connections of both; each on a server of its own, since memory that was
/// used once is not given back.
pub(super) fn measure(programs: &Programs, report: &mut Report) -> Result<(), String> {
    let streams = affordable(report)?;
    let count = streams.to_string();
    let grown = |server: &Server, mode: &str, option: &str| {
        let pid = server.pid().to_string();
        let answer = load::run(programs, &[mode, server.url(), option, &count, "--pid", &pid])?;
        load::number(&answer, "per_stream_bytes")
    };
    report.section(&format!("memory, {streams} open"), "floor", "ours");
    let listen = grown(&Server::echo(programs, &[], &[])?, "listen", "--streams")?;
    report.value("bytes per listen stream", listen, Wanted::AtMost(WANTED_BYTES));
    let floor = grown(&Server::floor(programs, &[])?, "idle", "--connections")?;
    let ours = grown(&Server::echo(programs, &[], &[])?, "idle", "--connections")?;
    report.ratio("bytes per idle connection", (floor, ours), Wanted::Nothing);
    Ok(())
}

/// As many streams as the limit on open files allows.
fn affordable(report: &mut Report) -> Result<u64, String> {
    let output = Command::new("sh").args(["-c", RAISE_LIMIT, "sh", "sh", "-c", "ulimit -n"]).output();
    let output = output.map_err(|error| format!("sh: {error}"))?;
    let text = String::from_utf8_lossy(&output.stdout);
    // The shell may also answer "unlimited".
    let limit = text.trim().parse().unwrap_or(u64::MAX);
    let streams = STREAMS.min(limit.saturating_sub(SPARE));
    if streams == 0 {
        return Err(format!("the limit of {limit} open files leaves none for streams"));
    }
    if streams < STREAMS {
        report.note(&format!("{streams} instead of {STREAMS} streams: the limit is {limit} open files"));
    }
    Ok(streams)
}
