use super::answer;
use crate::message::{Message, text};

#[test]
fn an_echo_is_answered_with_the_bytes_of_the_example() {
    let call = br#"{"jsonrpc":"2.0","id":"a","method":"tools/call","params":{"_meta":{"x":1},"name":"echo","arguments":{"text":"a\n"}}}"#;
    let mut out = Vec::new();
    answer(call, &mut out).unwrap();
    assert_eq!(
        String::from_utf8(out).unwrap(),
        r#"{"jsonrpc":"2.0","id":"a","result":{"resultType":"complete","content":[{"type":"text","text":"a\n"}],"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"echo","version":"0.1.0"}}}}"#
    );
}

#[test]
fn another_method_is_refused() {
    let list = Message::list();
    assert!(answer(list.body(), &mut Vec::new()).is_err());
}

#[test]
fn the_answer_satisfies_the_load_generator() {
    for size in [0, 1, 100, 65536] {
        let call = Message::call("echo", text(size));
        let mut out = Vec::new();
        answer(call.body(), &mut out).unwrap();
        call.check(&out).unwrap();
    }
}
