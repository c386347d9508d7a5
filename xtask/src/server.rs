//! An example server as a child process: started, awaited until it listens, ended by its id when dropped.

use std::fs::File;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::time::Duration;

use crate::cmd;
use crate::http::Url;

const READY: Duration = Duration::from_secs(30);
const READY_PREFIX: &str = "listening on ";

/// A running server. Dropping it ends the process.
pub(crate) struct Server {
    child: Child,
    url: Url,
    log: PathBuf,
}

impl Server {
    /// Starts `program` with `--http 127.0.0.1:0` and waits for its `listening on URL` line. What it writes on stderr
    /// goes to a log file, see [`Server::log`].
    ///
    /// # Errors
    /// It could not be started, ended early, or was not ready after 30 seconds; the text has what it wrote.
    pub(crate) fn start(program: &Path) -> Result<Self, String> {
        let log = log_file(program)?;
        let copy = File::create(&log).map_err(|error| format!("cannot write {}: {error}", log.display()))?;
        let mut child = http_command(program)
            .stderr(Stdio::piped())
            .spawn()
            .map_err(|error| format!("cannot start {}: {error}", program.display()))?;
        let (sender, receiver) = mpsc::channel();
        if let Some(stderr) = child.stderr.take() {
            std::thread::spawn(move || drain(stderr, copy, &sender));
        }
        let mut server = Self { child, url: Url::default(), log };
        match receiver.recv_timeout(READY) {
            Ok(url) => server.url = url,
            Err(reason) => {
                let end = match reason {
                    mpsc::RecvTimeoutError::Timeout => "did not say `listening on …` within 30 seconds",
                    mpsc::RecvTimeoutError::Disconnected => "ended before it listened",
                };
                let said = std::fs::read_to_string(&server.log).unwrap_or_default();
                return Err(format!("{} {end}\n{said}", program.display()));
            }
        }
        Ok(server)
    }

    /// Where it listens.
    pub(crate) fn url(&self) -> &Url {
        &self.url
    }

    /// The file that has its stderr.
    pub(crate) fn log(&self) -> &Path {
        &self.log
    }

    /// Whether it still runs; a server that a test made crash does not.
    ///
    /// # Errors
    /// It ended; the text says how and names the log file.
    pub(crate) fn check_alive(&mut self) -> Result<(), String> {
        match self.child.try_wait() {
            Ok(None) => Ok(()),
            Ok(Some(status)) => Err(format!("the server ended ({status}), see {}", self.log.display())),
            Err(error) => Err(format!("cannot watch the server: {error}")),
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // Both fail only when the process has ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// `program --http 127.0.0.1:0` with nothing on stdin and stdout.
pub(crate) fn http_command(program: &Path) -> Command {
    let mut command = Command::new(program);
    command.args(["--http", "127.0.0.1:0"]).stdin(Stdio::null()).stdout(Stdio::null());
    command
}

/// The address in a `listening on URL` line.
pub(crate) fn ready_url(line: &str) -> Option<Url> {
    let start = line.find(READY_PREFIX)? + READY_PREFIX.len();
    Url::parse(line[start..].split_whitespace().next()?).ok()
}

fn log_file(program: &Path) -> Result<PathBuf, String> {
    let dir = cmd::target_dir().join("tools").join("logs");
    std::fs::create_dir_all(&dir).map_err(|error| format!("cannot make {}: {error}", dir.display()))?;
    let name = program.file_stem().unwrap_or_default().to_string_lossy();
    Ok(dir.join(format!("{name}.{}.log", std::process::id())))
}

/// Reads to the end, so that the server never blocks on a full pipe.
fn drain(stderr: impl Read, mut copy: File, ready: &mpsc::Sender<Url>) {
    let mut said = false;
    for line in BufReader::new(stderr).split(b'\n').map_while(Result::ok) {
        // A full disk must not stop the draining.
        let _ = copy.write_all(&line).and_then(|()| copy.write_all(b"\n"));
        if !said && let Some(url) = ready_url(&String::from_utf8_lossy(&line)) {
            said = ready.send(url).is_ok();
        }
    }
}
