//! What clients of the modern era put into `_meta`.

use mcp::ProtocolVersion;
use serde_json::{Map, Value, json};

pub(super) const VERSION: &str = "io.modelcontextprotocol/protocolVersion";
pub(super) const CAPABILITIES: &str = "io.modelcontextprotocol/clientCapabilities";
const CLIENT: &str = "io.modelcontextprotocol/clientInfo";

/// The parameters with the metadata of a modern request, where the test did not give its own.
pub(super) fn with_meta(params: Value, version: ProtocolVersion, capabilities: &Value) -> Value {
    let mut params = match params {
        Value::Null => Map::new(),
        Value::Object(params) => params,
        other => return other,
    };
    let meta = params.entry("_meta").or_insert_with(|| json!({}));
    if let Value::Object(meta) = meta {
        meta.entry(VERSION).or_insert_with(|| version.as_str().into());
        meta.entry(CAPABILITIES).or_insert_with(|| capabilities.clone());
        meta.entry(CLIENT).or_insert_with(client_info);
    }
    params.into()
}

/// How the tests' client calls itself.
pub(super) fn client_info() -> Value {
    json!({"name": "tests", "version": "0"})
}
