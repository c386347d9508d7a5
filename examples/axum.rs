//! Mounts an MCP server into a web application that has routes of its own.
//!
//! ```text
//! cargo run --example axum
//! curl http://127.0.0.1:8080/                 # the application's own page
//! curl http://127.0.0.1:8080/mcp -H 'content-type: application/json' -H 'accept: application/json, text/event-stream' \
//!     -d '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},
//!          "clientInfo":{"name":"curl","version":"1"}}}'
//! ```

use std::time::Duration;

use axum::Router;
use axum::routing::get;
use mcp::{HttpOptions, Server, ToolOptions};
use schemars::JsonSchema;
use serde::Deserialize;
use tokio::net::TcpListener;

#[derive(Deserialize, JsonSchema)]
struct Visitor {
    /// Whom to greet
    name: String,
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let server = Server::builder("greeter", "1.0")
        .tool("greet", ToolOptions::new().description("Greets someone"), |args: Visitor, _ctx| async move {
            format!("Hello, {}!", args.name)
        })
        .build()?;

    let app = Router::new()
        .route("/", get(|| async { "An ordinary page. The MCP server is at /mcp.\n" }))
        .route_service("/mcp", server.http_service(HttpOptions::new()));

    let listener = TcpListener::bind("127.0.0.1:8080").await?;
    eprintln!("listening on http://{}/", listener.local_addr()?);
    axum::serve(listener, app).with_graceful_shutdown(interrupted(server)).await?;
    Ok(())
}

/// Waits for Ctrl-C, then ends the streams that clients have open: the application waits for them.
async fn interrupted(server: Server) {
    if let Err(error) = tokio::signal::ctrl_c().await {
        eprintln!("Ctrl-C can't be awaited: {error}");
    }
    server.shutdown(Duration::from_secs(2));
}
