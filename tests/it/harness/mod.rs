//! One way to talk to a server over every leg, a leg being a revision of the protocol and a transport.
//!
//! ```ignore
//! #[tokio::test]
//! async fn a_tool_is_called() {
//!     each(legs::all(), async |leg| {
//!         let client = leg.connect(&fixture().server).await;
//!         let reply = client.call("echo", json!({"text": "hi"})).await;
//!         assert_eq!(reply.text(), "hi");
//!     })
//!     .await;
//! }
//! ```
//!
//! - `each` runs a test once for each leg, within a time limit, and names the legs that failed.
//! - `legs::all()` and its relatives choose legs; `Leg` has predicates (`is_modern`, `can_ask`, …) for what differs.
//! - `leg.connect(&server)` gives a `Client` that is ready: the handshake is done where there is one.
//!   `leg.open(&server)` leaves the handshake out. `leg.host(&server)` starts a server that several clients `connect` to.
//! - `fixture()` is a server with the tools of the example `everything` and with gates: `call("gate", {"name": "a"})`
//!   starts a handler that waits; `gates.started("a")`, `gates.open("a")` and `gates.cancelled("a")` wait for it and end
//!   it. Tests wait for such events; they never sleep.
//! - `client.request(method, params)` and `client.call(tool, arguments)` send and wait for the `Reply`; `client.start`
//!   only sends, `client.reply(&pending)` waits. `params` gets the `_meta` of the modern era by itself.
//! - Everything that arrives lies in the client's mailbox until somebody takes it: `client.notification(method)`,
//!   `client.server_request(method)`, `client.next()`. `client.drain()` returns what arrived up to now and nobody took:
//!   the way to show that nothing was sent.
//! - `client.answer_with(|method, params| Ok(json!(…)))` answers what the server asks, in both eras: requests of the
//!   server's (legacy) and `input_required` (modern, by retrying).
//! - Raw access: `client.send_line(bytes)` on lines, `client.post(body)` and `client.http()` on HTTP.
//! - Every message that a server sends is checked against the official schema of the revision (`schema`), when
//!   `../shared/spec` is there; a violation fails the test when the client is dropped, at the latest.
//! - Every wait has a time limit (`PATIENCE`) and fails with what was awaited and what lies in the mailbox.

// Not every test module uses everything, and the modules come and go independently of the harness.
#![allow(dead_code, unused_imports)]

pub(crate) mod client;
mod fixture;
mod gates;
mod golden;
#[cfg(feature = "http")]
pub(crate) mod http;
mod leg;
mod mailbox;
mod meta;
pub(crate) mod process;
mod reply;
pub(crate) mod schema;

use std::future::Future;
use std::panic::AssertUnwindSafe;
use std::time::Duration;

use futures_util::FutureExt;

pub(crate) use client::{Client, Pending};
pub(crate) use fixture::{Fixture, builder, fixture};
pub(crate) use gates::Gates;
pub(crate) use golden::check_golden;
#[cfg(feature = "http")]
pub(crate) use http::{Http, HttpRequest, HttpResponse, SseEvent};
pub(crate) use leg::{Host, Leg, Transport, legs};
pub(crate) use mailbox::Received;
pub(crate) use process::Process;
pub(crate) use reply::Reply;
pub(crate) use serde_json::{Value, json};

/// How long anything may take before a test gives up: generous, since it is met only when something is wrong.
pub(crate) const PATIENCE: Duration = Duration::from_secs(20);

/// How long a test may take on one leg.
const LEG_LIMIT: Duration = Duration::from_secs(60);

/// Runs a test over each leg; fails when it failed over any, and says which.
pub(crate) async fn each(legs: impl IntoIterator<Item = Leg>, test: impl AsyncFn(Leg)) {
    let mut failed = Vec::new();
    let mut ran = 0;
    for leg in legs {
        ran += 1;
        let run = AssertUnwindSafe(tokio::time::timeout(LEG_LIMIT, test(leg))).catch_unwind().await;
        match run {
            Ok(Ok(())) => {}
            Ok(Err(_)) => failed.push(format!("{leg} (took longer than {LEG_LIMIT:?})")),
            Err(_) => failed.push(leg.to_string()),
        }
        if failed.last().is_some_and(|last| last.starts_with(&leg.to_string())) {
            eprintln!("^^^ this was over {leg}");
        }
    }
    assert!(ran > 0, "there is no leg to run the test over");
    assert!(failed.is_empty(), "failed over {}", failed.join("; "));
}

/// Waits for a future; fails the test when it takes too long.
pub(crate) async fn within<T>(what: &str, future: impl Future<Output = T>) -> T {
    match tokio::time::timeout(PATIENCE, future).await {
        Ok(value) => value,
        Err(_) => panic!("{what}: not within {PATIENCE:?}"),
    }
}
