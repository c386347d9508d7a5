//! `cargo xtask crash`: the crash test of tasks, with more rounds than the normal tests have.

use crate::cmd;

const ROUNDS: &str = "50";
const TEST: &str = "task_crash::a_server_that_is_killed_loses_no_task_and_leaves_none_unfinished";

/// # Errors
/// A wrong option, or the test failed.
pub(crate) fn run(args: &[String]) -> Result<(), String> {
    let rounds = match args {
        [] => ROUNDS,
        [name, rounds] if name == "--rounds" && rounds.parse::<u32>().is_ok() => rounds,
        _ => return Err("crash has one option: --rounds N".into()),
    };
    cmd::build_example("everything")?;
    let mut command = cmd::cargo(&["test", "-p", "libmcp", "--test", "it", "--", "--exact", "--nocapture", TEST]);
    cmd::run(command.env("MCP_CRASH_ROUNDS", rounds))
}
