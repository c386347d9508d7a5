use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use crate::json::{JsonWriter, RawJson};
use crate::protocol::completion::CompleteResult;
use crate::protocol::content::{Annotations, Content, ResourceContents, ResourceLink};
use crate::protocol::elicitation::ElicitRequest;
use crate::protocol::input::{InputRequest, InputRequired};
use crate::protocol::prompt::{GetPromptResult, PromptArgument, PromptMessage};
use crate::protocol::resource::ReadResourceResult;
use crate::protocol::sampling::CreateMessageRequest;
use crate::protocol::tool::CallToolResult;
use crate::protocol::version::ProtocolVersion;

fn read<T: DeserializeOwned>(value: &Value) -> Result<T, String> {
    RawJson::from(value.clone()).deserialize().map_err(|error| error.to_string())
}

/// Reads `value` and gives back what is written for the newest revision.
fn again<T: DeserializeOwned>(value: &Value, write: impl Fn(&T, &mut JsonWriter)) -> Value {
    let read = read::<T>(value).unwrap_or_else(|error| panic!("{value}: {error}"));
    let mut w = JsonWriter::new();
    write(&read, &mut w);
    w.into_raw().deserialize().unwrap()
}

fn in_object<T>(write: impl Fn(&T, &mut JsonWriter)) -> impl Fn(&T, &mut JsonWriter) {
    move |value, w| {
        w.begin_object();
        write(value, w);
        w.end_object();
    }
}

const LATEST: ProtocolVersion = ProtocolVersion::LATEST;

fn contents() -> Vec<Value> {
    let annotations =
        json!({"audience": ["user", "assistant"], "priority": 0.5, "lastModified": "2025-01-12T15:00:58Z"});
    let icons = json!([{"src": "https://a/b.png", "mimeType": "image/png", "sizes": ["48x48"], "theme": "dark"}]);
    vec![
        json!({"type": "text", "text": "a \"quoted\" \u{1F600}\n"}),
        json!({"type": "text", "text": "", "annotations": annotations, "_meta": {"a": [1, {"b": null}]}}),
        json!({"type": "image", "data": "aGk=", "mimeType": "image/png", "annotations": {"audience": ["user"]}}),
        json!({"type": "audio", "data": "aGk=", "mimeType": "audio/wav"}),
        json!({"type": "resource", "resource": {"uri": "a:b", "text": "t", "mimeType": "text/plain", "_meta": {}}}),
        json!({"type": "resource", "resource": {"uri": "a:b", "blob": "aGk="}, "_meta": {"x": 1}}),
        json!({"type": "resource_link", "uri": "a:b", "name": "n"}),
        json!({
            "type": "resource_link", "uri": "a:b", "name": "n", "title": "t", "description": "d", "size": 3,
            "mimeType": "text/plain", "icons": icons, "annotations": {"priority": 1.0}, "_meta": {"k": "v"},
        }),
    ]
}

#[test]
fn every_kind_of_content_is_written_as_it_was_read() {
    for content in contents() {
        assert_eq!(again::<Content>(&content, |content, w| content.write(w, LATEST)), content);
        let message = json!({"role": "assistant", "content": content});
        let write =
            |message: &PromptMessage, w: &mut JsonWriter| message.content.write_message(w, message.role, LATEST);
        assert_eq!(again(&message, write), message);
        let result = json!({"description": "d", "messages": [message, message]});
        assert_eq!(again(&result, in_object(|result: &GetPromptResult, w| result.write_members(w, LATEST))), result);
    }
    let result = json!({"content": contents(), "structuredContent": [null, {"a": 1}], "isError": true});
    assert_eq!(again(&result, in_object(|result: &CallToolResult, w| result.write_members(w, LATEST))), result);
}

#[test]
fn members_may_come_in_any_order_and_unknown_ones_are_ignored() {
    let text = r#"{"\u0074ext":"a","more":[{"type":"image"}],"type":"text","size":3,"other":null}"#;
    assert_eq!(RawJson::parse(text).unwrap().deserialize::<Content>().unwrap(), Content::text("a"));
    let text =
        r#"{"params":{"url":"u:v","elicitationId":"1","message":"m","mode":"url"},"method":"elicitation/create"}"#;
    let request = RawJson::parse(text).unwrap().deserialize::<InputRequest>().unwrap();
    assert_eq!(request, InputRequest::Elicit(ElicitRequest::url("m", "u:v")));
    // The same through another reader of JSON.
    let link = json!({"uri": "a:b", "name": "n", "size": 4.0, "icons": null, "odd": {}});
    let read: ResourceLink = serde_json::from_value(link).unwrap();
    assert_eq!(read, ResourceLink { size: Some(4), ..ResourceLink::new("a:b", "n") });
}

#[test]
fn a_tool_result_of_any_revision_is_read() {
    let old: CallToolResult = read(&json!({"content": [{"type": "text", "text": "a"}], "isError": true})).unwrap();
    assert_eq!(old, CallToolResult::error("a"));
    let structured: CallToolResult =
        read(&json!({"resultType": "complete", "structuredContent": null, "_meta": {"a": 1}})).unwrap();
    assert_eq!(structured, CallToolResult::structured(RawJson::NULL).with_meta(json!({"a": 1})));
    let asking = json!({"resultType": "input_required", "requestState": "s", "inputRequests": {
        "b": {"method": "roots/list"}, "a": {"method": "roots/list", "params": {}},
    }});
    let asking = RawJson::from(asking);
    let required = InputRequired::new().request("a", InputRequest::ListRoots).state("s");
    let required = if asking.as_str().find("\"a\"") < asking.as_str().find("\"b\"") {
        required.request("b", InputRequest::ListRoots)
    } else {
        InputRequired::new().request("b", InputRequest::ListRoots).request("a", InputRequest::ListRoots).state("s")
    };
    let tool: CallToolResult = asking.deserialize().unwrap();
    assert_eq!(tool.input_required.as_ref(), Some(&required));
    assert_eq!(asking.deserialize::<ReadResourceResult>().unwrap().input_required.as_ref(), Some(&required));
    assert_eq!(asking.deserialize::<GetPromptResult>().unwrap().input_required.as_ref(), Some(&required));
    assert_eq!(asking.deserialize::<InputRequired>().unwrap(), required);
    // Without the word for it, it is no question.
    assert!(read::<CallToolResult>(&json!({"requestState": "s"})).unwrap_err().contains("\"content\""));
}

#[test]
fn a_resource_result_brings_its_cache_hint() {
    let contents = json!([{"uri": "a:b", "text": "t"}]);
    let plain: ReadResourceResult = read(&json!({"contents": contents})).unwrap();
    assert_eq!(plain, ReadResourceResult::text("a:b", "t"));
    let hinted: ReadResourceResult = read(&json!({"contents": contents, "ttlMs": 5, "cacheScope": "public"})).unwrap();
    assert_eq!(hinted.cache, Some(crate::CacheHint::public(std::time::Duration::from_millis(5))));
    let half: ReadResourceResult = read(&json!({"contents": contents, "ttlMs": 5.0})).unwrap();
    assert_eq!(half.cache, Some(crate::CacheHint::private(std::time::Duration::from_millis(5))));
}

#[test]
fn completions_and_arguments_are_read() {
    let result = json!({"completion": {"values": ["a", "b"], "total": 2, "hasMore": false}});
    assert_eq!(again(&result, in_object(|result: &CompleteResult, w| result.write_members(w))), result);
    let argument: PromptArgument =
        read(&json!({"name": "n", "title": "t", "description": "d", "required": true})).unwrap();
    let expected = PromptArgument { title: Some("t".into()), ..PromptArgument::required("n").description("d") };
    assert_eq!(argument, expected);
    assert_eq!(read::<PromptArgument>(&json!({"name": "n"})).unwrap(), PromptArgument::optional("n"));
}

#[test]
fn questions_are_written_as_they_were_read() {
    let form = json!({"mode": "form", "message": "m", "requestedSchema": {"type": "object", "properties": {}}});
    let url = json!({"mode": "url", "message": "m", "url": "https://a"});
    for params in [form.clone(), url] {
        let write = |request: &ElicitRequest, w: &mut JsonWriter| request.write_params(w, LATEST, "");
        assert_eq!(again(&params, write), params);
    }
    let mut plain = form.clone();
    plain.as_object_mut().unwrap().remove("mode");
    assert_eq!(read::<ElicitRequest>(&plain), read::<ElicitRequest>(&form));
    let tool_use = json!({"type": "tool_use", "id": "1", "name": "t", "input": {"a": 1}});
    let result = json!({"type": "tool_result", "toolUseId": "1", "content": [{"type": "text", "text": "x"}]});
    let sample = json!({
        "messages": [
            {"role": "user", "content": {"type": "text", "text": "q"}},
            {"role": "assistant", "content": [{"type": "text", "text": "a"}, tool_use]},
            {"role": "user", "content": result},
        ],
        "maxTokens": 100, "systemPrompt": "s", "includeContext": "none", "temperature": 0.5, "stopSequences": ["x"],
        "modelPreferences": {"hints": [{"name": "n"}]}, "metadata": {"a": 1}, "tools": [], "toolChoice": {"mode": "auto"},
    });
    let write = |request: &CreateMessageRequest, w: &mut JsonWriter| request.write_params(w, LATEST);
    assert_eq!(again(&sample, write), sample);
}

#[test]
fn a_message_of_several_blocks_is_several_messages_for_a_revision_without_them() {
    let block = |text: &str| json!({"type": "text", "text": text});
    let params = json!({"messages": [{"role": "user", "content": [block("a"), block("b")]}], "maxTokens": 1});
    let write = |request: &CreateMessageRequest, w: &mut JsonWriter| {
        request.write_params(w, ProtocolVersion::V2025_06_18);
    };
    let messages = json!([{"role": "user", "content": block("a")}, {"role": "user", "content": block("b")}]);
    assert_eq!(again(&params, write), json!({"messages": messages, "maxTokens": 1}));
}

fn refused<T: DeserializeOwned>(value: Value, words: &[&str]) {
    let error = read::<T>(&value).err().unwrap_or_else(|| panic!("{value} was read"));
    words.iter().for_each(|word| assert!(error.contains(word), "{value}: {error}"));
}

#[test]
fn what_is_wrong_is_named_with_what_it_must_be() {
    refused::<Content>(json!("text"), &["a content block", "object"]);
    refused::<Content>(json!({"text": "a"}), &["\"type\" is missing", "\"resource_link\""]);
    refused::<Content>(json!({"type": "video"}), &["\"type\" must be", "\"image\"", "\"video\""]);
    refused::<Content>(json!({"type": "text"}), &["\"text\" is missing; it must be a string"]);
    refused::<Content>(json!({"type": "text", "text": 3}), &["\"text\" must be a string"]);
    refused::<Content>(json!({"type": "image", "data": "a"}), &["\"mimeType\" is missing; it must be a string"]);
    refused::<Content>(json!({"type": "text", "text": "a", "_meta": 3}), &["\"_meta\" must be an object"]);
    refused::<Content>(json!({"type": "resource_link", "uri": "a:b"}), &["\"name\" is missing"]);
    refused::<Annotations>(json!({"audience": ["me"]}), &["\"audience\" must be an array of \"user\""]);
    refused::<Annotations>(json!({"priority": "high"}), &["\"priority\" must be a number"]);
    refused::<ResourceContents>(json!({"uri": "a:b"}), &["\"text\" or \"blob\" is missing"]);
    refused::<ResourceLink>(json!({"uri": "a", "name": "n", "size": -1}), &["\"size\" must be a whole number"]);
    refused::<ResourceLink>(json!({"uri": "a", "name": "n", "size": 1.5}), &["\"size\" must be a whole number"]);
    refused::<CallToolResult>(json!([]), &["the result of a tool call", "object"]);
    refused::<CallToolResult>(json!({}), &["\"content\" is missing; it must be an array of content blocks"]);
    refused::<CallToolResult>(json!({"content": [{"type": "text"}]}), &["\"content\" must be", "\"text\" is missing"]);
    refused::<CallToolResult>(json!({"content": [], "isError": 1}), &["\"isError\" must be true or false"]);
    refused::<CallToolResult>(json!({"content": [], "resultType": "task"}), &["\"resultType\" must be \"complete\""]);
    refused::<ReadResourceResult>(json!({"contents": [], "ttlMs": -1}), &["\"ttlMs\" must be a whole number"]);
    refused::<ReadResourceResult>(json!({"contents": [], "cacheScope": "x"}), &["\"cacheScope\" must be \"public\""]);
    refused::<GetPromptResult>(json!({"messages": [{"role": "user"}]}), &["\"messages\"", "\"content\" is missing"]);
    refused::<GetPromptResult>(json!({"messages": [{"role": "x"}]}), &["\"role\" must be \"user\" or \"assistant\""]);
    refused::<CompleteResult>(json!({"values": []}), &["\"completion\" is missing"]);
    refused::<CompleteResult>(json!({"completion": {}}), &["\"completion\"", "\"values\" is missing"]);
    refused::<ElicitRequest>(json!({"message": "m"}), &["\"requestedSchema\" is missing; it must be an object"]);
    refused::<ElicitRequest>(json!({"message": "m", "mode": "voice"}), &["\"mode\" must be \"form\" or \"url\""]);
    refused::<CreateMessageRequest>(json!({"messages": []}), &["\"maxTokens\" is missing"]);
    refused::<CreateMessageRequest>(
        json!({"messages": [], "maxTokens": 5_000_000_000_u64}),
        &["\"maxTokens\" must be"],
    );
    refused::<InputRequest>(json!({"method": "tools/call"}), &["\"method\" must be \"elicitation/create\""]);
    refused::<InputRequest>(json!({"method": "elicitation/create"}), &["\"params\" is missing"]);
    refused::<InputRequest>(
        json!({"method": "elicitation/create", "params": {"requestedSchema": {}}}),
        &["\"params\": \"message\" is missing"],
    );
    refused::<InputRequired>(json!({}), &["\"inputRequests\" or \"requestState\" is missing"]);
    refused::<CallToolResult>(
        json!({"resultType": "input_required", "inputRequests": {"k": {"method": "x"}}}),
        &["\"inputRequests\"", "\"k\" must be a question", "\"method\" must be"],
    );
    let twice = RawJson::parse(r#"{"type":"text","text":"a","text":"b"}"#).unwrap();
    let error = twice.deserialize::<Content>().unwrap_err().to_string();
    assert!(error.contains("\"text\" occurs more than once"), "{error}");
}
