//! The handshake of the legacy era (B31 to B38).

use crate::harness::*;
use mcp::{ProtocolVersion, Server};

/// Legs of the newest legacy revision that open with a handshake.
fn newest() -> impl Iterator<Item = Leg> {
    legs::legacy().filter(|leg| leg.has_handshake() && leg.version == ProtocolVersion::V2025_11_25)
}

fn with_handshake() -> impl Iterator<Item = Leg> {
    legs::legacy().filter(|leg| leg.has_handshake())
}

fn without_http() -> impl Iterator<Item = Leg> {
    with_handshake().filter(|leg| !leg.is_http())
}

#[tokio::test]
async fn each_revision_of_the_era_is_agreed_to() {
    each(with_handshake(), async |leg| {
        let client = leg.open(&fixture().server).await;
        let reply = client.initialize(leg.version.as_str()).await;
        let result = reply.result();
        assert_eq!(result["protocolVersion"], leg.version.as_str());
        assert_eq!(result["serverInfo"], json!({"name": "fixture", "version": "1.0"}));
        assert_eq!(result["capabilities"]["tools"]["listChanged"], true);
        assert_eq!(result["capabilities"]["resources"], json!({"listChanged": true, "subscribe": true}));
        assert_eq!(result["capabilities"]["logging"], json!({}));
    })
    .await;
}

#[tokio::test]
async fn an_unknown_revision_is_countered_with_the_newest_of_the_era() {
    each(newest(), async |leg| {
        for offer in ["2099-01-01", "2024-10-07", "banana", "", "2026-07-28", "2025-11-25 ", "DRAFT-2026-v1", "\u{0}"] {
            let client = leg.open(&fixture().server).await;
            let reply = client.initialize(offer).await;
            assert_eq!(reply.result()["protocolVersion"], "2025-11-25", "{offer:?}");
            client.initialized().await;
            client.request("tools/list", Value::Null).await.result();
        }
    })
    .await;
}

#[tokio::test]
async fn a_narrowed_server_counters_with_what_it_speaks() {
    each(newest().filter(|leg| !leg.is_http()), async |leg| {
        let versions = [ProtocolVersion::V2024_11_05, ProtocolVersion::V2025_06_18, ProtocolVersion::V2026_07_28];
        let narrow = |builder: mcp::ServerBuilder| builder.supported_protocol_versions(versions);
        for (offer, answer) in [
            ("2025-11-25", "2025-06-18"),
            ("2025-06-18", "2025-06-18"),
            ("2025-03-26", "2025-06-18"),
            ("2024-11-05", "2024-11-05"),
            ("2026-07-28", "2025-06-18"),
        ] {
            let client = leg.open(&Fixture::with(narrow).server).await;
            assert_eq!(client.initialize(offer).await.result()["protocolVersion"], answer, "{offer}");
        }
    })
    .await;
}

#[tokio::test]
async fn a_server_of_the_modern_era_only_has_no_handshake() {
    each(newest().filter(|leg| !leg.is_http()), async |leg| {
        let modern = |builder: mcp::ServerBuilder| builder.protocol_version(ProtocolVersion::V2026_07_28);
        let client = leg.open(&Fixture::with(modern).server).await;
        let reply = client.initialize("2025-11-25").await;
        reply.expect_code(-32601);
        assert!(reply.message().contains("2026-07-28"), "{}", reply.message());
    })
    .await;
}

#[tokio::test]
async fn a_malformed_handshake_is_refused_and_a_right_one_still_works() {
    let info = json!({"name": "t", "version": "0"});
    let version = "2025-11-25";
    let malformed = [
        Value::Null,
        json!({}),
        json!([]),
        json!({"protocolVersion": 5, "capabilities": {}, "clientInfo": info}),
        json!({"protocolVersion": null, "capabilities": {}, "clientInfo": info}),
        json!({"capabilities": {}, "clientInfo": info}),
        json!({"protocolVersion": version, "clientInfo": info}),
        json!({"protocolVersion": version, "capabilities": [], "clientInfo": info}),
        json!({"protocolVersion": version, "capabilities": {}}),
        json!({"protocolVersion": version, "capabilities": {}, "clientInfo": "t"}),
    ];
    each(newest(), async |leg| {
        let client = leg.open(&fixture().server).await;
        for params in &malformed {
            client.request("initialize", params.clone()).await.expect_code(-32602);
        }
        client.initialize(version).await.result();
        client.initialized().await;
        client.request("tools/list", Value::Null).await.result();
    })
    .await;
}

#[tokio::test]
async fn a_second_handshake_is_refused_and_changes_nothing() {
    each(with_handshake(), async |leg| {
        let client = leg.connect(&fixture().server).await;
        let before = client.request("tools/list", Value::Null).await;
        for version in ["2024-11-05", "2025-06-18", "2025-11-25", "banana"] {
            let reply = client.initialize(version).await;
            reply.expect_code(-32600);
        }
        client.initialized().await;
        let after = client.request("tools/list", Value::Null).await;
        assert_eq!(before.result(), after.result());
    })
    .await;
}

#[tokio::test]
async fn requests_are_served_before_the_client_says_that_it_is_ready() {
    each(with_handshake(), async |leg| {
        let client = leg.open(&fixture().server).await;
        client.initialize(leg.version.as_str()).await.result();
        client.request("tools/list", Value::Null).await.result();
        client.request("logging/setLevel", json!({"level": "debug"})).await.result();
        assert_eq!(client.call("echo", json!({"text": "x"})).await.text(), "x");
        client.initialized().await;
        client.initialized().await;
        client.request("tools/list", Value::Null).await.result();
    })
    .await;
}

#[tokio::test]
async fn a_ping_is_answered_before_the_handshake() {
    each(without_http(), async |leg| {
        let client = leg.open(&fixture().server).await;
        for params in [Value::Null, json!({}), json!({"_meta": {}})] {
            assert_eq!(client.request("ping", params).await.result(), &json!({}));
        }
        client.initialize(leg.version.as_str()).await.result();
        assert_eq!(client.request("ping", Value::Null).await.result(), &json!({}));
    })
    .await;
}

#[tokio::test]
async fn a_ping_before_the_handshake_costs_no_announcements() {
    each(without_http(), async |leg| {
        let fixture = fixture();
        let client = leg.open(&fixture.server).await;
        client.request("ping", Value::Null).await.result();
        client.initialize(leg.version.as_str()).await.result();
        client.initialized().await;
        fixture.server.notify_tools_changed();
        client.notification("notifications/tools/list_changed").await;
    })
    .await;
}

#[tokio::test]
async fn a_request_before_the_handshake_is_refused_and_the_handshake_still_works() {
    let early = [
        ("tools/list", Value::Null),
        ("tools/call", json!({"name": "echo", "arguments": {"text": "x"}})),
        ("resources/read", json!({"uri": "test://plain"})),
        ("logging/setLevel", json!({"level": "debug"})),
        ("no/such", Value::Null),
    ];
    each(without_http(), async |leg| {
        let client = leg.open(&fixture().server).await;
        client.expect_silence(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"})).await;
        for (method, params) in &early {
            let reply = client.request(method, params.clone()).await;
            assert!(matches!(reply.code(), -32602..=-32600), "{method}: {}", reply.wire);
            assert!(reply.message().contains("initialize") || *method == "no/such", "{}", reply.message());
        }
        client.initialize(leg.version.as_str()).await.result();
        client.initialized().await;
        client.request("tools/list", Value::Null).await.result();
    })
    .await;
}

#[tokio::test]
async fn methods_of_the_other_era_do_not_exist_in_a_session() {
    each(with_handshake(), async |leg| {
        let client = leg.connect(&fixture().server).await;
        for method in
            ["elicitation/create", "sampling/createMessage", "roots/list", "tasks/get", "notifications/message"]
        {
            client.request(method, json!({})).await.expect_code(-32601);
        }
    })
    .await;
}

#[tokio::test]
async fn methods_of_a_session_do_not_exist_in_the_modern_era() {
    each(legs::modern(), async |leg| {
        let client = leg.connect(&fixture().server).await;
        for method in ["initialize", "ping", "logging/setLevel", "resources/subscribe", "resources/unsubscribe", "x"] {
            let reply = client.request(method, json!({})).await;
            reply.expect_code(-32601);
            assert!(reply.status.is_none_or(|status| status == 404), "{reply:?}");
        }
    })
    .await;
}

#[tokio::test]
async fn capabilities_show_what_is_registered_and_nothing_else() {
    each(legs::all(), async |leg| {
        let bare = Server::builder("bare", "1").build().unwrap();
        let tools = Server::builder("tools", "1").declare_tools().subscriptions_enabled(false).build().unwrap();
        for (server, want) in [(bare, json!({})), (tools, json!({"tools": {}}))] {
            let client = leg.open(&server).await;
            let reply = match leg.is_modern() {
                true => client.request("server/discover", Value::Null).await,
                false => client.initialize(leg.version.as_str()).await,
            };
            assert_eq!(reply.result()["capabilities"], want);
        }
    })
    .await;
}

#[cfg(feature = "http")]
mod over_http {
    use super::*;

    fn init(client: &Client, version: &str) -> Value {
        let info = json!({"name": "t", "version": "0"});
        client.message(
            Some(json!(1)),
            "initialize",
            json!({"protocolVersion": version, "capabilities": {}, "clientInfo": info}),
        )
    }

    fn sessions() -> impl Iterator<Item = Leg> {
        legs::http().filter(|leg| leg.is_legacy() && leg.transport == Transport::Http)
    }

    #[tokio::test]
    async fn the_version_header_of_the_handshake_does_not_get_in_its_way() {
        each(sessions(), async |leg| {
            let client = leg.open(&fixture().server).await;
            let post = client.post(&init(&client, "2099-01-01")).set("MCP-Protocol-Version", "2099-01-01");
            let mut response = post.send().await;
            assert_eq!(response.status, 200);
            let message = match response.is_stream() {
                true => response.message().await.unwrap().json(),
                false => response.json().await,
            };
            assert_eq!(message["result"]["protocolVersion"], "2025-11-25");
        })
        .await;
    }

    #[tokio::test]
    async fn a_header_that_contradicts_the_handshake_never_leads_to_a_third_version() {
        each(sessions(), async |leg| {
            let client = leg.open(&fixture().server).await;
            let post = client.post(&init(&client, "2025-11-25")).set("MCP-Protocol-Version", "2025-03-26");
            let mut response = post.send().await;
            if response.status == 400 {
                return;
            }
            let text = response.text().await;
            assert!(text.contains(r#""protocolVersion":"2025-11-25""#), "{text}");
        })
        .await;
    }

    #[tokio::test]
    async fn a_request_of_a_session_with_an_unsupported_version_header_is_refused() {
        each(sessions(), async |leg| {
            let client = leg.connect(&fixture().server).await;
            let list = client.message(Some(json!(2)), "tools/list", Value::Null);
            for version in ["1999-01-01", "banana", "2025-06-19", ""] {
                let response = client.post(&list).set("MCP-Protocol-Version", version).send().await;
                assert_eq!(response.status, 400, "{version:?}");
            }
            let response = client.post(&list).without("MCP-Protocol-Version").send().await;
            assert_eq!(response.status, 200);
        })
        .await;
    }
}
