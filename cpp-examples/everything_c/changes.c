// Tools that change what the server offers, or say that it has changed.

#include <stdlib.h>

#include "../common/text.h"
#include "everything.h"

static mcp_error_t *announce(const mcp_server_t *server, mcp_str kind) {
    const mcp_str updated = MCP_STR("updated:");
    if (text_equals(kind, "tools")) {
        mcp_server_notify_tools_changed(server);
    } else if (text_equals(kind, "resources")) {
        mcp_server_notify_resources_changed(server);
    } else if (text_equals(kind, "prompts")) {
        mcp_server_notify_prompts_changed(server);
    } else if (text_starts_with(kind, updated) && kind.len > updated.len) {
        mcp_str uri = mcp_str_from(kind.ptr + updated.len, kind.len - updated.len);
        return mcp_server_notify_resource_updated(server, uri);
    } else {
        return mcp_error_new(
            MCP_ERROR_INVALID_PARAMS,
            MCP_STR("\"kind\" must be \"tools\", \"resources\", \"prompts\", or \"updated:\" and a URI."));
    }
    return NULL;
}

// Answers with what an error says, or with `text` where there is none.
static void respond_outcome(mcp_responder_t *responder, mcp_error_t *error, char *text) {
    if (error == NULL) {
        respond_text(responder, text);
        return;
    }
    mcp_str message = mcp_error_message(error);
    respond_failure(responder, text_format("%.*s", (int)message.len, message.ptr));
    mcp_error_delete(error);
    free(text);
}

static void notify(void *user_data, const mcp_context_t *context, mcp_str input, mcp_responder_t *responder) {
    (void)user_data;
    mcp_text_t *kind = member_text(input, MCP_STR("kind"));
    mcp_error_t *error = announce(mcp_context_server(context), mcp_text_str(kind));
    respond_outcome(responder, error, text_format("announced"));
    mcp_text_delete(kind);
}

// A tool that was added at run time; its user data is its name.
static void added(void *user_data, const mcp_context_t *context, mcp_str input, mcp_responder_t *responder) {
    (void)context;
    (void)input;
    mcp_str name = mcp_text_str((const mcp_text_t *)user_data);
    respond_text(responder, text_format("This is %.*s.", (int)name.len, name.ptr));
}

static void delete_name(void *user_data) {
    mcp_text_delete((mcp_text_t *)user_data);
}

static void add_one(void *user_data, const mcp_context_t *context, mcp_str input, mcp_responder_t *responder) {
    (void)user_data;
    mcp_text_t *text = member_text(input, MCP_STR("name"));
    mcp_str name = mcp_text_str(text);
    mcp_tool_options_t *options = mcp_tool_options_new();
    mcp_tool_options_set_description(options, MCP_STR("Was added at run time"));
    mcp_error_t *error =
        mcp_server_add_tool(mcp_context_server(context), name, options, added, mcp_text_new(name), delete_name);
    respond_outcome(responder, error, text_format("added %.*s", (int)name.len, name.ptr));
    mcp_text_delete(text);
}

static void remove_one(void *user_data, const mcp_context_t *context, mcp_str input, mcp_responder_t *responder) {
    (void)user_data;
    mcp_text_t *text = member_text(input, MCP_STR("name"));
    mcp_str name = mcp_text_str(text);
    if (mcp_server_remove_tool(mcp_context_server(context), name)) {
        respond_text(responder, text_format("removed %.*s", (int)name.len, name.ptr));
    } else {
        respond_failure(responder, text_format("There is no tool \"%.*s\".", (int)name.len, name.ptr));
    }
    mcp_text_delete(text);
}

static void trigger_tools(void *user_data, const mcp_context_t *context, mcp_str input, mcp_responder_t *responder) {
    (void)user_data;
    (void)input;
    mcp_server_notify_tools_changed(mcp_context_server(context));
    succeeded(mcp_respond_text(responder, MCP_STR("announced")));
}

static void trigger_prompts(void *user_data, const mcp_context_t *context, mcp_str input, mcp_responder_t *responder) {
    (void)user_data;
    (void)input;
    mcp_server_notify_prompts_changed(mcp_context_server(context));
    succeeded(mcp_respond_text(responder, MCP_STR("announced")));
}

mcp_error_t *register_changes(const mcp_server_t *server) {
    static const char name[] = SCHEMA_OF_TEXT("name", "Name of the tool");
    static const tool tools[] = {
        {"notify", "Announces a change to the clients that subscribed to it",
         SCHEMA_OF_TEXT("kind", "`tools`, `resources`, `prompts`, or `updated:` and the URI of a resource"), NULL,
         notify, false},
        {"add_tool", "Adds a tool of this name", name, NULL, add_one, false},
        {"remove_tool", "Removes the tool of this name", name, NULL, remove_one, false},
        {"test_trigger_tool_change", "Announces a change of the tools", NULL, NULL, trigger_tools, false},
        {"test_trigger_prompt_change", "Announces a change of the prompts", NULL, NULL, trigger_prompts, false},
    };
    return add_tools(server, tools, sizeof(tools) / sizeof(tools[0]));
}
