//! Tasks: what it costs to make and finish one, and whether it matters how many there are.

use std::path::Path;
use std::process::Command;

use serde_json::Value;

use super::load::{self, Round};
use super::report::{Report, Wanted};
use super::rounds::{alternate, median};
use super::server::Server;
use super::{Options, Programs};
use crate::cmd;

const FEW: &str = "100";
const MANY: &str = "1000000";
/// Look-ups that are timed.
const LOOKS: &str = "20000";
/// A tree of a million entries is a few levels deeper than one of a hundred, and no longer in the processor's cache.
const FLAT: Wanted = Wanted::AtMost(2.0);

/// Measures all stores that have a wish.
pub(super) fn measure(programs: &Programs, options: &Options, report: &mut Report) -> Result<(), String> {
    let folder = cmd::target_dir().join("bench-tasks");
    if folder.exists() {
        std::fs::remove_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    }
    std::fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    in_memory(programs, options, report)?;
    in_sqlite(programs, options, report, &folder)?;
    for (store, title) in [("memory", "memory"), ("sqlite", "SQLite")] {
        let look = |tasks: &str| look_ups(programs, store, tasks, &folder.join(format!("{store}-{tasks}")));
        let (few, many) = (look(FEW)?, look(MANY)?);
        report.section(&format!("look-up of a task, {title}"), &format!("{FEW} tasks"), &format!("{MANY} tasks"));
        report.ratio("p50 us", (few, many), FLAT);
    }
    Ok(())
}

/// A task made and finished, beside a plain call of the same tool.
fn in_memory(programs: &Programs, options: &Options, report: &mut Report) -> Result<(), String> {
    let server = Server::example(&programs.everything, &[], &["--task-store", "memory"])?;
    let seconds = options.seconds.to_string();
    let ask = |tail: &[&str], seconds: &str| {
        let args = ["--path-name", "echo_task", "--connections", "32", "--payload", "100", "--seconds", seconds];
        load::http(programs, &server, &[&args, tail].concat())
    };
    let (plain, task) = (&[][..], &["--as-task", "yes"][..]);
    ask(plain, "1")?;
    ask(task, "1")?;
    let (left, right) = alternate(options.rounds, || ask(plain, &seconds), || ask(task, &seconds))?;
    let both = |figure: fn(&Round) -> f64| (median(&left, figure), median(&right, figure));
    report.section("task in memory, 32 connections, 100 B", "plain call", "task");
    report.ratio("made and finished per second", both(|round| round.rps), Wanted::AtLeast(0.5));
    report.ratio("CPU us per request", both(|round| round.cpu_us), Wanted::Nothing);
    Ok(())
}

fn in_sqlite(programs: &Programs, options: &Options, report: &mut Report, folder: &Path) -> Result<(), String> {
    let place = format!("sqlite:{}", folder.join("rate").display());
    let server = Server::example(&programs.everything, &[], &["--task-store", &place])?;
    let seconds = options.seconds.to_string();
    let args = ["--path-name", "echo_task", "--connections", "128", "--payload", "100", "--as-task", "yes"];
    let rounds = (0..options.rounds.max(1))
        .map(|_| load::http(programs, &server, &[&args[..], &["--seconds", &seconds]].concat()))
        .collect::<Result<Vec<_>, _>>()?;
    report.section("task in SQLite, 128 connections, 100 B", "", "task");
    report.value("made and finished per second", median(&rounds, |round| round.rps), Wanted::AtLeast(2000.0));
    report.value("p50 us", median(&rounds, |round| round.p50_us), Wanted::Nothing);
    Ok(())
}

/// Microseconds that a look-up takes in a store with so many tasks.
fn look_ups(programs: &Programs, store: &str, tasks: &str, file: &Path) -> Result<f64, String> {
    let output = Command::new(&programs.task_store).args([store, tasks, LOOKS]).arg(file).output();
    let output = output.map_err(|error| format!("task-store: {error}"))?;
    let value: Option<Value> = serde_json::from_slice(&output.stdout).ok();
    let p50 = value.as_ref().and_then(|value| value.get("p50_us")).and_then(Value::as_f64);
    p50.ok_or_else(|| format!("task-store: {}", String::from_utf8_lossy(&output.stderr)))
}
