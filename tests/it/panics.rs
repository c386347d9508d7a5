//! What goes wrong inside of the host's code stays there: no detail reaches a client, nothing else fails (B65, B146).

use mcp::{
    CallToolResult, CompleteResult, Context, GetPromptResult, HandlerError, PromptArgument, PromptOptions,
    ReadResourceResult, ResourceOptions, Server, ToolOptions,
};

use crate::harness::*;

const SECRET: &str = "password=hunter2 in /etc/path";

fn failing() -> Server {
    let fails = || Err::<String, HandlerError>(std::io::Error::other(SECRET).into());
    Server::builder("failing", "1")
        .raw_tool("panics", ToolOptions::new(), async |_, _| -> String { panic!("{SECRET}") })
        .raw_tool("panics_late", ToolOptions::new(), async |_, _| -> String {
            tokio::task::yield_now().await;
            panic!("{SECRET}")
        })
        .raw_tool("panics_at_once", ToolOptions::new(), |_, _| -> std::future::Ready<String> { panic!("{SECRET}") })
        .raw_tool("panics_oddly", ToolOptions::new(), async |_, _| -> String { std::panic::panic_any(5) })
        .blocking_tool("blocking_panics", ToolOptions::new(), |_, _| -> String { panic!("{SECRET}") })
        .raw_tool("fails", ToolOptions::new(), move |_, _| async move { fails() })
        .tool_handler("handler_panics", ToolOptions::new(), Panics)
        .raw_tool("fine", ToolOptions::new(), async |_, _| "fine")
        .resource(
            "r",
            "test://panics",
            ResourceOptions::new(),
            async |_, _| -> Result<ReadResourceResult, HandlerError> { panic!("{SECRET}") },
        )
        .resource_template("t", "test://fails/{id}", ResourceOptions::new(), async |_, _| {
            Err::<ReadResourceResult, HandlerError>(std::io::Error::other(SECRET).into())
        })
        .prompt(
            "panics",
            PromptOptions::new().argument(PromptArgument::optional("a")),
            async |_, _| -> Result<GetPromptResult, HandlerError> { panic!("{SECRET}") },
        )
        .completion(async |_, _| -> Result<CompleteResult, HandlerError> { panic!("{SECRET}") })
        .build()
        .unwrap()
}

struct Panics;

impl mcp::ToolHandler for Panics {
    fn call(&self, _: mcp::RawJson, _: Context) -> mcp::HandlerFuture<CallToolResult> {
        panic!("{SECRET}")
    }
}

fn check(reply: &Reply) {
    assert!(!reply.wire.contains("hunter2") && !reply.wire.contains("/etc"), "{}", reply.wire);
}

#[tokio::test]
async fn a_tool_that_panics_or_fails_is_a_failed_tool_without_detail() {
    let tools =
        ["panics", "panics_late", "panics_at_once", "panics_oddly", "blocking_panics", "fails", "handler_panics"];
    each(legs::all(), async |leg| {
        let client = leg.connect(&failing()).await;
        for tool in tools {
            let reply = client.call(tool, json!({})).await;
            assert!(reply.tool_error().contains(tool), "{}", reply.wire);
            check(&reply);
        }
        assert_eq!(client.call("fine", json!({})).await.text(), "fine");
    })
    .await;
}

#[tokio::test]
async fn a_resource_prompt_or_completion_that_panics_is_an_internal_error_without_detail() {
    let argument = json!({"name": "a", "value": ""});
    let requests = [
        ("resources/read", json!({"uri": "test://panics"})),
        ("resources/read", json!({"uri": "test://fails/1"})),
        ("prompts/get", json!({"name": "panics"})),
        ("completion/complete", json!({"ref": {"type": "ref/prompt", "name": "panics"}, "argument": argument})),
    ];
    each(legs::all(), async |leg| {
        let client = leg.connect(&failing()).await;
        for (method, params) in &requests {
            let reply = client.request(method, params.clone()).await;
            reply.expect_code(-32603);
            check(&reply);
        }
        assert_eq!(client.call("fine", json!({})).await.text(), "fine");
    })
    .await;
}

#[tokio::test]
async fn a_failure_that_is_told_on_purpose_reaches_the_client_as_it_is() {
    each(legs::all(), async |leg| {
        let client = leg.connect(&fixture().server).await;
        assert_eq!(client.call("fail", json!({"kind": "message", "text": "try Bern"})).await.tool_error(), "try Bern");
        let reply = client.call("fail", json!({"kind": "protocol", "text": "own code"})).await;
        assert_eq!((reply.code(), reply.message()), (4711, "own code"));
        let reply = client.call("fail", json!({"kind": "other", "text": SECRET})).await;
        check(&reply);
        assert!(reply.tool_error().contains("fail"));
    })
    .await;
}

#[tokio::test]
async fn a_cache_hint_resolver_that_panics_gives_the_safe_hint() {
    each(legs::modern(), async |leg| {
        let fixture = Fixture::with(|builder| builder.cache_hint_resolver(|_| panic!("{SECRET}")));
        let client = leg.connect(&fixture.server).await;
        for method in ["server/discover", "tools/list", "prompts/list"] {
            let reply = client.request(method, Value::Null).await;
            assert_eq!((&reply.result()["ttlMs"], &reply.result()["cacheScope"]), (&json!(0), &json!("private")));
        }
        assert_eq!(client.call("echo", json!({"text": "alive"})).await.text(), "alive");
    })
    .await;
}

#[tokio::test]
async fn a_state_verifier_that_panics_refuses_the_state() {
    each(legs::modern(), async |leg| {
        let fixture = Fixture::with(|builder| builder.request_state_verifier(|_| panic!("{SECRET}")));
        let client = leg.connect(&fixture.server).await;
        let params = json!({"name": "ask_name", "arguments": {}, "requestState": "x"});
        let reply = client.request("tools/call", params).await;
        reply.expect_code(-32602);
        check(&reply);
        assert_eq!(client.call("echo", json!({"text": "alive"})).await.text(), "alive");
    })
    .await;
}

#[tokio::test]
async fn an_executor_that_panics_or_forgets_a_job_fails_that_call_only() {
    let forgets = |builder: mcp::ServerBuilder| builder.executor(drop);
    let panics = |builder: mcp::ServerBuilder| builder.executor(|_| panic!("{SECRET}"));
    each(legs::all(), async |leg| {
        for fixture in [Fixture::with(forgets), Fixture::with(panics)] {
            let client = leg.connect(&fixture.server).await;
            let reply = client.call("blocking_gate", json!({"name": "g"})).await;
            assert!(reply.tool_error().contains("blocking_gate"));
            check(&reply);
            assert_eq!(client.call("echo", json!({"text": "alive"})).await.text(), "alive");
        }
    })
    .await;
}
