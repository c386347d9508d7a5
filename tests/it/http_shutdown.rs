//! The end of a listener, and its beginning (B87, B95, B134).

use std::time::Duration;

use mcp::{HttpOptions, Server};
use tokio::time::Instant;

use crate::harness::*;
use crate::http_common::*;

const LONG: Duration = Duration::from_secs(600);

#[tokio::test]
async fn a_listener_ends_within_its_grace_with_streams_open_and_its_port_is_free() {
    let fixture = streaming(|builder| builder);
    let (listener, http) = serve(&fixture.server, HttpOptions::new()).await;
    let session = Session::open(&http, LEGACY).await;
    let (mut gets, mut listens, mut running) = (Vec::new(), Vec::new(), Vec::new());
    for i in 0..5 {
        gets.push(Session::open(&http, LEGACY).await.stream().await);
        gets.push(SseClient::connect(&http).await.stream);
        listens.push(listen(&http, i, &[]).await);
    }
    running.push(session.post(&call(1, "stream", json!({"name": "session"}))).send().await);
    running.push(post_modern(&http, &call(1, "stream", json!({"name": "modern"}))).send().await);
    let begun = Instant::now();
    let cut_off = within("the end", listener.shutdown(Duration::from_millis(500))).await;
    assert!(begun.elapsed() < Duration::from_secs(5), "{:?}", begun.elapsed());
    assert_eq!(cut_off, 2);
    for (i, stream) in listens.iter_mut().enumerate() {
        let all = messages(stream).await;
        assert_eq!(all.len(), 1, "{all:?}");
        assert_eq!((&all[0]["id"], &all[0]["result"]["resultType"]), (&json!(i), &json!("complete")));
    }
    for stream in &mut gets {
        assert_eq!(messages(stream).await, Vec::<Value>::new());
    }
    // Nobody is left who could take the answers: the handlers are not left running.
    for name in ["session", "modern"] {
        fixture.gates.cancelled(name).await;
    }
    drop(running);
    let options = HttpOptions::new().host("127.0.0.1").port(http.address.port());
    let again = fixture.server.serve_http(options).await.unwrap();
    assert_eq!(again.local_addr(), http.address);
    assert_eq!(Session::open(&http, LEGACY).await.echo(1, "again").await, "again");
    assert_eq!(session.post(&ping(2)).send().await.status, 404);
}

#[tokio::test]
async fn a_request_that_ends_within_the_grace_is_answered() {
    let fixture = streaming(|builder| builder);
    let (listener, http) = serve(&fixture.server, HttpOptions::new()).await;
    let session = Session::open(&http, LEGACY).await;
    let mut stream = session.post(&call(1, "stream", json!({"name": "g"}))).send().await;
    let document = post_modern(&http, &call(1, "gate", json!({"name": "g"})));
    let document = tokio::spawn(async move { document.send().await.json().await });
    fixture.gates.started_times("g", 2).await;
    let mut watcher = listen(&http, 9, &[]).await;
    let ending = tokio::spawn(listener.shutdown(LONG));
    // The end has begun: nothing new is accepted.
    assert_eq!(messages(&mut watcher).await.len(), 1);
    eventually("the port to be closed", async || tokio::net::TcpStream::connect(http.address).await.is_err()).await;
    fixture.gates.open("g");
    assert_eq!(text_of(messages(&mut stream).await.last().unwrap()), "streamed g");
    assert_eq!(text_of(&within("the document", document).await.unwrap()), "passed");
    assert_eq!(within("the end", ending).await.unwrap(), 0);
}

#[tokio::test]
async fn connections_that_are_idle_or_have_said_nothing_do_not_hold_up_the_end() {
    let (listener, http) = serve(&fixture().server, HttpOptions::new()).await;
    let silent = http.connect().await;
    let mut response = post_modern(&http, &call(1, "echo", json!({"text": "hi"}))).send().await;
    response.json().await;
    let idle = response.into_connection();
    assert_eq!(within("the end", listener.shutdown(LONG)).await, 0);
    within("the end of the connections", async { tokio::join!(silent.closed(), idle.closed()) }).await;
}

#[tokio::test]
async fn a_connection_in_the_middle_of_a_request_is_cut_off_after_the_grace() {
    let (listener, http) = serve(&fixture().server, HttpOptions::new()).await;
    let mut half = http.connect().await;
    half.write(
        b"POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{",
    )
    .await;
    // Served after the half one was accepted.
    post_modern(&http, &call(1, "echo", json!({"text": "hi"}))).send().await;
    assert!(within("the end", listener.shutdown(Duration::from_millis(200))).await <= 1);
    within("the end of the connection", half.closed()).await;
}

#[tokio::test]
async fn shutting_the_server_down_ends_all_its_listeners() {
    let fixture = fixture();
    let (one, _) = serve(&fixture.server, HttpOptions::new()).await;
    let (two, http) = serve(&fixture.server, HttpOptions::new().stateless(true)).await;
    let mut watcher = listen(&http, 1, &[]).await;
    fixture.server.shutdown(LONG);
    assert_eq!(messages(&mut watcher).await.len(), 1);
    assert_eq!(within("the end", async { tokio::join!(one.wait(), two.wait()) }).await, (0, 0));
}

#[tokio::test]
async fn a_handler_can_end_the_server_that_serves_it() {
    let stop = async |_: mcp::RawJson, ctx: mcp::Context| {
        ctx.server().shutdown(LONG);
        "stopped"
    };
    let fixture = streaming(|builder| builder.raw_tool("stop", mcp::ToolOptions::new(), stop));
    let (listener, http) = serve(&fixture.server, HttpOptions::new()).await;
    let (mut watcher, session) = (listen(&http, 1, &[]).await, Session::open(&http, LEGACY).await);
    let mut general = session.stream().await;
    let mut answer = session.post(&call(1, "stop", json!({}))).send().await;
    assert_eq!(text_of(&answer.json().await), "stopped");
    assert_eq!(messages(&mut watcher).await[0]["result"]["resultType"], "complete");
    assert_eq!(messages(&mut general).await, Vec::<Value>::new());
    assert_eq!(within("the end", listener.wait()).await, 0);
}

#[tokio::test]
async fn one_listener_ends_without_the_other() {
    let fixture = fixture();
    let (one, http) = serve(&fixture.server, HttpOptions::new()).await;
    let (_two, other) = serve(&fixture.server, HttpOptions::new()).await;
    let session = Session::open(&other, LEGACY).await;
    let mut stream = session.stream().await;
    let mut ended = listen(&http, 1, &[]).await;
    within("the end", one.shutdown(LONG)).await;
    assert_eq!(messages(&mut ended).await.len(), 1);
    assert_eq!(session.echo(1, "unharmed").await, "unharmed");
    fixture.server.notify_tools_changed();
    assert_eq!(stream.message().await.unwrap().json()["method"], "notifications/tools/list_changed");
}

#[tokio::test]
async fn a_port_that_is_taken_is_a_clear_error_and_harms_nothing() {
    let fixture = fixture();
    let (_listener, http) = serve(&fixture.server, HttpOptions::new()).await;
    let client = leg(mcp::ProtocolVersion::V2025_11_25, Transport::Memory).connect(&fixture.server).await;
    let options = HttpOptions::new().host("127.0.0.1").port(http.address.port());
    let error = failure(&fixture.server, options).await;
    assert!(error.contains(&http.address.to_string()), "{error}");
    assert_eq!(client.call("echo", json!({"text": "lines"})).await.text(), "lines");
    assert_eq!(Session::open(&http, LEGACY).await.echo(1, "http").await, "http");
}

#[tokio::test]
async fn an_address_that_is_none_is_a_clear_error() {
    let server = fixture().server;
    for host in ["999.999.1.1", "not a host", "", "::g", "192.0.2.1"] {
        let error = failure(&server, HttpOptions::new().host(host).port(0)).await;
        assert!(error.contains(host) && error.contains("listen"), "{host}: {error}");
    }
}

async fn failure(server: &Server, options: HttpOptions) -> String {
    match within("an error", server.serve_http(options)).await {
        Ok(listener) => panic!("it listens on {}", listener.local_addr()),
        Err(error) => error.to_string(),
    }
}

#[tokio::test]
async fn names_and_both_kinds_of_addresses_are_listened_on() {
    let server = fixture().server;
    let mut hosts = vec!["127.0.0.1", "localhost", "0.0.0.0", "127.0.0.2"];
    if tokio::net::TcpListener::bind("[::1]:0").await.is_ok() {
        hosts.extend(["::1", "[::1]", "::"]);
    }
    for host in hosts {
        let listener = server.serve_http(HttpOptions::new().host(host).port(0)).await.unwrap();
        let mut address = listener.local_addr();
        assert_ne!(address.port(), 0, "{host}");
        if address.ip().is_unspecified() {
            address.set_ip(if address.is_ipv4() {
                [127, 0, 0, 1].into()
            } else {
                std::net::Ipv6Addr::LOCALHOST.into()
            });
        }
        let http = Http::new(address);
        let echo = post_modern(&http, &call(1, "echo", json!({"text": host})));
        assert_eq!(text_of(&echo.send().await.json().await), host);
        within("the end", listener.shutdown(LONG)).await;
    }
}

#[tokio::test]
async fn a_port_can_be_taken_again_and_again() {
    let server = fixture().server;
    let (listener, http) = serve(&server, HttpOptions::new()).await;
    let mut listener = Some(listener);
    for i in 0..20 {
        assert_eq!(Session::open(&http, LEGACY).await.echo(i, "hi").await, "hi");
        within("the end", listener.take().unwrap().shutdown(LONG)).await;
        let options = HttpOptions::new().host("127.0.0.1").port(http.address.port());
        listener = Some(server.serve_http(options).await.unwrap());
    }
}
