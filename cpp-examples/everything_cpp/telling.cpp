// Tools that tell something before they answer: progress and log messages. One lets the client wait without a connection.

#include <chrono>
#include <cstdint>
#include <thread>

#include "everything.hpp"

namespace everything {

namespace {

// Handlers run on the server's pool of threads, so they may block.
void Pause(int times = 1) { std::this_thread::sleep_for(times * std::chrono::milliseconds(50)); }

mcp::CallToolResult Progress(const ToolContext& ctx) {
    const std::int64_t n = Argument(ctx, "n").GetInt();
    for (std::int64_t step = 1; step <= n; ++step) {
        if (ctx.IsCancellationRequested()) {
            return ErrorResult("cancelled before step " + std::to_string(step));
        }
        ctx.ReportProgress(static_cast<double>(step), static_cast<double>(n),
                           "step " + std::to_string(step) + " of " + std::to_string(n));
        // What is sent leaves meanwhile. Otherwise many notifications pile up, and beyond a bound they are lost.
        std::this_thread::yield();
    }
    return TextResult(std::to_string(n) + " steps done");
}

mcp::CallToolResult WithProgress(const ToolContext& ctx) {
    ctx.ReportProgress(0, 100);
    Pause();
    ctx.ReportProgress(50, 100);
    Pause();
    ctx.ReportProgress(100, 100);
    return TextResult("The work is done.");
}

mcp::CallToolResult WithLogging(const ToolContext& ctx) {
    ctx.Log(mcp::LoggingLevel::Info, "Tool execution started");
    Pause();
    ctx.Log(mcp::LoggingLevel::Info, "Tool processing data");
    Pause();
    ctx.Log(mcp::LoggingLevel::Info, "Tool execution completed");
    return TextResult("The work is done and logged.");
}

mcp::CallToolResult Logging(const ToolContext& ctx) {
    ctx.Log(mcp::LoggingLevel::Info, "The logging tool was called");
    return TextResult("Logged, if the client wants log messages.");
}

mcp::CallToolResult Reconnection(const ToolContext& ctx) {
    ctx.ReleaseConnection();
    Pause(2);
    return TextResult(
        "Reconnection test completed successfully. If you received this, the client properly reconnected after stream "
        "closure.");
}

}  // namespace

void RegisterTelling(mcp::McpServer& server) {
    server.RegisterTool("progress", Described("Reports progress n times, then answers", R"({
        "type": "object",
        "properties": {
            "n": {"type": "integer", "minimum": 0, "maximum": 4294967295, "description": "How many times"}
        },
        "required": ["n"]
    })"),
                        Progress);
    server.RegisterTool("test_tool_with_progress", Described("Reports progress"), WithProgress);
    server.RegisterTool("test_tool_with_logging", Described("Sends log messages"), WithLogging);
    server.RegisterTool("test_logging_tool", Described("Sends a log message if the client wants any"), Logging);
    server.RegisterTool("test_reconnection", Described("Lets go of the connection before it answers"), Reconnection);
}

}  // namespace everything
