//! What becomes of tasks whose process ended (B136).

use std::path::PathBuf;
use std::time::Duration;

use mcp::{Context, ProtocolVersion, RawJson, Server, SqliteTaskStore, TaskMode, TaskOptions, TaskStore, ToolOptions};

use crate::harness::*;
use crate::task_clients::*;

/// Longer than a busy machine may keep a process waiting.
const LEASE: Duration = Duration::from_millis(1500);

fn place(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("libmcp-recovery-{}-{name}", std::process::id()));
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    folder.join("tasks.db")
}

/// A server of which several can be on one file. `again` may be run again, `once` may not; both end when `ends`.
fn server(path: &PathBuf, ends: bool, counter: &Counter) -> Server {
    let options = TaskOptions::new().lease(LEASE).rerun_idempotent(true);
    let tool = |counter: Counter| {
        move |_: RawJson, _ctx: Context| {
            let counter = counter.clone();
            async move {
                counter.add();
                if !ends {
                    std::future::pending::<()>().await;
                }
                "done"
            }
        }
    };
    Server::builder("recovery", "1")
        .raw_tool("again", ToolOptions::new().task_mode(TaskMode::Optional).idempotent(true), tool(counter.clone()))
        .raw_tool("once", ToolOptions::new().task_mode(TaskMode::Optional), tool(counter.clone()))
        .task_store(SqliteTaskStore::open(path).unwrap(), options)
        .build()
        .unwrap()
}

fn leg() -> Leg {
    Leg { version: ProtocolVersion::V2026_07_28, transport: Transport::Memory }
}

/// Begins tasks on a server whose runtime is then taken away.
fn abandoned(path: &PathBuf, count: usize) -> Vec<(String, &'static str)> {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
    let ids = runtime.block_on(async {
        let counter = Counter::default();
        let client = leg().connect_with(&server(path, false, &counter), declared()).await;
        let mut ids = Vec::new();
        for n in 0..count {
            let tool = if n % 2 == 0 { "again" } else { "once" };
            ids.push((task_of(&client, tool, json!({})).await, tool));
        }
        within("all to run", async {
            while counter.get() < count {
                tokio::task::yield_now().await;
            }
        })
        .await;
        ids
    });
    runtime.shutdown_background();
    ids
}

#[tokio::test(flavor = "multi_thread")]
async fn of_two_processes_one_goes_on_with_each_abandoned_task_and_once() {
    let path = place("two");
    let begun = path.clone();
    let ids = tokio::task::spawn_blocking(move || abandoned(&begun, 60)).await.unwrap();
    let counter = Counter::default();
    let servers = [server(&path, true, &counter), server(&path, true, &counter)];
    let clients =
        [leg().connect_with(&servers[0], declared()).await, leg().connect_with(&servers[1], declared()).await];
    for (n, (id, tool)) in ids.iter().enumerate() {
        let client = &clients[n % 2];
        let task = until(client, id, |task| task["status"] != "working").await;
        match *tool {
            "again" => assert_eq!(task["result"]["content"][0]["text"], "done", "{task}"),
            _ => {
                assert_eq!((&task["status"], &task["error"]["code"]), (&json!("failed"), &json!(-32603)), "{task}");
                assert!(task["statusMessage"].as_str().unwrap().contains("server ended"), "{task}");
            }
        }
    }
    assert_eq!(counter.get(), 30, "each task that may be run again was run again once");
    let store = SqliteTaskStore::open(&path).unwrap();
    for (id, tool) in &ids {
        // Made, taken over, (counted,) ended: one change more would be a second taking or a second end.
        let revision = store.get(id).await.unwrap().unwrap().revision;
        assert_eq!(revision, if *tool == "again" { 3 } else { 2 }, "{tool}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_task_that_waits_for_its_client_goes_on_in_another_process() {
    let path = place("asks");
    let build = || {
        let gates = Gates::default();
        let options = TaskOptions::new().lease(LEASE);
        task_tools(builder(&gates), &gates).task_store(SqliteTaskStore::open(&path).unwrap(), options).build().unwrap()
    };
    let first = leg().connect_with(&build(), declared()).await;
    let id = task_of(&first, "asker", json!({})).await;
    until_status(&first, &id, "input_required").await;
    drop(first);
    let second = leg().connect_with(&build(), declared()).await;
    let answers = json!({"taskId": id, "inputResponses": {"name": {"action": "accept", "content": {"name": "Ada"}}}});
    second.request("tasks/update", answers).await.result();
    until(&second, &id, |task| task["inputRequests"].get("name-2").is_some()).await;
    let third = leg().connect_with(&build(), declared()).await;
    let answers = json!({"taskId": id, "inputResponses": {"name-2": {"action": "accept", "content": {"name": "B"}}}});
    third.request("tasks/update", answers).await.result();
    assert_eq!(result_of(&third, &id).await["content"][0]["text"], "Ada and B");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_task_that_was_cancelled_through_another_process_is_stopped() {
    let path = place("cancel");
    let gates = Gates::default();
    let build = || {
        let options = TaskOptions::new().lease(LEASE);
        task_tools(builder(&gates), &gates).task_store(SqliteTaskStore::open(&path).unwrap(), options).build().unwrap()
    };
    let (first, second) =
        (leg().connect_with(&build(), declared()).await, leg().connect_with(&build(), declared()).await);
    let id = task_of(&first, "job", json!({"name": "a"})).await;
    gates.started("a").await;
    until(&second, &id, |task| task["statusMessage"] == "at the gate").await;
    second.request("tasks/cancel", json!({"taskId": id})).await.result();
    within("the handler to hear of it", gates.pass("a was cancelled")).await;
    assert_eq!(get(&first, &id).await.result()["status"], "cancelled");
}
