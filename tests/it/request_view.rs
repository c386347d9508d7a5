//! What a handler sees of its request as JSON, and questions that are JSON.

use std::sync::{Arc, Mutex};

use mcp::{
    CompleteRequest, CompleteResult, CompletionHandler, Context, HandlerError, HandlerFuture, InputRequest,
    PromptArgument, PromptMessage, PromptOptions, RawJson, ReadResourceResult, ResourceOptions, Server, ToolOptions,
};

use crate::harness::*;

type Seen = Arc<Mutex<Vec<(String, Value)>>>;

/// A server whose handlers note method and parameters of what they serve.
fn noting() -> (Server, Seen) {
    let seen = Seen::default();
    let note = || {
        let seen = seen.clone();
        move |ctx: &Context| seen.lock().unwrap().push((ctx.method().to_owned(), ctx.params().deserialize().unwrap()))
    };
    let (tool, resource, prompt, completion) = (note(), note(), note(), note());
    let server = Server::builder("noting", "1")
        .raw_tool("t", ToolOptions::new(), move |_, ctx| {
            tool(&ctx);
            async { "done" }
        })
        .resource("r", "test://r", ResourceOptions::new(), move |_, ctx| {
            resource(&ctx);
            async { Ok::<_, HandlerError>(ReadResourceResult::text("test://r", "done")) }
        })
        .prompt("p", PromptOptions::new().argument(PromptArgument::optional("a")), move |_, ctx| {
            prompt(&ctx);
            async { Ok::<_, HandlerError>(PromptMessage::user("done")) }
        })
        .completion(move |_, ctx| {
            completion(&ctx);
            async { Ok::<_, HandlerError>(CompleteResult::new(["done"])) }
        });
    (server.build().unwrap(), seen)
}

#[tokio::test]
async fn a_handler_sees_method_and_parameters_as_they_arrived() {
    each(legs::all(), async |leg| {
        let (server, seen) = noting();
        let client = leg.connect(&server).await;
        let argument = json!({"name": "a", "value": "\u{e9}"});
        let requests = [
            ("tools/call", json!({"name": "t", "arguments": {"x": [1, {"y": null}]}, "other": "kept"})),
            ("resources/read", json!({"uri": "test://r", "_meta": {"own": 1}})),
            ("prompts/get", json!({"name": "p", "arguments": {"a": "b"}})),
            ("completion/complete", json!({"ref": {"type": "ref/prompt", "name": "p"}, "argument": argument})),
        ];
        for (method, params) in requests {
            let sent = client.message(Some(json!(1)), method, params.clone())["params"].clone();
            client.request(method, params).await.result();
            assert_eq!(seen.lock().unwrap().pop(), Some((method.to_owned(), sent)));
        }
    })
    .await;
}

#[tokio::test]
async fn a_handler_sees_its_client_as_it_described_itself() {
    each(legs::all(), async |leg| {
        let server = Server::builder("t", "1").raw_tool("who", ToolOptions::new(), async |_, ctx: Context| {
            let info = ctx.client_info_json().map_or_else(|| "nobody".to_owned(), |info| info.to_string());
            format!("{info} {}", ctx.client_capabilities_json())
        });
        let capabilities = json!({"sampling": {}, "experimental": {"x": {"y": 1}}});
        let client = leg.connect_with(&server.build().unwrap(), capabilities.clone()).await;
        let expected = match leg.is_modern() || leg.has_handshake() {
            true => format!("{} {capabilities}", json!({"name": "tests", "version": "0"})),
            false => "nobody {}".to_owned(),
        };
        assert_eq!(client.call("who", json!({})).await.text(), expected);
    })
    .await;
}

/// A tool that asks what its argument says, and answers with the answer.
fn repeating() -> Server {
    let builder =
        Server::builder("repeating", "1").raw_tool("ask", ToolOptions::new(), async |arguments: RawJson, ctx| {
            let question: InputRequest = arguments.deserialize()?;
            let answer: RawJson = Context::ask(&ctx, "k", question)?;
            Ok::<_, HandlerError>(answer.to_string())
        });
    builder.build().unwrap()
}

fn everything() -> Value {
    json!({"elicitation": {}, "sampling": {}, "roots": {}})
}

#[tokio::test]
async fn a_question_in_json_is_answered_in_json() {
    let schema = json!({"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]});
    let form = json!({"method": "elicitation/create", "params": {"message": "m", "requestedSchema": schema}});
    let messages = json!([{"role": "user", "content": {"type": "text", "text": "q"}}]);
    let sample = json!({"method": "sampling/createMessage", "params": {"messages": messages, "maxTokens": 5}});
    let roots = json!({"method": "roots/list"});
    let text = json!({"type": "text", "text": "a"});
    let cases = [
        (form, json!({"action": "accept", "content": {"n": 3}}), json!({"action": "accept", "content": {"n": "x"}})),
        (sample, json!({"role": "assistant", "content": text, "model": "m"}), json!({"role": "assistant"})),
        (roots, json!({"roots": [{"uri": "file:///a", "more": 1}]}), json!({"roots": "none"})),
    ];
    each(legs::all().filter(|leg| leg.can_elicit()), async |leg| {
        let client = leg.connect_with(&repeating(), everything()).await;
        for (question, answer, wrong) in cases.clone() {
            let given = answer.clone();
            client.answer_with(move |_, _| Ok(given.clone()));
            let reply = client.call("ask", question.clone()).await;
            assert_eq!(serde_json::from_str::<Value>(reply.text()).unwrap(), answer);
            client.answer_with(move |_, _| Ok(wrong.clone()));
            let reply = client.call("ask", question).await;
            assert!(reply.is_error() || reply.result()["isError"] == true, "{}", reply.wire);
        }
    })
    .await;
}

/// Completes with one word.
struct Word(&'static str);

impl CompletionHandler for Word {
    fn complete(&self, _: CompleteRequest, _: Context) -> HandlerFuture<CompleteResult> {
        let word = self.0;
        Box::pin(async move { Ok(CompleteResult::new([word])) })
    }
}

#[tokio::test]
async fn the_completion_handler_is_replaced_and_removed_while_clients_are_connected() {
    each(legs::all(), async |leg| {
        let (server, _) = noting();
        let client = leg.connect(&server).await;
        let argument = json!({"name": "a", "value": ""});
        let params = json!({"ref": {"type": "ref/prompt", "name": "p"}, "argument": argument});
        for word in ["first", "second"] {
            server.set_completion_handler(Some(Box::new(Word(word))));
            let reply = client.request("completion/complete", params.clone()).await;
            assert_eq!(reply.result()["completion"]["values"], json!([word]));
        }
        assert!(server.capabilities().completions);
        server.set_completion_handler(None);
        assert!(!server.capabilities().completions);
        client.request("completion/complete", params).await.expect_code(-32601);
    })
    .await;
}

#[tokio::test]
async fn capabilities_in_json_are_those_that_a_client_is_told() {
    each(legs::all().filter(|leg| leg.is_modern() || leg.has_handshake()), async |leg| {
        let server = fixture().server;
        let client = leg.open(&server).await;
        let told = match leg.is_modern() {
            true => client.request("server/discover", Value::Null).await,
            false => client.initialize(leg.version.as_str()).await,
        };
        let own: Value = server.capabilities().to_json(leg.version).deserialize().unwrap();
        assert_eq!(told.result()["capabilities"], own);
    })
    .await;
}
