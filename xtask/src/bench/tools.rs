//! Whether the number of tools matters to a call, and to the first page of the list.

use super::load::{self, Round};
use super::report::{Report, Wanted};
use super::rounds::{alternate, median};
use super::server::Server;
use super::{Options, Programs};

const FEW: &str = "10";
const MANY: &str = "100000";
/// The noise between two runs of the same server.
const FLAT: Wanted = Wanted::AtMost(1.15);

/// Measures a server with few tools beside one with many.
pub(super) fn measure(programs: &Programs, options: &Options, report: &mut Report) -> Result<(), String> {
    let few = Server::echo(programs, &[], &["--extra-tools", FEW])?;
    let many = Server::echo(programs, &[], &["--extra-tools", MANY])?;
    let seconds = options.seconds.to_string();
    let compare = |args: &[&str]| {
        let ask =
            |server: &Server, seconds: &str| load::http(programs, server, &[args, &["--seconds", seconds]].concat());
        ask(&few, "1")?;
        ask(&many, "1")?;
        alternate(options.rounds, || ask(&few, &seconds), || ask(&many, &seconds))
    };
    let columns = (format!("{FEW} tools"), format!("{MANY} tools"));

    let (left, right) = compare(&["--connections", "32", "--payload", "100"])?;
    let both = |figure: fn(&Round) -> f64| (median(&left, figure), median(&right, figure));
    report.section("tools/call, 32 connections, 100 B", &columns.0, &columns.1);
    report.ratio("CPU us per request", both(|round| round.cpu_us), FLAT);
    report.ratio("p50 us", both(|round| round.p50_us), Wanted::Nothing);

    let (left, right) = compare(&["--method", "tools/list", "--connections", "1"])?;
    let both = |figure: fn(&Round) -> f64| (median(&left, figure), median(&right, figure));
    report.section("tools/list, first page, 1 connection", &columns.0, &columns.1);
    report.ratio("p50 us", both(|round| round.p50_us), Wanted::Nothing);
    report.ratio("p99 us", both(|round| round.p99_us), Wanted::Nothing);
    report.ratio("CPU us per request", both(|round| round.cpu_us), Wanted::Nothing);
    report.ratio("bytes of the page", both(|round| round.response_bytes), Wanted::Nothing);
    Ok(())
}
