//! Requests at the same time: nothing slow delays anything else (B14, B60, B61, B62).

use crate::harness::*;

#[tokio::test]
async fn a_slow_handler_delays_nobody() {
    each(legs::all(), async |leg| {
        for slow in ["gate", "blocking_gate"] {
            let fixture = fixture();
            let host = leg.host(&fixture.server).await.shared();
            let client = host.connect().await;
            let pending = client.start_call(slow, json!({"name": "slow"})).await;
            fixture.gates.started("slow").await;
            client.request("tools/list", Value::Null).await.result();
            assert_eq!(client.call("echo", json!({"text": "now"})).await.text(), "now");
            let other = host.connect().await;
            assert_eq!(other.call("echo", json!({"text": "other"})).await.text(), "other");
            assert!(client.try_reply(&pending).is_none());
            fixture.gates.open("slow");
            assert_eq!(client.reply(&pending).await.text(), "passed");
        }
    })
    .await;
}

#[tokio::test]
async fn many_requests_are_under_way_at_once_and_each_gets_its_own_answer() {
    each(legs::all(), async |leg| {
        let fixture = fixture();
        let client = leg.connect(&fixture.server).await;
        let mut pending = Vec::new();
        for i in 0..50 {
            pending.push((i, client.start_call("gate", json!({"name": format!("g{i}")})).await));
            pending.push((i, client.start_call("echo", json!({"text": i.to_string()})).await));
        }
        for i in (0..50).rev() {
            fixture.gates.started(&format!("g{i}")).await;
            fixture.gates.open(&format!("g{i}"));
        }
        for (n, (i, pending)) in pending.iter().enumerate() {
            let want = if n % 2 == 0 { "passed".to_owned() } else { i.to_string() };
            assert_eq!(client.reply(pending).await.text(), want);
        }
    })
    .await;
}

#[tokio::test]
async fn more_requests_than_the_limit_are_refused_and_the_rest_is_unharmed() {
    let limits = mcp::Limits { max_in_flight: 3, ..mcp::Limits::default() };
    each(legs::all().filter(|leg| leg.has_lines() || leg.transport == Transport::Link), async |leg| {
        let fixture = Fixture::with(|builder| builder.limits(limits));
        let client = leg.connect(&fixture.server).await;
        let mut pending = Vec::new();
        for _ in 0..3 {
            pending.push(client.start_call("gate", json!({"name": "g"})).await);
        }
        fixture.gates.started_times("g", 3).await;
        client.call("echo", json!({"text": "too much"})).await.expect_code(-32603);
        fixture.gates.open("g");
        for pending in &pending {
            assert_eq!(client.reply(pending).await.text(), "passed");
        }
        assert_eq!(client.call("echo", json!({"text": "room again"})).await.text(), "room again");
    })
    .await;
}

#[tokio::test]
async fn a_panic_in_a_handler_fails_its_own_request_only() {
    each(legs::all(), async |leg| {
        let fixture = fixture();
        let client = leg.connect(&fixture.server).await;
        let running = client.start_call("gate", json!({"name": "g"})).await;
        fixture.gates.started("g").await;
        client.call("boom", json!({"text": "x"})).await.tool_error();
        client.request("resources/read", json!({"uri": "test://items/boom"})).await.expect_code(-32603);
        assert_eq!(client.call("echo", json!({"text": "alive"})).await.text(), "alive");
        fixture.gates.open("g");
        assert_eq!(client.reply(&running).await.text(), "passed");
    })
    .await;
}

#[tokio::test]
async fn a_client_that_vanishes_harms_no_other() {
    each(legs::all(), async |leg| {
        let fixture = fixture();
        let host = leg.host(&fixture.server).await.shared();
        let stays = host.connect().await;
        let running = stays.start_call("gate", json!({"name": "stays"})).await;
        {
            let vanishes = host.connect().await;
            vanishes.start_call("gate", json!({"name": "vanishes"})).await;
            fixture.gates.started("vanishes").await;
        }
        fixture.gates.started("stays").await;
        assert_eq!(stays.call("echo", json!({"text": "alive"})).await.text(), "alive");
        fixture.gates.open("stays");
        assert_eq!(stays.reply(&running).await.text(), "passed");
    })
    .await;
}

#[tokio::test]
async fn a_client_that_does_not_read_delays_no_other_and_its_notifications_are_bounded() {
    // The one end of this connection is never read.
    let fixture = fixture();
    let mut unread = fixture.server.memory_pair();
    let handshake =
        json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "t", "version": "0"}});
    let init = json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": handshake});
    let params = json!({"name": "progress", "arguments": {"n": 100_000}, "_meta": {"progressToken": 1}});
    let call = json!({"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": params});
    let gate = json!({"jsonrpc": "2.0", "id": 3, "method": "tools/call",
        "params": {"name": "gate", "arguments": {"name": "reached"}}});
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    unread.write_all(format!("{init}\n{call}\n{gate}\n").as_bytes()).await.unwrap();
    fixture.gates.open("reached");
    let other = legs::memory().last().unwrap().connect(&fixture.server).await;
    assert_eq!(other.call("echo", json!({"text": "now"})).await.text(), "now");
    // What was kept for it is no more than the queue and the pipe hold, and the answers are among it.
    unread.shutdown().await.unwrap();
    let mut kept = Vec::new();
    within("reading the rest", unread.read_to_end(&mut kept)).await.unwrap();
    assert!(kept.len() < (2 << 20), "{} bytes were kept", kept.len());
    let kept = String::from_utf8(kept).unwrap();
    assert!(kept.contains(r#""id":2,"#) && kept.contains(r#""id":3,"#), "an answer was lost");
}
