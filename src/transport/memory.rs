//! Connections without a process or a network: a pair of streams in memory, and one message at a time.

use std::sync::PoisonError;
use std::task::Poll;

use bytes::Bytes;
use futures_util::StreamExt;
use futures_util::stream::FuturesUnordered;
use tokio::io::{DuplexStream, duplex};
use tokio::sync::Mutex;

use super::router::{Router, Step, Work};
use crate::error::TransportError;
use crate::server::Server;

/// Bytes that one direction of a pair holds before its writer waits.
const PIPE_BYTES: usize = 64 * 1024;

impl Server {
    /// Serves a client in the same process. The stream carries one JSON-RPC message a line in both directions, like the
    /// standard streams of a server process; closing it ends the connection. Must be called within a tokio runtime.
    pub fn memory_pair(&self) -> DuplexStream {
        let (client, server) = duplex(PIPE_BYTES);
        let (reader, writer) = tokio::io::split(server);
        let serving = super::serve(self.clone(), reader, writer);
        tokio::spawn(async move {
            if let Err(error) = serving.await {
                tracing::debug!("{error}");
            }
        });
        client
    }

    /// Serves one connection over any pair of byte streams that carry one message a line: a socket, a pipe.
    ///
    /// # Errors
    /// The connection broke.
    pub async fn serve_stream<R, W>(&self, reader: R, writer: W) -> Result<(), TransportError>
    where
        R: tokio::io::AsyncRead + Unpin,
        W: tokio::io::AsyncWrite + Unpin,
    {
        super::serve(self.clone(), reader, writer).await
    }

    /// A connection without a transport: the host hands in messages and takes out answers.
    ///
    /// ```
    /// # tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(async {
    /// let server = mcp::Server::builder("echo", "1.0").build().unwrap();
    /// let link = server.link();
    /// let answer = link.dispatch(r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#).await.unwrap();
    /// assert_eq!(answer, r#"{"jsonrpc":"2.0","id":1,"result":{}}"#);
    /// # });
    /// ```
    pub fn link(&self) -> Link {
        let outbox = std::sync::Arc::new(super::outbox::Outbox::new(self.options().limits.max_queued_bytes));
        Link {
            server: self.clone(),
            router: Mutex::new(Router::new(self, outbox.clone())),
            outbox,
            background: std::sync::Mutex::default(),
        }
    }

    /// Answers one message that stands alone, without a connection: a modern request, whose metadata is in itself.
    /// `None` for a notification. Notifications that the handler sends are lost.
    pub async fn dispatch(&self, message: impl Into<Bytes>) -> Option<Bytes> {
        self.link().dispatch(message).await
    }
}

/// A connection whose bytes the host moves. See `Server::link`.
pub struct Link {
    server: Server,
    router: Mutex<Router>,
    outbox: std::sync::Arc<super::outbox::Outbox>,
    background: std::sync::Mutex<FuturesUnordered<Work>>,
}

impl Link {
    /// Takes one message and waits for its answer; `None` where there is none, as for a notification. Any number of
    /// messages may be under way at once. Dropping the future cancels the request.
    pub async fn dispatch(&self, message: impl Into<Bytes>) -> Option<Bytes> {
        let message = message.into();
        let limit = self.server.options().limits.max_message_bytes;
        let step = {
            let mut router = self.router.lock().await;
            if message.len() > limit { router.too_long() } else { router.take(message) }
        };
        let answer = match step {
            Step::Nothing => None,
            Step::Send(answer) => Some(answer),
            Step::Run(work) => work.await,
            Step::Open(answer, work) => {
                self.background.lock().unwrap_or_else(PoisonError::into_inner).push(work);
                // Whoever waits for a message has to run it.
                self.outbox.wake();
                Some(answer)
            }
        }?;
        self.server.filter_outgoing(answer)
    }

    /// The next message of the server's own: a notification, or a request to a legacy client. Answers to requests of
    /// the client's come from `dispatch` alone.
    pub async fn next_message(&self) -> Bytes {
        loop {
            let message = std::future::poll_fn(|cx| {
                let mut background = self.background.lock().unwrap_or_else(PoisonError::into_inner);
                // What runs in the background sends through the outbox; its end is of no interest.
                while let Poll::Ready(Some(_)) = background.poll_next_unpin(cx) {}
                self.outbox.poll_next(cx.waker())
            });
            let message = message.await;
            if let Some(message) = self.server.filter_outgoing(message) {
                return message;
            }
        }
    }
}

impl Drop for Link {
    fn drop(&mut self) {
        self.router.get_mut().close();
        self.outbox.close();
    }
}
