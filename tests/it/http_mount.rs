//! The endpoint inside of another service: under a prefix, behind somebody who knows who is calling (B84, B91).

use axum::Router;
use axum::extract::Request;
use axum::middleware::{Next, from_fn};
use mcp::{HttpOptions, Principal, Server};

use crate::harness::*;
use crate::http_common::*;

/// Serves a router on a free port; the path of the endpoint is up to the router.
async fn host(router: Router, path: &str) -> Http {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
    Http { address, path: path.to_owned() }
}

fn routers(server: &Server) -> Vec<(Router, &'static str)> {
    let service = || server.http_service(HttpOptions::new());
    vec![
        (Router::new().route_service("/mcp", service()), "/mcp"),
        (Router::new().route_service("/", service()), "/"),
        (Router::new().route_service("/a/b/c", service()), "/a/b/c"),
        (Router::new().nest("/api/v1", Router::new().route_service("/mcp", service())), "/api/v1/mcp"),
        (Router::new().nest_service("/api/v2", service()), "/api/v2"),
        (Router::new().fallback_service(service()), "/anything/at/all"),
    ]
}

#[tokio::test]
async fn under_any_prefix_clients_of_every_era_are_served() {
    let fixture = fixture();
    for (router, path) in routers(&fixture.server) {
        let http = host(router, path).await;
        let echo = call(1, "echo", json!({"text": path}));
        assert_eq!(text_of(&post_modern(&http, &echo).send().await.json().await), path);
        let session = Session::open(&http, LEGACY).await;
        assert_eq!(session.echo(2, path).await, path);
        let mut stream = session.stream().await;
        // The address that an old client is told leads back through the prefix.
        let mut sse = SseClient::connect(&http).await;
        assert!(sse.http.path.starts_with(path), "{}", sse.http.path);
        sse.send(&echo).await;
        assert_eq!(text_of(&sse.next().await), path);
        fixture.server.notify_tools_changed();
        assert_eq!(stream.message().await.unwrap().json()["method"], "notifications/tools/list_changed");
        assert_eq!(sse.next().await["method"], "notifications/tools/list_changed");
        assert_eq!(post_modern(&http, &echo).set("Host", "evil.com").send().await.status, 403);
    }
}

#[tokio::test]
async fn the_address_of_an_sse_session_can_not_be_guessed() {
    let (_listener, http) = serve(&fixture().server, HttpOptions::new()).await;
    let mut seen = std::collections::HashSet::new();
    for _ in 0..20 {
        let path = SseClient::open(&http).await.http.path;
        let id = path.split_once("sessionId=").unwrap().1.to_owned();
        assert!(id.len() >= 22 && !id.contains('&'), "{path}");
        assert!(seen.insert(id));
    }
}

#[tokio::test]
async fn the_streams_of_a_mounted_service_end_with_the_server() {
    let fixture = fixture();
    let http = host(routers(&fixture.server).remove(0).0, "/mcp").await;
    let session = Session::open(&http, LEGACY).await;
    let mut streams = [session.stream().await, listen(&http, 1, &[]).await, SseClient::connect(&http).await.stream];
    fixture.server.shutdown(std::time::Duration::from_secs(5));
    for (i, stream) in streams.iter_mut().enumerate() {
        let all = messages(stream).await;
        assert_eq!(
            all.iter().filter(|message| message.get("result").is_some()).count(),
            usize::from(i == 1),
            "{all:?}"
        );
    }
}

/// Takes the header `X-User` for who is calling.
async fn authenticate(mut request: Request, next: Next) -> axum::response::Response {
    let user = request.headers().get("x-user").and_then(|user| user.to_str().ok().map(str::to_owned));
    if let Some(user) = user {
        request.extensions_mut().insert(Principal::new(user));
    }
    next.run(request).await
}

#[tokio::test]
async fn a_session_of_one_principal_is_not_there_for_another() {
    let fixture = streaming(|builder| builder);
    let router = Router::new().route_service("/mcp", fixture.server.http_service(HttpOptions::new()));
    let http = host(router.layer(from_fn(authenticate)), "/mcp").await;
    let mut opened = http.post(initialize(LEGACY)).header("X-User", "p1").send().await;
    let id = opened.header("mcp-session-id").unwrap().to_owned();
    opened.json().await;
    let session = Session { http: http.clone(), id, version: LEGACY };
    let mut stream = session.post(&call(1, "stream", json!({"name": "g", "n": 2}))).header("X-User", "p1").send().await;
    let last = stream.message().await.unwrap().id.unwrap();
    let others = [Some("p2"), Some("P1"), Some(""), None];
    for other in others {
        let requests = [
            session.post(&ping(2)),
            session.post(&notification("notifications/cancelled", json!({"requestId": 1}))),
            session.post(&json!([ping(2)])),
            session.post(&initialize(LEGACY)),
            session.post(&ping(2)).without("Mcp-Session-Id").path(format!("/mcp?sessionId={}", session.id)),
            session.get(),
            session.get().header("Last-Event-ID", &last),
            session.delete(),
        ];
        for mut request in requests {
            if let Some(other) = other {
                request = request.header("X-User", other);
            }
            assert_eq!(refusal(&mut request.send().await).await.0, 404, "{other:?}: {request:?}");
        }
    }
    assert_eq!(session.post(&ping(3)).header("X-User", "p1").send().await.status, 200);
    fixture.gates.open("g");
    assert_eq!(text_of(messages(&mut stream).await.last().unwrap()), "streamed g");
    assert_eq!(session.delete().header("X-User", "p1").send().await.status, 204);
}

#[tokio::test]
async fn an_sse_session_of_one_principal_takes_no_messages_of_another() {
    let router = Router::new().route_service("/mcp", fixture().server.http_service(HttpOptions::new()));
    let http = host(router.layer(from_fn(authenticate)), "/mcp").await;
    let mut stream = http.get().header("X-User", "p1").send().await;
    let path = resolve("/mcp", &stream.event().await.unwrap().data.unwrap());
    let post = http.post(initialize("2024-11-05")).path(path);
    for other in [post.clone(), post.clone().header("X-User", "p2")] {
        assert_eq!(refusal(&mut other.send().await).await.0, 404);
    }
    assert_eq!(post.header("X-User", "p1").send().await.status, 202);
    assert!(stream.message().await.unwrap().json().get("result").is_some());
}
