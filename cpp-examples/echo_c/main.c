// The smallest server that is useful to measure: one tool, which gives back its argument.
//
//     echo_c                        # on stdio
//     echo_c --http 127.0.0.1:0     # on HTTP, at any free port
//     echo_c --pool                 # the tool runs on the pool of threads, as one that may block has to

#include <stdio.h>

#include <mcp/mcp.h>

#include "../common/run.h"
#include "../common/text.h"

static mcp_options_t *echo_options(void) {
    return mcp_options_new(MCP_STR("echo"), MCP_STR("0.1.0"));
}

static void echo(void *user_data, const mcp_context_t *context, mcp_str input, mcp_responder_t *responder) {
    (void)user_data;
    (void)context;
    mcp_str value;
    mcp_text_t *text = mcp_json_find(input, MCP_STR("text"), &value) ? mcp_json_get_string(value) : NULL;
    succeeded(mcp_respond_text(responder, mcp_text_str(text)));
    mcp_text_delete(text);
}

static void done(void *user_data, const mcp_context_t *context, mcp_str input, mcp_responder_t *responder) {
    (void)user_data;
    (void)context;
    (void)input;
    succeeded(mcp_respond_text(responder, MCP_STR("done")));
}

static mcp_error_t *add_extra_tool(const mcp_server_t *server, size_t number, bool pool) {
    char name[32];
    snprintf(name, sizeof(name), "tool_%06zu", number);
    mcp_tool_options_t *options = mcp_tool_options_new();
    mcp_tool_options_set_description(options, MCP_STR("Does nothing"));
    mcp_tool_options_set_inline(options, !pool);
    return mcp_server_add_tool(server, mcp_str_of(name), options, done, NULL, NULL);
}

static mcp_error_t *set_up(const mcp_server_t *server, const command_line *line) {
    mcp_tool_options_t *options = mcp_tool_options_new();
    mcp_tool_options_set_description(options, MCP_STR("Gives back the text"));
    mcp_tool_options_set_read_only_hint(options, true);
    mcp_tool_options_set_input_schema(options, MCP_STR("{\"type\":\"object\",\"properties\":{\"text\":{\"type\":\"string\","
                                                       "\"description\":\"The text to give back.\"}},"
                                                       "\"required\":[\"text\"]}"));
    // It is quick: the thread that serves the connection can as well call it.
    mcp_tool_options_set_inline(options, !line->pool);
    mcp_error_t *error = mcp_server_add_tool(server, MCP_STR("echo"), options, echo, NULL, NULL);
    for (size_t number = 1; error == NULL && number <= line->extra_tools; number++) {
        error = add_extra_tool(server, number, line->pool);
    }
    return error;
}

int main(int argc, char **argv) {
    static const example program = {"echo", echo_options, set_up};
    return example_run(&program, argc, argv);
}
