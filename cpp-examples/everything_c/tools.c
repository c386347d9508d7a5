#include <stdlib.h>

#include "../common/text.h"
#include "everything.h"

mcp_error_t *add_tool(const mcp_server_t *server, const tool *described, void *user_data, mcp_destroy_fn destroy) {
    mcp_tool_options_t *options = mcp_tool_options_new();
    mcp_tool_options_set_description(options, mcp_str_of(described->description));
    if (described->input_schema != NULL) {
        mcp_tool_options_set_input_schema(options, mcp_str_of(described->input_schema));
    }
    if (described->output_schema != NULL) {
        mcp_tool_options_set_output_schema(options, mcp_str_of(described->output_schema));
    }
    if (described->read_only) {
        mcp_tool_options_set_read_only_hint(options, true);
    }
    return mcp_server_add_tool(server, mcp_str_of(described->name), options, described->call, user_data, destroy);
}

mcp_error_t *add_tools(const mcp_server_t *server, const tool *tools, size_t count) {
    mcp_error_t *error = NULL;
    for (size_t at = 0; error == NULL && at < count; at++) {
        error = add_tool(server, &tools[at], NULL, NULL);
    }
    return error;
}

mcp_text_t *member_text(mcp_str object, mcp_str name) {
    mcp_str value;
    return mcp_json_find(object, name, &value) ? mcp_json_get_string(value) : NULL;
}

void respond_text(mcp_responder_t *responder, char *text) {
    succeeded(mcp_respond_text(responder, mcp_str_of(text)));
    free(text);
}

void respond_failure(mcp_responder_t *responder, char *text) {
    succeeded(mcp_respond_failure(responder, mcp_str_of(text)));
    free(text);
}
