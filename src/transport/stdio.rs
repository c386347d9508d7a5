//! The process's own standard streams.
//!
//! Pipes and sockets are watched by the reactor, without threads; anything else (a terminal, a file) is read and written
//! through the runtime's blocking pool.

use std::fs::File;
use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::net::UnixStream as StdUnixStream;
use std::pin::Pin;

use rustix::fs::{FileType, OFlags, fcntl_getfl, fcntl_setfl, fstat};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::UnixStream;
use tokio::net::unix::pipe;

use crate::error::TransportError;
use crate::server::Server;

impl Server {
    /// Serves the client that started this process, over its standard streams, until the client closes them or the
    /// server is shut down.
    ///
    /// Meanwhile the protocol has the streams for itself: what the host or a child process of it prints on standard
    /// output goes to standard error, and standard input reads as empty. See `serve_stdio_shared`. Both streams are
    /// switched to non-blocking mode, where they are pipes or sockets. In the end everything is put back.
    ///
    /// # Errors
    /// The streams can't be used, or broke.
    ///
    /// ```no_run
    /// # async fn run(server: mcp::Server) -> Result<(), mcp::TransportError> {
    /// server.serve_stdio().await
    /// # }
    /// ```
    pub async fn serve_stdio(&self) -> Result<(), TransportError> {
        let unusable = |error| TransportError::new("standard input or output can't be set aside", error);
        let isolation = Isolation::begin().map_err(unusable)?;
        self.serve_stdio_copies(&isolation.stdin, &isolation.stdout).await
    }

    /// Like `serve_stdio`, without setting the streams aside: whatever is printed on standard output meanwhile garbles
    /// the protocol, and whoever reads standard input takes messages away. For hosts that move descriptors themselves.
    ///
    /// # Errors
    /// The streams can't be used, or broke.
    pub async fn serve_stdio_shared(&self) -> Result<(), TransportError> {
        self.serve_stdio_copies(rustix::stdio::stdin(), rustix::stdio::stdout()).await
    }

    async fn serve_stdio_copies(&self, stdin: impl AsFd, stdout: impl AsFd) -> Result<(), TransportError> {
        let unusable = |error| TransportError::new("standard input or output can't be used", error);
        let stdin = private_copy(stdin).map_err(unusable)?;
        let stdout = private_copy(stdout).map_err(unusable)?;
        let _modes = [Mode::keep(&stdin).map_err(unusable)?, Mode::keep(&stdout).map_err(unusable)?];
        let (reader, writer) = (open_reader(stdin).map_err(unusable)?, open_writer(stdout).map_err(unusable)?);
        super::serve(self.clone(), reader, writer).await
    }
}

/// A descriptor of our own for a stream. Children do not inherit it.
fn private_copy(fd: impl AsFd) -> io::Result<OwnedFd> {
    Ok(rustix::io::fcntl_dupfd_cloexec(fd, 3)?)
}

/// The standard streams, set aside: descriptor 0 is `/dev/null` and descriptor 1 is standard error, for the host and for
/// children that it starts.
struct Isolation {
    stdin: OwnedFd,
    stdout: OwnedFd,
}

impl Isolation {
    fn begin() -> io::Result<Isolation> {
        let isolation =
            Isolation { stdin: private_copy(rustix::stdio::stdin())?, stdout: private_copy(rustix::stdio::stdout())? };
        rustix::stdio::dup2_stdin(File::open("/dev/null")?)?;
        rustix::stdio::dup2_stdout(rustix::stdio::stderr())?;
        Ok(isolation)
    }
}

impl Drop for Isolation {
    fn drop(&mut self) {
        // Nothing can be done about a failure here, and nothing depends on it.
        let _ = rustix::stdio::dup2_stdin(&self.stdin);
        let _ = rustix::stdio::dup2_stdout(&self.stdout);
    }
}

fn open_reader(fd: OwnedFd) -> io::Result<Pin<Box<dyn AsyncRead + Send>>> {
    Ok(match FileType::from_raw_mode(fstat(&fd)?.st_mode) {
        FileType::Fifo => Box::pin(pipe::Receiver::from_owned_fd(fd)?),
        FileType::Socket => Box::pin(open_socket(fd)?),
        _ => Box::pin(tokio::fs::File::from_std(File::from(fd))),
    })
}

fn open_writer(fd: OwnedFd) -> io::Result<Pin<Box<dyn AsyncWrite + Send>>> {
    Ok(match FileType::from_raw_mode(fstat(&fd)?.st_mode) {
        FileType::Fifo => Box::pin(pipe::Sender::from_owned_fd(fd)?),
        FileType::Socket => Box::pin(open_socket(fd)?),
        _ => Box::pin(tokio::fs::File::from_std(File::from(fd))),
    })
}

fn open_socket(fd: OwnedFd) -> io::Result<UnixStream> {
    let socket = StdUnixStream::from(fd);
    socket.set_nonblocking(true)?;
    UnixStream::from_std(socket)
}

/// The mode that a stream was found in. It is put back in the end: others may hold the same stream.
struct Mode {
    fd: OwnedFd,
    flags: OFlags,
}

impl Mode {
    fn keep(fd: &OwnedFd) -> io::Result<Mode> {
        Ok(Mode { fd: fd.try_clone()?, flags: fcntl_getfl(fd)? })
    }
}

impl Drop for Mode {
    fn drop(&mut self) {
        // Nothing can be done about a failure here, and nothing depends on it.
        let _ = fcntl_setfl(&self.fd, self.flags);
    }
}
