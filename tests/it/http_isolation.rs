//! What belongs to one client, or one request, never reaches another (B44, B89, B90, B92, B93).

use mcp::{HttpOptions, ProtocolVersion};

use crate::harness::*;
use crate::http_common::*;

#[tokio::test]
async fn clients_that_use_the_same_ids_at_the_same_time_get_their_own_answers() {
    let fixture = fixture();
    let (_listener, http) = serve(&fixture.server, HttpOptions::new()).await;
    let mut senders = tokio::task::JoinSet::new();
    let versions = SESSIONS.map(Some).into_iter().chain([None]);
    for (client, version) in versions.enumerate() {
        let session = match version {
            Some(version) => Some(Session::open(&http, version).await),
            None => None,
        };
        for lane in 0..10 {
            let (session, http) = (session.clone(), http.clone());
            senders.spawn(async move {
                let mut connection = http.connect().await;
                for i in 0..25 {
                    let text = format!("client {client}, lane {lane}, {i}");
                    let message = call(lane * 100 + i, "echo", json!({"text": text}));
                    let post = match &session {
                        Some(session) => session.post(&message),
                        None => post_modern(&http, &message),
                    };
                    let mut response = post.send_on(connection).await;
                    let answer = response.json().await;
                    assert_eq!((text_of(&answer), &answer["id"]), (text.as_str(), &message["id"]));
                    connection = response.into_connection();
                }
            });
        }
    }
    while let Some(sent) = within("all echoes", senders.join_next()).await {
        sent.unwrap();
    }
}

#[tokio::test]
async fn streams_that_run_at_the_same_time_carry_their_own_messages_only() {
    let fixture = streaming(|builder| builder);
    let (_listener, http) = serve(&fixture.server, HttpOptions::new()).await;
    let (a, b) = (Session::open(&http, LEGACY).await, Session::open(&http, LEGACY).await);
    let mut streams = Vec::new();
    for (i, session) in [&a, &a, &b].into_iter().enumerate() {
        // The two of one session have different ids; the one of the other session has an id of theirs.
        let message = call((i % 2) as i64, "stream", json!({"name": format!("s{i}"), "n": 20}));
        streams.push((i, session.post(&message).send().await));
    }
    for i in 0..3 {
        let message = call(i % 2, "stream", json!({"name": format!("s{i}x"), "n": 20}));
        streams.push((i as usize + 3, post_modern(&http, &message).send().await));
    }
    for i in 0..3 {
        fixture.gates.open(&format!("s{i}"));
        fixture.gates.open(&format!("s{i}x"));
    }
    for (i, mut stream) in streams {
        let name = if i < 3 { format!("s{i}") } else { format!("s{}x", i - 3) };
        let id = i % 3 % 2;
        let mut all = messages(&mut stream).await;
        assert_eq!(all.len(), 22, "{name}");
        let answer = all.pop().unwrap();
        assert_eq!((text_of(&answer), &answer["id"]), (format!("streamed {name}").as_str(), &json!(id)));
        for (n, message) in all.iter().enumerate() {
            let params = &message["params"];
            assert_eq!((&params["message"], &params["progress"]), (&json!(name), &json!(n as f64 + 1.0)), "{message}");
            assert_eq!(params["progressToken"], id);
        }
    }
}

#[tokio::test]
async fn a_resource_that_one_session_watches_is_not_announced_to_another() {
    each(
        [leg(ProtocolVersion::V2025_11_25, Transport::Http), leg(ProtocolVersion::V2026_07_28, Transport::Http)],
        async |leg| {
            let fixture = fixture();
            let host = leg.host(&fixture.server).await.shared();
            let (a, b) = (host.connect().await, host.connect().await);
            a.subscribe(&["test://plain", "test://items/a"]).await;
            b.subscribe(&["test://items/b"]).await;
            fixture.server.notify_resource_updated("test://plain");
            fixture.server.notify_resource_updated("test://items/b");
            let updated = a.notification("notifications/resources/updated").await;
            assert_eq!(updated.params()["uri"], "test://plain");
            let updated = b.notification("notifications/resources/updated").await;
            assert_eq!(updated.params()["uri"], "test://items/b");
            // What comes after this was sent after all that is to be excluded.
            fixture.server.notify_tools_changed();
            for client in [a, b] {
                client.notification("notifications/tools/list_changed").await;
                let updates = |message: &Received| message.method() == Some("notifications/resources/updated");
                assert_eq!(client.history().into_iter().filter(updates).count(), 1);
            }
        },
    )
    .await;
}

#[tokio::test]
async fn a_log_level_is_that_of_one_session() {
    let fixture = fixture();
    let (_listener, http) = serve(&fixture.server, HttpOptions::new()).await;
    let (quiet, loud) = (Session::open(&http, LEGACY).await, Session::open(&http, LEGACY).await);
    for (session, level) in [(&quiet, "error"), (&loud, "debug")] {
        let response = session.post(&request(1, "logging/setLevel", json!({"level": level}))).send().await;
        assert_eq!(response.status, 200);
    }
    let log = call(2, "log", json!({"level": "info", "data": "x"}));
    assert!(!quiet.post(&log).send().await.is_stream());
    let mut stream = loud.post(&log).send().await;
    assert_eq!(messages(&mut stream).await[0]["method"], "notifications/message");
}

#[tokio::test]
async fn progress_goes_with_its_request_and_never_to_the_stream_of_the_session() {
    let fixture = fixture();
    let (_listener, http) = serve(&fixture.server, HttpOptions::new()).await;
    let session = Session::open(&http, LEGACY).await;
    let mut general = session.stream().await;
    let mut post = session.post(&call(1, "progress", json!({"n": 50}))).send().await;
    assert_eq!(messages(&mut post).await.len(), 51);
    fixture.server.notify_tools_changed();
    assert_eq!(general.message().await.unwrap().json()["method"], "notifications/tools/list_changed");
}

#[tokio::test]
async fn what_a_handler_says_after_its_answer_is_dropped_and_changes_still_arrive() {
    each(legs::http().filter(|leg| leg.can_announce()), async |leg| {
        let fixture = fixture();
        let client = leg.connect(&fixture.server).await;
        client.subscribe(&[]).await;
        let params = json!({"name": "late_progress", "arguments": {"name": "late"}, "_meta": {"progressToken": "p"}});
        assert_eq!(client.request("tools/call", params).await.text(), "answered");
        let before = client.history().len();
        fixture.gates.open("late");
        fixture.gates.started("late done").await;
        fixture.server.notify_tools_changed();
        client.notification("notifications/tools/list_changed").await;
        assert_eq!(client.history().len(), before + 1, "{:?}", client.history());
    })
    .await;
}

#[tokio::test]
async fn a_refused_message_is_not_reported_on_the_stream_of_the_session() {
    let fixture = fixture();
    let (_listener, http) = serve(&fixture.server, HttpOptions::new()).await;
    let session = Session::open(&http, LEGACY).await;
    let mut streams = [session.stream().await, listen(&http, 1, &[]).await];
    for garbage in ["{", "", "null", "[]", "{\"jsonrpc\":\"2.0\",\"id\":null,\"method\":\"ping\"}", "\u{0}"] {
        let mut response = session.post(&json!({})).body(garbage).send().await;
        assert_eq!(refusal(&mut response).await.0, 400, "{garbage:?}");
    }
    fixture.server.notify_tools_changed();
    for stream in &mut streams {
        assert_eq!(stream.message().await.unwrap().json()["method"], "notifications/tools/list_changed");
    }
}

#[tokio::test]
async fn a_message_of_the_session_goes_to_one_of_its_streams_only() {
    let fixture = fixture();
    let (_listener, http) = serve(&fixture.server, HttpOptions::new()).await;
    let session = Session::open(&http, LEGACY).await;
    let mut first = session.stream().await;
    // A further stream takes over from the one before.
    let mut second = session.stream().await;
    assert_eq!(messages(&mut first).await, Vec::<Value>::new());
    fixture.server.notify_tools_changed();
    assert_eq!(second.message().await.unwrap().json()["method"], "notifications/tools/list_changed");
}
