//! `cargo xtask conformance`: the official suite against the `everything` servers in Rust, C and C++, judged here. Each is one
//! process for both requirement sets.
//!
//! The suite's own exit code forgives what it does not score; we do not. Every scenario of a revision's requirement set
//! has to pass, scored or not, except the tasks extension's on servers that do not have it. There is no list of expected
//! failures.

use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::server::Server;
use crate::tools::{self, Node};
use crate::{cmake, cmd, tidy};

/// The languages that `everything` is written in.
const SERVERS: [&str; 3] = ["rust", "c", "cpp"];
const REVISIONS: [&str; 2] = ["2026-07-28", "2025-11-25"];
/// Scenarios of the tasks extension, reported only for servers other than these.
const TASKS_PREFIX: &str = "tasks-";
const TASKS_SERVERS: [&str; 2] = ["rust", "url"];
/// Prints the scenarios of a requirement set, each with whether it is scored, as JSON.
const LIST_SCRIPT: &str = "
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
const set = parse(readFileSync(process.argv[1], 'utf8'));
const extra = set.not_scored.filter(entry => entry.leg === 'server').map(entry => [entry.scenario, false]);
console.log(JSON.stringify([...set.server.map(name => [name, true]), ...extra]));
";

struct Options {
    server: Option<String>,
    url: Option<String>,
    scenario: Option<String>,
}

/// The suite, as it is installed.
struct Package {
    node: Node,
    dir: PathBuf,
}

/// The suite, and the server that it is run against.
struct Suite<'a> {
    package: &'a Package,
    /// What the server is called in reports and folders.
    name: &'a str,
    url: String,
}

/// What one scenario did.
struct Row {
    scenario: String,
    scored: bool,
    passed: usize,
    failed: usize,
    warnings: usize,
    /// Checks that the suite itself leaves out.
    skipped: usize,
    /// Each failed check: its id, what it wanted, why it failed.
    failures: Vec<String>,
}

impl Row {
    fn is_ok(&self) -> bool {
        self.failed == 0 && self.passed > 0
    }

    /// The suite asks for nothing: all checks of the scenario are left out by the suite itself.
    fn is_left_out(&self) -> bool {
        !self.scored && self.skipped > 0 && self.passed + self.failed + self.warnings == 0
    }

    /// Does not count for this server.
    fn is_forgiven(&self, server: &str) -> bool {
        let is_about_tasks = !self.scored && self.scenario.starts_with(TASKS_PREFIX);
        self.is_left_out() || (is_about_tasks && !TASKS_SERVERS.contains(&server))
    }
}

/// # Errors
/// Something could not be installed or started, or a scenario that counts failed.
pub(crate) fn run(args: &[String]) -> Result<(), String> {
    let options = options(args)?;
    let node = tools::node()?;
    let dir = tools::npm(&node, "conformance", &cmd::root().join("tests/conformance"))?;
    let package = Package { node, dir };
    let only = options.scenario.as_deref();
    if let Some(url) = options.url {
        return Suite { package: &package, name: "url", url }.run(only, None);
    }
    let names: Vec<&str> =
        SERVERS.into_iter().filter(|name| options.server.as_deref().is_none_or(|one| one == *name)).collect();
    if names.is_empty() {
        return Err(format!("--server is one of {}", SERVERS.join(", ")));
    }
    for name in names {
        let mut server = Server::start(&program(name)?)?;
        let url = server.url().to_string();
        Suite { package: &package, name, url }.run(only, Some(&mut server))?;
    }
    Ok(())
}

fn program(name: &str) -> Result<PathBuf, String> {
    if name == "rust" {
        return cmd::build_example("everything");
    }
    let [program] = cmake::programs("debug", [&format!("everything_{name}")])?;
    Ok(program)
}

impl Suite<'_> {
    /// Runs both requirement sets, or the scenario that is named.
    fn run(&self, only: Option<&str>, mut server: Option<&mut Server>) -> Result<(), String> {
        let mut bad = 0;
        let mut seen = 0;
        for revision in REVISIONS {
            let rows = self.revision(revision, only)?;
            seen += rows.len();
            bad += report(revision, self.name, &rows);
            if let Some(server) = &mut server {
                server.check_alive()?;
            }
        }
        match (seen, bad) {
            (0, _) => Err(format!("no requirement set has the scenario `{}`", only.unwrap_or_default())),
            (_, 0) => Ok(()),
            _ => {
                let log = server.map(|server| format!("; the server's log is {}", server.log().display()));
                Err(format!("{}: {bad} scenarios do not pass{}", self.name, log.unwrap_or_default()))
            }
        }
    }

    /// Runs the scenarios of a revision, or the one that is named, and reads the results.
    fn revision(&self, revision: &str, only: Option<&str>) -> Result<Vec<Row>, String> {
        let mut scenarios = self.scenarios(revision)?;
        scenarios.retain(|(name, _)| only.is_none_or(|only| only == name));
        if scenarios.is_empty() {
            return Ok(Vec::new());
        }
        let results = cmd::target_dir().join("conformance").join(self.name).join(revision);
        if results.exists() {
            std::fs::remove_dir_all(&results)
                .map_err(|error| format!("cannot empty {}: {error}", results.display()))?;
        }
        let create = std::fs::create_dir_all(&results);
        create.map_err(|error| format!("cannot make {}: {error}", results.display()))?;
        println!("running {} scenarios of {revision} against {} ({})", scenarios.len(), self.name, self.url);

        let mut command = self.package.node.command();
        command.arg(self.package.path().join("dist/index.js")).args(["server", "--url", &self.url]);
        match only {
            Some(name) => command.args(["--scenario", name, "--spec-version", revision, "--force"]),
            None => command.args(["--requirements", revision]),
        };
        command.arg("--output-dir").arg(&results).current_dir(&self.package.dir).stdin(std::process::Stdio::null());
        let log = results.join("output.txt");
        let output = command.output().map_err(|error| format!("cannot start the suite: {error}"))?;
        let text = [output.stdout, output.stderr].concat();
        std::fs::write(&log, &text).map_err(|error| format!("cannot write {}: {error}", log.display()))?;

        let rows: Vec<Row> =
            scenarios.into_iter().map(|(name, scored)| read_row(&results, name, scored)).collect::<Result<_, _>>()?;
        if rows.iter().all(|row| row.passed + row.failed == 0) {
            return Err(format!("the suite ran nothing\n{}", String::from_utf8_lossy(&text)));
        }
        Ok(rows)
    }

    fn scenarios(&self, revision: &str) -> Result<Vec<(String, bool)>, String> {
        let mut command = self.package.node.command();
        command.args(["--input-type=module", "--eval", LIST_SCRIPT]).current_dir(&self.package.dir);
        command.arg(self.package.path().join("requirements").join(format!("{revision}.yaml")));
        let text = cmd::output(&mut command)?;
        let list: Value = serde_json::from_str(&text).map_err(|error| format!("the scenario list: {error}"))?;
        let pair = |entry: &Value| Some((entry.get(0)?.as_str()?.to_owned(), entry.get(1)?.as_bool()?));
        let list: Option<Vec<_>> = list.as_array().and_then(|list| list.iter().map(pair).collect());
        list.filter(|list| !list.is_empty())
            .ok_or_else(|| format!("the scenario list of {revision} is not as expected"))
    }
}

impl Package {
    fn path(&self) -> PathBuf {
        self.dir.join("node_modules/@modelcontextprotocol/conformance")
    }
}

/// The result folder of a scenario is `server-NAME-TIMESTAMP`. A scenario that threw has none.
fn read_row(results: &Path, scenario: String, scored: bool) -> Result<Row, String> {
    let mut row = Row { scenario, scored, passed: 0, failed: 0, warnings: 0, skipped: 0, failures: Vec::new() };
    let prefix = format!("server-{}-", row.scenario);
    let entries = std::fs::read_dir(results).map_err(|error| format!("cannot read {}: {error}", results.display()))?;
    let is_ours = |name: &str| name.strip_prefix(&prefix).is_some_and(tidy::starts_with_date);
    let folder = entries.flatten().find(|entry| is_ours(&entry.file_name().to_string_lossy()));
    let checks = folder.and_then(|entry| std::fs::read(entry.path().join("checks.json")).ok());
    let Some(checks) = checks.and_then(|bytes| serde_json::from_slice::<Value>(&bytes).ok()) else {
        row.failed = 1;
        row.failures.push("did not run to its end, see output.txt".into());
        return Ok(row);
    };
    for check in checks.as_array().into_iter().flatten() {
        let field = |name: &str| check.get(name).and_then(Value::as_str).unwrap_or_default();
        match field("status") {
            "SUCCESS" => row.passed += 1,
            "WARNING" => row.warnings += 1,
            "SKIPPED" => row.skipped += 1,
            "FAILURE" => {
                row.failed += 1;
                row.failures.push(format!(
                    "{}: {}\n      {}",
                    field("id"),
                    field("description"),
                    field("errorMessage")
                ));
            }
            _ => {}
        }
    }
    if row.passed + row.failed == 0 {
        row.failures.push("no check of it applied".into());
    }
    Ok(row)
}

/// Prints the table and gives the number of scenarios that count and do not pass.
fn report(revision: &str, name: &str, rows: &[Row]) -> usize {
    if rows.is_empty() {
        return 0;
    }
    let width = rows.iter().map(|row| row.scenario.len()).max().unwrap_or(0);
    println!("\n{revision:<width$}  passed failed warnings");
    for row in rows {
        let verdict = match (row.is_ok(), row.is_forgiven(name)) {
            (true, _) => "ok",
            (false, true) if row.is_left_out() => "left out by the suite",
            (false, true) => "not required",
            (false, false) => "FAILED",
        };
        let scored = if row.scored { "" } else { " (not scored)" };
        let Row { scenario, passed, failed, warnings, .. } = row;
        println!("{scenario:<width$}  {passed:>6} {failed:>6} {warnings:>8}  {verdict}{scored}");
    }
    let bad: Vec<&Row> = rows.iter().filter(|row| !row.is_ok() && !row.is_forgiven(name)).collect();
    for row in &bad {
        println!("\n  {}", row.scenario);
        for failure in &row.failures {
            println!("    {failure}");
        }
    }
    let good = rows.iter().filter(|row| row.is_ok()).count();
    println!("\n{name}, {revision}: {good} of {} scenarios pass, {} that count do not\n", rows.len(), bad.len());
    bad.len()
}

fn options(args: &[String]) -> Result<Options, String> {
    let mut options = Options { server: None, url: None, scenario: None };
    let mut args = args.iter();
    while let Some(arg) = args.next() {
        let value = args.next().ok_or_else(|| format!("`{arg}` needs a value"));
        match arg.as_str() {
            "--server" => options.server = Some(value?.clone()),
            "--url" => options.url = Some(value?.clone()),
            "--scenario" => options.scenario = Some(value?.clone()),
            _ => {
                return Err(format!(
                    "conformance has no option `{arg}`; it has --server NAME, --url URL and --scenario NAME"
                ));
            }
        }
    }
    Ok(options)
}
