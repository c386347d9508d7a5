//! Prompts and the completion of arguments (B119).

use mcp::{
    CompleteRequest, CompleteResult, CompletionReference, Content, Context, HandlerError, PromptArgument,
    PromptArguments, PromptMessage, PromptOptions, ReadRequest, ReadResourceResult, ResourceOptions, Server,
    ServerBuilder,
};

use crate::harness::*;

fn prompts() -> ServerBuilder {
    let options = PromptOptions::new()
        .argument(PromptArgument::required("name"))
        .argument(PromptArgument::required("city"))
        .argument(PromptArgument::optional("tone"));
    let read =
        async |request: ReadRequest, _ctx: Context| Ok::<_, HandlerError>(ReadResourceResult::text(request.uri, ""));
    Server::builder("prompts", "1")
        .prompt("greet", options, async |arguments: PromptArguments, _ctx| {
            Ok::<_, HandlerError>(PromptMessage::user(Content::text(json!(arguments).to_string())))
        })
        .prompt("refuses", PromptOptions::new(), async |_, _| {
            Err::<PromptMessage, _>(HandlerError::message("not on Sundays"))
        })
        .resource("plain", "test://plain", ResourceOptions::new(), read)
        .resource_template("item", "test://{kind}/{id}", ResourceOptions::new(), read)
}

async fn complete(request: CompleteRequest, _ctx: Context) -> Result<CompleteResult, HandlerError> {
    let counted = |count: usize| CompleteResult::new((0..count).map(|i| i.to_string()));
    Ok(match request.argument.value.as_str() {
        "100" => counted(100),
        "150" => counted(150),
        "0" => CompleteResult::default(),
        "known" => CompleteResult { total: Some(1000), has_more: Some(true), ..CompleteResult::new(["a"]) },
        "more" => CompleteResult { total: Some(5000), has_more: Some(false), ..counted(120) },
        value => {
            let what = match request.reference {
                CompletionReference::Prompt { name } => name,
                CompletionReference::Resource { uri } => uri,
            };
            CompleteResult::new([json!([what, request.argument.name, value, request.context.arguments]).to_string()])
        }
    })
}

fn completing() -> Server {
    prompts().completion(complete).build().unwrap()
}

fn of_prompt(argument: Value) -> Value {
    json!({"ref": {"type": "ref/prompt", "name": "greet"}, "argument": argument})
}

#[tokio::test]
async fn a_prompt_gets_its_arguments_and_tolerates_others() {
    each(legs::all(), async |leg| {
        let client = leg.connect(&completing()).await;
        for arguments in [
            json!({"name": "Ann", "city": "Bern"}),
            json!({"name": "", "city": "Bern", "tone": "warm"}),
            json!({"name": "Ann", "city": "Bern", "unknown": "x"}),
        ] {
            let reply = client.request("prompts/get", json!({"name": "greet", "arguments": arguments})).await;
            let text = reply.result()["messages"][0]["content"]["text"].as_str().unwrap();
            assert_eq!(serde_json::from_str::<Value>(text).unwrap(), arguments);
        }
    })
    .await;
}

#[tokio::test]
async fn a_prompt_without_what_it_needs_is_refused_by_name() {
    each(legs::all(), async |leg| {
        let client = leg.connect(&completing()).await;
        for (params, said) in [
            (json!({"name": "greet"}), "name"),
            (json!({"name": "greet", "arguments": {}}), "name"),
            (json!({"name": "greet", "arguments": {"name": "Ann"}}), "city"),
            (json!({"name": "greet", "arguments": {"city": "Bern", "tone": "x"}}), "\"name\""),
            (json!({"name": "greet", "arguments": {"name": 5, "city": "Bern"}}), "string"),
            (json!({"name": "greet", "arguments": {"name": null, "city": "Bern"}}), "string"),
            (json!({"name": "greet", "arguments": []}), "arguments"),
            (json!({"name": "greet", "arguments": null}), "arguments"),
            (json!({"name": "greet", "arguments": "{}"}), "arguments"),
            (json!({"name": "nobody"}), "nobody"),
            (json!({"name": 5}), "name"),
            (json!({}), "name"),
        ] {
            let reply = client.request("prompts/get", params.clone()).await;
            // A name that is no string has no header to go with it.
            let misses_header = leg.is_modern() && leg.is_http() && params["name"].is_number();
            reply.expect_code(if misses_header { -32020 } else { -32602 });
            assert!(misses_header || reply.message().contains(said), "{params}: {}", reply.wire);
        }
        let reply = client.request("prompts/get", json!({"name": "refuses"})).await;
        assert_eq!((reply.code(), reply.message()), (-32603, "not on Sundays"));
    })
    .await;
}

#[tokio::test]
async fn at_most_a_hundred_suggestions_are_sent_and_the_rest_is_counted() {
    each(legs::all(), async |leg| {
        let client = leg.connect(&completing()).await;
        for (value, sent, total, more) in [
            ("0", 0, Value::Null, Value::Null),
            ("100", 100, Value::Null, Value::Null),
            ("150", 100, json!(150), json!(true)),
            ("known", 1, json!(1000), json!(true)),
            ("more", 100, json!(5000), json!(true)),
        ] {
            let reply = client.request("completion/complete", of_prompt(json!({"name": "name", "value": value}))).await;
            let completion = &reply.result()["completion"];
            assert_eq!(completion["values"].as_array().unwrap().len(), sent, "{value}");
            assert_eq!((&completion["total"], &completion["hasMore"]), (&total, &more), "{value}");
        }
    })
    .await;
}

#[tokio::test]
async fn a_completion_handler_sees_the_reference_the_argument_and_what_is_known() {
    each(legs::all(), async |leg| {
        let client = leg.connect(&completing()).await;
        let mut params = of_prompt(json!({"name": "city", "value": "B"}));
        let asked = async |params: &Value| {
            let reply = client.request("completion/complete", params.clone()).await;
            let value = reply.result()["completion"]["values"][0].as_str().unwrap().to_owned();
            serde_json::from_str::<Value>(&value).unwrap()
        };
        assert_eq!(asked(&params).await, json!(["greet", "city", "B", {}]));
        params["context"] = json!({"arguments": {"name": "Ann"}});
        assert_eq!(asked(&params).await, json!(["greet", "city", "B", {"name": "Ann"}]));
        params["context"] = json!({});
        params["ref"] = json!({"type": "ref/resource", "uri": "test://{kind}/{id}"});
        params["argument"] = json!({"name": "kind", "value": ""});
        assert_eq!(asked(&params).await, json!(["test://{kind}/{id}", "kind", "", {}]));
    })
    .await;
}

#[tokio::test]
async fn a_plain_resource_has_nothing_to_complete() {
    each(legs::all(), async |leg| {
        let client = leg.connect(&completing()).await;
        let argument = json!({"name": "x", "value": ""});
        let params = json!({"ref": {"type": "ref/resource", "uri": "test://plain"}, "argument": argument});
        let reply = client.request("completion/complete", params).await;
        assert_eq!(reply.result()["completion"]["values"], json!([]));
    })
    .await;
}

#[tokio::test]
async fn a_completion_request_that_is_wrong_is_refused() {
    let argument = json!({"name": "name", "value": "x"});
    let prompt = json!({"type": "ref/prompt", "name": "greet"});
    let wrong = [
        json!({"ref": {"type": "ref/prompt", "name": "nobody"}, "argument": argument}),
        json!({"ref": {"type": "ref/resource", "uri": "test://nothing/{x}"}, "argument": argument}),
        json!({"ref": {"type": "ref/tool", "name": "greet"}, "argument": argument}),
        json!({"ref": {"name": "greet"}, "argument": argument}),
        json!({"ref": {"type": "ref/prompt"}, "argument": argument}),
        json!({"ref": "greet", "argument": argument}),
        json!({"ref": ["ref/prompt", "greet"], "argument": argument}),
        json!({"ref": null, "argument": argument}),
        json!({"argument": argument}),
        json!({"ref": prompt}),
        json!({"ref": prompt, "argument": {"name": "name"}}),
        json!({"ref": prompt, "argument": {"value": "x"}}),
        json!({"ref": prompt, "argument": {"name": "name", "value": 5}}),
        json!({"ref": prompt, "argument": {"name": "unknown", "value": "x"}}),
        json!({"ref": prompt, "argument": ["name", "x"]}),
        json!({"ref": prompt, "argument": argument, "context": 5}),
        json!({"ref": prompt, "argument": argument, "context": [{}]}),
        json!({"ref": prompt, "argument": argument, "context": {"arguments": {"name": 5}}}),
        Value::Null,
    ];
    each(legs::all(), async |leg| {
        let client = leg.connect(&completing()).await;
        for params in &wrong {
            let reply = client.request("completion/complete", params.clone()).await;
            assert!(reply.is_error(), "{params} was taken: {}", reply.wire);
            reply.expect_code(-32602);
        }
        client.request("completion/complete", of_prompt(json!({"name": "name", "value": "x"}))).await.result();
    })
    .await;
}

#[tokio::test]
async fn without_a_completion_handler_there_is_no_such_method_or_no_suggestion() {
    each(legs::all(), async |leg| {
        let params = of_prompt(json!({"name": "name", "value": "x"}));
        let client = leg.connect(&prompts().build().unwrap()).await;
        client.request("completion/complete", params.clone()).await.expect_code(-32601);
        let client = leg.connect(&prompts().declare_completions().build().unwrap()).await;
        let reply = client.request("completion/complete", params).await;
        assert_eq!(reply.result()["completion"]["values"], json!([]));
    })
    .await;
}
