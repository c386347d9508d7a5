//! Runs the tools of tasks, and writes down what becomes of them.

use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::{OwnedSemaphorePermit, oneshot};

use super::calls::{background_call, origin, restored_call};
use super::record::{Body, Question, Task, TaskRecord, owner, random_id};
use super::service::{Inner, Run, store_failure};
use crate::error::Error;
use crate::json::{JsonWriter, RawJson};
use crate::protocol::input::InputRequired;
use crate::protocol::task::TaskStatus;
use crate::protocol::version::ProtocolVersion;
use crate::server::background::{Launch, Serving, TaskLink, millis, now_millis};
use crate::server::call::{Call, Outcome, Reply};
use crate::server::dispatch::run_task;

/// How long a handler may still take when its task was cancelled. After it an async handler is dropped; one that blocks
/// a thread goes on until it looks.
const GRACE: Duration = Duration::from_secs(5);
/// How long it is tried to write down how a task ended.
const PERSISTENCE: Duration = Duration::from_secs(600);

/// Makes a call a task and begins to run it: the outcome is the handle.
pub(super) async fn launch(inner: Arc<Inner>, launch: Launch) -> Outcome {
    if tokio::runtime::Handle::try_current().is_err() {
        return Err(Error::internal("Tasks need a runtime: the server is driven without one"));
    }
    let (sender, receiver) = oneshot::channel();
    // The request may be dropped at any time; a task that is in the store must have somebody who runs it.
    tokio::spawn(begin(inner, launch, sender));
    receiver.await.unwrap_or_else(|_| Err(Error::internal("The server is ending")))
}

async fn begin(inner: Arc<Inner>, launch: Launch, answer: oneshot::Sender<Outcome>) {
    let Launch { call, ttl, begun } = launch;
    match create(&inner, &call, ttl).await {
        Ok((permit, task)) if !answer.is_closed() => {
            let link = link(&inner, &task);
            let (call, run) = match begun {
                Some(run) => (call, run),
                None => {
                    let call = background_call(&call, link.clone());
                    let own = call.clone();
                    (call, Box::pin(async move { run_task(&own).await }) as Serving<'static, Outcome>)
                }
            };
            enter(&inner, &call, &link);
            // A client that has just gone can't know the task: it expires unseen.
            let _ = answer.send(Ok(Reply::TaskHandle(Box::new(task.state()))));
            call.state.task.fill(link);
            drive(inner, task, call, run, permit).await;
        }
        Ok((_permit, mut task)) => {
            task.end(
                TaskStatus::Cancelled,
                Some("The client gave up before it knew of the task.".into()),
                now_millis(),
            );
            persist(&inner, task, |_| {}).await;
        }
        Err(error) => refuse(&call, error, begun, answer).await,
    }
}

/// There is no task: a run that has begun goes on as a plain call.
async fn refuse(
    call: &Call,
    error: Error,
    begun: Option<Serving<'static, Outcome>>,
    mut answer: oneshot::Sender<Outcome>,
) {
    let Some(run) = begun else {
        // Nobody waits any more when the request was dropped.
        let _ = answer.send(Err(error));
        return;
    };
    call.state.task.refuse(error);
    tokio::select! {
        outcome = run => { let _ = answer.send(outcome); }
        () = answer.closed() => call.state.cancel.raise(),
    }
}

/// Enters a task into the store. When this returns, it is durable.
async fn create(inner: &Arc<Inner>, call: &Call, ttl: Option<u64>) -> Result<(OwnedSemaphorePermit, Task), Error> {
    let options = &inner.options;
    let permit = inner.slots.clone().try_acquire_owned().map_err(|_| {
        Error::internal(format!("{} tasks are running and no more are taken; try again later", options.max_running))
    })?;
    let now = now_millis();
    let ttl = match (ttl.or(options.default_ttl.map(millis)), options.max_ttl.map(millis)) {
        (Some(ttl), Some(most)) => Some(ttl.min(most)),
        (ttl, most) => ttl.or(most),
    };
    let mut body = Body::new(now, millis(options.poll_interval).max(1));
    body.origin = Some(origin(call));
    body.runs = 1;
    if let Some(input) = &call.input {
        body.answers = [input.carried.as_slice(), input.responses.as_slice()].concat();
        body.state.clone_from(&input.state);
    }
    let record = TaskRecord {
        id: random_id()?,
        owner: owner(&call.state.client),
        status: TaskStatus::Working,
        created: now,
        expires: ttl.map(|ttl| now.saturating_add(ttl)),
        holder: Some(inner.holder().await?.to_owned()),
        revision: 0,
        body: RawJson::EMPTY_OBJECT,
    };
    let task = Task { record, body };
    let (store, record, max_tasks) = (inner.store.clone(), task.to_record(), options.max_tasks);
    let mut creating = Box::pin(async move {
        match store.create(record.clone(), max_tasks).await {
            // What has expired must not keep anybody out.
            Err(error) if error.is_full() && !store.sweep(now_millis(), 1).await?.is_empty() => {
                store.create(record, max_tasks).await
            }
            created => created,
        }
    });
    match tokio::time::timeout(options.store_timeout, &mut creating).await {
        Ok(Ok(())) => Ok((permit, task)),
        Ok(Err(error)) => Err(store_failure(&error)),
        Err(_) => {
            // What is late may still arrive, and nobody would run it. It counts as running until then.
            let (late, mut task) = (inner.clone(), task);
            tokio::spawn(async move {
                let _permit = permit;
                if creating.await.is_ok() {
                    task.end(TaskStatus::Cancelled, Some("The task store was too slow.".into()), now_millis());
                    persist(&late, task, |_| {}).await;
                }
            });
            Err(Error::internal("The task store did not answer in time"))
        }
    }
}

/// Runs a task again, or goes on with it after its questions were answered. Its record says already that this process
/// holds it.
pub(super) async fn resume(inner: Arc<Inner>, task: Task) {
    // The semaphore is never closed, so acquiring can't fail; it waits for a running task to end.
    let Ok(permit) = inner.slots.clone().acquire_owned().await else { return };
    let link = link(&inner, &task);
    let Some(call) = inner.server().and_then(|server| restored_call(server, &task, &link)) else {
        let error = Error::internal("The task can't go on: the stored call is damaged or of another version");
        return settle(&inner, task, Err(error), None).await;
    };
    enter(&inner, &call, &link);
    let own = call.clone();
    let run = Box::pin(async move { run_task(&own).await });
    drive(inner, task, call, run, permit).await;
}

fn enter(inner: &Inner, call: &Call, link: &Arc<TaskLink>) {
    inner.running().insert(link.id.clone(), Run { state: call.state.clone(), link: link.clone() });
}

/// Runs a task to the end of this run.
async fn drive(
    inner: Arc<Inner>,
    task: Task,
    call: Call,
    mut run: Serving<'static, Outcome>,
    _permit: OwnedSemaphorePermit,
) {
    let outcome = {
        let mut cancelled = pin!(call.state.cancel.wait());
        tokio::select! {
            biased;
            outcome = &mut run => Some(outcome),
            () = &mut cancelled => tokio::time::timeout(GRACE, &mut run).await.ok(),
        }
    };
    drop(run);
    let id: Arc<str> = task.record.id.as_str().into();
    let link = inner.running().get(&id).map(|run| run.link.clone());
    if let Some(link) = &link {
        link.end();
    }
    match outcome {
        Some(outcome) => settle(&inner, task, outcome, Some(&call)).await,
        // Who cancelled it has written that down.
        None => tracing::debug!(task = %id, "a cancelled task was dropped"),
    }
    let mut running = inner.running();
    // The task may run again already, after an answer that came quickly.
    if running.get(&id).is_some_and(|run| link.as_ref().is_some_and(|link| Arc::ptr_eq(link, &run.link))) {
        running.remove(&id);
    }
}

/// Writes down how a run ended.
async fn settle(inner: &Arc<Inner>, mut task: Task, outcome: Outcome, call: Option<&Call>) {
    let now = now_millis();
    let outcome = match (outcome, call) {
        (Ok(Reply::InputRequired(input)), Some(call)) => match park(inner, &mut task, input, call, now) {
            Ok(()) => return persist(inner, task, |_| {}).await,
            Err(error) => Err(error),
        },
        (outcome, _) => outcome,
    };
    let version = call.map_or(ProtocolVersion::LATEST, |call| call.state.client.version);
    let note = inner.running().get(task.record.id.as_str()).and_then(|run| run.link.note());
    match outcome {
        Ok(reply) => {
            task.end(TaskStatus::Completed, note.map(|note| note.text), now);
            let mut w = JsonWriter::with_capacity(reply.size_hint() + 16);
            w.begin_object();
            reply.write_members(&mut w, version);
            w.optional_raw("_meta", reply.meta());
            w.end_object();
            task.body.result = Some(w.into_raw());
        }
        Err(error) => {
            task.end(TaskStatus::Failed, Some(error.message().to_owned()), now);
            let mut w = JsonWriter::default();
            error.write(&mut w);
            task.body.error = Some(w.into_raw());
        }
    }
    persist(inner, task, |_| {}).await;
}

/// The task waits for its client; nobody holds it.
///
/// # Errors
/// The client can't be asked this, or was asked too often.
fn park(inner: &Inner, task: &mut Task, input: InputRequired, call: &Call, now: u64) -> Result<(), Error> {
    let client = &call.state.client;
    let capabilities = client.capabilities();
    let missing = input.0.requests.iter().find_map(|(_, request)| capabilities.missing_for(request, client.version));
    if let Some(missing) = missing {
        return Err(Error::missing_capability(missing));
    }
    if input.0.requests.is_empty() {
        return Err(Error::internal("Internal error: the task asked for input without saying which"));
    }
    let limit = inner.server().map_or(0, |server| server.options().input_required.max_rounds);
    if task.body.rounds >= limit {
        let text = format!("The client was asked for input {limit} times and the task is still open.");
        return Err(Error::internal(text));
    }
    let body = &mut task.body;
    body.rounds += 1;
    body.updated = now;
    body.message = None;
    body.answers = input.0.answers;
    body.state = input.0.state;
    body.questions.clear();
    for (key, request) in input.0.requests {
        let shown = unused(&key, &body.asked);
        body.asked.push(shown.clone());
        let mut w = JsonWriter::default();
        request.write(&mut w, ProtocolVersion::LATEST);
        body.questions.push(Question { key, shown, request: w.into_raw(), answer: None });
    }
    task.record.status = TaskStatus::InputRequired;
    task.record.holder = None;
    Ok(())
}

/// The handler's key, with a number where it was used before.
fn unused(key: &str, asked: &[String]) -> String {
    let is_free = |key: &str| asked.iter().all(|other| other != key);
    if is_free(key) {
        return key.to_owned();
    }
    let numbered = (2..).map(|number| format!("{key}-{number}"));
    numbered.into_iter().find(|key| is_free(key)).unwrap_or_default()
}

/// Replaces the stored task by this one, as long as this process holds it and it is not over. A store that fails is
/// tried again for a while: what a handler has brought must not be lost.
pub(super) async fn persist(inner: &Arc<Inner>, mut task: Task, stored: impl FnOnce(&Task)) {
    let begun = now_millis();
    let mut pause = Duration::from_millis(50);
    loop {
        match inner.store.replace(task.to_record()).await {
            Ok(true) => {
                task.record.revision += 1;
                inner.announce(&task);
                return stored(&task);
            }
            Ok(false) => match inner.store.get(&task.record.id).await {
                Ok(Some(now)) if !now.status.is_final() && now.holder.as_ref() == inner.holder.get() => {
                    task.record.revision = now.revision;
                    continue;
                }
                // It was cancelled, has expired, or another process holds it.
                Ok(_) => return,
                Err(error) => tracing::warn!(task = task.record.id, "the task store failed: {error}"),
            },
            Err(error) => tracing::warn!(task = task.record.id, "the task store failed: {error}"),
        }
        if now_millis().saturating_sub(begun) > millis(PERSISTENCE) {
            tracing::error!(task = task.record.id, "the end of the task could not be stored and is lost");
            return;
        }
        tokio::time::sleep(pause).await;
        pause = (pause * 2).min(Duration::from_secs(5));
    }
}

/// The link through which the handler says what it is doing.
fn link(inner: &Arc<Inner>, task: &Task) -> Arc<TaskLink> {
    let (weak, shown) = (Arc::downgrade(inner), task.clone());
    Arc::new(TaskLink::new(task.record.id.as_str().into(), move |_| {
        if let Some(inner) = weak.upgrade() {
            inner.announce(&shown);
        }
    }))
}
