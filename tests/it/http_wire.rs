//! Requests that are not quite HTTP, and those that are unusual (request smuggling, RFC 9112).

use mcp::HttpOptions;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use crate::harness::*;
use crate::http_common::*;

#[tokio::test]
async fn a_request_whose_length_is_ambiguous_is_400_and_nothing_behind_it_is_served() {
    let fixture = fixture();
    let (_listener, http) = serve(&fixture.server, HttpOptions::new()).await;
    let gate = modern(&call(1, "gate", json!({"name": "smuggled"}))).to_string();
    let smuggled = format!("{}{gate}", head(&["Host: localhost", &format!("Content-Length: {}", gate.len())]));
    let table = [
        ("two lengths", head(&["Host: localhost", "Content-Length: 2", "Content-Length: 3"])),
        ("a list of lengths", head(&["Host: localhost", "Content-Length: 2, 3"])),
        ("a negative length", head(&["Host: localhost", "Content-Length: -1"])),
        ("a signed length", head(&["Host: localhost", "Content-Length: +2"])),
        ("a length of 1e99", head(&["Host: localhost", "Content-Length: 1e99"])),
        ("a length beyond 64 bits", head(&["Host: localhost", "Content-Length: 99999999999999999999999"])),
        ("an unknown coding", head(&["Host: localhost", "Transfer-Encoding: xchunked"])),
        ("chunked twice removed", head(&["Host: localhost", "Transfer-Encoding: chunked, identity"])),
        ("a space before the colon", head(&["Host: localhost", "Content-Length : 2"])),
        ("a folded header", head(&["Host: localhost", "X: a\r\n b", "Content-Length: 2"])),
        ("a NUL", head(&["Host: localhost", "X: a\0b", "Content-Length: 2"])),
        ("a bad line", "POST\r\n\r\n".to_owned()),
        ("HTTP/2", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".to_owned()),
    ];
    for (what, text) in table {
        let mut connection = http.connect().await;
        connection.write(format!("{text}{{}}{smuggled}").as_bytes()).await;
        if let Some(response) = connection.try_response().await {
            assert!(matches!(response.status, 400 | 501 | 505), "{what}: {}", response.status);
        }
    }
    // Where both are there, the coding counts, and what follows on the connection is a request of its own or nothing.
    let both = head(&["Host: localhost", "Content-Length: 6", "Transfer-Encoding: chunked"]);
    let mut connection = http.connect().await;
    connection.write(format!("{both}0\r\n\r\nX").as_bytes()).await;
    let status = connection.response().await.status;
    assert_eq!(status, 400);
    assert_eq!(fixture.gates.count("smuggled"), 0);
    assert_eq!(post_modern(&http, &call(1, "echo", json!({"text": "hi"}))).send().await.status, 200);
}

fn head(headers: &[&str]) -> String {
    let fixed = [
        "Content-Type: application/json",
        "MCP-Protocol-Version: 2026-07-28",
        "Mcp-Method: tools/call",
        "Mcp-Name: gate",
    ];
    let lines: Vec<&str> = fixed.iter().chain(headers).copied().collect();
    format!("POST /mcp HTTP/1.1\r\n{}\r\n\r\n", lines.join("\r\n"))
}

#[tokio::test]
async fn a_request_that_does_not_name_one_host_is_400() {
    let (_listener, http) = serve(&fixture().server, HttpOptions::new()).await;
    let echo = post_modern(&http, &call(1, "echo", json!({"text": "hi"})));
    let without = echo.clone().without("Host");
    let twice = echo.clone().header("Host", "localhost");
    for request in [without, twice] {
        assert_eq!(refusal(&mut request.send().await).await, (400, -32600), "{request:?}");
    }
}

#[tokio::test]
async fn requests_on_one_connection_are_answered_in_order() {
    let (_listener, http) = serve(&fixture().server, HttpOptions::new()).await;
    let mut connection = http.connect().await;
    let posts: Vec<u8> =
        (0..50).flat_map(|i| post_modern(&http, &call(i, "echo", json!({"text": i.to_string()}))).to_bytes()).collect();
    connection.write(&posts).await;
    for i in 0..50 {
        let mut response = connection.response().await;
        let answer = response.json().await;
        assert_eq!((text_of(&answer), &answer["id"]), (i.to_string().as_str(), &json!(i)));
        connection = response.into_connection();
    }
}

#[tokio::test]
async fn a_chunked_body_is_a_body() {
    let (_listener, http) = serve(&fixture().server, HttpOptions::new()).await;
    let message = modern(&call(1, "echo", json!({"text": "in pieces"}))).to_string();
    let chunks: String = message.as_bytes().chunks(7).map(chunk).chain([chunk(b"")]).collect();
    let post = post_modern(&http, &call(1, "echo", json!({}))).header("Transfer-Encoding", "chunked").body(chunks);
    assert_eq!(text_of(&post.send().await.json().await), "in pieces");
}

fn chunk(bytes: &[u8]) -> String {
    format!("{:x}\r\n{}\r\n", bytes.len(), std::str::from_utf8(bytes).unwrap())
}

#[tokio::test]
async fn a_client_that_waits_for_leave_to_send_its_body_is_given_it() {
    let (_listener, http) = serve(&fixture().server, HttpOptions::new()).await;
    let message = modern(&call(1, "echo", json!({"text": "expected"}))).to_string();
    let post =
        post_modern(&http, &call(1, "echo", json!({}))).header("Expect", "100-continue").header("Connection", "close");
    let head = post.header("Content-Length", message.len().to_string()).body(Vec::new()).to_bytes();
    let mut stream = TcpStream::connect(http.address).await.unwrap();
    stream.write_all(&head).await.unwrap();
    let mut seen = Vec::new();
    within("leave", async {
        while !seen.ends_with(b"100 Continue\r\n\r\n") {
            seen.push(stream.read_u8().await.unwrap());
        }
    })
    .await;
    stream.write_all(message.as_bytes()).await.unwrap();
    let mut rest = String::new();
    within("the response", stream.read_to_string(&mut rest)).await.unwrap();
    assert!(rest.starts_with("HTTP/1.1 200 ") && rest.contains("expected"), "{rest}");
}

#[tokio::test]
async fn a_client_of_http_1_0_gets_its_answer_and_the_end_of_the_connection() {
    let (_listener, http) = serve(&fixture().server, HttpOptions::new()).await;
    let post = post_modern(&http, &call(1, "progress", json!({"n": 2}))).to_bytes();
    let post = String::from_utf8(post).unwrap().replacen("HTTP/1.1", "HTTP/1.0", 1);
    let mut stream = TcpStream::connect(http.address).await.unwrap();
    stream.write_all(post.as_bytes()).await.unwrap();
    let mut response = String::new();
    within("the response", stream.read_to_string(&mut response)).await.unwrap();
    assert!(response.contains(" 200 ") && response.contains("\"done\""), "{response}");
    assert!(!response.to_ascii_lowercase().contains("transfer-encoding"), "{response}");
}
