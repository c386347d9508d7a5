//! Tools that tell something before they answer: progress and log messages. One lets the client wait without a
//! connection.

use std::time::Duration;

use mcp::{CallToolResult, Context, LoggingLevel, RawJson, ServerBuilder};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::described;

const PAUSE: Duration = Duration::from_millis(50);

pub(crate) fn register(builder: ServerBuilder) -> ServerBuilder {
    builder
        .tool("progress", described("Reports progress n times, then answers"), progress)
        .raw_tool("test_tool_with_progress", described("Reports progress"), with_progress)
        .raw_tool("test_tool_with_logging", described("Sends log messages"), with_logging)
        .raw_tool("test_logging_tool", described("Sends a log message if the client wants any"), logging)
        .raw_tool("test_reconnection", described("Lets go of the connection before it answers"), reconnection)
}

#[derive(Deserialize, JsonSchema)]
struct Steps {
    /// How many times
    n: u32,
}

async fn progress(args: Steps, ctx: Context) -> CallToolResult {
    for step in 1..=args.n {
        if ctx.is_cancelled() {
            return CallToolResult::error(format!("cancelled before step {step}"));
        }
        ctx.report_progress(f64::from(step), Some(f64::from(args.n)), Some(&format!("step {step} of {}", args.n)));
        // What is sent leaves while this waits. Otherwise many notifications pile up, and beyond a bound they are lost.
        tokio::task::yield_now().await;
    }
    CallToolResult::text(format!("{} steps done", args.n))
}

async fn with_progress(_args: RawJson, ctx: Context) -> &'static str {
    ctx.report_progress(0.0, Some(100.0), None);
    tokio::time::sleep(PAUSE).await;
    ctx.report_progress(50.0, Some(100.0), None);
    tokio::time::sleep(PAUSE).await;
    ctx.report_progress(100.0, Some(100.0), None);
    "The work is done."
}

async fn with_logging(_args: RawJson, ctx: Context) -> &'static str {
    ctx.log(LoggingLevel::Info, "Tool execution started");
    tokio::time::sleep(PAUSE).await;
    ctx.log(LoggingLevel::Info, "Tool processing data");
    tokio::time::sleep(PAUSE).await;
    ctx.log(LoggingLevel::Info, "Tool execution completed");
    "The work is done and logged."
}

async fn logging(_args: RawJson, ctx: Context) -> &'static str {
    ctx.log_from(LoggingLevel::Info, Some("everything"), "The logging tool was called");
    "Logged, if the client wants log messages."
}

async fn reconnection(_args: RawJson, ctx: Context) -> &'static str {
    ctx.release_connection();
    tokio::time::sleep(PAUSE * 2).await;
    "Reconnection test completed successfully. If you received this, the client properly reconnected after stream closure."
}
