// Prompts: how they are listed, filled in, and refused.

#include "check.h"

static void greet(void *user_data, const mcp_context_t *context, mcp_str input, mcp_responder_t *responder) {
    (void)user_data;
    (void)context;
    mcp_prompt_result_t *result = mcp_prompt_result_new();
    mcp_prompt_result_set_description(result, MCP_STR("A greeting"));
    mcp_prompt_result_add_text(result, MCP_ROLE_USER, input);
    mcp_prompt_result_add_text(result, MCP_ROLE_ASSISTANT, MCP_STR("Hello."));
    mcp_prompt_result_add_content(
        result, MCP_ROLE_USER, MCP_STR("{\"type\":\"image\",\"data\":\"AQID\",\"mimeType\":\"image/png\"}"));
    mcp_prompt_result_set_meta(result, MCP_STR("{\"own\":1}"));
    CHECK_OK(mcp_respond_prompt(responder, result));
}

static void wrong_role(void *user_data, const mcp_context_t *context, mcp_str input, mcp_responder_t *responder) {
    (void)user_data;
    (void)context;
    (void)input;
    mcp_prompt_result_t *result = mcp_prompt_result_new();
    mcp_prompt_result_add_text(result, 7, MCP_STR("x"));
    CHECK_ERROR(mcp_respond_prompt(responder, result), MCP_ERROR_INVALID_PARAMS);
}

static void tool_text(void *user_data, const mcp_context_t *context, mcp_str input, mcp_responder_t *responder) {
    (void)user_data;
    (void)context;
    (void)input;
    // Only tools are answered with text.
    CHECK_ERROR(mcp_respond_text(responder, MCP_STR("x")), MCP_ERROR_INVALID_REQUEST);
}

static void by_json(void *user_data, const mcp_context_t *context, mcp_str input, mcp_responder_t *responder) {
    (void)user_data;
    (void)context;
    (void)input;
    CHECK_OK(mcp_respond_json(
        responder,
        MCP_STR("{\"messages\":[{\"role\":\"assistant\",\"content\":{\"type\":\"text\",\"text\":\"by json\"}}]}")));
}

static void fail(void *user_data, const mcp_context_t *context, mcp_str input, mcp_responder_t *responder) {
    (void)user_data;
    (void)context;
    (void)input;
    CHECK_OK(mcp_respond_failure(responder, MCP_STR("not today")));
}

static void listed_and_filled_in(void) {
    mcp_server_t *server = test_server(NULL);
    mcp_prompt_options_t *options = mcp_prompt_options_new();
    mcp_prompt_options_set_title(options, MCP_STR("Title"));
    mcp_prompt_options_set_description(options, MCP_STR("Described"));
    mcp_prompt_options_set_icons(options, MCP_STR("[{\"src\":\"data:,i\"}]"));
    mcp_prompt_options_set_meta(options, MCP_STR("{\"listed\":1}"));
    mcp_prompt_options_set_inline(options, true);
    mcp_prompt_options_add_argument(options, MCP_STR("who"), MCP_STR("Who"), MCP_STR("Whom to greet"), true);
    mcp_prompt_options_add_argument(options, MCP_STR("how"), MCP_STR_NONE, MCP_STR_NONE, false);
    CHECK_OK(mcp_server_add_prompt(server, MCP_STR("greet"), options, greet, NULL, NULL));
    mcp_text_t *answer = dispatch(server, modern(1, "prompts/list", ""));
    static const char *const parts[] = {
        "\"title\":\"Title\"",   "\"description\":\"Described\"", "\"src\":\"data:,i\"", "\"listed\":1",
        "\"name\":\"who\"",      "\"title\":\"Who\"",             "\"required\":true",   "\"name\":\"how\"",
    };
    for (size_t at = 0; at < sizeof(parts) / sizeof(parts[0]); at++) {
        CHECK_HAS(mcp_text_str(answer), parts[at]);
    }
    mcp_text_delete(answer);

    answer = dispatch(server, modern(2, "prompts/get", "\"name\":\"greet\",\"arguments\":{\"who\":\"you\"}"));
    CHECK_HAS(mcp_text_str(answer), "\"description\":\"A greeting\"");
    CHECK_HAS(mcp_text_str(answer), "{\\\"who\\\":\\\"you\\\"}");
    CHECK_HAS(mcp_text_str(answer), "\"role\":\"assistant\"");
    CHECK_HAS(mcp_text_str(answer), "\"data\":\"AQID\"");
    CHECK_HAS(mcp_text_str(answer), "\"own\":1");
    mcp_text_delete(answer);
    // Without a required argument nothing is called.
    CHECK_ANSWER(server, modern(3, "prompts/get", "\"name\":\"greet\""), "-32602");
    CHECK_ANSWER(server, modern(4, "prompts/get", "\"name\":\"greet\",\"arguments\":{\"who\":5}"), "-32602");
    CHECK_ANSWER(server, modern(5, "prompts/get", "\"name\":\"other\""), "-32602");
    mcp_server_delete(server);
}

static void failures(void) {
    mcp_server_t *server = test_server(NULL);
    CHECK_OK(mcp_server_add_prompt(server, MCP_STR("role"), NULL, wrong_role, NULL, NULL));
    CHECK_OK(mcp_server_add_prompt(server, MCP_STR("text"), NULL, tool_text, NULL, NULL));
    CHECK_OK(mcp_server_add_prompt(server, MCP_STR("json"), NULL, by_json, NULL, NULL));
    CHECK_OK(mcp_server_add_prompt(server, MCP_STR("fail"), NULL, fail, NULL, NULL));
    CHECK_OK(mcp_server_add_prompt(server, MCP_STR("lost"), NULL, give_up, NULL, NULL));
    CHECK_ANSWER(server, modern(1, "prompts/get", "\"name\":\"role\""), "-32603");
    CHECK_ANSWER(server, modern(2, "prompts/get", "\"name\":\"text\""), "-32603");
    CHECK_ANSWER(server, modern(3, "prompts/get", "\"name\":\"json\""), "by json");
    CHECK_ANSWER(server, modern(4, "prompts/get", "\"name\":\"fail\""), "not today");
    CHECK_ANSWER(server, modern(5, "prompts/get", "\"name\":\"lost\""), "-32603");
    mcp_server_delete(server);
}

static void bad_registrations(void) {
    mcp_server_t *server = test_server(NULL);
    mcp_prompt_options_t *options = mcp_prompt_options_new();
    mcp_prompt_options_add_argument(options, MCP_STR("\xff"), MCP_STR_NONE, MCP_STR_NONE, true);
    CHECK_ERROR(mcp_server_add_prompt(server, MCP_STR("x"), options, greet, NULL, NULL), MCP_ERROR_INVALID_PARAMS);
    options = mcp_prompt_options_new();
    mcp_prompt_options_set_icons(options, MCP_STR("{}"));
    CHECK_ERROR(mcp_server_add_prompt(server, MCP_STR("x"), options, greet, NULL, NULL), MCP_ERROR_INVALID_PARAMS);
    CHECK_ERROR(mcp_server_add_prompt(server, MCP_STR(""), NULL, greet, NULL, NULL), MCP_ERROR_INVALID_PARAMS);
    CHECK_OK(mcp_server_add_prompt(server, MCP_STR("x"), NULL, greet, NULL, NULL));
    CHECK_ERROR(mcp_server_add_prompt(server, MCP_STR("x"), NULL, greet, NULL, NULL), MCP_ERROR_INVALID_PARAMS);
    CHECK(mcp_server_remove_prompt(server, MCP_STR("x")) && !mcp_server_remove_prompt(server, MCP_STR("x")));
    mcp_server_delete(server);
}

int main(void) {
    listed_and_filled_in();
    failures();
    bad_registrations();
    return 0;
}
