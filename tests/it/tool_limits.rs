//! Limits of a tool: how many elements its arguments may have, how long it may take, how often it may run at once.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use mcp::{CallToolResult, Context, Server, ToolOptions};

use crate::harness::*;

#[tokio::test]
async fn arguments_with_too_many_elements_are_a_failed_tool() {
    each(legs::all(), async |leg| {
        let client = leg.connect(&Fixture::with(|builder| builder.max_tool_input_elements(5)).server).await;
        for fits in [json!({}), json!({"list": [1, 2, 3, 4]}), json!({"a": {"b": {"c": {"d": {"e": 1}}}}})] {
            assert_eq!(client.call("noargs", fits.clone()).await.text(), fits.to_string());
        }
        for (number, too_many) in [
            json!({"list": [1, 2, 3, 4, 5]}),
            json!({"a": [[], [], [], [], {}]}),
            json!({"a": 1, "b": 2, "c": 3, "d": 4, "e": 5, "f": 6}),
            json!({"list": vec![0; 100_000]}),
        ]
        .into_iter()
        .enumerate()
        {
            let reply = client.call("noargs", too_many).await;
            assert!(reply.tool_error().contains("more than 5"), "{number}: {}", reply.wire);
        }
    })
    .await;
}

#[tokio::test]
async fn a_tool_that_takes_too_long_is_stopped_and_told_so() {
    each(legs::all(), async |leg| {
        let gates = Gates::default();
        let (inside, blocking) = (gates.clone(), gates.clone());
        let options = || ToolOptions::new().timeout(Duration::from_millis(50));
        let server = Server::builder("slow", "1")
            .raw_tool("slow", options(), move |_, _| {
                let gates = inside.clone();
                async move {
                    gates.pass("never").await;
                    "passed"
                }
            })
            .blocking_tool("blocking", options(), move |_, ctx: Context| {
                tokio::runtime::Handle::current().block_on(ctx.cancelled());
                assert!(ctx.is_cancelled());
                blocking.note_started("cancelled");
                "passed"
            })
            .build()
            .unwrap();
        let client = leg.connect(&server).await;
        let reply = client.call("slow", json!({})).await;
        assert!(reply.tool_error().contains("slow") && reply.tool_error().contains("50 ms"), "{}", reply.wire);
        gates.cancelled("never").await;
        assert!(client.call("blocking", json!({})).await.tool_error().contains("50 ms"));
        gates.started("cancelled").await;
    })
    .await;
}

#[tokio::test]
async fn a_tool_runs_as_often_at_once_as_it_may_and_the_others_wait_for_their_turn() {
    each(legs::all(), async |leg| {
        let gates = Gates::default();
        let (inside, running, most) = (gates.clone(), Arc::<AtomicUsize>::default(), Arc::<AtomicUsize>::default());
        let peak = most.clone();
        let server = Server::builder("few", "1")
            .raw_tool("few", ToolOptions::new().max_concurrency(2), move |_, _| {
                let (gates, running, most) = (inside.clone(), running.clone(), most.clone());
                async move {
                    most.fetch_max(running.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
                    gates.pass("few").await;
                    running.fetch_sub(1, Ordering::SeqCst);
                    CallToolResult::text("passed")
                }
            })
            .raw_tool("other", ToolOptions::new(), async |_, _| "other")
            .build()
            .unwrap();
        let client = leg.connect(&server).await;
        let mut pending = Vec::new();
        for _ in 0..6 {
            pending.push(client.start_call("few", json!({})).await);
        }
        gates.started_times("few", 2).await;
        assert_eq!(client.call("other", json!({})).await.text(), "other");
        gates.open("few");
        for pending in &pending {
            assert_eq!(client.reply(pending).await.text(), "passed");
        }
        assert_eq!(peak.load(Ordering::SeqCst), 2);
        assert_eq!(gates.count("few"), 6);
    })
    .await;
}

#[tokio::test]
async fn a_call_that_is_cancelled_while_it_waits_for_its_turn_never_runs() {
    each(legs::memory(), async |leg| {
        let gates = Gates::default();
        let inside = gates.clone();
        let server = Server::builder("one", "1")
            .raw_tool("one", ToolOptions::new().max_concurrency(1), move |_, _| {
                let gates = inside.clone();
                async move {
                    gates.pass("one").await;
                    "passed"
                }
            })
            .build()
            .unwrap();
        let client = leg.connect(&server).await;
        let first = client.start_call("one", json!({})).await;
        gates.started("one").await;
        let waits = client.start_call("one", json!({})).await;
        client.cancel(&waits).await;
        assert!(client.drain().await.is_empty());
        let third = client.start_call("one", json!({})).await;
        gates.open("one");
        assert_eq!(client.reply(&first).await.text(), "passed");
        assert_eq!(client.reply(&third).await.text(), "passed");
        assert_eq!(gates.count("one"), 2);
        assert!(client.try_reply(&waits).is_none());
    })
    .await;
}

#[test]
fn a_limit_of_nothing_is_refused_at_registration() {
    let options = ToolOptions::new().max_concurrency(0);
    assert!(Server::builder("x", "1").raw_tool("t", options, async |_, _| "x").build().is_err());
    assert!(Server::builder("x", "1").page_size(0).build().is_err());
    assert!(
        Server::builder("x", "1").raw_tool("t", ToolOptions::new().meta(json!([])), async |_, _| "x").build().is_err()
    );
}
