//! `ttlMs` and `cacheScope` (B138).

use std::time::Duration;

use mcp::{CacheHint, HandlerError, ReadRequest, ReadResourceResult, ResourceOptions, ServerBuilder};

use crate::harness::*;

const CACHEABLE: [&str; 5] =
    ["server/discover", "tools/list", "prompts/list", "resources/list", "resources/templates/list"];

fn hint(reply: &Reply) -> (Value, Value) {
    (reply.result()["ttlMs"].clone(), reply.result()["cacheScope"].clone())
}

async fn hint_of(client: &Client, method: &str, params: Value) -> (Value, Value) {
    hint(&client.request(method, params).await)
}

fn public(ms: u64) -> (Value, Value) {
    (json!(ms), json!("public"))
}

fn private(ms: u64) -> (Value, Value) {
    (json!(ms), json!("private"))
}

async fn read(request: ReadRequest, _ctx: mcp::Context) -> Result<ReadResourceResult, HandlerError> {
    let mut result = ReadResourceResult::text(&request.uri, "text");
    result.cache = request.uri.ends_with("own").then(|| CacheHint::public(Duration::from_secs(9)));
    Ok(result)
}

fn hinted(builder: ServerBuilder) -> ServerBuilder {
    builder
        .resource("own", "hint://own", ResourceOptions::new(), read)
        .resource("other", "hint://other", ResourceOptions::new(), read)
        .cache_hint("tools/list", CacheHint::public(Duration::from_secs(60)))
        .cache_hint("resources/read", CacheHint::private(Duration::from_millis(5)))
        .cache_hint("prompts/list", CacheHint::private(Duration::from_secs(1)))
        .cache_hint("server/discover", CacheHint::public(Duration::MAX))
        .cache_hint("no/such", CacheHint::public(Duration::from_secs(1)))
        .page_size(2)
}

#[tokio::test]
async fn without_a_hint_a_cacheable_result_is_stale_at_once_and_private() {
    each(legs::modern(), async |leg| {
        let client = leg.connect(&fixture().server).await;
        for method in CACHEABLE {
            assert_eq!(hint_of(&client, method, Value::Null).await, private(0), "{method}");
        }
        assert_eq!(hint_of(&client, "resources/read", json!({"uri": "test://plain"})).await, private(0));
    })
    .await;
}

#[tokio::test]
async fn hints_come_from_the_table_unless_the_result_has_its_own() {
    each(legs::modern(), async |leg| {
        let client = leg.connect(&Fixture::with(hinted).server).await;
        assert_eq!(hint_of(&client, "tools/list", Value::Null).await, public(60_000));
        assert_eq!(hint_of(&client, "prompts/list", Value::Null).await, private(1000));
        assert_eq!(hint_of(&client, "resources/list", Value::Null).await, private(0));
        assert_eq!(hint_of(&client, "resources/read", json!({"uri": "hint://other"})).await, private(5));
        assert_eq!(hint_of(&client, "resources/read", json!({"uri": "hint://own"})).await, public(9000));
        let (ttl, scope) = hint_of(&client, "server/discover", Value::Null).await;
        assert!(ttl.as_u64().is_some() && scope == "public", "{ttl} {scope}");
    })
    .await;
}

#[tokio::test]
async fn every_page_has_the_same_hint() {
    each(legs::modern(), async |leg| {
        let client = leg.connect(&Fixture::with(hinted).server).await;
        let mut cursor = Value::Null;
        loop {
            let params = if cursor.is_null() { Value::Null } else { json!({"cursor": cursor}) };
            let reply = client.request("tools/list", params).await;
            assert_eq!(hint(&reply), public(60_000));
            cursor = reply.result()["nextCursor"].clone();
            if cursor.is_null() {
                break;
            }
        }
    })
    .await;
}

#[tokio::test]
async fn a_resolver_is_asked_before_the_table() {
    let resolve = |method: &str| match method {
        "tools/list" => Some(CacheHint::private(Duration::from_secs(2))),
        "resources/list" => Some(CacheHint::public(Duration::from_secs(3))),
        _ => None,
    };
    each(legs::modern(), async |leg| {
        let client = leg.connect(&Fixture::with(|builder| hinted(builder).cache_hint_resolver(resolve)).server).await;
        assert_eq!(hint_of(&client, "tools/list", Value::Null).await, private(2000));
        assert_eq!(hint_of(&client, "resources/list", Value::Null).await, public(3000));
        assert_eq!(hint_of(&client, "prompts/list", Value::Null).await, private(1000));
        assert_eq!(hint_of(&client, "resources/read", json!({"uri": "hint://own"})).await, public(9000));
    })
    .await;
}

#[tokio::test]
async fn what_cannot_be_cached_has_no_hint() {
    each(legs::all(), async |leg| {
        let client = leg.connect_with(&Fixture::with(hinted).server, json!({"elicitation": {}})).await;
        client.answer_with(|_, _| Ok(json!({"action": "decline"})));
        let mut replies = vec![
            client.call("echo", json!({"text": "x"})).await,
            client.request("prompts/get", json!({"name": "plain"})).await,
        ];
        if leg.is_modern() {
            replies.push(client.request_once("tools/call", json!({"name": "ask_name", "arguments": {}})).await);
        } else {
            replies.push(client.request("tools/list", Value::Null).await);
            replies.push(client.request("resources/read", json!({"uri": "hint://own"})).await);
        }
        for reply in replies {
            assert!(
                reply.result().get("ttlMs").is_none() && reply.result().get("cacheScope").is_none(),
                "{}",
                reply.wire
            );
        }
    })
    .await;
}
