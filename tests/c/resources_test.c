// Resources and templates: how they are listed, read, and refused.

#include "check.h"

static void read_any(void *user_data, const mcp_context_t *context, mcp_str input, mcp_responder_t *responder) {
    (void)user_data;
    (void)context;
    static const uint8_t bytes[] = {0, 255};
    mcp_str value;
    CHECK(mcp_json_find(input, MCP_STR("uri"), &value));
    mcp_text_t *uri = mcp_json_get_string(value);
    mcp_resource_result_t *result = mcp_resource_result_new();
    mcp_resource_result_add_text(result, mcp_text_str(uri), MCP_STR("application/json"), input);
    mcp_resource_result_add_blob(result, mcp_text_str(uri), MCP_STR_NONE, bytes, sizeof(bytes));
    mcp_resource_result_add_contents(result, MCP_STR("{\"uri\":\"own:1\",\"text\":\"t\",\"_meta\":{\"k\":1}}"));
    mcp_resource_result_set_cache(result, 1234, MCP_CACHE_PUBLIC);
    mcp_resource_result_set_meta(result, MCP_STR("{\"whole\":2}"));
    mcp_text_delete(uri);
    CHECK_OK(mcp_respond_resource(responder, result));
}

static void read_none(void *user_data, const mcp_context_t *context, mcp_str input, mcp_responder_t *responder) {
    (void)user_data;
    (void)context;
    (void)input;
    CHECK_OK(mcp_respond_error(responder, mcp_error_new(MCP_ERROR_RESOURCE_NOT_FOUND, MCP_STR("gone"))));
}

static void read_json(void *user_data, const mcp_context_t *context, mcp_str input, mcp_responder_t *responder) {
    (void)user_data;
    (void)context;
    (void)input;
    CHECK_OK(mcp_respond_json(responder, MCP_STR("{\"contents\":[{\"uri\":\"j:1\",\"text\":\"by json\"}]}")));
}

static mcp_resource_options_t *all_options(void) {
    mcp_resource_options_t *options = mcp_resource_options_new();
    mcp_resource_options_set_title(options, MCP_STR("Title"));
    mcp_resource_options_set_description(options, MCP_STR("Described"));
    mcp_resource_options_set_mime_type(options, MCP_STR("text/x"));
    mcp_resource_options_set_annotations(options, MCP_STR("{\"audience\":[\"user\"],\"priority\":0.5}"));
    mcp_resource_options_set_icons(options, MCP_STR("[{\"src\":\"data:,i\"}]"));
    mcp_resource_options_set_meta(options, MCP_STR("{\"own\":1}"));
    mcp_resource_options_set_inline(options, true);
    return options;
}

static void listed_and_read(void) {
    mcp_server_t *server = test_server(NULL);
    mcp_resource_options_t *options = all_options();
    mcp_resource_options_set_size(options, 77);
    CHECK_OK(mcp_server_add_resource(server, MCP_STR("one"), MCP_STR("test://one"), options, read_any, NULL, NULL));
    CHECK_OK(mcp_server_add_resource_template(server, MCP_STR("many"), MCP_STR("file:///{name}"), all_options(), read_any,
                                              NULL, NULL));
    static const char *const parts[] = {"\"title\":\"Title\"",    "\"description\":\"Described\"",
                                        "\"mimeType\":\"text/x\"", "\"audience\":[\"user\"]",
                                        "\"src\":\"data:,i\"",    "\"own\":1"};
    for (int templates = 0; templates < 2; templates++) {
        const char *method = templates ? "resources/templates/list" : "resources/list";
        mcp_text_t *answer = dispatch(server, modern(1, method, ""));
        for (size_t at = 0; at < sizeof(parts) / sizeof(parts[0]); at++) {
            CHECK_HAS(mcp_text_str(answer), parts[at]);
        }
        CHECK_HAS(mcp_text_str(answer), templates ? "\"uriTemplate\":\"file:///{name}\"" : "\"size\":77");
        mcp_text_delete(answer);
    }
    mcp_text_t *answer = dispatch(server, modern(2, "resources/read", "\"uri\":\"test://one\""));
    CHECK_HAS(mcp_text_str(answer), "\"blob\":\"AP8=\"");
    CHECK_HAS(mcp_text_str(answer), "\"mimeType\":\"application/json\"");
    CHECK_HAS(mcp_text_str(answer), "{\\\"uri\\\":\\\"test://one\\\"}");
    CHECK_HAS(mcp_text_str(answer), "\"_meta\":{\"k\":1}");
    CHECK_HAS(mcp_text_str(answer), "\"ttlMs\":1234,\"cacheScope\":\"public\"");
    CHECK_HAS(mcp_text_str(answer), "\"whole\":2");
    mcp_text_delete(answer);
    CHECK_ANSWER(server, modern(3, "resources/read", "\"uri\":\"file:///a%20b\""),
                 "\\\"variables\\\":{\\\"name\\\":\\\"a b\\\"}");
    CHECK_ANSWER(server, modern(4, "resources/read", "\"uri\":\"test://two\""), "-32602");
    mcp_server_delete(server);
}

static void failures(void) {
    mcp_server_t *server = test_server(NULL);
    CHECK_OK(mcp_server_add_resource(server, MCP_STR("gone"), MCP_STR("test://gone"), NULL, read_none, NULL, NULL));
    CHECK_OK(mcp_server_add_resource(server, MCP_STR("json"), MCP_STR("test://json"), NULL, read_json, NULL, NULL));
    CHECK_OK(mcp_server_add_resource(server, MCP_STR("lost"), MCP_STR("test://lost"), NULL, give_up, NULL, NULL));
    // In the newest revision a missing resource has a code of the specification.
    CHECK_ANSWER(server, modern(1, "resources/read", "\"uri\":\"test://gone\""), "-32602");
    CHECK_ANSWER(server, modern(2, "resources/read", "\"uri\":\"test://json\""), "by json");
    CHECK_ANSWER(server, modern(3, "resources/read", "\"uri\":\"test://lost\""), "-32603");
    mcp_link_t *link = open_session(server, "2025-06-18", "{}");
    CHECK_REQUEST(link, 4, legacy(4, "resources/read", "{\"uri\":\"test://gone\"}"), "-32002");
    mcp_link_delete(link);
    mcp_server_delete(server);
}

static void bad_registrations(void) {
    mcp_server_t *server = test_server(NULL);
    CHECK_ERROR(mcp_server_add_resource(server, MCP_STR("x"), MCP_STR("\xff"), NULL, read_any, NULL, NULL),
                MCP_ERROR_INVALID_PARAMS);
    CHECK_ERROR(mcp_server_add_resource(server, MCP_STR("x"), MCP_STR(""), NULL, read_any, NULL, NULL),
                MCP_ERROR_INVALID_PARAMS);
    CHECK_ERROR(mcp_server_add_resource_template(server, MCP_STR("x"), MCP_STR("a:{"), NULL, read_any, NULL, NULL),
                MCP_ERROR_INVALID_PARAMS);
    mcp_resource_options_t *options = mcp_resource_options_new();
    mcp_resource_options_set_annotations(options, MCP_STR("[]"));
    CHECK_ERROR(mcp_server_add_resource(server, MCP_STR("x"), MCP_STR("a:b"), options, read_any, NULL, NULL),
                MCP_ERROR_INVALID_PARAMS);
    CHECK_OK(mcp_server_add_resource(server, MCP_STR("x"), MCP_STR("a:b"), NULL, read_any, NULL, NULL));
    CHECK_ERROR(mcp_server_add_resource(server, MCP_STR("y"), MCP_STR("a:b"), NULL, read_any, NULL, NULL),
                MCP_ERROR_INVALID_PARAMS);
    CHECK(mcp_server_remove_resource(server, MCP_STR("a:b")));
    CHECK(!mcp_server_remove_resource(server, MCP_STR("a:b")));
    CHECK(!mcp_server_remove_resource_template(server, MCP_STR("a:{b}")));
    mcp_server_delete(server);
}

int main(void) {
    listed_and_read();
    failures();
    bad_registrations();
    return 0;
}
