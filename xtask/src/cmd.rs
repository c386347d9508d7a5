//! Where things are in the work tree, and how a program is run: with its command line shown and its failure explained.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The root of the work tree.
pub(crate) fn root() -> PathBuf {
    let xtask = Path::new(env!("CARGO_MANIFEST_DIR"));
    xtask.parent().unwrap_or(xtask).to_path_buf()
}

/// Cargo's target directory: `CARGO_TARGET_DIR` when it is set, as Cargo does it, else `target` in the root.
pub(crate) fn target_dir() -> PathBuf {
    match std::env::var_os("CARGO_TARGET_DIR") {
        Some(dir) if !dir.is_empty() => std::path::absolute(&dir).unwrap_or_else(|_| PathBuf::from(dir)),
        _ => root().join("target"),
    }
}

/// A `cargo` call in the root of the work tree, with the Cargo that started us.
pub(crate) fn cargo<S: AsRef<str>>(args: &[S]) -> Command {
    let program = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(program);
    command.current_dir(root()).args(args.iter().map(AsRef::as_ref));
    command
}

/// Runs the command with our own streams.
///
/// # Errors
/// It could not be started, or it ended with another code than 0. The text names the command line.
pub(crate) fn run(command: &mut Command) -> Result<(), String> {
    let line = show(command);
    println!("$ {line}");
    let status = command.status().map_err(|error| cannot_start(&line, &error))?;
    if status.success() { Ok(()) } else { Err(format!("`{line}` failed ({status})")) }
}

/// Runs the command silently and gives its stdout.
///
/// # Errors
/// As [`run`]; the text ends with what the command wrote on stderr and stdout.
pub(crate) fn output(command: &mut Command) -> Result<String, String> {
    let line = show(command);
    let output = command.stdin(Stdio::null()).output().map_err(|error| cannot_start(&line, &error))?;
    let stdout = String::from_utf8_lossy(&output.stdout).into_owned();
    if output.status.success() {
        return Ok(stdout);
    }
    let stderr = String::from_utf8_lossy(&output.stderr);
    Err(format!("`{line}` failed ({})\n{}{}", output.status, stderr, stdout))
}

/// Builds an example with the dev profile and gives the path of its program.
///
/// # Errors
/// The build failed.
pub(crate) fn build_example(name: &str) -> Result<PathBuf, String> {
    run(&mut cargo(&["build", "--package", "libmcp", "--example", name]))?;
    let file = format!("{name}{}", std::env::consts::EXE_SUFFIX);
    Ok(target_dir().join("debug").join("examples").join(file))
}

fn show(command: &Command) -> String {
    let mut words: Vec<String> = Vec::new();
    for (key, value) in command.get_envs() {
        if let Some(value) = value {
            words.push(format!("{}={:?}", key.to_string_lossy(), value.to_string_lossy()));
        }
    }
    let program = Path::new(command.get_program());
    words.push(program.file_name().unwrap_or(program.as_os_str()).to_string_lossy().into_owned());
    for arg in command.get_args() {
        let arg = arg.to_string_lossy();
        let plain = !arg.is_empty() && !arg.contains(|c: char| c.is_whitespace() || "\"'{}()$;*".contains(c));
        words.push(if plain { arg.into_owned() } else { format!("{arg:?}") });
    }
    words.join(" ")
}

fn cannot_start(line: &str, error: &std::io::Error) -> String {
    format!("`{line}` could not be started: {error}")
}
