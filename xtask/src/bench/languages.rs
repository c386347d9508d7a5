//! The same tool in Rust, C and C++ over HTTP: what crossing the border costs.

use std::path::Path;

use super::load::{self, Round};
use super::report::{Report, Wanted};
use super::rounds::{alternate, median};
use super::server::Server;
use super::{Options, Programs};

struct Case<'a> {
    name: &'a str,
    program: &'a Path,
    flags: &'a [&'a str],
    /// Of the requests that one second of CPU time serves, beside Rust.
    wanted: f64,
}

/// Measures C and C++, each inline and on the handler pool, beside the Rust example.
pub(super) fn measure(programs: &Programs, options: &Options, report: &mut Report) -> Result<(), String> {
    let (c, cpp) = (programs.echo_c.as_path(), programs.echo_cpp.as_path());
    let cases = [
        Case { name: "C, inline", program: c, flags: &[], wanted: 0.9 },
        Case { name: "C++, inline", program: cpp, flags: &[], wanted: 0.8 },
        Case { name: "C, handler pool", program: c, flags: &["--pool"], wanted: 0.6 },
        Case { name: "C++, handler pool", program: cpp, flags: &["--pool"], wanted: 0.6 },
    ];
    let rust = Server::echo(programs, &[], &[])?;
    for case in &cases {
        let server = Server::example(case.program, &[], case.flags)?;
        for payload in ["100", "65536"] {
            let title = format!("{}, {payload} B", case.name);
            eprintln!("  {title}");
            let seconds = options.seconds.to_string();
            let args = ["--connections", "32", "--payload", payload, "--seconds"];
            let ask = |server: &Server, seconds: &str| load::http(programs, server, &[&args[..], &[seconds]].concat());
            ask(&rust, "1")?;
            ask(&server, "1")?;
            let (left, right) = alternate(options.rounds, || ask(&rust, &seconds), || ask(&server, &seconds))?;
            report.section(&title, "Rust", "ours");
            let both = |figure: fn(&Round) -> f64| (median(&left, figure), median(&right, figure));
            let wanted = if payload == "100" { Wanted::AtLeast(case.wanted) } else { Wanted::Nothing };
            report.ratio("requests per CPU second", both(|round| 1e6 / round.cpu_us), wanted);
            report.ratio("requests per second", both(|round| round.rps), Wanted::Nothing);
            report.ratio("p50 us", both(|round| round.p50_us), Wanted::Nothing);
            report.ratio("p99 us", both(|round| round.p99_us), Wanted::Nothing);
        }
    }
    Ok(())
}
