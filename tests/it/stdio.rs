//! The life of a server on lines, and of a server process (B01, B02, B04, B05, B16, B18).

use std::os::unix::process::ExitStatusExt;
use std::time::Duration;

use tokio::io::duplex;
use tokio::time::Instant;

use crate::harness::*;

const INIT: &str = r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"0"}}}"#;
const INITED: &str = r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#;

fn call(id: u32, tool: &str, arguments: Value) -> String {
    let params = json!({"name": tool, "arguments": arguments});
    json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params}).to_string()
}

#[tokio::test]
async fn a_server_ends_when_its_client_closes_the_stream() {
    each(legs::memory(), async |leg| {
        let never_spoke = leg.open(&fixture().server).await;
        never_spoke.close().await;
        never_spoke.ended().await;
        let spoke = leg.connect(&fixture().server).await;
        spoke.close().await;
        spoke.ended().await;
    })
    .await;
}

#[tokio::test]
async fn a_request_that_was_accepted_is_answered_after_the_client_closed_its_end() {
    each(legs::memory(), async |leg| {
        let fixture = fixture();
        let client = leg.connect(&fixture.server).await;
        let slow = client.start_call("gate", json!({"name": "slow"})).await;
        let quick = client.start_call("echo", json!({"text": "quick"})).await;
        fixture.gates.started("slow").await;
        client.close().await;
        assert_eq!(client.reply(&quick).await.text(), "quick");
        fixture.gates.open("slow");
        assert_eq!(client.reply(&slow).await.text(), "passed");
        client.ended().await;
    })
    .await;
}

#[tokio::test]
async fn a_last_line_without_a_line_feed_is_a_message() {
    each(legs::memory(), async |leg| {
        let client = leg.connect(&fixture().server).await;
        let call = client.message(Some(json!(9)), "tools/call", json!({"name": "noargs"}));
        client.send_bytes(call.to_string()).await;
        client.close().await;
        assert_eq!(Reply::from(client.next().await).text(), "{}");
        client.ended().await;
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn a_handler_that_never_ends_keeps_a_closed_connection_no_longer_than_the_drain_time() {
    each(legs::memory(), async |leg| {
        let limits = mcp::Limits { drain_timeout: Duration::from_secs(3), ..mcp::Limits::default() };
        let fixture = Fixture::with(|builder| builder.limits(limits));
        let client = leg.connect(&fixture.server).await;
        client.start_call("gate", json!({"name": "never"})).await;
        fixture.gates.started("never").await;
        let closed = Instant::now();
        client.close().await;
        client.ended().await;
        assert!(closed.elapsed() >= Duration::from_secs(3), "{:?}", closed.elapsed());
        assert!(closed.elapsed() < Duration::from_secs(4), "{:?}", closed.elapsed());
        fixture.gates.cancelled("never").await;
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn shutdown_ends_a_connection_whose_client_is_silent() {
    let server = fixture().server;
    let (_silent, end) = duplex(1024);
    let (reader, writer) = tokio::io::split(end);
    let began = Instant::now();
    let (serving, stopper) = (server.serve_stream(reader, writer), server.clone());
    let stop = async {
        tokio::task::yield_now().await;
        stopper.shutdown(Duration::from_secs(60));
    };
    let (served, ()) = within("the end of the connection", async { tokio::join!(serving, stop) }).await;
    served.unwrap();
    assert!(began.elapsed() < Duration::from_secs(1), "{:?}", began.elapsed());
}

#[tokio::test(start_paused = true)]
async fn shutdown_gives_running_requests_the_grace_and_no_more() {
    each(legs::memory(), async |leg| {
        let fixture = fixture();
        let client = leg.connect(&fixture.server).await;
        let soon = client.start_call("gate", json!({"name": "soon"})).await;
        client.start_call("gate", json!({"name": "never"})).await;
        fixture.gates.started("soon").await;
        fixture.gates.started("never").await;
        let began = Instant::now();
        fixture.server.shutdown(Duration::from_secs(2));
        fixture.gates.open("soon");
        assert_eq!(client.reply(&soon).await.text(), "passed");
        client.ended().await;
        assert!(began.elapsed() < Duration::from_secs(3), "{:?}", began.elapsed());
        fixture.gates.cancelled("never").await;
    })
    .await;
}

#[tokio::test]
async fn a_process_ends_with_its_client() {
    let running = [
        vec![],
        vec![INIT.to_owned(), INITED.to_owned()],
        vec![INIT.to_owned(), INITED.to_owned(), call(2, "sleep", json!({"ms": 60_000}))],
    ];
    for lines in running {
        let mut process = Process::start();
        for line in &lines {
            process.write(format!("{line}\n")).await;
        }
        if !lines.is_empty() {
            assert!(process.line().await.is_some());
        }
        let closed = std::time::Instant::now();
        process.close_stdin();
        let status = process.exit().await;
        assert_eq!(status.code(), Some(0), "{lines:?}: {status} {}", process.errors().await);
        assert!(closed.elapsed() < Duration::from_secs(10), "{lines:?}: {:?}", closed.elapsed());
    }
}

#[tokio::test]
async fn a_process_answers_everything_it_read_before_the_end_of_input() {
    let mut process = Process::start();
    let lines = [INIT, INITED, &call(2, "sleep", json!({"ms": 300})), &call(3, "echo", json!({"text": "x"}))];
    process.write(lines.join("\n") + "\n").await;
    process.close_stdin();
    let mut answered: Vec<Value> =
        process.lines().await.iter().map(|line| serde_json::from_str::<Value>(line).unwrap()["id"].clone()).collect();
    answered.sort_by_key(Value::to_string);
    assert_eq!(answered, [1, 2, 3]);
    assert_eq!(process.exit().await.code(), Some(0));
}

#[tokio::test]
async fn what_a_handler_or_its_child_prints_or_reads_never_touches_the_protocol() {
    let mut process = Process::start();
    let print = call(2, "print", json!({"text": "not a message"}));
    process.write([INIT, INITED, &print, &call(3, "echo", json!({"text": "x"}))].join("\n") + "\n").await;
    process.close_stdin();
    let lines = process.lines().await;
    let answers: Vec<Value> = lines.iter().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(answers.len(), 3, "{lines:?}");
    let printed = answers.iter().find(|answer| answer["id"] == 2).unwrap();
    assert_eq!(printed["result"]["content"][0]["text"], "printed; a child read 0 bytes");
    assert_eq!(process.errors().await.matches("not a message").count(), 2);
}

#[tokio::test]
async fn a_process_whose_output_nobody_reads_any_more_ends_in_order() {
    let mut process = Process::start();
    process.write(format!("{INIT}\n{INITED}\n")).await;
    assert!(process.line().await.is_some());
    process.close_stdout();
    process.write(format!("{}\n", call(3, "echo", json!({"text": "x".repeat(1000)})))).await;
    let status = process.exit().await;
    assert_eq!(status.signal(), None, "{status}");
    let errors = process.errors().await;
    assert!(errors.len() < 4096, "{} bytes on stderr: {}", errors.len(), &errors[..4096]);
}

#[tokio::test]
async fn a_process_ends_in_order_when_it_is_asked_by_signal() {
    for signal in ["-TERM", "-INT"] {
        let mut process = Process::start();
        process.write(format!("{INIT}\n")).await;
        assert!(process.line().await.is_some());
        let id = process.child.id().unwrap().to_string();
        assert!(std::process::Command::new("kill").args([signal, &id]).status().unwrap().success());
        let status = process.exit().await;
        assert_eq!(status.code(), Some(0), "{signal}: {status} {}", process.errors().await);
    }
}

#[tokio::test]
async fn a_process_answers_at_once_while_its_input_stays_open() {
    each(legs::process(), async |leg| {
        let client = leg.connect(&fixture().server).await;
        for text in ["one", "two"] {
            assert_eq!(client.call("echo", json!({"text": text})).await.text(), text);
        }
    })
    .await;
}

#[tokio::test]
async fn a_process_writes_nothing_but_messages_on_standard_output() {
    let mut command = tokio::process::Command::new(process::everything());
    command.env("RUST_LOG", "trace").env("RUST_BACKTRACE", "full");
    let mut process = Process::start_command(command);
    let secret = "panic text 4711";
    let lines = [
        INIT,
        INITED,
        "not json",
        &call(2, "boom", json!({"text": secret})),
        &call(3, "progress", json!({"n": 3})),
        &call(4, "bytes", json!({"hex": "ff41"})),
        &call(5, "nope", json!({})),
        &call(6, "notify", json!({"kind": "tools"})),
    ];
    process.write(lines.join("\n") + "\n").await;
    process.close_stdin();
    let lines = process.lines().await;
    for line in &lines {
        let message: Value = serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line:?}"));
        assert_eq!(message["jsonrpc"], "2.0", "{line}");
        assert!(!line.contains(secret), "{line}");
    }
    assert!(lines.len() >= 6, "{lines:?}");
    assert_eq!(process.exit().await.code(), Some(0));
}
