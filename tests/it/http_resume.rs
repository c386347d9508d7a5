//! Connections that break: what a client can come back for, and what only its owner can (B59, B75, B76).

use std::time::Duration;

use mcp::{Context, HttpOptions, RawJson, ToolOptions};

use crate::harness::*;
use crate::http_common::*;

/// The id of the next event that carries a message.
async fn next_id(stream: &mut HttpResponse) -> String {
    stream.message().await.unwrap().id.expect("an id")
}

#[tokio::test]
async fn a_request_goes_on_when_its_connection_breaks_and_the_client_can_come_back_for_it() {
    let fixture = streaming(|builder| builder);
    let (_listener, http) = serve(&fixture.server, HttpOptions::new()).await;
    for version in SESSIONS {
        let session = Session::open(&http, version).await;
        let mut stream = session.post(&call(1, "stream", json!({"name": version, "n": 3}))).send().await;
        let last = next_id(&mut stream).await;
        drop(stream);
        // What was sent in the meantime is made up for, while the request runs.
        let mut stream = session.resume(&last).await;
        assert!(stream.status == 200 && stream.is_stream(), "{}", stream.status);
        assert_eq!(stream.message().await.unwrap().json()["params"]["progress"], 2.0);
        let last = next_id(&mut stream).await;
        drop(stream);
        assert!(!fixture.gates.was_cancelled(version));
        fixture.gates.open(version);
        fixture.gates.passed(version).await;
        // The answer waits for the client; it may come for it more than once.
        for _ in 0..2 {
            let all = messages(&mut session.resume(&last).await).await;
            assert_eq!(all.len(), 2, "{version}: {all:?}");
            assert_eq!(all[0]["params"]["progress"], 4.0);
            assert_eq!(text_of(&all[1]), format!("streamed {version}"));
        }
    }
}

#[tokio::test]
async fn a_connection_that_comes_back_takes_over_from_one_that_only_seems_alive() {
    let fixture = streaming(|builder| builder);
    let (_listener, http) = serve(&fixture.server, HttpOptions::new()).await;
    let session = Session::open(&http, LEGACY).await;
    let mut old = session.post(&call(1, "stream", json!({"name": "g", "n": 2}))).send().await;
    let last = next_id(&mut old).await;
    let mut new = session.resume(&last).await;
    assert_eq!(new.message().await.unwrap().json()["params"]["progress"], 2.0);
    fixture.gates.open("g");
    assert_eq!(messages(&mut new).await.len(), 2);
    assert!(messages(&mut old).await.iter().all(|message| message.get("result").is_none()));
}

#[tokio::test]
async fn a_priming_event_is_enough_to_come_back() {
    let fixture = streaming(|builder| builder);
    let options = HttpOptions::new().keep_alive(Duration::from_millis(30));
    let (_listener, http) = serve(&fixture.server, options).await;
    let session = Session::open(&http, LEGACY).await;
    let mut stream = session.post(&call(1, "stream", json!({"name": "g", "n": 0}))).send().await;
    let priming = stream.event().await.unwrap();
    assert_eq!(priming.data.as_deref(), Some(""), "{priming:?}");
    drop(stream);
    fixture.gates.open("g");
    fixture.gates.passed("g").await;
    let all = messages(&mut session.resume(&priming.id.unwrap()).await).await;
    assert_eq!(text_of(all.last().unwrap()), "streamed g");
}

#[tokio::test]
async fn a_handler_can_release_its_connection_where_the_client_will_poll_and_nowhere_else() {
    let gates = Gates::default();
    let inner = gates.clone();
    let release = move |arguments: RawJson, ctx: Context| {
        let gates = inner.clone();
        async move {
            let arguments: Value = arguments.deserialize().unwrap();
            ctx.release_connection();
            gates.pass(arguments["name"].as_str().unwrap()).await;
            "released"
        }
    };
    let server = crate::harness::builder(&gates).raw_tool("release", ToolOptions::new(), release).build().unwrap();
    let (_listener, http) = serve(&server, HttpOptions::new().retry(Duration::from_millis(250))).await;
    let session = Session::open(&http, LEGACY).await;
    let mut stream = session.post(&call(1, "release", json!({"name": "polled"}))).send().await;
    let priming = stream.event().await.unwrap();
    assert_eq!((priming.data.as_deref(), priming.retry.as_deref()), (Some(""), Some("250")));
    assert_eq!(stream.event().await, None);
    let mut polled = session.resume(&priming.id.unwrap()).await;
    gates.open("polled");
    assert_eq!(text_of(&messages(&mut polled).await[0]), "released");

    gates.open("straight");
    let straight = call(2, "release", json!({"name": "straight"}));
    for version in ["2025-03-26", "2025-06-18"] {
        let mut response = Session::open(&http, version).await.post(&straight).send().await;
        assert_eq!(text_of(&response.json().await), "released", "{version}");
    }
    assert_eq!(text_of(&post_modern(&http, &straight).send().await.json().await), "released");
    let mut sse = SseClient::connect(&http).await;
    sse.send(&straight).await;
    assert_eq!(text_of(&sse.next().await), "released");
}

#[tokio::test]
async fn an_event_that_a_session_does_not_have_is_400() {
    let fixture = streaming(|builder| builder);
    let (_listener, http) = serve(&fixture.server, HttpOptions::new()).await;
    let (session, other) = (Session::open(&http, LEGACY).await, Session::open(&http, LEGACY).await);
    let mut running = session.post(&call(1, "stream", json!({"name": "g"}))).send().await;
    let id = next_id(&mut running).await;
    let stream = id.split_once('_').unwrap().0;
    let wrong = [
        format!("{stream}_999999"),
        format!("{stream}_18446744073709551615"),
        format!("{stream}_18446744073709551616"),
        format!("{stream}_-1"),
        format!("{stream}_"),
        format!("_{stream}"),
        stream.to_owned(),
        "-1".into(),
        "0_0".into(),
        "777_0".into(),
        "💥".into(),
        "".into(),
        "9".repeat(8000),
    ];
    for last in &wrong {
        for session in [&session, &other] {
            let mut response = session.resume(last).await;
            assert_eq!(refusal(&mut response).await, (400, -32600), "{last}");
        }
    }
    let huge = session.resume(&"9".repeat(1 << 20)).await;
    assert!((400..500).contains(&huge.status), "{}", huge.status);
    fixture.gates.open("g");
    assert_eq!(text_of(messages(&mut running).await.last().unwrap()), "streamed g");
}

#[tokio::test]
async fn only_the_named_stream_of_the_same_session_is_replayed() {
    let fixture = streaming(|builder| builder);
    let (_listener, http) = serve(&fixture.server, HttpOptions::new()).await;
    let (a, b) = (Session::open(&http, LEGACY).await, Session::open(&http, LEGACY).await);
    let mut lasts = Vec::new();
    for (session, name) in [(&a, "a1"), (&a, "a2"), (&b, "b1")] {
        let mut stream = session.post(&call(name, "stream", json!({"name": name, "n": 2}))).send().await;
        lasts.push(next_id(&mut stream).await);
    }
    for name in ["a1", "a2", "b1"] {
        fixture.gates.open(name);
        fixture.gates.passed(name).await;
    }
    for (session, last, name) in [(&a, &lasts[0], "a1"), (&a, &lasts[1], "a2"), (&b, &lasts[2], "b1")] {
        let all = messages(&mut session.resume(last).await).await;
        assert_eq!(all.len(), 3, "{all:?}");
        assert!(all[..2].iter().all(|message| message["params"]["message"] == name), "{all:?}");
        assert_eq!(text_of(&all[2]), format!("streamed {name}"));
    }
    // An id of A's shows B nothing of A's: B has no such stream, or gets its own.
    for last in &lasts[..2] {
        let mut response = b.resume(last).await;
        if response.status == 200 {
            let shown = response.text().await;
            assert!(!shown.contains("a1") && !shown.contains("a2"), "{shown}");
        } else {
            assert_eq!(refusal(&mut response).await, (400, -32600));
        }
    }
}

#[tokio::test]
async fn changes_that_were_sent_on_a_broken_stream_of_the_session_are_made_up_for() {
    let fixture = fixture();
    let (_listener, http) = serve(&fixture.server, HttpOptions::new()).await;
    let session = Session::open(&http, LEGACY).await;
    let mut stream = session.stream().await;
    fixture.server.notify_tools_changed();
    let last = next_id(&mut stream).await;
    fixture.server.notify_prompts_changed();
    assert_eq!(stream.message().await.unwrap().json()["method"], "notifications/prompts/list_changed");
    drop(stream);
    let mut stream = session.resume(&last).await;
    assert_eq!(stream.message().await.unwrap().json()["method"], "notifications/prompts/list_changed");
    fixture.server.notify_resources_changed();
    assert_eq!(stream.message().await.unwrap().json()["method"], "notifications/resources/list_changed");
}

#[tokio::test]
async fn without_an_event_store_events_have_no_ids_and_nothing_is_resumed() {
    let fixture = streaming(|builder| builder);
    let (_listener, http) = serve(&fixture.server, HttpOptions::new().event_store(None)).await;
    let session = Session::open(&http, LEGACY).await;
    let mut stream = session.post(&call(1, "stream", json!({"name": "g"}))).send().await;
    let first = stream.event().await.unwrap();
    assert!(first.has_message() && first.id.is_none(), "{first:?}");
    assert_eq!(refusal(&mut session.resume("1_0").await).await, (400, -32600));
    fixture.gates.open("g");
    assert_eq!(messages(&mut stream).await.len(), 2);
}

#[tokio::test]
async fn closing_the_connection_cancels_a_request_that_has_no_session() {
    let fixture = streaming(|builder| builder);
    let quick = || HttpOptions::new().keep_alive(Duration::from_millis(30));
    let (_sessions, http) = serve(&fixture.server, quick()).await;
    let (_stateless, alone) = serve(&fixture.server, quick().stateless(true)).await;
    let gate = |name: &str| call(1, "gate", json!({"name": name}));
    let stream = |name: &str| call(1, "stream", json!({"name": name}));
    // The answer is a stream already, kept alive or with progress on it …
    for (name, post) in [
        ("modern", post_modern(&http, &gate("modern"))),
        ("stateless", alone.post(gate("stateless"))),
        ("modern stream", post_modern(&http, &stream("modern stream"))),
        ("stateless stream", alone.post(stream("stateless stream"))),
    ] {
        let response = post.send().await;
        assert!(response.is_stream());
        fixture.gates.started(name).await;
        drop(response);
        fixture.gates.cancelled(name).await;
    }
    // … or has not begun.
    let (_sessions, http) = serve(&fixture.server, HttpOptions::new()).await;
    let (_stateless, alone) = serve(&fixture.server, HttpOptions::new().stateless(true)).await;
    for (name, post) in [
        ("early", post_modern(&http, &gate("early"))),
        ("early json", post_modern(&http, &gate("early json")).set("Accept", "application/json")),
        ("early stateless", alone.post(gate("early stateless"))),
    ] {
        let mut connection = http_of(&post, &http, &alone).connect().await;
        connection.write(&post.to_bytes()).await;
        fixture.gates.started(name).await;
        drop(connection);
        fixture.gates.cancelled(name).await;
    }
}

fn http_of<'a>(post: &HttpRequest, http: &'a Http, alone: &'a Http) -> &'a Http {
    let text = String::from_utf8(post.to_bytes()).unwrap();
    if text.contains(&http.address.to_string()) { http } else { alone }
}

#[tokio::test]
async fn a_request_of_a_session_is_cancelled_by_notification_and_its_stream_ends_without_an_answer() {
    let fixture = streaming(|builder| builder);
    let (_listener, http) = serve(&fixture.server, HttpOptions::new()).await;
    for version in SESSIONS {
        let session = Session::open(&http, version).await;
        let mut stream = session.post(&call(0, "stream", json!({"name": version}))).send().await;
        stream.message().await.unwrap();
        for other in [json!("0"), json!(1), json!(null)] {
            let cancel = notification("notifications/cancelled", json!({"requestId": other}));
            assert_eq!(session.post(&cancel).send().await.status, 202);
        }
        assert_eq!(session.echo(2, "goes on").await, "goes on");
        assert!(!fixture.gates.was_cancelled(version));
        let cancel = notification("notifications/cancelled", json!({"requestId": 0}));
        assert_eq!(session.post(&cancel).send().await.status, 202);
        fixture.gates.cancelled(version).await;
        assert_eq!(messages(&mut stream).await, Vec::<Value>::new());
    }
}
