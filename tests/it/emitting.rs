//! What a request sends before its answer: progress and log messages (B44, B50, B51).

use mcp::{Context, ToolOptions};

use crate::harness::*;

/// The progress notifications that arrived, in order.
fn progress(messages: &[Received]) -> Vec<Received> {
    messages.iter().filter(|message| message.method() == Some("notifications/progress")).cloned().collect()
}

/// Calls a tool under a progress token, given as text.
async fn call_with_token(client: &Client, tool: &str, arguments: Value, token: &str) -> Option<Reply> {
    let params = json!({"name": tool, "arguments": arguments, "_meta": {"progressToken": "TOKEN"}});
    client.send_with_token(params, token).await
}

#[tokio::test]
async fn progress_comes_under_the_token_of_the_client_and_before_the_answer() {
    // `Link` gives answers and notifications on two ways; their order is the host's business.
    each(legs::all().filter(|leg| leg.transport != Transport::Link), async |leg| {
        for token in ["0", "\"0\"", "\"\"", "7", "-1", "9007199254740993", "\"é\"", "\"a b\""] {
            let client = leg.connect(&fixture().server).await;
            call_with_token(&client, "progress", json!({"n": 4}), token).await.expect("an answer").result();
            let history = client.history();
            let sent = progress(&history);
            let values: Vec<f64> = sent.iter().map(|message| message.params()["progress"].as_f64().unwrap()).collect();
            assert_eq!(values, [1.0, 2.0, 3.0, 4.0], "{token}");
            for message in &sent {
                assert!(message.wire.contains(&format!("\"progressToken\":{token},")), "{token}: {}", message.wire);
                assert_eq!(message.params()["total"], 4.0);
            }
            let last = sent.last().unwrap();
            let answered = history.iter().position(|message| message.is_response() && message.frame > last.frame);
            assert!(answered.is_some(), "{token}: progress after the answer");
        }
    })
    .await;
}

#[tokio::test]
async fn without_a_token_there_is_no_progress() {
    each(legs::all(), async |leg| {
        let client = leg.connect(&fixture().server).await;
        assert_eq!(client.call("progress", json!({"n": 4})).await.text(), "done");
        let params = json!({"name": "progress", "arguments": {"n": 4}, "_meta": {"other": 1}});
        assert_eq!(client.request("tools/call", params).await.text(), "done");
        assert!(client.drain().await.is_empty());
    })
    .await;
}

#[tokio::test]
async fn a_token_that_is_neither_a_string_nor_an_integer_is_refused() {
    each(legs::all(), async |leg| {
        let client = leg.connect(&fixture().server).await;
        for token in ["1.5", "null", "true", "[]", "{}"] {
            let reply = call_with_token(&client, "progress", json!({"n": 1}), token).await.expect("an answer");
            reply.expect_code(-32602);
        }
        assert!(progress(&client.history()).is_empty());
    })
    .await;
}

#[tokio::test]
async fn progress_that_does_not_increase_is_dropped() {
    each(legs::all().filter(|leg| leg.transport != Transport::Link), async |leg| {
        let gates = Gates::default();
        let server = builder(&gates)
            .raw_tool("steps", ToolOptions::new(), async |_, ctx: Context| {
                for value in [1.0, 1.0, 0.5, f64::NAN, 2.5, f64::INFINITY, -1.0, 3.0] {
                    ctx.report_progress(value, Some(f64::INFINITY), None);
                }
                "done"
            })
            .build()
            .unwrap();
        let client = leg.connect(&server).await;
        call_with_token(&client, "steps", json!({}), "1").await.expect("an answer").result();
        let values: Vec<f64> =
            progress(&client.history()).iter().map(|message| message.params()["progress"].as_f64().unwrap()).collect();
        assert_eq!(values, [1.0, 2.5, 3.0]);
    })
    .await;
}

#[tokio::test]
async fn a_finished_request_sends_nothing_more() {
    each(legs::all(), async |leg| {
        let fixture = fixture();
        let client = leg.connect(&fixture.server).await;
        let reply = call_with_token(&client, "late_progress", json!({"name": "late"}), "1").await.expect("an answer");
        assert_eq!(reply.text(), "answered");
        fixture.gates.open("late");
        fixture.gates.started("late done").await;
        client.drain().await;
        let values: Vec<f64> =
            progress(&client.history()).iter().map(|message| message.params()["progress"].as_f64().unwrap()).collect();
        assert_eq!(values, [1.0, 3.0]);
        assert!(client.history().iter().all(|message| message.method() != Some("notifications/message")));
    })
    .await;
}

#[tokio::test]
async fn a_cancelled_request_sends_nothing_more() {
    each(legs::all(), async |leg| {
        let gates = Gates::default();
        let in_tool = gates.clone();
        let server = builder(&gates)
            .raw_tool("leaky", ToolOptions::new(), move |_, ctx: Context| {
                let gates = in_tool.clone();
                async move {
                    let (outside, still) = (gates.clone(), ctx.clone());
                    tokio::spawn(async move {
                        outside.pass("outside").await;
                        still.report_progress(9.0, None, None);
                        still.log(mcp::LoggingLevel::Emergency, "late");
                        outside.note_started("outside done");
                    });
                    gates.pass("inside").await;
                    "answered"
                }
            })
            .build()
            .unwrap();
        let client = leg.connect(&server).await;
        let params = json!({"name": "leaky", "arguments": {}, "_meta": {"progressToken": 1}});
        let pending = client.start("tools/call", params).await;
        gates.started("inside").await;
        client.cancel(&pending).await;
        gates.cancelled("inside").await;
        gates.open("outside");
        gates.started("outside done").await;
        assert!(client.drain().await.is_empty());
    })
    .await;
}

fn messages(client: &Client) -> Vec<Received> {
    let history = client.history();
    history.into_iter().filter(|message| message.method() == Some("notifications/message")).collect()
}

#[tokio::test]
async fn the_log_level_of_one_session_is_not_that_of_another() {
    each(legs::legacy().filter(|leg| leg.has_handshake() && leg.transport != Transport::Link), async |leg| {
        let host = leg.host(&fixture().server).await.shared();
        let (quiet, talkative) = (host.connect().await, host.connect().await);
        quiet.request("logging/setLevel", json!({"level": "error"})).await.result();
        talkative.request("logging/setLevel", json!({"level": "debug"})).await.result();
        for client in [&quiet, &talkative] {
            client.call("log", json!({"level": "info", "data": {"a": 1}})).await.result();
            client.call("log", json!({"level": "error", "data": "both"})).await.result();
        }
        let levels = |client: &Client| -> Vec<Value> {
            messages(client).iter().map(|message| message.params()["level"].clone()).collect()
        };
        assert_eq!(levels(&quiet), ["error"]);
        assert_eq!(levels(&talkative), ["info", "error"]);
        assert_eq!(messages(&talkative)[0].params()["data"], json!({"a": 1}));
    })
    .await;
}

#[tokio::test]
async fn a_modern_client_gets_log_messages_of_requests_that_ask_for_them_only() {
    each(legs::modern().filter(|leg| leg.transport != Transport::Link), async |leg| {
        let client = leg.connect(&fixture().server).await;
        let log = |level: &str, wanted: Option<&str>| {
            let mut params = json!({"name": "log", "arguments": {"level": level, "data": "x"}, "_meta": {}});
            if let Some(wanted) = wanted {
                params["_meta"]["io.modelcontextprotocol/logLevel"] = wanted.into();
            }
            params
        };
        client.request("tools/call", log("emergency", None)).await.result();
        assert!(messages(&client).is_empty());
        client.request("tools/call", log("info", Some("warning"))).await.result();
        assert!(messages(&client).is_empty());
        client.request("tools/call", log("warning", Some("warning"))).await.result();
        assert_eq!(messages(&client).len(), 1);
        client.request("tools/call", log("emergency", None)).await.result();
        assert_eq!(messages(&client).len(), 1);
    })
    .await;
}

#[tokio::test]
async fn without_the_capability_there_are_no_log_messages_and_no_level() {
    each(legs::all(), async |leg| {
        let server = mcp::Server::builder("silent", "1")
            .raw_tool("log", ToolOptions::new(), async |_, ctx: Context| {
                ctx.log(mcp::LoggingLevel::Emergency, "x");
                "done"
            })
            .build()
            .unwrap();
        let client = leg.connect(&server).await;
        if leg.is_legacy() {
            client.request("logging/setLevel", json!({"level": "debug"})).await.expect_code(-32601);
        }
        let params = json!({"name": "log", "_meta": {"io.modelcontextprotocol/logLevel": "debug"}});
        client.request("tools/call", params).await.result();
        assert!(client.drain().await.is_empty());
    })
    .await;
}
