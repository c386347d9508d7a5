//! The example `everything` as a process: for what only a real process has, such as exit codes and broken pipes.

use std::path::PathBuf;
use std::process::{ExitStatus, Stdio};

use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader, Lines};
use tokio::process::{Child, ChildStdin, ChildStdout, Command};

use super::within;

/// A running server and its streams. Killed when dropped.
pub(crate) struct Process {
    pub(crate) child: Child,
    pub(crate) stdin: Option<ChildStdin>,
    pub(crate) stdout: Option<Lines<BufReader<ChildStdout>>>,
    stderr: Option<tokio::task::JoinHandle<String>>,
}

/// Where Cargo puts the example: beside the directory of this test binary.
pub(crate) fn everything() -> PathBuf {
    let binary = std::env::current_exe().unwrap();
    let path = binary.parent().and_then(|deps| deps.parent()).unwrap().join("examples/everything");
    assert!(path.exists(), "{} is missing; `cargo test` builds it, `cargo test --test it` does not", path.display());
    path
}

impl Process {
    /// Starts the example on its standard streams.
    pub(crate) fn start() -> Process {
        Process::start_with(&[])
    }

    pub(crate) fn start_with(args: &[&str]) -> Process {
        let mut command = Command::new(everything());
        command.args(args);
        Process::start_command(command)
    }

    pub(crate) fn start_command(mut command: Command) -> Process {
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).kill_on_drop(true);
        let mut child = command.spawn().unwrap();
        let mut errors = child.stderr.take().unwrap();
        let stderr = tokio::spawn(async move {
            let mut text = Vec::new();
            // What was said until the stream broke is still worth showing.
            let _ = errors.read_to_end(&mut text).await;
            String::from_utf8_lossy(&text).into_owned()
        });
        Process {
            stdin: child.stdin.take(),
            stdout: child.stdout.take().map(|out| BufReader::new(out).lines()),
            child,
            stderr: Some(stderr),
        }
    }

    /// Writes bytes as they are.
    pub(crate) async fn write(&mut self, bytes: impl AsRef<[u8]>) {
        let stdin = self.stdin.as_mut().expect("stdin was closed");
        within("writing to the process", stdin.write_all(bytes.as_ref())).await.unwrap();
        stdin.flush().await.unwrap();
    }

    /// The next line of standard output; `None` at its end.
    pub(crate) async fn line(&mut self) -> Option<String> {
        let stdout = self.stdout.as_mut().expect("stdout was closed");
        within("reading from the process", stdout.next_line()).await.unwrap()
    }

    /// All lines up to the end of standard output.
    pub(crate) async fn lines(&mut self) -> Vec<String> {
        let mut lines = Vec::new();
        while let Some(line) = self.line().await {
            lines.push(line);
        }
        lines
    }

    pub(crate) fn close_stdin(&mut self) {
        self.stdin = None;
    }

    pub(crate) fn close_stdout(&mut self) {
        self.stdout = None;
    }

    /// Waits for the end of the process.
    pub(crate) async fn exit(&mut self) -> ExitStatus {
        within("waiting for the process to end", self.child.wait()).await.unwrap()
    }

    /// All that was printed on standard error, after the end of the process.
    pub(crate) async fn errors(&mut self) -> String {
        within("reading standard error", self.stderr.take().expect("asked once")).await.unwrap()
    }
}
