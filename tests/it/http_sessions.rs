//! Sessions: how they are found, how they end, and that they do not pile up (B31, B69, B71).

use std::collections::HashSet;
use std::time::Duration;

use mcp::{Events, HttpLimits, HttpOptions, ServerBuilder};
use tokio::sync::watch;

use crate::harness::*;
use crate::http_common::*;

#[tokio::test]
async fn a_session_that_is_not_there_is_404_and_one_that_is_not_named_is_400() {
    let fixture = fixture();
    let (_listener, http) = serve(&fixture.server, HttpOptions::new()).await;
    let (_other, elsewhere) = serve(&fixture.server, HttpOptions::new()).await;
    let session = Session::open(&http, LEGACY).await;
    let of_another_server = Session::open(&elsewhere, LEGACY).await.id;
    let ended = Session::open(&http, LEGACY).await;
    let deleted = ended.delete().send().await;
    assert!(matches!(deleted.status, 200 | 204), "{}", deleted.status);
    let table: [(&[&str], &[u16]); 8] = [
        (&[], &[400]),
        (&["nope"], &[404]),
        (&["é"], &[400, 404]),
        (&[""], &[400, 404]),
        (&[&session.id, &session.id], &[400]),
        (&[&session.id, "nope"], &[400]),
        (&[&of_another_server], &[404]),
        (&[&ended.id], &[404]),
    ];
    for (ids, statuses) in table {
        let requests = [
            session.post(&request(2, "tools/list", json!({}))),
            session.post(&notification("notifications/initialized", json!({}))),
            session.get(),
            session.delete(),
        ];
        for request in requests {
            let mut request = request.without("Mcp-Session-Id");
            for id in ids {
                request = request.header("Mcp-Session-Id", id);
            }
            let mut response = request.send().await;
            assert!(statuses.contains(&response.status), "{ids:?}: {}: {request:?}", response.status);
            assert_eq!(refusal(&mut response).await.1, -32600);
        }
    }
    let control = session.post(&ping(3)).set("Mcp-Session-Id", "a\u{7f}").send().await;
    assert!(matches!(control.status, 400 | 404), "{}", control.status);
    assert_eq!(session.echo(4, "unharmed").await, "unharmed");
}

#[tokio::test]
async fn a_session_can_be_ended_once() {
    let fixture = fixture();
    let (_listener, http) = serve(&fixture.server, HttpOptions::new()).await;
    let (ended, other) = (Session::open(&http, LEGACY).await, Session::open(&http, LEGACY).await);
    let mut stream = ended.stream().await;
    let running = ended.post(&call(1, "gate_cancellable", json!({"name": "g"})));
    let running = tokio::spawn(async move { running.send().await.text().await });
    fixture.gates.started("g").await;
    let mut first = ended.delete().send().await;
    assert!(matches!(first.status, 200 | 204), "{}", first.status);
    assert_eq!(first.text().await, "");
    assert_eq!(refusal(&mut ended.delete().send().await).await.0, 404);
    // All that was going on in it ends, without an answer.
    fixture.gates.cancelled("g").await;
    assert_eq!(within("the response", running).await.unwrap(), "");
    assert_eq!(messages(&mut stream).await, Vec::<Value>::new());
    assert_eq!(other.echo(1, "unharmed").await, "unharmed");
}

#[tokio::test]
async fn a_second_initialize_is_refused_and_changes_nothing() {
    let (_listener, http) = serve(&fixture().server, HttpOptions::new()).await;
    let session = Session::open(&http, "2025-03-26").await;
    let mut response = session.post(&initialize(LEGACY)).send().await;
    assert_eq!(response.json().await["error"]["code"], -32600);
    assert_eq!(session.post(&json!([ping(2)])).send().await.status, 200, "the version has changed");
}

#[tokio::test]
async fn requests_are_served_before_the_client_says_initialized() {
    let (_listener, http) = serve(&fixture().server, HttpOptions::new()).await;
    let session = Session::start(&http, LEGACY, json!({})).await;
    for message in [
        request(2, "tools/list", json!({})),
        request(3, "logging/setLevel", json!({"level": "debug"})),
        call(4, "echo", json!({"text": "early"})),
        ping(5),
    ] {
        let mut response = session.post(&message).send().await;
        let answer = response.json().await;
        assert!(response.status == 200 && answer.get("result").is_some(), "{message}: {answer}");
    }
}

#[tokio::test]
async fn ids_of_sessions_are_visible_ascii_long_and_never_the_same() {
    let (_listener, http) = serve(&fixture().server, HttpOptions::new()).await;
    let mut seen = HashSet::new();
    for _ in 0..100 {
        let id = Session::start(&http, LEGACY, json!({})).await.id;
        assert!(id.len() >= 22 && id.bytes().all(|byte| (0x21..=0x7e).contains(&byte)), "{id:?}");
        assert!(seen.insert(id));
    }
}

#[tokio::test]
async fn beyond_the_cap_a_session_is_503_until_one_has_ended() {
    let limits = HttpLimits { max_sessions: 3, ..HttpLimits::default() };
    let (_listener, http) = serve(&fixture().server, HttpOptions::new().limits(limits)).await;
    let sessions =
        [Session::open(&http, LEGACY).await, Session::open(&http, LEGACY).await, Session::open(&http, LEGACY).await];
    for _ in 0..3 {
        assert_eq!(refusal(&mut http.post(initialize(LEGACY)).send().await).await, (503, -32603));
        assert_eq!(refusal(&mut http.get().send().await).await, (503, -32603));
    }
    // What needs no session is served all the same.
    assert_eq!(post_modern(&http, &call(1, "echo", json!({"text": "hi"}))).send().await.status, 200);
    assert_eq!(sessions[0].echo(2, "hi").await, "hi");
    sessions[1].delete().send().await;
    let sse = SseClient::open(&http).await;
    assert_eq!(http.post(initialize(LEGACY)).send().await.status, 503);
    drop(sse);
    eventually("a place", async || http.post(initialize(LEGACY)).send().await.status == 200).await;
}

/// Counts the sessions that have ended.
fn counting() -> (watch::Receiver<usize>, impl FnOnce(ServerBuilder) -> ServerBuilder) {
    let (sender, ended) = watch::channel(0);
    let events = Events::new().on_transport_close(move || sender.send_modify(|count| *count += 1));
    (ended, |builder| builder.events(events))
}

#[tokio::test]
async fn sessions_that_nobody_uses_end_and_those_in_use_stay() {
    let (mut ended, count) = counting();
    let fixture = streaming(count);
    let limits =
        HttpLimits { max_sessions: 203, session_idle_timeout: Duration::from_millis(300), ..HttpLimits::default() };
    let (_listener, http) = serve(&fixture.server, HttpOptions::new().limits(limits)).await;
    let (reading, running) = (Session::open(&http, LEGACY).await, Session::open(&http, LEGACY).await);
    let mut stream = reading.stream().await;
    let mut answer = running.post(&call(1, "stream", json!({"name": "g"}))).send().await;
    let mut idle = None;
    for _ in 0..200 {
        idle = Some(Session::start(&http, LEGACY, json!({})).await);
    }
    within("the end of the sessions", ended.wait_for(|ended| *ended == 200)).await.unwrap();
    let idle = idle.unwrap();
    assert_eq!(refusal(&mut idle.post(&ping(2)).send().await).await.0, 404);
    assert_eq!(refusal(&mut idle.get().send().await).await.0, 404);
    // There is room again.
    Session::open(&http, LEGACY).await;
    // A stream and a request that runs keep their sessions.
    fixture.server.notify_tools_changed();
    assert_eq!(stream.message().await.unwrap().json()["method"], "notifications/tools/list_changed");
    fixture.gates.open("g");
    assert_eq!(text_of(messages(&mut answer).await.last().unwrap()), "streamed g");
    drop(stream);
    within("the end of all sessions", ended.wait_for(|ended| *ended == 203)).await.unwrap();
}

#[tokio::test]
async fn a_client_that_does_not_finish_its_handshake_loses_its_session() {
    let (mut ended, count) = counting();
    let fixture = Fixture::with(|builder| count(builder).initialization_timeout(Duration::from_millis(100)));
    let limits = HttpLimits { session_idle_timeout: Duration::from_secs(4), ..HttpLimits::default() };
    let (_listener, http) = serve(&fixture.server, HttpOptions::new().limits(limits)).await;
    let finished = Session::open(&http, LEGACY).await;
    let unfinished = Session::start(&http, LEGACY, json!({})).await;
    within("the end of the session", ended.wait_for(|ended| *ended == 1)).await.unwrap();
    assert_eq!(unfinished.post(&ping(2)).send().await.status, 404);
    assert_eq!(finished.echo(2, "stays").await, "stays");
}

#[tokio::test]
async fn connections_and_streams_that_clients_reset_leave_nothing_behind() {
    let (mut ended, count) = counting();
    let limits = mcp::Limits { max_subscriptions: 4, ..mcp::Limits::default() };
    let fixture = Fixture::with(|builder| count(builder).limits(limits));
    let limits = HttpLimits { max_connections: 8, max_sessions: 8, ..HttpLimits::default() };
    let (_listener, http) = serve(&fixture.server, HttpOptions::new().limits(limits)).await;
    let session = Session::open(&http, LEGACY).await;
    for i in 0..200 {
        // A stream of 2024-11-05 is a session of its own, which ends with it.
        drop(SseClient::open(&http).await);
        within("the end of the stream", ended.wait_for(|ended| *ended == i + 1)).await.unwrap();
        drop(session.stream().await);
        let mut half = http.connect().await;
        half.write(
            b"POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n{",
        )
        .await;
        drop(half);
        eventually("a stream", async || {
            let message = request(1, "subscriptions/listen", json!({"notifications": {"toolsListChanged": true}}));
            post_modern(&http, &message).send().await.is_stream()
        })
        .await;
    }
    // All four streams, and all eight sessions, can be had.
    let mut streams = Vec::new();
    eventually("all streams", async || {
        let message = request(1, "subscriptions/listen", json!({"notifications": {"toolsListChanged": true}}));
        let stream = post_modern(&http, &message).send().await;
        if stream.is_stream() {
            streams.push(stream);
        }
        streams.len() == 4
    })
    .await;
    for _ in 0..7 {
        Session::start(&http, LEGACY, json!({})).await;
    }
    assert_eq!(session.echo(2, "hi").await, "hi");
}
