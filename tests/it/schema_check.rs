//! That the check of what the server sends finds what it is there for.

use mcp::ProtocolVersion as V;

use crate::harness::*;

#[test]
fn a_message_that_breaks_its_schema_is_found() {
    if !schema::is_there() {
        return;
    }
    let ok = |result: Value| json!({"jsonrpc": "2.0", "id": 1, "result": result});
    let meta = json!({"io.modelcontextprotocol/serverInfo": {"name": "s", "version": "1"}});
    let page = json!({"tools": [], "resultType": "complete", "ttlMs": 0, "cacheScope": "private", "_meta": meta});
    schema::response(V::V2026_07_28, "tools/list", &ok(page.clone())).unwrap();
    for missing in ["tools", "resultType", "ttlMs", "cacheScope", "_meta"] {
        let mut page = page.clone();
        page.as_object_mut().unwrap().remove(missing);
        assert!(schema::response(V::V2026_07_28, "tools/list", &ok(page)).is_err(), "{missing}");
    }
    for version in [V::V2024_11_05, V::V2025_03_26, V::V2025_06_18, V::V2025_11_25] {
        schema::response(version, "tools/list", &ok(json!({"tools": []}))).unwrap();
        for leaked in ["resultType", "ttlMs", "cacheScope", "_meta"] {
            let result = json!({"tools": [], leaked: page[leaked]});
            assert!(schema::response(version, "tools/list", &ok(result)).is_err(), "{version}: {leaked}");
        }
        let nameless = json!({"tools": [{"inputSchema": {"type": "object"}}]});
        assert!(schema::response(version, "tools/list", &ok(nameless)).is_err(), "{version}");
    }
}

#[test]
fn an_error_a_notification_or_a_request_that_does_not_fit_its_revision_is_found() {
    if !schema::is_there() {
        return;
    }
    let anonymous = json!({"jsonrpc": "2.0", "error": {"code": -32700, "message": "garbage"}});
    for version in V::ALL {
        assert_eq!(schema::error(version, &anonymous).is_ok(), version >= V::V2025_11_25, "{version}");
    }
    let null = json!({"jsonrpc": "2.0", "id": null, "error": {"code": -32700, "message": "garbage"}});
    assert!(V::ALL.into_iter().all(|version| schema::error(version, &null).is_err()));
    let unsupported = json!({"jsonrpc": "2.0", "id": 1, "error": {"code": -32022, "message": "without its data"}});
    assert!(schema::error(V::V2026_07_28, &unsupported).is_err());
    let acknowledged = json!({"jsonrpc": "2.0", "method": "notifications/subscriptions/acknowledged", "params": {}});
    let method = "notifications/subscriptions/acknowledged";
    assert!(V::ALL.into_iter().all(|version| schema::notification(version, method, &acknowledged).is_err()));
    let roots = json!({"jsonrpc": "2.0", "id": 1, "method": "roots/list"});
    for version in V::ALL {
        assert_eq!(schema::request(version, "roots/list", &roots).is_ok(), version < V::V2026_07_28, "{version}");
    }
}
