//! The version that a request over HTTP names, in its header and in its body (B35, B36, B37, B38).

use mcp::{HttpOptions, ProtocolVersion};

use crate::harness::*;
use crate::http_common::*;

#[tokio::test]
async fn an_offer_that_is_not_spoken_is_countered_whatever_the_header_says() {
    let (_listener, http) = serve(&fixture().server, HttpOptions::new()).await;
    let offers = ["2099-01-01", "2024-10-07", "banana", "", "2026-07-28"];
    for offer in offers {
        for header in [None, Some("2099-01-01"), Some("banana"), Some("2025-03-26"), Some(LEGACY)] {
            let mut post = http.post(initialize(offer));
            if let Some(header) = header {
                post = post.header("MCP-Protocol-Version", header);
            }
            let mut response = post.send().await;
            assert_eq!(response.status, 200, "{offer} {header:?}");
            assert!(response.header("mcp-session-id").is_some(), "{offer} {header:?}");
            let answer = response.json().await;
            assert_eq!(answer["result"]["protocolVersion"], LEGACY, "{offer} {header:?}");
        }
    }
}

#[tokio::test]
async fn the_body_of_initialize_wins_over_its_header() {
    let (_listener, http) = serve(&fixture().server, HttpOptions::new()).await;
    for (header, body) in [("2025-03-26", LEGACY), (LEGACY, "2025-03-26"), ("2025-06-18", "2024-11-05")] {
        let mut response = http.post(initialize(body)).header("MCP-Protocol-Version", header).send().await;
        let id = response.header("mcp-session-id").unwrap().to_owned();
        assert_eq!(response.json().await["result"]["protocolVersion"], body);
        let session = Session { http: http.clone(), id, version: body };
        // Batches tell the versions apart.
        let status = session.post(&json!([ping(2)])).send().await.status;
        assert_eq!(status, if body == "2025-03-26" { 200 } else { 400 }, "{body}");
    }
}

#[tokio::test]
async fn an_offer_of_the_wrong_type_is_an_error_and_opens_no_session() {
    let limits = mcp::HttpLimits { max_sessions: 1, ..mcp::HttpLimits::default() };
    let (_listener, http) = serve(&fixture().server, HttpOptions::new().limits(limits)).await;
    let client = json!({"name": "t", "version": "0"});
    let wrong = [
        json!({"protocolVersion": 5, "capabilities": {}, "clientInfo": client}),
        json!({"capabilities": {}, "clientInfo": client}),
        json!({"protocolVersion": LEGACY, "capabilities": [], "clientInfo": client}),
        json!([]),
    ];
    for params in wrong {
        let mut response = http.post(request(1, "initialize", params.clone())).send().await;
        assert_eq!(response.header("mcp-session-id"), None);
        let body = response.json().await;
        assert_eq!((&body["error"]["code"], &body["id"]), (&json!(-32602), &json!(1)), "{params}");
    }
    Session::open(&http, LEGACY).await;
}

#[tokio::test]
async fn the_version_header_of_a_session_must_name_a_version_that_is_spoken() {
    let (_listener, http) = serve(&fixture().server, HttpOptions::new()).await;
    let table: [(&[&str], u16); 8] = [
        (&[], 200),
        (&["2025-11-25"], 200),
        (&["2025-06-18"], 200),
        (&["2025-03-26"], 200),
        (&["1999-01-01"], 400),
        (&["banana"], 400),
        (&[""], 400),
        (&["2025-11-25", "2025-06-18"], 400),
    ];
    for version in SESSIONS {
        let session = Session::open(&http, version).await;
        for (headers, status) in table {
            let messages = [
                (session.post(&request(2, "tools/list", json!({}))), status),
                (
                    session.post(&notification("notifications/initialized", json!({}))),
                    if status == 200 { 202 } else { status },
                ),
                (session.get(), status),
            ];
            for (request, status) in messages {
                let mut request = request.without("MCP-Protocol-Version");
                for header in headers {
                    request = request.header("MCP-Protocol-Version", header);
                }
                let mut response = request.send().await;
                assert_eq!(response.status, status, "{version}: {headers:?}: {request:?}");
                if status == 400 {
                    assert_eq!(refusal(&mut response).await.1, -32600);
                }
            }
        }
        let narrowed = session.delete().set("MCP-Protocol-Version", "banana").send().await;
        assert_eq!(narrowed.status, 400);
        assert_eq!(session.echo(3, "still there").await, "still there");
    }
}

#[tokio::test]
async fn without_sessions_the_header_chooses_the_version_and_the_default_is_2025_03_26() {
    let (_listener, http) = serve(&fixture().server, HttpOptions::new().stateless(true)).await;
    let int = call(1, "echo_int", json!({"id": 5}));
    for (header, structured) in
        [(None, false), (Some("2025-03-26"), false), (Some("2025-06-18"), true), (Some(LEGACY), true)]
    {
        let mut post = http.post(&int);
        if let Some(header) = header {
            post = post.header("MCP-Protocol-Version", header);
        }
        let answer = post.send().await.json().await;
        assert_eq!(answer["result"].get("structuredContent").is_some(), structured, "{header:?}: {answer}");
    }
    for header in ["1999-01-01", "banana"] {
        let mut response = http.post(&int).header("MCP-Protocol-Version", header).send().await;
        assert_eq!(refusal(&mut response).await, (400, -32600), "{header}");
    }
}

#[tokio::test]
async fn the_headers_of_a_modern_request_must_say_what_its_body_says() {
    let (_listener, http) = serve(&fixture().server, HttpOptions::new()).await;
    let echo = post_modern(&http, &call(3, "echo", json!({"text": "hi"})));
    assert_eq!(echo.send().await.status, 200);
    let table = [
        ("no version", echo.clone().without("MCP-Protocol-Version")),
        ("a legacy version", echo.clone().set("MCP-Protocol-Version", LEGACY)),
        ("an unknown version", echo.clone().set("MCP-Protocol-Version", "1999-01-01")),
        ("two versions", echo.clone().header("MCP-Protocol-Version", MODERN)),
        ("no method", echo.clone().without("Mcp-Method")),
        ("another method", echo.clone().set("Mcp-Method", "tools/list")),
        ("a method in other letters", echo.clone().set("Mcp-Method", "Tools/Call")),
        ("two methods", echo.clone().header("Mcp-Method", "tools/call")),
        ("no name", echo.clone().without("Mcp-Name")),
        ("another name", echo.clone().set("Mcp-Name", "add")),
        ("a broken name", echo.clone().set("Mcp-Name", "=?base64?%%?=")),
    ];
    for (what, post) in table {
        assert_eq!(refusal(&mut post.send().await).await, (400, -32020), "{what}");
    }
    let spelled = echo.set("Mcp-Name", "=?base64?ZWNobw==?=").send().await;
    assert_eq!(spelled.status, 200);
}

#[tokio::test]
async fn a_modern_version_that_is_not_spoken_is_refused_with_those_that_are() {
    let both = fixture();
    let legacy = Fixture::with(|builder| builder.protocol_version(ProtocolVersion::V2025_11_25));
    for (server, requested) in [(&both.server, "2099-01-01"), (&both.server, LEGACY), (&legacy.server, MODERN)] {
        let (_listener, http) = serve(server, HttpOptions::new()).await;
        let mut message = modern(&request("x", "tools/list", json!({})));
        message["params"]["_meta"]["io.modelcontextprotocol/protocolVersion"] = requested.into();
        let post = http.post(&message).header("MCP-Protocol-Version", requested).header("Mcp-Method", "tools/list");
        let mut response = post.send().await;
        assert_eq!(response.status, 400);
        let body = response.json().await;
        assert_eq!((&body["error"]["code"], &body["id"]), (&json!(-32022), &json!("x")), "{requested}: {body}");
        assert_eq!(body["error"]["data"]["requested"], requested);
        let supported = body["error"]["data"]["supported"].as_array().unwrap();
        assert!(!supported.is_empty() && !supported.contains(&json!("2099-01-01")), "{body}");
    }
}

#[tokio::test]
async fn a_server_of_the_modern_era_alone_tells_a_legacy_client_what_it_speaks() {
    let modern_only = Fixture::with(|builder| builder.protocol_version(ProtocolVersion::V2026_07_28));
    let (_listener, http) = serve(&modern_only.server, HttpOptions::new()).await;
    let messages = [initialize(LEGACY), request(1, "tools/list", json!({})), ping(1), json!([ping(1)])];
    for message in messages {
        for (header, code) in [(None, -32020), (Some(LEGACY), -32022)] {
            let mut post = http.post(&message);
            if let Some(header) = header {
                post = post.header("MCP-Protocol-Version", header);
            }
            let mut response = post.send().await;
            assert_eq!((response.status, response.header("mcp-session-id")), (400, None), "{message}");
            let body = response.json().await;
            if message.is_array() {
                assert_eq!(body["error"]["code"], -32600, "{body}");
                continue;
            }
            assert_eq!((&body["error"]["code"], &body["id"]), (&json!(code), &json!(1)), "{message}: {body}");
            assert!(body["error"].to_string().contains(MODERN), "{body}");
        }
    }
    assert_eq!(post_modern(&http, &ping(1)).send().await.status, 404);
}
