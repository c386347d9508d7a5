// What a consumer in C needs of the package: a matching header and library, and a tool that can be called.

#include <stdio.h>
#include <string.h>

#include <mcp/mcp.h>

static void hello(void *user_data, const mcp_context_t *context, mcp_str input, mcp_responder_t *responder) {
    (void)user_data;
    (void)context;
    (void)input;
    mcp_error_delete(mcp_respond_text(responder, MCP_STR("hello from C")));
}

static int failed(const char *what, mcp_error_t *error) {
    mcp_str message = mcp_error_message(error);
    fprintf(stderr, "%s: %.*s\n", what, (int)message.len, message.ptr);
    mcp_error_delete(error);
    return 1;
}

static const char CALL[] =
    "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"hello\",\"_meta\":{"
    "\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\","
    "\"io.modelcontextprotocol/clientInfo\":{\"name\":\"consumer\",\"version\":\"1\"},"
    "\"io.modelcontextprotocol/clientCapabilities\":{}}}}";

int main(void) {
    if (strcmp(mcp_version(), MCP_VERSION) != 0 || mcp_abi_version() != MCP_ABI_VERSION) {
        fprintf(stderr, "the header is %s, the library %s\n", MCP_VERSION, mcp_version());
        return 1;
    }
    mcp_server_t *server = NULL;
    mcp_error_t *error = mcp_server_new(mcp_options_new(MCP_STR("consumer"), MCP_STR("1")), &server);
    if (error) {
        return failed("no server", error);
    }
    int code = 0;
    mcp_text_t *answer = NULL;
    if ((error = mcp_server_add_tool(server, MCP_STR("hello"), NULL, hello, NULL, NULL))) {
        code = failed("no tool", error);
    } else if ((error = mcp_server_dispatch(server, mcp_str_of(CALL), &answer))) {
        code = failed("no answer", error);
    } else {
        mcp_str text = mcp_text_str(answer);
        char copy[1024];
        snprintf(copy, sizeof copy, "%.*s", (int)text.len, text.ptr);
        if (!strstr(copy, "hello from C")) {
            fprintf(stderr, "a wrong answer: %s\n", copy);
            code = 1;
        }
    }
    mcp_text_delete(answer);
    mcp_server_delete(server);
    return code;
}
