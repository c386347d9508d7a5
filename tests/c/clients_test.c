// Clients with a session, spoken to outside of any request.

#include "check.h"

typedef struct {
    event called;
    event destroyed;
    int32_t code;
    char answer[256];
} question;

static void take_answer(void *user_data, const mcp_error_t *error, mcp_str answer) {
    question *self = (question *)user_data;
    CHECK((error == NULL) == (answer.ptr != NULL));
    self->code = mcp_error_code(error);
    snprintf(self->answer, sizeof(self->answer), "%.*s", (int)answer.len, answer.ptr != NULL ? answer.ptr : "");
    event_add(&self->called);
}

static void destroy_question(void *user_data) {
    event_add(&((question *)user_data)->destroyed);
}

static const char roots[] = "{\"method\":\"roots/list\"}";

static void who_they_are(void) {
    mcp_options_t *options = test_options();
    mcp_options_declare_logging(options);
    mcp_server_t *server = test_server(options);
    CHECK(mcp_server_client_count(server) == 0 && mcp_server_client(server, 0) == NULL);
    mcp_link_t *older = open_session(server, "2024-11-05", "{\"roots\":{}}");
    mcp_link_t *newer = open_session(server, "2025-11-25", "{}");
    // Clients of the newest revision have no session.
    mcp_link_t *modern_link = open_link(server);
    mcp_text_delete(link_request(modern_link, 1, modern(1, "server/discover", "")));
    CHECK(mcp_server_client_count(server) == 2);
    mcp_client_t *first = mcp_server_client(server, 0), *second = mcp_server_client(server, 1);
    CHECK(mcp_server_client(server, 2) == NULL);
    CHECK_HAS(mcp_client_info(first), "\"name\":\"tester\"");
    CHECK(str_is(mcp_client_protocol_version(first), "2024-11-05"));
    CHECK(str_is(mcp_client_protocol_version(second), "2025-11-25"));
    CHECK(str_is(mcp_client_capabilities(first), "{\"roots\":{}}"));

    CHECK_OK(mcp_client_log(second, MCP_LEVEL_ERROR, MCP_STR("l"), MCP_STR("\"for the second\"")));
    CHECK_ERROR(mcp_client_log(second, -1, MCP_STR_NONE, MCP_STR("1")), MCP_ERROR_INVALID_PARAMS);
    CHECK_ERROR(mcp_client_log(second, 1, MCP_STR_NONE, MCP_STR("x")), MCP_ERROR_PARSE);
    mcp_text_t *message = link_receive(newer);
    CHECK_HAS(mcp_text_str(message), "for the second");
    mcp_text_delete(message);
    // A handle outlives its session, and the server.
    mcp_link_delete(newer);
    mcp_link_delete(older);
    mcp_link_delete(modern_link);
    mcp_server_delete(server);
    CHECK_HAS(mcp_client_info(second), "tester");
    mcp_error_delete(mcp_client_log(second, MCP_LEVEL_ERROR, MCP_STR_NONE, MCP_STR("1")));
    mcp_client_delete(first);
    mcp_client_delete(second);
}

static void asked_and_answered(void) {
    question asked = {EVENT_INIT, EVENT_INIT, 0, ""}, refused = {EVENT_INIT, EVENT_INIT, 0, ""},
             wrong = {EVENT_INIT, EVENT_INIT, 0, ""}, unable = {EVENT_INIT, EVENT_INIT, 0, ""};
    mcp_server_t *server = test_server(NULL);
    mcp_link_t *link = open_session(server, "2025-06-18", "{\"roots\":{}}");
    mcp_client_t *client = mcp_server_client(server, 0);
    for (int refuse = 0; refuse < 2; refuse++) {
        question *self = refuse ? &refused : &asked;
        CHECK_OK(mcp_client_ask(client, mcp_str_of(roots), take_answer, self, destroy_question));
        mcp_text_t *message = link_receive_with(link, "roots/list");
        mcp_str id;
        CHECK(mcp_json_find(mcp_text_str(message), MCP_STR("id"), &id));
        link_send(link, format("{\"jsonrpc\":\"2.0\",\"id\":%.*s,%s}", (int)id.len, id.ptr,
                               refuse ? "\"error\":{\"code\":-1,\"message\":\"no\"}" : "\"result\":{\"roots\":[]}"));
        mcp_text_delete(message);
        event_wait(&self->destroyed, 1);
        CHECK(event_count(&self->called) == 1);
    }
    CHECK(strcmp(asked.answer, "{\"roots\":[]}") == 0 && asked.code == 0);
    CHECK(refused.code != 0);

    CHECK_ERROR(mcp_client_ask(client, MCP_STR("{\"method\":\"tools/call\"}"), take_answer, &wrong, destroy_question),
                MCP_ERROR_INVALID_PARAMS);
    CHECK(event_count(&wrong.called) == 0 && event_count(&wrong.destroyed) == 1);
    CHECK_ERROR(mcp_client_ask(client, mcp_str_of(roots), NULL, &wrong, destroy_question), MCP_ERROR_INVALID_PARAMS);
    CHECK(event_count(&wrong.destroyed) == 2);

    // What the client did not say that it can do it is not asked.
    mcp_str prompt = MCP_STR("{\"method\":\"sampling/createMessage\",\"params\":{\"messages\":[],\"maxTokens\":1}}");
    CHECK_OK(mcp_client_ask(client, prompt, take_answer, &unable, destroy_question));
    event_wait(&unable.destroyed, 1);
    CHECK(event_count(&unable.called) == 1 && unable.code != 0);
    mcp_client_delete(client);
    mcp_link_delete(link);
    mcp_server_delete(server);
}

static void nobody_answers(void) {
    question left = {EVENT_INIT, EVENT_INIT, 0, ""}, deleted = {EVENT_INIT, EVENT_INIT, 0, ""},
             late = {EVENT_INIT, EVENT_INIT, 0, ""};
    mcp_server_t *server = test_server(NULL);
    mcp_link_t *link = open_session(server, "2025-06-18", "{\"roots\":{}}");
    mcp_client_t *client = mcp_server_client(server, 0);
    CHECK_OK(mcp_client_ask(client, mcp_str_of(roots), take_answer, &left, destroy_question));
    mcp_text_delete(link_receive_with(link, "roots/list"));
    mcp_link_delete(link);
    event_wait(&left.destroyed, 1);
    CHECK(event_count(&left.called) == 1 && left.code != 0);
    mcp_client_delete(client);

    link = open_session(server, "2025-06-18", "{\"roots\":{}}");
    client = NULL;
    for (size_t number = 0; client == NULL || !str_has(mcp_client_capabilities(client), "roots"); number++) {
        client = mcp_server_client(server, number);
        CHECK(client != NULL);
    }
    CHECK_OK(mcp_client_ask(client, mcp_str_of(roots), take_answer, &deleted, destroy_question));
    mcp_server_delete(server);
    CHECK(event_count(&deleted.destroyed) == 1 && event_count(&deleted.called) <= 1);
    // After the end of the server the question is refused, or told to have failed; the data is destroyed either way.
    mcp_error_delete(mcp_client_ask(client, mcp_str_of(roots), take_answer, &late, destroy_question));
    event_wait(&late.destroyed, 1);
    mcp_client_delete(client);
    mcp_link_delete(link);
}

int main(void) {
    who_they_are();
    asked_and_answered();
    nobody_answers();
    return 0;
}
