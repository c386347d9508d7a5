//! Legs: a revision of the protocol and a transport.

use std::fmt;

use mcp::{Era, ProtocolVersion, Server};
use serde_json::{Value, json};

use super::Client;

/// A revision and a transport.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Leg {
    pub(crate) version: ProtocolVersion,
    pub(crate) transport: Transport,
}

/// How messages travel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Transport {
    /// Lines over a pair of streams in memory: what stdio does, without a process.
    Memory,
    /// `Server::link`: the host moves the messages.
    Link,
    /// Lines over the standard streams of the example `everything`.
    Process,
    /// Streamable HTTP: a session for a legacy client.
    Http,
    /// Streamable HTTP without sessions, for clients of both eras.
    HttpStateless,
    /// HTTP with SSE as in 2024-11-05: a stream for everything the server says, POSTs for everything the client says.
    Sse,
}

impl fmt::Display for Leg {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} over {:?}", self.version, self.transport)
    }
}

impl Leg {
    pub(crate) fn is_modern(self) -> bool {
        self.version.era() == Era::Modern
    }

    pub(crate) fn is_legacy(self) -> bool {
        !self.is_modern()
    }

    /// Whether a line is a message and all messages share one connection.
    pub(crate) fn has_lines(self) -> bool {
        matches!(self.transport, Transport::Memory | Transport::Process)
    }

    pub(crate) fn is_http(self) -> bool {
        matches!(self.transport, Transport::Http | Transport::HttpStateless | Transport::Sse)
    }

    /// Whether the server can reach its client in the middle of a request: with a request of its own, or by
    /// `input_required`.
    pub(crate) fn can_ask(self) -> bool {
        self.is_modern() || self.transport != Transport::HttpStateless
    }

    /// Whether there is an elicitation.
    pub(crate) fn can_elicit(self) -> bool {
        self.can_ask() && self.version >= ProtocolVersion::V2025_06_18
    }

    /// Whether the server can say something between requests.
    pub(crate) fn can_announce(self) -> bool {
        self.is_modern() || self.transport != Transport::HttpStateless
    }

    /// Whether the client opens with a handshake.
    pub(crate) fn has_handshake(self) -> bool {
        self.is_legacy() && self.transport != Transport::HttpStateless
    }

    /// Starts a server for clients of this leg. On `Process` the example is started for each client instead.
    pub(crate) async fn host(self, server: &Server) -> Host {
        match self.transport {
            Transport::Memory | Transport::Link => Host { leg: self, kind: HostKind::Local(server.clone()) },
            Transport::Process => Host { leg: self, kind: HostKind::Process },
            #[cfg(feature = "http")]
            Transport::Http | Transport::HttpStateless | Transport::Sse => {
                let stateless = self.transport == Transport::HttpStateless;
                self.host_http(server, mcp::HttpOptions::new().stateless(stateless)).await
            }
            #[cfg(not(feature = "http"))]
            _ => panic!("built without HTTP"),
        }
    }

    /// Starts a server over HTTP with options of the test's own; host and port are set here.
    #[cfg(feature = "http")]
    pub(crate) async fn host_http(self, server: &Server, options: mcp::HttpOptions) -> Host {
        let http = server.serve_http(options.host("127.0.0.1").port(0)).await.unwrap();
        Host { leg: self, kind: HostKind::Http(http) }
    }

    /// A client that is ready for requests, on a server of its own. It declares no capabilities.
    pub(crate) async fn connect(self, server: &Server) -> Client {
        self.host(server).await.into_client(json!({})).await
    }

    /// A client that declares these capabilities.
    pub(crate) async fn connect_with(self, server: &Server, capabilities: Value) -> Client {
        self.host(server).await.into_client(capabilities).await
    }

    /// A client that has sent nothing yet.
    pub(crate) async fn open(self, server: &Server) -> Client {
        Client::open(self.host(server).await.into(), json!({})).await
    }
}

/// A server that clients can connect to. It lives for as long as this, and its clients.
pub(crate) struct Host {
    pub(crate) leg: Leg,
    pub(super) kind: HostKind,
}

pub(super) enum HostKind {
    Local(Server),
    Process,
    #[cfg(feature = "http")]
    Http(mcp::HttpServer),
}

impl Host {
    /// One more client that is ready for requests.
    pub(crate) async fn connect(self: &std::sync::Arc<Host>) -> Client {
        self.connect_with(json!({})).await
    }

    pub(crate) async fn connect_with(self: &std::sync::Arc<Host>, capabilities: Value) -> Client {
        let client = Client::open(self.clone(), capabilities).await;
        client.handshake().await;
        client
    }

    /// For several clients: `let host = leg.host(&server).await.shared();`.
    pub(crate) fn shared(self) -> std::sync::Arc<Host> {
        self.into()
    }

    #[cfg(feature = "http")]
    pub(crate) fn http(&self) -> super::Http {
        match &self.kind {
            HostKind::Http(http) => super::Http::new(http.local_addr()),
            _ => panic!("{} has no address", self.leg),
        }
    }

    async fn into_client(self, capabilities: Value) -> Client {
        self.shared().connect_with(capabilities).await
    }
}

/// Sets of legs.
pub(crate) mod legs {
    use super::*;
    use ProtocolVersion as V;
    use Transport::*;

    /// Every leg that needs no process: all revisions over memory and HTTP, and one of each era over `Link`.
    pub(crate) fn all() -> impl Iterator<Item = Leg> {
        memory().chain(link()).chain(http())
    }

    /// Lines in memory, every revision.
    pub(crate) fn memory() -> impl Iterator<Item = Leg> {
        V::ALL.into_iter().map(|version| Leg { version, transport: Memory })
    }

    pub(crate) fn link() -> impl Iterator<Item = Leg> {
        [V::V2025_11_25, V::V2026_07_28].into_iter().map(|version| Leg { version, transport: Link })
    }

    /// Every leg over HTTP: sessions, the transport of 2024-11-05, and both eras without sessions.
    pub(crate) fn http() -> impl Iterator<Item = Leg> {
        let sessions = V::ALL.into_iter().map(|version| Leg { version, transport: Http });
        let stateless = [V::V2025_03_26, V::V2025_11_25, V::V2026_07_28];
        let stateless = stateless.into_iter().map(|version| Leg { version, transport: HttpStateless });
        let sse = [Leg { version: V::V2024_11_05, transport: Sse }];
        sessions.chain(stateless).chain(sse).filter(|_| cfg!(feature = "http"))
    }

    /// A real process, one leg of each era.
    pub(crate) fn process() -> impl Iterator<Item = Leg> {
        [V::V2025_11_25, V::V2026_07_28].into_iter().map(|version| Leg { version, transport: Process })
    }

    /// Legs of clients that open a session, over lines and HTTP.
    pub(crate) fn legacy() -> impl Iterator<Item = Leg> {
        all().filter(|leg| leg.is_legacy())
    }

    /// Legs of the modern era.
    pub(crate) fn modern() -> impl Iterator<Item = Leg> {
        all().filter(|leg| leg.is_modern())
    }

    /// Legs of legacy clients over lines in memory.
    pub(crate) fn legacy_memory() -> impl Iterator<Item = Leg> {
        memory().filter(|leg| leg.is_legacy())
    }

    /// One leg.
    pub(crate) fn only(version: ProtocolVersion, transport: Transport) -> impl Iterator<Item = Leg> {
        [Leg { version, transport }].into_iter()
    }
}
