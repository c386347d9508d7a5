//! The process's own standard streams.
//!
//! Pipes and sockets are watched by the reactor, without threads; anything else (a terminal, a file) is read and written
//! through the runtime's blocking pool.

use std::io;
use std::os::fd::OwnedFd;
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
    /// Standard output belongs to the protocol while this runs: print on standard error only. Both streams are switched
    /// to non-blocking mode meanwhile, where they are pipes or sockets.
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
        let unusable = |error| TransportError::new("standard input or output can't be used", error);
        let copy = |fd| rustix::io::fcntl_dupfd_cloexec(fd, 3).map_err(io::Error::from);
        let stdin = copy(rustix::stdio::stdin()).map_err(unusable)?;
        let stdout = copy(rustix::stdio::stdout()).map_err(unusable)?;
        let _modes = [Mode::keep(&stdin).map_err(unusable)?, Mode::keep(&stdout).map_err(unusable)?];
        let (reader, writer) = (open_reader(stdin).map_err(unusable)?, open_writer(stdout).map_err(unusable)?);
        super::serve(self.clone(), reader, writer).await
    }
}

fn open_reader(fd: OwnedFd) -> io::Result<Pin<Box<dyn AsyncRead + Send>>> {
    Ok(match FileType::from_raw_mode(fstat(&fd)?.st_mode) {
        FileType::Fifo => Box::pin(pipe::Receiver::from_owned_fd(fd)?),
        FileType::Socket => Box::pin(open_socket(fd)?),
        _ => Box::pin(tokio::io::stdin()),
    })
}

fn open_writer(fd: OwnedFd) -> io::Result<Pin<Box<dyn AsyncWrite + Send>>> {
    Ok(match FileType::from_raw_mode(fstat(&fd)?.st_mode) {
        FileType::Fifo => Box::pin(pipe::Sender::from_owned_fd(fd)?),
        FileType::Socket => Box::pin(open_socket(fd)?),
        _ => Box::pin(tokio::io::stdout()),
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
