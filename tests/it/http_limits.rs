//! Requests that are too long or too slow (B85).

use std::time::Duration;

use mcp::{HttpLimits, HttpOptions};

use crate::harness::*;
use crate::http_common::*;

fn limited(change: impl FnOnce(&mut HttpLimits)) -> HttpOptions {
    let mut limits = HttpLimits::default();
    change(&mut limits);
    HttpOptions::new().limits(limits)
}

/// A POST in each way in which one is served, without a body.
async fn posts(http: &Http) -> Vec<(&'static str, HttpRequest)> {
    let modern = post_modern(http, &call(1, "echo", json!({})));
    let session = Session::open(http, LEGACY).await.post(&json!({}));
    let stream = SseClient::connect(http).await;
    let sse = stream.http.request("POST").header("Content-Type", "application/json");
    // The stream must outlive the requests: it is the session.
    tokio::spawn(async move {
        let mut stream = stream;
        while stream.stream.event().await.is_some() {}
    });
    let posts = [("modern", modern), ("session", session), ("sse", sse)];
    posts.map(|(who, post)| (who, post.body(Vec::new()))).into()
}

#[tokio::test]
async fn a_body_that_is_announced_too_long_is_413_before_it_is_sent() {
    let (_listener, http) = serve(&fixture().server, HttpOptions::new()).await;
    for (who, post) in posts(&http).await {
        for length in ["104857600", "4194305", "9007199254740993"] {
            let mut response = post.clone().header("Content-Length", length).send().await;
            assert_eq!(refusal(&mut response).await, (413, -32600), "{who}: {length}");
            within("the end of the connection", response.into_connection().closed()).await;
        }
    }
}

#[tokio::test]
async fn a_body_may_be_as_long_as_the_limit_and_not_longer() {
    let (_listener, http) = serve(&fixture().server, limited(|limits| limits.max_body_bytes = 5000)).await;
    let session = Session::open(&http, LEGACY).await;
    let empty = call(1, "echo", json!({"text": ""})).to_string().len();
    for (length, status) in [(4999, 200), (5000, 200), (5001, 413), (20_000, 413)] {
        let message = call(1, "echo", json!({"text": "x".repeat(length - empty)}));
        assert_eq!(message.to_string().len(), length);
        assert_eq!(session.post(&message).send().await.status, status, "{length}");
        let chunked = format!("{length:x}\r\n{message}\r\n0\r\n\r\n");
        let post = session.post(&message).header("Transfer-Encoding", "chunked").body(chunked);
        assert_eq!(post.send().await.status, status, "{length}, chunked");
    }
    assert_eq!(session.echo(2, "alive").await, "alive");
}

#[tokio::test]
async fn a_body_without_end_is_413_as_soon_as_it_is_too_long() {
    let (_listener, http) = serve(&fixture().server, HttpOptions::new()).await;
    for (who, post) in posts(&http).await {
        let mut connection = http.connect().await;
        connection.write(&post.header("Transfer-Encoding", "chunked").to_bytes()).await;
        let chunk = format!("100000\r\n{}\r\n", "x".repeat(1 << 20));
        // It is given five times: the limit is four.
        for _ in 0..5 {
            connection.write(chunk.as_bytes()).await;
        }
        let mut response = connection.response().await;
        assert_eq!(refusal(&mut response).await, (413, -32600), "{who}");
    }
}

#[tokio::test]
async fn what_follows_a_body_is_not_part_of_it() {
    let (_listener, http) = serve(&fixture().server, HttpOptions::new()).await;
    for (who, post) in posts(&http).await {
        let mut connection = http.connect().await;
        connection.write(&post.header("Content-Length", "10").to_bytes()).await;
        for _ in 0..64 {
            connection.write(&[b'x'; 16 * 1024]).await;
        }
        let mut response = connection.response().await;
        assert_eq!(refusal(&mut response).await, (400, -32700), "{who}");
        let next = response.into_connection().try_response().await;
        assert!(next.is_none_or(|next| (400..500).contains(&next.status)), "{who}");
    }
}

#[tokio::test]
async fn a_body_that_breaks_off_or_takes_too_long_is_given_up() {
    let limits = |limits: &mut HttpLimits| limits.body_timeout = Duration::from_millis(150);
    let (_listener, http) = serve(&fixture().server, limited(limits)).await;
    for (who, post) in posts(&http).await {
        let mut connection = http.connect().await;
        connection.write(&post.header("Content-Length", "1000").to_bytes()).await;
        connection.write(b"{").await;
        let mut response = connection.response().await;
        assert_eq!(refusal(&mut response).await, (408, -32600), "{who}");
        within("the end of the connection", response.into_connection().closed()).await;
    }
    assert_eq!(post_modern(&http, &call(1, "echo", json!({"text": "hi"}))).send().await.status, 200);
}

#[tokio::test]
async fn headers_that_take_too_long_or_never_come_end_the_connection() {
    let limits = |limits: &mut HttpLimits| limits.header_timeout = Duration::from_millis(150);
    let (_listener, http) = serve(&fixture().server, limited(limits)).await;
    let mut used = post_modern(&http, &call(1, "echo", json!({"text": "hi"}))).send().await;
    used.json().await;
    let mut half = http.connect().await;
    half.write(b"POST /mcp HTTP/1.1\r\nHost: loc").await;
    for (what, connection) in [("half", half), ("silent", http.connect().await), ("idle", used.into_connection())] {
        if let Some(response) = connection.try_response().await {
            assert_eq!(response.status, 408, "{what}");
        }
    }
}

#[tokio::test]
async fn a_stream_and_a_long_request_outlive_the_time_for_headers_and_bodies() {
    let fixture = fixture();
    let options = limited(|limits| {
        limits.header_timeout = Duration::from_millis(100);
        limits.body_timeout = Duration::from_millis(100);
    });
    let (_listener, http) = serve(&fixture.server, options.keep_alive(Duration::from_millis(40))).await;
    let session = Session::open(&http, LEGACY).await;
    let mut streams = [
        session.stream().await,
        listen(&http, 1, &[]).await,
        session.post(&call(1, "gate", json!({"name": "g"}))).send().await,
        post_modern(&http, &call(1, "gate", json!({"name": "g"}))).send().await,
    ];
    for stream in &mut streams {
        // Ten comments are four times as long.
        for _ in 0..10 {
            assert!(stream.event().await.is_some(), "the stream ended");
        }
    }
    fixture.gates.open("g");
    for stream in &mut streams[2..] {
        assert_eq!(text_of(&stream.message().await.unwrap().json()), "passed");
    }
}

#[tokio::test]
async fn headers_that_are_too_long_are_431() {
    let (_listener, http) = serve(&fixture().server, limited(|limits| limits.max_header_bytes = 8192)).await;
    let echo = post_modern(&http, &call(1, "echo", json!({"text": "hi"})));
    assert_eq!(echo.clone().header("X", "x".repeat(6000)).send().await.status, 200);
    for request in
        [echo.clone().header("X", "x".repeat(100_000)), echo.clone().path(format!("/mcp?{}", "x".repeat(100_000)))]
    {
        let mut connection = http.connect().await;
        connection.write(&request.to_bytes()).await;
        let refused = connection.try_response().await;
        assert!(refused.is_none_or(|response| matches!(response.status, 414 | 431)));
    }
    let many = (0..1000).fold(echo, |request, i| request.header("X", i.to_string()));
    assert!(matches!(many.send().await.status, 400 | 431));
}

#[tokio::test]
async fn beyond_the_limit_connections_wait_until_one_is_free() {
    let (_listener, http) = serve(&fixture().server, limited(|limits| limits.max_connections = 2)).await;
    let echo = post_modern(&http, &call(1, "echo", json!({"text": "hi"})));
    let first = listen(&http, 1, &[]).await;
    let second = listen(&http, 2, &[]).await;
    let waiting = tokio::spawn(async move { echo.send().await.status });
    drop(first);
    assert_eq!(within("a place", waiting).await.unwrap(), 200);
    drop(second);
}

#[tokio::test]
async fn beyond_the_limit_requests_and_subscriptions_are_503_until_one_has_ended() {
    let limits = mcp::Limits { max_in_flight: 2, max_subscriptions: 2, ..mcp::Limits::default() };
    let fixture = streaming(|builder| builder.limits(limits));
    let (_listener, http) = serve(&fixture.server, HttpOptions::new()).await;
    let session = Session::open(&http, LEGACY).await;
    let running = [
        session.post(&call(1, "stream", json!({"name": "g"}))).send().await,
        session.post(&call(2, "stream", json!({"name": "g"}))).send().await,
    ];
    let listening = [listen(&http, 1, &[]).await, listen(&http, 2, &[]).await];
    let filter = json!({"notifications": {"toolsListChanged": true}});
    let (echo, more) = (call(3, "echo", json!({"text": "hi"})), request(3, "subscriptions/listen", filter));
    for post in [session.post(&echo), post_modern(&http, &more)] {
        assert_eq!(refusal(&mut post.send().await).await, (503, -32603));
    }
    // Others have their own.
    assert_eq!(Session::open(&http, LEGACY).await.echo(1, "hi").await, "hi");
    fixture.gates.open("g");
    for mut stream in running {
        assert_eq!(messages(&mut stream).await.len(), 3);
    }
    drop(listening);
    assert_eq!(session.echo(3, "room").await, "room");
    eventually("a subscription", async || post_modern(&http, &more).send().await.status == 200).await;
}
