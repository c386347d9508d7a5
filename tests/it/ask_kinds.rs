//! What a client can be asked, by kind, by what it declared and by revision (B63, B131).

use mcp::ProtocolVersion as V;
use mcp::{
    CallToolResult, Context, CreateMessageRequest, ElicitRequest, HandlerError, ListRoots, RawJson, Server, ToolOptions,
};

use crate::harness::*;

/// One tool for each kind of question.
fn server() -> Server {
    let form = || ElicitRequest::form("Name?", json!({"type": "object", "properties": {"n": {"type": "string"}}}));
    let sample = || {
        let mut request = CreateMessageRequest::new(100).user("Hello").assistant("Hi");
        request.system_prompt = Some("Be brief".into());
        request.temperature = Some(0.5);
        request.stop_sequences = vec!["END".into()];
        request.model_preferences = Some(json!({"hints": [{"name": "small"}]}).into());
        request
    };
    let with_tools = move || {
        let mut request = sample();
        request.tools = Some(json!([{"name": "t", "inputSchema": {"type": "object"}}]).into());
        request.tool_choice = Some(json!({"mode": "auto"}).into());
        request
    };
    let said =
        |answer: mcp::CreateMessageResult| CallToolResult::text(format!("{:?} by {}", answer.text(), answer.model));
    Server::builder("kinds", "1")
        .raw_tool("form", ToolOptions::new(), move |_, ctx: Context| async move {
            let answer = ctx.ask("q", form())?;
            Ok::<_, HandlerError>(format!("{:?}", answer.action))
        })
        .raw_tool("url", ToolOptions::new(), async |_, ctx: Context| {
            let answer = ctx.ask("q", ElicitRequest::url("Log in", "https://example.com/login"))?;
            Ok::<_, HandlerError>(format!("{:?}", answer.action))
        })
        .raw_tool("sample", ToolOptions::new(), move |_, ctx: Context| async move {
            Ok::<_, HandlerError>(said(ctx.ask("q", sample())?))
        })
        .raw_tool("sample_tools", ToolOptions::new(), move |_, ctx: Context| async move {
            Ok::<_, HandlerError>(said(ctx.ask("q", with_tools())?))
        })
        .raw_tool("roots", ToolOptions::new(), async |_: RawJson, ctx: Context| {
            let roots = ctx.ask("q", ListRoots)?.roots;
            let shown = roots.iter().map(|root| format!("{} {:?}", root.uri, root.name)).collect::<Vec<_>>();
            Ok::<_, HandlerError>(shown.join(", "))
        })
        .build()
        .unwrap()
}

fn everything() -> Value {
    json!({"elicitation": {"form": {}, "url": {}}, "sampling": {"tools": {}}, "roots": {"listChanged": true}})
}

/// Calls a tool that asks; what was asked, as `{"method":…,"params":…}` without the id of a URL elicitation, and the
/// answer to the call.
async fn ask(client: &Client, tool: &str, answer: Value) -> (Value, Reply) {
    let (seen, note) = tokio::sync::watch::channel(Value::Null);
    client.answer_with(move |method, params| {
        seen.send_replace(json!({"method": method, "params": params}));
        Ok(answer.clone())
    });
    let reply = client.call(tool, json!({})).await;
    (note.borrow().clone(), reply)
}

#[tokio::test]
async fn a_form_says_that_it_is_one_where_the_revision_has_modes() {
    each(legs::all().filter(|leg| leg.can_elicit()), async |leg| {
        let client = leg.connect_with(&server(), everything()).await;
        let (asked, reply) = ask(&client, "form", json!({"action": "accept", "content": {"n": "x"}})).await;
        let schema = json!({"type": "object", "properties": {"n": {"type": "string"}}});
        let mut want = json!({"message": "Name?", "requestedSchema": schema});
        if leg.version >= V::V2025_11_25 {
            want["mode"] = json!("form");
        }
        assert_eq!(asked, json!({"method": "elicitation/create", "params": want}));
        assert_eq!(reply.text(), "Accept");
    })
    .await;
}

#[tokio::test]
async fn a_page_to_visit_has_an_id_in_the_one_revision_that_wants_it() {
    each(legs::all().filter(|leg| leg.can_elicit() && leg.version >= V::V2025_11_25), async |leg| {
        let client = leg.connect_with(&server(), everything()).await;
        let mut ids = Vec::new();
        for _ in 0..2 {
            let (mut asked, reply) = ask(&client, "url", json!({"action": "accept"})).await;
            ids.extend(asked["params"].as_object_mut().unwrap().remove("elicitationId"));
            let params = json!({"mode": "url", "message": "Log in", "url": "https://example.com/login"});
            assert_eq!(asked, json!({"method": "elicitation/create", "params": params}));
            assert_eq!(reply.text(), "Accept");
        }
        if leg.is_modern() {
            assert!(ids.is_empty(), "{ids:?}");
        } else {
            assert!(ids.len() == 2 && ids[0] != ids[1], "{ids:?}");
        }
    })
    .await;
}

#[tokio::test]
async fn the_clients_model_is_asked_with_tools_where_the_revision_has_them() {
    each(legs::all().filter(|leg| leg.can_ask()), async |leg| {
        let client = leg.connect_with(&server(), everything()).await;
        let text = |text: &str| json!({"type": "text", "text": text});
        let mut want = json!({
            "messages": [{"role": "user", "content": text("Hello")}, {"role": "assistant", "content": text("Hi")}],
            "maxTokens": 100, "systemPrompt": "Be brief", "temperature": 0.5, "stopSequences": ["END"],
            "modelPreferences": {"hints": [{"name": "small"}]},
        });
        let answer = json!({"role": "assistant", "content": text("Hey"), "model": "m-1", "stopReason": "endTurn"});
        let (asked, reply) = ask(&client, "sample", answer).await;
        assert_eq!(asked, json!({"method": "sampling/createMessage", "params": want}));
        assert_eq!(reply.text(), "Some(\"Hey\") by m-1");
        let blocks = json!([{"type": "tool_use", "id": "1", "name": "t", "input": {}}, text("Many")]);
        let answer = json!({"role": "assistant", "content": blocks, "model": "m-2"});
        let (asked, reply) = ask(&client, "sample_tools", answer).await;
        if leg.version >= V::V2025_11_25 {
            want["tools"] = json!([{"name": "t", "inputSchema": {"type": "object"}}]);
            want["toolChoice"] = json!({"mode": "auto"});
        }
        assert_eq!(asked["params"], want);
        assert_eq!(reply.text(), "Some(\"Many\") by m-2");
    })
    .await;
}

#[tokio::test]
async fn roots_are_asked_for_in_every_revision() {
    each(legs::all().filter(|leg| leg.can_ask()), async |leg| {
        let client = leg.connect_with(&server(), everything()).await;
        let roots = json!({"roots": [{"uri": "file:///a", "name": "A"}, {"uri": "file:///b"}]});
        let (asked, reply) = ask(&client, "roots", roots).await;
        assert_eq!(asked["method"], "roots/list");
        assert_eq!(reply.text(), "file:///a Some(\"A\"), file:///b None");
    })
    .await;
}

#[tokio::test]
async fn what_a_client_did_not_declare_is_never_asked() {
    let cases = [
        ("form", json!({}), json!({"elicitation": {"form": {}}})),
        ("form", json!({"sampling": {}, "roots": {}}), json!({"elicitation": {"form": {}}})),
        ("form", json!({"elicitation": {"url": {}}}), json!({"elicitation": {"form": {}}})),
        ("url", json!({}), json!({"elicitation": {"url": {}}})),
        ("url", json!({"elicitation": {}}), json!({"elicitation": {"url": {}}})),
        ("url", json!({"elicitation": {"form": {}}}), json!({"elicitation": {"url": {}}})),
        ("sample", json!({"elicitation": {}}), json!({"sampling": {}})),
        ("sample_tools", json!({"sampling": {}}), json!({"sampling": {"tools": {}}})),
        ("roots", json!({"sampling": {}}), json!({"roots": {}})),
    ];
    each(legs::all().filter(|leg| leg.can_elicit()), async |leg| {
        let host = leg.host(&server()).await.shared();
        for (tool, declared, missing) in &cases {
            let client = host.connect_with(declared.clone()).await;
            let reply = client.call(tool, json!({})).await;
            if leg.is_modern() {
                reply.expect_code(-32021);
                assert_eq!(reply.error()["data"], json!({"requiredCapabilities": missing}), "{tool}");
                assert!(reply.status.is_none_or(|status| status == 400), "{reply:?}");
            } else {
                assert!(reply.tool_error().contains("capability"), "{tool}: {}", reply.wire);
            }
            assert!(client.history().iter().all(|message| message.method().is_none()));
        }
    })
    .await;
}

#[tokio::test]
async fn what_a_client_declared_is_enough() {
    let cases = [
        ("form", json!({"elicitation": {}})),
        ("form", json!({"elicitation": {"form": {}}})),
        ("form", json!({"elicitation": {"form": {}, "url": {}}})),
        ("sample", json!({"sampling": {}})),
        ("roots", json!({"roots": {}})),
    ];
    let answer = json!({"action": "decline", "role": "assistant", "content": {"type": "text", "text": "x"}, "model": "m",
        "roots": []});
    each(legs::all().filter(|leg| leg.can_elicit()), async |leg| {
        let host = leg.host(&server()).await.shared();
        for (tool, declared) in &cases {
            let client = host.connect_with(declared.clone()).await;
            let (asked, reply) = ask(&client, tool, answer.clone()).await;
            assert!(!asked.is_null(), "{tool}");
            assert!(reply.result().get("isError").is_none(), "{tool}: {}", reply.wire);
        }
    })
    .await;
}

#[tokio::test]
async fn what_a_revision_does_not_have_is_never_asked() {
    let cases = [("form", V::V2025_06_18), ("url", V::V2025_11_25)];
    each(legs::legacy().filter(|leg| leg.can_ask()), async |leg| {
        let client = leg.connect_with(&server(), everything()).await;
        for (tool, first) in cases {
            if leg.version < first {
                assert!(client.call(tool, json!({})).await.tool_error().contains("elicitation"));
            }
        }
        assert!(client.history().iter().all(|message| message.method().is_none()));
    })
    .await;
}

#[tokio::test]
async fn where_there_is_no_way_to_ask_the_handler_learns_it_at_once() {
    each(legs::legacy().filter(|leg| !leg.can_ask()), async |leg| {
        let client = leg.connect(&server()).await;
        for tool in ["form", "url", "sample", "roots"] {
            assert!(!client.call(tool, json!({})).await.tool_error().is_empty());
        }
    })
    .await;
    // A client that takes no stream can't be asked either.
    each(legs::only(V::V2025_11_25, Transport::Http), async |leg| {
        let client = leg.connect_with(&server(), everything()).await;
        let call = client.message(Some(json!(1)), "tools/call", json!({"name": "form", "arguments": {}}));
        let reply = client.post(&call).set("Accept", "application/json").send().await.json().await;
        assert_eq!(reply["result"]["isError"], true, "{reply}");
    })
    .await;
}
