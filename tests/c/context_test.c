// What a handler learns from its context, and what it may keep of it.

#include "check.h"

// What a handler left to the test.
typedef struct {
    event served;
    mcp_context_t *kept;
    mcp_responder_t *responder;
} desk;

// Answers with everything that the context tells.
static void tell(void *user_data, const mcp_context_t *context, mcp_str input, mcp_responder_t *responder) {
    (void)user_data;
    (void)input;
    CHECK(!mcp_context_is_cancelled(context));
    CHECK(mcp_context_principal(context).ptr == NULL);
    CHECK(mcp_context_input_response(context, MCP_STR("k")).ptr == NULL);
    CHECK(mcp_context_input_responses(context) == NULL);
    CHECK(mcp_context_request_state(context).ptr == NULL);
    mcp_context_release_connection(context);
    mcp_str info = mcp_context_client_info(context), can = mcp_context_client_capabilities(context),
            id = mcp_context_request_id(context), version = mcp_context_protocol_version(context),
            method = mcp_context_method(context), meta = mcp_context_meta(context),
            params = mcp_context_params(context);
    CHECK(mcp_json_kind(params) == MCP_JSON_OBJECT);
    char *text = format("%.*s|%.*s|%.*s|%.*s|%.*s|%.*s|%d", (int)id.len, id.ptr, (int)version.len, version.ptr,
                        (int)method.len, method.ptr, (int)info.len, info.ptr, (int)can.len, can.ptr,
                        meta.ptr != NULL ? 4 : 4, meta.ptr != NULL ? "meta" : "none",
                        (int)mcp_context_log_level(context));
    CHECK_OK(mcp_respond_text(responder, mcp_str_of(text)));
    free(text);
}

static void what_a_request_tells(void) {
    mcp_options_t *options = test_options();
    mcp_options_declare_logging(options);
    mcp_server_t *server = test_server(options);
    add_tool(server, "tell", tell, NULL, NULL);
    CHECK_ANSWER(server, modern_call(7, "tell"), "7|2026-07-28|tools/call||{}|meta|-1");
    CHECK_ANSWER(server,
                 modern_with(8, "tools/call", "\"name\":\"tell\"", "{\"roots\":{}}",
                             "\"io.modelcontextprotocol/logLevel\":\"warning\","
                             "\"io.modelcontextprotocol/clientInfo\":{\"name\":\"me\",\"version\":\"3\"}"),
                 "8|2026-07-28|tools/call|{\\\"name\\\":\\\"me\\\",\\\"version\\\":\\\"3\\\"}|{\\\"roots\\\":{}}|meta|3");
    mcp_link_t *link = open_session(server, "2025-11-25", "{\"sampling\":{}}");
    mcp_text_t *answer =
        link_request(link, 9, format("{\"jsonrpc\":\"2.0\",\"id\":9,\"method\":\"tools/call\",\"params\":{\"name\":\"tell\"}}"));
    CHECK_HAS(mcp_text_str(answer), "9|2025-11-25|tools/call|{\\\"name\\\":\\\"tester\\\"");
    CHECK_HAS(mcp_text_str(answer), "{\\\"sampling\\\":{}}|none|");
    mcp_text_delete(answer);
    mcp_link_delete(link);
    mcp_server_delete(server);
}

static void emit(void *user_data, const mcp_context_t *context, mcp_str input, mcp_responder_t *responder) {
    (void)user_data;
    (void)input;
    CHECK_OK(mcp_context_report_progress(context, 1, 4, MCP_STR("one")));
    CHECK_OK(mcp_context_report_progress(context, 2, -1, MCP_STR_NONE));
    CHECK_ERROR(mcp_context_log(context, 8, MCP_STR_NONE, MCP_STR("1")), MCP_ERROR_INVALID_PARAMS);
    CHECK_ERROR(mcp_context_log(context, MCP_LEVEL_ERROR, MCP_STR_NONE, MCP_STR("{")), MCP_ERROR_PARSE);
    CHECK_ERROR(mcp_context_log_text(context, MCP_LEVEL_ERROR, MCP_STR("\xff")), MCP_ERROR_INVALID_PARAMS);
    CHECK_OK(mcp_context_log(context, MCP_LEVEL_DEBUG, MCP_STR_NONE, MCP_STR("\"too fine\"")));
    CHECK_OK(mcp_context_log(context, MCP_LEVEL_ERROR, MCP_STR("part"), MCP_STR("{\"deep\":[1]}")));
    CHECK_OK(mcp_context_log_text(context, MCP_LEVEL_EMERGENCY, MCP_STR("plain \"text\"")));
    CHECK_OK(mcp_respond_text(responder, MCP_STR("emitted")));
}

static void what_a_handler_sends(void) {
    mcp_options_t *options = test_options();
    mcp_options_declare_logging(options);
    mcp_server_t *server = test_server(options);
    add_tool(server, "emit", emit, NULL, NULL);
    mcp_link_t *link = open_link(server);
    link_send(link, modern_with(1, "tools/call", "\"name\":\"emit\"", "{}",
                                "\"progressToken\":\"p\",\"io.modelcontextprotocol/logLevel\":\"info\""));
    static const char *const parts[] = {
        "\"progress\":1", "\"progress\":2", "{\"deep\":[1]}", "\"plain \\\"text\\\"\"", "emitted",
    };
    for (size_t at = 0; at < sizeof(parts) / sizeof(parts[0]); at++) {
        mcp_text_t *message = link_receive(link);
        CHECK_HAS(mcp_text_str(message), parts[at]);
        mcp_text_delete(message);
    }
    // A client that asked for nothing receives nothing but the answer.
    link_send(link, modern_call(2, "emit"));
    mcp_text_t *message = link_receive(link);
    CHECK_HAS(mcp_text_str(message), "emitted");
    mcp_text_delete(message);
    mcp_link_delete(link);
    mcp_server_delete(server);
}

static void keep(void *user_data, const mcp_context_t *context, mcp_str input, mcp_responder_t *responder) {
    (void)input;
    desk *self = (desk *)user_data;
    self->kept = mcp_context_clone(context);
    self->responder = responder;
    event_add(&self->served);
}

static void *answer_later(void *data) {
    desk *self = (desk *)data;
    CHECK(str_is(mcp_context_request_id(self->kept), "5"));
    CHECK_OK(mcp_context_report_progress(self->kept, 1, -1, MCP_STR("from elsewhere")));
    CHECK_OK(mcp_respond_text(self->responder, MCP_STR("later")));
    return NULL;
}

static void answered_from_another_thread(void) {
    desk self = {EVENT_INIT, NULL, NULL};
    mcp_server_t *server = test_server(NULL);
    add_tool(server, "keep", keep, &self, NULL);
    mcp_link_t *link = open_link(server);
    link_send(link, modern_with(5, "tools/call", "\"name\":\"keep\"", "{}", "\"progressToken\":1"));
    event_wait(&self.served, 1);
    pthread_t thread;
    CHECK(pthread_create(&thread, NULL, answer_later, &self) == 0);
    mcp_text_delete(link_receive_with(link, "from elsewhere"));
    mcp_text_t *answer = link_answer(link, 5);
    CHECK_HAS(mcp_text_str(answer), "later");
    mcp_text_delete(answer);
    pthread_join(thread, NULL);
    // After the answer there is nothing more to send; the texts are still there.
    CHECK_OK(mcp_context_report_progress(self.kept, 2, -1, MCP_STR("late")));
    CHECK(str_is(mcp_context_method(self.kept), "tools/call"));
    CHECK_REQUEST(link, 6, modern(6, "tools/list", ""), "\"keep\"");
    mcp_context_delete(self.kept);
    mcp_link_delete(link);
    mcp_server_delete(server);
}

static void cancelled_by_the_client(void) {
    desk self = {EVENT_INIT, NULL, NULL};
    mcp_server_t *server = test_server(NULL);
    add_tool(server, "keep", keep, &self, NULL);
    mcp_link_t *link = open_session(server, "2025-11-25", "{}");
    link_send(link, legacy(5, "tools/call", "{\"name\":\"keep\"}"));
    event_wait(&self.served, 1);
    CHECK(!mcp_context_is_cancelled(self.kept));
    link_send(link, format("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":5}}"));
    CHECK_REQUEST(link, 6, legacy(6, "ping", "{}"), "\"result\":{}");
    CHECK(mcp_context_is_cancelled(self.kept));
    // Nobody waits for the answer; it does no harm.
    CHECK_OK(mcp_respond_text(self.responder, MCP_STR("too late")));
    CHECK_REQUEST(link, 7, legacy(7, "ping", "{}"), "\"result\":{}");
    mcp_context_delete(self.kept);
    mcp_link_delete(link);
    mcp_server_delete(server);
}

static void use_server(void *user_data, const mcp_context_t *context, mcp_str input, mcp_responder_t *responder) {
    (void)user_data;
    (void)input;
    const mcp_server_t *server = mcp_context_server(context);
    add_tool(server, "added", answer_input, NULL, NULL);
    // A handler may even call itself through the server, and remove itself.
    CHECK_ANSWER(server, modern_call(1, "added"), "{}");
    CHECK(mcp_server_remove_tool(server, MCP_STR("added")));
    CHECK(mcp_server_remove_tool(server, MCP_STR("use_server")));
    mcp_server_notify_tools_changed(server);
    mcp_server_notify_resources_changed(server);
    mcp_server_notify_prompts_changed(server);
    CHECK_OK(mcp_server_notify_resource_updated(server, MCP_STR("a:b")));
    CHECK_OK(mcp_server_log(server, MCP_LEVEL_ERROR, MCP_STR_NONE, MCP_STR("1")));
    CHECK(mcp_server_client_count(server) == 0);
    CHECK_ERROR(mcp_server_wait(server), MCP_ERROR_INVALID_REQUEST);
    CHECK_OK(mcp_respond_text(responder, MCP_STR("used")));
}

static void the_server_inside_of_a_handler(void) {
    mcp_server_t *server = test_server(NULL);
    add_tool(server, "use_server", use_server, NULL, NULL);
    CHECK_ANSWER(server, modern_call(1, "use_server"), "used");
    CHECK_ANSWER(server, modern_call(2, "use_server"), "\"error\"");
    mcp_server_delete(server);
}

static void wait_inline(void *user_data, const mcp_context_t *context, mcp_str input, mcp_responder_t *responder) {
    (void)user_data;
    (void)input;
    char *message = modern(1, "tools/list", "");
    mcp_text_t *answer = NULL;
    CHECK_ERROR(mcp_server_dispatch(mcp_context_server(context), mcp_str_of(message), &answer),
                MCP_ERROR_INVALID_REQUEST);
    free(message);
    CHECK_OK(mcp_respond_text(responder, MCP_STR("not waited")));
}

static void an_inline_handler_can_not_wait_for_the_server(void) {
    mcp_server_t *server = test_server(NULL);
    mcp_tool_options_t *options = mcp_tool_options_new();
    mcp_tool_options_set_inline(options, true);
    CHECK_OK(mcp_server_add_tool(server, MCP_STR("inline"), options, wait_inline, NULL, NULL));
    mcp_link_t *link = open_link(server);
    CHECK_REQUEST(link, 1, modern_call(1, "inline"), "not waited");
    mcp_link_delete(link);
    mcp_server_delete(server);
}

int main(void) {
    what_a_request_tells();
    what_a_handler_sends();
    answered_from_another_thread();
    cancelled_by_the_client();
    the_server_inside_of_a_handler();
    an_inline_handler_can_not_wait_for_the_server();
    return 0;
}
