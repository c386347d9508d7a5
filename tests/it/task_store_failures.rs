//! A store that fails or does not answer makes the requests fail that need it, and no others; nothing is lost.

use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};
use std::time::Duration;

use mcp::{MemoryTaskStore, StoreError, StoreFuture, TaskRecord, TaskStore};

use crate::harness::*;
use crate::task_clients::*;

const WORKS: u8 = 0;
const FAILS: u8 = 1;
const HANGS: u8 = 2;

/// A store in memory with a switch.
#[derive(Clone, Default)]
struct Moody {
    inner: Arc<MemoryTaskStore>,
    mood: Arc<AtomicU8>,
}

impl Moody {
    fn set(&self, mood: u8) {
        self.mood.store(mood, Ordering::Release);
    }

    fn run<'a, T: Send + 'a>(&'a self, work: StoreFuture<'a, T>) -> StoreFuture<'a, T> {
        match self.mood.load(Ordering::Acquire) {
            WORKS => work,
            FAILS => Box::pin(async { Err(StoreError::new("database or disk is full")) }),
            _ => Box::pin(std::future::pending()),
        }
    }
}

impl TaskStore for Moody {
    fn create(&self, task: TaskRecord, max_tasks: usize) -> StoreFuture<'_, ()> {
        let inner = self.inner.clone();
        self.run(Box::pin(async move { inner.create(task, max_tasks).await }))
    }

    fn get<'a>(&'a self, id: &'a str) -> StoreFuture<'a, Option<TaskRecord>> {
        self.run(self.inner.get(id))
    }

    fn replace(&self, task: TaskRecord) -> StoreFuture<'_, bool> {
        let inner = self.inner.clone();
        self.run(Box::pin(async move { inner.replace(task).await }))
    }

    fn list<'a>(
        &'a self,
        owner: &'a str,
        after: Option<(u64, String)>,
        limit: usize,
    ) -> StoreFuture<'a, Vec<TaskRecord>> {
        self.run(self.inner.list(owner, after, limit))
    }

    fn heartbeat<'a>(&'a self, holder: &'a str, until: u64) -> StoreFuture<'a, ()> {
        self.run(self.inner.heartbeat(holder, until))
    }

    fn claim<'a>(&'a self, holder: &'a str, now: u64, limit: usize) -> StoreFuture<'a, Vec<TaskRecord>> {
        self.run(self.inner.claim(holder, now, limit))
    }

    fn sweep(&self, now: u64, limit: usize) -> StoreFuture<'_, Vec<String>> {
        self.run(self.inner.sweep(now, limit))
    }
}

#[tokio::test]
async fn a_store_that_fails_or_hangs_fails_its_requests_alone_and_loses_no_result() {
    each(task_legs(), async |leg| {
        let (gates, store) = (Gates::default(), Moody::default());
        let options = options().store_timeout(Duration::from_millis(50));
        let server = task_tools(builder(&gates), &gates).task_store(store.clone(), options).build().unwrap();
        let client = leg.connect_with(&server, declared()).await;
        let id = task_of(&client, "job", json!({"name": "a"})).await;
        gates.started("a").await;
        for (mood, cause) in [(FAILS, "database or disk is full"), (HANGS, "in time")] {
            store.set(mood);
            let made = start_task(&client, "job", json!({"end": "at once"})).await;
            assert!(made.expect_code(-32603).message().contains(cause), "{}", made.wire);
            for method in ["tasks/get", "tasks/cancel"] {
                let reply = client.request_once(method, json!({"taskId": id})).await;
                assert!(reply.expect_code(-32603).message().contains(cause), "{}", reply.wire);
            }
            assert_eq!(client.call("echo", json!({"text": "meanwhile"})).await.text(), "meanwhile");
        }
        store.set(FAILS);
        gates.open("a");
        gates.passed("a").await;
        assert_eq!(client.call("echo", json!({"text": "meanwhile"})).await.text(), "meanwhile");
        store.set(WORKS);
        until_status(&client, &id, "completed").await;
        assert_eq!(result_of(&client, &id).await["content"][0]["text"], "a is done");
    })
    .await;
}
