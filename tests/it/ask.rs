//! Asking the client in the middle of a request, written once and served in both eras.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use mcp::{
    Context, ElicitRequest, HandlerError, InputRequired, InputRequiredConfig, PromptMessage, PromptOptions,
    ReadResourceResult, ResourceOptions, Server, ServerBuilder, ToolOptions,
};

use crate::harness::*;

fn question(field: &str) -> ElicitRequest {
    let schema = json!({"type": "object", "properties": {field: {"type": "string"}}, "required": [field]});
    ElicitRequest::form(format!("Your {field}?"), schema)
}

fn given(answer: &mcp::ElicitResult, field: &str) -> String {
    let content: Value = answer.content.as_ref().map(|content| content.deserialize().unwrap()).unwrap_or_default();
    content[field].as_str().unwrap_or("nothing").to_owned()
}

fn accept(field: &str, value: &str) -> Value {
    json!({"action": "accept", "content": {field: value}})
}

fn elicits() -> Value {
    json!({"elicitation": {}})
}

fn can_elicit() -> impl Iterator<Item = Leg> {
    legs::all().filter(|leg| leg.can_elicit())
}

/// Tools that ask as many times as the argument says; a prompt and a resource that ask; a tool that asks without `ask`.
fn asking() -> ServerBuilder {
    Server::builder("asking", "1")
        .raw_tool("action", ToolOptions::new(), async |_, ctx: Context| {
            let answer = ctx.ask("a", question("a"))?;
            Ok::<_, HandlerError>(format!("{:?} {}", answer.action, given(&answer, "a")))
        })
        .raw_tool("times", ToolOptions::new(), async |arguments: mcp::RawJson, ctx: Context| {
            let arguments: Value = arguments.deserialize().unwrap();
            let mut said = Vec::new();
            for n in 0..arguments["n"].as_u64().unwrap() {
                said.push(given(&ctx.ask(&format!("k{n}"), question("x"))?, "x"));
            }
            Ok::<_, HandlerError>(said.join(" "))
        })
        .raw_tool("stated", ToolOptions::new(), async |_, ctx: Context| {
            let asked = |state: &str, keys: &[&str]| {
                let empty = InputRequired::new().state(state);
                HandlerError::from(keys.iter().fold(empty, |input, key| input.request(*key, question("x"))))
            };
            match ctx.request_state() {
                None => return Err(asked("one", &["a", "b"])),
                Some("one") if ctx.input_responses().count() < 2 => return Err(asked("one", &["a", "b"])),
                Some("one") => return Err(asked("two", &["c"])),
                Some(_) => {}
            }
            let keys: Vec<_> = ctx.input_responses().map(|(key, _)| key.to_owned()).collect();
            Ok(format!("{} with {}", ctx.request_state().unwrap_or_default(), keys.join(",")))
        })
        .raw_tool("nothing", ToolOptions::new(), async |_, _| InputRequired::new())
        .prompt("asks", PromptOptions::new(), async |_, ctx: Context| {
            let answer = ctx.ask("a", question("a"))?;
            Ok::<_, HandlerError>(PromptMessage::user(given(&answer, "a").as_str()))
        })
        .resource("asks", "test://asks", ResourceOptions::new(), async |request: mcp::ReadRequest, ctx: Context| {
            let answer = ctx.ask("a", question("a"))?;
            Ok::<_, HandlerError>(ReadResourceResult::text(request.uri, given(&answer, "a")))
        })
        .completion(async |_, ctx: Context| {
            ctx.ask("a", question("a"))?;
            Ok::<_, HandlerError>(mcp::CompleteResult::new(["x"]))
        })
        .prompt("completed", PromptOptions::new().argument(mcp::PromptArgument::optional("a")), async |_, _| {
            Ok::<_, HandlerError>(PromptMessage::user("x"))
        })
}

#[tokio::test]
async fn a_handler_that_asks_gets_its_answers_once_or_twice() {
    each(can_elicit(), async |leg| {
        let client = leg.connect_with(&fixture().server, elicits()).await;
        client.answer_with(|method, params| {
            assert_eq!(method, "elicitation/create");
            let field = if params["message"] == "Your name?" { "name" } else { "city" };
            Ok(accept(field, if field == "name" { "Ann" } else { "Bern" }))
        });
        assert_eq!(client.call("ask_name", json!({})).await.text(), "Hello, Ann!");
        assert_eq!(client.call("ask_twice", json!({})).await.text(), "Ann of Bern");
    })
    .await;
}

#[tokio::test]
async fn a_handler_sees_what_the_person_did() {
    each(can_elicit(), async |leg| {
        let client = leg.connect_with(&asking().build().unwrap(), elicits()).await;
        for (answer, seen) in [
            (accept("a", "yes"), "Accept yes"),
            (json!({"action": "decline"}), "Decline nothing"),
            (json!({"action": "cancel"}), "Cancel nothing"),
            (json!({"action": "accept", "content": {"a": "x"}, "_meta": {"b": 1}}), "Accept x"),
        ] {
            client.answer_with(move |_, _| Ok(answer.clone()));
            assert_eq!(client.call("action", json!({})).await.text(), seen);
        }
    })
    .await;
}

#[tokio::test]
async fn a_form_that_is_filled_in_wrongly_fails_the_call() {
    each(can_elicit(), async |leg| {
        let client = leg.connect_with(&asking().build().unwrap(), elicits()).await;
        for content in [json!({}), json!({"a": 5}), json!({"b": "x"}), json!({"a": null})] {
            client.answer_with(move |_, _| Ok(json!({"action": "accept", "content": content})));
            let reply = client.call("action", json!({})).await;
            assert!(reply.is_error() || reply.result()["isError"] == true, "{}", reply.wire);
            if leg.is_modern() {
                assert!(reply.expect_code(-32602).message().contains("\"a\""), "{}", reply.wire);
            }
        }
        client.answer_with(|_, _| Ok(accept("a", "yes")));
        assert_eq!(client.call("action", json!({})).await.text(), "Accept yes");
    })
    .await;
}

#[tokio::test]
async fn prompts_and_resources_ask_too() {
    each(can_elicit(), async |leg| {
        let client = leg.connect_with(&asking().build().unwrap(), elicits()).await;
        client.answer_with(|_, _| Ok(accept("a", "yes")));
        let prompt = client.request("prompts/get", json!({"name": "asks"})).await;
        assert_eq!(prompt.result()["messages"][0]["content"]["text"], "yes");
        let resource = client.request("resources/read", json!({"uri": "test://asks"})).await;
        assert_eq!(resource.result()["contents"][0]["text"], "yes");
    })
    .await;
}

#[tokio::test]
async fn a_completion_cannot_ask() {
    each(can_elicit(), async |leg| {
        let client = leg.connect_with(&asking().build().unwrap(), elicits()).await;
        client.answer_with(|_, _| Ok(accept("a", "yes")));
        let argument = json!({"name": "a", "value": ""});
        let params = json!({"ref": {"type": "ref/prompt", "name": "completed"}, "argument": argument});
        client.request("completion/complete", params).await.expect_code(-32603);
        assert_eq!(client.call("action", json!({})).await.text(), "Accept yes");
    })
    .await;
}

#[tokio::test]
async fn several_things_are_asked_at_once_and_the_handlers_own_state_comes_back() {
    each(can_elicit(), async |leg| {
        let client = leg.connect_with(&asking().build().unwrap(), elicits()).await;
        client.answer_with(|_, _| Ok(accept("x", "y")));
        assert_eq!(client.call("stated", json!({})).await.text(), "two with c");
    })
    .await;
}

#[tokio::test]
async fn asking_for_nothing_fails_and_harms_nobody() {
    each(can_elicit(), async |leg| {
        let client = leg.connect_with(&asking().build().unwrap(), elicits()).await;
        let reply = client.call("nothing", json!({})).await;
        assert!(reply.is_error() || reply.result()["isError"] == true, "{}", reply.wire);
        client.answer_with(|_, _| Ok(accept("a", "yes")));
        assert_eq!(client.call("action", json!({})).await.text(), "Accept yes");
    })
    .await;
}

#[tokio::test]
async fn a_legacy_request_may_ask_so_many_times_and_a_modern_one_as_often_as_it_likes() {
    each(can_elicit(), async |leg| {
        let config = InputRequiredConfig { max_rounds: 3, ..InputRequiredConfig::default() };
        let server = asking().input_required_config(config).build().unwrap();
        let client = leg.connect_with(&server, elicits()).await;
        let asked = Arc::<AtomicUsize>::default();
        let counter = asked.clone();
        client.answer_with(move |_, _| {
            counter.fetch_add(1, Ordering::SeqCst);
            Ok(accept("x", "y"))
        });
        assert_eq!(client.call("times", json!({"n": 3})).await.text(), "y y y");
        assert_eq!(asked.swap(0, Ordering::SeqCst), 3);
        let reply = client.call("times", json!({"n": 5})).await;
        if leg.is_modern() {
            assert_eq!(reply.text(), "y y y y y");
        } else {
            assert!(reply.tool_error().contains("3 times"), "{}", reply.wire);
            assert_eq!(asked.load(Ordering::SeqCst), 3);
        }
    })
    .await;
}

#[tokio::test]
async fn without_the_shim_a_legacy_client_is_never_asked() {
    each(can_elicit(), async |leg| {
        let config = InputRequiredConfig { legacy_shim: false, ..InputRequiredConfig::default() };
        let client = leg.connect_with(&asking().input_required_config(config).build().unwrap(), elicits()).await;
        client.answer_with(|_, _| Ok(accept("a", "yes")));
        let reply = client.call("action", json!({})).await;
        if leg.is_modern() {
            assert_eq!(reply.text(), "Accept yes");
        } else {
            assert!(reply.tool_error().contains("input"), "{}", reply.wire);
            assert!(client.history().iter().all(|message| message.method().is_none()));
        }
    })
    .await;
}

#[tokio::test]
async fn answers_to_several_calls_find_their_own() {
    each(can_elicit().filter(|leg| leg.is_legacy()), async |leg| {
        let client = leg.connect_with(&asking().build().unwrap(), elicits()).await;
        let mut calls = Vec::new();
        for _ in 0..5 {
            let pending = client.start_call("action", json!({})).await;
            calls.push((client.server_request("elicitation/create").await, pending));
        }
        for (n, (request, _)) in calls.iter().enumerate().rev() {
            client.answer(request, Ok(accept("a", &n.to_string()))).await;
        }
        for (n, (_, pending)) in calls.iter().enumerate() {
            assert_eq!(client.reply(pending).await.text(), format!("Accept {n}"));
        }
    })
    .await;
}
