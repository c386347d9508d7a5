// What is not right is told, and does no harm: NULL, text that is no UTF-8, text that is no JSON, answers of a wrong kind.

#include "check.h"

static const char bad[] = "\xff\xfe";

static void null_handles_are_refused(void) {
    mcp_text_t *text = NULL;
    mcp_link_t *link = NULL;
    mcp_http_t *http = NULL;
    mcp_server_t *server = NULL;
    CHECK_ERROR(mcp_server_new(NULL, &server), MCP_ERROR_INVALID_PARAMS);
    CHECK_ERROR(mcp_server_new(test_options(), NULL), MCP_ERROR_INVALID_PARAMS);
    CHECK_ERROR(mcp_server_close(NULL, 0, NULL), MCP_ERROR_INVALID_PARAMS);
    CHECK_ERROR(mcp_server_wait(NULL), MCP_ERROR_INVALID_PARAMS);
    CHECK_ERROR(mcp_server_poll(NULL, 0, NULL), MCP_ERROR_INVALID_PARAMS);
    CHECK_ERROR(mcp_server_start_stdio(NULL, true), MCP_ERROR_INVALID_PARAMS);
    CHECK_ERROR(mcp_server_dispatch(NULL, MCP_STR("{}"), &text), MCP_ERROR_INVALID_PARAMS);
    CHECK_ERROR(mcp_server_open_link(NULL, &link), MCP_ERROR_INVALID_PARAMS);
    CHECK_ERROR(mcp_server_start_http(NULL, NULL, &http), MCP_ERROR_INVALID_PARAMS);
    CHECK_ERROR(mcp_server_start_http(NULL, mcp_http_options_new(), NULL), MCP_ERROR_INVALID_PARAMS);
    CHECK_ERROR(mcp_server_notify_resource_updated(NULL, MCP_STR("x:y")), MCP_ERROR_INVALID_PARAMS);
    CHECK_ERROR(mcp_server_log(NULL, MCP_LEVEL_INFO, MCP_STR_NONE, MCP_STR("1")), MCP_ERROR_INVALID_PARAMS);
    CHECK_ERROR(mcp_connection_receive(NULL, MCP_STR("{}")), MCP_ERROR_INVALID_PARAMS);
    CHECK_ERROR(mcp_link_send(NULL, MCP_STR("{}")), MCP_ERROR_INVALID_PARAMS);
    CHECK_ERROR(mcp_link_receive(NULL, 0, &text), MCP_ERROR_INVALID_PARAMS);
    CHECK_ERROR(mcp_http_close(NULL, 0, NULL), MCP_ERROR_INVALID_PARAMS);
    CHECK_ERROR(mcp_client_log(NULL, MCP_LEVEL_INFO, MCP_STR_NONE, MCP_STR("1")), MCP_ERROR_INVALID_PARAMS);
    CHECK_ERROR(mcp_filter_pass(NULL, MCP_STR("{}")), MCP_ERROR_INVALID_PARAMS);
    mcp_server_notify_tools_changed(NULL);
    mcp_server_notify_resources_changed(NULL);
    mcp_server_notify_prompts_changed(NULL);
    mcp_replay_add(NULL, 0, MCP_STR("x"));
    CHECK(!mcp_server_remove_tool(NULL, MCP_STR("x")) && !mcp_server_remove_prompt(NULL, MCP_STR("x")));
    CHECK(!mcp_server_remove_resource(NULL, MCP_STR("x")));
    CHECK(!mcp_server_remove_resource_template(NULL, MCP_STR("x")));
    CHECK(mcp_server_capabilities(NULL) == NULL);
    CHECK(mcp_server_client_count(NULL) == 0 && mcp_server_client(NULL, 0) == NULL);
    CHECK(mcp_http_port(NULL) == 0 && mcp_http_address(NULL).ptr == NULL);
    CHECK(mcp_client_info(NULL).ptr == NULL && mcp_client_capabilities(NULL).ptr == NULL);
    CHECK(mcp_client_protocol_version(NULL).ptr == NULL);
    CHECK(text == NULL && link == NULL && http == NULL && server == NULL);
}

static void null_contexts_are_refused(void) {
    CHECK(mcp_context_clone(NULL) == NULL && mcp_context_server(NULL) == NULL);
    CHECK(mcp_context_method(NULL).ptr == NULL && mcp_context_params(NULL).ptr == NULL);
    CHECK(mcp_context_request_id(NULL).ptr == NULL && mcp_context_protocol_version(NULL).ptr == NULL);
    CHECK(mcp_context_client_info(NULL).ptr == NULL && mcp_context_client_capabilities(NULL).ptr == NULL);
    CHECK(mcp_context_principal(NULL).ptr == NULL && mcp_context_meta(NULL).ptr == NULL);
    CHECK(mcp_context_input_response(NULL, MCP_STR("k")).ptr == NULL && mcp_context_input_responses(NULL) == NULL);
    CHECK(mcp_context_request_state(NULL).ptr == NULL && mcp_context_log_level(NULL) == -1);
    mcp_context_is_cancelled(NULL);
    mcp_context_release_connection(NULL);
    CHECK_ERROR(mcp_context_report_progress(NULL, 1, -1, MCP_STR_NONE), MCP_ERROR_INVALID_PARAMS);
    CHECK_ERROR(mcp_context_log(NULL, MCP_LEVEL_INFO, MCP_STR_NONE, MCP_STR("1")), MCP_ERROR_INVALID_PARAMS);
    CHECK_ERROR(mcp_context_log_text(NULL, MCP_LEVEL_INFO, MCP_STR("x")), MCP_ERROR_INVALID_PARAMS);
    mcp_text_t *answer = NULL;
    CHECK(!mcp_context_ask(NULL, MCP_STR("k"), MCP_STR("{}"), NULL, &answer) && answer == NULL);
}

static void deleting_null_is_fine(void) {
    mcp_server_delete(NULL);
    mcp_options_delete(NULL);
    mcp_http_options_delete(NULL);
    mcp_tool_options_delete(NULL);
    mcp_resource_options_delete(NULL);
    mcp_prompt_options_delete(NULL);
    mcp_tool_result_delete(NULL);
    mcp_resource_result_delete(NULL);
    mcp_prompt_result_delete(NULL);
    mcp_completion_result_delete(NULL);
    mcp_input_required_delete(NULL);
    mcp_json_writer_delete(NULL);
    mcp_responder_delete(NULL);
    mcp_context_delete(NULL);
    mcp_connection_delete(NULL);
    mcp_client_delete(NULL);
    mcp_link_delete(NULL);
    mcp_http_delete(NULL);
    mcp_error_delete(NULL);
    mcp_text_delete(NULL);
    mcp_job_delete(NULL);
    mcp_job_run(NULL);
}

static void setters_take_null(void) {
    mcp_str text = MCP_STR("x");
    mcp_options_set_title(NULL, text);
    mcp_options_set_limit(NULL, MCP_LIMIT_BATCH, 1);
    mcp_options_declare_logging(NULL);
    mcp_options_set_supported_protocol_versions(NULL, NULL, 0);
    mcp_tool_options_set_title(NULL, text);
    mcp_tool_options_set_inline(NULL, true);
    mcp_resource_options_set_size(NULL, 1);
    mcp_prompt_options_add_argument(NULL, text, text, text, true);
    mcp_http_options_set_host(NULL, text);
    mcp_http_options_set_event_store(NULL, NULL);
    mcp_tool_result_add_text(NULL, text);
    mcp_tool_result_add_image(NULL, NULL, 0, text);
    mcp_resource_result_add_text(NULL, text, text, text);
    mcp_prompt_result_add_text(NULL, MCP_ROLE_USER, text);
    mcp_completion_result_add_value(NULL, text);
    mcp_input_required_add(NULL, text, text);
    mcp_json_string(NULL, text);
    CHECK(mcp_json_writer_finish(NULL) == NULL);
    CHECK(!mcp_error_set_data(NULL, MCP_STR("1")));
    CHECK(mcp_error_code(NULL) == 0 && mcp_error_message(NULL).ptr == NULL && mcp_error_data(NULL).ptr == NULL);
    CHECK(mcp_text_str(NULL).ptr == NULL);
}

static void text_that_is_no_utf8(void) {
    mcp_str text = mcp_str_of(bad);
    CHECK(mcp_text_new(text) == NULL && mcp_error_new(1, text) == NULL);
    mcp_server_t *server = NULL;
    CHECK_ERROR(mcp_server_new(mcp_options_new(text, MCP_STR("1")), &server), MCP_ERROR_INVALID_PARAMS);
    mcp_options_t *options = test_options();
    mcp_options_set_title(options, text);
    // The first mistake counts.
    mcp_options_set_limit(options, 99, 1);
    mcp_error_t *error = mcp_server_new(options, &server);
    CHECK_HAS(mcp_error_message(error), "UTF-8");
    mcp_error_delete(error);

    server = test_server(NULL);
    CHECK_ERROR(mcp_server_notify_resource_updated(server, text), MCP_ERROR_INVALID_PARAMS);
    CHECK_ERROR(mcp_server_log(server, MCP_LEVEL_INFO, text, MCP_STR("1")), MCP_ERROR_INVALID_PARAMS);
    mcp_tool_options_t *tool = mcp_tool_options_new();
    mcp_tool_options_set_description(tool, text);
    CHECK_ERROR(mcp_server_add_tool(server, MCP_STR("x"), tool, give_up, NULL, NULL), MCP_ERROR_INVALID_PARAMS);
    // A length without a text.
    CHECK_ERROR(mcp_server_add_tool(server, mcp_str_from(NULL, 3), NULL, give_up, NULL, NULL),
                MCP_ERROR_INVALID_PARAMS);
    CHECK(!mcp_server_remove_tool(server, text));
    // What arrives is the client's affair: it gets the error.
    mcp_text_t *answer = NULL;
    CHECK_OK(mcp_server_dispatch(server, text, &answer));
    CHECK_HAS(mcp_text_str(answer), "-32700");
    mcp_text_delete(answer);
    mcp_server_delete(server);
}

static void options_that_are_no_good(void) {
    mcp_server_t *server = NULL;
    mcp_options_t *options = test_options();
    mcp_options_set_icons(options, MCP_STR("{"));
    CHECK_ERROR(mcp_server_new(options, &server), MCP_ERROR_PARSE);
    options = test_options();
    mcp_options_set_protocol_version(options, MCP_STR("1999-01-01"));
    CHECK_ERROR(mcp_server_new(options, &server), MCP_ERROR_INVALID_PARAMS);
    options = test_options();
    mcp_options_set_limit(options, 99, 1);
    CHECK_ERROR(mcp_server_new(options, &server), MCP_ERROR_INVALID_PARAMS);
    options = test_options();
    mcp_options_set_cache_hint(options, MCP_STR("tools/list"), 1, 7);
    CHECK_ERROR(mcp_server_new(options, &server), MCP_ERROR_INVALID_PARAMS);
    options = test_options();
    mcp_options_set_supported_protocol_versions(options, NULL, 2);
    CHECK_ERROR(mcp_server_new(options, &server), MCP_ERROR_INVALID_PARAMS);
    CHECK(server == NULL);

    server = test_server(NULL);
    CHECK_ERROR(mcp_server_log(server, 8, MCP_STR_NONE, MCP_STR("1")), MCP_ERROR_INVALID_PARAMS);
    CHECK_ERROR(mcp_server_log(server, MCP_LEVEL_INFO, MCP_STR_NONE, MCP_STR("{")), MCP_ERROR_PARSE);
    mcp_http_options_t *http = mcp_http_options_new();
    mcp_http_options_set_limit(http, 99, 1);
    CHECK_ERROR(mcp_server_start_http(server, http, NULL), MCP_ERROR_INVALID_PARAMS);
    http = mcp_http_options_new();
    mcp_http_options_set_host(http, MCP_STR("256.0.0.1"));
    CHECK_ERROR(mcp_server_start_http(server, http, NULL), MCP_ERROR_TRANSPORT);
    mcp_server_delete(server);
}

// How a handler answers wrongly.
typedef enum {
    WRONG_KIND_RESOURCE,
    WRONG_KIND_PROMPT,
    WRONG_KIND_COMPLETION,
    NO_RESULT,
    BAD_TEXT,
    BAD_JSON,
    WRONG_JSON,
    BAD_CONTENT,
    BAD_META,
    BAD_QUESTION,
    NO_QUESTIONS,
    WRONG_COUNT
} wrong;

static void answer_wrongly(void *user_data, const mcp_context_t *context, mcp_str input, mcp_responder_t *responder) {
    (void)context;
    (void)input;
    mcp_tool_result_t *result = mcp_tool_result_new();
    mcp_input_required_t *questions = mcp_input_required_new();
    mcp_error_t *error = NULL;
    switch (*(const wrong *)user_data) {
        case WRONG_KIND_RESOURCE: error = mcp_respond_resource(responder, mcp_resource_result_new()); break;
        case WRONG_KIND_PROMPT: error = mcp_respond_prompt(responder, mcp_prompt_result_new()); break;
        case WRONG_KIND_COMPLETION: error = mcp_respond_completion(responder, mcp_completion_result_new()); break;
        case NO_RESULT: error = mcp_respond_tool(responder, NULL); break;
        case BAD_TEXT: error = mcp_respond_text(responder, mcp_str_of(bad)); break;
        case BAD_JSON: error = mcp_respond_json(responder, MCP_STR("{\"content\":")); break;
        case WRONG_JSON: error = mcp_respond_json(responder, MCP_STR("{\"content\":5}")); break;
        case BAD_CONTENT:
            mcp_tool_result_add_content(result, MCP_STR("{\"type\":"));
            mcp_tool_result_add_text(result, MCP_STR("fine"));
            error = mcp_respond_tool(responder, result);
            result = NULL;
            break;
        case BAD_META:
            mcp_tool_result_set_meta(result, MCP_STR("5"));
            error = mcp_respond_tool(responder, result);
            result = NULL;
            break;
        case BAD_QUESTION:
            mcp_input_required_add(questions, MCP_STR("k"), MCP_STR("{\"method\":\"tools/call\"}"));
            error = mcp_respond_input_required(responder, questions);
            questions = NULL;
            break;
        default: error = mcp_respond_input_required(responder, NULL); break;
    }
    CHECK(error != NULL && mcp_error_message(error).len > 0);
    mcp_error_delete(error);
    mcp_tool_result_delete(result);
    mcp_input_required_delete(questions);
}

static void wrong_answers_are_told_to_both_sides(void) {
    mcp_server_t *server = test_server(NULL);
    static wrong kinds[WRONG_COUNT];
    for (int kind = 0; kind < WRONG_COUNT; kind++) {
        char *name = format("wrong_%d", kind);
        kinds[kind] = (wrong)kind;
        add_tool(server, name, answer_wrongly, &kinds[kind], NULL);
        mcp_text_t *answer = dispatch(server, modern_call(kind, name));
        CHECK_HAS(mcp_text_str(answer), "rror");
        // What the host did wrong is for its log only.
        CHECK(!str_has(mcp_text_str(answer), "UTF-8") && !str_has(mcp_text_str(answer), "answered with"));
        mcp_text_delete(answer);
        free(name);
    }
    mcp_server_delete(server);
}

// Answers without a responder free what they were given.
static void answers_to_nobody(void) {
    CHECK_ERROR(mcp_respond_tool(NULL, mcp_tool_result_new()), MCP_ERROR_INVALID_PARAMS);
    CHECK_ERROR(mcp_respond_tool(NULL, NULL), MCP_ERROR_INVALID_PARAMS);
    CHECK_ERROR(mcp_respond_resource(NULL, mcp_resource_result_new()), MCP_ERROR_INVALID_PARAMS);
    CHECK_ERROR(mcp_respond_prompt(NULL, mcp_prompt_result_new()), MCP_ERROR_INVALID_PARAMS);
    CHECK_ERROR(mcp_respond_completion(NULL, mcp_completion_result_new()), MCP_ERROR_INVALID_PARAMS);
    CHECK_ERROR(mcp_respond_input_required(NULL, mcp_input_required_new()), MCP_ERROR_INVALID_PARAMS);
    CHECK_ERROR(mcp_respond_error(NULL, mcp_error_new(1, MCP_STR("x"))), MCP_ERROR_INVALID_PARAMS);
    CHECK_ERROR(mcp_respond_text(NULL, MCP_STR("x")), MCP_ERROR_INVALID_PARAMS);
    CHECK_ERROR(mcp_respond_failure(NULL, MCP_STR("x")), MCP_ERROR_INVALID_PARAMS);
    CHECK_ERROR(mcp_respond_internal_failure(NULL, MCP_STR("x")), MCP_ERROR_INVALID_PARAMS);
    CHECK_ERROR(mcp_respond_json(NULL, MCP_STR("{}")), MCP_ERROR_INVALID_PARAMS);
}

static void out_parameters_stay_as_they_were(void) {
    mcp_server_t *server = test_server(NULL);
    mcp_text_t *const mark = (mcp_text_t *)server;
    mcp_text_t *text = mark;
    mcp_link_t *link = open_link(server);
    CHECK_ERROR(mcp_link_receive(link, 1, &text), MCP_ERROR_TIMEOUT);
    CHECK(text == mark);
    CHECK_ERROR(mcp_server_dispatch(server, MCP_STR("{}"), NULL), MCP_ERROR_INVALID_PARAMS);
    CHECK_ERROR(mcp_link_receive(link, 1, NULL), MCP_ERROR_INVALID_PARAMS);
    CHECK_ERROR(mcp_server_open_link(server, NULL), MCP_ERROR_INVALID_PARAMS);
    mcp_link_delete(link);
    mcp_server_delete(server);
}

int main(void) {
    null_handles_are_refused();
    null_contexts_are_refused();
    deleting_null_is_fine();
    setters_take_null();
    text_that_is_no_utf8();
    options_that_are_no_good();
    wrong_answers_are_told_to_both_sides();
    answers_to_nobody();
    out_parameters_stay_as_they_were();
    return 0;
}
