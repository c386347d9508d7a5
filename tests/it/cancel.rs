//! Cancellation (B56 to B59).

use crate::harness::*;

/// Legs on which a client cancels with a notification.
fn by_notification() -> impl Iterator<Item = Leg> {
    legs::all().filter(|leg| !leg.is_http() || leg.has_handshake())
}

#[tokio::test]
async fn a_cancelled_request_ends_and_is_not_answered() {
    each(legs::all(), async |leg| {
        for tool in ["gate", "gate_cancellable", "blocking_gate"] {
            let fixture = fixture();
            let client = leg.connect(&fixture.server).await;
            let pending = client.start_call(tool, json!({"name": "g"})).await;
            fixture.gates.started("g").await;
            client.cancel(&pending).await;
            fixture.gates.cancelled("g").await;
            if !leg.is_http() || leg.transport == Transport::Sse {
                client.drain().await;
                assert!(
                    client.history().iter().all(|message| message.raw_id().as_deref() != Some(&*pending.id)),
                    "{tool}"
                );
            }
            assert_eq!(client.call("echo", json!({"text": "free"})).await.text(), "free");
        }
    })
    .await;
}

#[tokio::test]
async fn the_response_to_a_cancelled_request_of_a_session_ends_without_an_answer() {
    each(legs::http().filter(|leg| leg.has_handshake() && leg.transport == Transport::Http), async |leg| {
        let fixture = fixture();
        let client = leg.connect(&fixture.server).await;
        let pending = client.start_call("gate", json!({"name": "g"})).await;
        fixture.gates.started("g").await;
        client.cancel(&pending).await;
        assert!(client.reply_or_end(&pending).await.is_none());
    })
    .await;
}

#[tokio::test]
async fn a_cancellation_that_names_no_running_request_is_ignored() {
    each(by_notification(), async |leg| {
        let fixture = fixture();
        let client = leg.connect(&fixture.server).await;
        let params = json!({"name": "gate", "arguments": {"name": "g"}});
        let pending = client.start_with_id(json!(2), "tools/call", params).await;
        fixture.gates.started("g").await;
        let finished = client.call("echo", json!({"text": "x"})).await.value["id"].clone();
        for params in [
            json!({"requestId": 4711}),
            json!({"requestId": finished}),
            json!({"requestId": "2"}),
            json!({"requestId": 2.5}),
            json!({"requestId": null}),
            json!({"requestId": [2]}),
            json!({"requestId": 1000}),
            json!({"requestId": 4711, "reason": "no longer needed"}),
            json!({}),
        ] {
            client.notify("notifications/cancelled", params).await;
        }
        client.expect_silence(&json!({"jsonrpc": "2.0", "method": "notifications/cancelled"})).await;
        assert_eq!(client.call("echo", json!({"text": "alive"})).await.text(), "alive");
        assert!(!fixture.gates.was_cancelled("g"));
        fixture.gates.open("g");
        assert_eq!(client.reply(&pending).await.text(), "passed");
    })
    .await;
}

#[tokio::test]
async fn a_request_may_be_cancelled_twice_and_its_id_used_again() {
    each(by_notification(), async |leg| {
        let fixture = fixture();
        let client = leg.connect(&fixture.server).await;
        let params = json!({"name": "gate", "arguments": {"name": "g"}});
        let pending = client.start_with_id(json!("again"), "tools/call", params).await;
        fixture.gates.started("g").await;
        client.cancel(&pending).await;
        fixture.gates.cancelled("g").await;
        client.cancel(&pending).await;
        let echo = json!({"name": "echo", "arguments": {"text": "second"}});
        assert_eq!(client.request_with_id(json!("again"), "tools/call", echo).await.text(), "second");
    })
    .await;
}

#[tokio::test]
async fn one_cancellation_ends_one_request() {
    each(legs::all(), async |leg| {
        let fixture = fixture();
        let client = leg.connect(&fixture.server).await;
        let mut pending = Vec::new();
        for name in ["one", "two", "three"] {
            pending.push(client.start_call("gate_cancellable", json!({"name": name})).await);
            fixture.gates.started(name).await;
        }
        client.cancel(&pending[1]).await;
        fixture.gates.cancelled("two").await;
        for (name, pending) in [("three", &pending[2]), ("one", &pending[0])] {
            fixture.gates.open(name);
            assert_eq!(client.reply(pending).await.text(), "passed");
        }
    })
    .await;
}

#[tokio::test]
async fn the_handshake_cannot_be_cancelled() {
    each(legs::legacy().filter(|leg| leg.has_lines()), async |leg| {
        let client = leg.open(&fixture().server).await;
        let params = json!({
            "protocolVersion": leg.version.as_str(), "capabilities": {}, "clientInfo": {"name": "t", "version": "0"},
        });
        let init = client.message(Some(json!(1)), "initialize", params);
        let cancel = client.message(None, "notifications/cancelled", json!({"requestId": 1}));
        client.send_bytes(format!("{cancel}\n{init}\n{cancel}\n")).await;
        assert_eq!(client.next().await.value["result"]["protocolVersion"], leg.version.as_str());
        client.request("tools/list", Value::Null).await.result();
    })
    .await;
}

#[tokio::test]
async fn without_a_session_a_closed_connection_cancels() {
    each(legs::http().filter(|leg| !leg.has_handshake()), async |leg| {
        for tool in ["gate", "gate_cancellable", "blocking_gate"] {
            let fixture = fixture();
            let client = leg.connect(&fixture.server).await;
            let pending = client.start_call(tool, json!({"name": "g"})).await;
            fixture.gates.started("g").await;
            client.abandon(&pending);
            fixture.gates.cancelled("g").await;
        }
    })
    .await;
}

#[tokio::test]
async fn in_a_session_a_closed_connection_does_not_cancel() {
    each(legs::http().filter(|leg| leg.has_handshake() && leg.transport == Transport::Http), async |leg| {
        let fixture = fixture();
        let client = leg.connect(&fixture.server).await;
        let pending = client.start_call("gate_cancellable", json!({"name": "g"})).await;
        fixture.gates.started("g").await;
        client.abandon(&pending);
        // Two further requests, so that the server has had every occasion to notice.
        for _ in 0..2 {
            client.call("echo", json!({"text": "x"})).await.result();
        }
        assert!(!fixture.gates.was_cancelled("g"));
        fixture.gates.open("g");
        fixture.gates.passed("g").await;
    })
    .await;
}
