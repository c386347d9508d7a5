//! `cargo xtask headers`: every public header compiles alone, without a warning, with GCC and Clang, in every language
//! version that is promised, and also after a header that defines the macros hosts bring along.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use crate::{cmd, tools};

const WARNINGS: [&str; 4] = ["-Wall", "-Wextra", "-Wpedantic", "-Werror"];
const COMPILERS: [(&str, &str); 2] = [("gcc", "g++"), ("clang", "clang++")];
const C_STANDARDS: [&str; 2] = ["c11", "c17"];
const CPP_STANDARDS: [&str; 2] = ["c++17", "c++20"];
/// Defines what other libraries' headers define.
const HOSTILE: &str = "tests/cpp/hostile_macros.h";

/// # Errors
/// A compiler is missing, or a header does not compile; all that do not have been printed.
pub(crate) fn run(args: &[String]) -> Result<(), String> {
    if !args.is_empty() {
        return Err("headers takes no options".into());
    }
    tools::need(&[("gcc", "gcc"), ("g++", "g++"), ("clang", "clang"), ("clang++", "clang")])?;
    let dir = cmd::target_dir().join("headers");
    std::fs::create_dir_all(&dir).map_err(|error| format!("cannot make {}: {error}", dir.display()))?;
    let mut headers = Vec::new();
    collect(&cmd::root().join("include"), "mcp", &mut headers)?;
    headers.sort();
    let jobs = jobs(&dir, &headers)?;
    let failures = compile(&jobs);
    for failure in &failures {
        println!("{failure}");
    }
    println!("{} headers, {} compilations, {} failed", headers.len(), jobs.len(), failures.len());
    if failures.is_empty() { Ok(()) } else { Err(format!("{} compilations of headers failed", failures.len())) }
}

/// All headers below `include/<dir>`, as they are included.
fn collect(include: &Path, dir: &str, headers: &mut Vec<String>) -> Result<(), String> {
    let entries =
        std::fs::read_dir(include.join(dir)).map_err(|error| format!("cannot read include/{dir}: {error}"))?;
    for entry in entries.flatten() {
        let path = format!("{dir}/{}", entry.file_name().to_string_lossy());
        if entry.path().is_dir() {
            collect(include, &path, headers)?;
        } else if path.ends_with(".hpp") || path.ends_with(".h") {
            headers.push(path);
        }
    }
    Ok(())
}

/// The command lines: each header alone, and all of them in one file, in both orders.
fn jobs(dir: &Path, headers: &[String]) -> Result<Vec<Vec<String>>, String> {
    let mut jobs = Vec::new();
    // What is made to be included around declarations is not a header of its own.
    let alone = headers.iter().filter(|header| !header.ends_with("_push.hpp") && !header.ends_with("_pop.hpp"));
    for header in alone.clone() {
        let file = source(dir, &header.replace('/', "_"), &[header])?;
        cpp_jobs(&file, &mut jobs);
        if header.ends_with(".h") {
            for compiler in COMPILERS {
                for standard in C_STANDARDS {
                    jobs.push(line(compiler.0, "c", standard, &file, &[]));
                }
            }
        }
    }
    let mut all: Vec<&String> = alone.collect();
    cpp_jobs(&source(dir, "all", &all)?, &mut jobs);
    all.reverse();
    let reversed = source(dir, "all_reversed", &all)?;
    cpp_jobs(&reversed, &mut jobs);
    for compiler in COMPILERS {
        jobs.push(line(compiler.1, "c++", "c++20", &reversed, &["-fno-rtti"]));
    }
    Ok(jobs)
}

fn cpp_jobs(file: &Path, jobs: &mut Vec<Vec<String>>) {
    let hostile = cmd::root().join(HOSTILE).display().to_string();
    for compiler in COMPILERS {
        for standard in CPP_STANDARDS {
            jobs.push(line(compiler.1, "c++", standard, file, &[]));
        }
        jobs.push(line(compiler.1, "c++", "c++17", file, &["-include", &hostile]));
    }
}

fn line(compiler: &str, language: &str, standard: &str, file: &Path, more: &[&str]) -> Vec<String> {
    let include = cmd::root().join("include").display().to_string();
    let standard = format!("-std={standard}");
    let mut words = vec![compiler, "-fsyntax-only", "-x", language, &standard, "-I", &include];
    words.extend(WARNINGS);
    words.extend(more);
    let mut line: Vec<String> = words.into_iter().map(str::to_owned).collect();
    line.push(file.display().to_string());
    line
}

/// A file that includes the headers, twice each: they have to guard themselves.
fn source(dir: &Path, name: &str, headers: &[&String]) -> Result<PathBuf, String> {
    let text: String = headers.iter().map(|header| format!("#include <{header}>\n#include <{header}>\n")).collect();
    let path = dir.join(format!("{name}.inc"));
    // A translation unit without a declaration is a warning in C.
    let text = format!("{text}extern int mcp_headers_check;\n");
    std::fs::write(&path, text).map_err(|error| format!("cannot write {}: {error}", path.display()))?;
    Ok(path)
}

/// Runs the command lines, some at a time. Gives what failed.
fn compile(jobs: &[Vec<String>]) -> Vec<String> {
    let next = AtomicUsize::new(0);
    let failures = Mutex::new(Vec::new());
    let work = || {
        while let Some(job) = jobs.get(next.fetch_add(1, Ordering::Relaxed)) {
            if let Err(error) = cmd::output(Command::new(&job[0]).args(&job[1..])) {
                failures.lock().unwrap_or_else(PoisonError::into_inner).push(error);
            }
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(work);
        }
    });
    failures.into_inner().unwrap_or_else(PoisonError::into_inner)
}
