//! `kill -9` under load: no task that was acknowledged is lost or stays unfinished for ever.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use tokio::time::{Instant, timeout_at};

use crate::harness::*;
use crate::task_clients::declared;

/// How often the server is killed, unless the variable `MCP_CRASH_ROUNDS` says otherwise.
const ROUNDS: u64 = 5;

/// A server process on one file of tasks, and its client.
struct Peer {
    process: Process,
    next_id: u64,
}

impl Peer {
    fn start(file: &Path) -> Peer {
        let place = format!("sqlite:{}", file.display());
        Peer { process: Process::start_with(&["--task-store", &place]), next_id: 0 }
    }

    async fn send(&mut self, method: &str, mut params: Value) -> u64 {
        self.next_id += 1;
        params["_meta"] = json!({
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientInfo": {"name": "crash", "version": "1"},
            "io.modelcontextprotocol/clientCapabilities": declared(),
        });
        let message = json!({"jsonrpc": "2.0", "id": self.next_id, "method": method, "params": params});
        self.process.write(format!("{message}\n")).await;
        self.next_id
    }

    async fn request(&mut self, method: &str, params: Value) -> Value {
        let id = self.send(method, params).await;
        loop {
            let line = self.process.line().await.expect("the server ended");
            let message: Value = serde_json::from_str(&line).unwrap();
            if message["id"] == id {
                return message;
            }
        }
    }

    /// Makes tasks and looks at them until the time is up; then kills the server. What was acknowledged and what was
    /// seen of it is entered.
    async fn load(mut self, until: Instant, seen: &mut HashMap<String, Known>) {
        let (mut calls, mut looks) = (HashMap::new(), 0);
        for n in 0..40 {
            self.call(n, &mut calls).await;
        }
        while let Ok(line) = timeout_at(until, self.process.line()).await {
            let message: Value = serde_json::from_str(&line.expect("the server ended")).unwrap();
            let result = &message["result"];
            let Some(task) = result["taskId"].as_str() else { panic!("no task: {message}") };
            if let Some(tool) = calls.remove(&message["id"].as_u64().unwrap()) {
                seen.insert(task.to_owned(), Known { tool, end: None });
                looks += 1;
                self.call(looks, &mut calls).await;
                self.send("tasks/get", json!({"taskId": task})).await;
            } else if result["status"] == "completed" {
                seen.get_mut(task).unwrap().end = Some(result["result"].clone());
            } else if result["status"] == "working" && looks % 3 == 0 {
                self.send("tasks/get", json!({"taskId": task})).await;
            }
        }
        self.process.child.kill().await.unwrap();
    }

    async fn call(&mut self, n: u64, calls: &mut HashMap<u64, &'static str>) {
        let (tool, arguments) = match n % 4 {
            0 => ("failing_job", json!({})),
            _ => ("slow_compute", json!({"ms": n % 30, "label": "crash"})),
        };
        let id = self.send("tools/call", json!({"name": tool, "arguments": arguments})).await;
        calls.insert(id, tool);
    }
}

/// A task that was acknowledged.
struct Known {
    tool: &'static str,
    /// Its result, where it was seen before the crash.
    end: Option<Value>,
}

fn place() -> PathBuf {
    let folder = std::env::temp_dir().join(format!("libmcp-crash-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    folder.join("tasks.db")
}

/// Looks until the task has ended; each crash may cost a lease.
async fn ended(peer: &mut Peer, id: &str) -> Value {
    let look = async {
        loop {
            let reply = peer.request("tasks/get", json!({"taskId": id})).await;
            assert!(reply.get("error").is_none(), "{id} was acknowledged and is lost: {reply}");
            if reply["result"]["status"] != "working" {
                return reply["result"].clone();
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    within("the task to end after the crash", look).await
}

#[tokio::test]
async fn a_server_that_is_killed_loses_no_task_and_leaves_none_unfinished() {
    let rounds = std::env::var("MCP_CRASH_ROUNDS").ok().and_then(|rounds| rounds.parse().ok()).unwrap_or(ROUNDS);
    let (file, mut moment, mut total, mut again, mut failed) = (place(), 1_u64, 0, 0, 0);
    for round in 0..rounds {
        moment = moment.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(u64::from(std::process::id()) | 1);
        let until = Instant::now() + Duration::from_millis(100 + (moment >> 33) % 600);
        let mut seen = HashMap::new();
        Peer::start(&file).load(until, &mut seen).await;
        let mut peer = Peer::start(&file);
        for (id, known) in &seen {
            let task = ended(&mut peer, id).await;
            match (&known.end, known.tool, task["status"].as_str()) {
                (Some(end), _, _) => assert_eq!(&task["result"], end, "round {round}: the result has changed"),
                (None, "slow_compute", _) => {
                    let text = task["result"]["content"][0]["text"].as_str().unwrap_or_default();
                    assert!(text.starts_with("crash: computed"), "round {round}: {task}");
                    again += 1;
                }
                (None, _, Some("completed")) => assert_eq!(task["result"]["isError"], true, "round {round}: {task}"),
                (None, _, _) => {
                    assert!(task["error"]["message"].as_str().unwrap().contains("server ended"), "{task}");
                    failed += 1;
                }
            }
        }
        total += seen.len();
        peer.process.child.kill().await.unwrap();
    }
    eprintln!(
        "{rounds} crashes, {total} tasks acknowledged, {again} not seen ended before, {failed} failed by recovery"
    );
    assert!(total > 10, "there was no load");
}
