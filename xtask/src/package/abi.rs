//! The binary interface, compared with the committed description `tests/package/abi/libmcp.abi`.
//!
//! What is described is the library as C sees it: a small library is compiled from `mcp.h` that holds the address of every
//! function, and its debug information has the types of all of them. The debug information of Rust itself would make the
//! inside of every handle a part of the interface.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::libraries;
use crate::{cmd, tools};

const BASELINE: &str = "tests/package/abi/libmcp.abi";

/// Compares the installed header and library with the baseline.
///
/// # Errors
/// They differ in any way, or a tool failed.
pub(super) fn check(lib: &Path) -> Result<(), String> {
    let view = view(&cmd::target_dir().join("package"), Some(lib))?;
    let mut diff = Command::new("abidiff");
    // Other compilers and systems are no change of ours.
    diff.args(["--ignore-soname", "--no-architecture"]).arg(cmd::root().join(BASELINE)).arg(&view);
    cmd::output(&mut diff).map_err(|error| {
        format!(
            "{error}\nThe binary interface changed. If that is meant, `cargo xtask codegen` accepts it; where something \
             existing changed or is gone, raise `MCP_ABI_VERSION` too."
        )
    })?;
    println!("the binary interface is that of {BASELINE}");
    Ok(())
}

/// Describes the interface of `mcp.h` anew.
///
/// # Errors
/// A tool is missing or failed.
pub(crate) fn write_baseline() -> Result<(), String> {
    tools::need(&[("cc", "gcc"), ("abidw", "abigail-tools")])?;
    let dir = cmd::target_dir().join("package");
    std::fs::create_dir_all(&dir).map_err(|error| format!("cannot make {}: {error}", dir.display()))?;
    let view = view(&dir, None)?;
    let mut describe = Command::new("abidw");
    describe.args(["--no-show-locs", "--no-corpus-path", "--no-comp-dir-path", "--short-locs", "--out-file"]);
    cmd::output(describe.arg(cmd::root().join(BASELINE)).arg(view)).map(drop)
}

/// Compiles the library that shows the interface; linked with the real one in `lib`, where every function has to be there.
fn view(dir: &Path, lib: Option<&Path>) -> Result<PathBuf, String> {
    let mut source = String::from("#include <mcp/mcp.h>\n\n");
    for name in libraries::symbols()? {
        source.push_str(&format!("__typeof__({name}) *const abi_{name} = {name};\n"));
    }
    let (file, made) = (dir.join("abi_view.c"), dir.join("libabi_view.so"));
    std::fs::write(&file, source).map_err(|error| format!("cannot write {}: {error}", file.display()))?;
    let mut cc = Command::new("cc");
    cc.args(["-std=gnu11", "-g", "-shared", "-fPIC", "-o"]).arg(&made).arg(&file);
    cc.arg("-I").arg(cmd::root().join("include"));
    if let Some(lib) = lib {
        cc.arg("-L").arg(lib).args(["-Wl,-z,defs", "-lmcp"]);
    }
    cmd::output(&mut cc)?;
    Ok(made)
}
