//! What must not be answered (B29, B30, B40).

use crate::harness::*;

#[tokio::test]
async fn a_notification_is_never_answered() {
    let notifications = [
        json!({"jsonrpc": "2.0", "method": "notifications/roots/list_changed"}),
        json!({"jsonrpc": "2.0", "method": "notifications/does_not_exist", "params": [1]}),
        json!({"jsonrpc": "2.0", "method": "notifications/does_not_exist", "params": {"a": 1}}),
        json!({"jsonrpc": "2.0", "method": "notifications/progress", "params": {"progressToken": 1, "progress": 1}}),
        json!({"jsonrpc": "2.0", "method": "notifications/cancelled"}),
        json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 4711}}),
        json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": null}}),
        json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": {}}}),
        json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": 5}),
        json!({"jsonrpc": "2.0", "method": "tools/list"}),
        json!({"jsonrpc": "2.0", "method": "tools/call", "params": {"name": "echo", "arguments": {"text": "x"}}}),
        json!({"jsonrpc": "2.0", "method": "initialize", "params": {}}),
        json!({"jsonrpc": "2.0", "method": "ping"}),
        json!({"jsonrpc": "2.0", "method": ""}),
    ];
    each(legs::all(), async |leg| {
        let client = leg.connect(&fixture().server).await;
        for notification in &notifications {
            client.expect_silence(notification).await;
        }
        assert_eq!(client.call("echo", json!({"text": "alive"})).await.text(), "alive");
    })
    .await;
}

#[tokio::test]
async fn an_answer_to_nothing_is_ignored() {
    let answers = [
        json!({"jsonrpc": "2.0", "id": 4711, "result": {}}),
        json!({"jsonrpc": "2.0", "id": "x", "error": {"code": 1, "message": "no"}}),
        json!({"jsonrpc": "2.0", "id": 1, "result": null}),
        json!({"jsonrpc": "2.0", "error": {"code": -32700, "message": "what was that?"}}),
        json!({"jsonrpc": "2.0", "id": null, "error": {"code": -32700, "message": "what was that?"}}),
    ];
    each(legs::all(), async |leg| {
        let client = leg.connect(&fixture().server).await;
        for answer in &answers {
            client.expect_silence(answer).await;
        }
        assert_eq!(client.call("echo", json!({"text": "alive"})).await.text(), "alive");
    })
    .await;
}

#[tokio::test]
#[cfg(feature = "http")]
async fn a_notification_over_http_is_answered_202_and_nothing_else() {
    each(legs::http().filter(|leg| leg.transport != Transport::Sse), async |leg| {
        let client = leg.connect(&fixture().server).await;
        let notifications = [
            client.message(None, "notifications/cancelled", json!({"requestId": 4711})),
            client.message(None, "notifications/initialized", Value::Null),
        ];
        for notification in notifications {
            let mut response = client.post(&notification).send().await;
            assert_eq!(response.status, 202, "{notification}");
            assert_eq!(response.header("content-type"), None, "{notification}");
            assert_eq!(response.header("transfer-encoding"), None, "{notification}");
            assert_eq!(response.header("content-length"), Some("0"), "{notification}");
            assert_eq!(response.text().await, "");
        }
    })
    .await;
}

#[tokio::test]
async fn absent_and_empty_parameters_are_the_same() {
    each(legs::legacy().filter(|leg| leg.has_handshake()), async |leg| {
        for params in [None, Some(json!({})), Some(Value::Null)] {
            let client = leg.open(&fixture().server).await;
            client.initialize(leg.version.as_str()).await.result();
            let mut initialized = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
            let mut list = json!({"jsonrpc": "2.0", "id": 2, "method": "tools/list"});
            if let Some(params) = &params {
                initialized["params"] = params.clone();
                list["params"] = params.clone();
            }
            client.expect_silence(&initialized).await;
            let pending = client.send(&list).await;
            let reply = client.reply(&pending).await;
            if reply.is_error() {
                assert_eq!(params, Some(Value::Null));
                reply.expect_code(-32602);
            }
            client.request("tools/list", Value::Null).await.result();
        }
    })
    .await;
}
