//! Who may talk to the server: DNS rebinding, CORS (B79, B82).

use mcp::HttpOptions;

use crate::harness::*;
use crate::http_common::*;

/// Every way to reach a server.
fn requests(http: &Http) -> Vec<HttpRequest> {
    let echo = call(1, "echo", json!({"text": "hi"}));
    let preflight = http.request("OPTIONS").header("Access-Control-Request-Method", "POST");
    vec![
        post_modern(http, &echo),
        http.post(initialize(LEGACY)),
        http.get(),
        http.request("DELETE").header("Mcp-Session-Id", "x"),
        preflight,
        http.post(&echo).path("/mcp?sessionId=x"),
        http.request("PUT"),
        http.get().path("/favicon.ico"),
    ]
}

#[tokio::test]
async fn a_local_server_serves_no_page_and_no_name_from_elsewhere() {
    let (_listener, http) = serve(&fixture().server, HttpOptions::new()).await;
    let hosts =
        ["evil.com", "evil.com:80", "localhost.evil.com", "127.0.0.1.evil.com", "localhost@evil.com", "169.254.0.1"];
    let origins = [
        "http://evil.com",
        "https://evil.com:3001",
        "null",
        "http://localhost.evil.com",
        "http://evil.com/localhost",
        "http://127.0.0.1.evil.com:80",
        "file://",
        "localhost",
        "",
    ];
    for request in requests(&http) {
        let hosts = hosts.map(|host| request.clone().set("Host", host));
        let origins = origins.map(|origin| request.clone().header("Origin", origin));
        let good = format!("http://{}", http.address);
        let twice = request.clone().header("Origin", &good).header("Origin", "http://evil.com");
        for refused in hosts.into_iter().chain(origins).chain([twice]) {
            assert_eq!(refusal(&mut refused.send().await).await, (403, -32600), "{refused:?}");
        }
    }
}

#[tokio::test]
async fn a_local_server_serves_loopback_names_and_local_pages() {
    let (_listener, http) = serve(&fixture().server, HttpOptions::new()).await;
    let echo = post_modern(&http, &call(1, "echo", json!({"text": "hi"})));
    let port = http.address.port();
    assert_eq!(echo.send().await.status, 200);
    for host in ["localhost", "LOCALHOST", "127.0.0.1", "[::1]"] {
        for host in [host.to_owned(), format!("{host}:{port}"), format!("{host}:1")] {
            assert_eq!(echo.clone().set("Host", &host).send().await.status, 200, "{host}");
        }
    }
    for origin in ["http://localhost:5173", "https://127.0.0.1:8443", "http://[::1]:3000", "http://LocalHost"] {
        assert_eq!(echo.clone().header("Origin", origin).send().await.status, 200, "{origin}");
    }
    // The authority of an absolute URI stands for the header (RFC 9112, 3.2.2).
    let absolute = format!("http://{}/mcp", http.address);
    assert_eq!(echo.clone().path(&absolute).send().await.status, 200);
    assert_eq!(echo.path("http://evil.com/mcp").send().await.status, 403);
}

#[tokio::test]
async fn a_refused_host_or_origin_is_told_how_to_be_allowed() {
    let (_listener, http) = serve(&fixture().server, HttpOptions::new()).await;
    for (header, option) in [("Host", "allowed hosts"), ("Origin", "allowed origins")] {
        let value = if header == "Host" { "mcp.example" } else { "https://mcp.example" };
        let body = http.post(ping(1)).set(header, value).send().await.json().await;
        let text = body["error"]["message"].as_str().unwrap();
        assert!(text.contains(value) && text.contains(option), "{text}");
    }
}

#[tokio::test]
async fn hosts_and_origins_can_be_allowed() {
    let server = fixture().server;
    let named = HttpOptions::new().allowed_hosts(["mcp.example", "exact.example:8443"]);
    let any = HttpOptions::new().allowed_hosts(["*"]);
    let origins = HttpOptions::new().allowed_hosts(["*"]).allowed_origins(["https://app.example"]);
    type Row = (&'static str, Option<&'static str>, u16);
    let table: [(HttpOptions, &[Row]); 3] = [
        (
            named,
            &[
                ("mcp.example", None, 200),
                ("MCP.Example:99", None, 200),
                ("exact.example:8443", None, 200),
                ("exact.example", None, 403),
                ("localhost", None, 403),
                ("mcp.example", Some("https://mcp.example"), 200),
                ("mcp.example", Some("https://other.example"), 403),
            ],
        ),
        (
            any,
            &[("evil.com", None, 200), ("evil.com", Some("null"), 403), ("a.example", Some("http://b.example"), 403)],
        ),
        (
            origins,
            &[
                ("x", Some("https://app.example"), 200),
                ("x", Some("HTTPS://App.Example"), 200),
                ("x", Some("http://app.example"), 403),
                ("x", Some("https://app.example.evil.com"), 403),
                ("x", Some("http://localhost"), 403),
                ("x", None, 200),
            ],
        ),
    ];
    for (options, rows) in table {
        let (_listener, http) = serve(&server, options).await;
        for (host, origin, status) in rows {
            let mut post = post_modern(&http, &call(1, "echo", json!({"text": "hi"}))).set("Host", host);
            if let Some(origin) = origin {
                post = post.header("Origin", origin);
            }
            assert_eq!(post.send().await.status, *status, "{host} {origin:?}");
        }
    }
}

#[tokio::test]
async fn a_server_on_all_interfaces_serves_any_name_and_pages_of_its_own() {
    let options = HttpOptions::new().host("0.0.0.0").port(0);
    let listener = fixture().server.serve_http(options).await.unwrap();
    let http = Http::new(([127, 0, 0, 1], listener.local_addr().port()).into());
    let echo = post_modern(&http, &call(1, "echo", json!({"text": "hi"}))).set("Host", "mcp.example");
    assert_eq!(echo.send().await.status, 200);
    assert_eq!(echo.clone().header("Origin", "https://mcp.example").send().await.status, 200);
    assert_eq!(echo.clone().header("Origin", "https://other.example").send().await.status, 403);
}

#[tokio::test]
async fn no_page_may_read_anything_unless_its_origin_is_listed() {
    let (_listener, http) = serve(&fixture().server, HttpOptions::new()).await;
    let preflight = http.request("OPTIONS").header("Access-Control-Request-Method", "POST");
    let echo = post_modern(&http, &call(1, "echo", json!({"text": "hi"})));
    for (request, status) in [(preflight, 405), (echo, 200)] {
        let response = request.header("Origin", "http://localhost:5173").send().await;
        assert_eq!(response.status, status);
        let cors = |(name, _): &(String, String)| name.starts_with("access-control-");
        assert!(!response.headers.iter().any(cors), "{:?}", response.headers);
    }
}

#[tokio::test]
async fn a_preflight_of_a_listed_origin_is_granted_all_that_a_client_needs() {
    let options = HttpOptions::new().cors_origins(["https://app.example", "https://b.example/"]);
    let (_listener, http) = serve(&fixture().server, options).await;
    let headers = "mcp-session-id, mcp-protocol-version, mcp-method, mcp-name, mcp-param-city, last-event-id, \
                   authorization, content-type";
    for origin in ["https://app.example", "https://b.example"] {
        for method in ["DELETE", "POST", "GET"] {
            let preflight = http
                .request("OPTIONS")
                .header("Origin", origin)
                .header("Access-Control-Request-Method", method)
                .header("Access-Control-Request-Headers", headers);
            let mut response = preflight.send().await;
            assert_eq!((response.status, response.header("access-control-allow-origin")), (204, Some(origin)));
            assert!(response.header("vary").unwrap().contains("Origin"));
            let methods = response.header("access-control-allow-methods").unwrap();
            assert!(methods.split(',').any(|listed| listed.trim() == method), "{methods}");
            let granted = response.header("access-control-allow-headers").unwrap().to_ascii_lowercase();
            for header in headers.split(',') {
                assert!(granted.split(',').any(|listed| listed.trim() == header.trim()), "{header}: {granted}");
            }
            assert_eq!(response.text().await, "");
        }
    }
    let refused = http.request("OPTIONS").header("Origin", "https://evil.com").send().await;
    assert_eq!((refused.status, refused.header("access-control-allow-origin")), (403, None));
}

#[tokio::test]
async fn every_reply_to_a_listed_origin_can_be_read_by_its_page() {
    let options = HttpOptions::new().cors_origins(["https://app.example"]);
    let (_listener, http) = serve(&fixture().server, options).await;
    let session = Session::open(&http, LEGACY).await;
    let table = [
        (post_modern(&http, &call(1, "echo", json!({"text": "hi"}))), 200),
        (http.post(initialize(LEGACY)), 200),
        (session.get(), 200),
        (session.post(&notification("notifications/initialized", json!({}))), 202),
        (session.post(&ping(1)).body("{"), 400),
        (session.post(&ping(1)).set("Mcp-Session-Id", "nope"), 404),
        (http.get().path("/elsewhere"), 404),
        (http.request("PUT"), 405),
        (http.post(ping(1)).set("Accept", "text/html"), 406),
        (http.post(ping(1)).set("Content-Type", "text/plain"), 415),
    ];
    for (request, status) in table {
        let response = request.clone().header("Origin", "https://app.example").send().await;
        assert_eq!(response.status, status, "{request:?}");
        assert_eq!(response.header("access-control-allow-origin"), Some("https://app.example"), "{request:?}");
        assert!(response.header("vary").unwrap().contains("Origin"), "{request:?}");
        let exposed = response.header("access-control-expose-headers").unwrap();
        assert!(exposed.contains("Mcp-Session-Id") && exposed.contains("WWW-Authenticate"), "{exposed}");
        // The same for who is no page.
        let plain = request.send().await;
        assert_eq!((plain.status, plain.header("access-control-allow-origin")), (status, None), "{request:?}");
        assert!(plain.header("vary").unwrap().contains("Origin"), "{request:?}");
    }
}
