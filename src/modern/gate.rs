//! The gate: what a request must bring along before anything else looks at it.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use bytes::Bytes;

use super::codec::observe;
use super::{discover, listen};
use crate::error::{Error, code};
use crate::ingress::{Params, Request};
use crate::json::{JsonWriter, Kind, RawJson};
use crate::peer::Outlet;
use crate::protocol::logging::LoggingLevel;
use crate::protocol::meta;
use crate::protocol::method::Method;
use crate::protocol::task;
use crate::protocol::version::ProtocolVersion;
use crate::server::Server;
use crate::server::background::{TaskSlot, TaskTerms};
use crate::server::call::{Call, CallState, Cancel, Client, Input, LogThreshold, Progress};
use crate::server::dispatch::is_offered;

/// A request that passed.
pub(crate) enum Admitted {
    /// It is to be dispatched.
    Call(Call),
    /// It has its answer already.
    Answer(Bytes),
    /// It opens a stream of notifications. The state is for those who cancel by the request's id.
    Listen(listen::Listen, Arc<CallState>),
}

/// Checks a request of the modern era and prepares it.
///
/// `check` is the transport's own test of a request whose metadata is sound: it is given the version that the request
/// names and the method, and runs before the version is judged.
///
/// # Errors
/// What is wrong with the request, under the code that the specification names.
pub(crate) fn admit(
    server: &Server,
    mut request: Request,
    principal: Option<Arc<str>>,
    outlet: Option<Arc<dyn Outlet>>,
    check: impl FnOnce(&Request, &str) -> Result<(), Error>,
) -> Result<Admitted, Error> {
    if request.method.known == Some(Method::Initialize) {
        // What a client of the other era shows its user.
        let text = format!("Method not found: initialize; this server speaks {} here", spoken(server));
        return Err(Error::new(code::METHOD_NOT_FOUND, text));
    }
    let Metadata { version, capabilities, info } = read_metadata(server, &mut request.params)?;
    let wrong = || Error::invalid_params(format!("\"params._meta.{}\" must be a string", meta::PROTOCOL_VERSION));
    let version = version.text().ok_or_else(wrong)?;
    check(&request, &version)?;
    let version = supported(server, &version)?;
    let offered = request.method.known.filter(|method| is_method(*method) && is_offered(server, *method));
    let Some(method) = offered else { return Err(Error::method_not_found(&request.method.to_text())) };
    let Request { id, mut params, .. } = request;
    let client = Client { version, info, capabilities, principal, session: None };
    let terms = task_terms(server, method, &client)?;
    let progress = params.progress_token()?.map(Progress::new);
    let state = Arc::new(CallState {
        server: server.clone(),
        log_threshold: log_threshold(&mut params)?,
        id,
        params: params.members,
        client,
        meta: params.meta,
        progress,
        outlet,
        cancel: Cancel::default(),
        task: TaskSlot::new(terms),
        finished: AtomicBool::new(false),
    });
    let mut call = Call { method, state, input: None };
    match method {
        Method::Discover => {
            let text = discover::answer(server, &call.state);
            observe(server, &text);
            Ok(Admitted::Answer(text))
        }
        Method::Listen => listen::Listen::open(&call).map(|listen| Admitted::Listen(listen, call.state)),
        _ => {
            call.input = read_input(server, &call)?.map(Arc::new);
            Ok(Admitted::Call(call))
        }
    }
}

/// Whether the request may be answered with the handle of a task.
///
/// # Errors
/// `-32021`: it is about tasks, and the client did not declare that it knows them.
fn task_terms(server: &Server, method: Method, client: &Client) -> Result<TaskTerms, Error> {
    let is_about_tasks = matches!(method, Method::GetTask | Method::UpdateTask | Method::CancelTask);
    let may_be_one = matches!(method, Method::CallTool | Method::Listen) && server.tasks().is_some();
    if !is_about_tasks && !may_be_one {
        return Ok(TaskTerms::Unavailable);
    }
    match client.capabilities().has_extension(task::EXTENSION) {
        true => Ok(TaskTerms::Accepted),
        false if is_about_tasks => Err(Error::missing_capability(task::REQUIRED)),
        false => Ok(TaskTerms::Unavailable),
    }
}

/// The methods of this era: what is not here does not exist in it.
fn is_method(method: Method) -> bool {
    matches!(
        method,
        Method::Discover
            | Method::Listen
            | Method::ListTools
            | Method::CallTool
            | Method::ListResources
            | Method::ListResourceTemplates
            | Method::ReadResource
            | Method::ListPrompts
            | Method::GetPrompt
            | Method::Complete
            | Method::GetTask
            | Method::UpdateTask
            | Method::CancelTask
    )
}

/// What every request says of itself.
struct Metadata {
    version: RawJson,
    capabilities: RawJson,
    info: Option<RawJson>,
}

fn read_metadata(server: &Server, params: &mut Params) -> Result<Metadata, Error> {
    params.check_shape()?;
    let reserved = &mut params.reserved;
    let missing = |key: &str| {
        let spoken = spoken(server);
        Error::invalid_params(format!(
            "\"params._meta\" must have \"{key}\" on every request; this server speaks {spoken}"
        ))
    };
    let wrong = |key: &str| Error::invalid_params(format!("\"params._meta.{key}\" must be an object"));
    let version = reserved.protocol_version.take().ok_or_else(|| missing(meta::PROTOCOL_VERSION))?;
    let capabilities = reserved.client_capabilities.take().ok_or_else(|| missing(meta::CLIENT_CAPABILITIES))?;
    if capabilities.kind() != Kind::Object {
        return Err(wrong(meta::CLIENT_CAPABILITIES));
    }
    match reserved.client_info.take() {
        Some(info) if info.kind() != Kind::Object => Err(wrong(meta::CLIENT_INFO)),
        info => Ok(Metadata { version, capabilities, info }),
    }
}

pub(super) fn supported(server: &Server, version: &str) -> Result<ProtocolVersion, Error> {
    let known = version.parse().ok().filter(|v: &ProtocolVersion| v.is_modern() && server.options().supports(*v));
    known.ok_or_else(|| unsupported(server, version))
}

/// `-32022`, with the versions that would be.
fn unsupported(server: &Server, version: &str) -> Error {
    let mut data = JsonWriter::default();
    data.begin_object();
    data.key("supported");
    data.begin_array();
    server.options().versions.iter().for_each(|version| data.string(version.as_str()));
    data.end_array();
    data.string_member("requested", version);
    data.end_object();
    let text = format!("Unsupported protocol version: {version}");
    Error::new(code::UNSUPPORTED_PROTOCOL_VERSION, text).with_data(data.into_raw())
}

/// The versions that the server speaks, as a text.
pub(super) fn spoken(server: &Server) -> String {
    server.options().versions.iter().map(|version| version.as_str()).collect::<Vec<_>>().join(", ")
}

fn log_threshold(params: &mut Params) -> Result<LogThreshold, Error> {
    match params.reserved.log_level.take() {
        None => Ok(LogThreshold::Off),
        Some(level) => level.deserialize::<LoggingLevel>().map(LogThreshold::Request).map_err(|_| {
            Error::invalid_params(format!(
                "\"params._meta.{}\" must be one of debug, info, notice, warning, error, critical, alert, emergency",
                meta::LOG_LEVEL
            ))
        }),
    }
}

/// The answers and the state that a retry brings along.
fn read_input(server: &Server, call: &Call) -> Result<Option<Input>, Error> {
    if !call.method.takes_input() {
        return Ok(None);
    }
    let responses = match call.state.params.get("inputResponses")? {
        None => Vec::new(),
        Some(responses) => {
            let wrong = || Error::invalid_params("\"params.inputResponses\" must be an object");
            crate::json::Members::of(&responses).ok_or_else(wrong)?.iter().collect()
        }
    };
    let sealed = match call.state.params.get("requestState")? {
        None => None,
        Some(state) => {
            Some(state.to_text().ok_or_else(|| Error::invalid_params("\"params.requestState\" must be a string"))?)
        }
    };
    match sealed {
        None if responses.is_empty() => Ok(None),
        None => Ok(Some(Input { responses, ..Input::default() })),
        Some(sealed) => {
            let opened = server.sealer().open(call, &sealed)?;
            Ok(Some(Input { responses, carried: opened.answers, state: opened.state, ..Input::default() }))
        }
    }
}
