//! From bytes to messages: lines, encodings, sizes, depths, garbage (B06, B08 to B12, B15, B21, B22).

use crate::harness::*;
use mcp::Limits;

/// Fails unless the answer, where there is one, is an error of one of the codes and without an id.
fn check_anonymous(answer: Option<Reply>, codes: &[i64], what: &str) {
    let Some(answer) = answer else { return };
    assert!(codes.contains(&answer.code()), "{what}: {}", answer.wire);
    assert!(answer.value.get("id").is_none(), "{what}: {}", answer.wire);
    assert!(answer.status.is_none_or(|status| status == 400), "{what}: {answer:?}");
}

async fn assert_alive(client: &Client) {
    assert_eq!(client.call("echo", json!({"text": "alive"})).await.text(), "alive");
}

#[tokio::test]
async fn bytes_that_are_not_utf_8_spoil_their_own_frame_only() {
    each(legs::all(), async |leg| {
        let client = leg.connect(&fixture().server).await;
        let like = client.message(Some(json!(3)), "tools/call", json!({"name": "echo", "arguments": {"text": "a?b"}}));
        let call = like.to_string();
        let (before, after) = call.split_once('?').unwrap();
        let frames: [Vec<u8>; 5] = [
            vec![0xff, 0xfe],
            [before.as_bytes(), &[0xff], after.as_bytes()].concat(),
            [before.as_bytes(), &[0xc3], after.as_bytes()].concat(),
            [before.as_bytes(), &[0xed, 0xa0, 0x80], after.as_bytes()].concat(),
            [call.as_bytes(), &[0x80]].concat(),
        ];
        for frame in frames {
            let answer = client.send_text(&frame, Some(&like)).await;
            check_anonymous(answer, &[-32700], &format!("{frame:?}"));
            assert_alive(&client).await;
        }
    })
    .await;
}

#[tokio::test]
async fn lines_may_end_with_carriage_return_and_line_feed() {
    each(legs::memory(), async |leg| {
        // The client checks that each line of the server's ends with one line feed and no carriage return.
        let client = leg.open(&fixture().server).await;
        let version = leg.version.as_str();
        if leg.has_handshake() {
            let init =
                json!({"protocolVersion": version, "capabilities": {}, "clientInfo": {"name": "t", "version": "0"}});
            client.send_bytes(format!("{}\r\n", client.message(Some(json!("init")), "initialize", init))).await;
            assert_eq!(client.next().await.value["result"]["protocolVersion"], version);
        }
        let call = client.message(Some(json!(2)), "tools/call", json!({"name": "echo", "arguments": {"text": "x"}}));
        client.send_bytes(format!("\r\n{call}\r\n \t{call} \t\r\n\n\n")).await;
        for _ in 0..2 {
            assert_eq!(Reply::from(client.next().await).text(), "x");
        }
        assert!(client.drain().await.is_empty());
    })
    .await;
}

#[tokio::test]
async fn a_line_that_arrives_in_pieces_is_one_message() {
    each(legs::memory(), async |leg| {
        let client = leg.connect(&fixture().server).await;
        let call = client.message(Some(json!(9)), "tools/call", json!({"name": "echo", "arguments": {"text": "é🔍"}}));
        client.announce_sent(&call);
        for byte in format!("{call}\n").into_bytes() {
            client.send_bytes([byte]).await;
            tokio::task::yield_now().await;
        }
        assert_eq!(client.next().await.value["result"]["content"][0]["text"], "é🔍");
    })
    .await;
}

#[tokio::test]
async fn garbage_is_answered_without_an_id_or_not_at_all() {
    let syntax =
        ["not json", r#"{"jsonrpc":"2.0","id":7,"#, "{", "\"", "[1,", "{\"a\":1}}", "\u{0}", "nul", "01", "'x'"];
    let shape = [r#"{"foo":1}"#, "123", "\"x\"", "null", "true", "{}", r#"{"jsonrpc":"2.0"}"#];
    each(legs::all(), async |leg| {
        let client = leg.connect(&fixture().server).await;
        let like = client.message(Some(json!(7)), "tools/list", Value::Null);
        for text in syntax {
            check_anonymous(client.send_text(text, Some(&like)).await, &[-32700], text);
        }
        for text in shape {
            check_anonymous(client.send_text(text, Some(&like)).await, &[-32600], text);
        }
        assert_alive(&client).await;
    })
    .await;
}

#[tokio::test]
async fn a_wrong_message_with_a_readable_id_is_answered_under_that_id() {
    let wrong = [
        r#"{"jsonrpc":"2.0","id":7}"#,
        r#"{"jsonrpc":"2.0","id":7,"foo":1}"#,
        r#"{"jsonrpc":"1.0","id":7,"method":"tools/list"}"#,
        r#"{"jsonrpc":2.0,"id":7,"method":"tools/list"}"#,
        r#"{"id":7,"method":"tools/list"}"#,
        r#"{"jsonrpc":"2.0","id":7,"method":5}"#,
        r#"{"jsonrpc":"2.0","id":7,"method":null}"#,
        r#"{"jsonrpc":"2.0","id":7,"method":{"a":"tools/list"}}"#,
        r#"{"jsonrpc":"2.0","id":7,"method":"tools/list","method":"ping"}"#,
        r#"{"jsonrpc":"2.0","id":7,"result":{},"error":{"code":1,"message":"both"}}"#,
    ];
    each(legs::all(), async |leg| {
        let client = leg.connect(&fixture().server).await;
        let like = client.message(Some(json!(7)), "tools/list", Value::Null);
        for text in wrong {
            let answer = client.send_text(text, Some(&like)).await.unwrap_or_else(|| panic!("{text}: no answer"));
            answer.expect_code(-32600);
            assert_eq!(answer.raw_id(), "7", "{text}");
            assert!(answer.status.is_none_or(|status| status == 400), "{answer:?}");
        }
        assert_alive(&client).await;
    })
    .await;
}

#[tokio::test]
async fn a_storm_of_garbage_is_not_answered_with_a_storm() {
    each(legs::memory(), async |leg| {
        let client = leg.connect(&fixture().server).await;
        client.send_bytes("x\n".repeat(10_000)).await;
        let answers = client.drain().await;
        assert!(answers.len() <= 1, "{} answers", answers.len());
        assert_alive(&client).await;
    })
    .await;
}

/// A request whose parameters hold `depth` arrays in each other, closed or not.
fn nested(client: &Client, depth: usize, closed: bool) -> String {
    let message = client.message(Some(json!(77)), "tools/list", json!({"nest": 0}));
    let close = if closed { "]".repeat(depth) } else { String::new() };
    // The id comes first, so that it is readable before the nest begins.
    let text = message.to_string().replacen("{\"id\":77,", "{", 1).replacen('{', "{\"id\":77,", 1);
    text.replacen("\"nest\":0", &format!("\"nest\":{}{close}", "[".repeat(depth)), 1)
}

#[tokio::test]
async fn deep_nesting_is_an_error_at_any_depth_and_never_a_crash() {
    each(legs::all(), async |leg| {
        let client = leg.connect(&fixture().server).await;
        let like = client.message(Some(json!(77)), "tools/list", Value::Null);
        let fine = client.send_text(nested(&client, 100, true), Some(&like)).await.expect("an answer");
        fine.result();
        for depth in [200, 10_000, 1_000_000] {
            let answer = client.send_text(nested(&client, depth, true), Some(&like)).await.expect("an answer");
            assert!(matches!(answer.code(), -32700 | -32600), "{depth}: {}", answer.wire);
            let answer = client.send_text(nested(&client, depth, false), Some(&like)).await;
            if let Some(answer) = answer {
                assert!(matches!(answer.code(), -32700 | -32600), "{depth}: {}", answer.wire);
            }
            assert_alive(&client).await;
        }
    })
    .await;
}

#[tokio::test]
async fn a_message_of_several_megabytes_is_served() {
    // Length does not depend on the revision: one of each era for every transport will do.
    let newest = |leg: &Leg| leg.version >= mcp::ProtocolVersion::V2025_11_25 || leg.transport == Transport::Sse;
    each(legs::all().filter(newest), async |leg| {
        let client = leg.connect(&fixture().server).await;
        // Over HTTP a body is 4 MiB at most unless the host says otherwise.
        let text = "é".repeat(if leg.is_http() { 3 << 19 } else { 5 << 19 });
        assert_eq!(client.call("echo", json!({"text": text})).await.text(), text);
    })
    .await;
}

#[tokio::test]
async fn a_line_without_end_is_skipped_at_the_limit_and_the_next_is_served() {
    each(legs::memory(), async |leg| {
        let limits = Limits { max_message_bytes: 1 << 20, ..Limits::default() };
        let client = leg.connect(&Fixture::with(|builder| builder.limits(limits)).server).await;
        for _ in 0..20 {
            client.send_bytes(vec![b'x'; 1 << 20]).await;
        }
        client.send_bytes("\n").await;
        check_anonymous(client.drain().await.pop().map(Reply::from), &[-32600, -32700], "endless line");
        let text = "y".repeat(2 << 20);
        let like = client.message(Some(json!(5)), "tools/call", json!({"name": "echo", "arguments": {"text": text}}));
        check_anonymous(client.send_text(like.to_string(), None).await, &[-32600, -32700], "long line");
        assert_alive(&client).await;
    })
    .await;
}

#[tokio::test]
async fn text_of_any_language_comes_back_unchanged() {
    let texts = [
        "上下文 🔍 é \u{0} \u{1f600}",
        "a\u{0}b",
        "\u{2028}\u{2029}\u{feff}\u{fffd}\u{7f}\u{85}",
        "\"quoted\" \\ / \u{8}\u{c}\n\r\t\u{1f}",
        "",
        "</script><!--",
    ];
    each(legs::all(), async |leg| {
        let client = leg.connect(&fixture().server).await;
        for text in texts {
            assert_eq!(client.call("echo", json!({"text": text})).await.text(), text);
        }
        // The same characters, escaped by the client.
        let escaped =
            [(r"\u4e0a\ud83d\ude00\u0000\/", "上\u{1f600}\u{0}/"), (r"\uD83D\uDD0D\b\f", "\u{1f50d}\u{8}\u{c}")];
        for (sent, meant) in escaped {
            let params = json!({"name": "echo", "arguments": {"text": "TEXT"}});
            let reply = client.send_altered("tools/call", params, "TEXT", sent).await.expect("an answer");
            assert_eq!(reply.text(), meant, "{sent}");
        }
    })
    .await;
}

#[tokio::test]
async fn a_lone_surrogate_is_refused() {
    each(legs::all(), async |leg| {
        let client = leg.connect(&fixture().server).await;
        for text in [r"\ud800", r"\udc00", r"\ud800x", r"\ud800\ud800", r"a\ud83d"] {
            let params = json!({"name": "echo", "arguments": {"text": "TEXT"}});
            if let Some(answer) = client.send_altered("tools/call", params, "TEXT", text).await {
                assert!(matches!(answer.code(), -32700 | -32602), "{text}: {}", answer.wire);
            }
            assert_alive(&client).await;
        }
    })
    .await;
}

#[tokio::test]
async fn a_name_is_not_cut_at_a_nul() {
    each(legs::all(), async |leg| {
        let client = leg.connect(&fixture().server).await;
        for name in ["echo\u{0}", "ec\u{0}ho", "echo\u{0}x", "\u{0}echo"] {
            client.call(name, json!({"text": "x"})).await.expect_code(-32602);
        }
    })
    .await;
}

#[tokio::test]
async fn requests_pipelined_with_the_handshake_are_served() {
    each(legs::memory(), async |leg| {
        let client = leg.open(&fixture().server).await;
        let mut write = String::new();
        if leg.has_handshake() {
            let info = json!({"name": "t", "version": "0"});
            let params = json!({"protocolVersion": leg.version.as_str(), "capabilities": {}, "clientInfo": info});
            write += &format!("{}\n", client.message(Some(json!(1)), "initialize", params));
            write += &format!("{}\n", client.message(None, "notifications/initialized", Value::Null));
        }
        let echo = json!({"name": "echo", "arguments": {"text": "first"}});
        write += &format!("{}\n", client.message(Some(json!(2)), "tools/call", echo));
        write += &format!("{}\n", client.message(Some(json!(3)), "tools/list", Value::Null));
        client.send_bytes(write).await;
        let reply = |id: &str| Pending { id: id.to_owned(), stream: None };
        assert_eq!(client.reply(&reply("2")).await.text(), "first");
        assert!(client.reply(&reply("3")).await.names("tools").contains(&"echo".to_owned()));
    })
    .await;
}
