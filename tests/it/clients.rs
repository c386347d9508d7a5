//! Clients that opened a session, spoken to outside of any request.

use std::time::Duration;

use futures_util::FutureExt;
use mcp::{ElicitRequest, InputRequest, InputRequiredConfig, ListRoots, LoggingLevel, ProtocolVersion, Server};

use crate::harness::*;
use crate::http_common::eventually;

fn everything() -> Value {
    json!({"elicitation": {}, "sampling": {}, "roots": {}})
}

/// Legs of clients that a server can speak to between requests.
fn reachable() -> impl Iterator<Item = Leg> {
    legs::legacy().filter(|leg| leg.has_handshake())
}

/// A client whose handshake the server has seen, with the stream open on which a server over HTTP speaks.
async fn ready(host: &std::sync::Arc<Host>, capabilities: Value) -> Client {
    let client = host.connect_with(capabilities).await;
    client.subscribe(&[]).await;
    client.request("ping", Value::Null).await.result();
    client
}

/// Ends the client's session in the way of its leg.
async fn leave(client: Client) {
    if client.leg.transport == Transport::Http {
        let delete = client.http().request("DELETE").set("Mcp-Session-Id", client.session_id().unwrap());
        assert_eq!(delete.send().await.status, 204);
    }
    client.close().await;
}

#[tokio::test]
async fn clients_are_listed_from_their_handshake_to_the_end_of_their_session_the_oldest_first() {
    // The harness keeps a link for as long as its tasks run.
    each(reachable().filter(|leg| leg.transport != Transport::Link), async |leg| {
        let server = fixture().server;
        let host = leg.host(&server).await.shared();
        assert!(server.clients().is_empty());
        let first = ready(&host, json!({"roots": {"listChanged": true}})).await;
        let second = ready(&host, json!({})).await;
        let clients = server.clients();
        assert_eq!(clients.len(), 2);
        assert_eq!(clients[0].capabilities_json().as_str(), r#"{"roots":{"listChanged":true}}"#);
        assert!(clients[0].capabilities().roots.is_some_and(|roots| roots.list_changed));
        assert_eq!(clients[1].capabilities_json().as_str(), "{}");
        assert_eq!(clients[1].info_json().deserialize::<Value>().unwrap(), json!({"name": "tests", "version": "0"}));
        assert_eq!(clients[1].info(), Some(mcp::Implementation::new("tests", "0")));
        assert_eq!(clients[1].protocol_version(), leg.version);
        leave(first).await;
        eventually("the first client has left", async || server.clients().len() == 1).await;
        assert_eq!(server.clients()[0].capabilities_json().as_str(), "{}");
        // Who has left can be held and spoken to; nothing comes of it.
        clients[0].log(LoggingLevel::Error, None, "lost");
        let error = clients[0].ask(ListRoots).await.unwrap_err();
        assert_eq!(error.code(), -32603, "{error}");
        leave(second).await;
        eventually("both clients have left", async || server.clients().is_empty()).await;
    })
    .await;
}

#[tokio::test]
async fn a_client_is_listed_only_when_it_says_that_it_is_ready() {
    each(reachable(), async |leg| {
        let server = fixture().server;
        let client = leg.open(&server).await;
        client.initialize(leg.version.as_str()).await.result();
        assert!(server.clients().is_empty());
        client.initialized().await;
        client.request("ping", Value::Null).await.result();
        assert_eq!(server.clients().len(), 1);
        // Saying it twice changes nothing.
        client.initialized().await;
        client.request("ping", Value::Null).await.result();
        assert_eq!(server.clients().len(), 1);
    })
    .await;
}

#[tokio::test]
async fn a_client_without_a_session_is_never_listed() {
    each(legs::all().filter(|leg| !leg.has_handshake()), async |leg| {
        let server = fixture().server;
        let client = leg.connect(&server).await;
        client.call("echo", json!({"text": "x"})).await.text();
        assert!(server.clients().is_empty());
    })
    .await;
}

#[tokio::test]
async fn a_client_is_asked_outside_of_any_request() {
    each(reachable(), async |leg| {
        let server = fixture().server;
        let host = leg.host(&server).await.shared();
        let client = ready(&host, everything()).await;
        client.answer_with(|method, _| {
            Ok(match method {
                "roots/list" => json!({"roots": [{"uri": "file:///a", "name": "a"}]}),
                "elicitation/create" => json!({"action": "accept", "content": {"n": "x"}}),
                _ => json!({"role": "assistant", "content": {"type": "text", "text": "hi"}, "model": "m"}),
            })
        });
        let remote = server.clients().remove(0);
        let roots = within("roots", remote.ask(ListRoots)).await.unwrap().roots;
        assert_eq!((roots.len(), roots[0].uri.as_str()), (1, "file:///a"));
        let sample = within("a sample", remote.ask(mcp::CreateMessageRequest::new(5).user("q"))).await.unwrap();
        assert_eq!(sample.text().as_deref(), Some("hi"));
        let raw = within("roots in JSON", remote.ask(InputRequest::ListRoots)).await.unwrap();
        assert_eq!(raw.deserialize::<Value>().unwrap()["roots"][0]["name"], "a");
        if leg.can_elicit() {
            let schema = json!({"type": "object", "properties": {"n": {"type": "string"}}});
            let answer = within("a form", remote.ask(ElicitRequest::form("n?", schema))).await.unwrap();
            assert_eq!(answer.content.unwrap().as_str(), r#"{"n":"x"}"#);
        }
    })
    .await;
}

#[tokio::test]
async fn what_a_client_did_not_declare_is_not_asked() {
    each(reachable(), async |leg| {
        let server = fixture().server;
        let host = leg.host(&server).await.shared();
        let client = ready(&host, json!({"roots": {}})).await;
        let remote = server.clients().remove(0);
        let form = ElicitRequest::form("n?", json!({"type": "object", "properties": {}}));
        let error = remote.ask(form).await.unwrap_err();
        assert_eq!(error.code(), -32021, "{error}");
        assert!(error.message().contains("elicitation"), "{error}");
        let error = remote.ask(mcp::CreateMessageRequest::new(5).user("q")).await.unwrap_err();
        assert_eq!(error.code(), -32021, "{error}");
        assert!(client.drain().await.is_empty());
    })
    .await;
}

#[tokio::test]
async fn a_refusal_and_a_malformed_answer_are_errors() {
    each(reachable(), async |leg| {
        let server = fixture().server;
        let host = leg.host(&server).await.shared();
        let client = ready(&host, everything()).await;
        let remote = server.clients().remove(0);
        client.answer_with(|_, _| Err(json!({"code": -1, "message": "not today", "data": {"a": 1}})));
        let error = within("a refusal", remote.ask(ListRoots)).await.unwrap_err();
        assert_eq!((error.code(), error.message()), (-1, "not today"));
        assert_eq!(error.data().unwrap().deserialize::<Value>().unwrap(), json!({"a": 1}));
        client.answer_with(|_, _| Ok(json!({"roots": 3})));
        let error = within("a malformed answer", remote.ask(ListRoots)).await.unwrap_err();
        assert_eq!(error.code(), -32602, "{error}");
        let error = within("a malformed answer in JSON", remote.ask(InputRequest::ListRoots)).await.unwrap_err();
        assert_eq!(error.code(), -32602, "{error}");
    })
    .await;
}

#[tokio::test]
async fn a_client_that_is_silent_is_given_up_and_told() {
    each(reachable(), async |leg| {
        let config = InputRequiredConfig { round_timeout: Duration::from_millis(30), ..InputRequiredConfig::default() };
        let server = Fixture::with(|builder| builder.input_required_config(config)).server;
        let host = leg.host(&server).await.shared();
        let client = ready(&host, everything()).await;
        let error = within("the end of waiting", server.clients()[0].ask(ListRoots)).await.unwrap_err();
        assert_eq!(error.code(), -32603, "{error}");
        assert!(error.message().contains("in time"), "{error}");
        let asked = client.server_request("roots/list").await;
        let cancelled = client.notification("notifications/cancelled").await;
        assert_eq!(cancelled.params()["requestId"].to_string(), asked.raw_id().unwrap());
    })
    .await;
}

#[tokio::test]
async fn giving_up_on_a_question_tells_the_client() {
    each(reachable(), async |leg| {
        let server = fixture().server;
        let host = leg.host(&server).await.shared();
        let client = ready(&host, everything()).await;
        let remote = server.clients().remove(0);
        {
            let mut asking = Box::pin(remote.ask(ListRoots));
            assert!(asking.as_mut().now_or_never().is_none());
            client.server_request("roots/list").await;
        }
        client.notification("notifications/cancelled").await;
    })
    .await;
}

#[tokio::test]
async fn a_question_ends_with_the_session() {
    each(reachable().filter(|leg| leg.transport != Transport::Link), async |leg| {
        let server = fixture().server;
        let host = leg.host(&server).await.shared();
        let client = ready(&host, everything()).await;
        let remote = server.clients().remove(0);
        let asking = tokio::spawn(async move { remote.ask(ListRoots).await });
        client.server_request("roots/list").await;
        leave(client).await;
        let error = within("the end of the question", asking).await.unwrap().unwrap_err();
        assert_eq!(error.code(), -32603, "{error}");
        assert!(error.message().contains("ended"), "{error}");
    })
    .await;
}

#[tokio::test]
async fn a_question_ends_when_its_link_or_its_serving_future_is_dropped() {
    let server = fixture().server;
    let params = json!({
        "protocolVersion": "2025-11-25", "capabilities": everything(), "clientInfo": {"name": "t", "version": "0"},
    });
    let init = json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params}).to_string();
    let initialized = r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#;
    let link = server.link();
    link.dispatch(init.clone()).await.unwrap();
    link.dispatch(initialized).await;
    let remote = server.clients().remove(0);
    let mut asking = Box::pin(remote.ask(ListRoots));
    assert!(asking.as_mut().now_or_never().is_none());
    drop(link);
    assert!(within("the question", asking).await.is_err());
    assert!(server.clients().is_empty());

    let (client, end) = tokio::io::duplex(1 << 16);
    let (reader, writer) = tokio::io::split(end);
    let serving = tokio::spawn({
        let server = server.clone();
        async move { server.serve_stream(reader, writer).await }
    });
    let (_reading, mut writing) = tokio::io::split(client);
    let lines = format!("{init}\n{initialized}\n");
    tokio::io::AsyncWriteExt::write_all(&mut writing, lines.as_bytes()).await.unwrap();
    eventually("the client is there", async || server.clients().len() == 1).await;
    let remote = server.clients().remove(0);
    let asking = tokio::spawn(async move { remote.ask(ListRoots).await });
    tokio::task::yield_now().await;
    serving.abort();
    assert!(within("the question", asking).await.unwrap().is_err());
    assert!(server.clients().is_empty());
}

#[tokio::test]
async fn over_http_a_client_without_an_open_stream_cannot_be_reached() {
    each(legs::only(ProtocolVersion::V2025_11_25, Transport::Http), async |leg| {
        let server = fixture().server;
        let host = leg.host(&server).await.shared();
        let client = host.connect_with(everything()).await;
        let remote = server.clients().remove(0);
        let error = within("an error", remote.ask(ListRoots)).await.unwrap_err();
        assert_eq!(error.code(), -32603, "{error}");
        assert!(error.message().contains("stream"), "{error}");
        remote.log(LoggingLevel::Error, None, "lost");
        client.subscribe(&[]).await;
        client.answer_with(|_, _| Ok(json!({"roots": []})));
        within("an answer", remote.ask(ListRoots)).await.unwrap();
        assert!(client.drain().await.is_empty());
    })
    .await;
}

#[tokio::test]
async fn clients_receive_log_messages_of_the_levels_that_they_set() {
    each(reachable(), async |leg| {
        let server = fixture().server;
        let host = leg.host(&server).await.shared();
        let (strict, plain) = (ready(&host, json!({})).await, ready(&host, json!({})).await);
        strict.request("logging/setLevel", json!({"level": "error"})).await.result();
        server.log(LoggingLevel::Debug, None, "nobody's");
        server.log(LoggingLevel::Info, Some("disk"), &json!({"free": 3}));
        server.log(LoggingLevel::Alert, None, "all");
        server.clients()[0].log(LoggingLevel::Critical, Some("own"), &[1, 2]);
        let message = async |client: &Client| client.notification("notifications/message").await.params().clone();
        assert_eq!(message(&plain).await, json!({"level": "info", "logger": "disk", "data": {"free": 3}}));
        assert_eq!(message(&plain).await, json!({"level": "alert", "data": "all"}));
        assert_eq!(message(&strict).await, json!({"level": "alert", "data": "all"}));
        assert_eq!(message(&strict).await, json!({"level": "critical", "logger": "own", "data": [1, 2]}));
        assert!(plain.drain().await.is_empty() && strict.drain().await.is_empty());
    })
    .await;
}

#[tokio::test]
async fn a_server_that_declares_no_logging_logs_nothing() {
    each(reachable(), async |leg| {
        let server = Server::builder("quiet", "1").build().unwrap();
        let host = leg.host(&server).await.shared();
        let client = ready(&host, json!({})).await;
        server.log(LoggingLevel::Emergency, None, "x");
        server.clients()[0].log(LoggingLevel::Emergency, None, "x");
        assert!(client.drain().await.is_empty());
    })
    .await;
}
