//! Requests of the server's to a legacy client, on the stream of the request that needs them (B63).

use std::time::Duration;

use mcp::{HttpOptions, InputRequiredConfig};

use crate::harness::*;
use crate::http_common::*;

const VERSIONS: [&str; 2] = ["2025-06-18", LEGACY];

fn able() -> Value {
    json!({"elicitation": {}, "roots": {}, "sampling": {}})
}

fn answer(id: &Value, name: &str) -> Value {
    json!({"jsonrpc": "2.0", "id": id, "result": {"action": "accept", "content": {"name": name}}})
}

/// The next message that is a request of the server's.
async fn question(stream: &mut HttpResponse) -> Value {
    let message = stream.message().await.expect("a question").json();
    assert!(message.get("method").is_some() && message.get("id").is_some(), "{message}");
    message
}

#[tokio::test]
async fn a_question_comes_on_the_stream_of_its_request_and_its_answer_is_posted() {
    let fixture = fixture();
    let (_listener, http) = serve(&fixture.server, HttpOptions::new()).await;
    for version in VERSIONS {
        let session = Session::open_with(&http, version, able()).await;
        let mut general = session.stream().await;
        let mut stream = session.post(&call("a", "ask_name", json!({}))).send().await;
        let asked = question(&mut stream).await;
        assert_eq!(asked["method"], "elicitation/create");
        assert_eq!(session.echo(2, "others run").await, "others run");
        let mut posted = session.post(&answer(&asked["id"], "Ann")).send().await;
        assert_eq!((posted.status, posted.text().await.as_str()), (202, ""));
        let all = messages(&mut stream).await;
        assert_eq!((all.len(), text_of(&all[0]), &all[0]["id"]), (1, "Hello, Ann!", &json!("a")));
        fixture.server.notify_tools_changed();
        assert_eq!(general.message().await.unwrap().json()["method"], "notifications/tools/list_changed");
    }
}

#[tokio::test]
async fn an_answer_of_another_session_or_under_another_id_is_none() {
    let (_listener, http) = serve(&fixture().server, HttpOptions::new()).await;
    let (a, b) = (Session::open_with(&http, LEGACY, able()).await, Session::open_with(&http, LEGACY, able()).await);
    let mut of_a = a.post(&call(1, "ask_name", json!({}))).send().await;
    let mut of_b = b.post(&call(1, "ask_name", json!({}))).send().await;
    let (asked_a, asked_b) = (question(&mut of_a).await, question(&mut of_b).await);
    let stray = [answer(&json!("1"), "string"), answer(&json!(777), "unknown"), answer(&json!(null), "null")];
    for message in &stray {
        assert_eq!(a.post(message).send().await.status, 202, "{message}");
    }
    // The ids may be equal: the session tells them apart.
    assert_eq!(b.post(&answer(&asked_b["id"], "Bob")).send().await.status, 202);
    assert_eq!(text_of(&messages(&mut of_b).await[0]), "Hello, Bob!");
    assert_eq!(b.post(&answer(&asked_a["id"], "Eve")).send().await.status, 202);
    assert_eq!(a.post(&answer(&asked_a["id"], "Ann")).send().await.status, 202);
    assert_eq!(text_of(&messages(&mut of_a).await[0]), "Hello, Ann!");
    // Twice is once too often, and harmless.
    assert_eq!(a.post(&answer(&asked_a["id"], "Ann")).send().await.status, 202);
    assert_eq!(a.echo(2, "alive").await, "alive");
}

#[tokio::test]
async fn where_nobody_can_be_asked_the_tool_fails_at_once_and_says_why() {
    let fixture = fixture();
    let (_sessions, http) = serve(&fixture.server, HttpOptions::new()).await;
    let (_stateless, alone) = serve(&fixture.server, HttpOptions::new().stateless(true)).await;
    let able_session = Session::open_with(&http, LEGACY, able()).await;
    let unable = Session::open(&http, LEGACY).await;
    let old = Session::open_with(&http, "2025-03-26", able()).await;
    let ask = call(1, "ask_name", json!({}));
    let ask_roots = call(1, "ask_roots", json!({}));
    let table = [
        ("no capability", unable.post(&ask), "capability"),
        ("no capability", unable.post(&ask_roots), "roots"),
        ("not in this revision", old.post(&ask), "elicitation"),
        ("JSON only", able_session.post(&ask).set("Accept", "application/json"), "event streams"),
        ("stateless", alone.post(&ask).header("MCP-Protocol-Version", LEGACY), ""),
        ("stateless, JSON only", alone.post(&ask).set("Accept", "application/json"), ""),
    ];
    for (what, post, says) in table {
        let mut response = post.send().await;
        assert!(response.status == 200 && !response.is_stream(), "{what}");
        let message = response.json().await;
        assert_eq!(message["result"]["isError"], true, "{what}: {message}");
        assert!(text_of(&message).contains(says) && text_of(&message).len() > 20, "{what}: {message}");
    }
}

#[tokio::test]
async fn a_client_that_does_not_answer_is_not_waited_for_for_ever() {
    let config = InputRequiredConfig { round_timeout: Duration::from_millis(150), ..InputRequiredConfig::default() };
    let fixture = Fixture::with(|builder| builder.input_required_config(config));
    let (_listener, http) = serve(&fixture.server, HttpOptions::new()).await;
    for version in VERSIONS {
        let session = Session::open_with(&http, version, able()).await;
        let mut stream = session.post(&call(1, "ask_name", json!({}))).send().await;
        let asked = question(&mut stream).await;
        let all = messages(&mut stream).await;
        assert_eq!(all.len(), 2, "{all:?}");
        assert_eq!(all[0]["method"], "notifications/cancelled");
        assert_eq!(all[0]["params"]["requestId"], asked["id"]);
        assert_eq!(all[1]["result"]["isError"], true);
        assert!(text_of(&all[1]).contains("in time"), "{all:?}");
        // Too late.
        assert_eq!(session.post(&answer(&asked["id"], "Ann")).send().await.status, 202);
        assert_eq!(session.echo(2, "alive").await, "alive");
    }
}

#[tokio::test]
async fn a_client_that_refuses_fails_the_tool() {
    let (_listener, http) = serve(&fixture().server, HttpOptions::new()).await;
    let session = Session::open_with(&http, LEGACY, able()).await;
    let errors = [json!({"code": -1, "message": "User rejected"}), json!("not an error object")];
    for error in errors {
        let mut stream = session.post(&call(1, "ask_name", json!({}))).send().await;
        let asked = question(&mut stream).await;
        let refusal = json!({"jsonrpc": "2.0", "id": asked["id"], "error": error});
        assert_eq!(session.post(&refusal).send().await.status, 202);
        let all = messages(&mut stream).await;
        assert_eq!(all[0]["result"]["isError"], true, "{all:?}");
    }
}

#[tokio::test]
async fn when_the_request_is_cancelled_the_question_is_taken_back() {
    let (_listener, http) = serve(&fixture().server, HttpOptions::new()).await;
    let session = Session::open_with(&http, LEGACY, able()).await;
    let mut stream = session.post(&call(1, "ask_name", json!({}))).send().await;
    let asked = question(&mut stream).await;
    let cancel = notification("notifications/cancelled", json!({"requestId": 1}));
    assert_eq!(session.post(&cancel).send().await.status, 202);
    let all = messages(&mut stream).await;
    assert_eq!(all.len(), 1, "{all:?}");
    assert_eq!((&all[0]["method"], &all[0]["params"]["requestId"]), (&json!("notifications/cancelled"), &asked["id"]));
    // The id is free again.
    assert_eq!(session.echo(1, "alive").await, "alive");
}

#[tokio::test]
async fn when_the_session_ends_nobody_waits_any_more() {
    let (_listener, http) = serve(&fixture().server, HttpOptions::new()).await;
    let session = Session::open_with(&http, LEGACY, able()).await;
    let mut stream = session.post(&call(1, "ask_name", json!({}))).send().await;
    question(&mut stream).await;
    assert_eq!(session.delete().send().await.status, 204);
    assert!(messages(&mut stream).await.iter().all(|message| message["result"]["isError"] != false));
}

#[tokio::test]
async fn a_question_survives_a_broken_connection() {
    let (_listener, http) = serve(&fixture().server, HttpOptions::new()).await;
    let session = Session::open_with(&http, LEGACY, able()).await;
    let mut stream = session.post(&call(1, "ask_twice", json!({}))).send().await;
    let priming = stream.event().await.unwrap().id.unwrap();
    drop(stream);
    let mut stream = session.resume(&priming).await;
    for (field, value) in [("name", "Ann"), ("city", "Ulm")] {
        let asked = question(&mut stream).await;
        assert!(asked["params"]["message"].as_str().unwrap().contains(field), "{asked}");
        let answer = json!({"action": "accept", "content": {field: value}});
        let message = json!({"jsonrpc": "2.0", "id": asked["id"], "result": answer});
        assert_eq!(session.post(&message).send().await.status, 202);
    }
    assert_eq!(text_of(&messages(&mut stream).await[0]), "Ann of Ulm");
}
