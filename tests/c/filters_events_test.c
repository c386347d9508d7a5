// Filters that look at, change and stop messages, and events that tell about them.

#include "check.h"

// Notes what was told last.
typedef struct {
    event told;
    char subject[64];
    char detail[512];
} note;

static void take_note(void *user_data, mcp_str subject, mcp_str detail) {
    note *self = (note *)user_data;
    CHECK(subject.len < sizeof(self->subject) && detail.len < sizeof(self->detail));
    memcpy(self->subject, subject.len > 0 ? subject.ptr : "", subject.len);
    self->subject[subject.len] = '\0';
    memcpy(self->detail, detail.len > 0 ? detail.ptr : "", detail.len);
    self->detail[detail.len] = '\0';
    event_add(&self->told);
}

enum { EVENTS = MCP_EVENT_PROTOCOL_ERROR + 1 };

static void every_event(void) {
    static note notes[EVENTS];
    mcp_options_t *options = test_options();
    for (int32_t number = 0; number < EVENTS; number++) {
        const note fresh = {EVENT_INIT, "", ""};
        notes[number] = fresh;
        mcp_options_on_event(options, number, take_note, &notes[number], NULL);
    }
    mcp_server_t *server = test_server(options);
    add_tool(server, "t", answer_input, NULL, NULL);
    mcp_link_t *link = open_session(server, "2025-11-25", "{}");
    event_wait(&notes[MCP_EVENT_CLIENT_CONNECTED].told, 1);
    CHECK_HAS(mcp_str_of(notes[MCP_EVENT_CLIENT_CONNECTED].detail), "\"name\":\"tester\"");
    event_wait(&notes[MCP_EVENT_INITIALIZED].told, 1);
    CHECK(strcmp(notes[MCP_EVENT_NOTIFICATION].subject, "notifications/initialized") == 0);

    CHECK_REQUEST(link, 1, legacy(1, "tools/call", "{\"name\":\"t\",\"arguments\":{\"x\":1}}"), "x");
    CHECK(strcmp(notes[MCP_EVENT_REQUEST].subject, "tools/call") == 0);
    CHECK_HAS(mcp_str_of(notes[MCP_EVENT_REQUEST].detail), "\"arguments\":{\"x\":1}");
    CHECK(strcmp(notes[MCP_EVENT_METHOD_CALLED].subject, "tools/call") == 0);
    CHECK_HAS(mcp_str_of(notes[MCP_EVENT_RESPONSE].detail), "\"id\":1");

    CHECK_REQUEST(link, 2, legacy(2, "no/such", "{}"), "-32601");
    CHECK_HAS(mcp_str_of(notes[MCP_EVENT_ERROR].detail), "\"code\":-32601");
    CHECK(notes[MCP_EVENT_ERROR].subject[0] != '\0');
    CHECK(strcmp(notes[MCP_EVENT_ERROR].subject, notes[MCP_EVENT_PROTOCOL_ERROR].subject) == 0);

    mcp_link_delete(link);
    event_wait(&notes[MCP_EVENT_TRANSPORT_CLOSE].told, 1);
    CHECK(event_count(&notes[MCP_EVENT_TRANSPORT_ERROR].told) == 0);
    mcp_server_delete(server);
}

static void pass(void *user_data, mcp_str message, mcp_filter_next_t *next) {
    event_add((event *)user_data);
    CHECK_OK(mcp_filter_pass(next, message));
}

static void stop_calls(void *user_data, mcp_str message, mcp_filter_next_t *next) {
    (void)user_data;
    if (!str_has(message, "\"forbidden\"")) {
        CHECK_OK(mcp_filter_pass(next, message));
    }
}

// Replaces `before` by `after`, both of the same length.
static void replace(mcp_str message, mcp_filter_next_t *next, const char *before, const char *after) {
    char *text = format("%.*s", (int)message.len, message.ptr);
    char *found = strstr(text, before);
    if (found != NULL) {
        memcpy(found, after, strlen(after));
    }
    CHECK_ERROR(mcp_filter_pass(next, MCP_STR("{")), MCP_ERROR_PARSE);
    CHECK_OK(mcp_filter_pass(next, mcp_str_of(text)));
    // A second call has no effect.
    CHECK_OK(mcp_filter_pass(next, MCP_STR("{\"jsonrpc\":\"2.0\"}")));
    free(text);
}

static void change_in(void *user_data, mcp_str message, mcp_filter_next_t *next) {
    (void)user_data;
    replace(message, next, "\"asked\"", "\"other\"");
}

static void change_out(void *user_data, mcp_str message, mcp_filter_next_t *next) {
    (void)user_data;
    replace(message, next, "secret", "******");
}

static void filters_see_change_and_stop(void) {
    event in = EVENT_INIT, out = EVENT_INIT;
    mcp_options_t *options = test_options();
    mcp_options_add_incoming_filter(options, pass, &in, NULL);
    mcp_options_add_incoming_filter(options, stop_calls, NULL, NULL);
    mcp_options_add_incoming_filter(options, change_in, NULL, NULL);
    mcp_options_add_outgoing_filter(options, change_out, NULL, NULL);
    mcp_options_add_outgoing_filter(options, pass, &out, NULL);
    mcp_server_t *server = test_server(options);
    add_tool(server, "other", answer_input, NULL, NULL);
    add_tool(server, "forbidden", answer_input, NULL, NULL);
    mcp_link_t *link = open_link(server);
    CHECK_REQUEST(link, 1, modern(1, "tools/call", "\"name\":\"asked\",\"arguments\":{\"a\":\"secret\"}"), "******");
    CHECK(event_count(&in) == 1 && event_count(&out) == 1);
    CHECK_REQUEST(link, 2, modern_call(2, "forbidden"), "\"error\"");
    CHECK(event_count(&in) == 2);
    CHECK_REQUEST(link, 3, modern_call(3, "other"), "{}");
    mcp_link_delete(link);
    mcp_server_delete(server);
}

static bool give_hint(void *user_data, mcp_str method, uint64_t *out_ttl_ms, int32_t *out_scope) {
    (void)user_data;
    if (!str_is(method, "tools/list")) {
        return false;
    }
    *out_ttl_ms = 111;
    *out_scope = MCP_CACHE_PUBLIC;
    return true;
}

static void cache_hints(void) {
    mcp_options_t *options = test_options();
    mcp_options_set_cache_hint_resolver(options, give_hint, NULL, NULL);
    mcp_options_set_cache_hint(options, MCP_STR("tools/list"), 222, MCP_CACHE_PRIVATE);
    mcp_options_set_cache_hint(options, MCP_STR("prompts/list"), 333, MCP_CACHE_PUBLIC);
    mcp_options_declare_tools(options);
    mcp_options_declare_prompts(options);
    mcp_options_declare_resources(options);
    mcp_server_t *server = test_server(options);
    CHECK_ANSWER(server, modern(1, "tools/list", ""), "\"ttlMs\":111,\"cacheScope\":\"public\"");
    CHECK_ANSWER(server, modern(2, "prompts/list", ""), "\"ttlMs\":333,\"cacheScope\":\"public\"");
    CHECK_ANSWER(server, modern(3, "resources/list", ""), "\"ttlMs\":0,\"cacheScope\":\"private\"");
    mcp_server_delete(server);
}

int main(void) {
    every_event();
    filters_see_change_and_stop();
    cache_hints();
    return 0;
}
