//! `cargo xtask tidy`: what the project promises about its sources and no compiler checks. This file walks the tree and
//! reports; the checks are in the files beside it.

mod imports;
mod lex;
mod locks;
mod source;
#[cfg(test)]
mod tests;

use std::path::Path;

use crate::cmd;

pub(crate) use source::starts_with_date;

/// What the checks found.
#[derive(Default)]
struct Report {
    errors: Vec<String>,
    notes: Vec<String>,
}

impl Report {
    fn error(&mut self, path: &str, line: usize, text: impl AsRef<str>) {
        self.errors.push(format!("{path}:{line}: {}", text.as_ref()));
    }
}

/// # Errors
/// A check failed; all findings have been printed.
pub(crate) fn run(args: &[String]) -> Result<(), String> {
    if !args.is_empty() {
        return Err("tidy takes no options".into());
    }
    let root = cmd::root();
    let mut files = Vec::new();
    collect(&root, "", &mut files)?;
    files.sort();
    let mut report = Report::default();
    let mut sources = 0;
    for path in &files {
        let name = path.rsplit('/').next().unwrap_or(path);
        let rust = name.ends_with(".rs");
        let lock = name == "Cargo.lock" || name == "package-lock.json" || name == "requirements.txt";
        if !rust && !lock && path != "CHANGELOG.md" {
            continue;
        }
        let text = std::fs::read_to_string(root.join(path)).map_err(|error| format!("cannot read {path}: {error}"))?;
        if rust {
            sources += 1;
            source::check(path, &text, &mut report);
            imports::check(path, &text, &mut report);
        } else if lock {
            locks::check(path, &text, &mut report);
        } else {
            locks::check_changelog(path, &text, &mut report);
        }
    }
    if !files.iter().any(|path| path == "CHANGELOG.md") {
        report.errors.push("CHANGELOG.md is missing".into());
    }
    for note in &report.notes {
        println!("note: {note}");
    }
    for error in &report.errors {
        println!("tidy: {error}");
    }
    println!("{sources} Rust files, {} errors, {} notes", report.errors.len(), report.notes.len());
    if report.errors.is_empty() { Ok(()) } else { Err(format!("tidy found {} errors", report.errors.len())) }
}

/// All files below `dir`, as paths from the root with `/`; hidden, built and installed things left out.
fn collect(root: &Path, dir: &str, files: &mut Vec<String>) -> Result<(), String> {
    let entries = std::fs::read_dir(root.join(dir)).map_err(|error| format!("cannot read {dir}: {error}"))?;
    for entry in entries.flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        let path = if dir.is_empty() { name.clone() } else { format!("{dir}/{name}") };
        let full = root.join(&path);
        if name.starts_with('.') {
            continue;
        }
        if full.is_dir() {
            let built = name == "target" || name == "node_modules" || full.join("CACHEDIR.TAG").exists();
            if !built {
                collect(root, &path, files)?;
            }
        } else {
            files.push(path);
        }
    }
    Ok(())
}
