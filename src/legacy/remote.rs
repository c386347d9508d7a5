//! The client of a session, as a host meets it outside of any request.

use std::sync::{Arc, Weak};

use bytes::Bytes;
use tokio::time::timeout;

use super::outgoing::Outgoing;
use super::session::Negotiated;
use crate::error::{Error, code};
use crate::json::RawJson;
use crate::peer::{Necessity, Outlet};
use crate::protocol::capability::ClientCapabilities;
use crate::protocol::input::InputRequest;
use crate::protocol::logging::LoggingLevel;
use crate::protocol::version::ProtocolVersion;
use crate::server::Server;
use crate::server::call::SessionLogLevel;
use crate::server::client::{Answering, Remote};

/// What outlives the session in the hands of a host holds nothing of the session but what was agreed.
pub(super) struct SessionRemote {
    pub(super) server: Server,
    pub(super) negotiated: Negotiated,
    pub(super) log_level: Arc<SessionLogLevel>,
    pub(super) outgoing: Arc<Outgoing>,
    /// Where messages that belong to no request go; it ends with its connection.
    pub(super) outlet: Weak<dyn Outlet>,
}

impl SessionRemote {
    fn outlet(&self) -> Option<Arc<dyn Outlet>> {
        self.outlet.upgrade().filter(|outlet| self.is_open() && outlet.is_read())
    }

    async fn ask(&self, request: InputRequest) -> Result<RawJson, Error> {
        let version = self.negotiated.version;
        let capabilities: ClientCapabilities = self.negotiated.capabilities.deserialize().unwrap_or_default();
        if let Some(missing) = capabilities.missing_for(&request, version) {
            let text = format!("The question needs a client capability that was not declared: {missing}");
            return Err(Error::new(code::MISSING_REQUIRED_CLIENT_CAPABILITY, text));
        }
        let unreachable = || Error::internal("The client can't be reached: it has gone, or holds no stream open");
        let outlet = self.outlet().ok_or_else(unreachable)?;
        let asked = self.outgoing.ask(&request, version, &*outlet, None).ok_or_else(unreachable)?;
        let limit = self.server.options().input_required.round_timeout;
        let answer = timeout(limit, asked.answer()).await;
        let answer = answer.map_err(|_| Error::internal("The client did not answer in time"))?;
        let answer = answer.ok_or_else(|| Error::internal("The session ended before the client answered"))?;
        answer.map_err(|error| read_error(&error))
    }
}

impl Remote for SessionRemote {
    fn version(&self) -> ProtocolVersion {
        self.negotiated.version
    }

    fn info(&self) -> &RawJson {
        &self.negotiated.info
    }

    fn capabilities(&self) -> &RawJson {
        &self.negotiated.capabilities
    }

    fn is_open(&self) -> bool {
        !self.outgoing.is_closed()
    }

    fn wants(&self, level: LoggingLevel) -> bool {
        self.server.options().declare_logging && level >= self.log_level.get()
    }

    fn send(&self, message: Bytes) {
        if let Some(outlet) = self.outlet() {
            outlet.send(message, Necessity::Droppable);
        }
    }

    fn ask(&self, request: InputRequest) -> Answering<'_> {
        Box::pin(self.ask(request))
    }
}

/// The error with which a client refused.
fn read_error(error: &RawJson) -> Error {
    #[derive(serde::Deserialize)]
    struct ClientError {
        code: i32,
        message: String,
        #[serde(default)]
        data: Option<RawJson>,
    }
    match error.deserialize() {
        Ok(ClientError { code, message, data }) => {
            let error = Error::new(code, message);
            match data {
                Some(data) => error.with_data(data),
                None => error,
            }
        }
        Err(_) => Error::internal("The client refused to answer"),
    }
}
