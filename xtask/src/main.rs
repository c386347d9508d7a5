//! `cargo xtask`: the commands of this project. This file knows their names and their usage text, nothing else.
//!
//! Only std and `serde_json`, so that it builds in seconds on a new machine.
#![allow(clippy::print_stdout, reason = "a command line program talks on stdout")]

mod bench;
mod cmake;
mod cmd;
mod codegen;
mod conformance;
mod cpp;
mod crash;
mod demo;
mod headers;
mod http;
mod interop;
mod package;
mod server;
mod test;
mod tidy;
mod tools;

use std::process::ExitCode;

const USAGE: &str = "\
usage: cargo xtask <command> [options]

  demo [--once]       build and start the example server, call it over HTTP as clients of both eras would, print what
                      goes out and comes back, then keep serving until Ctrl-C (--once: end after the calls)
  test                everything: format, tidy, clippy, all feature legs, tests, docs, C and C++ (headers,
                      sanitizers, package), conformance, interop
  tidy                the project's own source checks
  codegen             write mcp.h, the list of exported functions and the description of the binary interface
  headers             every public header alone, with GCC and Clang
  cpp                 the C and C++ libraries, tests and examples: built, and tested, also under sanitizers and valgrind
                        --preset NAME      only with this preset: debug, release, asan or tsan
  package             the release build: installed, packed, its libraries checked, and used by projects in C and C++
  conformance         the official conformance suite against the `everything` examples in Rust, C and C++
                        --server NAME      only this one: rust, c or cpp
                        --url URL          use a server that already runs
                        --scenario NAME    run only this scenario
  crash               kills a server with tasks in an SQLite file 50 times under load, and looks for every task
                        --rounds N         so many times
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
        "codegen" => codegen::run(&args),
        "headers" => headers::run(&args),
        "cpp" => cpp::run(&args),
        "package" => package::run(&args),
        "conformance" => conformance::run(&args),
        "crash" => crash::run(&args),
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
