//! Names that can be registered (B53).

use mcp::{ConfigError, HandlerError, PromptOptions, ResourceOptions, Server, ToolOptions};

use crate::harness::*;

fn register(name: &str) -> Result<Server, ConfigError> {
    Server::builder("names", "1").raw_tool(name, ToolOptions::new(), async |_, _| "called").build()
}

#[tokio::test]
async fn a_tool_name_that_clients_cannot_use_is_refused_at_registration() {
    let long = "x".repeat(129);
    let running = register("fine").unwrap();
    for name in ["", "a\n", "\u{0}", "a\u{7f}b", "\u{85}", "a b", " a", "a,b", "a\tb", "a\u{a0}b", &long] {
        let error = register(name).err().unwrap_or_else(|| panic!("{name:?} was taken"));
        assert!(error.to_string().contains("name"), "{error}");
        assert!(!error.to_string().contains(|c: char| c.is_control()), "{error:?}");
        let late = running.add_tool_handler(name, ToolOptions::new(), Never);
        assert_eq!(late.unwrap_err(), error, "{name:?}");
    }
}

struct Never;

impl mcp::ToolHandler for Never {
    fn call(&self, _: mcp::RawJson, _: mcp::Context) -> mcp::HandlerFuture<mcp::CallToolResult> {
        panic!("this tool is never registered")
    }
}

#[tokio::test]
async fn a_tool_name_that_is_unusual_works() {
    let long = "x".repeat(128);
    for name in ["a.b", "a/b", "é", "a-b_c", "0", "__proto__", "constructor", "ECHO", "\u{1f50d}", "{x}", "a:b", &long]
    {
        let server = register(name).unwrap();
        each(legs::all(), async |leg| {
            let client = leg.connect(&server).await;
            assert_eq!(client.request("tools/list", Value::Null).await.names("tools"), [name]);
            assert_eq!(client.call(name, json!({})).await.text(), "called");
        })
        .await;
    }
}

#[tokio::test]
async fn a_name_that_is_taken_is_refused_at_registration() {
    let twice = Server::builder("names", "1")
        .raw_tool("t", ToolOptions::new(), async |_, _| "first")
        .raw_tool("t", ToolOptions::new(), async |_, _| "second")
        .build();
    assert!(twice.err().unwrap().to_string().contains("\"t\""));
    let server = register("t").unwrap();
    assert!(server.add_tool_handler("t", ToolOptions::new(), Never).is_err());
    assert!(server.remove_tool("t") && !server.remove_tool("t"));
    server.add_tool_handler("t", ToolOptions::new(), Never).unwrap();

    let prompt = async |_: mcp::PromptArguments, _: mcp::Context| Ok::<_, HandlerError>(mcp::GetPromptResult::new([]));
    let twice = Server::builder("names", "1").prompt("p", PromptOptions::new(), prompt).prompt(
        "p",
        PromptOptions::new(),
        prompt,
    );
    assert!(twice.build().is_err());
    let resource = async |request: mcp::ReadRequest, _: mcp::Context| {
        Ok::<_, HandlerError>(mcp::ReadResourceResult::text(request.uri, "x"))
    };
    let twice = Server::builder("names", "1")
        .resource("one", "test://same", ResourceOptions::new(), resource)
        .resource("other", "test://same", ResourceOptions::new(), resource);
    assert!(twice.build().is_err());
    let twice = Server::builder("names", "1")
        .resource_template("one", "test://{same}", ResourceOptions::new(), resource)
        .resource_template("other", "test://{same}", ResourceOptions::new(), resource);
    assert!(twice.build().is_err());
}

#[tokio::test]
async fn what_cannot_be_named_or_located_is_refused_at_registration() {
    let resource = async |request: mcp::ReadRequest, _: mcp::Context| {
        Ok::<_, HandlerError>(mcp::ReadResourceResult::text(request.uri, "x"))
    };
    for uri in ["", "no-scheme", "://x", "1x://a", "test://a b", "test://a\n", "/absolute"] {
        let builder = Server::builder("names", "1").resource("r", uri, ResourceOptions::new(), resource);
        assert!(builder.build().is_err(), "{uri:?}");
    }
    for template in ["", "test://{", "test://}", "test://{}", "test://{a b}"] {
        let builder = Server::builder("names", "1").resource_template("r", template, ResourceOptions::new(), resource);
        assert!(builder.build().is_err(), "{template:?}");
    }
    for name in ["", "a\n"] {
        let prompt =
            async |_: mcp::PromptArguments, _: mcp::Context| Ok::<_, HandlerError>(mcp::GetPromptResult::new([]));
        assert!(Server::builder("names", "1").prompt(name, PromptOptions::new(), prompt).build().is_err(), "{name:?}");
    }
}
