//! `cargo xtask`: the commands of this project. This file knows their names and their usage text, nothing else.
//!
//! Only std and `serde_json`, so that it builds in seconds on a new machine.
#![allow(clippy::print_stdout, reason = "a command line program talks on stdout")]

mod bench;
mod cmake;
mod cmd;
mod conformance;
mod demo;
mod http;
mod interop;
mod server;
mod test;
mod tidy;
mod tools;

use std::process::ExitCode;

const USAGE: &str = "\
usage: cargo xtask <command> [options]

  demo [--once]       build and start the example server, call it over HTTP as clients of both eras would, print what
                      goes out and comes back, then keep serving until Ctrl-C (--once: end after the calls)
  test                everything: format, tidy, clippy, all feature legs, tests, docs, conformance, interop
  tidy                the project's own source checks
  conformance         the official conformance suite against the `everything` examples in Rust, C and C++
                        --server NAME      only this one: rust, c or cpp
                        --url URL          use a server that already runs
                        --scenario NAME    run only this scenario
  interop             real Python and JavaScript clients against the `everything` example
                        --only python|js   run only these clients
  bench [options]     measure against the floor servers (see docs/performance.md)
";

fn main() -> ExitCode {
    let mut args = std::env::args().skip(1);
    let command = args.next().unwrap_or_default();
    let args: Vec<String> = args.collect();
    let outcome = match command.as_str() {
        "demo" => demo::run(&args),
        demo::CLIENT_COMMAND => demo::client(),
        "test" => test::run(&args),
        "tidy" => tidy::run(&args),
        "conformance" => conformance::run(&args),
        "interop" => interop::run(&args),
        "bench" => bench::run(&args),
        "" | "help" | "-h" | "--help" => {
            print!("{USAGE}");
            return if command.is_empty() { ExitCode::FAILURE } else { ExitCode::SUCCESS };
        }
        other => Err(format!("unknown command `{other}`\n\n{USAGE}")),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("error: {message}");
            ExitCode::FAILURE
        }
    }
}
