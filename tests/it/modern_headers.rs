//! The headers that mirror a modern request over HTTP, and the metadata of every request (B123 to B125, B128, B139).

use mcp::{Server, ServerBuilder, ToolOptions};

use crate::harness::*;

type Change = Box<dyn Fn(HttpRequest) -> HttpRequest>;

fn change(change: impl Fn(HttpRequest) -> HttpRequest + 'static) -> Change {
    Box::new(change)
}

fn over_http() -> impl Iterator<Item = Leg> {
    legs::http().filter(|leg| leg.is_modern())
}

/// Sends a request; its status and its one message.
async fn answer(post: HttpRequest) -> (u16, Value) {
    let mut response = post.send().await;
    let message = match response.is_stream() {
        true => response.message().await.unwrap().json(),
        false => response.json().await,
    };
    (response.status, message)
}

fn code(message: &Value) -> i64 {
    message["error"]["code"].as_i64().unwrap_or_default()
}

#[tokio::test]
async fn a_header_that_is_missing_or_differs_is_refused_and_the_tool_does_not_run() {
    let wrong: Vec<(&str, Change)> = vec![
        ("no version", change(|post| post.without("MCP-Protocol-Version"))),
        ("other version", change(|post| post.set("MCP-Protocol-Version", "2025-11-25"))),
        ("unknown version", change(|post| post.set("MCP-Protocol-Version", "2030-01-01"))),
        ("two versions", change(|post| post.header("MCP-Protocol-Version", "2026-07-28"))),
        ("empty version", change(|post| post.set("MCP-Protocol-Version", ""))),
        ("no method", change(|post| post.without("Mcp-Method"))),
        ("other method", change(|post| post.set("Mcp-Method", "tools/list"))),
        ("two methods", change(|post| post.header("Mcp-Method", "tools/call"))),
        ("method in capitals", change(|post| post.set("Mcp-Method", "TOOLS/CALL"))),
        ("empty method", change(|post| post.set("Mcp-Method", ""))),
        ("no name", change(|post| post.without("Mcp-Name"))),
        ("other name", change(|post| post.set("Mcp-Name", "echo"))),
        ("name in capitals", change(|post| post.set("Mcp-Name", "GATE"))),
        ("two names", change(|post| post.header("Mcp-Name", "gate"))),
        ("broken base64", change(|post| post.set("Mcp-Name", "=?base64?Z2F0!?="))),
        ("base64 of another name", change(|post| post.set("Mcp-Name", "=?base64?ZWNobw==?="))),
        ("base64 of no text", change(|post| post.set("Mcp-Name", "=?base64?/w==?="))),
    ];
    each(over_http(), async |leg| {
        let fixture = fixture();
        fixture.gates.open("g");
        let client = leg.connect(&fixture.server).await;
        let call = client.message(Some(json!("c")), "tools/call", json!({"name": "gate", "arguments": {"name": "g"}}));
        for (what, change) in &wrong {
            let (status, message) = answer(change(client.post(&call))).await;
            assert_eq!((status, code(&message), &message["id"]), (400, -32020, &json!("c")), "{what}: {message}");
            assert!(message["error"]["message"].as_str().unwrap().len() > 20, "{what}: {message}");
        }
        assert_eq!(fixture.gates.count("g"), 0, "the tool ran");
        client.call("gate", json!({"name": "g"})).await.text();
    })
    .await;
}

#[tokio::test]
async fn a_header_may_be_written_in_any_way_that_means_the_same() {
    let right: Vec<(&str, Change)> = vec![
        ("as it is", change(|post| post)),
        (
            "lower-case names",
            change(|post| {
                let post = post.set("mcp-protocol-version", "2026-07-28").without("Mcp-Method").without("Mcp-Name");
                post.header("mcp-method", "tools/call").header("mcp-name", "noargs")
            }),
        ),
        ("white space", change(|post| post.set("Mcp-Method", " \ttools/call  ").set("Mcp-Name", "  noargs "))),
        ("base64", change(|post| post.set("Mcp-Name", "=?base64?bm9hcmdz?="))),
        ("a header for no parameter", change(|post| post.header("Mcp-Param-Region", "x"))),
    ];
    each(over_http(), async |leg| {
        let client = leg.connect(&fixture().server).await;
        let call = client.message(Some(json!(1)), "tools/call", json!({"name": "noargs"}));
        for (what, change) in &right {
            let (status, message) = answer(change(client.post(&call))).await;
            assert_eq!((status, &message["result"]["content"][0]["text"]), (200, &json!("{}")), "{what}: {message}");
        }
    })
    .await;
}

#[tokio::test]
async fn the_name_header_is_the_uri_of_a_resource_and_the_name_of_a_prompt() {
    each(over_http(), async |leg| {
        let client = leg.connect(&fixture().server).await;
        for (method, params, name) in [
            ("resources/read", json!({"uri": "test://items/a"}), "test://items/a"),
            ("prompts/get", json!({"name": "plain"}), "plain"),
        ] {
            let message = client.message(Some(json!(1)), method, params);
            assert_eq!(answer(client.post(&message).set("Mcp-Name", name)).await.0, 200);
            for post in [client.post(&message).without("Mcp-Name"), client.post(&message).set("Mcp-Name", "x")] {
                let (status, answer) = answer(post).await;
                assert_eq!((status, code(&answer)), (400, -32020), "{method}");
            }
        }
        let list = client.message(Some(json!(1)), "tools/list", Value::Null);
        assert_eq!(answer(client.post(&list).without("Mcp-Name")).await.0, 200);
    })
    .await;
}

#[tokio::test]
async fn a_request_without_its_metadata_is_refused_and_the_next_one_is_served() {
    const VERSION: &str = "io.modelcontextprotocol/protocolVersion";
    const CAPABILITIES: &str = "io.modelcontextprotocol/clientCapabilities";
    const INFO: &str = "io.modelcontextprotocol/clientInfo";
    let (version, none) = (json!("2026-07-28"), json!({}));
    let broken = [
        json!({CAPABILITIES: none}),
        json!({VERSION: version}),
        json!({VERSION: version, CAPABILITIES: 5}),
        json!({VERSION: version, CAPABILITIES: null}),
        json!({VERSION: version, CAPABILITIES: []}),
        json!({VERSION: 5, CAPABILITIES: none}),
        json!({VERSION: null, CAPABILITIES: none}),
        json!({VERSION: version, CAPABILITIES: none, INFO: "me"}),
    ];
    each(legs::modern(), async |leg| {
        let client = leg.open(&fixture().server).await;
        for meta in &broken {
            let message = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {"_meta": meta}});
            let pending = client.send(&message).await;
            let reply = client.reply(&pending).await;
            reply.expect_code(-32602);
            assert!(reply.status.is_none_or(|status| status == 400), "{reply:?}");
        }
        // The header alone makes a request modern; on lines it is one of a session that is not there.
        for params in [json!({}), json!({"_meta": {}}), json!({"_meta": 5}), json!([])] {
            let pending =
                client.send(&json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": params})).await;
            let reply = client.reply(&pending).await;
            reply.expect_code(-32602);
            assert!(reply.status.is_none_or(|status| status == 400), "{reply:?}");
        }
        client.request("tools/list", Value::Null).await.result();
        assert_eq!(client.call("echo", json!({"text": "x"})).await.text(), "x");
    })
    .await;
}

#[tokio::test]
async fn an_unsupported_version_is_refused_with_those_that_are_supported() {
    const ALL: [&str; 5] = ["2026-07-28", "2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"];
    each(legs::modern(), async |leg| {
        let client = leg.connect(&fixture().server).await;
        for (number, version) in ["2030-01-01", "2025-11-25", "banana", "", "2026-07-28 "].into_iter().enumerate() {
            for method in ["server/discover", "tools/list", "no/such"] {
                let meta = json!({"io.modelcontextprotocol/protocolVersion": version});
                let message = client.message(Some(json!(number)), method, json!({"_meta": meta}));
                let (status, answer) = match leg.is_http() {
                    true => answer(client.post(&message).set("MCP-Protocol-Version", version)).await,
                    false => (400, client.send_text(message.to_string(), None).await.unwrap().value),
                };
                if leg.is_http() && matches!(version, "" | "2026-07-28 ") {
                    // White space around a header's value is none of it.
                    assert!(matches!(code(&answer), -32022 | -32020), "{answer}");
                    continue;
                }
                assert_eq!((status, code(&answer)), (400, -32022), "{version:?} {method}: {answer}");
                assert_eq!(answer["error"]["data"], json!({"supported": ALL, "requested": version}));
            }
        }
    })
    .await;
}

#[tokio::test]
async fn a_method_that_is_not_there_is_not_found() {
    let bare = || Server::builder("bare", "1").raw_tool("t", ToolOptions::new(), async |_, _| "x").build().unwrap();
    let methods = [
        "foo/bar",
        "prompts/list",
        "prompts/get",
        "resources/read",
        "completion/complete",
        "ping",
        "initialize",
        "logging/setLevel",
        "tasks/get",
        "notifications/message",
        "",
        "tools/Call",
    ];
    each(legs::modern(), async |leg| {
        let client = leg.connect(&bare()).await;
        for method in methods {
            let reply = client.request(method, json!({"name": "x", "uri": "x"})).await;
            reply.expect_code(-32601);
            assert!(reply.status.is_none_or(|status| status == 404), "{reply:?}");
        }
    })
    .await;
}

/// Arguments, the headers beside them, and whether the two fit.
type MirrorCase = (Value, Vec<(&'static str, &'static str)>, bool);

fn routed() -> ServerBuilder {
    let schema = json!({"type": "object", "properties": {
        "region": {"type": "string", "x-mcp-header": "Region"},
        "count": {"type": "integer", "x-mcp-header": "Count"},
        "dry": {"type": "boolean", "x-mcp-header": "Dry-Run"},
        "deep": {"type": "object", "properties": {"key": {"type": "string", "x-mcp-header": "Key"}}},
    }});
    let options = ToolOptions::new().input_schema(schema);
    Server::builder("routed", "1").raw_tool("route", options, async |arguments, _| arguments.to_string())
}

#[tokio::test]
async fn an_argument_that_is_mirrored_into_a_header_must_be_the_same_there() {
    let cases: Vec<MirrorCase> = vec![
        (json!({"region": "eu"}), vec![("Mcp-Param-Region", "eu")], true),
        (json!({"region": "eu"}), vec![("mcp-param-region", " eu ")], true),
        (json!({"region": "eu"}), vec![("Mcp-Param-Region", "=?base64?ZXU=?=")], true),
        (json!({"region": "é"}), vec![("Mcp-Param-Region", "=?base64?w6k=?=")], true),
        (json!({"count": 42}), vec![("Mcp-Param-Count", "42")], true),
        (json!({"count": 42}), vec![("Mcp-Param-Count", "42.0")], true),
        (json!({"dry": true}), vec![("Mcp-Param-Dry-Run", "true")], true),
        (json!({"deep": {"key": "k"}}), vec![("Mcp-Param-Key", "k")], true),
        (json!({}), vec![], true),
        (json!({}), vec![("Mcp-Param-Other", "x")], true),
        (json!({"region": "eu"}), vec![], false),
        (json!({"region": "eu"}), vec![("Mcp-Param-Region", "us")], false),
        (json!({"region": "eu"}), vec![("Mcp-Param-Region", "EU")], false),
        (json!({"region": "eu"}), vec![("Mcp-Param-Region", "eu"), ("Mcp-Param-Region", "eu")], false),
        (json!({"region": "eu"}), vec![("Mcp-Param-Region", "=?base64?!?=")], false),
        (json!({"count": 42}), vec![("Mcp-Param-Count", "43")], false),
        (json!({"count": 42}), vec![], false),
        (json!({"dry": true}), vec![("Mcp-Param-Dry-Run", "TRUE")], false),
        (json!({"deep": {"key": "k"}}), vec![], false),
        (json!({}), vec![("Mcp-Param-Region", "eu")], false),
    ];
    each(over_http(), async |leg| {
        let client = leg.connect(&routed().build().unwrap()).await;
        for (arguments, headers, fits) in &cases {
            let params = json!({"name": "route", "arguments": arguments});
            let message = client.message(Some(json!(1)), "tools/call", params);
            let post = headers.iter().fold(client.post(&message), |post, (name, value)| post.header(name, value));
            let (status, answer) = answer(post).await;
            if *fits {
                let text = answer["result"]["content"][0]["text"].as_str().unwrap_or_default();
                assert_eq!((status, text), (200, arguments.to_string().as_str()), "{headers:?}: {answer}");
            } else {
                assert_eq!((status, code(&answer)), (400, -32020), "{arguments} {headers:?}: {answer}");
            }
        }
        // null: no header is expected; what the schema says to it is another matter.
        let params = json!({"name": "route", "arguments": {"region": null}});
        let (status, answer) = answer(client.post(&client.message(Some(json!(1)), "tools/call", params))).await;
        assert_eq!((status, &answer["result"]["isError"]), (200, &json!(true)), "{answer}");
    })
    .await;
}

#[tokio::test]
async fn where_there_are_no_headers_nothing_is_compared() {
    each(legs::all().filter(|leg| !leg.is_http() || leg.is_legacy()), async |leg| {
        let client = leg.connect(&routed().build().unwrap()).await;
        let arguments = json!({"count": 42, "region": "eu"});
        assert_eq!(client.call("route", arguments.clone()).await.text(), arguments.to_string());
    })
    .await;
}

#[test]
fn a_header_name_that_cannot_be_one_is_refused_at_registration() {
    let string = |name: Value| json!({"type": "string", "x-mcp-header": name});
    for properties in [
        json!({"a": string(json!(""))}),
        json!({"a": string(json!("a b"))}),
        json!({"a": string(json!("X\r\nY"))}),
        json!({"a": string(json!("é"))}),
        json!({"a": string(json!(5))}),
        json!({"a": string(json!("Same")), "b": string(json!("same"))}),
        json!({"a": {"type": "number", "x-mcp-header": "A"}}),
        json!({"a": {"type": "object", "x-mcp-header": "A"}}),
        json!({"a": {"x-mcp-header": "A"}}),
        json!({"a": {"type": "array", "items": string(json!("A"))}}),
    ] {
        let options = ToolOptions::new().input_schema(json!({"type": "object", "properties": properties}));
        let built = Server::builder("x", "1").raw_tool("t", options, async |_, _| "x").build();
        let Err(error) = built else { panic!("{properties} was taken") };
        assert!(error.to_string().contains("x-mcp-header"), "{error}");
    }
}
