//! A server that has a bit of everything: what the official conformance suite asks for (the names that begin with
//! `test`) and further tools to try a client or a transport with. Each file beside this one is a family.
//!
//! ```text
//! cargo run --example everything                              # on stdio
//! cargo run --example everything -- --http 127.0.0.1:8080     # on HTTP, at http://127.0.0.1:8080/mcp
//! cargo run --example everything -- --help                    # what else there is
//! ```

mod asking;
mod basics;
mod changes;
#[path = "../common/mod.rs"]
mod common;
mod content;
mod forms;
mod input_required;
mod prompts;
mod resources;
mod signals;
mod tasks;

use std::process::ExitCode;

use mcp::{Implementation, Server, ServerBuilder, ToolOptions};

fn main() -> ExitCode {
    common::run("everything", |command_line| tasks::keep(everything(), command_line))
}

fn everything() -> ServerBuilder {
    let info = Implementation {
        title: Some("Everything".into()),
        description: Some("A server with a bit of everything, to test clients with".into()),
        website_url: Some("https://modelcontextprotocol.io/".into()),
        ..Implementation::new("everything", "0.1.0")
    };
    let mut builder = Server::builder("everything", "0.1.0")
        .server_info(info)
        .server_instructions(
            "The tools that begin with \"test\" are those of the conformance suite; the others do what their names say",
        )
        .declare_logging();
    for family in [
        basics::register,
        content::register,
        signals::register,
        changes::register,
        asking::register,
        forms::register,
        input_required::register,
        resources::register,
        prompts::register,
        tasks::register,
    ] {
        builder = family(builder);
    }
    builder
}

/// The options of a tool that needs no more than a description.
fn described(description: &str) -> ToolOptions {
    ToolOptions::new().description(description)
}
