//! Tools that block: where they run, and how they learn that nobody waits for them any more.

use std::sync::{Arc, Mutex, mpsc};

use mcp::{Context, Job, Server, ServerBuilder, ToolOptions};

use crate::harness::*;

fn bare() -> ServerBuilder {
    Server::builder("bare", "1")
}

#[tokio::test]
async fn blocking_tools_run_where_the_host_wants() {
    each(legs::all(), async |leg| {
        let (jobs, queue) = mpsc::channel::<Job>();
        let jobs = Mutex::new(jobs);
        let worker =
            std::thread::Builder::new().name("host".into()).spawn(move || queue.into_iter().for_each(|job| job()));
        let ran = Arc::new(Mutex::new(Vec::new()));
        let note = ran.clone();
        let server = bare()
            .executor(move |job| jobs.lock().unwrap().send(job).unwrap())
            .blocking_tool("where", ToolOptions::new(), move |_, _| {
                let thread = std::thread::current().name().unwrap_or_default().to_owned();
                note.lock().unwrap().push(thread.clone());
                thread
            })
            .raw_tool("here", ToolOptions::new(), async |_, _| {
                std::thread::current().name().unwrap_or_default().to_owned()
            })
            .build()
            .unwrap();
        let client = leg.connect(&server).await;
        for _ in 0..3 {
            assert_eq!(client.call("where", json!({})).await.text(), "host");
        }
        assert_ne!(client.call("here", json!({})).await.text(), "host");
        assert_eq!(*ran.lock().unwrap(), ["host", "host", "host"]);
        drop((client, server));
        // The worker ends when the server does; whether that is now is not what this test is about.
        drop(worker);
    })
    .await;
}

#[tokio::test]
async fn a_blocking_tool_sees_that_it_was_cancelled() {
    each(legs::all().filter(|leg| leg.transport != Transport::Link), async |leg| {
        let gates = Gates::default();
        let inside = gates.clone();
        let server = bare()
            .blocking_tool("watches", ToolOptions::new(), move |_, ctx: Context| {
                inside.note_started("running");
                while !ctx.is_cancelled() {
                    std::thread::yield_now();
                }
                inside.note_started("cancelled");
                "never seen"
            })
            .build()
            .unwrap();
        let client = leg.connect(&server).await;
        let pending = client.start_call("watches", json!({})).await;
        gates.started("running").await;
        client.cancel(&pending).await;
        gates.started("cancelled").await;
        assert!(client.try_reply(&pending).is_none());
    })
    .await;
}
