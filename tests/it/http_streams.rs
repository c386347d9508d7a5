//! Streams of events: how they begin, how they stay alive, and what goes on them (B61, B73, B77, B78, B86).

use std::time::Duration;

use mcp::{HttpOptions, ProtocolVersion};

use crate::harness::*;
use crate::http_common::*;

#[tokio::test]
async fn a_stream_shows_a_sign_of_life_at_once() {
    // The interval is an hour: what comes does not come because of it.
    let options = HttpOptions::new().keep_alive(Duration::from_secs(3600));
    let (_listener, http) = serve(&fixture().server, options).await;
    let message = request(1, "subscriptions/listen", json!({"notifications": {"toolsListChanged": true}}));
    for version in SESSIONS {
        let session = Session::open(&http, version).await;
        expect_life(version, session.get()).await;
    }
    expect_life(MODERN, post_modern(&http, &message)).await;
    expect_life("2024-11-05", http.get()).await;
}

async fn expect_life(what: &str, request: HttpRequest) {
    let mut stream = request.send().await;
    assert_eq!((stream.status, stream.header("content-type")), (200, Some("text/event-stream")), "{what}");
    let cache = stream.header("cache-control").unwrap();
    assert!(cache.contains("no-cache") && cache.contains("no-transform"), "{what}: {cache}");
    assert_eq!(stream.header("x-accel-buffering"), Some("no"), "{what}");
    assert!(within(&format!("{what}: the first bytes"), stream.event()).await.is_some());
}

#[tokio::test]
async fn a_silent_stream_is_kept_alive_with_comments() {
    let fixture = fixture();
    let options = HttpOptions::new().keep_alive(Duration::from_millis(30));
    let (_listener, http) = serve(&fixture.server, options).await;
    let session = Session::open(&http, LEGACY).await;
    let gate = |name: &str| call(1, "gate", json!({"name": name}));
    let endless = [session.get(), http.get()];
    let mut streams = vec![listen(&http, 1, &[]).await];
    for get in endless {
        streams.push(get.send().await);
    }
    // A request whose answer takes its time becomes a stream.
    for (i, post) in [session.post(&gate("0")), post_modern(&http, &gate("1"))].into_iter().enumerate() {
        let mut stream = post.send().await;
        assert!(stream.is_stream());
        expect_comments(&mut stream).await;
        fixture.gates.open(&i.to_string());
        assert_eq!(text_of(&stream.message().await.unwrap().json()), "passed");
        assert!(stream.message().await.is_none());
    }
    for mut stream in streams {
        expect_comments(&mut stream).await;
    }
}

#[tokio::test]
async fn a_request_that_becomes_a_stream_for_its_silence_shows_that_at_once() {
    let interval = Duration::from_secs(2);
    let (_listener, http) = serve(&fixture().server, HttpOptions::new().keep_alive(interval)).await;
    let gate = call(1, "gate", json!({"name": "never"}));
    let old = Session::open(&http, "2025-06-18").await;
    let new = Session::open(&http, LEGACY).await;
    for post in [old.post(&gate), new.post(&gate), post_modern(&http, &gate)] {
        let mut stream = post.send().await;
        assert!(stream.is_stream());
        let sign = tokio::time::timeout(interval / 2, stream.event()).await;
        assert!(sign.is_ok_and(|event| event.is_some()), "nothing follows the head: {post:?}");
    }
}

async fn expect_comments(stream: &mut HttpResponse) {
    for _ in 0..4 {
        let mut event = stream.event().await.unwrap();
        while event.comments.is_empty() {
            assert!(!event.has_message(), "{event:?}");
            event = stream.event().await.unwrap();
        }
        assert_eq!((&event.data, &event.id), (&None, &None), "{event:?}");
    }
}

#[tokio::test]
async fn an_event_without_data_opens_a_stream_only_where_the_revision_has_it() {
    let table = [
        (ProtocolVersion::V2024_11_05, Transport::Http),
        (ProtocolVersion::V2025_03_26, Transport::Http),
        (ProtocolVersion::V2025_06_18, Transport::Http),
        (ProtocolVersion::V2025_11_25, Transport::Http),
        (ProtocolVersion::V2025_11_25, Transport::HttpStateless),
        (ProtocolVersion::V2026_07_28, Transport::Http),
    ];
    for (version, transport) in table {
        let client = leg(version, transport).connect(&fixture().server).await;
        let params = json!({"name": "progress", "arguments": {"n": 3}, "_meta": {"progressToken": "p"}});
        let mut stream = client.post(&client.message(Some(json!(9)), "tools/call", params)).send().await;
        let mut events = Vec::new();
        while let Some(event) = stream.event().await {
            events.push(event);
        }
        let primes = version == ProtocolVersion::V2025_11_25 && transport == Transport::Http;
        if primes {
            let first = events.remove(0);
            assert_eq!(first.data.as_deref(), Some(""), "{first:?}");
            assert!(first.id.is_some(), "{first:?}");
            let retry: u64 = first.retry.unwrap().parse().unwrap();
            assert!((1..=60_000).contains(&retry), "{retry}");
        }
        assert_eq!(events.len(), 4, "{version}: {events:?}");
        let has_ids = version.as_str() < MODERN && transport == Transport::Http;
        let mut ids = std::collections::HashSet::new();
        for event in &events {
            assert!(event.has_message() && event.retry.is_none(), "{version}: {event:?}");
            assert_eq!(event.id.is_some(), has_ids, "{version}: {event:?}");
            assert!(!has_ids || ids.insert(event.id.clone()), "{version}: {event:?} twice");
        }
    }
}

#[tokio::test]
async fn a_client_that_takes_json_only_gets_the_answer_and_no_notifications() {
    each(legs::http().filter(|leg| leg.transport != Transport::Sse), async |leg| {
        let fixture = streaming(|builder| builder);
        let options = HttpOptions::new().keep_alive(Duration::from_millis(10));
        let stateless = leg.transport == Transport::HttpStateless;
        let host = leg.host_http(&fixture.server, options.stateless(stateless)).await.shared();
        let client = host.connect().await;
        let params = json!({"name": "stream", "arguments": {"name": "g"}, "_meta": {"progressToken": "p"}});
        let post = client.post(&client.message(Some(json!(9)), "tools/call", params)).set("Accept", "application/json");
        let answer = tokio::spawn(async move { post.send().await });
        fixture.gates.started("g").await;
        fixture.gates.open("g");
        let mut answer = within("the answer", answer).await.unwrap();
        assert_eq!((answer.status, answer.header("content-type")), (200, Some("application/json")));
        assert_eq!(text_of(&answer.json().await), "streamed g");
    })
    .await;
}

#[tokio::test]
async fn a_modern_client_that_takes_json_only_can_not_listen() {
    let (_listener, http) = serve(&fixture().server, HttpOptions::new()).await;
    let message = request(1, "subscriptions/listen", json!({"notifications": {"toolsListChanged": true}}));
    let response = post_modern(&http, &message).set("Accept", "application/json").send().await;
    assert_eq!(response.status, 406);
}

#[tokio::test]
async fn a_stream_that_is_not_read_delays_no_other_and_keeps_no_more_than_its_bound() {
    each(legs::http().filter(|leg| leg.transport != Transport::Sse), async |leg| {
        let fixture = fixture();
        let client = leg.connect(&fixture.server).await;
        let params = json!({"name": "progress", "arguments": {"n": 100_000}, "_meta": {"progressToken": "p"}});
        let mut unread = client.post(&client.message(Some(json!(900)), "tools/call", params)).send().await;
        assert!(unread.is_stream());
        assert_eq!(client.call("echo", json!({"text": "now"})).await.text(), "now");
        let kept = unread.text().await;
        assert!(kept.len() < (3 << 20), "{} bytes were kept", kept.len());
        assert!(kept.contains(r#""text":"done""#), "the answer was lost");
    })
    .await;
}

#[tokio::test]
async fn changes_merge_where_nobody_reads_them() {
    let fixture = fixture();
    let (_listener, http) = serve(&fixture.server, HttpOptions::new()).await;
    let session = Session::open(&http, LEGACY).await;
    let watch = request(1, "resources/subscribe", json!({"uri": "test://plain"}));
    assert_eq!(session.post(&watch).send().await.status, 200);
    let mut streams = vec![session.stream().await, listen(&http, 1, &["test://plain"]).await];
    for _ in 0..100_000 {
        fixture.server.notify_tools_changed();
        fixture.server.notify_prompts_changed();
        fixture.server.notify_resource_updated("test://plain");
    }
    assert_eq!(session.echo(2, "alive").await, "alive");
    fixture.server.shutdown(Duration::from_secs(5));
    for stream in &mut streams {
        let all = messages(stream).await;
        for method in ["tools/list_changed", "prompts/list_changed", "resources/updated"] {
            let method = format!("notifications/{method}");
            let count = all.iter().filter(|message| message["method"] == method).count();
            assert!((1..5000).contains(&count), "{count} of {method}");
        }
    }
}

#[tokio::test]
async fn answers_that_an_sse_client_does_not_read_are_bounded() {
    let (_listener, http) = serve(&fixture().server, HttpOptions::new()).await;
    let mut sse = SseClient::connect(&http).await;
    let big = "x".repeat(256 * 1024);
    let mut accepted = 0;
    // More than the sockets' own buffers hold.
    let refused = loop {
        match sse.post(&call(accepted + 10, "echo", json!({"text": big}))).await {
            202 => accepted += 1,
            other => break other,
        }
        assert!(accepted < 200, "50 MiB of answers wait for a client that does not read");
    };
    assert!(matches!(refused, 429 | 503), "{refused}");
    // What asks for nothing is taken all the same: a client must be able to cancel.
    sse.send(&notification("notifications/cancelled", json!({"requestId": 10}))).await;
    for _ in 0..accepted {
        assert_eq!(text_of(&sse.next().await).len(), big.len());
    }
    sse.send(&call(9, "echo", json!({"text": "again"}))).await;
    assert_eq!(text_of(&sse.next().await), "again");
}
