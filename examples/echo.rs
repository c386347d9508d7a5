//! The smallest server that is useful to measure: one tool, which gives back its argument.
//!
//! ```text
//! cargo run --release --example echo                         # on stdio
//! cargo run --release --example echo -- --http 127.0.0.1:0   # on HTTP, at any free port
//! ```

mod common;

use std::process::ExitCode;

use mcp::{Server, ServerBuilder, ToolOptions};
use schemars::JsonSchema;
use serde::Deserialize;

#[derive(Deserialize, JsonSchema)]
struct Echo {
    /// The text to give back.
    text: String,
}

fn main() -> ExitCode {
    common::run("echo", |command_line| {
        let builder = Server::builder("echo", "0.1.0").tool(
            "echo",
            ToolOptions::new().description("Gives back the text").read_only_hint(true),
            |args: Echo, _ctx| async move { args.text },
        );
        (1..=command_line.extra_tools).fold(builder, extra_tool)
    })
}

fn extra_tool(builder: ServerBuilder, number: usize) -> ServerBuilder {
    let options = ToolOptions::new().description("Does nothing");
    builder.raw_tool(&format!("tool_{number:06}"), options, |_args, _ctx| async { "done" })
}
