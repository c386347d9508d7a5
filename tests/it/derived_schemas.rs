//! Schemas that come from Rust types (B101).

use mcp::{Json, Server, ToolOptions};
use serde::{Deserialize, Serialize};

use crate::harness::*;

#[derive(Default, Deserialize, Serialize, schemars::JsonSchema)]
#[serde(default)]
struct Numbers {
    u8: u8,
    u16: u16,
    u32: u32,
    u64: u64,
    usize: usize,
    i8: i8,
    i16: i16,
    i32: i32,
    i64: i64,
    f32: f32,
    f64: f64,
    maybe: Option<u32>,
    many: Vec<u16>,
    inner: Inner,
}

#[derive(Default, Deserialize, Serialize, schemars::JsonSchema)]
#[serde(default)]
struct Inner {
    count: u64,
    ratio: f64,
}

fn server() -> Server {
    Server::builder("numbers", "1")
        .tool("numbers", ToolOptions::new(), async |numbers: Numbers, _ctx: mcp::Context| Json(numbers))
        .build()
        .unwrap()
}

async fn listed(client: &Client) -> Value {
    client.request("tools/list", Value::Null).await.result()["tools"][0].clone()
}

/// The type and the bounds of each field.
fn bounds() -> Vec<(&'static str, &'static str, Option<i64>, Option<i64>)> {
    vec![
        ("u8", "integer", Some(0), Some(u8::MAX.into())),
        ("u16", "integer", Some(0), Some(u16::MAX.into())),
        ("u32", "integer", Some(0), Some(u32::MAX.into())),
        ("u64", "integer", Some(0), None),
        ("usize", "integer", Some(0), None),
        ("i8", "integer", Some(i8::MIN.into()), Some(i8::MAX.into())),
        ("i16", "integer", Some(i16::MIN.into()), Some(i16::MAX.into())),
        ("i32", "integer", Some(i32::MIN.into()), Some(i32::MAX.into())),
        ("i64", "integer", None, None),
        ("f32", "number", None, None),
        ("f64", "number", None, None),
    ]
}

#[tokio::test]
async fn a_derived_schema_has_bounds_in_place_of_number_formats() {
    each(legs::memory(), async |leg| {
        let client = leg.connect(&server()).await;
        let tool = listed(&client).await;
        let mut schemas = vec![&tool["inputSchema"]];
        schemas.extend(tool.get("outputSchema"));
        assert_eq!(schemas.len(), if leg.version >= mcp::ProtocolVersion::V2025_06_18 { 2 } else { 1 });
        for schema in schemas {
            assert!(!schema.to_string().contains("\"format\""), "{schema}");
            assert_eq!(schema["type"], "object");
            for (field, kind, minimum, maximum) in bounds() {
                let property = &schema["properties"][field];
                assert_eq!(property["type"], kind, "{field}");
                assert_eq!(property.get("minimum").and_then(Value::as_i64), minimum, "{field}");
                assert_eq!(property.get("maximum").and_then(Value::as_i64), maximum, "{field}");
            }
        }
    })
    .await;
}

#[tokio::test]
async fn a_number_out_of_its_bounds_is_refused_by_the_name_of_its_field() {
    each(legs::memory(), async |leg| {
        let client = leg.connect(&server()).await;
        for (arguments, field) in [
            (json!({"u8": 256}), "u8"),
            (json!({"u8": -1}), "u8"),
            (json!({"u16": 65536}), "u16"),
            (json!({"u32": 4_294_967_296_u64}), "u32"),
            (json!({"i32": -2_147_483_649_i64}), "i32"),
            (json!({"i8": 128}), "i8"),
            (json!({"u64": -1}), "u64"),
            (json!({"u32": 1.5}), "u32"),
            (json!({"f64": "1"}), "f64"),
            (json!({"many": [1, 70000]}), "many/1"),
            (json!({"inner": {"count": "x"}}), "inner/count"),
        ] {
            let reply = client.call("numbers", arguments.clone()).await;
            assert!(reply.tool_error().contains(field), "{arguments}: {}", reply.tool_error());
        }
    })
    .await;
}

#[tokio::test]
async fn numbers_at_their_bounds_are_taken_and_returned() {
    each(legs::memory(), async |leg| {
        let client = leg.connect(&server()).await;
        for arguments in [
            json!({"u8": 255, "u16": 65535, "u32": u32::MAX, "u64": u64::MAX, "i64": i64::MIN, "i32": i32::MIN}),
            json!({"u8": 0, "maybe": null, "many": [], "inner": {}}),
        ] {
            let reply = client.call("numbers", arguments.clone()).await;
            let returned: Value = serde_json::from_str(reply.text()).unwrap();
            for (name, value) in arguments.as_object().unwrap().iter().filter(|(name, _)| *name != "inner") {
                assert_eq!(&returned[name], value, "{name}");
            }
        }
    })
    .await;
}
