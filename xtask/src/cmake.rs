//! The C and C++ side as CMake builds it: presets of `CMakePresets.json`, in `build/<preset>`.

use std::path::PathBuf;
use std::process::Command;

use crate::{cmd, tools};

/// Where a preset is built.
pub(crate) fn build_dir(preset: &str) -> PathBuf {
    cmd::root().join("build").join(preset)
}

/// Configures a preset. All of them share Cargo's target directory, so that the core is compiled once for each profile.
///
/// # Errors
/// CMake is missing, or something that the project needs.
pub(crate) fn configure(preset: &str) -> Result<(), String> {
    tools::need(&[("cmake", "cmake"), ("make", "make"), ("cc", "gcc"), ("c++", "g++")])?;
    let target = format!("-DMCP_CARGO_TARGET_DIR={}", cmd::target_dir().display());
    cmd::run(cmake().args(["--preset", preset, &target]))
}

/// Builds targets of a configured preset; all of them when none is named.
///
/// # Errors
/// The build failed.
pub(crate) fn build(preset: &str, targets: &[&str]) -> Result<(), String> {
    let mut command = cmake();
    command.args(["--build", "--preset", preset, "--parallel", "2"]);
    for target in targets {
        command.args(["--target", target]);
    }
    cmd::run(&mut command)
}

/// Builds example programs and gives their paths.
///
/// # Errors
/// The build failed.
pub(crate) fn programs<const N: usize>(preset: &str, names: [&str; N]) -> Result<[PathBuf; N], String> {
    configure(preset)?;
    build(preset, &names)?;
    let bin = build_dir(preset).join("bin");
    Ok(names.map(|name| bin.join(format!("{name}{}", std::env::consts::EXE_SUFFIX))))
}

fn cmake() -> Command {
    let mut command = Command::new("cmake");
    command.current_dir(cmd::root());
    command
}
