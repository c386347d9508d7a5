// Resources, and a template of them.

#include <stdlib.h>

#include "../common/text.h"
#include "everything.h"
#include "media.h"

static void respond_contents(mcp_responder_t *responder, mcp_str input, mcp_str mime_type, mcp_str text) {
    mcp_text_t *uri = member_text(input, MCP_STR("uri"));
    mcp_resource_result_t *result = mcp_resource_result_new();
    mcp_resource_result_add_text(result, mcp_text_str(uri), mime_type, text);
    mcp_text_delete(uri);
    succeeded(mcp_respond_resource(responder, result));
}

static void static_text(void *user_data, const mcp_context_t *context, mcp_str input, mcp_responder_t *responder) {
    (void)user_data;
    (void)context;
    mcp_str text = MCP_STR("This is the content of the static text resource.");
    respond_contents(responder, input, MCP_STR("text/plain"), text);
}

static void watched(void *user_data, const mcp_context_t *context, mcp_str input, mcp_responder_t *responder) {
    (void)user_data;
    (void)context;
    mcp_str text = MCP_STR("The tool \"notify\" announces changes of this resource.");
    respond_contents(responder, input, MCP_STR("text/plain"), text);
}

static void static_binary(void *user_data, const mcp_context_t *context, mcp_str input, mcp_responder_t *responder) {
    (void)user_data;
    (void)context;
    mcp_text_t *uri = member_text(input, MCP_STR("uri"));
    mcp_resource_result_t *result = mcp_resource_result_new();
    mcp_resource_result_add_blob(result, mcp_text_str(uri), MCP_STR("image/png"), pixel, PIXEL_SIZE);
    mcp_text_delete(uri);
    succeeded(mcp_respond_resource(responder, result));
}

static void data(void *user_data, const mcp_context_t *context, mcp_str input, mcp_responder_t *responder) {
    (void)user_data;
    (void)context;
    mcp_str variables = MCP_STR_NONE;
    mcp_json_find(input, MCP_STR("variables"), &variables);
    mcp_text_t *text = member_text(variables, MCP_STR("id"));
    mcp_str id = mcp_text_str(text);
    char *about = text_format("Data for ID: %.*s", (int)id.len, id.ptr);
    mcp_json_writer_t *writer = mcp_json_writer_new();
    mcp_json_begin_object(writer);
    mcp_json_key(writer, MCP_STR("data"));
    mcp_json_string(writer, mcp_str_of(about));
    mcp_json_key(writer, MCP_STR("id"));
    mcp_json_string(writer, id);
    mcp_json_key(writer, MCP_STR("templateTest"));
    mcp_json_bool(writer, true);
    mcp_json_end_object(writer);
    mcp_text_t *json = mcp_json_writer_finish(writer);
    respond_contents(responder, input, MCP_STR("application/json"), mcp_text_str(json));
    mcp_text_delete(json);
    mcp_text_delete(text);
    free(about);
}

static mcp_resource_options_t *described(const char *description, const char *mime_type) {
    mcp_resource_options_t *options = mcp_resource_options_new();
    mcp_resource_options_set_description(options, mcp_str_of(description));
    mcp_resource_options_set_mime_type(options, mcp_str_of(mime_type));
    return options;
}

mcp_error_t *register_resources(const mcp_server_t *server) {
    static const struct {
        const char *name;
        const char *uri;
        const char *description;
        const char *mime_type;
        mcp_handler_fn read;
    } resources[] = {
        {"static-text", "test://static-text", "Text", "text/plain", static_text},
        {"static-binary", "test://static-binary", "A picture", "image/png", static_binary},
        {"watched-resource", "test://watched-resource", "To subscribe to", "text/plain", watched},
    };
    mcp_error_t *error = NULL;
    for (size_t at = 0; error == NULL && at < sizeof(resources) / sizeof(resources[0]); at++) {
        error = mcp_server_add_resource(server, mcp_str_of(resources[at].name), mcp_str_of(resources[at].uri),
                                        described(resources[at].description, resources[at].mime_type),
                                        resources[at].read, NULL, NULL);
    }
    if (error == NULL) {
        error = mcp_server_add_resource_template(server, MCP_STR("template"), MCP_STR("test://template/{id}/data"),
                                                 described("Data for any id", "application/json"), data, NULL, NULL);
    }
    return error;
}
