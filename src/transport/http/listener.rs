//! The listener: accepts connections, and ends them in order.

use std::convert::Infallible;
use std::future::Future;
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tokio::task::{JoinHandle, JoinSet};
use tokio::time::{Instant, sleep_until};

use super::options::HttpOptions;
use super::service::HttpService;
use super::watch::{Open, Watches};
use crate::error::TransportError;
use crate::server::Server;
use crate::server::shutdown::Shutdown;

/// Most bytes that a connection holds unread: enough for usual bodies to arrive in one piece.
const READ_BUFFER: usize = 256 * 1024;

/// A listener that serves. Dropping it leaves it serving; see `shutdown`.
pub struct HttpServer {
    address: SocketAddr,
    shutdown: Shutdown,
    accepting: JoinHandle<usize>,
}

impl Server {
    /// Listens for HTTP and serves in the background. Must be called within a tokio runtime.
    ///
    /// # Errors
    /// The address is invalid or taken.
    ///
    /// ```no_run
    /// # async fn run(server: mcp::Server) -> Result<(), mcp::TransportError> {
    /// let http = server.serve_http(mcp::HttpOptions::new().port(0)).await?;
    /// eprintln!("listening on http://{}/mcp", http.local_addr());
    /// http.wait().await;
    /// # Ok(())
    /// # }
    /// ```
    pub async fn serve_http(&self, options: HttpOptions) -> Result<HttpServer, TransportError> {
        self.start_background();
        let place = format!("can't listen on {}:{}", options.host, options.port);
        let listener = bind(&options).await.map_err(|error| TransportError::new(&place, error))?;
        let address = listener.local_addr().map_err(|error| TransportError::new(&place, error))?;
        let acceptor = Acceptor {
            service: HttpService::new(self, options.clone(), address.ip().is_loopback()),
            server: self.clone(),
            options: Arc::new(options),
            shutdown: Shutdown::new(),
        };
        let shutdown = acceptor.shutdown.clone();
        Ok(HttpServer { address, shutdown, accepting: tokio::spawn(acceptor.run(listener)) })
    }
}

impl HttpServer {
    /// Where it listens: the real port, where the system chose one.
    pub fn local_addr(&self) -> SocketAddr {
        self.address
    }

    /// Ends the listener: no more connections, streams end in order, requests that run have `grace` to finish. Returns
    /// how many connections had to be cut off after that. The address is free again when this returns.
    pub async fn shutdown(self, grace: Duration) -> usize {
        self.shutdown.begin(grace);
        self.wait().await
    }

    /// Returns when the listener has ended, because the server was shut down. See `shutdown` for the number.
    pub async fn wait(self) -> usize {
        self.accepting.await.unwrap_or_default()
    }
}

async fn bind(options: &HttpOptions) -> std::io::Result<TcpListener> {
    let host = options.host.trim_start_matches('[').trim_end_matches(']');
    match host.parse::<IpAddr>() {
        Ok(address) => TcpListener::bind((address, options.port)).await,
        Err(_) => TcpListener::bind((host, options.port)).await,
    }
}

struct Acceptor {
    service: HttpService,
    server: Server,
    options: Arc<HttpOptions>,
    shutdown: Shutdown,
}

impl Acceptor {
    async fn run(self, listener: TcpListener) -> usize {
        let places = Arc::new(Semaphore::new(self.options.limits.max_connections.clamp(1, Semaphore::MAX_PERMITS)));
        let watches = Watches::start(self.options.limits.header_timeout);
        let mut connections = JoinSet::new();
        let deadline = loop {
            tokio::select! {
                deadline = self.shutdown.begun() => break deadline,
                deadline = self.server.shutdown_signal().begun() => break deadline,
                // The semaphore is never closed.
                Ok(place) = places.clone().acquire_owned() => match self.accept(&listener).await {
                    Ok(stream) => {
                        let serving = self.serve(stream, watches.open());
                        connections.spawn(async move {
                            serving.await;
                            drop(place);
                        });
                    }
                    Err(deadline) => break deadline,
                },
            }
            while connections.try_join_next().is_some() {}
        };
        drop(listener);
        self.end(connections, &watches, deadline).await
    }

    /// The next connection, or the time by which everything must end.
    async fn accept(&self, listener: &TcpListener) -> Result<TcpStream, Instant> {
        loop {
            let accepted = tokio::select! {
                deadline = self.shutdown.begun() => return Err(deadline),
                deadline = self.server.shutdown_signal().begun() => return Err(deadline),
                accepted = listener.accept() => accepted,
            };
            match accepted {
                Ok((stream, _)) => return Ok(stream),
                Err(error) => {
                    // Out of descriptors, or the client is gone already: neither ends the server.
                    tracing::warn!("a connection could not be accepted: {error}");
                    tokio::time::sleep(Duration::from_millis(10)).await;
                }
            }
        }
    }

    fn serve(&self, stream: TcpStream, watch: Open) -> impl Future<Output = ()> + use<> {
        let (service, options) = (self.service.clone(), self.options.clone());
        let limits = options.limits;
        async move {
            // Answers are small and waited for; a failure to say so costs time only.
            let _ = stream.set_nodelay(true);
            let endpoint = options.endpoint.clone();
            let service = service_fn(move |request: hyper::Request<hyper::body::Incoming>| {
                let service = service.clone();
                let known = request.uri().path() == endpoint;
                async move {
                    let response = if known { service.respond(request).await } else { service.not_found(&request) };
                    Ok::<_, Infallible>(response)
                }
            });
            let connection = http1::Builder::new()
                .timer(watch.timer())
                .header_read_timeout(limits.header_timeout)
                .max_buf_size(READ_BUFFER.max(limits.max_header_bytes))
                .serve_connection(TokioIo::new(stream), service);
            let mut connection = std::pin::pin!(connection);
            let mut ending = false;
            let served = std::future::poll_fn(|cx| {
                if watch.is_ending(cx) && !std::mem::replace(&mut ending, true) {
                    connection.as_mut().graceful_shutdown();
                }
                connection.as_mut().poll(cx)
            });
            let served = served.await;
            if let Err(error) = served {
                tracing::debug!("a connection ended early: {error}");
            }
        }
    }

    /// Lets the connections end, and cuts off those that have not by the deadline.
    async fn end(self, mut connections: JoinSet<()>, watches: &Watches, deadline: Instant) -> usize {
        self.service.close_streams();
        watches.end();
        let in_time = tokio::select! {
            () = async { while connections.join_next().await.is_some() {} } => true,
            () = sleep_until(deadline) => false,
        };
        let cut_off = if in_time { 0 } else { connections.len() };
        connections.shutdown().await;
        // Requests of sessions go on without their connections, up to here.
        self.service.close_sessions();
        cut_off
    }
}
