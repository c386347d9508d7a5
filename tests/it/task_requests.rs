//! Tasks: questions and answers, who may see them, lists and news of them (B90, B136).

use mcp::{HttpOptions, MemoryTaskStore, Principal};

use crate::harness::*;
use crate::task_clients::*;

fn accept(name: &str) -> Value {
    json!({"action": "accept", "content": {"name": name}})
}

async fn update(client: &Client, id: &str, responses: Value) -> Reply {
    client.request_once("tasks/update", json!({"taskId": id, "inputResponses": responses})).await
}

#[tokio::test]
async fn a_running_task_asks_under_keys_that_it_never_uses_twice() {
    each(modern_legs(), async |leg| {
        let Fixture { server, .. } = task_fixture();
        let client = leg.connect_with(&server, declared()).await;
        let id = task_of(&client, "asker", json!({})).await;
        let first = until_status(&client, &id, "input_required").await;
        assert_eq!(first["inputRequests"]["name"]["method"], "elicitation/create", "{first}");
        update(&client, &id, json!({"name": accept("Ada")})).await.result();
        let second = until(&client, &id, |task| task["inputRequests"].get("name-2").is_some()).await;
        assert_eq!(second["inputRequests"].as_object().unwrap().len(), 1, "{second}");
        // An answer to what was answered already is ignored.
        update(&client, &id, json!({"name": accept("Eve"), "never": 1})).await.result();
        assert_eq!(get(&client, &id).await.result()["status"], "input_required");
        update(&client, &id, json!({"name-2": accept("Grace")})).await.result();
        let result = result_of(&client, &id).await;
        assert_eq!(result["content"][0]["text"], "Ada and Grace");
        let late = update(&client, &id, json!({"name-2": accept("Eve")})).await;
        assert_eq!(late.result()["resultType"], "complete");
    })
    .await;
}

#[tokio::test]
async fn answers_may_come_one_by_one() {
    each(modern_legs(), async |leg| {
        let Fixture { server, .. } = task_fixture();
        let client = leg.connect_with(&server, declared()).await;
        let id = task_of(&client, "both", json!({})).await;
        until_status(&client, &id, "input_required").await;
        update(&client, &id, json!({"b": accept("second")})).await.result();
        let task = get(&client, &id).await.result().clone();
        assert_eq!(task["status"], "input_required");
        assert_eq!(task["inputRequests"].as_object().unwrap().keys().collect::<Vec<_>>(), ["a"]);
        update(&client, &id, json!({"a": accept("first")})).await.result();
        assert!(result_of(&client, &id).await["content"][0]["text"].as_str().unwrap().contains("second"));
    })
    .await;
}

#[tokio::test]
async fn an_update_that_is_malformed_is_refused() {
    each(modern_legs(), async |leg| {
        let Fixture { server, .. } = task_fixture();
        let client = leg.connect_with(&server, declared()).await;
        let id = task_of(&client, "both", json!({})).await;
        until_status(&client, &id, "input_required").await;
        let answers = json!({"a": accept("x"), "b": accept("y")});
        for params in [
            json!({"taskId": id}),
            json!({"taskId": id, "inputResponses": []}),
            json!({"taskId": id, "inputResponses": null}),
            json!({"taskId": id, "inputResponses": answers, "result": {}}),
            json!({"taskId": id, "result": {}}),
        ] {
            client.request_once("tasks/update", params).await.expect_code(-32602);
        }
        assert_eq!(get(&client, &id).await.result()["status"], "input_required");
    })
    .await;
}

#[tokio::test]
async fn a_legacy_client_is_asked_while_it_waits_for_the_result() {
    each(legacy_legs().filter(|leg| leg.can_ask()), async |leg| {
        let Fixture { server, .. } = task_fixture();
        let client = leg.connect_with(&server, json!({"elicitation": {}})).await;
        let id = task_of(&client, "asker", json!({})).await;
        until_status(&client, &id, "input_required").await;
        let waiting = client.start("tasks/result", json!({"taskId": id})).await;
        for name in ["Ada", "Grace"] {
            let question = client.server_request("elicitation/create").await;
            let related = &question.params()["_meta"]["io.modelcontextprotocol/related-task"]["taskId"];
            assert_eq!(related, &json!(id), "{}", question.wire);
            client.answer(&question, Ok(accept(name))).await;
        }
        assert_eq!(client.reply(&waiting).await.text(), "Ada and Grace");
    })
    .await;
}

#[tokio::test]
async fn a_task_that_asks_what_its_client_can_not_answer_fails() {
    let extension = json!({"extensions": {"io.modelcontextprotocol/tasks": {}}});
    each(task_legs(), async |leg| {
        let Fixture { server, .. } = task_fixture();
        let client = leg.connect_with(&server, extension.clone()).await;
        let id = task_of(&client, "asker", json!({})).await;
        let failed = until_status(&client, &id, "failed").await;
        assert!(failed["statusMessage"].as_str().unwrap().contains("elicitation"), "{failed}");
    })
    .await;
}

#[tokio::test]
async fn a_tool_asks_first_and_becomes_a_task_then() {
    each(modern_legs(), async |leg| {
        let Fixture { server, .. } = task_fixture();
        let client = leg.connect_with(&server, declared()).await;
        let first = client.request_once("tools/call", json!({"name": "decides", "arguments": {}})).await;
        assert_eq!(first.result()["resultType"], "input_required", "{}", first.wire);
        let mut params = json!({"name": "decides", "arguments": {}, "inputResponses": {"name": accept("Ada")}});
        if let Some(state) = first.result().get("requestState") {
            params["requestState"] = state.clone();
        }
        let reply = client.request_once("tools/call", params).await;
        let id = handle(&reply)["taskId"].as_str().unwrap().to_owned();
        let asking = until_status(&client, &id, "input_required").await;
        assert_eq!(asking["inputRequests"].as_object().unwrap().keys().collect::<Vec<_>>(), ["more"]);
        update(&client, &id, json!({"more": accept("Grace")})).await.result();
        assert_eq!(result_of(&client, &id).await["content"][0]["text"], "Ada, Grace, again: true");
    })
    .await;
}

#[tokio::test]
async fn a_tool_that_does_not_decide_can_not_become_a_task() {
    each(legs::all(), async |leg| {
        let Fixture { server, .. } = task_fixture();
        let client = leg.connect_with(&server, declared()).await;
        assert!(client.call("plain", json!({})).await.is_error());
        let client = leg.connect(&server).await;
        if leg.is_modern() {
            client.call("plain", json!({})).await.expect_code(-32021);
        }
    })
    .await;
}

#[tokio::test]
async fn a_client_that_asks_for_a_task_of_a_tool_that_has_none_is_refused() {
    each(legacy_legs(), async |leg| {
        let Fixture { server, .. } = task_fixture();
        let client = leg.connect(&server).await;
        start_task(&client, "echo", json!({"text": "x"})).await.expect_code(-32601);
        start_task(&client, "unknown", json!({})).await.expect_code(-32602);
        for task in [json!(5), json!([]), json!({"ttl": -1}), json!({"ttl": "long"})] {
            let params = json!({"name": "job", "arguments": {}, "task": task});
            client.request_once("tools/call", params).await.expect_code(-32602);
        }
        let params = json!({"name": "job", "arguments": {"end": "at once"}, "task": {"ttl": 5000}});
        assert_eq!(handle(&client.request_once("tools/call", params).await)["ttl"], 5000);
        let params = json!({"name": "job", "arguments": {"end": "at once"}, "task": {"ttl": 1e15}});
        assert_eq!(handle(&client.request_once("tools/call", params).await)["ttl"], 24 * 3_600_000);
    })
    .await;
}

#[tokio::test]
async fn a_legacy_client_lists_its_own_tasks_page_by_page() {
    each(legacy_legs().filter(|leg| leg.transport != Transport::HttpStateless), async |leg| {
        let gates = Gates::default();
        let builder = task_tools(builder(&gates), &gates).page_size(2).task_store(MemoryTaskStore::new(), options());
        let host = leg.host(&builder.build().unwrap()).await.shared();
        let (client, other) = (host.connect().await, host.connect().await);
        let mut ids = Vec::new();
        for _ in 0..5 {
            ids.push(task_of(&client, "job", json!({"end": "at once"})).await);
        }
        let foreign = task_of(&other, "job", json!({"end": "at once"})).await;
        let (mut listed, mut cursor, mut pages) = (Vec::new(), None, 0);
        loop {
            let params = cursor.as_ref().map_or(json!({}), |cursor| json!({"cursor": cursor}));
            let page = client.request("tasks/list", params).await;
            let tasks = page.result()["tasks"].as_array().unwrap();
            assert!(tasks.len() <= 2, "{}", page.wire);
            listed.extend(tasks.iter().map(|task| task["taskId"].as_str().unwrap().to_owned()));
            pages += 1;
            match page.result().get("nextCursor") {
                Some(next) => cursor = Some(next.clone()),
                None => break,
            }
        }
        listed.sort();
        ids.sort();
        assert_eq!((listed, pages), (ids, 3));
        for wrong in [json!("zzz"), json!(5), json!("")] {
            client.request("tasks/list", json!({"cursor": wrong})).await.expect_code(-32602);
        }
        for method in ["tasks/get", "tasks/result", "tasks/cancel"] {
            client.request(method, json!({"taskId": foreign})).await.expect_code(-32602);
        }
        assert_eq!(other.request("tasks/list", json!({})).await.result()["tasks"].as_array().unwrap().len(), 1);
    })
    .await;
}

#[tokio::test]
async fn a_task_of_one_user_does_not_exist_for_another() {
    let versions = modern_legs().chain(legacy_legs()).filter(|leg| leg.transport == Transport::HttpStateless);
    each(versions, async |leg| {
        let Fixture { server, .. } = task_fixture();
        let service = server.http_service(HttpOptions::new().stateless(true));
        let ask = async |user: &'static str, method: &str, params: Value| -> Value {
            let client = leg.open(&server).await;
            let message = client.message(Some(json!(1)), method, params.clone());
            let mut request = ::http::Request::post("http://localhost/mcp")
                .header("host", "localhost")
                .header("content-type", "application/json")
                .header("accept", "application/json, text/event-stream")
                .header("mcp-protocol-version", leg.version.as_str())
                .header("mcp-method", method);
            if let Some(name) = params.get("name").or(params.get("taskId")) {
                request = request.header("mcp-name", name.as_str().unwrap());
            }
            let body = http_body_util::Full::new(bytes::Bytes::from(message.to_string()));
            let mut request = request.body(body).unwrap();
            request.extensions_mut().insert(Principal::new(user));
            let response = service.respond(request).await;
            let body = http_body_util::BodyExt::collect(response.into_body()).await.unwrap().to_bytes();
            serde_json::from_slice(&body).unwrap_or_else(|_| panic!("{}", String::from_utf8_lossy(&body)))
        };
        let mut call = json!({"name": "job", "arguments": {"end": "at once"}});
        if leg.is_legacy() {
            call["task"] = json!({});
        } else {
            call["_meta"] = json!({"io.modelcontextprotocol/clientCapabilities": declared()});
        }
        let task = |id: &Value| match leg.is_legacy() {
            true => json!({"taskId": id}),
            false => json!({"taskId": id, "_meta": {"io.modelcontextprotocol/clientCapabilities": declared()}}),
        };
        let made = ask("ada", "tools/call", call).await;
        let id = made["result"].get("task").unwrap_or(&made["result"])["taskId"].clone();
        assert!(id.is_string(), "{made}");
        assert_eq!(ask("ada", "tasks/get", task(&id)).await["result"]["taskId"], id);
        for method in ["tasks/get", "tasks/cancel"] {
            assert_eq!(ask("eve", method, task(&id)).await["error"]["code"], -32602);
        }
    })
    .await;
}

#[tokio::test]
async fn a_subscriber_hears_of_its_tasks_and_of_no_others() {
    each(modern_legs(), async |leg| {
        let Fixture { server, gates } = task_fixture();
        let client = leg.connect_with(&server, declared()).await;
        let id = task_of(&client, "job", json!({"name": "a"})).await;
        let other = task_of(&client, "job", json!({"name": "b"})).await;
        let filter = json!({"notifications": {"taskIds": [id, "unknown"]}});
        client.start_with_id(json!("sub"), "subscriptions/listen", filter).await;
        let acknowledged = client.notification("notifications/subscriptions/acknowledged").await;
        assert_eq!(acknowledged.params()["notifications"], json!({"taskIds": [id]}));
        let working = client.notification("notifications/tasks").await;
        assert_eq!((&working.params()["taskId"], &working.params()["status"]), (&json!(id), &json!("working")));
        gates.open("b");
        until_status(&client, &other, "completed").await;
        gates.open("a");
        loop {
            let told = client.notification("notifications/tasks").await;
            let told = told.params();
            assert_eq!(
                (&told["taskId"], &told["_meta"]["io.modelcontextprotocol/subscriptionId"]),
                (&json!(id), &json!("sub"))
            );
            if told["status"] == "completed" {
                assert_eq!(told["result"]["content"][0]["text"], "a is done");
                break;
            }
        }
        let plain = leg.connect(&server).await;
        let refused = plain.start("subscriptions/listen", json!({"notifications": {"taskIds": [id]}})).await;
        plain.reply(&refused).await.expect_code(-32021);
    })
    .await;
}

#[tokio::test]
async fn a_session_is_told_of_the_state_of_its_tasks() {
    each(legacy_legs().filter(|leg| leg.can_announce()), async |leg| {
        let Fixture { server, gates } = task_fixture();
        let client = leg.connect(&server).await;
        client.subscribe(&[]).await;
        let id = task_of(&client, "job", json!({"name": "a"})).await;
        gates.open("a");
        loop {
            let told = client.notification("notifications/tasks/status").await;
            assert_eq!(told.params()["taskId"], json!(id));
            if told.params()["status"] == "completed" {
                break;
            }
        }
    })
    .await;
}
