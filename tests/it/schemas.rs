//! Schemas that a host writes: what is refused, what is added, what is never fetched (B102 to B104).

use std::time::{Duration, Instant};

use mcp::{CallToolResult, ConfigError, ProtocolVersion, RawJson, Server, ToolOptions};

use crate::harness::*;

fn with(options: ToolOptions) -> Result<Server, ConfigError> {
    Server::builder("schemas", "1")
        .raw_tool("t", options, async |arguments: RawJson, _ctx| arguments.to_string())
        .build()
}

fn with_input(schema: Value) -> Result<Server, ConfigError> {
    with(ToolOptions::new().input_schema(schema))
}

fn with_output(schema: Value) -> Result<Server, ConfigError> {
    with(ToolOptions::new().output_schema(schema))
}

/// The message of a refusal, which names the tool.
fn refusal(built: Result<Server, ConfigError>, what: &Value) -> String {
    match built {
        Ok(_) => panic!("was taken: {what}"),
        Err(error) => {
            let text = error.to_string();
            assert!(text.contains("\"t\"") && text.len() > 20, "{what}: the text says nothing: {text}");
            text
        }
    }
}

/// A chain of `items`, so deep.
fn nested(depth: usize) -> Value {
    (0..depth).fold(json!({"type": "integer"}), |inner, _| json!({"type": "array", "items": inner}))
}

#[test]
fn an_input_schema_that_clients_would_drop_is_refused_at_registration() {
    for schema in [
        json!(true),
        json!(false),
        Value::Null,
        json!("x"),
        json!(5),
        json!([]),
        json!({"type": "string"}),
        json!({"type": ["object", "null"]}),
        json!({"type": null}),
        json!({"type": "object", "properties": 5}),
        json!({"type": "object", "properties": {"a": {"type": "strnig"}}}),
        json!({"type": "object", "required": "a"}),
        json!({"type": "object", "properties": {"a": {"pattern": "("}}}),
        json!({"type": "object", "properties": {"a": {"minLength": -1}}}),
        json!({"properties": {"a": nested(500)}}),
    ] {
        refusal(with_input(schema.clone()), &schema);
    }
    assert!(RawJson::parse("[".repeat(10_000)).is_err());
    let deep = format!("{{\"x\":{}1{}}}", "{\"not\":".repeat(10_000), "}".repeat(10_000));
    assert!(RawJson::parse(deep).is_err());
}

#[test]
fn an_output_schema_that_is_no_object_is_refused_at_registration() {
    for schema in [json!(true), Value::Null, json!("x"), json!([]), json!({"type": "thing"}), json!({"$ref": "#/none"})]
    {
        refusal(with_output(schema.clone()), &schema);
    }
}

#[tokio::test]
async fn the_root_of_every_listed_input_schema_is_an_object() {
    let branches = json!([{"properties": {"a": {"type": "string"}}, "required": ["a"]}, {"required": ["b"]}]);
    let cases = [
        (json!({}), json!({"type": "object"})),
        (json!({"anyOf": branches}), json!({"type": "object", "anyOf": branches})),
        (json!({"properties": {"a": {}}}), json!({"type": "object", "properties": {"a": {}}})),
        (json!({"type": "object"}), json!({"type": "object"})),
        (json!({"description": "d", "type": "object"}), json!({"description": "d", "type": "object"})),
    ];
    each(legs::all(), async |leg| {
        for (given, want) in &cases {
            let client = leg.connect(&with_input(given.clone()).unwrap()).await;
            let list = client.request("tools/list", Value::Null).await;
            assert_eq!(&list.result()["tools"][0]["inputSchema"], want);
        }
    })
    .await;
}

#[tokio::test]
async fn a_tool_without_a_schema_takes_no_arguments_and_tolerates_some() {
    each(legs::all(), async |leg| {
        let client = leg.connect(&with(ToolOptions::new()).unwrap()).await;
        let list = client.request("tools/list", Value::Null).await;
        assert_eq!(list.result()["tools"][0]["inputSchema"], json!({"type": "object", "properties": {}}));
        assert_eq!(client.request("tools/call", json!({"name": "t"})).await.text(), "{}");
        assert_eq!(client.call("t", json!({})).await.text(), "{}");
        assert_eq!(client.call("t", json!({"extra": 1})).await.text(), r#"{"extra":1}"#);
        for arguments in [json!([]), Value::Null, json!("{}"), json!(5)] {
            client.call("t", arguments).await.expect_code(-32602);
        }
    })
    .await;
}

#[tokio::test]
async fn an_output_schema_of_another_root_is_shown_to_those_who_know_such() {
    let server = Server::builder("s", "1")
        .raw_tool("list", ToolOptions::new().output_schema(json!({"type": "array"})), async |_, _| {
            CallToolResult::structured(json!([1, 2]))
        })
        .raw_tool("object", ToolOptions::new().output_schema(json!({"type": "object"})), async |_, _| {
            CallToolResult::structured(json!({"a": 1}))
        })
        .raw_tool("any", ToolOptions::new().use_structured_content(true), async |_, _| {
            CallToolResult::structured(json!({"a": 2}))
        })
        .build()
        .unwrap();
    each(legs::all(), async |leg| {
        let client = leg.connect(&server).await;
        let list = client.request("tools/list", Value::Null).await;
        let shown: Vec<(&str, Value)> = list.result()["tools"]
            .as_array()
            .unwrap()
            .iter()
            .map(|tool| (tool["name"].as_str().unwrap(), tool.get("outputSchema").cloned().unwrap_or_default()))
            .collect();
        let object = if leg.version >= ProtocolVersion::V2025_06_18 { json!({"type": "object"}) } else { Value::Null };
        let array = if leg.is_modern() { json!({"type": "array"}) } else { Value::Null };
        assert_eq!(shown, [("any", object.clone()), ("list", array), ("object", object)]);
        let reply = client.call("list", json!({})).await;
        assert_eq!(reply.text(), "[1,2]");
        assert_eq!(reply.result().get("structuredContent"), leg.is_modern().then_some(&json!([1, 2])));
    })
    .await;
}

#[test]
fn a_schema_outside_of_the_server_is_refused_and_never_fetched() {
    let trap = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    trap.set_nonblocking(true).unwrap();
    let url = format!("http://{}/x", trap.local_addr().unwrap());
    for schema in [
        json!({"$ref": url}),
        json!({"properties": {"a": {"$ref": url}}}),
        json!({"properties": {"a": {"$ref": format!("{url}#/$defs/b")}}}),
        json!({"properties": {"a": {"$dynamicRef": url}}}),
        json!({"$schema": url}),
        json!({"$id": url, "properties": {"a": {"$ref": "other"}}}),
        json!({"properties": {"a": {"$ref": "file:///etc/passwd"}}}),
        json!({"properties": {"a": {"$ref": "other.json"}}}),
        json!({"properties": {"a": {"$ref": "#/$defs/none"}}}),
    ] {
        refusal(with_input(schema.clone()), &schema);
        refusal(with_output(schema.clone()), &schema);
    }
    assert_eq!(trap.accept().unwrap_err().kind(), std::io::ErrorKind::WouldBlock, "something was fetched");
}

#[test]
fn only_the_dialects_that_are_honoured_are_taken() {
    for dialect in ["http://json-schema.org/draft-04/schema#", "https://example.com/mine", "", "draft-07"] {
        let text = refusal(with_input(json!({"$schema": dialect})), &json!(dialect));
        assert!(text.contains("2020-12"), "{text}");
    }
    for dialect in ["https://json-schema.org/draft/2020-12/schema", "http://json-schema.org/draft-07/schema#"] {
        with_input(json!({"$schema": dialect, "type": "object"})).unwrap();
    }
}

#[tokio::test]
async fn each_dialect_is_validated_by_its_own_rules() {
    let tuple = json!({"items": [{"type": "integer"}], "additionalItems": false});
    refusal(with_input(json!({"properties": {"p": tuple}})), &tuple);
    let draft07 = json!({"$schema": "http://json-schema.org/draft-07/schema#", "properties": {"p": tuple}});
    let prefix = json!({"properties": {"p": {"prefixItems": [{"type": "integer"}], "items": false}}});
    for schema in [draft07, prefix] {
        let client = legs::memory().last().unwrap().connect(&with_input(schema).unwrap()).await;
        assert_eq!(client.call("t", json!({"p": [1]})).await.text(), r#"{"p":[1]}"#);
        for wrong in [json!(["x"]), json!([1, 2])] {
            assert!(client.call("t", json!({"p": wrong})).await.tool_error().contains('p'));
        }
    }
}

#[tokio::test]
async fn references_within_a_schema_are_followed_also_in_circles() {
    let node = json!({"type": "object", "properties": {"next": {"$ref": "#/$defs/node"}, "n": {"type": "integer"}},
        "additionalProperties": false});
    let list = json!({"$defs": {"node": node}, "properties": {"root": {"$ref": "#/$defs/node"}}});
    let client = legs::memory().last().unwrap().connect(&with_input(list).unwrap()).await;
    let chain = |end: Value| (0..40).fold(end, |inner, _| json!({"next": inner}));
    client.call("t", json!({"root": chain(json!({"n": 1}))})).await.text();
    let reply = client.call("t", json!({"root": chain(json!({"n": "x"}))})).await;
    assert!(reply.tool_error().contains("next"), "{}", reply.tool_error());
    // A circle that consumes nothing may be refused; where it is taken, it ends.
    let circle = json!({"$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"$ref": "#/$defs/a"}},
        "properties": {"x": {"$ref": "#/$defs/a"}}});
    if let Ok(server) = with_input(circle) {
        let client = legs::memory().last().unwrap().connect(&server).await;
        client.call("t", json!({"x": 1})).await.result();
    }
}

#[tokio::test]
async fn a_costly_pattern_does_not_stop_the_server() {
    for pattern in ["^(a+)+$", "^(a|a)*$", "^(?=(a+)+$)a+$", "(.*a){20}$"] {
        let schema = json!({"properties": {"s": {"type": "string", "pattern": pattern}}});
        let Ok(server) = with_input(schema) else { continue };
        let client = legs::memory().last().unwrap().connect(&server).await;
        let begun = Instant::now();
        let reply = client.call("t", json!({"s": format!("{}!", "a".repeat(20_000))})).await;
        assert!(reply.tool_error().contains('s'), "{pattern}");
        assert!(begun.elapsed() < Duration::from_secs(10), "{pattern} took {:?}", begun.elapsed());
        client.call("t", json!({})).await.text();
    }
}
