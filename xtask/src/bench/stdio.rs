//! `tools/call` over the standard streams beside the bare line loop.

use serde_json::Value;

use super::load;
use super::report::{Report, Wanted};
use super::rounds::{alternate, median};
use super::{Options, Programs};

/// Requests in flight in the pipelined runs.
const DEPTH: &str = "64";

/// One kind of run and the figures read from it.
struct Kind {
    title: &'static str,
    args: &'static [&'static str],
    /// Runs beyond the wanted rounds, for figures of short runs.
    times: usize,
    figures: &'static [(&'static str, &'static str, Wanted)],
}

const KINDS: [Kind; 5] = [
    Kind {
        title: "stdio, one in flight, 100 B",
        args: &["--requests", "20000", "--payload", "100"],
        times: 1,
        figures: &[
            ("round trip p50 us", "p50_us", Wanted::AtMost(1.5)),
            ("round trip p99 us", "p99_us", Wanted::Nothing),
        ],
    },
    Kind {
        title: "stdio, one in flight, 65536 B",
        args: &["--requests", "2000", "--payload", "65536"],
        times: 1,
        figures: &[("round trip p50 us", "p50_us", Wanted::Nothing)],
    },
    Kind {
        title: "stdio, 64 in flight, 100 B",
        args: &["--requests", "100000", "--payload", "100", "--pipelined", DEPTH],
        times: 1,
        figures: &[
            ("requests per second", "rps", Wanted::AtLeast(0.5)),
            ("peak RSS KiB", "peak_rss_kib", Wanted::Nothing),
        ],
    },
    Kind {
        title: "stdio, 64 in flight, 65536 B",
        args: &["--requests", "4000", "--payload", "65536", "--pipelined", DEPTH],
        times: 1,
        figures: &[("requests per second", "rps", Wanted::Nothing), ("peak RSS KiB", "peak_rss_kib", Wanted::Nothing)],
    },
    Kind {
        title: "stdio, start",
        args: &["--requests", "1", "--payload", "100"],
        times: 5,
        figures: &[("start to first reply us", "start_us", Wanted::AtMost(1.5))],
    },
];

/// Measures every kind of run.
pub(super) fn measure(programs: &Programs, options: &Options, report: &mut Report) -> Result<(), String> {
    let floor = [programs.floor_stdio.to_string_lossy().into_owned()];
    let ours = [programs.echo.to_string_lossy().into_owned(), "--stdio".to_owned()];
    for kind in &KINDS {
        eprintln!("  {}", kind.title);
        let ask = |command: &[String]| -> Result<Value, String> {
            let command = command.iter().map(String::as_str);
            let args: Vec<&str> = ["stdio"].iter().chain(kind.args).copied().chain(["--"]).chain(command).collect();
            load::run(programs, &args)
        };
        ask(&floor)?;
        ask(&ours)?;
        let (left, right) = alternate(options.rounds * kind.times, || ask(&floor), || ask(&ours))?;
        report.section(kind.title, "floor", "ours");
        for (what, name, wanted) in kind.figures {
            for answer in left.iter().chain(&right) {
                load::number(answer, name)?;
            }
            let figure = |answer: &Value| load::number(answer, name).unwrap_or_default();
            report.ratio(what, (median(&left, figure), median(&right, figure)), *wanted);
        }
    }
    Ok(())
}
