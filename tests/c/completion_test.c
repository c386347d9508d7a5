// Completion of arguments.

#include "check.h"

static void ignore(void *user_data, const mcp_context_t *context, mcp_str input, mcp_responder_t *responder) {
    (void)user_data;
    (void)context;
    (void)input;
    CHECK_OK(mcp_respond_prompt(responder, mcp_prompt_result_new()));
}

static void complete(void *user_data, const mcp_context_t *context, mcp_str input, mcp_responder_t *responder) {
    (void)user_data;
    CHECK(str_is(mcp_context_method(context), "completion/complete"));
    mcp_str reference, argument, value;
    CHECK(mcp_json_find(input, MCP_STR("ref"), &reference) && mcp_json_find(input, MCP_STR("argument"), &argument));
    CHECK(mcp_json_find(argument, MCP_STR("value"), &value));
    mcp_completion_result_t *result = mcp_completion_result_new();
    mcp_completion_result_add_value(result, value);
    if (mcp_json_find(input, MCP_STR("context"), &value)) {
        mcp_completion_result_add_value(result, value);
    }
    mcp_completion_result_set_total(result, 12);
    mcp_completion_result_set_has_more(result, true);
    CHECK_OK(mcp_respond_completion(responder, result));
}

static void complete_many(void *user_data, const mcp_context_t *context, mcp_str input, mcp_responder_t *responder) {
    (void)user_data;
    (void)context;
    (void)input;
    mcp_completion_result_t *result = mcp_completion_result_new();
    for (int number = 0; number < 150; number++) {
        char *value = format("value-%d", number);
        mcp_completion_result_add_value(result, mcp_str_of(value));
        free(value);
    }
    CHECK_OK(mcp_respond_completion(responder, result));
}

// Completion has nobody to ask.
static void ask(void *user_data, const mcp_context_t *context, mcp_str input, mcp_responder_t *responder) {
    (void)user_data;
    (void)context;
    (void)input;
    mcp_input_required_t *questions = mcp_input_required_new();
    mcp_input_required_add(questions, MCP_STR("k"), MCP_STR("{\"method\":\"roots/list\"}"));
    mcp_error_delete(mcp_respond_input_required(responder, questions));
}

static char *request(int id, const char *context) {
    char *members = format("\"ref\":{\"type\":\"ref/prompt\",\"name\":\"p\"},"
                           "\"argument\":{\"name\":\"a\",\"value\":\"be\"}%s",
                           context);
    char *message = modern(id, "completion/complete", members);
    free(members);
    return message;
}

int main(void) {
    mcp_server_t *server = test_server(NULL);
    mcp_prompt_options_t *options = mcp_prompt_options_new();
    mcp_prompt_options_add_argument(options, MCP_STR("a"), MCP_STR_NONE, MCP_STR_NONE, false);
    CHECK_OK(mcp_server_add_prompt(server, MCP_STR("p"), options, ignore, NULL, NULL));
    CHECK_ANSWER(server, request(1, ""), "-32601");

    CHECK_OK(mcp_server_set_completion_handler(server, true, complete, NULL, NULL));
    mcp_text_t *capabilities = mcp_server_capabilities(server);
    CHECK_HAS(mcp_text_str(capabilities), "\"completions\":{}");
    mcp_text_delete(capabilities);
    mcp_text_t *answer = dispatch(server, request(2, ",\"context\":{\"arguments\":{\"b\":\"c\"}}"));
    CHECK_HAS(mcp_text_str(answer), "\"values\":[\"\\\"be\\\"\",\"{\\\"arguments\\\":{\\\"b\\\":\\\"c\\\"}}\"]");
    CHECK_HAS(mcp_text_str(answer), "\"total\":12");
    CHECK_HAS(mcp_text_str(answer), "\"hasMore\":true");
    mcp_text_delete(answer);

    // The handler can be replaced; the client receives a hundred values at most.
    CHECK_OK(mcp_server_set_completion_handler(server, false, complete_many, NULL, NULL));
    answer = dispatch(server, request(3, ""));
    CHECK_HAS(mcp_text_str(answer), "value-99");
    CHECK(!str_has(mcp_text_str(answer), "value-100"));
    CHECK_HAS(mcp_text_str(answer), "\"hasMore\":true");
    mcp_text_delete(answer);

    CHECK_OK(mcp_server_set_completion_handler(server, false, ask, NULL, NULL));
    CHECK_ANSWER(server, request(4, ""), "\"error\"");
    CHECK_OK(mcp_server_set_completion_handler(server, false, give_up, NULL, NULL));
    CHECK_ANSWER(server, request(5, ""), "-32603");
    mcp_server_delete(server);
    return 0;
}
