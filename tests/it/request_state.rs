//! Retries of the modern era: what they must bring, and what a sealed state is good for (B129).

use mcp::{
    Context, ElicitRequest, HandlerError, InputRequired, PromptMessage, PromptOptions, RawJson, Server, ServerBuilder,
    ToolOptions,
};

use crate::harness::*;

const KEY: &str = "a key that several processes share";

fn question(field: &str) -> ElicitRequest {
    let schema = json!({"type": "object", "properties": {field: {"type": "string"}}});
    ElicitRequest::form(format!("Your {field}?"), schema)
}

async fn asks(_: RawJson, ctx: Context) -> Result<String, HandlerError> {
    let mut said = Vec::new();
    for key in ["one", "two"] {
        let answer = ctx.ask(key, question("x"))?;
        let content: Value = answer.content.unwrap_or(RawJson::NULL).deserialize().unwrap();
        said.push(content["x"].as_str().unwrap_or("nothing").to_owned());
    }
    Ok(said.join(" "))
}

/// `asks` and `other` ask "one" and then "two"; so does the prompt `asks`.
fn builder() -> ServerBuilder {
    Server::builder("states", "1")
        .raw_tool("asks", ToolOptions::new(), asks)
        .raw_tool("other", ToolOptions::new(), asks)
        .prompt("asks", PromptOptions::new(), async |_, ctx: Context| {
            ctx.ask("one", question("x"))?;
            ctx.ask("two", question("x"))?;
            Ok::<_, HandlerError>(PromptMessage::user("done"))
        })
        .raw_tool("own", ToolOptions::new(), async |_, ctx: Context| match ctx.request_state() {
            None => Err(HandlerError::from(InputRequired::new().state("signed:1").request("a", question("x")))),
            Some(state) => Ok(format!("came back with {state}")),
        })
}

async fn connect(leg: Leg, server: &Server) -> Client {
    leg.connect_with(server, json!({"elicitation": {}})).await
}

fn answer(text: &str) -> Value {
    json!({"action": "accept", "content": {"x": text}})
}

fn call(tool: &str, arguments: Value) -> Value {
    json!({"name": tool, "arguments": arguments})
}

/// The call with answers and a state.
fn retry(call: &Value, responses: Value, state: Option<&str>) -> Value {
    let mut params = call.clone();
    params["inputResponses"] = responses;
    if let Some(state) = state {
        params["requestState"] = json!(state);
    }
    params
}

/// The keys that are asked for, and the state.
#[track_caller]
fn asked(reply: &Reply) -> (Vec<String>, Option<String>) {
    assert_eq!(reply.result()["resultType"], "input_required", "{}", reply.wire);
    let keys = reply.result()["inputRequests"].as_object().unwrap().keys().cloned().collect();
    (keys, reply.result().get("requestState").map(|state| state.as_str().unwrap().to_owned()))
}

/// Answers "one"; the state that carries this answer.
async fn sealed(client: &Client, call: &Value) -> String {
    assert_eq!(asked(&client.request("tools/call", call.clone()).await), (vec!["one".to_owned()], None));
    let reply = client.request("tools/call", retry(call, json!({"one": answer("1")}), None)).await;
    let (keys, state) = asked(&reply);
    assert_eq!(keys, ["two"]);
    state.expect("a state that carries the first answer")
}

#[track_caller]
fn expect_refused(reply: &Reply, what: &str) {
    assert!(reply.is_error(), "{what}: was taken: {}", reply.wire);
    reply.expect_code(-32602);
    assert_eq!(reply.error()["data"], json!({"reason": "invalid_request_state"}), "{what}");
    assert!(reply.message().contains("requestState"), "{what}: {}", reply.message());
}

#[tokio::test]
async fn what_is_still_open_is_asked_again_and_what_nobody_asked_is_ignored() {
    each(legs::modern(), async |leg| {
        let client = connect(leg, &builder().build().unwrap()).await;
        let call = call("asks", json!({}));
        let state = sealed(&client, &call).await;
        for (responses, state, keys) in [
            (json!({}), None, "one"),
            (json!({"two": answer("2")}), None, "one"),
            (json!({"junk": 5, "": [], "One": answer("1")}), None, "one"),
            (json!({}), Some(&state), "two"),
            (json!({"one": answer("other")}), Some(&state), "two"),
            (json!({"junk": {"action": "accept"}}), Some(&state), "two"),
        ] {
            let reply = client.request("tools/call", retry(&call, responses.clone(), state.map(String::as_str))).await;
            assert_eq!(asked(&reply).0, [keys], "{responses}");
        }
        // All at once, and the answers of the rounds together.
        let both = json!({"one": answer("1"), "two": answer("2"), "junk": null});
        assert_eq!(client.request("tools/call", retry(&call, both, None)).await.text(), "1 2");
        let last = retry(&call, json!({"one": answer("other"), "two": answer("2")}), Some(&state));
        assert_eq!(client.request("tools/call", last).await.text(), "1 2");
    })
    .await;
}

#[tokio::test]
async fn a_malformed_answer_is_refused() {
    each(legs::modern(), async |leg| {
        let client = connect(leg, &builder().build().unwrap()).await;
        let call = call("asks", json!({}));
        for one in [
            json!(5),
            Value::Null,
            json!("accept"),
            json!([]),
            json!(["accept"]),
            json!({}),
            json!({"action": "maybe"}),
            json!({"action": 5}),
            json!({"content": {"x": "1"}}),
        ] {
            let reply = client.request("tools/call", retry(&call, json!({"one": one}), None)).await;
            assert!(reply.is_error(), "{one} was taken: {}", reply.wire);
            assert!(reply.expect_code(-32602).message().contains("one"), "{}", reply.wire);
        }
        for responses in [json!(5), json!([]), json!("x"), Value::Null] {
            let reply = client.request("tools/call", retry(&call, responses, None)).await;
            assert!(reply.expect_code(-32602).message().contains("inputResponses"), "{}", reply.wire);
        }
        for state in [json!(5), json!({}), json!([]), Value::Null] {
            let mut params = call.clone();
            params["requestState"] = state;
            let reply = client.request("tools/call", params).await;
            assert!(reply.expect_code(-32602).message().contains("requestState"), "{}", reply.wire);
        }
        client.request("tools/call", call).await.result();
    })
    .await;
}

#[tokio::test]
async fn a_state_is_good_for_its_own_request_only_as_often_as_it_comes() {
    each(legs::modern(), async |leg| {
        let client = connect(leg, &builder().build().unwrap()).await;
        let own = call("asks", json!({"a": 1, "b": {"c": "d", "e": [1, 2]}}));
        let state = sealed(&client, &own).await;
        let two = || json!({"two": answer("2")});
        for _ in 0..2 {
            let reply = client.request("tools/call", retry(&own, two(), Some(&state))).await;
            assert_eq!(reply.text(), "1 2");
        }
        for (what, other) in [
            ("other tool", call("other", own["arguments"].clone())),
            ("other arguments", call("asks", json!({"a": 2, "b": {"c": "d", "e": [1, 2]}}))),
            ("fewer arguments", call("asks", json!({"a": 1}))),
            ("other order in an array", call("asks", json!({"a": 1, "b": {"c": "d", "e": [2, 1]}}))),
            ("no arguments", json!({"name": "asks"})),
        ] {
            let reply = client.request("tools/call", retry(&other, two(), Some(&state))).await;
            expect_refused(&reply, what);
        }
        let prompt = retry(&json!({"name": "asks"}), two(), Some(&state));
        expect_refused(&client.request("prompts/get", prompt).await, "other method");
    })
    .await;
}

#[tokio::test]
async fn the_same_arguments_may_be_written_anew() {
    each(legs::modern().filter(|leg| !leg.is_http()), async |leg| {
        let client = connect(leg, &builder().build().unwrap()).await;
        let own = call("asks", json!({"a": 1, "b": {"c": "d", "e": [1, 2]}}));
        let state = sealed(&client, &own).await;
        let params = retry(&own, json!({"two": answer("2")}), Some(&state));
        let written = own["arguments"].to_string();
        let anew = r#"{ "b" : {"e":[1, 2],"c":"\u0064"}, "a":1 }"#;
        let reply = client.send_altered("tools/call", params, &written, anew).await.unwrap();
        assert_eq!(reply.text(), "1 2");
    })
    .await;
}

#[tokio::test]
async fn a_state_that_was_changed_is_refused() {
    each(legs::modern(), async |leg| {
        let client = connect(leg, &builder().build().unwrap()).await;
        let own = call("asks", json!({}));
        let state = sealed(&client, &own).await;
        let mut changed: Vec<String> = (0..state.len())
            .step_by(7)
            .map(|at| {
                let mut bytes = state.clone().into_bytes();
                bytes[at] = if bytes[at] == b'A' { b'B' } else { b'A' };
                String::from_utf8(bytes).unwrap()
            })
            .collect();
        changed.extend(["", "x", "null", "{}", "é", "\u{0}"].map(str::to_owned));
        changed.extend([format!("{state}="), format!("{state}AAAA"), state[4..].to_owned(), state[..20].to_owned()]);
        changed.extend([
            format!(" {state}"),
            state.to_uppercase(),
            "A".repeat((1 << 20) + 4),
            format!("{state}.{state}"),
        ]);
        for changed in &changed {
            let reply = client.request("tools/call", retry(&own, json!({"two": answer("2")}), Some(changed))).await;
            expect_refused(&reply, &changed[..changed.len().min(40)]);
        }
        let reply = client.request("tools/call", retry(&own, json!({"two": answer("2")}), Some(&state))).await;
        assert_eq!(reply.text(), "1 2");
    })
    .await;
}

#[tokio::test]
async fn a_state_lives_as_long_as_its_key() {
    let own = call("asks", json!({}));
    let taken = async |leg: Leg, server: ServerBuilder, state: &str| {
        let client = connect(leg, &server.build().unwrap()).await;
        let reply = client.request("tools/call", retry(&own, json!({"two": answer("2")}), Some(state))).await;
        if reply.is_error() {
            expect_refused(&reply, "another key");
        }
        !reply.is_error()
    };
    each(legs::modern().filter(|leg| !leg.is_http()), async |leg| {
        let random = sealed(&connect(leg, &builder().build().unwrap()).await, &own).await;
        assert!(!taken(leg, builder(), &random).await, "a random key of another process");
        let keyed = sealed(&connect(leg, &builder().request_state_key(KEY).build().unwrap()).await, &own).await;
        for (what, server, takes) in [
            ("the same key", builder().request_state_key(KEY), true),
            ("a new key", builder().request_state_key("new"), false),
            ("rotated", builder().request_state_key("new").request_state_previous_key(KEY), true),
            ("rotated, said backwards", builder().request_state_previous_key(KEY).request_state_key("new"), true),
            (
                "rotated twice",
                builder().request_state_key("newer").request_state_previous_key("new").request_state_previous_key(KEY),
                true,
            ),
            ("no key", builder(), false),
        ] {
            assert_eq!(taken(leg, server, &keyed).await, takes, "{what}");
        }
        // A rotated server seals with the new key.
        let rotated = builder().request_state_key("new").request_state_previous_key(KEY).build().unwrap();
        let fresh = sealed(&connect(leg, &rotated).await, &own).await;
        assert!(taken(leg, builder().request_state_key("new"), &fresh).await);
        assert!(!taken(leg, builder().request_state_key(KEY), &fresh).await);
    })
    .await;
    assert!(builder().request_state_key("").build().is_err());
}

#[tokio::test]
async fn a_state_expires_unless_its_life_has_no_limit() {
    let leg = legs::memory().last().unwrap();
    let own = call("asks", json!({}));
    let two = |state: &str| retry(&own, json!({"two": answer("2")}), Some(state));
    let short = connect(leg, &builder().request_state_ttl(std::time::Duration::from_millis(1)).build().unwrap()).await;
    let endless = connect(leg, &builder().request_state_ttl(std::time::Duration::ZERO).build().unwrap()).await;
    let (expires, lives) = (sealed(&short, &own).await, sealed(&endless, &own).await);
    let refused = within("the state to expire", async {
        loop {
            let reply = short.request("tools/call", two(&expires)).await;
            if reply.is_error() {
                return reply;
            }
        }
    })
    .await;
    expect_refused(&refused, "expired");
    assert!(refused.message().contains("expired"), "{}", refused.message());
    assert_eq!(endless.request("tools/call", two(&lives)).await.text(), "1 2");
    // Without the state, the client is asked afresh.
    assert_eq!(asked(&short.request("tools/call", own.clone()).await).0, ["one"]);
}

#[tokio::test]
async fn a_verifier_of_the_hosts_judges_the_states_of_its_handlers() {
    each(legs::modern(), async |leg| {
        let verified = builder().request_state_verifier(|state| state.starts_with("signed:")).build().unwrap();
        let client = connect(leg, &verified).await;
        let own = call("own", json!({}));
        let (_, state) = asked(&client.request("tools/call", own.clone()).await);
        assert_eq!(state.as_deref(), Some("signed:1"));
        for (state, comes_back) in [("signed:1", true), ("signed:2", true), ("forged", false), ("", false)] {
            let reply = client.request("tools/call", retry(&own, json!({"a": answer("1")}), Some(state))).await;
            match comes_back {
                true => assert_eq!(reply.text(), format!("came back with {state}")),
                false => expect_refused(&reply, state),
            }
        }
        // Answers that the server carries itself are sealed all the same.
        let asks = call("asks", json!({}));
        let state = sealed(&client, &asks).await;
        let reply = client.request("tools/call", retry(&asks, json!({"two": answer("2")}), Some(&state))).await;
        assert_eq!(reply.text(), "1 2");
        // Without a verifier the state is sealed.
        let client = connect(leg, &builder().build().unwrap()).await;
        let (_, state) = asked(&client.request("tools/call", own.clone()).await);
        assert!(!state.as_deref().unwrap().contains("signed:1"));
        let reply = client.request("tools/call", retry(&own, json!({"a": answer("1")}), state.as_deref())).await;
        assert_eq!(reply.text(), "came back with signed:1");
        expect_refused(&client.request("tools/call", retry(&own, json!({}), Some("signed:1"))).await, "unsealed");
    })
    .await;
}

#[cfg(feature = "http")]
#[tokio::test]
async fn a_state_is_good_for_its_own_principal_only() {
    async fn authenticate(
        mut request: axum::extract::Request,
        next: axum::middleware::Next,
    ) -> axum::response::Response {
        let user = request.headers().get("x-user").and_then(|user| user.to_str().ok()).map(mcp::Principal::new);
        if let Some(user) = user {
            request.extensions_mut().insert(user);
        }
        next.run(request).await
    }
    let service = builder().build().unwrap().http_service(mcp::HttpOptions::new());
    let app = axum::Router::new().route_service("/mcp", service).layer(axum::middleware::from_fn(authenticate));
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let http = Http::new(listener.local_addr().unwrap());
    let serving = tokio::spawn(async move { axum::serve(listener, app).await });
    let send = async |user: &str, responses: Value, state: Option<&str>| {
        let mut params = retry(&call("asks", json!({})), responses, state);
        params["_meta"] = json!({"io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientCapabilities": {"elicitation": {}}});
        let message = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params});
        let post = http.post(message).set("MCP-Protocol-Version", "2026-07-28").set("Mcp-Method", "tools/call");
        let post = post.set("Mcp-Name", "asks");
        let post = if user.is_empty() { post } else { post.set("X-User", user) };
        post.send().await.json().await
    };
    let asked = send("ann", json!({"one": answer("1")}), None).await;
    let state = asked["result"]["requestState"].as_str().unwrap().to_owned();
    for (user, takes) in [("ann", true), ("bob", false), ("", false), ("Ann", false)] {
        let reply = send(user, json!({"two": answer("2")}), Some(&state)).await;
        assert_eq!(reply.get("result").is_some(), takes, "{user:?}: {reply}");
        assert_eq!(reply["error"]["code"] == -32602, !takes, "{user:?}: {reply}");
    }
    serving.abort();
}
