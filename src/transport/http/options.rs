//! How HTTP is served.

use std::sync::Arc;
use std::time::Duration;

#[cfg(feature = "legacy")]
use crate::legacy::event_store::{EventStore, MemoryEventStore};

/// Options of Streamable HTTP.
///
/// ```
/// let options = mcp::HttpOptions::new().host("127.0.0.1").port(0).endpoint("/mcp");
/// ```
#[derive(Clone)]
pub struct HttpOptions {
    pub(crate) host: String,
    pub(crate) port: u16,
    pub(crate) endpoint: String,
    pub(crate) stateless: bool,
    pub(crate) legacy_sse: bool,
    pub(crate) allowed_hosts: Option<Vec<String>>,
    pub(crate) allowed_origins: Option<Vec<String>>,
    pub(crate) cors_origins: Vec<String>,
    pub(crate) keep_alive: Duration,
    pub(crate) retry: Duration,
    #[cfg(feature = "legacy")]
    pub(crate) event_store: Option<Arc<dyn EventStore>>,
    pub(crate) limits: HttpLimits,
}

/// Bounds of Streamable HTTP. What arrives beyond one is refused with an HTTP error.
#[derive(Clone, Copy, Debug)]
pub struct HttpLimits {
    /// Longest body in bytes. Default 4 MiB.
    pub max_body_bytes: usize,
    /// Most bytes of all headers together. Default 64 KiB.
    pub max_header_bytes: usize,
    /// Most open connections; further ones wait to be accepted. Default 10,000.
    pub max_connections: usize,
    /// How long a connection may wait for a request and its headers, also between two requests. Default 60 s.
    pub header_timeout: Duration,
    /// How long a body may take. Default 30 s.
    pub body_timeout: Duration,
    /// Most open sessions; beyond it, `initialize` is answered with 503. Default 10,000.
    pub max_sessions: usize,
    /// After how long without a request or an open stream a session ends. Default 30 min.
    pub session_idle_timeout: Duration,
}

impl Default for HttpLimits {
    fn default() -> HttpLimits {
        HttpLimits {
            max_body_bytes: 4 << 20,
            max_header_bytes: 64 << 10,
            max_connections: 10_000,
            header_timeout: Duration::from_secs(60),
            body_timeout: Duration::from_secs(30),
            max_sessions: 10_000,
            session_idle_timeout: Duration::from_secs(1800),
        }
    }
}

impl Default for HttpOptions {
    fn default() -> HttpOptions {
        HttpOptions::new()
    }
}

impl HttpOptions {
    /// `127.0.0.1:3001/mcp`, with sessions for legacy clients.
    pub fn new() -> HttpOptions {
        HttpOptions {
            host: "127.0.0.1".into(),
            port: 3001,
            endpoint: "/mcp".into(),
            stateless: false,
            legacy_sse: true,
            allowed_hosts: None,
            allowed_origins: None,
            cors_origins: Vec::new(),
            keep_alive: Duration::from_secs(15),
            retry: Duration::from_secs(1),
            #[cfg(feature = "legacy")]
            event_store: Some(Arc::new(MemoryEventStore::default())),
            limits: HttpLimits::default(),
        }
    }

    /// The address to listen on: an IP address or a name.
    pub fn host(mut self, host: impl Into<String>) -> HttpOptions {
        self.host = host.into();
        self
    }

    /// The port to listen on; 0 lets the system choose (see `HttpServer::local_addr`).
    pub fn port(mut self, port: u16) -> HttpOptions {
        self.port = port;
        self
    }

    /// The path of the endpoint.
    pub fn endpoint(mut self, path: impl Into<String>) -> HttpOptions {
        self.endpoint = path.into();
        self
    }

    /// Serves legacy clients without sessions, each request alone: nothing can be asked of them, and nothing announced.
    /// Modern clients never have sessions.
    pub fn stateless(mut self, yes: bool) -> HttpOptions {
        self.stateless = yes;
        self
    }

    /// Whether legacy clients may open streams with GET, those of the HTTP+SSE transport of 2024-11-05 included.
    pub fn enable_legacy_sse(mut self, yes: bool) -> HttpOptions {
        self.legacy_sse = yes;
        self
    }

    /// The values of `Host` that are served, with or without port. The default is loopback names when the listener is
    /// bound to a loopback address, or when the service is mounted elsewhere; any when the listener is bound to another
    /// address. It protects servers on a user's machine from web pages (DNS rebinding).
    pub fn allowed_hosts<S: Into<String>>(mut self, hosts: impl IntoIterator<Item = S>) -> HttpOptions {
        self.allowed_hosts = Some(hosts.into_iter().map(Into::into).collect());
        self
    }

    /// The values of `Origin` that are served, such as `https://app.example`. The default is loopback origins where
    /// hosts are loopback names, and otherwise the origin that equals the request's host.
    pub fn allowed_origins<S: Into<String>>(mut self, origins: impl IntoIterator<Item = S>) -> HttpOptions {
        self.allowed_origins = Some(origins.into_iter().map(Into::into).collect());
        self
    }

    /// Lets web pages of these origins use the server (CORS). They need not be named in `allowed_origins` again.
    pub fn cors_origins<S: Into<String>>(mut self, origins: impl IntoIterator<Item = S>) -> HttpOptions {
        self.cors_origins = origins.into_iter().map(Into::into).collect();
        self
    }

    /// How long a stream may be silent before a comment is sent, and a request before its answer becomes a stream.
    /// Default 15 s.
    pub fn keep_alive(mut self, interval: Duration) -> HttpOptions {
        self.keep_alive = interval.max(Duration::from_millis(1));
        self
    }

    /// How long a client of revision 2025-11-25 is told to wait before it comes back to a released stream. Default 1 s.
    pub fn retry(mut self, interval: Duration) -> HttpOptions {
        self.retry = interval;
        self
    }

    /// Where the events of legacy sessions are kept for clients that come back after a broken connection. `None`: they
    /// are not, and streams can't be resumed. Default: in memory, bounded.
    #[cfg(feature = "legacy")]
    pub fn event_store(mut self, store: Option<Arc<dyn EventStore>>) -> HttpOptions {
        self.event_store = store;
        self
    }

    /// Bounds.
    pub fn limits(mut self, limits: HttpLimits) -> HttpOptions {
        self.limits = limits;
        self
    }
}

/// Who sends a request, as whatever stands in front of the service has found out. Put it into the extensions of the
/// HTTP request; sessions and states of one principal can't be used by another.
///
/// ```
/// # fn authenticated(request: &mut http::Request<()>) {
/// request.extensions_mut().insert(mcp::Principal::new("user-17"));
/// # }
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Principal(pub(crate) Arc<str>);

impl Principal {
    /// A principal of this name.
    pub fn new(name: impl AsRef<str>) -> Principal {
        Principal(name.as_ref().into())
    }
}
