//! Runs the load generator and reads its line.

use std::process::Command;

use serde_json::Value;

use super::Programs;
use super::cpu::Cpu;
use super::server::{RAISE_LIMIT, Server};

/// What one round over HTTP showed.
#[derive(Clone, Copy)]
pub(super) struct Round {
    pub(super) rps: f64,
    pub(super) p50_us: f64,
    pub(super) p99_us: f64,
    pub(super) cpu_us: f64,
    pub(super) response_bytes: f64,
}

/// Runs `load` with `args`; its answer, or what went wrong.
///
/// `load` bounds its own time.
pub(super) fn run(programs: &Programs, args: &[&str]) -> Result<Value, String> {
    let mut command = Command::new("sh");
    command.args(["-c", RAISE_LIMIT, "sh"]).arg(&programs.load).args(args);
    let output = command.output().map_err(|error| format!("load: {error}"))?;
    let errors = String::from_utf8_lossy(&output.stderr);
    let failed = |why: &str| format!("load {}: {why} {}", args.join(" "), errors.trim());
    if !output.status.success() {
        return Err(failed("failed:"));
    }
    let value: Value = serde_json::from_slice(&output.stdout).map_err(|error| failed(&error.to_string()))?;
    match value.get("errors").and_then(Value::as_u64) {
        None | Some(0) => Ok(value),
        Some(count) => Err(failed(&format!("{count} errors:"))),
    }
}

/// One round of `load http` on `server`, with the CPU time that the server used for it.
pub(super) fn http(programs: &Programs, server: &Server, args: &[&str]) -> Result<Round, String> {
    let before = Cpu::of(server.pid())?;
    let answer = run(programs, &[&["http", server.url()], args].concat())?;
    let used_ns = Cpu::of(server.pid())?.since(&before);
    let requests = number(&answer, "requests")?;
    Ok(Round {
        rps: number(&answer, "rps")?,
        p50_us: number(&answer, "p50_us")?,
        p99_us: number(&answer, "p99_us")?,
        cpu_us: used_ns as f64 / 1000.0 / requests.max(1.0),
        response_bytes: number(&answer, "response_bytes")?,
    })
}

/// A number of the answer.
pub(super) fn number(answer: &Value, name: &str) -> Result<f64, String> {
    answer.get(name).and_then(Value::as_f64).ok_or_else(|| format!("load printed no {name}"))
}
