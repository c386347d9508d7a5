// Tools that tell something before they answer: progress and log messages. One lets the client wait without a
// connection.

#define _POSIX_C_SOURCE 200809L

#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <time.h>

#include "../common/text.h"
#include "everything.h"

// The handlers here run on the pool, so they may block.
static void wait_ms(long ms) {
    struct timespec time = {ms / 1000, ms % 1000 * 1000000};
    nanosleep(&time, NULL);
}

static void progress(void *user_data, const mcp_context_t *context, mcp_str input, mcp_responder_t *responder) {
    (void)user_data;
    mcp_str value = MCP_STR_NONE;
    int64_t steps = 0;
    mcp_json_find(input, MCP_STR("n"), &value);
    mcp_json_get_int64(value, &steps);
    for (int64_t step = 1; step <= steps; step++) {
        if (mcp_context_is_cancelled(context)) {
            respond_failure(responder, text_format("cancelled before step %lld", (long long)step));
            return;
        }
        char message[64];
        snprintf(message, sizeof(message), "step %lld of %lld", (long long)step, (long long)steps);
        succeeded(mcp_context_report_progress(context, (double)step, (double)steps, mcp_str_of(message)));
        // What is sent leaves meanwhile. Otherwise many notifications pile up, and beyond a bound they are lost.
        sched_yield();
    }
    respond_text(responder, text_format("%lld steps done", (long long)steps));
}

static void with_progress(void *user_data, const mcp_context_t *context, mcp_str input, mcp_responder_t *responder) {
    (void)user_data;
    (void)input;
    succeeded(mcp_context_report_progress(context, 0, 100, MCP_STR_NONE));
    wait_ms(50);
    succeeded(mcp_context_report_progress(context, 50, 100, MCP_STR_NONE));
    wait_ms(50);
    succeeded(mcp_context_report_progress(context, 100, 100, MCP_STR_NONE));
    succeeded(mcp_respond_text(responder, MCP_STR("The work is done.")));
}

static void with_logging(void *user_data, const mcp_context_t *context, mcp_str input, mcp_responder_t *responder) {
    (void)user_data;
    (void)input;
    succeeded(mcp_context_log_text(context, MCP_LEVEL_INFO, MCP_STR("Tool execution started")));
    wait_ms(50);
    succeeded(mcp_context_log_text(context, MCP_LEVEL_INFO, MCP_STR("Tool processing data")));
    wait_ms(50);
    succeeded(mcp_context_log_text(context, MCP_LEVEL_INFO, MCP_STR("Tool execution completed")));
    succeeded(mcp_respond_text(responder, MCP_STR("The work is done and logged.")));
}

static void logging(void *user_data, const mcp_context_t *context, mcp_str input, mcp_responder_t *responder) {
    (void)user_data;
    (void)input;
    mcp_str data = MCP_STR("\"The logging tool was called\"");
    succeeded(mcp_context_log(context, MCP_LEVEL_INFO, MCP_STR("everything"), data));
    succeeded(mcp_respond_text(responder, MCP_STR("Logged, if the client wants log messages.")));
}

static void reconnection(void *user_data, const mcp_context_t *context, mcp_str input, mcp_responder_t *responder) {
    (void)user_data;
    (void)input;
    mcp_context_release_connection(context);
    wait_ms(100);
    succeeded(mcp_respond_text(responder, MCP_STR("Reconnection test completed successfully. If you received this, the "
                                                  "client properly reconnected after stream closure.")));
}

mcp_error_t *register_telling(const mcp_server_t *server) {
    static const char steps[] =
        "{\"type\":\"object\",\"properties\":{\"n\":{\"type\":\"integer\",\"minimum\":0,\"maximum\":4294967295,"
        "\"description\":\"How many times\"}},\"required\":[\"n\"]}";
    static const tool tools[] = {
        {"progress", "Reports progress n times, then answers", steps, NULL, progress, false},
        {"test_tool_with_progress", "Reports progress", NULL, NULL, with_progress, false},
        {"test_tool_with_logging", "Sends log messages", NULL, NULL, with_logging, false},
        {"test_logging_tool", "Sends a log message if the client wants any", NULL, NULL, logging, false},
        {"test_reconnection", "Lets go of the connection before it answers", NULL, NULL, reconnection, false},
    };
    return add_tools(server, tools, sizeof(tools) / sizeof(tools[0]));
}
