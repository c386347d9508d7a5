//! Asking the client in the middle of a request, and what happens when no answer comes (B63).

use std::time::Duration;

use mcp::InputRequiredConfig;

use crate::harness::*;

fn answers(method: &str, params: &Value) -> Result<Value, Value> {
    assert_eq!(method, "elicitation/create");
    let field = params["requestedSchema"]["required"][0].as_str().unwrap().to_owned();
    let value = if field == "name" { "Ann" } else { "Rome" };
    Ok(json!({"action": "accept", "content": {field: value}}))
}

fn eliciting() -> impl Iterator<Item = Leg> {
    legs::all().filter(|leg| leg.can_elicit())
}

#[tokio::test]
async fn a_handler_asks_and_goes_on_with_the_answer_in_both_eras() {
    each(eliciting(), async |leg| {
        let client = leg.connect_with(&fixture().server, json!({"elicitation": {}})).await;
        client.answer_with(answers);
        assert_eq!(client.call("ask_name", json!({})).await.text(), "Hello, Ann!");
        assert_eq!(client.call("ask_twice", json!({})).await.text(), "Ann of Rome");
    })
    .await;
}

#[tokio::test]
async fn roots_can_be_asked_for_in_every_revision() {
    each(legs::all().filter(|leg| leg.can_ask()), async |leg| {
        let client = leg.connect_with(&fixture().server, json!({"roots": {}})).await;
        client.answer_with(|method, _| {
            assert_eq!(method, "roots/list");
            Ok(json!({"roots": [{"uri": "file:///a"}, {"uri": "file:///b", "name": "b"}]}))
        });
        assert_eq!(client.call("ask_roots", json!({})).await.text(), "2 roots");
    })
    .await;
}

#[tokio::test]
async fn what_the_client_cannot_do_is_not_asked_and_fails_at_once() {
    let declared = [json!({}), json!({"sampling": {}}), json!({"roots": {}}), json!({"elicitation": {"url": {}}})];
    each(legs::all(), async |leg| {
        for capabilities in &declared {
            let client = leg.connect_with(&fixture().server, capabilities.clone()).await;
            let reply = client.call("ask_name", json!({})).await;
            if leg.is_modern() {
                reply.expect_code(-32021);
                assert!(reply.error()["data"]["requiredCapabilities"]["elicitation"].is_object(), "{}", reply.wire);
                assert!(reply.status.is_none_or(|status| status == 400), "{reply:?}");
            } else {
                reply.tool_error();
            }
            assert!(client.drain().await.is_empty());
        }
    })
    .await;
}

#[tokio::test]
async fn a_client_without_a_session_cannot_be_asked_and_the_request_fails_at_once() {
    each(legs::all().filter(|leg| !leg.can_ask()), async |leg| {
        let client = leg.connect_with(&fixture().server, json!({"elicitation": {}, "roots": {}})).await;
        client.call("ask_name", json!({})).await.tool_error();
        client.call("ask_roots", json!({})).await.tool_error();
    })
    .await;
}

#[tokio::test]
async fn an_open_question_delays_no_other_request() {
    each(legs::legacy().filter(|leg| leg.can_elicit()), async |leg| {
        let client = leg.connect_with(&fixture().server, json!({"elicitation": {}})).await;
        let pending = client.start_call("ask_name", json!({})).await;
        let question = client.server_request("elicitation/create").await;
        assert_eq!(client.call("echo", json!({"text": "now"})).await.text(), "now");
        assert!(client.try_reply(&pending).is_none());
        client.answer(&question, Ok(json!({"action": "accept", "content": {"name": "Ann"}}))).await;
        assert_eq!(client.reply(&pending).await.text(), "Hello, Ann!");
    })
    .await;
}

#[tokio::test]
async fn an_answer_that_is_an_error_or_malformed_fails_the_request() {
    let wrong = [
        Err(json!({"code": -32601, "message": "can't do that"})),
        Err(json!({"code": 1, "message": ""})),
        Err(json!("no object")),
        Ok(json!({})),
        Ok(json!(null)),
        Ok(json!({"action": "perhaps"})),
    ];
    each(legs::legacy().filter(|leg| leg.can_elicit()), async |leg| {
        let client = leg.connect_with(&fixture().server, json!({"elicitation": {}})).await;
        for outcome in &wrong {
            let pending = client.start_call("ask_name", json!({})).await;
            let question = client.server_request("elicitation/create").await;
            client.answer(&question, outcome.clone()).await;
            let reply = client.reply(&pending).await;
            assert!(reply.is_error() || reply.result()["isError"] == true, "{outcome:?}: {}", reply.wire);
        }
        assert_eq!(client.call("echo", json!({"text": "alive"})).await.text(), "alive");
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn a_question_that_is_not_answered_fails_after_its_time_and_is_withdrawn() {
    let config = InputRequiredConfig { round_timeout: Duration::from_secs(5), ..InputRequiredConfig::default() };
    each(legs::legacy_memory().filter(|leg| leg.can_elicit()), async |leg| {
        let fixture = Fixture::with(|builder| builder.input_required_config(config));
        let client = leg.connect_with(&fixture.server, json!({"elicitation": {}})).await;
        let pending = client.start_call("ask_name", json!({})).await;
        let question = client.server_request("elicitation/create").await;
        client.reply(&pending).await.tool_error();
        let withdrawn = client.notification("notifications/cancelled").await;
        assert_eq!(withdrawn.params()["requestId"], question.value["id"]);
        // The answer that comes after all is ignored.
        client.answer(&question, Ok(json!({"action": "accept", "content": {"name": "Ann"}}))).await;
        assert!(client.drain().await.is_empty());
    })
    .await;
}

#[tokio::test]
async fn a_cancelled_request_withdraws_its_question() {
    each(legs::legacy().filter(|leg| leg.can_elicit()), async |leg| {
        let client = leg.connect_with(&fixture().server, json!({"elicitation": {}})).await;
        let pending = client.start_call("ask_name", json!({})).await;
        let question = client.server_request("elicitation/create").await;
        client.cancel(&pending).await;
        let withdrawn = client.notification("notifications/cancelled").await;
        assert_eq!(withdrawn.params()["requestId"], question.value["id"]);
        assert_eq!(client.call("echo", json!({"text": "alive"})).await.text(), "alive");
        assert!(client.try_reply(&pending).is_none());
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn an_open_question_ends_with_its_connection() {
    each(legs::legacy_memory().filter(|leg| leg.can_elicit()), async |leg| {
        let began = tokio::time::Instant::now();
        let client = leg.connect_with(&fixture().server, json!({"elicitation": {}})).await;
        client.start_call("ask_name", json!({})).await;
        client.server_request("elicitation/create").await;
        client.close().await;
        client.ended().await;
        assert!(began.elapsed() < Duration::from_secs(10), "{:?}", began.elapsed());
    })
    .await;
}

#[tokio::test]
async fn a_request_that_asks_without_end_is_ended() {
    let config = InputRequiredConfig { max_rounds: 3, ..InputRequiredConfig::default() };
    each(legs::legacy().filter(|leg| leg.can_elicit()), async |leg| {
        let gates = Gates::default();
        let server = builder(&gates)
            .input_required_config(config)
            .raw_tool("endless", mcp::ToolOptions::new(), async |_, _| {
                let question = mcp::ElicitRequest::form("Again?", json!({"type": "object", "properties": {}}));
                Err::<String, mcp::HandlerError>(mcp::InputRequired::new().request("again", question).into())
            })
            .build()
            .unwrap();
        let client = leg.connect_with(&server, json!({"elicitation": {}})).await;
        client.answer_with(|_, _| Ok(json!({"action": "accept", "content": {}})));
        client.call("endless", json!({})).await.tool_error();
        let asked = client.history().iter().filter(|m| m.method() == Some("elicitation/create")).count();
        assert_eq!(asked, 3);
    })
    .await;
}
