//! What has to be done from time to time, for as long as the server lives.

use std::sync::{Arc, Weak};

use super::record::Task;
use super::runner::{persist, resume};
use super::service::{Inner, Run, store_failure};
use crate::error::Error;
use crate::json::JsonWriter;
use crate::protocol::task::TaskStatus;
use crate::server::background::now_millis;

/// How many tasks one look takes over or removes at once.
const BATCH: usize = 256;
/// How often a task is run again whose process ended.
const MAX_RUNS: u32 = 3;

/// Gives a sign of life three times within each lease, and sees what is to be done.
pub(super) async fn run(tasks: Weak<Inner>) {
    loop {
        let Some(inner) = tasks.upgrade() else { return };
        let pause = inner.options.lease / 3;
        if let Err(error) = look(&inner).await {
            tracing::warn!("the upkeep of tasks failed and is tried again: {error}");
        }
        drop(inner);
        tokio::time::sleep(pause).await;
    }
}

async fn look(inner: &Arc<Inner>) -> Result<(), Error> {
    let holder = inner.holder().await?.to_owned();
    inner.renew(&holder).await?;
    loop {
        // However long it takes: what was claimed must be gone on with.
        let claimed = inner.store.claim(&holder, now_millis(), BATCH).await.map_err(|error| store_failure(&error))?;
        let is_all = claimed.len() < BATCH;
        for task in claimed.into_iter().filter_map(|record| Task::read(record).ok()) {
            take_over(inner, task).await;
        }
        if is_all {
            break;
        }
    }
    loop {
        let removed = inner.within(inner.store.sweep(now_millis(), BATCH)).await?;
        removed.iter().for_each(|id| inner.stop(id));
        if removed.len() < BATCH {
            break;
        }
    }
    let running: Vec<(Arc<str>, Run)> = inner.running().iter().map(|(id, run)| (id.clone(), run.clone())).collect();
    for (id, run) in running {
        follow(inner, &id, &run).await?;
    }
    Ok(())
}

/// Goes on with a task whose process ended, or ends it.
async fn take_over(inner: &Arc<Inner>, mut task: Task) {
    if may_run_again(inner, &task) {
        task.body.runs += 1;
        persist(inner, task, |task| drop(tokio::spawn(resume(inner.clone(), task.clone())))).await;
        return;
    }
    let text = "The server ended while it ran the task, and did not run it again.";
    task.end(TaskStatus::Failed, Some(text.into()), now_millis());
    let mut w = JsonWriter::default();
    Error::internal(text).write(&mut w);
    task.body.error = Some(w.into_raw());
    persist(inner, task, |_| {}).await;
}

/// Whether the host and the tool allow it, and it was not tried too often.
fn may_run_again(inner: &Inner, task: &Task) -> bool {
    let (Some(server), Some(origin)) = (inner.server(), &task.body.origin) else { return false };
    let name = crate::json::Members::of(&origin.params).and_then(|params| params.get("name").ok().flatten());
    let tool = name.and_then(|name| server.registry().tools.get(&name.text()?));
    let is_idempotent = tool.is_some_and(|tool| tool.definition.annotations.idempotent_hint == Some(true));
    inner.options.rerun_idempotent && is_idempotent && task.body.runs < MAX_RUNS
}

/// Sees whether a task that runs here still should, and writes down what its handler said last.
async fn follow(inner: &Arc<Inner>, id: &str, run: &Run) -> Result<(), Error> {
    let stored = inner.within(inner.store.get(id)).await?;
    let Some(record) =
        stored.filter(|record| !record.status.is_final() && record.holder.as_ref() == inner.holder.get())
    else {
        if !run.link.is_over() {
            run.state.cancel.raise();
        }
        return Ok(());
    };
    let mut task = Task::read(record)?;
    if let Some(note) = run.link.note().filter(|note| note.at > task.body.updated) {
        task.body.updated = note.at;
        task.body.message = Some(note.text);
        // Who loses against another change has nothing to say any more.
        inner.within(inner.store.replace(task.to_record())).await?;
    }
    Ok(())
}
