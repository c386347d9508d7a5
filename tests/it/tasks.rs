//! Tasks: made, looked at, ended (B136, B137).

use std::time::Duration;

use mcp::ProtocolVersion;

use crate::harness::*;
use crate::task_clients::*;

#[tokio::test]
async fn a_call_becomes_a_task_whose_result_is_there_in_the_end() {
    each(task_legs(), async |leg| {
        let Fixture { server, gates } = task_fixture();
        let client = leg.connect_with(&server, declared()).await;
        let reply = start_task(&client, "job", json!({"name": "a"})).await;
        let handle = handle(&reply);
        assert_eq!(handle["status"], "working");
        assert_eq!(reply.result().get("task").is_some(), leg.is_legacy(), "{}", reply.wire);
        let names = if leg.is_legacy() { ["ttl", "pollInterval"] } else { ["ttlMs", "pollIntervalMs"] };
        assert_eq!((&handle[names[0]], &handle[names[1]]), (&json!(3_600_000), &json!(20)), "{}", reply.wire);
        let id = handle["taskId"].as_str().unwrap();
        assert!(id.len() == 32 && id.bytes().all(|byte| byte.is_ascii_hexdigit()), "{id}");
        let working = until(&client, id, |task| task["statusMessage"] == "at the gate").await;
        assert!(working.get("result").is_none() && working.get("error").is_none(), "{working}");
        gates.open("a");
        let done = until_status(&client, id, "completed").await;
        assert_eq!(done.get("result").is_some(), leg.is_modern(), "{done}");
        let result = result_of(&client, id).await;
        assert_eq!((&result["content"][0]["text"], &result["_meta"]["own"]), (&json!("a is done"), &json!(1)));
        let related = &result["_meta"]["io.modelcontextprotocol/related-task"]["taskId"];
        assert_eq!(related, &if leg.is_legacy() { json!(id) } else { Value::Null });
    })
    .await;
}

#[tokio::test]
async fn an_error_result_completes_a_task_and_an_error_or_a_panic_fails_it() {
    let error = |code: i64, message: &str| json!({"code": code, "message": message});
    let internal = "The tool \"job\" failed with an internal error.";
    let cases = [
        ("error", Ok("it went wrong")),
        ("message", Ok("told in words")),
        ("protocol", Err(json!({"code": -32050, "message": "broken", "data": {"why": "test"}}))),
        ("panic", Err(error(-32603, internal))),
    ];
    each(task_legs(), async |leg| {
        let Fixture { server, gates } = task_fixture();
        let client = leg.connect_with(&server, declared()).await;
        gates.open("a");
        for (end, expected) in &cases {
            let id = task_of(&client, "job", json!({"name": "a", "end": end})).await;
            match expected {
                Ok(text) => {
                    until_status(&client, &id, "completed").await;
                    let result = result_of(&client, &id).await;
                    assert_eq!((&result["isError"], &result["content"][0]["text"]), (&json!(true), &json!(text)));
                }
                Err(error) => {
                    let failed = until_status(&client, &id, "failed").await;
                    assert_eq!(failed["statusMessage"], error["message"]);
                    let shown = match leg.is_legacy() {
                        true => client.request("tasks/result", json!({"taskId": id})).await.error().clone(),
                        false => failed["error"].clone(),
                    };
                    assert_eq!(&shown, error);
                }
            }
        }
    })
    .await;
}

#[tokio::test]
async fn a_cancelled_task_stays_cancelled_and_its_handler_hears_of_it() {
    each(task_legs(), async |leg| {
        let Fixture { server, gates } = task_fixture();
        let client = leg.connect_with(&server, declared()).await;
        let id = task_of(&client, "job", json!({"name": "a"})).await;
        gates.started("a").await;
        let reply = client.request_once("tasks/cancel", json!({"taskId": id})).await;
        match leg.is_legacy() {
            true => assert_eq!(reply.result()["status"], "cancelled"),
            false => assert!(reply.result().get("taskId").is_none(), "{}", reply.wire),
        }
        gates.pass("a was cancelled").await;
        gates.open("a");
        assert_eq!(get(&client, &id).await.result()["status"], "cancelled");
        // Once more: an acknowledgement in one era, an error in the other.
        let again = client.request_once("tasks/cancel", json!({"taskId": id})).await;
        match leg.is_legacy() {
            true => drop(again.expect_code(-32602)),
            false => assert_eq!(again.result()["resultType"], "complete"),
        }
        let done = task_of(&client, "job", json!({"end": "at once"})).await;
        until_status(&client, &done, "completed").await;
        client.request_once("tasks/cancel", json!({"taskId": done})).await;
        assert_eq!(get(&client, &done).await.result()["status"], "completed");
    })
    .await;
}

#[tokio::test]
async fn a_client_that_does_not_know_tasks_gets_a_result_or_is_refused() {
    each(legs::all(), async |leg| {
        let Fixture { server, .. } = task_fixture();
        let client = leg.connect(&server).await;
        let reply = client.call("job", json!({"end": "at once", "name": "x"})).await;
        assert_eq!(reply.text(), "x is done");
        let reply = client.call("needed", json!({})).await;
        let (code, method) = match leg.version {
            ProtocolVersion::V2026_07_28 => (-32021, -32021),
            ProtocolVersion::V2025_11_25 => (-32601, -32602),
            _ => (-32600, -32601),
        };
        reply.expect_code(code);
        if leg.is_modern() {
            let required = json!({"extensions": {"io.modelcontextprotocol/tasks": {}}});
            assert_eq!(reply.error()["data"]["requiredCapabilities"], required);
        }
        for name in ["tasks/get", "tasks/cancel"] {
            client.request(name, json!({"taskId": "x"})).await.expect_code(method);
        }
        let update = client.request("tasks/update", json!({"taskId": "x", "inputResponses": {}})).await;
        update.expect_code(if leg.is_modern() { -32021 } else { -32601 });
    })
    .await;
}

#[tokio::test]
async fn without_a_store_there_are_no_tasks() {
    each(legs::all(), async |leg| {
        let gates = Gates::default();
        let server = task_tools(builder(&gates), &gates).build().unwrap();
        let client = leg.connect_with(&server, declared()).await;
        assert_eq!(start_task(&client, "needed", json!({})).await.text(), "it was needed");
        for name in ["tasks/get", "tasks/cancel", "tasks/result", "tasks/list", "tasks/update"] {
            client.request(name, json!({"taskId": "x"})).await.expect_code(-32601);
        }
        let tools = client.request("tools/list", Value::Null).await;
        assert!(!tools.wire.contains("taskSupport"), "{}", tools.wire);
    })
    .await;
}

#[tokio::test]
async fn what_is_declared_and_listed_is_what_the_revision_has() {
    each(legs::all(), async |leg| {
        let Fixture { server, .. } = task_fixture();
        let client = leg.open(&server).await;
        if leg.is_modern() {
            let found = client.request("server/discover", Value::Null).await;
            let extension = &found.result()["capabilities"]["extensions"]["io.modelcontextprotocol/tasks"];
            assert_eq!(extension, &json!({}));
            assert!(found.result()["capabilities"].get("tasks").is_none());
        } else {
            let capabilities = client.initialize(leg.version.as_str()).await.result()["capabilities"].clone();
            client.initialized().await;
            let is_new = leg.version == ProtocolVersion::V2025_11_25;
            let lists = leg.transport != Transport::HttpStateless;
            assert_eq!(capabilities.get("tasks").is_some(), is_new, "{capabilities}");
            assert_eq!(capabilities["tasks"].get("list").is_some(), is_new && lists, "{capabilities}");
            assert!(capabilities.get("extensions").is_none());
        }
        let tools = client.request("tools/list", Value::Null).await;
        let of = |name: &str| {
            let tools = tools.result()["tools"].as_array().unwrap();
            tools.iter().find(|tool| tool["name"] == name).unwrap().get("execution").cloned()
        };
        let expected = |support: &str| match leg.version {
            ProtocolVersion::V2025_11_25 => Some(json!({"taskSupport": support})),
            _ => None,
        };
        assert_eq!(of("needed"), expected("required"));
        assert_eq!(of("job"), expected("optional"));
        assert_eq!(of("decides"), expected("optional"));
        assert_eq!(of("echo"), None);
    })
    .await;
}

#[tokio::test]
async fn a_task_ends_with_its_time_whatever_its_state_and_makes_room() {
    each(task_legs(), async |leg| {
        let short = options().default_ttl(Duration::from_millis(700)).max_tasks(2).lease(Duration::from_millis(100));
        let Fixture { server, gates } = task_fixture_with(short);
        let client = leg.connect_with(&server, declared()).await;
        let running = task_of(&client, "job", json!({"name": "a"})).await;
        let done = task_of(&client, "job", json!({"end": "at once"})).await;
        start_task(&client, "job", json!({"end": "at once"})).await.expect_code(-32603);
        let waiting = match leg.is_legacy() {
            true => Some(client.start("tasks/result", json!({"taskId": running})).await),
            false => None,
        };
        gates.pass("a was cancelled").await;
        for id in [&running, &done] {
            let gone = async {
                while !get(&client, id).await.is_error() {
                    tokio::task::yield_now().await;
                }
            };
            within("the end of the task's time", gone).await;
            get(&client, id).await.expect_code(-32602);
        }
        if let Some(waiting) = waiting {
            client.reply(&waiting).await.expect_code(-32602);
        }
        task_of(&client, "job", json!({"end": "at once"})).await;
    })
    .await;
}

#[tokio::test]
async fn more_tasks_than_may_run_are_refused_and_leave_nothing_behind() {
    each(task_legs(), async |leg| {
        let Fixture { server, gates } = task_fixture_with(options().max_running(2));
        let client = leg.connect_with(&server, declared()).await;
        let mut ids = Vec::new();
        for _ in 0..2 {
            ids.push(task_of(&client, "job", json!({"name": "a"})).await);
        }
        let refused = start_task(&client, "job", json!({"name": "a"})).await;
        assert!(refused.expect_code(-32603).message().contains("running"), "{}", refused.wire);
        gates.open("a");
        for id in &ids {
            until_status(&client, id, "completed").await;
        }
        let again = async {
            while start_task(&client, "job", json!({"end": "at once"})).await.is_error() {
                tokio::task::yield_now().await;
            }
        };
        within("room for another task", again).await;
    })
    .await;
}

#[tokio::test]
async fn ids_that_are_unknown_or_malformed_and_wrong_parameters_are_refused() {
    let wrong = [
        Value::Null,
        json!({}),
        json!({"taskId": 5}),
        json!({"taskId": ""}),
        json!({"taskId": "é\"\n%00"}),
        json!({"taskId": "0".repeat(32)}),
        json!({"taskId": ["a"]}),
    ];
    each(task_legs(), async |leg| {
        let Fixture { server, .. } = task_fixture();
        let client = leg.connect_with(&server, declared()).await;
        let methods = if leg.is_legacy() {
            ["tasks/get", "tasks/cancel", "tasks/result"]
        } else {
            ["tasks/get", "tasks/cancel", "tasks/update"]
        };
        for (method, params) in methods.iter().flat_map(|method| wrong.iter().map(move |params| (method, params))) {
            let is_header = params["taskId"].is_string() || params.get("taskId").is_none();
            if leg.is_modern() && leg.is_http() && !is_header {
                // There is no header that says what the body says.
                continue;
            }
            let mut params = params.clone();
            if *method == "tasks/update" && params.is_object() {
                params["inputResponses"] = json!({});
            }
            client.request_once(method, params).await.expect_code(-32602);
        }
    })
    .await;
}
