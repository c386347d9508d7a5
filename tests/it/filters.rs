//! Message filters: the host sees, changes and stops whole messages.

use std::sync::{Arc, Mutex};

use mcp::{Filters, RawJson, ServerBuilder};

use crate::harness::*;

type Seen = Arc<Mutex<Vec<String>>>;

fn seeing(seen: &Seen) -> Filters {
    let seen = seen.clone();
    Filters::new().add(move |message: RawJson, next: &mut dyn FnMut(RawJson)| {
        seen.lock().unwrap().push(message.to_string());
        next(message);
    })
}

/// Replaces words in messages.
fn replacing(from: &'static str, to: &'static str) -> Filters {
    Filters::new().add(move |message: RawJson, next: &mut dyn FnMut(RawJson)| {
        next(RawJson::parse(message.as_str().replace(from, to).into_bytes()).unwrap());
    })
}

/// Stops messages with a word, or panics over it.
fn stopping(word: &'static str, panics: bool) -> Filters {
    Filters::new().add(move |message: RawJson, next: &mut dyn FnMut(RawJson)| {
        let stops = message.as_str().contains(word);
        assert!(!(stops && panics), "a filter that panics");
        if !stops {
            next(message);
        }
    })
}

fn with(change: impl FnOnce(ServerBuilder) -> ServerBuilder) -> mcp::Server {
    Fixture::with(change).server
}

#[tokio::test]
async fn filters_see_every_message_of_their_direction_as_it_is() {
    // Over a link the host fetches notifications when it likes, so the order is its own.
    each(legs::all().filter(|leg| leg.transport != Transport::Link), async |leg| {
        let (incoming, outgoing) = (Seen::default(), Seen::default());
        let server = with(|builder| builder.incoming_filters(seeing(&incoming)).outgoing_filters(seeing(&outgoing)));
        let client = leg.connect(&server).await;
        client.drain().await;
        incoming.lock().unwrap().clear();
        outgoing.lock().unwrap().clear();
        let params = json!({"name": "progress", "arguments": {"n": 2}, "_meta": {"progressToken": "p"}});
        let call = client.message(Some(json!("c")), "tools/call", params);
        let pending = client.send(&call).await;
        let reply = client.reply(&pending).await;
        client.notify("notifications/cancelled", json!({"requestId": "none"})).await;
        client.request("no/such", Value::Null).await.expect_code(-32601);
        let sent: Vec<Value> =
            incoming.lock().unwrap().iter().map(|text| serde_json::from_str(text).unwrap()).collect();
        assert_eq!(sent[0], call);
        assert_eq!(sent[1]["method"], "notifications/cancelled");
        assert_eq!((sent[2]["method"].as_str(), sent.len()), (Some("no/such"), 3));
        let left = outgoing.lock().unwrap().clone();
        assert!(left[0].contains("notifications/progress") && left[1].contains("notifications/progress"), "{left:?}");
        assert_eq!(left[2], reply.wire);
        assert!(left[3].contains("-32601") && left.len() == 4, "{left:?}");
    })
    .await;
}

#[tokio::test]
async fn filters_change_messages_in_the_order_in_which_they_were_added() {
    let chain = Filters::new()
        .add(|message: RawJson, next: &mut dyn FnMut(RawJson)| {
            next(RawJson::parse(message.as_str().replace("\"one\"", "\"two\"").into_bytes()).unwrap());
            next(RawJson::parse(message.as_str().replace("\"one\"", "\"again\"").into_bytes()).unwrap());
        })
        .add(|message: RawJson, next: &mut dyn FnMut(RawJson)| {
            next(RawJson::parse(message.as_str().replace("\"two\"", "\"three\"").into_bytes()).unwrap());
        });
    each(legs::all(), async |leg| {
        let server = with(|builder| builder.incoming_filters(chain.clone()).outgoing_filters(replacing("cat", "dog")));
        let client = leg.connect(&server).await;
        assert_eq!(client.call("echo", json!({"text": "one"})).await.text(), "three");
        assert_eq!(client.call("echo", json!({"text": "two"})).await.text(), "three");
        assert_eq!(client.call("echo", json!({"text": "a cat"})).await.text(), "a dog");
        let params = json!({"name": "fail", "arguments": {"kind": "protocol", "text": "cat"}});
        assert_eq!(client.request("tools/call", params).await.message(), "dog");
    })
    .await;
}

#[tokio::test]
async fn a_request_that_is_stopped_is_refused_and_a_notification_vanishes() {
    each(legs::all(), async |leg| {
        for panics in [false, true] {
            let fixture = Fixture::with(|builder| builder.incoming_filters(stopping("forbidden", panics)));
            fixture.gates.open("forbidden");
            let client = leg.connect(&fixture.server).await;
            let reply = client.call("gate", json!({"name": "forbidden"})).await;
            assert!(reply.expect_code(-32600).message().contains("policy"), "{}", reply.wire);
            assert!(reply.status.is_none_or(|status| status == 403 || status == 202), "{reply:?}");
            let notification = json!({"jsonrpc": "2.0", "method": "notifications/forbidden"});
            client.expect_silence(&notification).await;
            assert_eq!(fixture.gates.count("forbidden"), 0);
            assert_eq!(client.call("echo", json!({"text": "alive"})).await.text(), "alive");
        }
    })
    .await;
}

#[tokio::test]
async fn a_message_that_is_stopped_on_its_way_out_never_arrives() {
    each(legs::all(), async |leg| {
        for panics in [false, true] {
            let server = with(|builder| builder.outgoing_filters(stopping("secret", panics)));
            let client = leg.connect(&server).await;
            let pending = client.start_call("echo", json!({"text": "secret"})).await;
            // Over HTTP something must be said: that the answer was withheld.
            if leg.is_http() && leg.transport != Transport::Sse {
                let received = client.next().await;
                assert!(received.value["error"]["code"] == -32603, "{}", received.wire);
            }
            let params = json!({"name": "progress", "arguments": {"n": 1}, "_meta": {"progressToken": "secret"}});
            assert_eq!(client.request("tools/call", params).await.text(), "done");
            assert_eq!(client.call("echo", json!({"text": "alive"})).await.text(), "alive");
            assert!(client.try_reply(&pending).is_none());
            assert!(client.history().iter().all(|message| !message.wire.contains("secret")));
        }
    })
    .await;
}

#[tokio::test]
async fn what_is_no_json_never_reaches_a_filter() {
    let seen = Seen::default();
    let server = with(|builder| builder.incoming_filters(seeing(&seen)));
    let leg = legs::memory().last().unwrap();
    let client = leg.connect(&server).await;
    client.send_line("{no json").await;
    assert_eq!(client.next().await.value["error"]["code"], -32700);
    assert_eq!(client.call("echo", json!({"text": "alive"})).await.text(), "alive");
    let seen = seen.lock().unwrap().clone();
    assert!(seen.iter().all(|message| !message.contains("no json")) && !seen.is_empty(), "{seen:?}");
}

#[tokio::test]
async fn questions_to_a_legacy_client_and_their_answers_pass_the_filters() {
    each(legs::legacy().filter(|leg| leg.can_elicit()), async |leg| {
        let (incoming, outgoing) = (replacing("Ann", "Bob"), replacing("Your name?", "Who are you?"));
        let server = with(|builder| builder.incoming_filters(incoming).outgoing_filters(outgoing));
        let client = leg.connect_with(&server, json!({"elicitation": {}})).await;
        client.answer_with(|_, params| {
            assert_eq!(params["message"], "Who are you?");
            Ok(json!({"action": "accept", "content": {"name": "Ann"}}))
        });
        assert_eq!(client.call("ask_name", json!({})).await.text(), "Hello, Bob!");
    })
    .await;
}
