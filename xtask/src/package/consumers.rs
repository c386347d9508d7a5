//! Projects that know nothing of this one, built against what was installed, and against the source tree.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::libraries;
use crate::cmd;

/// # Errors
/// A project does not build, or a program of it fails.
pub(super) fn check(dir: &Path, prefix: &Path) -> Result<(), String> {
    c(dir, "installed, C", prefix)?;
    for shared in ["OFF", "ON"] {
        let examples = format!("-DMCP_EXAMPLES={}", cmd::root().join("cpp-examples").display());
        let shared_or_not = format!("-DMCP_SHARED={shared}");
        let args = [prefix_path(prefix), shared_or_not, examples, "-DCMAKE_BUILD_TYPE=Release".into()];
        let build = project(dir, &format!("installed, C++, shared {shared}"), "cpp", &args, &[])?;
        if shared == "OFF" {
            libraries::check_program(&build.join("weather_server"))?;
        }
    }
    sources(dir)?;
    pkg_config(dir, prefix)?;
    two_rusts(dir, prefix)
}

/// The project in C against an installed tree.
///
/// # Errors
/// As [`check`].
pub(super) fn c(dir: &Path, name: &str, prefix: &Path) -> Result<(), String> {
    project(dir, name, "c", &[prefix_path(prefix)], &[]).map(drop)
}

/// The source tree as a part of other projects.
fn sources(dir: &Path) -> Result<(), String> {
    let source = format!("-DMCP_SOURCE={}", cmd::root().display());
    // The core is there already, in the dev profile.
    let target = format!("-DMCP_CARGO_TARGET_DIR={}", cmd::target_dir().display());
    let common = [source, target, "-DCMAKE_BUILD_TYPE=Debug".into()];
    let with = |more: &str| [&common[..], &[more.to_owned()]].concat();
    project(dir, "added, C", "c", &common, &["consumer_mcp_c", "consumer_mcp_c_static", "consumer_mcp_c_shared"])?;
    project(dir, "fetched, C++", "cpp", &with("-DMCP_FROM=FetchContent"), &[])?;
    configure(dir, "added, C++", "cpp", &with("-DMCP_FROM=add_subdirectory")).map(drop)
}

/// Configures, builds and tests a project of `tests/package`; all targets when none is named.
fn project(dir: &Path, name: &str, source: &str, args: &[String], targets: &[&str]) -> Result<PathBuf, String> {
    let build = configure(dir, name, source, args)?;
    let mut make = Command::new("cmake");
    make.arg("--build").arg(&build).args(["--parallel", "2"]);
    for target in targets {
        make.args(["--target", target]);
    }
    cmd::output(&mut make)?;
    let mut test = Command::new("ctest");
    cmd::output(test.arg("--test-dir").arg(&build).args(["--output-on-failure", "--no-tests=error"]))?;
    println!("{name}: passed");
    Ok(build)
}

fn configure(dir: &Path, name: &str, source: &str, args: &[String]) -> Result<PathBuf, String> {
    let build = dir.join("builds").join(name);
    let source = cmd::root().join("tests/package").join(source);
    cmd::output(Command::new("cmake").arg("-S").arg(source).arg("-B").arg(&build).args(args))?;
    Ok(build)
}

fn prefix_path(prefix: &Path) -> String {
    format!("-DCMAKE_PREFIX_PATH={}", prefix.display())
}

/// The program in C with what pkg-config says, shared and fully static.
fn pkg_config(dir: &Path, prefix: &Path) -> Result<(), String> {
    let source = cmd::root().join("tests/package/c/main.c");
    for (name, flag) in [("pkg-config, shared", ""), ("pkg-config, static", "--static")] {
        let program = dir.join(name.replace([',', ' '], "_"));
        // pkg-config's output is made for a shell: a prefix with a space is quoted in it.
        let line = r#"eval "cc -std=c11 \"\$SOURCE\" -o \"\$PROGRAM\" ${FLAG:+-static} $(pkg-config $FLAG --cflags --libs mcp)""#;
        let mut shell = Command::new("sh");
        shell.args(["-ec", line]).env("SOURCE", &source).env("PROGRAM", &program).env("FLAG", flag);
        cmd::output(shell.env("PKG_CONFIG_PATH", prefix.join("lib/pkgconfig")))?;
        cmd::output(Command::new(&program).env("LD_LIBRARY_PATH", prefix.join("lib")))?;
        println!("{name}: passed");
    }
    Ok(())
}

/// A program with the static library and another static library in Rust.
fn two_rusts(dir: &Path, prefix: &Path) -> Result<(), String> {
    let source = cmd::root().join("tests/package/two_rusts");
    let (other, program) = (dir.join("libother.a"), dir.join("two_rusts"));
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let mut compile = Command::new(rustc);
    compile.args(["--edition", "2024", "--crate-type", "staticlib", "-O", "-o"]).arg(&other);
    cmd::output(compile.arg(source.join("other.rs")))?;
    let mut link = Command::new("cc");
    link.args(["-D_GNU_SOURCE", "-I"]).arg(prefix.join("include")).arg(source.join("main.c"));
    link.arg(prefix.join("lib/libmcp.a")).arg(&other).args(["-lpthread", "-ldl", "-lm", "-o"]).arg(&program);
    cmd::output(&mut link)?;
    cmd::output(Command::new(&program).env("RUST_BACKTRACE", "0"))?;
    println!("two libraries in Rust in one program, and their panics: passed");
    Ok(())
}
