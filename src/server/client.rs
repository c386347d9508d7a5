//! Clients that opened a session, for a host that speaks to them outside of any request. Knows no era: the one that has
//! sessions implements `Remote`.

use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use bytes::Bytes;
use serde::Serialize;

use super::Server;
use super::context::{Question, notification, read_answer};
use crate::error::Error;
use crate::json::RawJson;
use crate::protocol::capability::ClientCapabilities;
use crate::protocol::identity::Implementation;
use crate::protocol::input::InputRequest;
use crate::protocol::logging::LoggingLevel;
use crate::protocol::method::Method;
use crate::protocol::version::ProtocolVersion;

/// A client that opened a session (revisions up to 2025-11-25), as `Server::clients` lists it. Cheap to clone, may be
/// kept and used from any thread; once the session is over, nothing is sent through it.
#[derive(Clone)]
pub struct Client(Arc<dyn Remote>);

impl Client {
    /// Who the client says it is; `None` when it did not say it properly.
    pub fn info(&self) -> Option<Implementation> {
        self.info_json().deserialize().ok()
    }

    /// What the client can do.
    pub fn capabilities(&self) -> ClientCapabilities {
        self.capabilities_json().deserialize().unwrap_or_default()
    }

    /// Who the client says it is, as it was sent: a JSON object.
    pub fn info_json(&self) -> &RawJson {
        self.0.info()
    }

    /// What the client can do, as it was sent: a JSON object.
    pub fn capabilities_json(&self) -> &RawJson {
        self.0.capabilities()
    }

    /// The revision that was agreed on.
    pub fn protocol_version(&self) -> ProtocolVersion {
        self.0.version()
    }

    /// Sends a log message, under the name of a logger where there is one, if the server declared logging
    /// (`ServerBuilder::declare_logging`) and the client wants messages of this level. Over HTTP it is lost while the
    /// client holds no stream open (GET). Keep secrets out of it.
    pub fn log<T: Serialize + ?Sized>(&self, level: LoggingLevel, logger: Option<&str>, data: &T) {
        if self.0.wants(level) {
            self.0.send(log_message(level, logger, data));
        }
    }

    /// Asks the client with a request of the server's, and waits for the answer. Over HTTP the question goes out on the
    /// stream that the client holds open (GET). Must be awaited within a tokio runtime; dropping the future tells the
    /// client that nobody waits any more.
    ///
    /// # Errors
    /// - `-32021`: the client did not declare that it can answer this.
    /// - The client's own error, where it refused.
    /// - `-32602`: its answer is malformed.
    /// - `-32603`: it can't be reached, its session ended, or it did not answer within
    ///   `InputRequiredConfig::round_timeout`.
    ///
    /// ```no_run
    /// # async fn example(server: mcp::Server) -> Result<(), mcp::Error> {
    /// for client in server.clients() {
    ///     if client.capabilities().roots.is_some() {
    ///         println!("{:?}", client.ask(mcp::ListRoots).await?.roots);
    ///     }
    /// }
    /// # Ok(())
    /// # }
    /// ```
    pub async fn ask<Q: Question>(&self, question: Q) -> Result<Q::Answer, Error> {
        let answer = self.0.ask(question.clone().into()).await?;
        let malformed = |what| Error::invalid_params(format!("the client's answer is malformed: {what}"));
        read_answer(&question, &answer).map_err(malformed)
    }
}

impl std::fmt::Debug for Client {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Client").field("info", self.info_json()).field("version", &self.protocol_version()).finish()
    }
}

impl Server {
    /// The clients that opened a session and said that they are ready, on any transport, as long as the session is open;
    /// the oldest first. A client of revision 2026-07-28 has no session and is never among them.
    pub fn clients(&self) -> Vec<Client> {
        self.client_list().open()
    }

    /// Sends a log message to every client that `clients` lists, as `Client::log` does.
    pub fn log<T: Serialize + ?Sized>(&self, level: LoggingLevel, logger: Option<&str>, data: &T) {
        let mut message = None;
        for Client(remote) in self.clients() {
            if remote.wants(level) {
                remote.send(message.get_or_insert_with(|| log_message(level, logger, data)).clone());
            }
        }
    }
}

fn log_message<T: Serialize + ?Sized>(level: LoggingLevel, logger: Option<&str>, data: &T) -> Bytes {
    notification(Method::LogMessage, |w| {
        w.value_member("level", &level);
        w.optional_string("logger", logger);
        w.value_member("data", data);
    })
}

/// The answer of a client, when it comes.
pub(crate) type Answering<'a> = Pin<Box<dyn Future<Output = Result<RawJson, Error>> + Send + 'a>>;

/// What was agreed with a client in its session, and the way to it.
pub(crate) trait Remote: Send + Sync {
    fn version(&self) -> ProtocolVersion;

    /// A JSON object.
    fn info(&self) -> &RawJson;

    /// A JSON object.
    fn capabilities(&self) -> &RawJson;

    /// Whether the session goes on.
    fn is_open(&self) -> bool;

    /// Whether log messages of this level are to be sent.
    fn wants(&self, level: LoggingLevel) -> bool;

    /// Sends a notification, or drops it where it can't be sent.
    fn send(&self, message: Bytes);

    /// Asks the client and waits for the answer, whatever shape it has.
    fn ask(&self, request: InputRequest) -> Answering<'_>;
}

/// The clients of a server, oldest first. Their sessions own them.
#[derive(Default)]
pub(crate) struct Clients(Mutex<Vec<Weak<dyn Remote>>>);

/// Clients beyond so many are served, and not listed.
const MOST_LISTED: usize = 1 << 16;

impl Clients {
    /// Enters a client. It is listed until its session ends.
    pub(crate) fn enter(&self, remote: &Arc<dyn Remote>) {
        let mut list = self.lock();
        if list.len() == list.capacity() || list.len() == MOST_LISTED {
            list.retain(|remote| remote.upgrade().is_some_and(|remote| remote.is_open()));
            // As much room as is taken: so the list is looked through once for as many clients as it has.
            let room = list.len() + 1;
            list.reserve(room);
        }
        if list.len() < MOST_LISTED {
            list.push(Arc::downgrade(remote));
        }
    }

    fn open(&self) -> Vec<Client> {
        let list: Vec<_> = self.lock().iter().filter_map(Weak::upgrade).collect();
        list.into_iter().filter(|remote| remote.is_open()).map(Client).collect()
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Weak<dyn Remote>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests;
