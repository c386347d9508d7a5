//! Which log messages reach a client (B43, B44).

use crate::harness::*;

const LEVELS: [&str; 8] = ["debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"];
const KEY: &str = "io.modelcontextprotocol/logLevel";
const MESSAGE: &str = "notifications/message";

/// Makes the tool log one message of each level; returns the levels that arrived before the answer.
async fn logged(client: &Client, threshold: Option<&str>) -> Vec<String> {
    let mut arrived = Vec::new();
    for level in LEVELS {
        let meta = threshold.map_or(json!({}), |threshold| json!({KEY: threshold}));
        let params = json!({"name": "log", "arguments": {"level": level, "data": {"n": 1}}, "_meta": meta});
        client.request("tools/call", params).await.text();
    }
    for message in client.drain().await {
        assert_eq!(message.method(), Some(MESSAGE), "{}", message.wire);
        assert_eq!(message.params()["data"], json!({"n": 1}));
        arrived.push(message.params()["level"].as_str().unwrap().to_owned());
    }
    arrived
}

#[tokio::test]
async fn a_modern_request_gets_the_messages_of_the_level_that_it_names_and_else_none() {
    each(legs::modern().filter(|leg| leg.transport != Transport::Link), async |leg| {
        let client = leg.connect(&fixture().server).await;
        assert!(logged(&client, None).await.is_empty());
        for (at, level) in LEVELS.iter().enumerate() {
            assert_eq!(logged(&client, Some(level)).await, LEVELS[at..], "{level}");
        }
        assert!(logged(&client, None).await.is_empty());
    })
    .await;
}

#[tokio::test]
async fn a_level_that_is_none_is_refused() {
    let wrong = [
        json!("verbose"),
        json!(""),
        json!("Error"),
        json!("warn"),
        json!(3),
        Value::Null,
        json!(["error"]),
        json!({}),
    ];
    each(legs::all(), async |leg| {
        let client = leg.connect(&fixture().server).await;
        for level in &wrong {
            let reply = match leg.is_modern() {
                true => client.request("tools/list", json!({"_meta": {KEY: level}})).await,
                false => client.request("logging/setLevel", json!({"level": level})).await,
            };
            let text = reply.expect_code(-32602).message();
            assert!(text.contains("warning") && text.contains("emergency"), "{level}: {text}");
        }
        client.call("log", json!({"level": "info"})).await.text();
    })
    .await;
}

#[tokio::test]
async fn a_legacy_client_sets_the_level_of_its_own_session() {
    each(legs::legacy().filter(|leg| leg.can_announce() && leg.transport != Transport::Link), async |leg| {
        let host = leg.host(&fixture().server).await.shared();
        let (strict, chatty) = (host.connect().await, host.connect().await);
        for (client, level) in [(&strict, "error"), (&chatty, "debug")] {
            let reply = client.request("logging/setLevel", json!({"level": level})).await;
            assert_eq!(reply.result(), &json!({}));
        }
        assert_eq!(logged(&strict, None).await, LEVELS[4..]);
        assert_eq!(logged(&chatty, None).await, LEVELS);
        // The way of the other era has no meaning here.
        assert_eq!(logged(&strict, Some("debug")).await, LEVELS[4..]);
    })
    .await;
}
