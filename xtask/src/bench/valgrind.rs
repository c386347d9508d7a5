//! Instructions and allocations per request, which unlike times do not depend on the machine's mood.
//!
//! Each server runs twice, with few requests and with many; the difference belongs to the requests alone.

use std::process::{Command, Stdio};

use super::Programs;
use super::load;
use super::report::{Report, Wanted};
use super::server::Server;

const FEW: u64 = 200;
const MANY: u64 = 1200;

const CALLGRIND: [&str; 4] = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", "--fair-sched=try"];
const MEMCHECK: [&str; 5] =
    ["valgrind", "--tool=memcheck", "--leak-check=no", "--undef-value-errors=no", "--fair-sched=try"];

/// Measures both payloads on both sides; says so when valgrind is not installed.
pub(super) fn measure(programs: &Programs, report: &mut Report) -> Result<(), String> {
    let version = Command::new("valgrind").arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
    if !version.is_ok_and(|status| status.success()) {
        report.note("Instructions and allocations were not counted: valgrind is not installed.");
        return Ok(());
    }
    for payload in ["100", "65536"] {
        let title = format!("HTTP under valgrind, {payload} B");
        eprintln!("  {title}");
        let start_floor = |wrapper: &[&str]| Server::floor(programs, wrapper);
        let start_ours = |wrapper: &[&str]| Server::echo(programs, wrapper, &[]);
        let floor = Counts::take(programs, payload, &start_floor)?;
        let ours = Counts::take(programs, payload, &start_ours)?;
        report.section(&title, "floor", "ours");
        report.ratio("instructions per request", (floor.instructions, ours.instructions), Wanted::Nothing);
        report.ratio("allocations per request", (floor.allocations, ours.allocations), Wanted::Nothing);
        report.ratio("bytes allocated per request", (floor.bytes, ours.bytes), Wanted::Nothing);
    }
    Ok(())
}

/// What one request costs.
struct Counts {
    instructions: f64,
    allocations: f64,
    bytes: f64,
}

type Start<'a> = &'a dyn Fn(&[&str]) -> Result<Server, String>;

impl Counts {
    fn take(programs: &Programs, payload: &str, start: Start<'_>) -> Result<Self, String> {
        let [instructions] = per_request(programs, payload, start, &CALLGRIND, instructions)?;
        let [allocations, bytes] = per_request(programs, payload, start, &MEMCHECK, heap_usage)?;
        Ok(Self { instructions, allocations, bytes })
    }
}

/// The difference between two runs under `wrapper`, divided by the difference of their requests.
fn per_request<const N: usize>(
    programs: &Programs,
    payload: &str,
    start: Start<'_>,
    wrapper: &[&str],
    parse: fn(&str) -> Option<[f64; N]>,
) -> Result<[f64; N], String> {
    let totals = |requests: u64| {
        let server = start(wrapper)?;
        let requests = requests.to_string();
        load::run(programs, &["http", server.url(), "--requests", &requests, "--payload", payload])?;
        let lines = server.terminate()?;
        let found = lines.iter().find_map(|line| parse(line));
        found.ok_or_else(|| format!("no totals in the output of {}", wrapper.join(" ")))
    };
    let (few, mut many) = (totals(FEW)?, totals(MANY)?);
    for (many, few) in many.iter_mut().zip(few) {
        *many = (*many - few) / (MANY - FEW) as f64;
    }
    Ok(many)
}

/// `==1== Collected : 5542910`
fn instructions(line: &str) -> Option<[f64; 1]> {
    let (_, count) = line.split_once("Collected :")?;
    Some([number(count)?])
}

/// `==1==   total heap usage: 3,571 allocs, 3,497 frees, 2,317,647 bytes allocated`
fn heap_usage(line: &str) -> Option<[f64; 2]> {
    let (_, usage) = line.split_once("total heap usage:")?;
    let (allocations, rest) = usage.split_once("allocs,")?;
    let (_, bytes) = rest.split_once("frees,")?;
    Some([number(allocations)?, number(bytes.trim_end_matches("bytes allocated"))?])
}

fn number(text: &str) -> Option<f64> {
    text.trim().replace(',', "").parse().ok()
}

#[cfg(test)]
mod tests;
