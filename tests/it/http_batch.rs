//! Several messages in one POST, which only revision 2025-03-26 has (B27, B41, B62).

use mcp::HttpOptions;

use crate::harness::*;
use crate::http_common::*;

const BATCHES: &str = "2025-03-26";

/// The answers of a response, document or stream, and the notifications before them.
async fn answers(response: &mut HttpResponse) -> (Vec<Value>, Vec<Value>) {
    assert_eq!(response.status, 200);
    let frames = match response.is_stream() {
        true => messages(response).await,
        false => vec![response.json().await],
    };
    let flat = frames.into_iter().flat_map(|frame| match frame {
        Value::Array(messages) => messages,
        message => vec![message],
    });
    flat.partition(|message| message.get("method").is_none())
}

fn ids(answers: &[Value]) -> Vec<String> {
    let mut ids: Vec<_> = answers.iter().map(|answer| answer["id"].to_string()).collect();
    ids.sort();
    ids
}

/// A POST of a batch with a session, and without one.
async fn posts(server: &mcp::Server, batch: &Value) -> Vec<HttpRequest> {
    let (listener, http) = serve(server, HttpOptions::new()).await;
    let (stateless, alone) = serve(server, HttpOptions::new().stateless(true)).await;
    // A listener that is dropped serves on.
    drop((listener, stateless));
    vec![Session::open(&http, BATCHES).await.post(batch), alone.post(batch)]
}

#[tokio::test]
async fn every_request_of_a_batch_is_answered_and_nothing_else() {
    let batch = json!([
        ping(2),
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        call(3, "echo", json!({"text": "hi"})),
        {"jsonrpc": "2.0", "method": "notifications/unknown"},
        {"jsonrpc": "2.0", "id": 99, "result": {}},
        request("x", "no/such", json!({})),
    ]);
    for post in posts(&fixture().server, &batch).await {
        for accept in ["application/json", "text/event-stream", "application/json, text/event-stream"] {
            let mut response = post.clone().set("Accept", accept).send().await;
            let (answers, rest) = answers(&mut response).await;
            assert_eq!((ids(&answers), rest), (vec!["\"x\"".into(), "2".into(), "3".into()], vec![]), "{accept}");
            let of = |id: Value| answers.iter().find(|answer| answer["id"] == id).unwrap();
            assert_eq!(of(json!(2))["result"], json!({}));
            assert_eq!(text_of(of(json!(3))), "hi");
            assert_eq!(of(json!("x"))["error"]["code"], -32601);
        }
    }
}

#[tokio::test]
async fn a_batch_without_requests_is_202_and_empty() {
    let initialized = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
    let batch = json!([initialized, {"jsonrpc": "2.0", "id": 1, "result": {}}]);
    for post in posts(&fixture().server, &batch).await {
        let mut response = post.send().await;
        assert_eq!((response.status, response.header("content-length")), (202, Some("0")));
        assert_eq!(response.text().await, "");
    }
}

#[tokio::test]
async fn bad_members_of_a_batch_have_errors_of_their_own() {
    let batch = json!([
        1,
        [ping(5)],
        {"jsonrpc": "2.0", "id": null, "method": "ping"},
        {"jsonrpc": "1.0", "id": 6, "method": "ping"},
        initialize(BATCHES),
        ping(4),
    ]);
    for post in posts(&fixture().server, &batch).await {
        let (answers, _) = answers(&mut post.send().await).await;
        assert_eq!(ids(&answers), ["1", "4", "6", "null", "null", "null"], "{answers:?}");
        for answer in answers.iter().filter(|answer| answer["id"] != 4) {
            assert_eq!(answer["error"]["code"], -32600, "{answer}");
        }
    }
}

#[tokio::test]
async fn a_batch_that_is_empty_or_too_long_or_opens_a_session_is_400() {
    let many: Vec<_> = (0..50_000).map(ping).collect();
    for batch in [json!([]), json!(many)] {
        for post in posts(&fixture().server, &batch).await {
            assert_eq!(refusal(&mut post.send().await).await, (400, -32600));
        }
    }
    let (_listener, http) = serve(&fixture().server, HttpOptions::new()).await;
    let mut opening = http.post(json!([initialize(BATCHES)])).send().await;
    assert_eq!(opening.header("mcp-session-id"), None);
    assert_eq!(refusal(&mut opening).await, (400, -32600));
}

#[tokio::test]
async fn other_revisions_have_no_batches() {
    let fixture = fixture();
    let (_sessions, http) = serve(&fixture.server, HttpOptions::new()).await;
    let (_stateless, alone) = serve(&fixture.server, HttpOptions::new().stateless(true)).await;
    let batch = json!([ping(2)]);
    let posts = [
        Session::open(&http, "2025-06-18").await.post(&batch),
        Session::open(&http, LEGACY).await.post(&batch),
        alone.post(&batch).header("MCP-Protocol-Version", LEGACY),
        http.post(&batch).header("MCP-Protocol-Version", MODERN),
        http.post(json!([modern(&request(1, "tools/list", json!({})))])).header("MCP-Protocol-Version", MODERN),
    ];
    for post in posts {
        let (status, code) = refusal(&mut post.send().await).await;
        assert_eq!((status, code), (400, -32600), "{post:?}");
    }
}

#[tokio::test]
async fn the_response_to_a_batch_does_not_end_before_its_last_answer() {
    let fixture = fixture();
    let batch = json!([
        call(1, "gate", json!({"name": "slow"})),
        call(2, "progress", json!({"n": 3})),
        call(3, "gate", json!({"name": "slower"})),
        call(4, "echo", json!({"text": "quick"})),
    ]);
    for post in posts(&fixture.server, &batch).await {
        for gate in ["slow", "slower"] {
            fixture.gates.reset(gate);
        }
        let mut stream = post.send().await;
        assert!(stream.is_stream());
        fixture.gates.started("slow").await;
        fixture.gates.open("slow");
        fixture.gates.passed("slow").await;
        fixture.gates.started("slower").await;
        fixture.gates.open("slower");
        let (answers, rest) = answers(&mut stream).await;
        assert_eq!(ids(&answers), ["1", "2", "3", "4"]);
        assert_eq!(rest.iter().filter(|message| message["params"]["progressToken"] == 2).count(), 3);
    }
}

#[tokio::test]
async fn an_id_that_is_in_use_is_refused_for_the_second_request_only() {
    let fixture = fixture();
    let (_listener, http) = serve(&fixture.server, HttpOptions::new()).await;
    let session = Session::open(&http, BATCHES).await;
    let gate = call(5, "gate", json!({"name": "g"}));
    let batch = json!([gate, call(5, "echo", json!({"text": "B"}))]);
    let post = session.post(&batch);
    let first = tokio::spawn(async move { answers(&mut post.send().await).await.0 });
    fixture.gates.started("g").await;
    let again = call(5, "echo", json!({"text": "C"}));
    assert_eq!(refusal(&mut session.post(&again).send().await).await, (400, -32600));
    // Other clients may use it, and those that have no session.
    assert_eq!(Session::open(&http, LEGACY).await.echo(5, "other").await, "other");
    assert_eq!(text_of(&post_modern(&http, &again).send().await.json().await), "C");
    fixture.gates.open("g");
    let first = within("the batch", first).await.unwrap();
    assert_eq!(first.iter().filter(|answer| answer["error"]["code"] == -32600).count(), 1, "{first:?}");
    assert_eq!(
        first.iter().filter(|answer| answer.get("result").is_some()).map(text_of).collect::<Vec<_>>(),
        ["passed"]
    );
    assert_eq!(session.echo(5, "free again").await, "free again");
}
