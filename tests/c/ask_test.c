// Questions to the client: `mcp_context_ask` and input-required answers, with clients of both eras.

#include "check.h"

static const char name_form[] =
    "{\"method\":\"elicitation/create\",\"params\":{\"message\":\"Name?\",\"requestedSchema\":"
    "{\"type\":\"object\",\"properties\":{\"name\":{\"type\":\"string\"}}}}}";

static void ask_twice(void *user_data, const mcp_context_t *context, mcp_str input, mcp_responder_t *responder) {
    (void)input;
    event_add((event *)user_data);
    mcp_text_t *name = NULL, *roots = NULL;
    if (!mcp_context_ask(context, MCP_STR("name"), mcp_str_of(name_form), responder, &name)) {
        CHECK(name == NULL);
        return;
    }
    if (mcp_context_ask(context, MCP_STR("roots"), MCP_STR("{\"method\":\"roots/list\"}"), responder, &roots)) {
        mcp_str first = mcp_text_str(name), second = mcp_text_str(roots);
        char *text = format("%.*s+%.*s", (int)first.len, first.ptr, (int)second.len, second.ptr);
        CHECK_OK(mcp_respond_text(responder, mcp_str_of(text)));
        free(text);
        mcp_text_delete(roots);
    }
    mcp_text_delete(name);
}

// The request state of an answer as a member for the retry, to be freed by the caller; empty where there is none, as
// when nothing is to be remembered.
static char *state_of(const mcp_text_t *answer) {
    mcp_str result, state;
    CHECK(mcp_json_find(mcp_text_str(answer), MCP_STR("result"), &result));
    if (!mcp_json_find(result, MCP_STR("requestState"), &state)) {
        return format("%s", "");
    }
    return format(",\"requestState\":%.*s", (int)state.len, state.ptr);
}

static char *retry(int id, const char *tool, const char *responses, const char *state) {
    char *members = format("\"name\":\"%s\",\"arguments\":{},\"inputResponses\":%s%s", tool, responses,
                           state);
    char *message = modern_with(id, "tools/call", members, "{\"elicitation\":{},\"roots\":{},\"sampling\":{}}", "");
    free(members);
    return message;
}

static char *first_call(int id, const char *tool) {
    char *members = format("\"name\":\"%s\",\"arguments\":{}", tool);
    char *message = modern_with(id, "tools/call", members, "{\"elicitation\":{},\"roots\":{},\"sampling\":{}}", "");
    free(members);
    return message;
}

static void asked_in_the_newest_revision(void) {
    event runs = EVENT_INIT;
    mcp_server_t *server = test_server(NULL);
    add_tool(server, "twice", ask_twice, &runs, NULL);
    mcp_text_t *answer = dispatch(server, first_call(1, "twice"));
    CHECK_HAS(mcp_text_str(answer), "\"resultType\":\"input_required\"");
    CHECK_HAS(mcp_text_str(answer), "\"name\":{\"method\":\"elicitation/create\"");
    char *state = state_of(answer);
    mcp_text_delete(answer);
    answer = dispatch(server, retry(2, "twice", "{\"name\":{\"action\":\"accept\",\"content\":{\"name\":\"Bo\"}}}", state));
    CHECK_HAS(mcp_text_str(answer), "\"roots\":{\"method\":\"roots/list\"");
    free(state);
    state = state_of(answer);
    mcp_text_delete(answer);
    // The answer of the round before is carried in the state.
    CHECK_ANSWER(server, retry(3, "twice", "{\"roots\":{\"roots\":[]}}", state), "\\\"Bo\\\"}}+{\\\"roots\\\":[]}");
    CHECK(event_count(&runs) == 3);

    // A state that was changed is refused before the handler.
    state[strlen(state) / 2] = state[strlen(state) / 2] == 'A' ? 'B' : 'A';
    CHECK_ANSWER(server, retry(4, "twice", "{\"roots\":{\"roots\":[]}}", state), "-32602");
    CHECK(event_count(&runs) == 3);
    free(state);
    // A client that can't be asked is told what is missing.
    CHECK_ANSWER(server, modern_call(5, "twice"), "-32021");
    mcp_server_delete(server);
}

static void asked_in_an_older_revision(void) {
    event runs = EVENT_INIT;
    mcp_server_t *server = test_server(NULL);
    add_tool(server, "twice", ask_twice, &runs, NULL);
    mcp_link_t *link = open_session(server, "2025-06-18", "{\"elicitation\":{},\"roots\":{}}");
    link_send(link, legacy(1, "tools/call", "{\"name\":\"twice\"}"));
    static const char *const answers[] = {"{\"action\":\"accept\",\"content\":{\"name\":\"Bo\"}}", "{\"roots\":[]}"};
    for (int round = 0; round < 2; round++) {
        mcp_text_t *question = link_receive_with(link, round == 0 ? "elicitation/create" : "roots/list");
        mcp_str id;
        CHECK(mcp_json_find(mcp_text_str(question), MCP_STR("id"), &id));
        link_send(link, format("{\"jsonrpc\":\"2.0\",\"id\":%.*s,\"result\":%s}", (int)id.len, id.ptr, answers[round]));
        mcp_text_delete(question);
    }
    mcp_text_t *answer = link_answer(link, 1);
    CHECK_HAS(mcp_text_str(answer), "\\\"Bo\\\"}}+{\\\"roots\\\":[]}");
    mcp_text_delete(answer);
    CHECK(event_count(&runs) == 3);
    mcp_link_delete(link);
    mcp_server_delete(server);
}

static void confirm(void *user_data, const mcp_context_t *context, mcp_str input, mcp_responder_t *responder) {
    (void)user_data;
    (void)input;
    mcp_str state = mcp_context_request_state(context);
    mcp_str answer = mcp_context_input_response(context, MCP_STR("sure"));
    if (answer.ptr != NULL) {
        mcp_text_t *all = mcp_context_input_responses(context);
        CHECK_HAS(mcp_text_str(all), "\"sure\":{");
        mcp_text_delete(all);
        CHECK(mcp_context_input_response(context, MCP_STR("other")).ptr == NULL);
        char *text = format("%.*s/%.*s", (int)state.len, state.ptr, (int)answer.len, answer.ptr);
        CHECK_OK(mcp_respond_text(responder, mcp_str_of(text)));
        free(text);
        return;
    }
    CHECK(state.ptr == NULL && mcp_context_input_responses(context) == NULL);
    mcp_input_required_t *questions = mcp_input_required_new();
    mcp_input_required_add_form(
        questions, MCP_STR("sure"), MCP_STR("Sure?"),
        MCP_STR("{\"type\":\"object\",\"properties\":{\"ok\":{\"type\":\"boolean\"}}}"));
    mcp_input_required_add(questions, MCP_STR("model"),
                           MCP_STR("{\"method\":\"sampling/createMessage\",\"params\":{\"messages\":[],\"maxTokens\":5}}"));
    mcp_input_required_set_state(questions, MCP_STR("mine"));
    CHECK_OK(mcp_respond_input_required(responder, questions));
}

static void questions_with_a_state_of_their_own(void) {
    mcp_options_t *options = test_options();
    mcp_options_set_request_state_key(options, MCP_STR("one key for two servers"));
    mcp_server_t *server = test_server(options);
    add_tool(server, "confirm", confirm, NULL, NULL);
    mcp_text_t *answer = dispatch(server, first_call(1, "confirm"));
    CHECK_HAS(mcp_text_str(answer), "Sure?");
    CHECK_HAS(mcp_text_str(answer), "\"model\":{\"method\":\"sampling/createMessage\"");
    char *state = state_of(answer);
    mcp_text_delete(answer);
    mcp_server_delete(server);

    // Another server goes on, which has a newer key; one without the key does not.
    for (int knows = 1; knows >= 0; knows--) {
        options = test_options();
        mcp_options_set_request_state_key(options, MCP_STR("a newer key"));
        mcp_options_set_request_state_ttl(options, 60000);
        if (knows) {
            mcp_options_add_request_state_previous_key(options, MCP_STR("one key for two servers"));
        }
        server = test_server(options);
        add_tool(server, "confirm", confirm, NULL, NULL);
        CHECK_ANSWER(server, retry(2, "confirm", "{\"sure\":{\"action\":\"accept\",\"content\":{\"ok\":true}}}", state),
                     knows ? "mine/{\\\"action\\\":\\\"accept\\\"" : "invalid_request_state");
        mcp_server_delete(server);
    }
    free(state);
}

static bool accept_own(void *user_data, mcp_str state) {
    event_add((event *)user_data);
    return str_is(state, "signed by the host");
}

static void a_state_that_the_host_checks(void) {
    event asked = EVENT_INIT;
    mcp_options_t *options = test_options();
    mcp_options_set_request_state_verifier(options, accept_own, &asked, NULL);
    mcp_server_t *server = test_server(options);
    add_tool(server, "confirm", confirm, NULL, NULL);
    const char *answer = "{\"sure\":{\"action\":\"accept\"}}";
    CHECK_ANSWER(server, retry(1, "confirm", answer, ",\"requestState\":\"signed by the host\""), "signed by the host/{");
    CHECK_ANSWER(server, retry(2, "confirm", answer, ",\"requestState\":\"forged\""), "-32602");
    CHECK(event_count(&asked) == 2);
    mcp_server_delete(server);
}

static void ask_badly(void *user_data, const mcp_context_t *context, mcp_str input, mcp_responder_t *responder) {
    mcp_text_t *answer = NULL;
    (void)input;
    CHECK(!mcp_context_ask(context, MCP_STR("k"), mcp_str_of((const char *)user_data), responder, &answer));
    CHECK(answer == NULL);
}

static void ask_into_nothing(void *user_data, const mcp_context_t *context, mcp_str input, mcp_responder_t *responder) {
    (void)user_data;
    (void)input;
    CHECK(!mcp_context_ask(context, MCP_STR("k"), mcp_str_of(name_form), responder, NULL));
}

static void mistakes(void) {
    static char questions[][48] = {"{", "5", "{\"method\":\"tools/call\"}", "{\"params\":{}}", "\xff"};
    mcp_server_t *server = test_server(NULL);
    for (size_t at = 0; at < sizeof(questions) / sizeof(questions[0]); at++) {
        char *name = format("bad_%zu", at);
        add_tool(server, name, ask_badly, questions[at], NULL);
        CHECK_ANSWER(server, first_call(1, name), "rror");
        free(name);
    }
    add_tool(server, "nothing", ask_into_nothing, NULL, NULL);
    CHECK_ANSWER(server, first_call(2, "nothing"), "rror");
    mcp_server_delete(server);
}

static void without_the_shim_older_clients_are_not_asked(void) {
    event runs = EVENT_INIT;
    mcp_options_t *options = test_options();
    mcp_options_set_input_required(options, 3, 1000, false);
    mcp_server_t *server = test_server(options);
    add_tool(server, "twice", ask_twice, &runs, NULL);
    mcp_link_t *link = open_session(server, "2025-06-18", "{\"elicitation\":{},\"roots\":{}}");
    CHECK_REQUEST(link, 1, legacy(1, "tools/call", "{\"name\":\"twice\"}"), "rror");
    CHECK(event_count(&runs) == 1);
    mcp_link_delete(link);
    mcp_server_delete(server);
}

static void prompts_and_resources_can_ask(void) {
    mcp_server_t *server = test_server(NULL);
    CHECK_OK(mcp_server_add_prompt(server, MCP_STR("p"), NULL, confirm, NULL, NULL));
    CHECK_OK(mcp_server_add_resource(server, MCP_STR("r"), MCP_STR("a:b"), NULL, confirm, NULL, NULL));
    const char *can = "{\"elicitation\":{},\"sampling\":{}}";
    CHECK_ANSWER(server, modern_with(1, "prompts/get", "\"name\":\"p\"", can, ""), "input_required");
    CHECK_ANSWER(server, modern_with(2, "resources/read", "\"uri\":\"a:b\"", can, ""), "input_required");
    mcp_server_delete(server);
}

int main(void) {
    asked_in_the_newest_revision();
    asked_in_an_older_revision();
    questions_with_a_state_of_their_own();
    a_state_that_the_host_checks();
    mistakes();
    without_the_shim_older_clients_are_not_asked();
    prompts_and_resources_can_ask();
    return 0;
}
