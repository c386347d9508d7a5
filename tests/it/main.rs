//! What a client meets: every behaviour over every revision and transport where it exists. See `harness`.

#![cfg(all(feature = "modern", feature = "legacy"))]
// In a test a panic is the report; clippy knows that of test functions only, not of the harness.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod harness;

mod concurrency;
mod framing;
mod stdio;
mod handshake;
mod ids;
mod notifications;
