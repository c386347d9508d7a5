//! `cargo xtask cpp`: the C and C++ libraries, their tests and their examples, built and run with a preset of
//! `CMakePresets.json`.

use std::process::Command;

use crate::{cmake, cmd, tools};

/// The presets that `cargo xtask test` runs. The last one leaves the examples out: they
/// are ended by a signal, which the thread sanitizer keeps back while the main thread waits inside of the core.
pub(crate) const PRESETS: [&str; 3] = ["debug", "asan", "tsan"];

/// # Errors
/// A program is missing, or a build or a test failed.
pub(crate) fn run(args: &[String]) -> Result<(), String> {
    match args.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [] => PRESETS.iter().try_for_each(|preset| check(preset)),
        ["--preset", preset] => check(preset),
        _ => Err("cpp takes no option but `--preset debug|release|asan|tsan`".into()),
    }
}

/// Configures, builds and tests one preset.
///
/// # Errors
/// As [`run`].
pub(crate) fn check(preset: &str) -> Result<(), String> {
    tools::need(&[("valgrind", "valgrind"), ("/usr/include/doctest/doctest.h", "doctest-dev")])?;
    if preset == "tsan" {
        tools::need(&[("clang++", "clang"), ("/usr/lib/llvm-14/lib/clang/14.0.6/lib/linux", "libclang-rt-14-dev")])?;
    }
    cmake::configure(preset)?;
    cmake::build(preset, &[])?;
    cmd::run(Command::new("ctest").current_dir(cmd::root()).args(["--preset", preset, "--parallel", "2"]))
}
