//! Request ids: which are ids at all, how they come back, and that no two requests share one (B24 to B27).

use crate::harness::*;

#[tokio::test]
async fn an_id_comes_back_exactly_as_it_was_sent() {
    let ids = [
        "1",
        "\"1\"",
        "0",
        "\"\"",
        "-5",
        "9007199254740993",
        "18446744073709551615",
        "-9223372036854775808",
        "\"é\"",
        r#""\u00e9""#,
        r#""a\"b\\c\n""#,
        "\"null\"",
        "123456789012345678901234567890",
        "\"\u{1f50d} x\"",
    ];
    each(legs::all(), async |leg| {
        let client = leg.connect(&fixture().server).await;
        for id in ids {
            for (method, params) in
                [("tools/call", json!({"name": "noargs"})), ("tools/list", Value::Null), ("no/such", Value::Null)]
            {
                let reply = client.send_altered(method, params, "\"id\":77", &format!("\"id\":{id}")).await;
                assert_eq!(reply.unwrap_or_else(|| panic!("{id}: no answer to {method}")).raw_id(), id, "{method}");
            }
        }
    })
    .await;
}

#[tokio::test]
async fn what_is_neither_a_string_nor_an_integer_is_no_id() {
    each(legs::all(), async |leg| {
        let client = leg.connect(&fixture().server).await;
        for id in ["null", "1.5", "1e400", "true", "false", "[]", "[1]", "{}", "{\"a\":1}"] {
            let answer = client.send_altered("tools/list", Value::Null, "\"id\":77", &format!("\"id\":{id}")).await;
            if leg.is_http() {
                assert_eq!(answer.as_ref().and_then(|answer| answer.status), Some(400), "{id}: {answer:?}");
            }
            // Older revisions have no error without an id.
            if let Some(answer) = answer {
                answer.expect_code(-32600);
                assert!(answer.value.get("id").is_none(), "{id}: {}", answer.wire);
            }
        }
        assert_eq!(client.call("noargs", json!({})).await.text(), "{}");
    })
    .await;
}

#[tokio::test]
async fn an_id_of_absurd_length_is_refused_and_not_echoed() {
    each(legs::all(), async |leg| {
        let client = leg.connect(&fixture().server).await;
        let id = format!("\"id\":\"{}\"", "x".repeat(1 << 20));
        if let Some(answer) = client.send_altered("tools/list", Value::Null, "\"id\":77", &id).await {
            answer.expect_code(-32600);
            assert!(answer.wire.len() < 1000);
        }
        client.request("tools/list", Value::Null).await.result();
    })
    .await;
}

/// Legs on which all requests of a client share one space of ids.
fn one_space() -> impl Iterator<Item = Leg> {
    legs::all().filter(|leg| !leg.is_http() || leg.has_handshake())
}

#[tokio::test]
async fn a_second_request_with_an_id_in_flight_is_refused_and_the_first_is_unharmed() {
    each(one_space(), async |leg| {
        for id in [json!(5), json!("five"), json!(0), json!("")] {
            let fixture = fixture();
            let client = leg.connect(&fixture.server).await;
            let first = json!({"name": "gate", "arguments": {"name": "first"}});
            let first = client.start_with_id(id.clone(), "tools/call", first).await;
            fixture.gates.started("first").await;
            let echo = json!({"name": "echo", "arguments": {"text": "B"}});
            let second = client.request_with_id(id.clone(), "tools/call", echo.clone()).await;
            second.expect_code(-32600);
            assert!(second.status.is_none_or(|status| status == 400), "{second:?}");
            fixture.gates.open("first");
            assert_eq!(client.reply(&first).await.text(), "passed");
            // Now the id is free again.
            assert_eq!(client.request_with_id(id, "tools/call", echo).await.text(), "B");
        }
    })
    .await;
}

#[tokio::test]
async fn a_number_and_a_string_of_the_same_digits_are_two_ids() {
    each(legs::all(), async |leg| {
        let fixture = fixture();
        let client = leg.connect(&fixture.server).await;
        let gate = json!({"name": "gate", "arguments": {"name": "number"}});
        let number = client.start_with_id(json!(5), "tools/call", gate).await;
        fixture.gates.started("number").await;
        let echo = json!({"name": "echo", "arguments": {"text": "string"}});
        assert_eq!(client.request_with_id(json!("5"), "tools/call", echo).await.text(), "string");
        fixture.gates.open("number");
        assert_eq!(client.reply(&number).await.text(), "passed");
    })
    .await;
}

#[tokio::test]
async fn the_same_id_written_in_two_ways_is_one_id() {
    each(one_space(), async |leg| {
        let fixture = fixture();
        let client = leg.connect(&fixture.server).await;
        let gate = json!({"name": "gate", "arguments": {"name": "first"}});
        let first = client.start_with_id(json!("é"), "tools/call", gate).await;
        fixture.gates.started("first").await;
        let escaped = client.send_altered("tools/list", Value::Null, "\"id\":77", r#""id":"\u00e9""#).await;
        escaped.expect("an answer").expect_code(-32600);
        fixture.gates.open("first");
        assert_eq!(client.reply(&first).await.text(), "passed");
    })
    .await;
}

#[tokio::test]
async fn requests_of_two_clients_with_one_id_do_not_meet() {
    each(legs::all(), async |leg| {
        let fixture = fixture();
        let host = leg.host(&fixture.server).await.shared();
        let (one, other) = (host.connect().await, host.connect().await);
        let gate = |name: &str| json!({"name": "gate", "arguments": {"name": name}});
        let first = one.start_with_id(json!(5), "tools/call", gate("one")).await;
        fixture.gates.started("one").await;
        let second = other.start_with_id(json!(5), "tools/call", gate("other")).await;
        fixture.gates.started("other").await;
        if !leg.is_http() || leg.has_handshake() {
            other.cancel(&second).await;
            fixture.gates.cancelled("other").await;
            assert!(!fixture.gates.was_cancelled("one"));
        }
        fixture.gates.open("one");
        fixture.gates.open("other");
        assert_eq!(one.reply(&first).await.text(), "passed");
    })
    .await;
}

#[tokio::test]
#[cfg(feature = "http")]
async fn requests_over_http_without_a_session_may_share_an_id() {
    each(legs::http().filter(|leg| !leg.has_handshake()), async |leg| {
        let fixture = fixture();
        let client = leg.connect(&fixture.server).await;
        let gate = json!({"name": "gate", "arguments": {"name": "g"}});
        let first = client.start_with_id(json!(5), "tools/call", gate).await;
        fixture.gates.started("g").await;
        let echo = json!({"name": "echo", "arguments": {"text": "B"}});
        assert_eq!(client.request_with_id(json!(5), "tools/call", echo).await.text(), "B");
        fixture.gates.open("g");
        assert_eq!(client.reply(&first).await.text(), "passed");
    })
    .await;
}

#[tokio::test]
async fn an_empty_or_zero_id_can_be_cancelled() {
    each(one_space(), async |leg| {
        for id in [json!(0), json!(""), json!("0"), json!(-1)] {
            let fixture = fixture();
            let client = leg.connect(&fixture.server).await;
            let gate = json!({"name": "gate_cancellable", "arguments": {"name": "g"}});
            let pending = client.start_with_id(id, "tools/call", gate).await;
            fixture.gates.started("g").await;
            client.cancel(&pending).await;
            fixture.gates.cancelled("g").await;
        }
    })
    .await;
}
