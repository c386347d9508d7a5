//! Fills a store with tasks and times look-ups: `task-store memory|sqlite TASKS LOOKS FILE` prints a line of JSON.

use std::io::{self, Write};
use std::process::ExitCode;
use std::time::Instant;

use futures_util::stream::{self, StreamExt, TryStreamExt};
use libmcp_benches::histogram::Histogram;
use mcp::{MemoryTaskStore, RawJson, SqliteTaskStore, StoreError, TaskRecord, TaskStatus, TaskStore};
use serde_json::{Value, json};

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    match run(&args) {
        Ok(report) if writeln!(io::stdout(), "{report}").is_ok() => ExitCode::SUCCESS,
        Ok(_) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("task-store: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run(args: &[String]) -> Result<Value, String> {
    let [store, tasks, looks, file] = args else { return Err("give a store, two numbers and a file".to_owned()) };
    let number = |text: &str| text.parse::<usize>().map_err(|error| format!("{text}: {error}"));
    let (tasks, looks) = (number(tasks)?, number(looks)?);
    let store: Box<dyn TaskStore> = match store.as_str() {
        "memory" => Box::new(MemoryTaskStore::new()),
        "sqlite" => Box::new(SqliteTaskStore::open(file).map_err(|error| error.to_string())?),
        other => return Err(format!("{other}: no such store")),
    };
    let runtime = tokio::runtime::Builder::new_current_thread().build().map_err(|error| error.to_string())?;
    runtime.block_on(measure(&*store, tasks, looks)).map_err(|error| error.to_string())
}

async fn measure(store: &dyn TaskStore, tasks: usize, looks: usize) -> Result<Value, StoreError> {
    let begun = Instant::now();
    let creating = (0..tasks).map(|number| store.create(task(number), tasks));
    stream::iter(creating).buffer_unordered(2048).try_collect::<()>().await?;
    let filled = begun.elapsed();
    let mut latencies = Histogram::default();
    let mut at = 1_usize;
    for _ in 0..looks {
        at = at.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let id = id((at >> 20) % tasks.max(1));
        let begun = Instant::now();
        let found = store.get(&id).await?;
        latencies.record(begun.elapsed());
        if found.is_none() {
            return Err(StoreError::new(format!("{id} is lost")));
        }
    }
    let p50 = latencies.percentile_us(50);
    Ok(json!({ "tasks": tasks, "fill_s": filled.as_secs_f64(), "p50_us": p50 }))
}

/// Spread like random ids, and the same at every run.
fn id(number: usize) -> String {
    let mixed = (number as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    format!("{mixed:016x}{:016x}", mixed.rotate_left(29) ^ 0x5555_5555)
}

fn task(number: usize) -> TaskRecord {
    let body =
        format!(r#"{{"updated":1,"poll":1000,"result":{{"content":[{{"type":"text","text":"task {number}"}}]}}}}"#);
    TaskRecord {
        id: id(number),
        owner: String::new(),
        status: TaskStatus::Completed,
        created: number as u64,
        expires: Some(u64::MAX / 4),
        holder: None,
        revision: 1,
        body: RawJson::parse(body).unwrap_or(RawJson::EMPTY_OBJECT),
    }
}
