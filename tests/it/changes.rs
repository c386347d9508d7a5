//! How clients of both eras hear of what changed at run time (B48, B144).

use std::time::Duration;

use mcp::{
    CallToolResult, Context, GetPromptResult, HandlerFuture, PromptArguments, PromptOptions, RawJson, ReadRequest,
    ReadResourceResult, ResourceOptions, Server, ToolOptions,
};

use crate::harness::*;

/// A handler of every kind, which does next to nothing.
struct Plain;

impl mcp::ToolHandler for Plain {
    fn call(&self, _: RawJson, _: Context) -> HandlerFuture<CallToolResult> {
        Box::pin(std::future::ready(Ok(CallToolResult::text("plain"))))
    }
}

impl mcp::ResourceHandler for Plain {
    fn read(&self, request: ReadRequest, _: Context) -> HandlerFuture<ReadResourceResult> {
        Box::pin(std::future::ready(Ok(ReadResourceResult::text(request.uri, "plain"))))
    }
}

impl mcp::PromptHandler for Plain {
    fn get(&self, _: PromptArguments, _: Context) -> HandlerFuture<GetPromptResult> {
        Box::pin(std::future::ready(Ok(GetPromptResult::default())))
    }
}

fn announcing() -> impl Iterator<Item = Leg> {
    legs::all().filter(|leg| leg.can_announce())
}

const TOOLS: &str = "notifications/tools/list_changed";
const RESOURCES: &str = "notifications/resources/list_changed";
const PROMPTS: &str = "notifications/prompts/list_changed";
const UPDATED: &str = "notifications/resources/updated";

#[tokio::test]
async fn what_is_added_or_removed_is_announced_listed_and_served() {
    each(announcing(), async |leg| {
        let server = fixture().server;
        let client = leg.connect(&server).await;
        client.subscribe(&[]).await;
        server.add_tool_handler("new", ToolOptions::new(), Plain).unwrap();
        client.notification(TOOLS).await;
        assert_eq!(client.call("new", json!({})).await.text(), "plain");
        assert!(server.remove_tool("new") && !server.remove_tool("new"));
        client.notification(TOOLS).await;
        client.call("new", json!({})).await.expect_code(-32602);

        server.add_resource_handler("new", "new://1", ResourceOptions::new(), Plain).unwrap();
        client.notification(RESOURCES).await;
        client.request("resources/read", json!({"uri": "new://1"})).await.result();
        assert!(server.remove_resource("new://1") && !server.remove_resource("new://1"));
        client.notification(RESOURCES).await;
        assert!(client.request("resources/read", json!({"uri": "new://1"})).await.is_error());

        server.add_resource_template_handler("new", "new://{id}", ResourceOptions::new(), Plain).unwrap();
        client.notification(RESOURCES).await;
        client.request("resources/read", json!({"uri": "new://2"})).await.result();
        assert!(server.remove_resource_template("new://{id}") && !server.remove_resource_template("new://{id}"));
        client.notification(RESOURCES).await;
        assert!(client.request("resources/read", json!({"uri": "new://2"})).await.is_error());

        server.add_prompt_handler("new", PromptOptions::new(), Plain).unwrap();
        client.notification(PROMPTS).await;
        client.request("prompts/get", json!({"name": "new"})).await.result();
        assert!(server.remove_prompt("new") && !server.remove_prompt("new"));
        client.notification(PROMPTS).await;
        client.request("prompts/get", json!({"name": "new"})).await.expect_code(-32602);
    })
    .await;
}

#[tokio::test]
async fn what_cannot_be_added_changes_nothing_and_is_not_announced() {
    each(announcing(), async |leg| {
        let server = fixture().server;
        let client = leg.connect(&server).await;
        client.subscribe(&[]).await;
        assert!(server.add_tool_handler("echo", ToolOptions::new(), Plain).is_err());
        assert!(server.add_tool_handler("a b", ToolOptions::new(), Plain).is_err());
        assert!(
            server.add_tool_handler("x", ToolOptions::new().input_schema(json!({"type": "string"})), Plain).is_err()
        );
        assert!(server.add_resource_handler("r", "test://plain", ResourceOptions::new(), Plain).is_err());
        assert!(server.add_resource_handler("r", "no uri", ResourceOptions::new(), Plain).is_err());
        assert!(server.add_resource_template_handler("r", "x://{", ResourceOptions::new(), Plain).is_err());
        assert!(server.add_prompt_handler("plain", PromptOptions::new(), Plain).is_err());
        assert!(server.add_prompt_handler("", PromptOptions::new(), Plain).is_err());
        assert!(client.drain().await.is_empty());
        assert_eq!(client.call("echo", json!({"text": "x"})).await.text(), "x");
    })
    .await;
}

#[tokio::test]
async fn only_those_who_watch_a_resource_hear_that_it_changed() {
    each(announcing(), async |leg| {
        let server = fixture().server;
        let host = leg.host(&server).await.shared();
        let (watches, other) = (host.connect().await, host.connect().await);
        watches.subscribe(&["test://plain", "test://items/7"]).await;
        other.subscribe(&["test://items/8"]).await;
        for uri in ["test://nothing", "test://items/8", "test://items/7", "test://plain"] {
            server.notify_resource_updated(uri);
        }
        for uri in ["test://items/7", "test://plain"] {
            assert_eq!(watches.notification(UPDATED).await.params()["uri"], uri);
        }
        assert_eq!(other.notification(UPDATED).await.params()["uri"], "test://items/8");
        assert!(watches.drain().await.is_empty() && other.drain().await.is_empty());
    })
    .await;
}

#[tokio::test]
async fn a_legacy_client_watches_and_stops_watching() {
    each(announcing().filter(|leg| leg.is_legacy()), async |leg| {
        let limits = mcp::Limits { max_subscriptions: 2, ..mcp::Limits::default() };
        let server = Fixture::with(|builder| builder.limits(limits)).server;
        let client = leg.connect(&server).await;
        client.subscribe(&["test://a", "test://b", "test://a"]).await;
        let third = client.request("resources/subscribe", json!({"uri": "test://c"})).await;
        third.expect_code(-32602);
        for uri in ["test://a", "test://never"] {
            assert_eq!(client.request("resources/unsubscribe", json!({"uri": uri})).await.result(), &json!({}));
        }
        client.request("resources/subscribe", json!({"uri": "test://c"})).await.result();
        for uri in ["test://a", "test://b", "test://c"] {
            server.notify_resource_updated(uri);
        }
        for uri in ["test://b", "test://c"] {
            assert_eq!(client.notification(UPDATED).await.params(), &json!({"uri": uri}));
        }
        for params in [Value::Null, json!({}), json!({"uri": 5})] {
            client.request("resources/subscribe", params).await.expect_code(-32602);
        }
    })
    .await;
}

#[tokio::test]
async fn a_handler_may_change_the_server_that_runs_it() {
    each(announcing(), async |leg| {
        let gates = Gates::default();
        let inside = gates.clone();
        let server = Server::builder("self", "1")
            .raw_tool("suicide", ToolOptions::new(), move |_, ctx: Context| {
                let gates = inside.clone();
                async move {
                    assert!(ctx.server().remove_tool("suicide") && !ctx.server().remove_tool("suicide"));
                    ctx.server().add_tool_handler("child", ToolOptions::new(), Plain).unwrap();
                    ctx.server().notify_tools_changed();
                    ctx.server().add_resource_handler("r", "new://1", ResourceOptions::new(), Plain).unwrap();
                    ctx.server().add_prompt_handler("p", PromptOptions::new(), Plain).unwrap();
                    ctx.server().notify_resource_updated("new://1");
                    gates.pass("removed").await;
                    let list = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {"_meta": {
                        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
                        "io.modelcontextprotocol/clientCapabilities": {}}}});
                    let list = ctx.server().dispatch(list.to_string()).await.unwrap();
                    String::from_utf8(list.to_vec()).unwrap()
                }
            })
            .build()
            .unwrap();
        let client = leg.connect(&server).await;
        client.subscribe(&[]).await;
        let running = client.start_call("suicide", json!({})).await;
        gates.started("removed").await;
        client.notification(TOOLS).await;
        client.call("suicide", json!({})).await.expect_code(-32602);
        assert_eq!(client.call("child", json!({})).await.text(), "plain");
        gates.open("removed");
        let reply = client.reply(&running).await;
        assert!(reply.text().contains("\"child\"") && !reply.text().contains("\"suicide\""), "{}", reply.text());
    })
    .await;
}

#[tokio::test]
async fn a_server_that_has_ended_takes_changes_without_harm() {
    let server = fixture().server;
    let client = legs::memory().last().unwrap().connect(&server).await;
    client.subscribe(&["test://plain"]).await;
    server.shutdown(Duration::from_secs(1));
    client.ended().await;
    server.notify_tools_changed();
    server.notify_resource_updated("test://plain");
    server.add_tool_handler("late", ToolOptions::new(), Plain).unwrap();
    server.shutdown(Duration::ZERO);
}
