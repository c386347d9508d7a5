//! Tasks of the legacy era: the client asks for them (`params.task`), and questions of a running task are real requests,
//! sent while its `tasks/result` is served.

use std::sync::Arc;

use bytes::Bytes;

use super::session::Session;
use crate::error::Error;
use crate::ingress::Params;
use crate::json::{JsonWriter, Kind, Members, RawJson};
use crate::protocol::meta;
use crate::protocol::method::Method;
use crate::protocol::task::TaskState;
use crate::protocol::version::{Feature, ProtocolVersion};
use crate::server::Server;
use crate::server::background::TaskTerms;
use crate::server::call::Call;
use crate::server::context::notification;

/// Whether the revision has the method, as far as tasks go. Only who can be told from others can list its own.
pub(super) fn is_known(session: &Session, method: Method, version: ProtocolVersion, principal: Option<&str>) -> bool {
    match method {
        Method::GetTask | Method::TaskResult | Method::CancelTask => version.has(Feature::TaskRequests),
        Method::ListTasks => version.has(Feature::TaskRequests) && (session.key.is_some() || principal.is_some()),
        _ => true,
    }
}

/// Whether the client asks for a task.
///
/// # Errors
/// `-32602`: `params.task` is malformed.
pub(super) fn terms(
    server: &Server,
    method: Method,
    version: ProtocolVersion,
    params: &Params,
) -> Result<TaskTerms, Error> {
    if method != Method::CallTool || server.tasks().is_none() || !version.has(Feature::TaskRequests) {
        return Ok(TaskTerms::Unavailable);
    }
    let Some(task) = params.members.get("task")? else { return Ok(TaskTerms::Declined) };
    let wrong = |what: &str| Error::invalid_params(format!("\"params.task{what}"));
    let members = Members::of(&task).ok_or_else(|| wrong("\" must be an object"))?;
    let ttl = match members.get("ttl")?.filter(|ttl| ttl.kind() != Kind::Null) {
        None => None,
        Some(ttl) => {
            let millis = ttl.deserialize::<f64>().ok().filter(|millis| *millis >= 0.0);
            Some(millis.ok_or_else(|| wrong(".ttl\" must be a number of milliseconds"))? as u64)
        }
    };
    Ok(TaskTerms::Asked { ttl })
}

/// What tells a session from all others, where that matters.
pub(super) fn session_key(server: &Server) -> Option<Arc<str>> {
    server.tasks()?;
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).ok()?;
    Some(bytes.iter().map(|byte| format!("{byte:02x}")).collect::<String>().into())
}

/// Tells the client of a task's state.
pub(super) fn status_notification(task: &TaskState) -> Bytes {
    // The only revision that has this notification is the one that has requests for tasks.
    let versions = ProtocolVersion::ALL.into_iter().find(|version| version.has(Feature::TaskRequests));
    notification(Method::TaskStatusChanged, |w| {
        task.write_members(w, versions.unwrap_or(ProtocolVersion::LATEST));
    })
}

/// The `_meta` of what is sent for the task that a call waits for.
pub(super) fn related_meta(call: &Call) -> Option<RawJson> {
    if call.method != Method::TaskResult {
        return None;
    }
    let id = call.state.params.get("taskId").ok().flatten()?;
    let mut w = JsonWriter::default();
    w.begin_object();
    w.key(meta::RELATED_TASK);
    w.begin_object();
    w.raw_member("taskId", &id);
    w.end_object();
    w.end_object();
    Some(w.into_raw())
}
