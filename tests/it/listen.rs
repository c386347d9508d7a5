//! `subscriptions/listen` (B133, B134).

use std::time::Duration;

use mcp::{Limits, Server, ToolOptions};

use crate::harness::*;

const ACKNOWLEDGED: &str = "notifications/subscriptions/acknowledged";
const ID: &str = "io.modelcontextprotocol/subscriptionId";

fn listening() -> impl Iterator<Item = Leg> {
    legs::modern()
}

async fn listen(client: &Client, id: Value, filter: Value) -> Pending {
    client.start_with_id(id, "subscriptions/listen", json!({"notifications": filter})).await
}

async fn acknowledged(client: &Client, id: &Value) -> Value {
    let received = client.notification(ACKNOWLEDGED).await;
    assert_eq!(&received.params()["_meta"][ID], id, "{}", received.wire);
    received.params()["notifications"].clone()
}

#[tokio::test]
async fn a_filter_that_is_missing_or_malformed_is_refused() {
    let wrong = [
        Value::Null,
        json!({}),
        json!({"notifications": null}),
        json!({"notifications": 5}),
        json!({"notifications": "tools"}),
        json!({"notifications": []}),
        json!({"notifications": [true]}),
        json!({"notifications": {"toolsListChanged": "yes"}}),
        json!({"notifications": {"promptsListChanged": 1}}),
        json!({"notifications": {"resourceSubscriptions": "test://plain"}}),
        json!({"notifications": {"resourceSubscriptions": [5]}}),
        json!({"notifications": {"resourceSubscriptions": {}}}),
    ];
    each(listening(), async |leg| {
        let client = leg.connect(&fixture().server).await;
        for params in &wrong {
            let pending = client.start("subscriptions/listen", params.clone()).await;
            let reply = client.reply(&pending).await;
            assert!(reply.expect_code(-32602).message().contains("notifications"), "{params}: {}", reply.wire);
        }
    })
    .await;
}

#[tokio::test]
async fn the_first_message_says_what_is_honoured() {
    let cases = [
        (json!({}), json!({})),
        (json!({"toolsListChanged": true}), json!({"toolsListChanged": true})),
        (json!({"toolsListChanged": false, "promptsListChanged": true}), json!({"promptsListChanged": true})),
        (
            json!({"unknownKind": true, "tools": [1], "resourcesListChanged": true}),
            json!({"resourcesListChanged": true}),
        ),
        (
            json!({"resourceSubscriptions": ["test://a", "no uri"]}),
            json!({"resourceSubscriptions": ["test://a", "no uri"]}),
        ),
        (json!({"resourceSubscriptions": []}), json!({"resourceSubscriptions": []})),
    ];
    let ids = [json!("sub-1"), json!(0), json!(""), json!("é\"\\"), json!(9_007_199_254_740_993_u64), json!(-1)];
    each(listening(), async |leg| {
        let client = leg.connect(&fixture().server).await;
        for ((filter, honoured), id) in cases.iter().zip(&ids) {
            listen(&client, id.clone(), filter.clone()).await;
            assert_eq!(&acknowledged(&client, id).await, honoured, "{filter}");
        }
    })
    .await;
}

#[tokio::test]
async fn what_the_server_does_not_offer_is_not_honoured() {
    let tools = Server::builder("tools", "1").declare_tools().build().unwrap();
    let nothing = Server::builder("quiet", "1").declare_tools().subscriptions_enabled(false).build().unwrap();
    let all = json!({"toolsListChanged": true, "promptsListChanged": true, "resourcesListChanged": true,
        "resourceSubscriptions": ["test://a"]});
    each(listening(), async |leg| {
        let client = leg.connect(&tools).await;
        listen(&client, json!(7), all.clone()).await;
        assert_eq!(acknowledged(&client, &json!(7)).await, json!({"toolsListChanged": true}));
        let client = leg.connect(&nothing).await;
        let pending = listen(&client, json!(7), all.clone()).await;
        client.reply(&pending).await.expect_code(-32601);
    })
    .await;
}

#[tokio::test]
async fn only_what_was_asked_for_is_sent_under_the_id_of_the_subscription() {
    each(listening(), async |leg| {
        let server = fixture().server;
        let client = leg.connect(&server).await;
        let uri = json!({"resourceSubscriptions": ["test://plain"]});
        for (id, filter) in [("tools", json!({"toolsListChanged": true})), ("plain", uri), ("none", json!({}))] {
            listen(&client, json!(id), filter).await;
            acknowledged(&client, &json!(id)).await;
        }
        server.notify_prompts_changed();
        server.notify_resources_changed();
        server.notify_resource_updated("test://other");
        server.notify_tools_changed();
        server.notify_resource_updated("test://plain");
        let changed = client.notification("notifications/tools/list_changed").await;
        assert_eq!(changed.params(), &json!({"_meta": {ID: "tools"}}));
        let updated = client.notification("notifications/resources/updated").await;
        assert_eq!(updated.params(), &json!({"_meta": {ID: "plain"}, "uri": "test://plain"}));
        let rest: Vec<_> = client.drain().await.into_iter().map(|message| message.wire).collect();
        assert!(rest.is_empty(), "{rest:?}");
    })
    .await;
}

#[tokio::test]
async fn nothing_comes_before_the_acknowledgement() {
    each(listening(), async |leg| {
        let server = fixture().server;
        let client = leg.connect(&server).await;
        for n in 0..20 {
            server.notify_tools_changed();
            listen(&client, json!(format!("s{n}")), json!({"toolsListChanged": true})).await;
            server.notify_tools_changed();
        }
        for _ in 0..20 {
            client.notification(ACKNOWLEDGED).await;
        }
        server.notify_tools_changed();
        for n in 0..20 {
            let of = |message: &Received| message.params()["_meta"][ID] == format!("s{n}");
            let first = client.history().into_iter().find(of).unwrap();
            assert_eq!(first.method(), Some(ACKNOWLEDGED), "s{n}");
        }
    })
    .await;
}

#[tokio::test]
async fn a_subscription_that_is_cancelled_is_silent_and_makes_room() {
    let limits = Limits { max_subscriptions: 2, ..Limits::default() };
    each(listening(), async |leg| {
        let server = Fixture::with(|builder| builder.limits(limits)).server;
        let client = leg.connect(&server).await;
        let all = || json!({"toolsListChanged": true});
        let first = listen(&client, json!("a"), all()).await;
        acknowledged(&client, &json!("a")).await;
        listen(&client, json!("b"), all()).await;
        acknowledged(&client, &json!("b")).await;
        let third = listen(&client, json!("c"), all()).await;
        client.reply(&third).await.expect_code(-32603);
        let uris = json!({"resourceSubscriptions": ["x:1", "x:2", "x:3"]});
        let many = listen(&client, json!("m"), uris).await;
        assert!(client.reply(&many).await.is_error());
        client.cancel(&first).await;
        within("room for another subscription", async {
            for n in 0.. {
                listen(&client, json!(n), all()).await;
                if client.next().await.method() == Some(ACKNOWLEDGED) {
                    break;
                }
            }
        })
        .await;
        server.notify_tools_changed();
        for _ in 0..2 {
            let id = client.notification("notifications/tools/list_changed").await.params()["_meta"][ID].clone();
            assert_ne!(id, "a");
        }
        let late = client.drain().await.into_iter().any(|m| m.params()["_meta"][ID] == "a" || m.value["id"] == "a");
        assert!(!late, "something came for a subscription that was cancelled");
    })
    .await;
}

#[tokio::test]
async fn two_thousand_subscriptions_of_one_client_hear_of_a_change_once_each() {
    let server = fixture().server;
    let client = legs::memory().last().unwrap().connect(&server).await;
    for n in 0..2000 {
        listen(&client, json!(n), json!({"toolsListChanged": true})).await;
    }
    for n in 0..2000 {
        acknowledged(&client, &json!(n)).await;
    }
    server.notify_tools_changed();
    for _ in 0..2000 {
        client.notification("notifications/tools/list_changed").await;
    }
    assert!(client.drain().await.is_empty());
}

#[tokio::test]
async fn when_the_server_ends_every_subscription_gets_its_result() {
    each(listening(), async |leg| {
        let server = fixture().server;
        let client = leg.connect(&server).await;
        let mut pending = Vec::new();
        for id in [json!("a"), json!(2)] {
            pending.push((listen(&client, id.clone(), json!({"toolsListChanged": true})).await, id.clone()));
            acknowledged(&client, &id).await;
        }
        server.shutdown(Duration::from_secs(10));
        for (pending, id) in &pending {
            let reply = client.reply(pending).await;
            assert_eq!(reply.result()["resultType"], "complete");
            assert_eq!(&reply.result()["_meta"][ID], id);
        }
    })
    .await;
}

#[tokio::test]
async fn a_tool_may_end_the_server_that_runs_it() {
    each(listening(), async |leg| {
        let server = Server::builder("ends", "1")
            .raw_tool("end", ToolOptions::new(), async |_, ctx: mcp::Context| {
                ctx.server().shutdown(Duration::from_secs(10));
                "ending"
            })
            .build()
            .unwrap();
        let client = leg.connect(&server).await;
        let open = listen(&client, json!("a"), json!({"toolsListChanged": true})).await;
        acknowledged(&client, &json!("a")).await;
        assert_eq!(client.call("end", json!({})).await.text(), "ending");
        assert_eq!(client.reply(&open).await.result()["resultType"], "complete");
    })
    .await;
}
