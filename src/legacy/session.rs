//! A session: what was agreed with one legacy client, and what is going on with it.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock, Weak};

use bytes::Bytes;

use super::codec::finish;
use super::handshake;
use super::outgoing::Outgoing;
use super::remote::SessionRemote;
use super::tasks;
use crate::error::Error;
use crate::ingress::{Notification, Request, Response};
use crate::json::RawJson;
use crate::peer::Outlet;
use crate::protocol::logging::LoggingLevel;
use crate::protocol::method::Method;
use crate::protocol::version::{Feature, ProtocolVersion};
use crate::server::Server;
use crate::server::background::TaskSlot;
use crate::server::call::{Call, CallState, Cancel, Client, LogThreshold, Progress, SessionLogLevel};
use crate::server::changes::{Change, List, Lists, Subscription, Watcher};
use crate::server::client::Remote;
use crate::server::context::notification;
use crate::server::dispatch::is_offered;
use crate::server::in_flight::InFlight;

/// What the handshake agreed on.
#[derive(Clone)]
pub(super) struct Negotiated {
    pub(super) version: ProtocolVersion,
    pub(super) capabilities: RawJson,
    pub(super) info: RawJson,
}

/// A session. It exists before the handshake, so that the first messages of a connection have something to meet.
pub(crate) struct Session {
    pub(super) server: Server,
    /// What tells the session from all others, where there are others.
    pub(super) key: Option<Arc<str>>,
    negotiated: OnceLock<Negotiated>,
    log_level: Arc<SessionLogLevel>,
    pub(super) outgoing: Arc<Outgoing>,
    /// Where messages that belong to no request go, where there is such a way.
    outlet: Option<Weak<dyn Outlet>>,
    /// The client as the server lists it, from the time it is ready.
    remote: OnceLock<Arc<dyn Remote>>,
    pub(crate) in_flight: Arc<InFlight>,
    watcher: Option<Watcher>,
    initialized: AtomicBool,
}

/// A request that passed.
pub(crate) enum Admitted {
    /// It is to be served.
    Call(Call),
    /// It has its answer already.
    Answer(Bytes),
}

impl Session {
    /// A session on a connection of its own, which `outlet` leads to: changes are announced on the subscription that
    /// comes with it.
    pub(crate) fn open(
        server: &Server,
        in_flight: Arc<InFlight>,
        outlet: Weak<dyn Outlet>,
    ) -> (Session, Option<Subscription>) {
        let enabled = server.options().subscriptions_enabled;
        let subscription = enabled.then(|| server.changes().subscribe(Lists::ALL, []));
        let mut session = Session::detached(server, in_flight);
        session.watcher = subscription.as_ref().map(Subscription::watcher);
        session.outlet = Some(outlet);
        session.key = tasks::session_key(server);
        (session, subscription)
    }

    /// A session with no way to announce changes.
    pub(crate) fn detached(server: &Server, in_flight: Arc<InFlight>) -> Session {
        Session {
            server: server.clone(),
            key: None,
            negotiated: OnceLock::new(),
            log_level: Arc::default(),
            outgoing: Arc::default(),
            outlet: None,
            remote: OnceLock::new(),
            in_flight,
            watcher: None,
            initialized: AtomicBool::new(false),
        }
    }

    /// The agreed revision; `None` before the handshake.
    pub(crate) fn version(&self) -> Option<ProtocolVersion> {
        self.negotiated.get().map(|negotiated| negotiated.version)
    }

    /// Whether the client said that it is ready for notifications.
    pub(crate) fn is_initialized(&self) -> bool {
        self.initialized.load(Ordering::Acquire)
    }

    /// Takes a revision without a handshake: what a request that has no session is served with.
    pub(crate) fn assume(&self, version: ProtocolVersion) {
        let negotiated = Negotiated { version, capabilities: RawJson::EMPTY_OBJECT, info: RawJson::NULL };
        // A session that has agreed on something keeps it.
        let _ = self.negotiated.set(negotiated);
    }

    /// Checks a request and prepares it, or answers it.
    ///
    /// # Errors
    /// What is wrong with the request, under the code that the specification names.
    pub(crate) fn admit(
        &self,
        request: Request,
        principal: Option<Arc<str>>,
        outlet: Option<Arc<dyn Outlet>>,
    ) -> Result<Admitted, Error> {
        let unknown = || Error::method_not_found(&request.method.to_text());
        let method = request.method.known.filter(|method| is_method(*method)).ok_or_else(unknown)?;
        match method {
            Method::Initialize => return self.initialize(&request, principal.is_some()).map(Admitted::Answer),
            Method::Ping => return Ok(Admitted::Answer(self.empty_answer(&request))),
            _ => {}
        }
        let Some(negotiated) = self.negotiated.get() else { return Err(not_initialized()) };
        if !is_offered(&self.server, method) || !tasks::is_known(self, method, negotiated.version, principal.as_deref())
        {
            return Err(unknown());
        }
        request.params.check_shape()?;
        match method {
            Method::SetLogLevel => self.set_log_level(&request).map(Admitted::Answer),
            Method::Subscribe | Method::Unsubscribe => self.watch(method, &request).map(Admitted::Answer),
            _ => self.prepare(method, negotiated, request, principal, outlet).map(Admitted::Call),
        }
    }

    fn prepare(
        &self,
        method: Method,
        negotiated: &Negotiated,
        request: Request,
        principal: Option<Arc<str>>,
        outlet: Option<Arc<dyn Outlet>>,
    ) -> Result<Call, Error> {
        let Request { id, mut params, .. } = request;
        let progress = params.progress_token()?.map(Progress::new);
        let terms = tasks::terms(&self.server, method, negotiated.version, &params)?;
        let state = Arc::new(CallState {
            server: self.server.clone(),
            id,
            params: params.members,
            client: Client {
                version: negotiated.version,
                info: Some(negotiated.info.clone()),
                capabilities: negotiated.capabilities.clone(),
                principal,
                session: self.key.clone(),
            },
            meta: params.meta,
            progress,
            log_threshold: LogThreshold::Session(self.log_level.clone()),
            outlet,
            cancel: Cancel::default(),
            task: TaskSlot::new(terms),
            finished: AtomicBool::new(false),
        });
        Ok(Call { method, state, input: None })
    }

    /// Takes a notification. Nothing is ever answered to one.
    pub(crate) fn notify(&self, notification: &Notification) {
        match notification.method.known {
            Some(Method::Initialized) if self.version().is_some() && !self.initialized.swap(true, Ordering::AcqRel) => {
                self.list_client();
                self.server.options().events.initialized();
            }
            Some(Method::Cancelled) => {
                if let Ok(Some(id)) = notification.params.members.get("requestId") {
                    self.in_flight.cancel(id);
                }
            }
            _ => {}
        }
    }

    /// Lets the host see the client, where there is a way to it.
    fn list_client(&self) {
        let (Some(negotiated), Some(outlet)) = (self.negotiated.get(), &self.outlet) else { return };
        let remote = self.remote.get_or_init(|| {
            Arc::new(SessionRemote {
                server: self.server.clone(),
                negotiated: negotiated.clone(),
                log_level: self.log_level.clone(),
                outgoing: self.outgoing.clone(),
                outlet: outlet.clone(),
            })
        });
        self.server.client_list().enter(remote);
    }

    /// Takes a client's answer to a request of the server's.
    pub(crate) fn respond(&self, response: Response) {
        self.outgoing.answer(response.id, response.outcome);
    }

    /// Ends all that is going on.
    pub(crate) fn close(&self) {
        self.outgoing.close();
        self.in_flight.cancel_all();
    }

    /// The notification of a change.
    pub(crate) fn announce(change: &Change) -> Bytes {
        match change {
            Change::List(List::Tools) => notification(Method::ToolsListChanged, |_| {}),
            Change::List(List::Resources) => notification(Method::ResourcesListChanged, |_| {}),
            Change::List(List::Prompts) => notification(Method::PromptsListChanged, |_| {}),
            Change::Resource(uri) => notification(Method::ResourceUpdated, |w| w.string_member("uri", uri)),
            Change::Task(task) => tasks::status_notification(task),
        }
    }

    /// Has the client told of a task's changes.
    pub(super) fn watch_task(&self, id: &str) {
        if let Some(watcher) = &self.watcher {
            watcher.watch_task(id, self.server.options().limits.max_subscriptions);
        }
    }

    /// Whether the client may send several messages in one array.
    pub(crate) fn takes_batches(&self) -> bool {
        self.version().is_some_and(|version| version.has(Feature::Batches))
    }

    fn initialize(&self, request: &Request, is_known: bool) -> Result<Bytes, Error> {
        if self.negotiated.get().is_some() {
            return Err(Error::invalid_request("The session is initialized already"));
        }
        let negotiated = handshake::negotiate(&self.server, &request.params)?;
        let info = negotiated.info.deserialize();
        let reach =
            handshake::Reach { announces_changes: self.watcher.is_some(), lists_tasks: is_known || self.key.is_some() };
        let answer = handshake::answer(&self.server, request.id.as_raw(), &negotiated, reach);
        if self.negotiated.set(negotiated).is_err() {
            return Err(Error::invalid_request("The session is initialized already"));
        }
        if let Ok(info) = info {
            self.server.options().events.client_connected(&info);
        }
        Ok(answer)
    }

    fn set_log_level(&self, request: &Request) -> Result<Bytes, Error> {
        let level = request.params.members.get("level")?.and_then(|level| level.deserialize::<LoggingLevel>().ok());
        let level = level.ok_or_else(|| {
            Error::invalid_params(
                "\"params.level\" must be one of debug, info, notice, warning, error, critical, alert, emergency",
            )
        })?;
        self.log_level.set(level);
        Ok(self.empty_answer(request))
    }

    fn watch(&self, method: Method, request: &Request) -> Result<Bytes, Error> {
        let Some(watcher) = &self.watcher else { return Err(Error::method_not_found(method.as_str())) };
        let uri = request.params.members.get("uri")?.and_then(|uri| uri.to_text());
        let uri = uri.ok_or_else(|| Error::invalid_params("\"params.uri\" is missing; it must be a string"))?;
        let limit = self.server.options().limits.max_subscriptions;
        if method == Method::Unsubscribe {
            watcher.unwatch(&uri);
        } else if !watcher.watch(&uri, limit) {
            return Err(Error::invalid_params(format!("more than {limit} resources are subscribed to")));
        }
        Ok(self.empty_answer(request))
    }

    fn empty_answer(&self, request: &Request) -> Bytes {
        finish(&self.server, request.id.as_raw(), 0, |_| {})
    }
}

impl Drop for Session {
    /// However a session ends, nobody waits for its client any more.
    fn drop(&mut self) {
        self.outgoing.close();
    }
}

/// The requests of this era: what is not here does not exist in it.
fn is_method(method: Method) -> bool {
    matches!(
        method,
        Method::Initialize
            | Method::Ping
            | Method::ListTools
            | Method::CallTool
            | Method::ListResources
            | Method::ListResourceTemplates
            | Method::ReadResource
            | Method::Subscribe
            | Method::Unsubscribe
            | Method::ListPrompts
            | Method::GetPrompt
            | Method::Complete
            | Method::SetLogLevel
            | Method::GetTask
            | Method::TaskResult
            | Method::CancelTask
            | Method::ListTasks
    )
}

fn not_initialized() -> Error {
    Error::invalid_params(
        "The session is not initialized: send \"initialize\" first, or give the protocol version and the client's \
         capabilities in \"params._meta\" of every request",
    )
}
