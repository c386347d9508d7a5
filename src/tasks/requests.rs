//! What clients ask about tasks.

use std::sync::Arc;
use std::time::Duration;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;

use super::record::{Task, owner};
use super::runner::resume;
use super::service::{Inner, store_failure};
use crate::error::Error;
use crate::json::{JsonWriter, Kind, Members, RawJson};
use crate::protocol::input::{InputRequest, InputRequired};
use crate::protocol::meta;
use crate::protocol::method::Method;
use crate::protocol::task::{TaskState, TaskStatus};
use crate::protocol::version::Feature;
use crate::server::background::now_millis;
use crate::server::call::{Call, Outcome, Reply};
use crate::server::changes::Lists;

/// Most tasks on a page of a list.
const MAX_PAGE: usize = 100;
/// How often who waits for a task looks at the store, where another process may run it.
const LOOK: Duration = Duration::from_secs(1);

/// Serves a request about tasks.
pub(super) async fn serve(inner: &Arc<Inner>, call: &Call) -> Outcome {
    let owner = owner(&call.state.client);
    match call.method {
        Method::GetTask => {
            let task = inner.find(&task_id(call)?, &owner).await?;
            Ok(Reply::Task(Box::new(inner.state(&task))))
        }
        Method::UpdateTask => {
            let id = task_id(call)?;
            let responses = responses(call)?;
            let own = inner.clone();
            inner.unbroken(async move { answer(&own, &id, &owner, responses).await }).await?;
            Ok(Reply::Done)
        }
        Method::CancelTask => {
            let id = task_id(call)?;
            let requested = call.state.client.version.has(Feature::TaskRequests);
            let own = inner.clone();
            let state = inner.unbroken(async move { cancel(&own, &id, &owner, requested).await }).await?;
            Ok(if requested { Reply::Task(Box::new(state)) } else { Reply::Done })
        }
        Method::TaskResult => result(inner, call, &owner).await,
        Method::ListTasks => list(inner, call, &owner).await,
        other => Err(Error::method_not_found(other.as_str())),
    }
}

fn task_id(call: &Call) -> Result<String, Error> {
    let id = call.state.params.get("taskId")?.and_then(|id| id.to_text());
    id.ok_or_else(|| Error::invalid_params("\"params.taskId\" is missing; it must be a string"))
}

/// The answers that the client brings.
fn responses(call: &Call) -> Result<Vec<(String, RawJson)>, Error> {
    if call.state.params.get("result")?.is_some() {
        return Err(Error::invalid_params(
            "\"params.result\" is not for clients to give; give \"inputResponses\" alone",
        ));
    }
    let wrong = || Error::invalid_params("\"params.inputResponses\" is missing; it must be an object");
    let responses = call.state.params.get("inputResponses")?.ok_or_else(wrong)?;
    Ok(Members::of(&responses).ok_or_else(wrong)?.iter().collect())
}

/// Hands answers to the task. Those to questions that are not open are ignored. With the last one, the task goes on.
async fn answer(inner: &Arc<Inner>, id: &str, owner: &str, responses: Vec<(String, RawJson)>) -> Result<(), Error> {
    loop {
        let mut task = inner.find(id, owner).await?;
        if task.record.status != TaskStatus::InputRequired {
            return Ok(());
        }
        let mut is_news = false;
        for question in task.body.questions.iter_mut().filter(|question| question.answer.is_none()) {
            let given = responses.iter().find(|(key, _)| *key == question.shown);
            question.answer = given.map(|(_, answer)| answer.clone());
            is_news |= given.is_some();
        }
        if !is_news {
            return Ok(());
        }
        task.body.updated = now_millis();
        let goes_on = task.open_questions().next().is_none();
        if goes_on {
            task.record.status = TaskStatus::Working;
            task.record.holder = Some(inner.holder().await?.to_owned());
        }
        if inner.store.replace(task.to_record()).await.map_err(|error| store_failure(&error))? {
            task.record.revision += 1;
            inner.announce(&task);
            if goes_on {
                tokio::spawn(resume(inner.clone(), task));
            }
            return Ok(());
        }
    }
}

/// Cancels a task. One that is over stays as it is: an error where the revision says so.
async fn cancel(inner: &Arc<Inner>, id: &str, owner: &str, is_strict: bool) -> Result<TaskState, Error> {
    loop {
        let mut task = inner.find(id, owner).await?;
        let status = task.record.status;
        if status.is_final() {
            let text = format!("Cannot cancel task: already in terminal status '{}'", status.as_str());
            return if is_strict { Err(Error::invalid_params(text)) } else { Ok(task.state()) };
        }
        task.end(TaskStatus::Cancelled, Some("The task was cancelled by request.".into()), now_millis());
        if inner.store.replace(task.to_record()).await.map_err(|error| store_failure(&error))? {
            task.record.revision += 1;
            inner.announce(&task);
            inner.stop(id);
            return Ok(task.state());
        }
    }
}

/// Waits for the end of a task. While it waits for its client, this asks the client; answers come back with the call.
async fn result(inner: &Arc<Inner>, call: &Call, owner: &str) -> Outcome {
    let id = task_id(call)?;
    if let Some(input) = &call.input {
        let (own, id, owner, responses) = (inner.clone(), id.clone(), owner.to_owned(), input.responses.clone());
        inner.unbroken(async move { answer(&own, &id, &owner, responses).await }).await?;
    }
    let mut changes = call.state.server.changes().subscribe(Lists::default(), []);
    loop {
        changes.watch_task(&id, 1);
        let task = inner.find(&id, owner).await?;
        match task.record.status {
            TaskStatus::Completed => return completed(&task),
            TaskStatus::Failed => return Err(failure(&task)),
            TaskStatus::Cancelled => return Err(Error::internal("The task was cancelled")),
            TaskStatus::InputRequired if call.state.outlet.is_some() => return Ok(Reply::InputRequired(asked(&task)?)),
            TaskStatus::InputRequired | TaskStatus::Working => {}
        }
        let left = task.record.expires.map(|expires| expires.saturating_sub(now_millis()) + 1);
        let wait = left.map_or(LOOK, |left| LOOK.min(Duration::from_millis(left)));
        if let Ok(None) = tokio::time::timeout(wait, changes.next()).await {
            // The server ends: nothing is announced any more.
            tokio::time::sleep(wait).await;
        }
    }
}

/// The open questions of a task, by the keys that the client sees.
fn asked(task: &Task) -> Result<InputRequired, Error> {
    let mut input = InputRequired::new();
    for question in task.open_questions() {
        let request: InputRequest = question.request.deserialize().map_err(|error| {
            tracing::error!(task = task.record.id, "a stored question is damaged: {error}");
            Error::internal("The task store failed: the stored task is damaged")
        })?;
        input = input.request(&question.shown, request);
    }
    Ok(input)
}

fn completed(task: &Task) -> Outcome {
    let result = task.body.result.as_ref().and_then(Members::of).unwrap_or_default();
    let mut own = JsonWriter::default();
    own.begin_object();
    let mut members = JsonWriter::default();
    members.begin_object();
    for (name, value) in result.iter() {
        match Members::of(&value).filter(|_| name == "_meta") {
            None => {
                members.any_key(&name);
                members.raw(&value);
            }
            Some(values) => values.iter().filter(|(name, _)| name != meta::RELATED_TASK).for_each(|(name, value)| {
                own.any_key(&name);
                own.raw(&value);
            }),
        }
    }
    members.end_object();
    own.key(meta::RELATED_TASK);
    own.begin_object();
    own.string_member("taskId", &task.record.id);
    own.end_object();
    own.end_object();
    Ok(Reply::Written { members: members.into_raw(), meta: Some(own.into_raw()) })
}

/// The error that a task ended with.
fn failure(task: &Task) -> Error {
    #[derive(serde::Deserialize)]
    struct Stored {
        code: i32,
        message: String,
        #[serde(default)]
        data: Option<RawJson>,
    }
    match task.body.error.as_ref().and_then(|error| error.deserialize().ok()) {
        Some(Stored { code, message, data: Some(data) }) => Error::new(code, message).with_data(data),
        Some(Stored { code, message, data: None }) => Error::new(code, message),
        None => Error::internal("The task failed"),
    }
}

/// One page of the owner's tasks, the oldest first.
async fn list(inner: &Arc<Inner>, call: &Call, owner: &str) -> Outcome {
    let wrong = || Error::invalid_params("\"params.cursor\" is not a cursor of this list");
    let after = match call.state.params.get("cursor")?.filter(|cursor| cursor.kind() != Kind::Null) {
        None => None,
        Some(cursor) => Some(cursor.text().and_then(|cursor| read_cursor(&cursor)).ok_or_else(wrong)?),
    };
    let size = call.state.server.options().page_size.min(MAX_PAGE);
    let records = inner.within(inner.store.list(owner, after, size + 1)).await?;
    let more = records.len() > size;
    let now = now_millis();
    let mut w = JsonWriter::default();
    w.begin_object();
    w.key("tasks");
    w.begin_array();
    let mut last = None;
    for record in records.into_iter().take(size) {
        last = Some(format!("{}:{}", record.created, record.id));
        if record.expires.is_none_or(|expires| expires > now) {
            w.begin_object();
            inner.state(&Task::read(record)?).write_members(&mut w, call.state.client.version);
            w.end_object();
        }
    }
    w.end_array();
    if let Some(last) = last.filter(|_| more) {
        w.string_member("nextCursor", &URL_SAFE_NO_PAD.encode(last));
    }
    w.end_object();
    Ok(Reply::Written { members: w.into_raw(), meta: None })
}

fn read_cursor(cursor: &str) -> Option<(u64, String)> {
    let text = String::from_utf8(URL_SAFE_NO_PAD.decode(cursor).ok()?).ok()?;
    let (created, id) = text.split_once(':')?;
    Some((created.parse().ok()?, id.to_owned()))
}
