//! `cargo xtask test`: every check of the project, one step after the other, ended by the first failure.

use std::time::Instant;

use crate::{cmd, conformance, cpp, headers, interop, tidy};

/// The features with which the core has to build alone: each era without the other, and without any transport.
const LEGS: [&str; 5] =
    ["modern,stdio,http,schemars", "legacy,stdio,http,schemars", "modern,legacy", "modern", "legacy"];

type Step = (String, Box<dyn Fn() -> Result<(), String>>);

/// # Errors
/// A step failed; its output and a closing line have been printed.
pub(crate) fn run(args: &[String]) -> Result<(), String> {
    if !args.is_empty() {
        return Err("test takes no options; each step is also a command of its own, see `cargo xtask help`".into());
    }
    let steps = steps();
    let start = Instant::now();
    let count = steps.len();
    for (index, (name, step)) in steps.into_iter().enumerate() {
        println!("\n=== {}/{count} {name} ===", index + 1);
        let begun = Instant::now();
        if let Err(error) = step() {
            eprintln!("error: {error}");
            println!("\n{name}: failed after {:.0} s", begun.elapsed().as_secs_f64());
            println!("\n{index} passed, 1 failed");
            return Err(format!("the step `{name}` failed"));
        }
        println!("{name}: passed in {:.0} s", begun.elapsed().as_secs_f64());
    }
    println!("\nall steps passed in {:.0} s\n", start.elapsed().as_secs_f64());
    println!("{count} passed, 0 failed");
    Ok(())
}

fn steps() -> Vec<Step> {
    let mut steps: Vec<Step> = Vec::new();
    steps.push(cargo("format", "fmt --all --check"));
    steps.push(("tidy".into(), Box::new(|| tidy::run(&[]))));
    steps.push(cargo("clippy", "clippy --workspace --all-targets -- -D warnings"));
    for features in LEGS {
        let line = format!("clippy -p libmcp --no-default-features --features {features} -- -D warnings");
        steps.push(cargo(&format!("features {features}"), &line));
    }
    steps.push(cargo("tests", "test --workspace"));
    steps.push(("docs".into(), Box::new(docs)));
    steps.push(("headers".into(), Box::new(|| headers::run(&[]))));
    for preset in cpp::PRESETS {
        steps.push((format!("C and C++, {preset}"), Box::new(move || cpp::check(preset))));
    }
    steps.push(("conformance".into(), Box::new(|| conformance::run(&[]))));
    steps.push(("interop".into(), Box::new(|| interop::run(&[]))));
    steps
}

fn cargo(name: &str, line: &str) -> Step {
    let args: Vec<String> = line.split(' ').map(str::to_owned).collect();
    (name.to_owned(), Box::new(move || cmd::run(&mut cmd::cargo(&args))))
}

fn docs() -> Result<(), String> {
    cmd::run(cmd::cargo(&["doc", "--no-deps", "-p", "libmcp"]).env("RUSTDOCFLAGS", "-D warnings"))
}
