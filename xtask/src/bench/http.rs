//! `tools/call` over HTTP: throughput, CPU time and latency beside the bare server.

use super::load::{self, Round};
use super::report::{Report, Wanted};
use super::rounds::{alternate, median};
use super::server::Server;
use super::{Options, Programs};

struct Shape {
    connections: &'static str,
    payload: &'static str,
    /// Of the requests that one second of CPU time serves, beside the bare server.
    wanted: Wanted,
}

const SHAPES: [Shape; 4] = [
    Shape { connections: "32", payload: "100", wanted: Wanted::AtLeast(0.85) },
    Shape { connections: "32", payload: "65536", wanted: Wanted::AtLeast(1.0) },
    Shape { connections: "1", payload: "100", wanted: Wanted::AtLeast(0.85) },
    Shape { connections: "1", payload: "65536", wanted: Wanted::AtLeast(1.0) },
];

/// Measures every shape.
pub(super) fn measure(programs: &Programs, options: &Options, report: &mut Report) -> Result<(), String> {
    let floor = Server::floor(programs, &[])?;
    let ours = Server::echo(programs, &[], &[])?;
    for shape in &SHAPES {
        let title = format!("HTTP, {} connections, {} B", shape.connections, shape.payload);
        eprintln!("  {title}");
        let seconds = options.seconds.to_string();
        let args = ["--connections", shape.connections, "--payload", shape.payload, "--seconds"];
        let ask = |server: &Server, seconds: &str| load::http(programs, server, &[&args[..], &[seconds]].concat());
        ask(&floor, "1")?;
        ask(&ours, "1")?;
        let (left, right) = alternate(options.rounds, || ask(&floor, &seconds), || ask(&ours, &seconds))?;
        report.section(&title, "floor", "ours");
        let both = |figure: fn(&Round) -> f64| (median(&left, figure), median(&right, figure));
        report.ratio("requests per CPU second", both(|round| 1e6 / round.cpu_us), shape.wanted);
        report.ratio("CPU us per request", both(|round| round.cpu_us), Wanted::Nothing);
        report.ratio("requests per second", both(|round| round.rps), Wanted::Nothing);
        report.ratio("p50 us", both(|round| round.p50_us), Wanted::Nothing);
        report.ratio("p99 us", both(|round| round.p99_us), Wanted::Nothing);
    }
    Ok(())
}
