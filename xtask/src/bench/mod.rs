//! `cargo xtask bench`: the library beside the least that a server written by hand has to do.
//!
//! Builds the release programs, runs each measurement on both sides in alternating rounds and prints the medians with
//! what we want of them. It reports and does not judge: a wanted figure that is not met is no error, a figure that could
//! not be measured is one. All traffic stays on the loopback interface.

mod cpu;
mod http;
mod languages;
mod load;
mod memory;
mod report;
mod rounds;
mod server;
mod stdio;
mod tasks;
mod tools;
mod valgrind;

use std::path::PathBuf;

use crate::{cmake, cmd};

use report::Report;

const USAGE: &str =
    "usage: cargo xtask bench [--quick] [--no-valgrind] [--only http|languages|stdio|memory|tasks|tools]

--quick        one round of one second, no valgrind
--no-valgrind  no instruction and allocation counts
--only PART    one part; valgrind belongs to http";

/// What the command line asks for.
struct Options {
    rounds: usize,
    seconds: u64,
    valgrind: bool,
    only: Option<String>,
}

/// The programs that are run.
struct Programs {
    floor_http: PathBuf,
    floor_stdio: PathBuf,
    load: PathBuf,
    echo: PathBuf,
    everything: PathBuf,
    task_store: PathBuf,
    /// The same tool in C and in C++; built when the part `languages` is measured.
    echo_c: PathBuf,
    echo_cpp: PathBuf,
}

/// Measures, prints the table and fails when something could not be measured.
///
/// # Errors
/// A wrong option, a failed build, or the list of what could not be measured.
pub(crate) fn run(args: &[String]) -> Result<(), String> {
    let options = Options::parse(args)?;
    let programs = Programs::build(&options)?;
    let mut report = Report::default();
    if options.wants("http") {
        report.attempt("http", |report| http::measure(&programs, &options, report));
        if options.valgrind {
            report.attempt("valgrind", |report| valgrind::measure(&programs, report));
        }
    }
    if options.wants("languages") {
        report.attempt("languages", |report| languages::measure(&programs, &options, report));
    }
    if options.wants("stdio") {
        report.attempt("stdio", |report| stdio::measure(&programs, &options, report));
    }
    if options.wants("tools") {
        report.attempt("tools", |report| tools::measure(&programs, &options, report));
    }
    if options.wants("tasks") {
        report.attempt("tasks", |report| tasks::measure(&programs, &options, report));
    }
    if options.wants("memory") {
        report.attempt("memory", |report| memory::measure(&programs, report));
    }
    report.print()
}

impl Options {
    fn parse(args: &[String]) -> Result<Self, String> {
        let mut options = Self { rounds: 5, seconds: 2, valgrind: true, only: None };
        let mut args = args.iter();
        while let Some(arg) = args.next() {
            match arg.as_str() {
                "--quick" => {
                    options.rounds = 1;
                    options.seconds = 1;
                    options.valgrind = false;
                }
                "--no-valgrind" => options.valgrind = false,
                "--only" => match args.next().map(String::as_str) {
                    Some(part @ ("http" | "languages" | "stdio" | "memory" | "tasks" | "tools")) => {
                        options.only = Some(part.to_owned())
                    }
                    _ => return Err(USAGE.to_owned()),
                },
                _ => return Err(USAGE.to_owned()),
            }
        }
        Ok(options)
    }

    fn wants(&self, part: &str) -> bool {
        self.only.as_deref().is_none_or(|only| only == part)
    }
}

impl Programs {
    /// Builds everything in the release profile, into Cargo's target directory.
    fn build(options: &Options) -> Result<Self, String> {
        let target = cmd::target_dir();
        for what in [&["--examples", "-p", "libmcp"][..], &["-p", "libmcp-benches"]] {
            cmd::run(cmd::cargo(&[&["build", "--release"], what].concat()).arg("--target-dir").arg(&target))?;
        }
        let [echo_c, echo_cpp] = match options.wants("languages") {
            true => cmake::programs("release", ["echo_c", "echo_cpp"])?,
            false => Default::default(),
        };
        let release = target.join("release");
        Ok(Self {
            floor_http: release.join("floor-http"),
            floor_stdio: release.join("floor-stdio"),
            load: release.join("load"),
            echo: release.join("examples/echo"),
            everything: release.join("examples/everything"),
            task_store: release.join("task-store"),
            echo_c,
            echo_cpp,
        })
    }
}
