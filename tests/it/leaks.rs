//! What a client may and may not read about failures (B65, B66).

use crate::harness::*;

const SECRET: &str = "password=hunter2 in /etc/path";

#[tokio::test]
async fn the_text_of_a_panic_or_of_an_unknown_error_never_reaches_the_client() {
    each(legs::all(), async |leg| {
        let client = leg.connect(&fixture().server).await;
        client.call("boom", json!({"text": SECRET})).await.tool_error();
        client.call("fail", json!({"kind": "other", "text": SECRET})).await.tool_error();
        client.request("resources/read", json!({"uri": "test://items/boom"})).await.expect_code(-32603);
        for message in client.history() {
            assert!(!message.wire.contains("password"), "{}", message.wire);
            assert!(!message.wire.contains(".rs"), "{}", message.wire);
        }
    })
    .await;
}

#[tokio::test]
async fn the_text_of_an_error_that_is_meant_for_the_client_reaches_it() {
    each(legs::all(), async |leg| {
        let client = leg.connect(&fixture().server).await;
        let reply = client.call("fail", json!({"kind": "message", "text": "try another city"})).await;
        assert_eq!(reply.tool_error(), "try another city");
        let reply = client.call("fail", json!({"kind": "protocol", "text": "no more credit"})).await;
        assert_eq!((reply.code(), reply.message()), (4711, "no more credit"));
    })
    .await;
}

#[tokio::test]
async fn a_resource_without_contents_is_not_found() {
    each(legs::all(), async |leg| {
        let client = leg.connect(&fixture().server).await;
        let code = if leg.is_modern() { -32602 } else { -32002 };
        let reply = client.request("resources/read", json!({"uri": "test://items/empty"})).await;
        assert!(reply.expect_code(code).wire.contains("test://items/empty"));
    })
    .await;
}
