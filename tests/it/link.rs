//! Connections whose bytes the host moves.

use futures_util::FutureExt;

use crate::harness::*;

fn text(answer: Option<impl AsRef<[u8]>>) -> Value {
    serde_json::from_slice(answer.expect("an answer").as_ref()).unwrap()
}

fn init(version: &str) -> String {
    let params = json!({"protocolVersion": version, "capabilities": {}, "clientInfo": {"name": "t", "version": "0"}});
    json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params}).to_string()
}

#[tokio::test]
async fn a_link_answers_the_handshake_and_then_brings_announcements() {
    let server = fixture().server;
    let link = server.link();
    let answer = within("the handshake", link.dispatch(init("2025-11-25"))).await;
    assert_eq!(text(answer)["result"]["protocolVersion"], "2025-11-25");
    let initialized = r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#;
    assert!(within("a notification", link.dispatch(initialized)).await.is_none());
    assert!(link.next_message().now_or_never().is_none(), "the answer came twice");
    server.notify_tools_changed();
    let message = within("an announcement", link.next_message()).await;
    assert_eq!(text(Some(message))["method"], "notifications/tools/list_changed");
}

#[tokio::test]
async fn dropping_the_future_of_a_link_cancels_the_request() {
    let fixture = fixture();
    let link = fixture.server.link();
    within("the handshake", async { link.dispatch(init("2025-11-25")).now_or_never() }).await;
    let params = json!({"name": "gate", "arguments": {"name": "g"}});
    let call = json!({"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": params}).to_string();
    {
        let mut call = Box::pin(link.dispatch(call));
        assert!(call.as_mut().now_or_never().is_none());
        fixture.gates.started("g").await;
    }
    assert!(fixture.gates.was_cancelled("g"));
}

#[tokio::test]
async fn a_message_can_be_answered_without_any_connection() {
    let server = fixture().server;
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {},
    });
    let params = json!({"name": "echo", "arguments": {"text": "hi"}, "_meta": meta});
    let call = json!({"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": params}).to_string();
    assert_eq!(text(server.dispatch(call).await)["result"]["content"][0]["text"], "hi");
    assert!(server.dispatch(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#).await.is_none());
    assert_eq!(text(server.dispatch("{").await)["error"]["code"], -32700);
    let list = r#"{"jsonrpc":"2.0","id":3,"method":"tools/list"}"#;
    assert_eq!(text(server.dispatch(list).await)["error"]["code"], -32602);
}
