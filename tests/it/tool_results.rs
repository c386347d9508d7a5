//! What tools return: structured content, its copy as text, exact numbers, odd bytes (B105, B108, B110, B112).

use mcp::{
    CallToolResult, Content, Context, HandlerError, LoggingLevel, ProtocolVersion, RawJson, ReadResourceResult,
    ResourceOptions, Server, ServerBuilder, ToolOptions,
};

use crate::harness::*;

fn has_structure(leg: Leg) -> bool {
    leg.version >= ProtocolVersion::V2025_06_18
}

fn counts() -> ToolOptions {
    let n = json!({"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]});
    ToolOptions::new().output_schema(n)
}

fn results() -> ServerBuilder {
    Server::builder("results", "1")
        .raw_tool("error", counts(), async |_, _| CallToolResult::error("no such city"))
        .raw_tool("failure", counts(), async |_, _| Err::<String, _>(HandlerError::message("no such city")))
        .raw_tool("text_only", counts(), async |_, _| "secret-1234")
        .raw_tool("violates", counts(), async |_, _| CallToolResult::structured(json!({"n": "secret-1234"})))
        .raw_tool("structured", counts(), async |_, _| CallToolResult::structured(json!({"n": 3})))
        .raw_tool("both", counts(), async |_, _| {
            CallToolResult::structured(json!({"n": 3})).with_content(Content::text("three"))
        })
        .raw_tool("lax", counts().validate_output(false), async |_, _| CallToolResult::structured(json!({"n": "x"})))
        .raw_tool("no_copy", counts().text_copy(false), async |_, _| CallToolResult::structured(json!({"n": 3})))
        .raw_tool("no_schema", ToolOptions::new(), async |_, _| CallToolResult::structured(json!({"any": true})))
}

#[tokio::test]
async fn a_failed_tool_needs_no_structured_content() {
    each(legs::all(), async |leg| {
        let client = leg.connect(&results().build().unwrap()).await;
        for tool in ["error", "failure"] {
            let reply = client.call(tool, json!({})).await;
            assert_eq!(reply.tool_error(), "no such city");
            assert!(reply.result().get("structuredContent").is_none());
        }
    })
    .await;
}

#[tokio::test]
async fn a_result_that_breaks_the_output_schema_is_not_sent() {
    each(legs::all(), async |leg| {
        let client = leg.connect(&results().build().unwrap()).await;
        for tool in ["text_only", "violates"] {
            let reply = client.call(tool, json!({})).await;
            assert!(reply.tool_error().contains(tool), "{}", reply.wire);
            assert!(!reply.wire.contains("secret-1234"), "{}", reply.wire);
            assert!(reply.result().get("structuredContent").is_none());
        }
    })
    .await;
}

#[tokio::test]
async fn structured_content_has_a_copy_as_text_unless_there_is_content() {
    each(legs::all(), async |leg| {
        let client = leg.connect(&results().build().unwrap()).await;
        for (tool, structured, text) in [
            ("structured", json!({"n": 3}), r#"{"n":3}"#),
            ("both", json!({"n": 3}), "three"),
            ("lax", json!({"n": "x"}), r#"{"n":"x"}"#),
            ("no_schema", json!({"any": true}), r#"{"any":true}"#),
        ] {
            let reply = client.call(tool, json!({})).await;
            assert_eq!(reply.text(), text, "{tool}");
            assert_eq!(reply.result()["content"].as_array().unwrap().len(), 1, "{tool}");
            assert_eq!(reply.result().get("structuredContent"), has_structure(leg).then_some(&structured), "{tool}");
        }
    })
    .await;
}

#[tokio::test]
async fn without_a_copy_only_those_who_cannot_see_structure_get_it_as_text() {
    each(legs::all(), async |leg| {
        let client = leg.connect(&results().build().unwrap()).await;
        let reply = client.call("no_copy", json!({})).await;
        let text = json!([{"type": "text", "text": "{\"n\":3}"}]);
        assert_eq!(reply.result()["content"], if has_structure(leg) { json!([]) } else { text });
    })
    .await;
}

#[tokio::test]
async fn an_integer_of_any_size_is_the_same_in_the_handler_and_on_the_wire() {
    let integers = [
        "9007199254740993",
        "18446744073709551615",
        "-9223372036854775808",
        "123456789012345678901234567890",
        "0",
        "-0",
        "1e2",
        "1.0",
    ];
    each(legs::all(), async |leg| {
        let client = leg.connect(&fixture().server).await;
        for integer in integers {
            let params = json!({"name": "echo_int", "arguments": {"id": 4_711_001}});
            let reply = client.send_altered("tools/call", params, "4711001", integer).await.unwrap();
            assert_eq!(reply.text(), format!("{{\"id\":{integer}}}"));
            let structured = format!("\"structuredContent\":{{\"id\":{integer}}}");
            assert_eq!(reply.wire.contains(&structured), has_structure(leg), "{}", reply.wire);
        }
        for other in ["0.1", "1.5e0", "1e-1", "\"1\"", "null", "[1]"] {
            let params = json!({"name": "echo_int", "arguments": {"id": 4_711_001}});
            let reply = client.send_altered("tools/call", params, "4711001", other).await.unwrap();
            assert!(reply.tool_error().contains("id"), "{other}: {}", reply.wire);
        }
    })
    .await;
}

fn decoded(hex: &str) -> String {
    let byte = |i: usize| u8::from_str_radix(&hex[2 * i..2 * i + 2], 16).unwrap();
    String::from_utf8_lossy(&(0..hex.len() / 2).map(byte).collect::<Vec<_>>()).into_owned()
}

/// Bytes that are no UTF-8, and characters that are special to some layer below.
const BYTES: [&str; 13] = [
    "ff41", "c3", "eda080", "41c328", "f8888080", "00", "0a0d", "e280a8", "c285", "7f", "225c2f", "f09f9880", "efbbbf",
];

#[tokio::test]
async fn whatever_bytes_a_handler_returns_the_wire_is_utf8_and_the_server_lives() {
    each(legs::all(), async |leg| {
        let fixture = fixture();
        let client = leg.connect(&fixture.server).await;
        for hex in BYTES {
            assert_eq!(client.call("bytes", json!({"hex": hex})).await.text(), decoded(hex), "{hex}");
            let failed = client.call("fail", json!({"kind": "message", "text": decoded(hex)})).await;
            assert_eq!(failed.tool_error(), decoded(hex), "{hex}");
            let failed = client.call("fail", json!({"kind": "protocol", "text": decoded(hex)})).await;
            assert_eq!(failed.message(), decoded(hex), "{hex}");
        }
        assert_eq!(client.call("echo", json!({"text": "alive"})).await.text(), "alive");
    })
    .await;
}

#[tokio::test]
async fn odd_bytes_are_fine_in_descriptions_resources_and_log_messages_too() {
    let mut builder = Server::builder("bytes", "1").declare_logging();
    for (number, hex) in BYTES.into_iter().enumerate() {
        let options = ToolOptions::new().description(decoded(hex));
        builder = builder.raw_tool(&format!("t{number:02}"), options, move |_: RawJson, ctx: Context| async move {
            ctx.log(LoggingLevel::Emergency, &decoded(hex));
            decoded(hex)
        });
        let uri = format!("test://{number}");
        builder =
            builder.resource("r", &uri, ResourceOptions::new(), move |request: mcp::ReadRequest, _ctx| async move {
                Ok::<_, HandlerError>(ReadResourceResult::text(request.uri, decoded(hex)))
            });
    }
    let server = builder.build().unwrap();
    each(legs::all().filter(|leg| leg.can_announce()), async |leg| {
        let client = leg.connect(&server).await;
        let list = client.request("tools/list", Value::Null).await;
        for (number, hex) in BYTES.into_iter().enumerate() {
            assert_eq!(list.result()["tools"][number]["description"], decoded(hex));
            let read = client.request("resources/read", json!({"uri": format!("test://{number}")})).await;
            assert_eq!(read.result()["contents"][0]["text"], decoded(hex));
            let meta = json!({"io.modelcontextprotocol/logLevel": "debug"});
            let params =
                json!({"name": format!("t{number:02}"), "_meta": if leg.is_modern() { meta } else { json!({}) }});
            assert_eq!(client.request("tools/call", params).await.text(), decoded(hex));
            assert_eq!(client.notification("notifications/message").await.params()["data"], decoded(hex));
        }
    })
    .await;
}

#[tokio::test]
async fn a_structured_result_of_six_mebibytes_is_delivered() {
    let big = || CallToolResult::structured(json!({"text": "x\"".repeat(3 << 20)}));
    let server = Server::builder("big", "1")
        .raw_tool("copied", ToolOptions::new(), move |_, _| async move { big() })
        .raw_tool("once", ToolOptions::new().text_copy(false), move |_, _| async move { big() })
        .build()
        .unwrap();
    let line = legs::only(ProtocolVersion::V2025_11_25, Transport::Memory);
    let http = legs::only(ProtocolVersion::V2026_07_28, Transport::Http);
    each(line.chain(http), async |leg| {
        let client = leg.connect(&server).await;
        let reply = client.call("copied", json!({})).await;
        assert_eq!(reply.result()["structuredContent"]["text"].as_str().unwrap().len(), 6 << 20);
        assert_eq!(serde_json::from_str::<Value>(reply.text()).unwrap(), reply.result()["structuredContent"]);
        let once = client.call("once", json!({})).await;
        assert_eq!(once.result()["structuredContent"], reply.result()["structuredContent"]);
        assert_eq!(once.result()["content"], json!([]));
        assert!(once.wire.len() * 3 / 2 < reply.wire.len(), "{} and {}", once.wire.len(), reply.wire.len());
    })
    .await;
}
