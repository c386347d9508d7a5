//! The load generator: asks a server many times and prints what it saw as one line of JSON.
//!
//! It shares the machine with the server, so it runs on one thread and builds each request once.

mod args;
mod http;
mod idle;
mod proc;
mod stdio;

use std::io::{self, Write};
use std::process::ExitCode;

use serde_json::Value;

use args::Args;

const USAGE: &str = "usage:
  load http URL [--connections N] [--seconds S | --requests N] [--payload BYTES]
                [--method tools/call|tools/list] [--path-name TOOL] [--as-task yes]
  load stdio [--requests N] [--pipelined DEPTH] [--payload BYTES] -- CMD ARGS...
  load listen URL [--streams N] --pid PID
  load idle URL [--connections N] --pid PID

http    keep-alive connections, each with one request in flight
stdio   starts CMD; one request in flight, or DEPTH of them
listen  opens subscriptions/listen streams and tells the memory of each
idle    makes one call on each connection, keeps it open and tells the memory of each";

fn main() -> ExitCode {
    match run() {
        Ok(report) => match writeln!(io::stdout(), "{report}") {
            Ok(()) => ExitCode::SUCCESS,
            Err(_) => ExitCode::FAILURE,
        },
        Err(error) => {
            eprintln!("load: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<Value, String> {
    let args = Args::parse(std::env::args().skip(1))?;
    match args.mode() {
        "http" => {
            args.only(&["connections", "seconds", "requests", "payload", "method", "path-name", "as-task"])?;
            http::run(&args)
        }
        "stdio" => {
            args.only(&["requests", "pipelined", "payload"])?;
            stdio::run(&args)
        }
        "listen" => {
            args.only(&["streams", "pid"])?;
            idle::listen(&args)
        }
        "idle" => {
            args.only(&["connections", "pid"])?;
            idle::connections(&args)
        }
        _ => Err(USAGE.to_owned()),
    }
}
