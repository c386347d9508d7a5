//! What the libraries are from outside: their names, what they export, how big they are.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

use crate::cmd;

const MIB: u64 = 1 << 20;
/// Wanted for the shared library without its symbols.
const LARGEST: u64 = 6 * MIB;

/// # Errors
/// Something is not as it should be; the text says what.
pub(super) fn check(prefix: &Path) -> Result<(), String> {
    let lib = prefix.join("lib");
    let shared = lib.join("libmcp.so");
    let (major, version) = (abi_version()?, env!("CARGO_PKG_VERSION"));
    let soname = format!("libmcp.so.{major}");
    for (link, target) in [("libmcp.so", soname.as_str()), (&soname, &format!("libmcp.so.{version}"))] {
        let points_to = std::fs::read_link(lib.join(link)).map_err(|error| format!("{link}: {error}"))?;
        if points_to != Path::new(target) {
            return Err(format!("{link} points to {}, not to {target}", points_to.display()));
        }
    }
    let dynamic = cmd::output(Command::new("readelf").arg("-d").arg(&shared))?;
    if !dynamic.contains(&format!("soname: [{soname}]")) {
        return Err(format!("libmcp.so does not have the SONAME {soname}:\n{dynamic}"));
    }
    exports("libmcp.so", Command::new("nm").args(["-D", "--defined-only"]).arg(&shared))?;
    exports("libmcp.a", Command::new("nm").args(["-g", "--defined-only"]).arg(lib.join("libmcp.a")))?;

    let size = stripped_size(&shared)?;
    println!("libmcp.so is {:.2} MiB without symbols", size as f64 / MIB as f64);
    if size > LARGEST {
        return Err(format!("libmcp.so is larger than {} MiB", LARGEST / MIB));
    }
    Ok(())
}

/// Fails when a program is larger, without its symbols, than what is wanted of the shared library.
///
/// # Errors
/// It is, or it can't be looked at.
pub(super) fn check_program(program: &Path) -> Result<(), String> {
    let size = stripped_size(program)?;
    println!("the C++ weather server with the library in it is {:.2} MiB without symbols", size as f64 / MIB as f64);
    if size > LARGEST { Err(format!("{} is larger than {} MiB", program.display(), LARGEST / MIB)) } else { Ok(()) }
}

/// The number in `mcp.h` that the SONAME ends with.
fn abi_version() -> Result<String, String> {
    let path = cmd::root().join("include/mcp/mcp.h");
    let header = std::fs::read_to_string(&path).map_err(|error| format!("cannot read {}: {error}", path.display()))?;
    let value = header.lines().find_map(|line| line.strip_prefix("#define MCP_ABI_VERSION "));
    value.map(|value| value.trim().to_owned()).ok_or_else(|| "mcp.h has no MCP_ABI_VERSION".into())
}

/// The functions that the libraries have to export.
///
/// # Errors
/// The list can't be read.
pub(super) fn symbols() -> Result<BTreeSet<String>, String> {
    let path = cmd::root().join("bindings/symbols.txt");
    let text = std::fs::read_to_string(&path).map_err(|error| format!("cannot read {}: {error}", path.display()))?;
    Ok(text.lines().map(str::to_owned).collect())
}

fn exports(library: &str, nm: &mut Command) -> Result<(), String> {
    let listing = cmd::output(nm)?;
    let exported: BTreeSet<String> = listing
        .lines()
        .filter_map(|line| line.split(' ').nth(2))
        .map(|name| name.split('@').next().unwrap_or(name).to_owned())
        .collect();
    let wanted = symbols()?;
    let (missing, more): (Vec<_>, Vec<_>) =
        (wanted.difference(&exported).collect(), exported.difference(&wanted).collect());
    println!("{library} exports {} symbols", exported.len());
    if missing.is_empty() && more.is_empty() {
        return Ok(());
    }
    Err(format!("{library} exports not what bindings/symbols.txt says; missing: {missing:?}, too many: {more:?}"))
}

fn stripped_size(file: &Path) -> Result<u64, String> {
    let copy = cmd::target_dir().join("package/stripped");
    cmd::output(Command::new("strip").arg("-o").arg(&copy).arg(file))?;
    std::fs::metadata(&copy).map(|data| data.len()).map_err(|error| format!("{}: {error}", copy.display()))
}
