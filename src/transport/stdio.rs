//! The process's own standard streams.
//!
//! They are read and written without threads where the system lets them be polled (pipes, sockets, terminals); a
//! redirected file is read through the runtime's blocking pool.

use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use rustix::fs::{OFlags, fcntl_getfl, fcntl_setfl};
use tokio::io::unix::AsyncFd;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

use crate::error::TransportError;
use crate::server::Server;

impl Server {
    /// Serves the client that started this process, over its standard streams, until the client closes them or the
    /// server is shut down.
    ///
    /// Standard output belongs to the protocol while this runs: print on standard error only.
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
        let broken = |error| TransportError::new("standard input or output can't be used", error);
        let input = rustix::io::fcntl_dupfd_cloexec(rustix::stdio::stdin(), 3).map_err(|e| broken(e.into()))?;
        let output = rustix::io::fcntl_dupfd_cloexec(rustix::stdio::stdout(), 3).map_err(|e| broken(e.into()))?;
        let input: Pin<Box<dyn AsyncRead + Send>> = match Polled::new(input).map_err(broken)? {
            Some(input) => Box::pin(input),
            None => Box::pin(tokio::io::stdin()),
        };
        let output: Pin<Box<dyn AsyncWrite + Send>> = match Polled::new(output).map_err(broken)? {
            Some(output) => Box::pin(output),
            None => Box::pin(tokio::io::stdout()),
        };
        super::serve(self.clone(), input, output).await
    }
}

/// A descriptor that the reactor watches. Its mode is put back when it is dropped: the description is shared with
/// whoever else holds the stream.
struct Polled {
    fd: AsyncFd<OwnedFd>,
    before: OFlags,
}

impl Polled {
    /// `None` when the system can't watch this kind of file.
    fn new(fd: OwnedFd) -> io::Result<Option<Polled>> {
        let before = fcntl_getfl(&fd)?;
        let fd = match AsyncFd::try_new(fd) {
            Ok(fd) => fd,
            Err(_) => return Ok(None),
        };
        fcntl_setfl(fd.get_ref(), before | OFlags::NONBLOCK)?;
        Ok(Some(Polled { fd, before }))
    }
}

impl Drop for Polled {
    fn drop(&mut self) {
        // Nothing can be done about a failure here, and nothing depends on it.
        let _ = fcntl_setfl(self.fd.get_ref(), self.before);
    }
}

impl AsyncRead for Polled {
    fn poll_read(self: Pin<&mut Self>, cx: &mut Context<'_>, buffer: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        loop {
            let mut ready = ready!(self.fd.poll_read_ready(cx))?;
            let unfilled = buffer.initialize_unfilled();
            match ready.try_io(|fd| Ok(rustix::io::read(fd.get_ref().as_fd(), &mut *unfilled)?)) {
                Ok(Err(error)) if error.kind() == io::ErrorKind::Interrupted => {}
                Ok(read) => {
                    buffer.advance(read?);
                    return Poll::Ready(Ok(()));
                }
                Err(_would_block) => {}
            }
        }
    }
}

impl AsyncWrite for Polled {
    fn poll_write(self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        loop {
            let mut ready = ready!(self.fd.poll_write_ready(cx))?;
            match ready.try_io(|fd| Ok(rustix::io::write(fd.get_ref().as_fd(), bytes)?)) {
                Ok(Err(error)) if error.kind() == io::ErrorKind::Interrupted => {}
                Ok(written) => return Poll::Ready(written),
                Err(_would_block) => {}
            }
        }
    }

    fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }
}
