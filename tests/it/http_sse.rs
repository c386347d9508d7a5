//! The HTTP+SSE transport of 2024-11-05: one stream for all that the server says, POSTs for all that the client says.

use mcp::{HttpOptions, ProtocolVersion};

use crate::harness::*;
use crate::http_common::*;

#[tokio::test]
async fn a_conversation_goes_over_one_stream_and_posts_that_are_only_accepted() {
    let fixture = fixture();
    let (_listener, http) = serve(&fixture.server, HttpOptions::new()).await;
    let mut sse = SseClient::open(&http).await;
    // The posts of these clients have no Accept and no headers of MCP.
    let post = sse.http.request("POST").header("Content-Type", "application/json");
    let mut response = post.body(initialize("2024-11-05")).send().await;
    assert_eq!((response.status, response.header("content-length")), (202, Some("0")));
    assert_eq!(response.header("mcp-session-id"), None);
    assert_eq!(response.text().await, "");
    let answer = sse.stream.message().await.unwrap();
    assert_eq!(answer.event.as_deref().unwrap_or("message"), "message");
    assert_eq!(answer.json()["result"]["protocolVersion"], "2024-11-05");
    sse.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"})).await;
    sse.send(&ping(2)).await;
    assert_eq!(sse.next().await, json!({"jsonrpc": "2.0", "id": 2, "result": {}}));
    sse.send(&call(3, "progress", json!({"n": 2}))).await;
    for progress in [1.0, 2.0] {
        assert_eq!(sse.next().await["params"]["progress"], progress);
    }
    assert_eq!(text_of(&sse.next().await), "done");
    sse.send(&request(4, "no/such", json!({}))).await;
    assert_eq!(sse.next().await["error"]["code"], -32601);
    fixture.server.notify_tools_changed();
    assert_eq!(sse.next().await["method"], "notifications/tools/list_changed");
}

#[tokio::test]
async fn a_slow_request_holds_up_neither_its_post_nor_the_stream() {
    let fixture = fixture();
    let (_listener, http) = serve(&fixture.server, HttpOptions::new()).await;
    let mut sse = SseClient::connect(&http).await;
    sse.send(&call(1, "gate", json!({"name": "g"}))).await;
    fixture.gates.started("g").await;
    sse.send(&call(2, "echo", json!({"text": "quick"}))).await;
    assert_eq!(text_of(&sse.next().await), "quick");
    sse.send(&call(1, "echo", json!({"text": "the id is taken"}))).await;
    assert_eq!(sse.next().await["error"]["code"], -32600);
    fixture.gates.open("g");
    assert_eq!(text_of(&sse.next().await), "passed");
}

#[tokio::test]
async fn a_request_is_cancelled_by_notification() {
    let fixture = fixture();
    let (_listener, http) = serve(&fixture.server, HttpOptions::new()).await;
    let mut sse = SseClient::connect(&http).await;
    sse.send(&call(1, "gate", json!({"name": "g"}))).await;
    fixture.gates.started("g").await;
    sse.send(&notification("notifications/cancelled", json!({"requestId": 1}))).await;
    fixture.gates.cancelled("g").await;
    sse.send(&ping(2)).await;
    assert_eq!(sse.next().await["id"], 2);
}

#[tokio::test]
async fn a_question_comes_on_the_stream_and_its_answer_is_posted() {
    let (_listener, http) = serve(&fixture().server, HttpOptions::new()).await;
    let mut sse = SseClient::open(&http).await;
    sse.send(&initialize_with(json!("2024-11-05"), json!({"roots": {}}))).await;
    sse.next().await;
    sse.send(&call(1, "ask_roots", json!({}))).await;
    let asked = sse.next().await;
    assert_eq!(asked["method"], "roots/list");
    let roots = json!([{"uri": "file:///a"}, {"uri": "file:///b"}]);
    sse.send(&json!({"jsonrpc": "2.0", "id": asked["id"], "result": {"roots": roots}})).await;
    assert_eq!(text_of(&sse.next().await), "2 roots");
}

#[tokio::test]
async fn the_end_of_the_stream_is_the_end_of_the_session() {
    let fixture = fixture();
    let (_listener, http) = serve(&fixture.server, HttpOptions::new()).await;
    let sse = SseClient::connect(&http).await;
    sse.send(&call(1, "gate", json!({"name": "g"}))).await;
    fixture.gates.started("g").await;
    let endpoint = sse.http.clone();
    drop(sse);
    fixture.gates.cancelled("g").await;
    assert_eq!(refusal(&mut endpoint.post(ping(2)).send().await).await.0, 404);
}

#[tokio::test]
async fn what_is_posted_wrongly_is_refused_and_the_session_lives() {
    let (_listener, http) = serve(&fixture().server, HttpOptions::new()).await;
    let mut sse = SseClient::connect(&http).await;
    let post = sse.http.post("");
    let table = [
        (post.clone().body("{"), 400),
        (post.clone().body("null"), 400),
        (post.clone().body("[]"), 400),
        (post.clone().body(json!({"jsonrpc": "2.0", "id": null, "method": "ping"})), 400),
        (post.clone().set("Content-Type", "text/plain").body(ping(1)), 415),
        (post.clone().path("/mcp?sessionId=nope").body(ping(1)), 404),
        (post.clone().path("/mcp?sessionId=").body(ping(1)), 404),
        (post.clone().set("Host", "evil.com").body(ping(1)), 403),
        (post.body("x".repeat(5 << 20)), 413),
    ];
    for (post, status) in table {
        let what = format!("{post:.200?}");
        assert_eq!(refusal(&mut post.send().await).await.0, status, "{what}");
    }
    // A second handshake is an answer on the stream.
    sse.send(&initialize(LEGACY)).await;
    assert_eq!(sse.next().await["error"]["code"], -32600);
    sse.send(&ping(7)).await;
    assert_eq!(sse.next().await["id"], 7);
}

#[tokio::test]
async fn clients_do_not_meet_each_others_answers() {
    let (_listener, http) = serve(&fixture().server, HttpOptions::new()).await;
    let mut clients = Vec::new();
    for _ in 0..5 {
        clients.push(SseClient::connect(&http).await);
    }
    for i in 0..20 {
        for (who, sse) in clients.iter().enumerate() {
            sse.send(&call(i, "echo", json!({"text": format!("{who} {i}")}))).await;
        }
    }
    for (who, sse) in clients.iter_mut().enumerate() {
        let mut seen = std::collections::HashSet::new();
        for _ in 0..20 {
            let answer = sse.next().await;
            assert_eq!(text_of(&answer), format!("{who} {}", answer["id"]));
            assert!(seen.insert(answer["id"].to_string()));
        }
    }
}

#[tokio::test]
async fn where_it_is_turned_off_or_not_spoken_no_stream_opens() {
    let narrow = Fixture::with(|builder| {
        builder.supported_protocol_versions([ProtocolVersion::V2025_11_25, ProtocolVersion::V2026_07_28])
    });
    let fixture = fixture();
    let table = [
        (&fixture.server, HttpOptions::new().enable_legacy_sse(false), 405),
        (&fixture.server, HttpOptions::new().stateless(true), 405),
        (&narrow.server, HttpOptions::new(), 400),
    ];
    for (server, options, status) in table {
        let (_listener, http) = serve(server, options).await;
        assert_eq!(refusal(&mut http.get().send().await).await.0, status);
        assert_eq!(http.post(ping(1)).path("/mcp?sessionId=x").send().await.status, 404);
    }
}
