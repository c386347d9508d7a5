// The library's own log: what a host should know, and clients should not.

#include "check.h"

typedef struct {
    event lines;
    event destroyed;
    char last[512];
    int32_t level;
} sink;

static void write_line(void *user_data, int32_t level, mcp_str source, mcp_str message) {
    sink *self = (sink *)user_data;
    CHECK(event_count(&self->destroyed) == 0);
    CHECK(source.len >= 3 && memcmp(source.ptr, "mcp", 3) == 0);
    if (str_has(message, "the detail for the host")) {
        self->level = level;
        snprintf(self->last, sizeof(self->last), "%.*s", (int)message.len, message.ptr);
        event_add(&self->lines);
    }
}

static void destroy_sink(void *user_data) {
    event_add(&((sink *)user_data)->destroyed);
}

static void fail(void *user_data, const mcp_context_t *context, mcp_str input, mcp_responder_t *responder) {
    (void)user_data;
    (void)context;
    (void)input;
    CHECK_OK(mcp_respond_internal_failure(responder, MCP_STR("the detail for the host")));
}

static void call(const mcp_server_t *server) {
    mcp_text_t *answer = dispatch(server, modern_call(1, "fail"));
    CHECK(!str_has(mcp_text_str(answer), "the detail"));
    mcp_text_delete(answer);
}

int main(void) {
    static sink first = {EVENT_INIT, EVENT_INIT, "", -1}, second = {EVENT_INIT, EVENT_INIT, "", -1},
                third = {EVENT_INIT, EVENT_INIT, "", -1};
    mcp_server_t *server = test_server(NULL);
    add_tool(server, "fail", fail, NULL, NULL);
    call(server);
    CHECK_OK(mcp_set_log_sink(MCP_LEVEL_WARNING, write_line, &first, destroy_sink));
    call(server);
    event_wait(&first.lines, 1);
    CHECK(first.level == MCP_LEVEL_ERROR || first.level == MCP_LEVEL_WARNING);
    // Another sink takes over; what the first was given is destroyed.
    CHECK_OK(mcp_set_log_sink(MCP_LEVEL_DEBUG, write_line, &second, destroy_sink));
    CHECK(event_count(&first.destroyed) == 1);
    call(server);
    event_wait(&second.lines, 1);
    CHECK(event_count(&first.lines) == 1);
    // Above every level that is written, nothing arrives.
    CHECK_OK(mcp_set_log_sink(MCP_LEVEL_EMERGENCY, write_line, &third, destroy_sink));
    call(server);
    CHECK(event_count(&second.destroyed) == 1);
    // Without a sink the server goes on.
    CHECK_OK(mcp_set_log_sink(MCP_LEVEL_DEBUG, NULL, NULL, NULL));
    CHECK(event_count(&third.lines) == 0 && event_count(&third.destroyed) == 1);
    call(server);
    CHECK(event_count(&second.lines) == 1 && event_count(&second.destroyed) == 1);
    mcp_server_delete(server);
    return 0;
}
