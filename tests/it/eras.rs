//! Both eras side by side, and servers that speak less than all (B126, B127).

use mcp::{ProtocolVersion, Server, ServerBuilder};

use crate::harness::*;

fn narrowed(versions: &[ProtocolVersion]) -> Server {
    let versions = versions.to_vec();
    Fixture::with(move |builder: ServerBuilder| builder.supported_protocol_versions(versions)).server
}

/// One connection with lines; what is said on it is up to the test.
async fn line(server: &Server) -> Client {
    Leg { version: ProtocolVersion::V2025_11_25, transport: Transport::Memory }.open(server).await
}

async fn modern(client: &Client, id: &str, method: &str, params: Value) -> Reply {
    let pending = start_modern(client, id, method, params).await;
    client.reply(&pending).await
}

async fn start_modern(client: &Client, id: &str, method: &str, mut params: Value) -> Pending {
    params["_meta"] = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {"elicitation": {}},
    });
    client.send(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params})).await
}

fn echo(text: &str) -> Value {
    json!({"name": "echo", "arguments": {"text": text}})
}

#[tokio::test]
async fn discovery_before_the_handshake_does_not_get_in_its_way() {
    let client = line(&fixture().server).await;
    modern(&client, "d", "server/discover", json!({})).await.result();
    assert_eq!(client.initialize("2025-11-25").await.result()["protocolVersion"], "2025-11-25");
    client.initialized().await;
    client.request("tools/list", Value::Null).await.result();
    modern(&client, "d", "server/discover", json!({})).await.result();
    assert_eq!(client.call("echo", json!({"text": "legacy"})).await.text(), "legacy");
}

#[tokio::test]
async fn discovery_may_be_repeated_and_followed_by_anything() {
    let client = line(&fixture().server).await;
    for id in ["a", "b"] {
        modern(&client, id, "server/discover", json!({})).await.result();
    }
    assert_eq!(modern(&client, "c", "tools/call", echo("modern")).await.text(), "modern");
    client.request("tools/list", Value::Null).await.expect_code(-32602);
    client.initialize("2024-11-05").await.result();
    assert_eq!(client.call("echo", json!({"text": "legacy"})).await.text(), "legacy");
}

#[tokio::test]
async fn requests_of_both_eras_are_under_way_on_one_connection() {
    let fixture = fixture();
    let leg = Leg { version: ProtocolVersion::V2025_11_25, transport: Transport::Memory };
    let client = leg.connect_with(&fixture.server, json!({"elicitation": {}})).await;
    let gate = |name: &str| json!({"name": "gate", "arguments": {"name": name}});
    let slow_legacy = client.start("tools/call", gate("legacy")).await;
    let slow_modern = start_modern(&client, "m", "tools/call", gate("modern")).await;
    fixture.gates.started("legacy").await;
    fixture.gates.started("modern").await;
    // Each is asked in its own way.
    let asks = client.start("tools/call", json!({"name": "ask_name", "arguments": {}})).await;
    let asked = modern(&client, "ask", "tools/call", json!({"name": "ask_name", "arguments": {}})).await;
    assert_eq!(asked.result()["resultType"], "input_required");
    let request = client.server_request("elicitation/create").await;
    client.answer(&request, Ok(json!({"action": "accept", "content": {"name": "Ann"}}))).await;
    let greeted = client.reply(&asks).await;
    assert_eq!((greeted.text(), greeted.result().get("resultType")), ("Hello, Ann!", None));
    let mut retry = json!({"name": "ask_name", "arguments": {}});
    retry["inputResponses"] = json!({"name": {"action": "accept", "content": {"name": "Bob"}}});
    assert_eq!(modern(&client, "again", "tools/call", retry).await.text(), "Hello, Bob!");
    fixture.gates.open("modern");
    assert_eq!(client.reply(&slow_modern).await.result()["resultType"], "complete");
    fixture.gates.open("legacy");
    assert_eq!(client.reply(&slow_legacy).await.result().get("resultType"), None);
}

#[tokio::test]
async fn ids_are_unique_over_both_eras_of_one_connection() {
    let fixture = fixture();
    let client = line(&fixture.server).await;
    client.initialize("2025-11-25").await.result();
    let call = json!({"name": "gate", "arguments": {"name": "g"}});
    let running = client.start_with_id(json!("same"), "tools/call", call.clone()).await;
    fixture.gates.started("g").await;
    modern(&client, "same", "tools/call", call).await.expect_code(-32600);
    fixture.gates.open("g");
    assert_eq!(client.reply(&running).await.text(), "passed");
}

#[tokio::test]
async fn discovery_needs_no_client_info_and_tells_the_server_in_its_metadata() {
    each(legs::modern(), async |leg| {
        let client = leg.connect(&fixture().server).await;
        let mut message = client.message(Some(json!(1)), "server/discover", Value::Null);
        message["params"]["_meta"].as_object_mut().unwrap().remove("io.modelcontextprotocol/clientInfo");
        let pending = client.send(&message).await;
        let reply = client.reply(&pending).await;
        let info = &reply.result()["_meta"]["io.modelcontextprotocol/serverInfo"];
        assert_eq!(info, &json!({"name": "fixture", "version": "1.0"}));
        assert!(reply.result().get("serverInfo").is_none(), "{}", reply.wire);
        assert_eq!(reply.result()["resultType"], "complete");
    })
    .await;
}

#[tokio::test]
async fn a_legacy_server_refuses_discovery_and_then_opens_a_session() {
    let legacy = [ProtocolVersion::V2025_06_18, ProtocolVersion::V2025_11_25];
    let client = line(&narrowed(&legacy)).await;
    for method in ["server/discover", "tools/list", "subscriptions/listen"] {
        let reply = modern(&client, "d", method, json!({})).await;
        reply.expect_code(-32022);
        let data = json!({"supported": ["2025-11-25", "2025-06-18"], "requested": "2026-07-28"});
        assert_eq!(reply.error()["data"], data);
    }
    assert_eq!(client.initialize("2025-11-25").await.result()["protocolVersion"], "2025-11-25");
    assert_eq!(client.call("echo", json!({"text": "x"})).await.text(), "x");
}

#[tokio::test]
async fn a_legacy_server_does_the_same_over_http() {
    let server = narrowed(&[ProtocolVersion::V2025_06_18, ProtocolVersion::V2025_11_25]);
    each(legs::http().filter(|leg| leg.is_modern()), async |leg| {
        let client = leg.connect(&server).await;
        let reply = client.request("server/discover", Value::Null).await;
        assert_eq!((reply.code(), reply.status), (-32022, Some(400)));
        assert_eq!(reply.error()["data"]["supported"], json!(["2025-11-25", "2025-06-18"]));
        let legacy = Leg { version: ProtocolVersion::V2025_11_25, transport: leg.transport };
        let client = legacy.connect(&server).await;
        assert_eq!(client.call("echo", json!({"text": "x"})).await.text(), "x");
    })
    .await;
}

#[tokio::test]
async fn a_modern_server_names_its_versions_to_those_who_want_a_session() {
    let server = narrowed(&[ProtocolVersion::V2026_07_28]);
    each(legs::legacy().filter(|leg| leg.transport != Transport::Sse), async |leg| {
        let client = leg.open(&server).await;
        let reply = client.initialize(leg.version.as_str()).await;
        assert!(reply.error().to_string().contains("2026-07-28"), "{}", reply.wire);
        // Unknown method, or a request without its metadata: the specification leaves the choice. Over HTTP the headers of
        // its own era are missed first.
        let refused = reply.status.map_or(matches!(reply.code(), -32602 | -32601), |status| status == 400);
        assert!(refused, "{reply:?}");
    })
    .await;
    let client = line(&server).await;
    assert!(client.initialize("2025-11-25").await.is_error());
    assert_eq!(modern(&client, "m", "tools/call", echo("modern")).await.text(), "modern");
}

#[tokio::test]
async fn the_first_transport_over_http_has_no_discovery() {
    each(legs::only(ProtocolVersion::V2024_11_05, Transport::Sse), async |leg| {
        let client = leg.connect(&fixture().server).await;
        client.request("server/discover", Value::Null).await.expect_code(-32601);
        assert_eq!(client.call("echo", json!({"text": "x"})).await.text(), "x");
    })
    .await;
}

#[tokio::test]
async fn narrowed_versions_show_in_discovery_the_handshake_and_the_gate() {
    use ProtocolVersion as V;
    let two = [V::V2025_06_18, V::V2026_07_28];
    let client = line(&narrowed(&two)).await;
    let discovered = modern(&client, "d", "server/discover", json!({})).await;
    assert_eq!(discovered.result()["supportedVersions"], json!(["2026-07-28", "2025-06-18"]));
    assert_eq!(client.initialize("2025-11-25").await.result()["protocolVersion"], "2025-06-18");
    // What is pinned is all that is spoken; an empty list means everything.
    let pinned = Fixture::with(|builder| builder.protocol_version(V::V2025_03_26)).server;
    for version in V::ALL.iter().filter(|version| version.as_str() < "2026") {
        let client = line(&pinned).await;
        assert_eq!(client.initialize(version.as_str()).await.result()["protocolVersion"], "2025-03-26");
    }
    let client = line(&narrowed(&[])).await;
    let discovered = modern(&client, "d", "server/discover", json!({})).await;
    assert_eq!(discovered.result()["supportedVersions"].as_array().unwrap().len(), 5);
}

#[tokio::test]
async fn over_http_a_version_that_is_not_spoken_is_refused() {
    let server = narrowed(&[ProtocolVersion::V2025_06_18, ProtocolVersion::V2025_11_25]);
    let leg = Leg { version: ProtocolVersion::V2025_11_25, transport: Transport::Http };
    let client = leg.connect(&server).await;
    let list = client.message(Some(json!(1)), "tools/list", Value::Null);
    for (version, status) in [("2025-11-25", 200), ("2025-06-18", 200), ("2025-03-26", 400), ("2024-11-05", 400)] {
        let response = client.post(&list).set("MCP-Protocol-Version", version).send().await;
        assert_eq!(response.status, status, "{version}");
    }
}

#[tokio::test]
async fn a_modern_server_asks_for_metadata_in_place_of_a_session() {
    let server = narrowed(&[ProtocolVersion::V2026_07_28]);
    each(legs::memory().filter(|leg| leg.is_legacy()), async |leg| {
        let client = leg.open(&server).await;
        let list = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list"});
        let reply = client.send_text(list.to_string(), Some(&list)).await.unwrap();
        reply.expect_code(-32602);
        assert!(reply.message().contains("_meta") && !reply.message().contains("initialize"), "{}", reply.message());
    })
    .await;
}
