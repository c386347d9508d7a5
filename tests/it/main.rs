//! What a client meets: every behaviour over every revision and transport where it exists. See `harness`.

#![cfg(all(feature = "modern", feature = "legacy"))]
// In a test a panic is the report; clippy knows that of test functions only, not of the harness.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod harness;

mod ask;
mod ask_kinds;
mod asking;
mod batch;
mod cache_hints;
mod cancel;
mod changes;
#[cfg(feature = "http")]
mod clients;
mod concurrency;
mod cpp_results;
#[cfg(feature = "schemars")]
mod derived_schemas;
mod emitting;
mod eras;
mod events;
mod executor;
mod filters;
mod framing;
mod golden;
mod handshake;
#[cfg(feature = "http")]
mod http_asking;
#[cfg(feature = "http")]
mod http_batch;
#[cfg(feature = "http")]
mod http_common;
#[cfg(feature = "http")]
mod http_guard;
#[cfg(feature = "http")]
mod http_isolation;
#[cfg(feature = "http")]
mod http_limits;
#[cfg(feature = "http")]
mod http_mount;
#[cfg(feature = "http")]
mod http_negotiation;
#[cfg(feature = "http")]
mod http_resume;
#[cfg(feature = "http")]
mod http_sessions;
#[cfg(feature = "http")]
mod http_shutdown;
#[cfg(feature = "http")]
mod http_sse;
#[cfg(feature = "http")]
mod http_streams;
#[cfg(feature = "http")]
mod http_versions;
#[cfg(feature = "http")]
mod http_wire;
mod ids;
mod leaks;
mod link;
mod listen;
mod lists;
mod log_levels;
#[cfg(feature = "http")]
mod modern_headers;
mod names;
mod notifications;
mod pages;
mod panics;
mod params;
mod prompts;
mod request_state;
mod request_view;
mod resources;
mod revisions;
mod schema_check;
mod schemas;
mod stdio;
mod task_clients;
mod task_crash;
mod task_recovery;
mod task_requests;
mod task_store_failures;
mod tasks;
mod tool_limits;
mod tool_results;
mod wire_forms;
