//! The calls that tasks run: without a way to the client, and made again from what a record keeps.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use super::record::{Body, Origin, Task};
use crate::json::Members;
use crate::protocol::id::RequestId;
use crate::protocol::method::Method;
use crate::server::Server;
use crate::server::background::{TaskLink, TaskSlot};
use crate::server::call::{Call, CallState, Cancel, Client, Input, LogThreshold};

/// The call as the background runs it: nothing of it reaches the request.
pub(super) fn background_call(call: &Call, link: Arc<TaskLink>) -> Call {
    let state = &call.state;
    Call {
        state: Arc::new(CallState {
            server: state.server.clone(),
            id: state.id.clone(),
            params: state.params.clone(),
            client: state.client.clone(),
            meta: state.meta.clone(),
            progress: None,
            log_threshold: LogThreshold::Off,
            outlet: None,
            cancel: Cancel::default(),
            task: TaskSlot::of(link),
            finished: AtomicBool::new(false),
        }),
        ..call.clone()
    }
}

/// What a record keeps of the call.
pub(super) fn origin(call: &Call) -> Origin {
    let client = &call.state.client;
    Origin {
        id: call.state.id.as_raw().clone(),
        version: client.version.as_str().to_owned(),
        info: client.info.clone(),
        capabilities: client.capabilities.clone(),
        principal: client.principal.as_deref().map(str::to_owned),
        session: client.session.as_deref().map(str::to_owned),
        params: call.state.params.to_raw(),
    }
}

/// The call that a stored task was made from, with all answers so far.
pub(super) fn restored_call(server: Server, task: &Task, link: &Arc<TaskLink>) -> Option<Call> {
    let Body { origin, questions, answers, state, .. } = &task.body;
    let origin = origin.as_ref()?;
    let params = Members::of(&origin.params)?;
    let responses = questions.iter().filter_map(|question| Some((question.key.clone(), question.answer.clone()?)));
    let input =
        Input { responses: responses.collect(), carried: answers.clone(), state: state.clone(), ..Input::default() };
    let meta = params.get("_meta").ok()?;
    let state = CallState {
        server,
        params,
        id: RequestId::new(origin.id.clone()).ok()?,
        client: Client {
            version: origin.version.parse().ok()?,
            info: origin.info.clone(),
            capabilities: origin.capabilities.clone(),
            principal: origin.principal.as_deref().map(Arc::from),
            session: origin.session.as_deref().map(Arc::from),
        },
        meta,
        progress: None,
        log_threshold: LogThreshold::Off,
        outlet: None,
        cancel: Cancel::default(),
        task: TaskSlot::of(link.clone()),
        finished: AtomicBool::new(false),
    };
    Some(Call { method: Method::CallTool, state: Arc::new(state), input: Some(Arc::new(input)) })
}
