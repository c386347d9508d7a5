//! Lists that are not offered, and announcements of changed ones (B42, B48).

use std::time::Duration;

use mcp::{CallToolResult, Server, ToolOptions};

use crate::harness::*;

const LISTS: [(&str, &str); 4] = [
    ("tools/list", "tools"),
    ("prompts/list", "prompts"),
    ("resources/list", "resources"),
    ("resources/templates/list", "resourceTemplates"),
];

fn tool(server: &Server, name: &str) {
    struct Handler;
    impl mcp::ToolHandler for Handler {
        fn call(&self, _: mcp::RawJson, _: mcp::Context) -> mcp::HandlerFuture<CallToolResult> {
            Box::pin(std::future::ready(Ok(CallToolResult::text("added"))))
        }
    }
    server.add_tool_handler(name, ToolOptions::new(), Handler).unwrap();
}

#[tokio::test]
async fn the_list_of_what_is_not_declared_does_not_exist() {
    each(legs::all(), async |leg| {
        let server = Server::builder("tools", "1").raw_tool("t", ToolOptions::new(), async |_, _| "x").build().unwrap();
        let client = leg.connect(&server).await;
        client.request("tools/list", Value::Null).await.result();
        for (method, _) in &LISTS[1..] {
            client.request(method, Value::Null).await.expect_code(-32601);
        }
    })
    .await;
}

#[tokio::test]
async fn the_list_of_what_is_not_declared_is_empty_when_the_host_wants_that() {
    each(legs::all(), async |leg| {
        let server = Server::builder("empty", "1").answer_empty_lists(true).build().unwrap();
        let client = leg.connect(&server).await;
        for (method, list) in LISTS {
            assert_eq!(client.request(method, Value::Null).await.result()[list], json!([]));
        }
        for method in ["tools/call", "prompts/get", "resources/read"] {
            client.request(method, json!({"name": "x", "uri": "x:y"})).await.expect_code(-32601);
        }
    })
    .await;
}

#[tokio::test]
async fn the_list_of_what_is_declared_and_empty_is_empty() {
    each(legs::all(), async |leg| {
        let builder = Server::builder("declared", "1").declare_tools().declare_prompts().declare_resources();
        let client = leg.connect(&builder.build().unwrap()).await;
        for (method, list) in LISTS {
            assert_eq!(client.request(method, Value::Null).await.result()[list], json!([]));
        }
    })
    .await;
}

/// Legs on which the time can stand still, since nothing but tasks of the test waits.
fn paused() -> impl Iterator<Item = Leg> {
    legs::memory()
}

#[tokio::test(start_paused = true)]
async fn many_changes_are_announced_in_few_notifications_and_the_last_is_not_lost() {
    each(paused(), async |leg| {
        let fixture = fixture();
        let client = leg.connect(&fixture.server).await;
        client.subscribe(&[]).await;
        for i in 0..500 {
            tool(&fixture.server, &format!("new{i}"));
            if i % 100 == 0 {
                tokio::task::yield_now().await;
            }
        }
        let changed = "notifications/tools/list_changed";
        client.notification(changed).await;
        tokio::time::sleep(Duration::from_secs(5)).await;
        let more = client.drain().await;
        assert!(more.len() <= 4, "{} notifications", more.len() + 1);
        assert!(more.iter().all(|message| message.method() == Some(changed)), "{more:?}");
        // The last change came after the first announcement, so it has one of its own, which a client acts on.
        tool(&fixture.server, "last");
        client.notification(changed).await;
        assert!(client.request("tools/list", Value::Null).await.names("tools").contains(&"last".to_owned()));
    })
    .await;
}

#[tokio::test]
async fn each_kind_of_change_is_announced_as_what_it_is() {
    each(legs::all().filter(|leg| leg.can_announce()), async |leg| {
        let fixture = fixture();
        let client = leg.connect(&fixture.server).await;
        client.subscribe(&["test://plain"]).await;
        for (kind, method) in [
            ("tools", "notifications/tools/list_changed"),
            ("prompts", "notifications/prompts/list_changed"),
            ("resources", "notifications/resources/list_changed"),
            ("updated:test://plain", "notifications/resources/updated"),
        ] {
            assert_eq!(client.call("notify", json!({"kind": kind})).await.text(), "notified");
            client.notification(method).await;
        }
        fixture.server.notify_resource_updated("test://other");
        fixture.server.notify_resource_updated("test://plain");
        let updated = client.notification("notifications/resources/updated").await;
        assert_eq!(updated.params()["uri"], "test://plain");
    })
    .await;
}

#[tokio::test]
async fn a_handler_may_change_the_list_that_it_is_on() {
    each(legs::all(), async |leg| {
        let client = leg.connect(&fixture().server).await;
        assert_eq!(client.call("add_tool", json!({"name": "new"})).await.text(), "added");
        assert_eq!(client.call("new", json!({})).await.text(), "added");
        assert_eq!(client.call("remove_tool", json!({"name": "remove_tool"})).await.text(), "true");
        client.call("remove_tool", json!({"name": "new"})).await.expect_code(-32602);
        client.call("add_tool", json!({"name": "new"})).await.tool_error();
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn nothing_is_announced_or_advertised_when_subscriptions_are_off() {
    each(paused(), async |leg| {
        let fixture = Fixture::with(|builder| builder.subscriptions_enabled(false));
        let client = leg.open(&fixture.server).await;
        let opened = match leg.is_modern() {
            true => client.request("server/discover", Value::Null).await,
            false => client.initialize(leg.version.as_str()).await,
        };
        assert!(!opened.wire.contains("listChanged") && !opened.wire.contains("subscribe"), "{}", opened.wire);
        if leg.is_modern() {
            let filter = json!({"notifications": {"toolsListChanged": true}});
            client.request("subscriptions/listen", filter).await.expect_code(-32601);
        } else {
            client.initialized().await;
            client.request("resources/subscribe", json!({"uri": "test://plain"})).await.expect_code(-32601);
        }
        tool(&fixture.server, "new");
        fixture.server.notify_resource_updated("test://plain");
        tokio::time::sleep(Duration::from_secs(5)).await;
        assert!(client.drain().await.is_empty());
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn nothing_is_announced_before_the_handshake_is_answered() {
    each(paused().filter(|leg| leg.is_legacy()), async |leg| {
        let fixture = fixture();
        let client = leg.open(&fixture.server).await;
        tool(&fixture.server, "early");
        tokio::time::sleep(Duration::from_secs(5)).await;
        assert!(client.drain().await.is_empty());
        let pending = client.start("initialize", json!({
            "protocolVersion": leg.version.as_str(), "capabilities": {}, "clientInfo": {"name": "t", "version": "0"},
        }));
        let pending = pending.await;
        let first = client.next().await;
        assert_eq!(first.raw_id(), Some(pending.id), "{}", first.wire);
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn a_modern_client_hears_nothing_that_it_did_not_ask_for() {
    each(paused().filter(|leg| leg.is_modern()), async |leg| {
        let fixture = fixture();
        let client = leg.connect(&fixture.server).await;
        tool(&fixture.server, "new");
        fixture.server.notify_resource_updated("test://plain");
        tokio::time::sleep(Duration::from_secs(5)).await;
        assert!(client.drain().await.is_empty());
    })
    .await;
}

#[tokio::test]
#[cfg(feature = "http")]
async fn a_legacy_client_without_a_session_is_promised_no_announcements() {
    each(legs::http().filter(|leg| leg.is_legacy() && !leg.can_announce()), async |leg| {
        let client = leg.open(&fixture().server).await;
        let reply = client.initialize(leg.version.as_str()).await;
        assert!(reply.result()["capabilities"]["tools"].get("listChanged").is_none(), "{}", reply.wire);
        assert!(reply.result()["capabilities"]["resources"].get("subscribe").is_none(), "{}", reply.wire);
        client.request("resources/subscribe", json!({"uri": "test://plain"})).await.expect_code(-32601);
    })
    .await;
}
