//! `cargo xtask package`: the release build, installed, looked at and used as others would: by projects in C and C++, with
//! CMake and pkg-config, static and shared.

pub(crate) mod abi;
mod consumers;
mod libraries;

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::{cmd, tools};

/// What the checks need beside the compilers: a program each, and its Debian package.
const TOOLS: [(&str, &str); 9] = [
    ("cmake", "cmake"),
    ("make", "make"),
    ("cc", "gcc"),
    ("c++", "g++"),
    ("nm", "binutils"),
    ("abidw", "abigail-tools"),
    ("pkg-config", "pkg-config"),
    ("dpkg-shlibdeps", "dpkg-dev"),
    ("file", "file"),
];

/// # Errors
/// Something is missing, does not build, or is not as it should be.
pub(crate) fn run(args: &[String]) -> Result<(), String> {
    if !args.is_empty() {
        return Err("package takes no options".into());
    }
    tools::need(&TOOLS)?;
    let dir = fresh_dir()?;
    let build = build()?;
    // Installed in one place and moved to another: nothing may remember the first.
    let (first, prefix) = (dir.join("first place"), dir.join("a prefix"));
    cmd::run(Command::new("cmake").arg("--install").arg(&build).arg("--prefix").arg(&first))?;
    std::fs::rename(&first, &prefix).map_err(|error| format!("cannot move {}: {error}", first.display()))?;

    libraries::check(&prefix)?;
    abi::check(&prefix.join("lib"))?;
    consumers::check(&dir, &prefix)?;
    archives(&dir, &build)
}

/// Where the checks work; emptied.
fn fresh_dir() -> Result<PathBuf, String> {
    let dir = cmd::target_dir().join("package");
    if dir.exists() {
        std::fs::remove_dir_all(&dir).map_err(|error| format!("cannot remove {}: {error}", dir.display()))?;
    }
    std::fs::create_dir_all(&dir).map_err(|error| format!("cannot make {}: {error}", dir.display()))?;
    Ok(dir)
}

/// The release build without tests and examples, in a folder of its own.
fn build() -> Result<PathBuf, String> {
    let build = cmd::root().join("build/package");
    let mut configure = Command::new("cmake");
    configure.current_dir(cmd::root()).args(["--preset", "release", "-B"]).arg(&build);
    configure.args(["-DMCP_BUILD_TESTS=OFF", "-DMCP_BUILD_EXAMPLES=OFF", "-DCMAKE_INSTALL_LIBDIR=lib"]);
    cmd::run(configure.arg(format!("-DMCP_CARGO_TARGET_DIR={}", cmd::target_dir().display())))?;
    cmd::run(Command::new("cmake").arg("--build").arg(&build).args(["--parallel", "2"]))?;
    Ok(build)
}

/// The archive and the Debian package, each unpacked and used.
fn archives(dir: &Path, build: &Path) -> Result<(), String> {
    let made = dir.join("cpack");
    let config = build.join("CPackConfig.cmake");
    cmd::run(Command::new("cpack").current_dir(build).arg("--config").arg(config).arg("-B").arg(&made))?;
    let version = env!("CARGO_PKG_VERSION");

    let unpacked = dir.join("archive");
    std::fs::create_dir_all(&unpacked).map_err(|error| format!("cannot make {}: {error}", unpacked.display()))?;
    let archive = find(&made, ".tar.gz")?;
    cmd::run(Command::new("tar").arg("-xzf").arg(&archive).arg("-C").arg(&unpacked))?;
    let name = archive.file_name().unwrap_or_default().to_string_lossy().replace(".tar.gz", "");
    consumers::c(dir, "from the archive", &unpacked.join(name))?;

    let (deb, unpacked) = (find(&made, ".deb")?, dir.join("deb"));
    let fields =
        cmd::output(Command::new("dpkg-deb").arg("--field").arg(&deb).args(["Package", "Version", "Depends"]))?;
    if !fields.contains("Package: libmcp-dev") || !fields.contains(version) || !fields.contains("libc6") {
        return Err(format!("the Debian package says of itself:\n{fields}"));
    }
    cmd::run(Command::new("dpkg-deb").arg("--extract").arg(&deb).arg(&unpacked))?;
    consumers::c(dir, "from the Debian package", &unpacked.join("usr"))
}

fn find(dir: &Path, end: &str) -> Result<PathBuf, String> {
    let entries = std::fs::read_dir(dir).map_err(|error| format!("cannot read {}: {error}", dir.display()))?;
    let mut paths = entries.flatten().map(|entry| entry.path());
    let found = paths.find(|path| path.to_string_lossy().ends_with(end));
    found.ok_or_else(|| format!("no file *{end} in {}", dir.display()))
}
