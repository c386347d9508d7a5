//! A server process under measurement.

use std::collections::VecDeque;
use std::ffi::OsStr;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, ChildStderr, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Sender, channel};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use super::Programs;

/// A shell line that runs its arguments with as many open files as the system allows.
pub(super) const RAISE_LIMIT: &str = r#"ulimit -n "$(ulimit -Hn)" 2>/dev/null; exec "$@""#;

const START: Duration = Duration::from_secs(60);
const STOP: Duration = Duration::from_secs(30);
/// As much of the server's stderr is kept.
const LINES: usize = 200;

/// A running server; killed on drop.
pub(super) struct Server {
    child: Child,
    url: String,
    lines: Option<JoinHandle<VecDeque<String>>>,
}

impl Server {
    /// Starts the bare server, under `wrapper` when that is not empty.
    pub(super) fn floor(programs: &Programs, wrapper: &[&str]) -> Result<Self, String> {
        Self::start(wrapper, programs.floor_http.as_os_str(), &["127.0.0.1:0"])
    }

    /// Starts the `echo` example with `more` arguments, under `wrapper` when that is not empty.
    pub(super) fn echo(programs: &Programs, wrapper: &[&str], more: &[&str]) -> Result<Self, String> {
        Self::example(&programs.echo, wrapper, more)
    }

    /// Starts a program that takes the flags of `echo`.
    pub(super) fn example(program: &Path, wrapper: &[&str], more: &[&str]) -> Result<Self, String> {
        let args = [&["--http", "127.0.0.1:0", "--stateless"], more].concat();
        Self::start(wrapper, program.as_os_str(), &args)
    }

    fn start(wrapper: &[&str], program: &OsStr, args: &[&str]) -> Result<Self, String> {
        let mut command = Command::new("sh");
        command.args(["-c", RAISE_LIMIT, "sh"]).args(wrapper).arg(program).args(args);
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
        let mut child = command.spawn().map_err(|error| format!("{}: {error}", program.display()))?;
        let stderr = child.stderr.take();
        let mut server = Self { child, url: String::new(), lines: None };
        let (found, url) = channel();
        let stderr = stderr.ok_or("the server has no stderr")?;
        server.lines = Some(thread::spawn(move || read(stderr, &found)));
        match url.recv_timeout(START) {
            Ok(url) => server.url = url,
            Err(_) => return Err(format!("{} did not say where it listens: {}", program.display(), server.said())),
        }
        Ok(server)
    }

    /// Ends the server at once and answers what it wrote on stderr.
    fn said(mut self) -> String {
        let _ = self.child.kill();
        let lines = self.lines.take().and_then(|lines| lines.join().ok());
        lines.map_or_else(String::new, |lines| Vec::from(lines).join("\n"))
    }

    /// The process id.
    pub(super) fn pid(&self) -> u32 {
        self.child.id()
    }

    /// Where it listens.
    pub(super) fn url(&self) -> &str {
        &self.url
    }

    /// Asks the server to end and answers the last lines of its stderr.
    pub(super) fn terminate(mut self) -> Result<VecDeque<String>, String> {
        let pid = self.child.id().to_string();
        let sent = Command::new("sh").args(["-c", r#"kill -TERM "$1""#, "sh", &pid]).status();
        if !sent.is_ok_and(|status| status.success()) {
            return Err("the server could not be told to end".to_owned());
        }
        self.wait()?;
        let lines = self.lines.take().ok_or("the server's stderr is gone")?;
        lines.join().map_err(|_| "the reader of stderr died".to_owned())
    }

    fn wait(&mut self) -> Result<ExitStatus, String> {
        let deadline = Instant::now() + STOP;
        while Instant::now() < deadline {
            if let Some(status) = self.child.try_wait().map_err(|error| error.to_string())? {
                return Ok(status);
            }
            thread::sleep(Duration::from_millis(10));
        }
        Err("the server did not end after SIGTERM".to_owned())
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // Both fail only for a process that has ended and been waited for.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Reads stderr to its end, reports the URL in it and keeps the last lines.
fn read(stderr: ChildStderr, found: &Sender<String>) -> VecDeque<String> {
    let mut kept = VecDeque::with_capacity(LINES);
    for line in BufReader::new(stderr).lines().map_while(Result::ok) {
        if let Some((_, url)) = line.split_once("listening on ") {
            let _ = found.send(url.trim().to_owned());
        }
        if kept.len() == LINES {
            kept.pop_front();
        }
        kept.push_back(line);
    }
    kept
}
