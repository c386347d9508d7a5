use serde_json::Value;

use super::{Message, text};

#[test]
fn the_text_has_the_wanted_size_and_the_wanted_escapes() {
    for size in [0, 1, 100, 1000, 65536] {
        assert_eq!(text(size).len(), size);
    }
    let escapes = text(65536).chars().filter(|c| matches!(c, '"' | '\n')).count();
    assert_eq!(escapes, 328);
    assert_eq!(text(100).matches('"').count(), 1);
}

#[test]
fn the_id_is_rewritten_in_place() {
    let call = Message::call("echo", text(10));
    let mut request = call.http("localhost:1", "/mcp");
    request.extend_from_slice(b"\r\n");
    let length = request.len();
    call.set_id(&mut request, 2, 1234);
    assert_eq!(request.len(), length);
    let value: Value = serde_json::from_slice(&request[length - 2 - call.body().len()..length - 2]).unwrap();
    assert_eq!(value["id"], 1_000_001_234);
}

#[test]
fn every_request_is_a_json_object_of_its_method() {
    for (message, method) in [
        (Message::call("echo", text(100)), "tools/call"),
        (Message::list(), "tools/list"),
        (Message::listen(), "subscriptions/listen"),
    ] {
        let value: Value = serde_json::from_slice(message.body()).unwrap();
        assert_eq!(value["method"], method);
        let head = String::from_utf8(message.http("localhost:1", "/mcp")).unwrap();
        assert!(head.contains(&format!("Mcp-Method: {method}\r\n")));
        assert_eq!(head.contains("Mcp-Name: echo\r\n"), method == "tools/call");
    }
}

#[test]
fn a_reply_with_another_text_is_refused() {
    let call = Message::call("echo", "one".to_owned());
    assert!(call.check(br#"{"result":{"content":[{"text":"two"}]}}"#).is_err());
    assert!(call.check(b"not json").is_err());
}
