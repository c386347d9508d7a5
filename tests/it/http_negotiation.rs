//! What a request over HTTP must look like, and what kind of answer it gets (B30, B67, B68, B70, B81).

use mcp::{HttpOptions, ProtocolVersion, Server};

use crate::harness::*;
use crate::http_common::*;

/// A POST of `echo` in each way in which one can be sent.
async fn echoes() -> Vec<(String, HttpRequest)> {
    let mut posts = Vec::new();
    let echo = call(7, "echo", json!({"text": "hi"}));
    for stateless in [false, true] {
        let (_listener, http) = serve(&fixture().server, HttpOptions::new().stateless(stateless)).await;
        posts.push((format!("{MODERN}, stateless: {stateless}"), post_modern(&http, &echo)));
        for version in SESSIONS {
            let post = match stateless {
                true => http.post(&echo).header("MCP-Protocol-Version", version),
                false => Session::open(&http, version).await.post(&echo),
            };
            posts.push((format!("{version}, stateless: {stateless}"), post));
        }
    }
    posts
}

#[tokio::test]
async fn any_accept_that_allows_one_of_the_two_kinds_is_served_with_that_kind() {
    const JSON: Option<&str> = Some("application/json");
    const EVENTS: Option<&str> = Some("text/event-stream");
    let table: [(&[&str], Option<&str>); 17] = [
        (&[], JSON),
        (&["*/*"], JSON),
        (&["application/*"], JSON),
        (&["text/*"], EVENTS),
        (&["text/event-stream, application/json"], JSON),
        (&["application/json;q=0.9,text/event-stream;q=0.1"], JSON),
        (&["application/json"], JSON),
        (&["text/event-stream"], EVENTS),
        (&["Application/Json"], JSON),
        (&["TEXT/Event-Stream"], EVENTS),
        (&["application/json", "text/event-stream"], JSON),
        (&["text/html, application/json;charset=utf-8"], JSON),
        (&["application/json;q=0, text/event-stream"], EVENTS),
        // The more specific range decides, wherever it stands (RFC 9110, 12.5.1).
        (&["application/json;q=0, */*"], EVENTS),
        (&["application/json, text/event-stream, */*;q=0"], JSON),
        (&["text/html"], None),
        (&["application/json;q=0"], None),
    ];
    for (who, post) in echoes().await {
        for (accept, kind) in table {
            let mut post = post.clone().without("Accept");
            for value in accept {
                post = post.header("Accept", value);
            }
            let mut response = post.send().await;
            let what = format!("{who}: Accept: {accept:?}");
            let Some(kind) = kind else {
                assert_eq!(refusal(&mut response).await, (406, -32600), "{what}");
                continue;
            };
            assert_eq!((response.status, response.header("content-type")), (200, Some(kind)), "{what}");
            let answer = match response.is_stream() {
                true => messages(&mut response).await.pop().unwrap(),
                false => response.json().await,
            };
            assert_eq!((text_of(&answer), &answer["id"]), ("hi", &json!(7)), "{what}");
        }
    }
}

#[tokio::test]
async fn a_body_is_taken_when_it_is_declared_to_be_json_in_utf_8_and_never_otherwise() {
    let table: [(&[&str], bool); 12] = [
        (&["application/json"], true),
        (&["application/json; charset=utf-8"], true),
        (&["Application/JSON"], true),
        (&["application/json;charset=\"UTF-8\""], true),
        (&["application/json ; Charset=UTF-8"], true),
        (&["application/json; charset=latin1"], false),
        (&["text/plain; a=application/json"], false),
        (&["application/json-patch+json"], false),
        (&["text/json"], false),
        (&["application/x-www-form-urlencoded"], false),
        (&["application/json", "text/plain"], false),
        (&[], false),
    ];
    for (who, post) in echoes().await {
        for (types, taken) in table {
            let mut post = post.clone().without("Content-Type");
            for value in types {
                post = post.header("Content-Type", value);
            }
            let mut response = post.send().await;
            let what = format!("{who}: Content-Type: {types:?}");
            match taken {
                true => assert_eq!(text_of(&response.json().await), "hi", "{what}"),
                false => assert_eq!(refusal(&mut response).await, (415, -32600), "{what}"),
            }
        }
    }
}

#[tokio::test]
async fn a_get_needs_a_client_that_takes_events() {
    let (_listener, http) = serve(&fixture().server, HttpOptions::new()).await;
    let session = Session::open(&http, LEGACY).await;
    for get in [session.get(), http.get()] {
        for accept in ["application/json", "text/html", "text/event-stream;q=0"] {
            assert_eq!(refusal(&mut get.clone().set("Accept", accept).send().await).await, (406, -32600), "{accept}");
        }
        for accept in ["text/event-stream", "*/*", "text/*, application/json"] {
            let response = get.clone().set("Accept", accept).send().await;
            assert!(response.status == 200 && response.is_stream(), "{accept}: {}", response.status);
        }
        let silent = get.without("Accept").send().await;
        assert!(silent.status == 200 && silent.is_stream(), "{}", silent.status);
    }
}

#[tokio::test]
async fn a_notification_or_a_response_is_answered_with_202_and_nothing_else() {
    let fixture = fixture();
    let (_sessions, http) = serve(&fixture.server, HttpOptions::new()).await;
    let (_stateless, alone) = serve(&fixture.server, HttpOptions::new().stateless(true)).await;
    let session = Session::open(&http, LEGACY).await;
    let sse = SseClient::connect(&http).await;
    let initialized = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
    let cancelled = notification("notifications/cancelled", json!({"requestId": 77}));
    let unknown = notification("notifications/does_not_exist", json!([1]));
    let no_id = json!({"jsonrpc": "2.0", "method": "tools/list"});
    let response = json!({"jsonrpc": "2.0", "id": 77, "result": {}});
    let mut posts = vec![post_modern(&http, &cancelled), post_modern(&http, &unknown), post_modern(&alone, &no_id)];
    for message in [&initialized, &cancelled, &unknown, &no_id, &response] {
        posts.extend([session.post(message), alone.post(message), sse.http.post(message)]);
    }
    for post in posts {
        let mut reply = post.send().await;
        assert_eq!(reply.status, 202, "{post:?}");
        assert_eq!(reply.header("content-length"), Some("0"), "{post:?}");
        assert_eq!(reply.header("content-type"), None, "{post:?}");
        assert_eq!(reply.text().await, "", "{post:?}");
    }
    let refused = http.post(&response).header("MCP-Protocol-Version", MODERN);
    assert_eq!(refusal(&mut refused.send().await).await, (400, -32600));
}

#[tokio::test]
async fn a_stale_session_and_a_last_event_id_mean_nothing_where_there_are_no_sessions() {
    let fixture = fixture();
    let (_sessions, http) = serve(&fixture.server, HttpOptions::new()).await;
    let (_stateless, alone) = serve(&fixture.server, HttpOptions::new().stateless(true)).await;
    let echo = call(7, "echo", json!({"text": "hi"}));
    let discover = request(1, "server/discover", json!({}));
    let posts =
        [post_modern(&http, &echo), post_modern(&http, &discover), post_modern(&alone, &echo), alone.post(&echo)];
    for post in posts {
        let mut response = post.header("Mcp-Session-Id", "abc").header("Last-Event-ID", "1").send().await;
        assert_eq!(response.status, 200);
        assert_eq!(response.header("mcp-session-id"), None);
        assert!(response.json().await.get("result").is_some());
    }
}

#[tokio::test]
async fn what_the_endpoint_does_not_serve_is_405_with_allow_or_404() {
    let fixture = fixture();
    let modern_only = Fixture::with(|builder| builder.protocol_version(ProtocolVersion::V2026_07_28));
    let everything = ("GET, POST, DELETE", vec!["PUT", "PATCH", "HEAD", "OPTIONS", "TRACE", "BREW"]);
    let no_streams = ("POST, DELETE", vec!["PUT", "GET"]);
    let post_only = ("POST", vec!["PUT", "HEAD", "OPTIONS", "GET", "DELETE"]);
    type Refused = (&'static str, Vec<&'static str>);
    let table: [(&Server, HttpOptions, Refused); 4] = [
        (&fixture.server, HttpOptions::new(), everything),
        (&fixture.server, HttpOptions::new().enable_legacy_sse(false), no_streams),
        (&fixture.server, HttpOptions::new().stateless(true), post_only.clone()),
        (&modern_only.server, HttpOptions::new(), post_only),
    ];
    for (server, options, (allowed, refused)) in table {
        let (_listener, http) = serve(server, options).await;
        for method in refused {
            let mut response = of(&http, method, "/mcp").send().await;
            assert_eq!((response.status, response.header("allow")), (405, Some(allowed)), "{method}");
            if method != "HEAD" {
                assert_eq!(refusal(&mut response).await.1, -32600, "{method}");
            }
        }
        for (method, path) in [("GET", "/favicon.ico"), ("POST", "/"), ("GET", "/mcp/"), ("OPTIONS", "/MCP")] {
            let mut response = of(&http, method, path).send().await;
            assert_eq!(refusal(&mut response).await, (404, -32600), "{method} {path}");
        }
        let with_query = post_modern(&http, &request(1, "server/discover", json!({}))).path("/mcp?key=1");
        assert_eq!(with_query.send().await.status, 200);
    }
}

#[tokio::test]
async fn a_get_or_a_delete_that_names_no_session_opens_nothing() {
    let (_listener, http) = serve(&fixture().server, HttpOptions::new()).await;
    for version in [LEGACY, "1999-01-01"] {
        let get = http.get().header("MCP-Protocol-Version", version);
        assert_eq!(refusal(&mut get.send().await).await, (400, -32600), "{version}");
        let delete = http.request("DELETE").header("MCP-Protocol-Version", version);
        assert_eq!(refusal(&mut delete.send().await).await, (400, -32600), "{version}");
    }
    for method in ["GET", "DELETE"] {
        let modern = of(&http, method, "/mcp").header("MCP-Protocol-Version", MODERN).send().await;
        assert!(matches!(modern.status, 400 | 405), "{method}: {}", modern.status);
    }
}

fn of(http: &Http, method: &str, path: &str) -> HttpRequest {
    http.request(method).header("Accept", "text/event-stream").path(path)
}
