//! Results that a host has as JSON: read, served, and found unchanged at the client.

use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use mcp::{
    CallToolResult, CompleteResult, GetPromptResult, HandlerError, PromptArgument, PromptOptions, ProtocolVersion,
    RawJson, ReadResourceResult, ResourceOptions, Server, ToolOptions,
};

use crate::harness::*;

/// A server whose every handler answers with the JSON that was set last.
fn server() -> (Server, Arc<Mutex<RawJson>>) {
    let given = Arc::new(Mutex::new(RawJson::NULL));
    let read = || {
        let given = given.clone();
        move || given.lock().unwrap().clone()
    };
    let (tool, resource, prompt, completion) = (read(), read(), read(), read());
    let server = Server::builder("wire", "1")
        .raw_tool("t", ToolOptions::new(), move |_, _| {
            let given = tool();
            async move { Ok::<_, HandlerError>(given.deserialize::<CallToolResult>()?) }
        })
        .resource("r", "test://r", ResourceOptions::new(), move |_, _| {
            let given = resource();
            async move { Ok::<_, HandlerError>(given.deserialize::<ReadResourceResult>()?) }
        })
        .prompt("p", PromptOptions::new().argument(PromptArgument::optional("a")), move |_, _| {
            let given = prompt();
            async move { Ok::<_, HandlerError>(given.deserialize::<GetPromptResult>()?) }
        })
        .completion(move |_, _| {
            let given = completion();
            async move { Ok::<_, HandlerError>(given.deserialize::<CompleteResult>()?) }
        });
    (server.build().unwrap(), given)
}

fn requests() -> [(&'static str, Value); 4] {
    let argument = json!({"name": "a", "value": ""});
    [
        ("tools/call", json!({"name": "t", "arguments": {}})),
        ("resources/read", json!({"uri": "test://r"})),
        ("prompts/get", json!({"name": "p"})),
        ("completion/complete", json!({"ref": {"type": "ref/prompt", "name": "p"}, "argument": argument})),
    ]
}

/// The examples of a definition of the newest revision; none where the specification is not there.
fn examples(definition: &str) -> Vec<Value> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../shared/spec/2026-07-28/examples").join(definition);
    let files = std::fs::read_dir(folder).into_iter().flatten().map(|file| file.unwrap().path());
    files.map(|path| serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()).collect()
}

/// A result without what the server adds, and with the defaults that it writes out.
fn plain(mut result: Value) -> Value {
    let members = result.as_object_mut().unwrap();
    if members.get("isError") == Some(&json!(false)) {
        members.remove("isError");
    }
    if members.contains_key("contents") {
        // Every such result says how long it may be kept, and what is safe where the handler does not say.
        members.entry("ttlMs").or_insert(json!(0));
        members.entry("cacheScope").or_insert(json!("private"));
    }
    if let Some(meta) = members.get_mut("_meta").and_then(Value::as_object_mut) {
        meta.remove("io.modelcontextprotocol/serverInfo");
        if meta.is_empty() {
            members.remove("_meta");
        }
    }
    for request in
        members.get_mut("inputRequests").into_iter().flat_map(|all| all.as_object_mut().unwrap().values_mut())
    {
        if request["method"] == "elicitation/create" && request["params"]["mode"].is_null() {
            request["params"]["mode"] = json!("form");
        }
    }
    // It is sealed on its way out.
    if members.contains_key("requestState") {
        members.insert("requestState".into(), json!("sealed"));
    }
    result
}

fn everything() -> Value {
    json!({"elicitation": {"form": {}, "url": {}}, "sampling": {"tools": {}}, "roots": {}})
}

async fn served(client: &Client, given: &Mutex<RawJson>, at: usize, result: &Value) {
    *given.lock().unwrap() = result.clone().into();
    let (method, params) = requests()[at].clone();
    let reply = client.request_once(method, params).await;
    assert_eq!(plain(reply.result().clone()), plain(result.clone()), "{method}");
}

#[tokio::test]
async fn the_example_results_of_the_specification_arrive_unchanged() {
    each(legs::only(ProtocolVersion::V2026_07_28, Transport::Memory), async |leg| {
        let (server, given) = server();
        let client = leg.connect_with(&server, everything()).await;
        let results = ["CallToolResult", "ReadResourceResult", "GetPromptResult", "CompleteResult"];
        for (at, definition) in results.into_iter().enumerate() {
            let responses = examples(&format!("{definition}Response")).into_iter().map(|mut it| it["result"].take());
            for result in examples(definition).into_iter().chain(responses) {
                let asks = result["resultType"] == "input_required";
                assert!(!asks || at < 3, "{definition} asks");
                served(&client, &given, at, &result).await;
            }
        }
        for result in examples("InputRequiredResult") {
            for at in 0..3 {
                served(&client, &given, at, &result).await;
            }
        }
        for definition in ["TextContent", "ImageContent", "AudioContent", "EmbeddedResource", "ResourceLink"] {
            for content in examples(definition) {
                served(&client, &given, 0, &json!({"resultType": "complete", "content": [content]})).await;
                let messages = json!([{"role": "user", "content": content}]);
                served(&client, &given, 2, &json!({"resultType": "complete", "messages": messages})).await;
            }
        }
        for params in examples("CreateMessageRequestParams") {
            let requests = json!({"q": {"method": "sampling/createMessage", "params": params}});
            served(&client, &given, 0, &json!({"resultType": "input_required", "inputRequests": requests})).await;
        }
    })
    .await;
}

#[tokio::test]
async fn results_with_every_member_arrive_unchanged() {
    each(legs::modern(), async |leg| {
        let (server, given) = server();
        let client = leg.connect_with(&server, everything()).await;
        let text = json!({"type": "text", "text": "t", "annotations": {"priority": 1.0}, "_meta": {"a": null}});
        let tool = json!({
            "resultType": "complete", "content": [text], "structuredContent": [1, null], "isError": true,
            "_meta": {"own": {"a": 1}},
        });
        served(&client, &given, 0, &tool).await;
        let contents = json!([{"uri": "test://r", "mimeType": "a/b", "blob": "aGk=", "_meta": {"b": 2}}]);
        let resource = json!({
            "resultType": "complete", "contents": contents, "ttlMs": 7, "cacheScope": "public", "_meta": {"own": 1},
        });
        served(&client, &given, 1, &resource).await;
        let messages = json!([{"role": "assistant", "content": text}]);
        let prompt = json!({"resultType": "complete", "description": "d", "messages": messages, "_meta": {"own": 1}});
        served(&client, &given, 2, &prompt).await;
        let asks = json!({"resultType": "input_required", "requestState": "s", "inputRequests": {
            "url": {"method": "elicitation/create", "params": {"mode": "url", "message": "m", "url": "https://a"}},
            "roots": {"method": "roots/list"},
        }});
        for at in 0..3 {
            served(&client, &given, at, &asks).await;
        }
    })
    .await;
}

#[tokio::test]
async fn a_question_in_json_is_asked_of_a_client_of_either_era() {
    each(legs::all().filter(|leg| leg.can_elicit()), async |leg| {
        let (server, given) = server();
        let client = leg.connect_with(&server, everything()).await;
        let schema = json!({"type": "object", "properties": {"n": {"type": "string"}}});
        let params = json!({"message": "m", "requestedSchema": schema});
        let question = json!({"method": "elicitation/create", "params": params});
        *given.lock().unwrap() = json!({"resultType": "input_required", "inputRequests": {"k": question}}).into();
        let answered = given.clone();
        client.answer_with(move |method, params| {
            assert_eq!((method, &params["message"]), ("elicitation/create", &json!("m")));
            *answered.lock().unwrap() = json!({"content": [{"type": "text", "text": "done"}]}).into();
            Ok(json!({"action": "decline"}))
        });
        assert_eq!(client.call("t", json!({})).await.text(), "done");
    })
    .await;
}
