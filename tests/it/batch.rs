//! Several messages in one JSON array: only revision 2025-03-26 has that (B41).

use crate::harness::*;
use mcp::ProtocolVersion;

fn with_batches() -> impl Iterator<Item = Leg> {
    legs::all().filter(|leg| leg.version == ProtocolVersion::V2025_03_26 && leg.transport != Transport::HttpStateless)
}

fn ping(id: u32) -> Value {
    json!({"jsonrpc": "2.0", "id": id, "method": "ping"})
}

fn echo(id: u32, text: &str) -> Value {
    json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": {"name": "echo", "arguments": {"text": text}}})
}

/// Sends an array and takes everything that comes back for it.
async fn send(client: &Client, batch: &Value) -> Vec<Received> {
    client.send_array(&batch.to_string()).await
}

#[tokio::test]
async fn the_answers_to_a_batch_come_in_one_array_without_entries_for_notifications() {
    each(with_batches(), async |leg| {
        let client = leg.connect(&fixture().server).await;
        let initialized = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
        let answers = send(
            &client,
            &json!([ping(2), initialized, echo(3, "three"), {"jsonrpc": "2.0", "id": 4711, "result": {}}]),
        )
        .await;
        let mut ids: Vec<_> = answers.iter().map(|answer| answer.value["id"].as_u64().unwrap()).collect();
        ids.sort_unstable();
        assert_eq!(ids, [2, 3]);
        assert!(answers.iter().all(|answer| answer.frame == answers[0].frame), "{answers:?}");
        if leg.has_lines() {
            assert!(answers[0].is_batch, "{answers:?}");
        }
    })
    .await;
}

#[tokio::test]
async fn a_batch_of_notifications_has_no_answer() {
    each(with_batches(), async |leg| {
        let client = leg.connect(&fixture().server).await;
        let notification = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
        for batch in [json!([notification]), json!([notification, notification])] {
            let answers = send(&client, &batch).await;
            assert!(answers.is_empty(), "{answers:?}");
        }
    })
    .await;
}

#[tokio::test]
async fn an_empty_batch_is_one_error() {
    each(with_batches(), async |leg| {
        let client = leg.connect(&fixture().server).await;
        let answers = send(&client, &json!([])).await;
        assert_eq!(answers.len(), 1, "{answers:?}");
        assert!(!answers[0].is_batch);
        Reply::from(answers[0].clone()).expect_code(-32600);
        client.request("ping", Value::Null).await.result();
    })
    .await;
}

#[tokio::test]
async fn a_bad_member_of_a_batch_is_an_error_among_the_answers() {
    each(with_batches(), async |leg| {
        let client = leg.connect(&fixture().server).await;
        for bad in [json!(1), json!("x"), json!(null), json!({"foo": 1}), json!([ping(5)]), json!({})] {
            let answers = send(&client, &json!([bad, ping(4)])).await;
            assert_eq!(answers.len(), 2, "{bad}: {answers:?}");
            let (mut errors, mut results) = (0, 0);
            for answer in answers.into_iter().map(Reply::from) {
                if answer.is_error() {
                    answer.expect_code(-32600);
                    errors += 1;
                } else {
                    assert_eq!(answer.raw_id(), "4");
                    results += 1;
                }
            }
            assert_eq!((errors, results), (1, 1), "{bad}");
        }
    })
    .await;
}

#[tokio::test]
async fn two_requests_of_one_id_in_a_batch_are_one_answer_and_one_error() {
    each(with_batches(), async |leg| {
        let fixture = fixture();
        let client = leg.connect(&fixture.server).await;
        let gate = json!({"jsonrpc": "2.0", "id": 5, "method": "tools/call",
            "params": {"name": "gate", "arguments": {"name": "g"}}});
        let batch = json!([gate, echo(5, "B")]).to_string();
        let opener = async {
            fixture.gates.started("g").await;
            fixture.gates.open("g");
        };
        let (answers, ()) = tokio::join!(client.await_array(&batch, 2), opener);
        let errors = answers.iter().filter(|answer| answer.value.get("error").is_some()).count();
        assert_eq!((answers.len(), errors), (2, 1), "{answers:?}");
    })
    .await;
}

#[tokio::test]
async fn a_handshake_in_a_batch_is_refused() {
    each(with_batches(), async |leg| {
        let params =
            json!({"protocolVersion": "2025-03-26", "capabilities": {}, "clientInfo": {"name": "t", "version": "0"}});
        let init = json!({"jsonrpc": "2.0", "id": 9, "method": "initialize", "params": params});
        let connected = leg.connect(&fixture().server).await;
        let answers = send(&connected, &json!([init])).await;
        assert_eq!(answers.len(), 1, "{answers:?}");
        Reply::from(answers[0].clone()).expect_code(-32600);
        connected.request("tools/list", Value::Null).await.result();
        // As the first message too; the real handshake still works.
        let fresh = leg.open(&fixture().server).await;
        for answer in send(&fresh, &json!([init])).await {
            Reply::from(answer).expect_code(-32600);
        }
        fresh.initialize("2025-03-26").await.result();
    })
    .await;
}

#[tokio::test]
async fn a_batch_beyond_the_limit_is_refused_as_a_whole() {
    each(with_batches(), async |leg| {
        let client = leg.connect(&fixture().server).await;
        let most: Vec<Value> = (0..256).map(ping).collect();
        assert_eq!(send(&client, &json!(most)).await.len(), 256);
        for count in [257, 50_000] {
            let many: Vec<Value> = (0..count).map(ping).collect();
            let answers = send(&client, &json!(many)).await;
            assert_eq!(answers.len(), 1, "{count}");
            Reply::from(answers[0].clone()).expect_code(-32600);
        }
        client.request("ping", Value::Null).await.result();
    })
    .await;
}

#[tokio::test]
async fn a_batch_waits_for_the_slowest_of_its_requests() {
    each(with_batches(), async |leg| {
        let fixture = fixture();
        let client = leg.connect(&fixture.server).await;
        let gate = json!({"jsonrpc": "2.0", "id": 2, "method": "tools/call",
            "params": {"name": "gate", "arguments": {"name": "g"}}});
        let opener = async {
            fixture.gates.started("g").await;
            // A further request is not delayed by the open batch.
            assert_eq!(client.call("echo", json!({"text": "now"})).await.text(), "now");
            fixture.gates.open("g");
        };
        let batch = json!([gate, echo(3, "quick")]).to_string();
        let (mut answers, ()) = tokio::join!(client.await_array(&batch, 2), opener);
        answers.sort_by_key(|answer| answer.value["id"].as_u64());
        assert_eq!(Reply::from(answers[0].clone()).text(), "passed");
        assert_eq!(Reply::from(answers[1].clone()).text(), "quick");
    })
    .await;
}

#[tokio::test]
async fn other_revisions_have_no_batches() {
    each(legs::all().filter(|leg| leg.version != ProtocolVersion::V2025_03_26), async |leg| {
        let client = leg.connect(&fixture().server).await;
        let request = client.message(Some(json!(5)), "tools/list", Value::Null);
        for batch in [json!([request]), json!([request, request]), json!([]), json!([1])] {
            let answer = client.send_text(batch.to_string(), Some(&request)).await;
            if let Some(answer) = &answer {
                answer.expect_code(-32600);
                assert!(answer.status.is_none_or(|status| status == 400), "{answer:?}");
            }
            assert!(answer.is_some() || !leg.is_http());
        }
        client.request("tools/list", Value::Null).await.result();
    })
    .await;
}
