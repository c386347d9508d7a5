// Tools: how they are described, called, checked, bounded and removed.

#include "check.h"

static void answer_result(void *user_data, const mcp_context_t *context, mcp_str input, mcp_responder_t *responder) {
    (void)user_data;
    (void)context;
    (void)input;
    static const uint8_t bytes[] = {1, 2, 3};
    mcp_tool_result_t *result = mcp_tool_result_new();
    mcp_tool_result_add_text(result, MCP_STR("héllo \"quoted\""));
    mcp_tool_result_add_image(result, bytes, sizeof(bytes), MCP_STR("image/png"));
    mcp_tool_result_add_audio(result, bytes, sizeof(bytes), MCP_STR("audio/wav"));
    mcp_tool_result_add_content(
        result, MCP_STR("{\"type\":\"resource_link\",\"uri\":\"file:///x\",\"name\":\"x\",\"title\":\"X\"}"));
    mcp_tool_result_set_structured(result, MCP_STR("{\"big\":9007199254740993}"));
    mcp_tool_result_set_meta(result, MCP_STR("{\"trace\":1}"));
    mcp_tool_result_set_error(result, true);
    CHECK_OK(mcp_respond_tool(responder, result));
}

static void every_kind_of_content(void) {
    mcp_server_t *server = test_server(NULL);
    add_tool(server, "all", answer_result, NULL, NULL);
    mcp_text_t *answer = dispatch(server, modern_call(1, "all"));
    mcp_str text = mcp_text_str(answer);
    CHECK_HAS(text, "{\"type\":\"text\",\"text\":\"héllo \\\"quoted\\\"\"}");
    CHECK_HAS(text, "\"type\":\"image\",\"data\":\"AQID\",\"mimeType\":\"image/png\"");
    CHECK_HAS(text, "\"type\":\"audio\",\"data\":\"AQID\",\"mimeType\":\"audio/wav\"");
    CHECK_HAS(text, "\"type\":\"resource_link\"");
    CHECK_HAS(text, "\"structuredContent\":{\"big\":9007199254740993}");
    CHECK_HAS(text, "\"trace\":1");
    CHECK_HAS(text, "\"isError\":true");
    mcp_text_delete(answer);
    mcp_server_delete(server);
}

static void every_option_is_listed(void) {
    mcp_server_t *server = test_server(NULL);
    mcp_tool_options_t *options = mcp_tool_options_new();
    mcp_tool_options_set_title(options, MCP_STR("Title"));
    mcp_tool_options_set_description(options, MCP_STR("Described"));
    mcp_tool_options_set_input_schema(
        options, MCP_STR("{\"type\":\"object\",\"properties\":{\"n\":{\"type\":\"integer\"}},\"required\":[\"n\"]}"));
    mcp_tool_options_set_output_schema(options, MCP_STR("{\"type\":\"object\",\"required\":[\"n\"]}"));
    mcp_tool_options_set_read_only_hint(options, true);
    mcp_tool_options_set_destructive_hint(options, false);
    mcp_tool_options_set_idempotent_hint(options, true);
    mcp_tool_options_set_open_world_hint(options, false);
    mcp_tool_options_set_icons(options, MCP_STR("[{\"src\":\"data:,x\",\"mimeType\":\"image/png\"}]"));
    mcp_tool_options_set_meta(options, MCP_STR("{\"own\":true}"));
    mcp_tool_options_set_inline(options, true);
    CHECK_OK(mcp_server_add_tool(server, MCP_STR("described"), options, answer_input, NULL, NULL));

    mcp_text_t *answer = dispatch(server, modern(1, "tools/list", ""));
    static const char *const parts[] = {
        "\"name\":\"described\"",   "\"title\":\"Title\"",     "\"description\":\"Described\"",
        "\"required\":[\"n\"]",     "\"outputSchema\":",       "\"readOnlyHint\":true",
        "\"destructiveHint\":false", "\"idempotentHint\":true", "\"openWorldHint\":false",
        "\"src\":\"data:,x\"",      "\"own\":true",
    };
    for (size_t at = 0; at < sizeof(parts) / sizeof(parts[0]); at++) {
        CHECK_HAS(mcp_text_str(answer), parts[at]);
    }
    mcp_text_delete(answer);

    // Wrong arguments are told to the model, with the name of the field.
    answer = dispatch(server, modern_call(2, "described"));
    CHECK_HAS(mcp_text_str(answer), "\"isError\":true");
    CHECK_HAS(mcp_text_str(answer), "n");
    mcp_text_delete(answer);
    // A result without what the output schema asks for is not sent.
    CHECK_ANSWER(server, modern(3, "tools/call", "\"name\":\"described\",\"arguments\":{\"n\":1}"), "rror");
    mcp_server_delete(server);
}

static void structured(void *user_data, const mcp_context_t *context, mcp_str input, mcp_responder_t *responder) {
    (void)user_data;
    (void)context;
    mcp_tool_result_t *result = mcp_tool_result_new();
    mcp_tool_result_set_structured(result, input);
    CHECK_OK(mcp_respond_tool(responder, result));
}

static void structured_results_are_copied_and_checked(void) {
    static const char strict[] = "{\"type\":\"object\",\"required\":[\"x\"]}";
    mcp_server_t *server = test_server(NULL);
    for (int which = 0; which < 3; which++) {
        static const char *const names[] = {"copied", "bare", "unchecked"};
        mcp_tool_options_t *options = mcp_tool_options_new();
        mcp_tool_options_set_use_structured_content(options, true);
        if (which > 0) {
            mcp_tool_options_set_output_schema(options, mcp_str_of(strict));
            mcp_tool_options_set_text_copy(options, false);
        }
        mcp_tool_options_set_validate_output(options, which < 2);
        CHECK_OK(mcp_server_add_tool(server, mcp_str_of(names[which]), options, structured, NULL, NULL));
    }
    CHECK_ANSWER(server, modern(1, "tools/list", ""), "\"outputSchema\":{\"type\":\"object\"}");
    CHECK_ANSWER(server, modern(2, "tools/call", "\"name\":\"copied\",\"arguments\":{\"a\":1}"),
                 "\"text\":\"{\\\"a\\\":1}\"");
    mcp_text_t *answer = dispatch(server, modern(3, "tools/call", "\"name\":\"bare\",\"arguments\":{\"x\":1}"));
    CHECK_HAS(mcp_text_str(answer), "\"structuredContent\":{\"x\":1}");
    CHECK(!str_has(mcp_text_str(answer), "\"text\":"));
    mcp_text_delete(answer);
    answer = dispatch(server, modern_call(4, "bare"));
    CHECK_HAS(mcp_text_str(answer), "rror");
    CHECK(!str_has(mcp_text_str(answer), "structuredContent"));
    mcp_text_delete(answer);
    CHECK_ANSWER(server, modern_call(5, "unchecked"), "\"structuredContent\":{}");
    mcp_server_delete(server);
}

static void bad_registrations(void) {
    mcp_server_t *server = test_server(NULL);
    event destroyed = EVENT_INIT;
    static const char *const schemas[] = {"{", "5", "null", "{\"type\":\"string\"}", "{\"type\":7}"};
    int expected = 0;
    for (size_t at = 0; at < sizeof(schemas) / sizeof(schemas[0]); at++) {
        mcp_tool_options_t *options = mcp_tool_options_new();
        mcp_tool_options_set_input_schema(options, mcp_str_of(schemas[at]));
        mcp_error_t *error =
            mcp_server_add_tool(server, MCP_STR("bad"), options, give_up, &destroyed, destroy_event);
        CHECK(error != NULL);
        mcp_error_delete(error);
        CHECK(event_count(&destroyed) == ++expected);
    }
    static const char *const names[] = {"", "with blank", "sla/sh\n", "\xff"};
    for (size_t at = 0; at < sizeof(names) / sizeof(names[0]); at++) {
        CHECK_ERROR(mcp_server_add_tool(server, mcp_str_of(names[at]), NULL, give_up, &destroyed, destroy_event),
                    MCP_ERROR_INVALID_PARAMS);
        CHECK(event_count(&destroyed) == ++expected);
    }
    add_tool(server, "good", answer_input, NULL, NULL);
    CHECK_ERROR(mcp_server_add_tool(server, MCP_STR("good"), NULL, give_up, &destroyed, destroy_event),
                MCP_ERROR_INVALID_PARAMS);
    CHECK(event_count(&destroyed) == ++expected);
    CHECK_ANSWER(server, modern_call(1, "good"), "{}");
    CHECK_ANSWER(server, modern_call(2, "bad"), "-32602");
    mcp_server_delete(server);
}

static void fail_in_words(void *user_data, const mcp_context_t *context, mcp_str input, mcp_responder_t *responder) {
    (void)user_data;
    (void)context;
    (void)input;
    CHECK_OK(mcp_respond_failure(responder, MCP_STR("no luck today")));
}

static void fail_inside(void *user_data, const mcp_context_t *context, mcp_str input, mcp_responder_t *responder) {
    (void)user_data;
    (void)context;
    (void)input;
    CHECK_OK(mcp_respond_internal_failure(responder, MCP_STR("the secret of the host")));
}

static void fail_by_error(void *user_data, const mcp_context_t *context, mcp_str input, mcp_responder_t *responder) {
    (void)user_data;
    (void)context;
    (void)input;
    mcp_error_t *error = mcp_error_new(-32123, MCP_STR("own code"));
    CHECK(mcp_error_set_data(error, MCP_STR("{\"why\":1}")));
    CHECK(!mcp_error_set_data(error, MCP_STR("{")));
    CHECK(str_is(mcp_error_data(error), "{\"why\":1}"));
    CHECK_OK(mcp_respond_error(responder, error));
}

static void answer_json(void *user_data, const mcp_context_t *context, mcp_str input, mcp_responder_t *responder) {
    (void)user_data;
    (void)context;
    (void)input;
    CHECK_OK(mcp_respond_json(responder, MCP_STR("{\"content\":[{\"type\":\"text\",\"text\":\"raw\"}],\"isError\":false}")));
}

static void failures(void) {
    mcp_server_t *server = test_server(NULL);
    add_tool(server, "words", fail_in_words, NULL, NULL);
    add_tool(server, "inside", fail_inside, NULL, NULL);
    add_tool(server, "error", fail_by_error, NULL, NULL);
    add_tool(server, "give_up", give_up, NULL, NULL);
    add_tool(server, "json", answer_json, NULL, NULL);
    mcp_text_t *answer = dispatch(server, modern_call(1, "words"));
    CHECK_HAS(mcp_text_str(answer), "no luck today");
    CHECK_HAS(mcp_text_str(answer), "\"isError\":true");
    mcp_text_delete(answer);
    answer = dispatch(server, modern_call(2, "inside"));
    CHECK_HAS(mcp_text_str(answer), "\"isError\":true");
    CHECK(!str_has(mcp_text_str(answer), "secret"));
    mcp_text_delete(answer);
    answer = dispatch(server, modern_call(3, "error"));
    CHECK_HAS(mcp_text_str(answer), "own code");
    CHECK_HAS(mcp_text_str(answer), "\"why\":1");
    mcp_text_delete(answer);
    CHECK_ANSWER(server, modern_call(4, "give_up"), "rror");
    CHECK_ANSWER(server, modern_call(5, "json"), "\"text\":\"raw\"");
    mcp_server_delete(server);
}

static void inputs_arrive_whole(void) {
    mcp_server_t *server = test_server(NULL);
    add_tool(server, "same", answer_input, NULL, NULL);
    // Integers of any size and escapes arrive as the client wrote them.
    CHECK_ANSWER(server, modern(1, "tools/call", "\"name\":\"same\",\"arguments\":{\"id\":18446744073709551616,\"t\":\"\\u00e9\"}"),
                 "{\\\"id\\\":18446744073709551616,\\\"t\\\":\\\"\\\\u00e9\\\"}");
    // Arguments that are left out are an empty object.
    CHECK_ANSWER(server, modern(2, "tools/call", "\"name\":\"same\""), "\"text\":\"{}\"");
    mcp_server_delete(server);
}

// A handler that waits until it is cancelled.
static void wait_for_cancel(void *user_data, const mcp_context_t *context, mcp_str input, mcp_responder_t *responder) {
    (void)input;
    event *begun = (event *)user_data;
    event_add(begun);
    while (!mcp_context_is_cancelled(context)) {
        sched_yield();
    }
    mcp_responder_delete(responder);
    event_add(begun);
}

static void a_call_that_takes_too_long(void) {
    event begun = EVENT_INIT;
    mcp_server_t *server = test_server(NULL);
    mcp_tool_options_t *options = mcp_tool_options_new();
    mcp_tool_options_set_timeout(options, 30);
    CHECK_OK(mcp_server_add_tool(server, MCP_STR("slow"), options, wait_for_cancel, &begun, NULL));
    CHECK_ANSWER(server, modern_call(1, "slow"), "\"isError\":true");
    event_wait(&begun, 2);
    mcp_server_delete(server);
}

typedef struct {
    event entered;
    event released;
} lock_step;

static void wait_for_release(void *user_data, const mcp_context_t *context, mcp_str input, mcp_responder_t *responder) {
    (void)context;
    (void)input;
    lock_step *steps = (lock_step *)user_data;
    event_add(&steps->entered);
    event_wait(&steps->released, 1);
    CHECK_OK(mcp_respond_text(responder, MCP_STR("released")));
}

static void calls_beyond_the_bound_wait(void) {
    lock_step steps = {EVENT_INIT, EVENT_INIT};
    mcp_server_t *server = test_server(NULL);
    mcp_tool_options_t *options = mcp_tool_options_new();
    mcp_tool_options_set_max_concurrency(options, 1);
    CHECK_OK(mcp_server_add_tool(server, MCP_STR("one"), options, wait_for_release, &steps, NULL));
    mcp_link_t *link = open_link(server);
    link_send(link, modern_call(1, "one"));
    event_wait(&steps.entered, 1);
    link_send(link, modern_call(2, "one"));
    // The answer to another request shows that the second call was taken up, and waits.
    CHECK_REQUEST(link, 3, modern(3, "tools/list", ""), "\"one\"");
    CHECK(event_count(&steps.entered) == 1);
    event_add(&steps.released);
    mcp_text_delete(link_answer(link, 1));
    mcp_text_delete(link_answer(link, 2));
    CHECK(event_count(&steps.entered) == 2);
    mcp_link_delete(link);
    mcp_server_delete(server);
}

static void added_and_removed_at_run_time(void) {
    mcp_server_t *server = test_server(NULL);
    mcp_text_t *capabilities = mcp_server_capabilities(server);
    CHECK(!str_has(mcp_text_str(capabilities), "\"tools\""));
    mcp_text_delete(capabilities);
    add_tool(server, "brief", answer_input, NULL, NULL);
    capabilities = mcp_server_capabilities(server);
    CHECK_HAS(mcp_text_str(capabilities), "\"tools\":{\"listChanged\":true}");
    mcp_text_delete(capabilities);
    CHECK_ANSWER(server, modern_call(1, "brief"), "{}");
    CHECK(mcp_server_remove_tool(server, MCP_STR("brief")));
    CHECK(!mcp_server_remove_tool(server, MCP_STR("brief")));
    CHECK_ANSWER(server, modern_call(2, "brief"), "\"error\"");
    add_tool(server, "brief", answer_input, NULL, NULL);
    CHECK_ANSWER(server, modern_call(3, "brief"), "{}");
    mcp_server_delete(server);
}

static void too_many_elements(void) {
    mcp_options_t *options = test_options();
    mcp_options_set_max_tool_input_elements(options, 2);
    mcp_server_t *server = test_server(options);
    add_tool(server, "few", answer_input, NULL, NULL);
    CHECK_ANSWER(server, modern(1, "tools/call", "\"name\":\"few\",\"arguments\":{\"a\":1,\"b\":2}"), "\\\"b\\\":2");
    CHECK_ANSWER(server, modern(2, "tools/call", "\"name\":\"few\",\"arguments\":{\"a\":[1,2,3]}"), "\"isError\":true");
    mcp_server_delete(server);
}

int main(void) {
    every_kind_of_content();
    every_option_is_listed();
    structured_results_are_copied_and_checked();
    bad_registrations();
    failures();
    inputs_arrive_whole();
    a_call_that_takes_too_long();
    calls_beyond_the_bound_wait();
    added_and_removed_at_run_time();
    too_many_elements();
    return 0;
}
