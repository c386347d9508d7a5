//! Callbacks that watch what passes: each is called once for each thing, with that thing.

use std::sync::{Arc, Mutex};

use mcp::{Events, Server};

use crate::harness::*;

/// What was told, in order.
#[derive(Clone, Default)]
struct Told(Arc<Mutex<Vec<(&'static str, String)>>>);

impl Told {
    fn note(&self, what: &'static str, text: impl ToString) {
        self.0.lock().unwrap().push((what, text.to_string()));
    }

    /// Takes all that was told of one kind.
    fn take(&self, what: &str) -> Vec<String> {
        let mut told = self.0.lock().unwrap();
        let (taken, rest) = std::mem::take(&mut *told).into_iter().partition(|(kind, _)| *kind == what);
        *told = rest;
        let taken: Vec<(&str, String)> = taken;
        taken.into_iter().map(|(_, text)| text).collect()
    }

    fn kinds(&self) -> Vec<&'static str> {
        self.0.lock().unwrap().iter().map(|(kind, _)| *kind).collect()
    }

    fn events(&self) -> Events {
        let told = |what: &'static str| {
            let told = self.clone();
            move |text: String| told.note(what, text)
        };
        let (request, notification, response, error) =
            (told("request"), told("notification"), told("response"), told("error"));
        let (method, problem, client) = (told("method"), told("problem"), told("client"));
        let (ready, close, broken) = (told("ready"), told("close"), told("broken"));
        Events::new()
            .on_request(move |method, message| request(format!("{method} {message}")))
            .on_notification(move |method, message| notification(format!("{method} {message}")))
            .on_response(move |message| response(message.to_string()))
            .on_error(move |error_value| error(format!("{} {}", error_value.code(), error_value.message())))
            .on_method_called(move |name| method(name.to_owned()))
            .on_protocol_error(move |text| problem(text.to_owned()))
            .on_client_connected(move |info| client(format!("{} {}", info.name, info.version)))
            .on_initialized(move || ready(String::new()))
            .on_transport_close(move || close(String::new()))
            .on_transport_error(move |text| broken(text.to_owned()))
    }
}

fn watched() -> (Server, Told) {
    let told = Told::default();
    (Fixture::with(|builder| builder.events(told.events())).server, told)
}

#[tokio::test]
async fn a_request_is_told_with_its_method_its_message_and_its_answer() {
    each(legs::all(), async |leg| {
        let (server, told) = watched();
        let client = leg.connect(&server).await;
        client.drain().await;
        told.0.lock().unwrap().clear();
        for (method, params) in [
            ("tools/call", json!({"name": "echo", "arguments": {"text": "x"}})),
            ("tools/list", Value::Null),
            (if leg.is_modern() { "server/discover" } else { "ping" }, Value::Null),
        ] {
            let message = client.message(Some(json!("id")), method, params);
            let pending = client.send(&message).await;
            let reply = client.reply(&pending).await;
            assert_eq!(told.take("request"), [format!("{method} {message}")]);
            assert_eq!(told.take("method"), [method]);
            assert_eq!(told.take("response"), [reply.wire], "{method}");
            assert!(told.kinds().is_empty(), "{:?}", told.kinds());
        }
    })
    .await;
}

#[tokio::test]
async fn an_error_is_told_once() {
    each(legs::all(), async |leg| {
        let (server, told) = watched();
        let client = leg.connect(&server).await;
        client.drain().await;
        told.0.lock().unwrap().clear();
        for (method, params, code) in [
            ("no/such", Value::Null, -32601),
            ("tools/call", json!({"name": "nope"}), -32602),
            ("tools/call", json!({"name": "fail", "arguments": {"kind": "protocol", "text": "something odd"}}), 4711),
            ("resources/read", json!({"uri": "test://items/boom"}), -32603),
        ] {
            let reply = client.request(method, params).await;
            reply.expect_code(code);
            assert_eq!(told.take("error"), [format!("{code} {}", reply.message())]);
            assert_eq!(told.take("problem"), [reply.message()]);
            assert_eq!(told.take("method"), [method]);
            assert_eq!(told.take("request").len(), 1);
            assert!(told.kinds().is_empty(), "{method}: {:?}", told.kinds());
        }
        // A failed tool is an answer like any other.
        client.call("fail", json!({"kind": "message", "text": "x"})).await.tool_error();
        assert_eq!((told.take("response").len(), told.take("error").len()), (1, 0));
    })
    .await;
}

#[tokio::test]
async fn the_handshake_is_told_step_by_step() {
    each(legs::legacy().filter(|leg| leg.has_handshake()), async |leg| {
        let (server, told) = watched();
        let client = leg.open(&server).await;
        client.initialize(leg.version.as_str()).await.result();
        assert_eq!(told.take("client"), ["tests 0"]);
        assert!(told.take("ready").is_empty());
        client.initialized().await;
        client.initialized().await;
        client.request("ping", Value::Null).await.result();
        assert_eq!(told.take("ready").len(), 1);
        assert_eq!(told.take("notification").len(), 2);
        client.initialize(leg.version.as_str()).await.expect_code(-32600);
        assert!(told.take("client").is_empty());
    })
    .await;
}

#[tokio::test]
async fn notifications_are_told_with_their_message() {
    each(legs::all(), async |leg| {
        let (server, told) = watched();
        let client = leg.connect(&server).await;
        client.drain().await;
        told.0.lock().unwrap().clear();
        let notification = json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": "x"}});
        client.expect_silence(&notification).await;
        assert_eq!(told.take("notification"), [format!("notifications/cancelled {notification}")]);
    })
    .await;
}

#[tokio::test]
async fn the_end_of_a_connection_is_told() {
    each(legs::memory(), async |leg| {
        let (server, told) = watched();
        let client = leg.connect(&server).await;
        assert!(told.take("close").is_empty());
        client.close().await;
        client.ended().await;
        within("the end to be told", async {
            while told.take("close").is_empty() {
                tokio::task::yield_now().await;
            }
        })
        .await;
        assert!(told.take("broken").is_empty() && told.take("close").is_empty());
    })
    .await;
}

#[cfg(feature = "http")]
#[tokio::test]
async fn the_end_of_a_session_over_http_is_told() {
    each(legs::legacy().filter(|leg| leg.transport == Transport::Http), async |leg| {
        let (server, told) = watched();
        let client = leg.connect(&server).await;
        let delete = client.http().request("DELETE").set("Mcp-Session-Id", client.session_id().unwrap());
        assert!(told.take("close").is_empty());
        assert!((200..300).contains(&delete.send().await.status));
        assert_eq!(told.take("close").len(), 1);
    })
    .await;
}

#[tokio::test]
async fn a_connection_that_breaks_is_told_with_the_reason() {
    struct Broken;
    impl tokio::io::AsyncRead for Broken {
        fn poll_read(
            self: std::pin::Pin<&mut Self>,
            _: &mut std::task::Context<'_>,
            _: &mut tokio::io::ReadBuf<'_>,
        ) -> std::task::Poll<std::io::Result<()>> {
            std::task::Poll::Ready(Err(std::io::Error::other("the cable was cut")))
        }
    }
    let (server, told) = watched();
    let served = within("the connection to end", server.serve_stream(Broken, tokio::io::sink())).await;
    assert!(served.unwrap_err().to_string().contains("the cable was cut"));
    let broken = told.take("broken");
    assert!(broken.len() == 1 && broken[0].contains("the cable was cut"), "{broken:?}");
}

#[tokio::test]
async fn callbacks_that_panic_change_nothing() {
    let panicking = || {
        Events::new()
            .on_request(|_, _| panic!("callback"))
            .on_notification(|_, _| panic!("callback"))
            .on_response(|_| panic!("callback"))
            .on_error(|_| panic!("callback"))
            .on_method_called(|_| panic!("callback"))
            .on_protocol_error(|_| panic!("callback"))
            .on_client_connected(|_| panic!("callback"))
            .on_initialized(|| panic!("callback"))
            .on_transport_close(|| panic!("callback"))
    };
    each(legs::all(), async |leg| {
        let client = leg.connect(&Fixture::with(|builder| builder.events(panicking())).server).await;
        client.request("no/such", Value::Null).await.expect_code(-32601);
        assert_eq!(client.call("echo", json!({"text": "alive"})).await.text(), "alive");
    })
    .await;
}
