//! Parameters that are absent, null or of the wrong type; unknown tools; cursors (B39, B43, B46, B49).

use base64::Engine;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};

use crate::harness::*;

#[tokio::test]
async fn absent_arguments_are_no_arguments() {
    each(legs::all(), async |leg| {
        let client = leg.connect(&fixture().server).await;
        assert_eq!(client.request("tools/call", json!({"name": "noargs"})).await.text(), "{}");
        client.request("prompts/get", json!({"name": "plain"})).await.result();
    })
    .await;
}

#[tokio::test]
async fn arguments_that_are_no_object_are_refused() {
    each(legs::all(), async |leg| {
        let client = leg.connect(&fixture().server).await;
        for (method, name) in [("tools/call", "noargs"), ("prompts/get", "plain")] {
            for arguments in [json!(null), json!([]), json!("{}"), json!(5), json!(false), json!([{"text": "x"}])] {
                let reply = client.request(method, json!({"name": name, "arguments": arguments})).await;
                reply.expect_code(-32602);
                assert!(reply.message().contains("arguments"), "{}", reply.message());
            }
        }
    })
    .await;
}

#[tokio::test]
async fn parameters_that_are_missing_or_no_object_are_refused() {
    // The metadata of a modern request is in its parameters, so there they are never absent.
    each(legs::all().filter(|leg| leg.is_legacy()), async |leg| {
        let client = leg.connect(&fixture().server).await;
        for method in ["tools/call", "prompts/get", "resources/read", "completion/complete", "logging/setLevel"] {
            client.request(method, Value::Null).await.expect_code(-32602);
            for params in [json!({}), json!([]), json!(["echo"]), json!("echo"), json!(5), json!(true)] {
                let reply = client.request(method, params.clone()).await;
                assert_eq!(reply.code(), -32602, "{method} {params}: {}", reply.wire);
            }
        }
        for method in ["tools/list", "prompts/list", "resources/list", "resources/templates/list"] {
            client.request(method, Value::Null).await.result();
            client.request(method, json!({})).await.result();
            client.request(method, json!([1])).await.expect_code(-32602);
        }
    })
    .await;
}

#[tokio::test]
async fn required_parameters_of_the_wrong_type_are_refused_by_name() {
    let wrong = [json!(null), json!(5), json!([]), json!({}), json!(true)];
    // Over HTTP a name that is no string can't be in the header either; that mismatch is found first.
    each(legs::all().filter(|leg| !(leg.is_http() && leg.is_modern())), async |leg| {
        let client = leg.connect(&fixture().server).await;
        for (method, member) in [("tools/call", "name"), ("prompts/get", "name"), ("resources/read", "uri")] {
            let missing = client.request(method, json!({})).await;
            assert!(missing.expect_code(-32602).message().contains(member), "{}", missing.message());
            for value in &wrong {
                let reply = client.request(method, json!({member: value})).await;
                assert!(reply.expect_code(-32602).message().contains(member), "{}", reply.message());
            }
        }
    })
    .await;
}

#[tokio::test]
async fn members_that_are_not_known_are_ignored() {
    each(legs::all(), async |leg| {
        let client = leg.connect(&fixture().server).await;
        let params = json!({"name": "echo", "arguments": {"text": "x", "more": [1]}, "future": {"a": 1}, "": null});
        assert_eq!(client.request("tools/call", params).await.text(), "x");
        client.request("tools/list", json!({"future": true})).await.result();
    })
    .await;
}

#[tokio::test]
async fn an_unknown_tool_is_an_error_and_wrong_arguments_are_a_result_that_names_the_field() {
    each(legs::all(), async |leg| {
        let client = leg.connect(&fixture().server).await;
        for name in ["nope", "", "ECHO", "echo ", "../echo", "é"] {
            let reply = client.call(name, json!({})).await;
            reply.expect_code(-32602);
            assert!(reply.status.is_none_or(|status| status != 404), "{reply:?}");
        }
        for (tool, arguments, field) in [
            ("add", json!({"a": "x", "b": 1}), "a"),
            ("add", json!({"a": 1}), "b"),
            ("add", json!({}), "a"),
            ("echo", json!({"text": 5}), "text"),
            ("echo", json!({"text": null}), "text"),
            ("echo_int", json!({"id": 1.5}), "id"),
        ] {
            let reply = client.call(tool, arguments.clone()).await;
            assert!(reply.tool_error().contains(field), "{tool} {arguments}: {}", reply.text());
        }
    })
    .await;
}

#[tokio::test]
async fn unknown_prompts_resources_and_missing_prompt_arguments_are_errors() {
    each(legs::all(), async |leg| {
        let client = leg.connect(&fixture().server).await;
        client.request("prompts/get", json!({"name": "nope"})).await.expect_code(-32602);
        let reply = client.request("prompts/get", json!({"name": "greet", "arguments": {}})).await;
        assert!(reply.expect_code(-32602).message().contains("name"), "{}", reply.message());
        client.request("prompts/get", json!({"name": "greet", "arguments": {"name": 5}})).await.expect_code(-32602);
        let not_found = if leg.is_modern() { -32602 } else { -32002 };
        for uri in ["test://nope", "", "nope", "test://items/missing", "test://items/empty", "file:///etc/passwd"] {
            client.request("resources/read", json!({"uri": uri})).await.expect_code(not_found);
        }
    })
    .await;
}

#[tokio::test]
async fn a_log_level_that_does_not_exist_is_refused() {
    each(legs::all(), async |leg| {
        let client = leg.connect(&fixture().server).await;
        let wrong = [json!("verbose"), json!("INFO"), json!(""), json!(3), json!(null), json!(["info"])];
        let right = ["debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"];
        if leg.is_legacy() {
            client.request("logging/setLevel", json!({})).await.expect_code(-32602);
        }
        let levels = wrong.iter().map(|level| (level.clone(), false)).chain(right.map(|level| (json!(level), true)));
        for (level, is_right) in levels {
            let reply = match leg.is_modern() {
                false => client.request("logging/setLevel", json!({"level": level})).await,
                true => {
                    client.request("tools/list", json!({"_meta": {"io.modelcontextprotocol/logLevel": level}})).await
                }
            };
            if is_right {
                reply.result();
            } else {
                reply.expect_code(-32602);
            }
        }
    })
    .await;
}

const LISTS: [&str; 4] = ["tools/list", "prompts/list", "resources/list", "resources/templates/list"];

#[tokio::test]
async fn a_cursor_that_was_not_issued_is_refused() {
    let offset = |n: &str| STANDARD.encode(format!("{{\"o\":{n}}}"));
    let bogus = [
        "bogus".into(),
        "".into(),
        "0".into(),
        " ".into(),
        "-1".into(),
        offset("-1"),
        offset("1.5"),
        offset("9223372036854775808"),
        URL_SAFE_NO_PAD.encode([0; 8]),
        URL_SAFE_NO_PAD.encode([0xff; 40]),
        "é".into(),
        "A".repeat(100_000),
    ];
    each(legs::all(), async |leg| {
        let client = leg.connect(&Fixture::with(|builder| builder.page_size(1)).server).await;
        for list in LISTS {
            for cursor in &bogus {
                let reply = client.request(list, json!({"cursor": cursor})).await;
                assert!(reply.expect_code(-32602).message().contains("cursor"), "{}", reply.message());
            }
            for cursor in [json!(5), json!(null), json!([]), json!({}), json!(true)] {
                client.request(list, json!({"cursor": cursor})).await.expect_code(-32602);
            }
        }
    })
    .await;
}

#[tokio::test]
async fn a_cursor_of_one_list_is_refused_by_another() {
    each(legs::all(), async |leg| {
        let client = leg.connect(&Fixture::with(|builder| builder.page_size(1)).server).await;
        for list in ["tools/list", "prompts/list"] {
            let page = client.request(list, Value::Null).await;
            let cursor = page.result()["nextCursor"].as_str().expect("a further page").to_owned();
            for other in LISTS.into_iter().filter(|other| *other != list) {
                client.request(other, json!({"cursor": cursor})).await.expect_code(-32602);
            }
            client.request(list, json!({"cursor": cursor})).await.result();
        }
    })
    .await;
}

#[tokio::test]
async fn pages_together_are_the_list_in_order_also_while_it_changes() {
    each(legs::all(), async |leg| {
        let fixture = Fixture::with(|builder| builder.page_size(3));
        let client = leg.connect(&fixture.server).await;
        let mut names: Vec<String> = Vec::new();
        let mut cursor = json!({});
        for round in 0.. {
            let page = client.request("tools/list", cursor).await;
            let on_page = page.names("tools");
            assert!(!on_page.is_empty() && on_page.len() <= 3, "{on_page:?}");
            names.extend(on_page);
            if round == 0 {
                // What is removed and added behind and before the cursor does not make it invalid.
                let last = names.last().unwrap().clone();
                assert!(fixture.server.remove_tool(&last));
                assert!(fixture.server.remove_tool("sleep"));
            }
            match page.result().get("nextCursor") {
                Some(next) => cursor = json!({"cursor": next}),
                None => break,
            }
        }
        let mut sorted = names.clone();
        sorted.sort();
        sorted.dedup();
        assert_eq!(names, sorted);
        assert!(!names.contains(&"sleep".to_owned()) && names.contains(&"remove_tool".to_owned()));
    })
    .await;
}
