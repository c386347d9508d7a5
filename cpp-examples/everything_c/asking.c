// Tools that ask the client with `mcp_context_ask`. Each serves clients of both eras, and none can tell which it has: a
// handler runs from its start with every answer that has come.

#include <stdlib.h>

#include "../common/text.h"
#include "everything.h"
#include "questions.h"

static void ask_name(void *user_data, const mcp_context_t *context, mcp_str input, mcp_responder_t *responder) {
    (void)user_data;
    (void)input;
    mcp_text_t *text;
    if (!ask_text(context, responder, MCP_STR("name"), MCP_STR("What is your name?"), MCP_STR("name"), &text)) {
        return;
    }
    mcp_str name = mcp_text_str(text);
    respond_text(responder, text_format("Hello, %.*s!", (int)name.len, name.ptr));
    mcp_text_delete(text);
}

static void ask_twice(void *user_data, const mcp_context_t *context, mcp_str input, mcp_responder_t *responder) {
    (void)user_data;
    (void)input;
    mcp_text_t *first, *second;
    if (!ask_text(context, responder, MCP_STR("name"), MCP_STR("What is your name?"), MCP_STR("name"), &first)) {
        return;
    }
    mcp_str name = mcp_text_str(first);
    char *question = text_format("What is your favourite colour, %.*s?", (int)name.len, name.ptr);
    if (ask_text(context, responder, MCP_STR("color"), mcp_str_of(question), MCP_STR("color"), &second)) {
        mcp_str color = mcp_text_str(second);
        respond_text(responder,
                     text_format("%.*s likes %.*s.", (int)name.len, name.ptr, (int)color.len, color.ptr));
        mcp_text_delete(second);
    }
    free(question);
    mcp_text_delete(first);
}

static void sampling(void *user_data, const mcp_context_t *context, mcp_str input, mcp_responder_t *responder) {
    (void)user_data;
    mcp_text_t *prompt = member_text(input, MCP_STR("prompt"));
    mcp_text_t *text = NULL;
    if (ask_model(context, responder, MCP_STR("completion"), mcp_text_str(prompt), 100, &text)) {
        mcp_str said = mcp_text_str(text);
        respond_text(responder, text_format("LLM response: %.*s", (int)said.len, said.ptr));
        mcp_text_delete(text);
    }
    mcp_text_delete(prompt);
}

// To ask is all that it takes: the server answers in the handler's place when the client can't be asked.
static void needs_model(void *user_data, const mcp_context_t *context, mcp_str input, mcp_responder_t *responder) {
    (void)user_data;
    (void)input;
    mcp_text_t *text = NULL;
    if (ask_model(context, responder, MCP_STR("greeting"), MCP_STR("Say hello."), 50, &text)) {
        mcp_str said = mcp_text_str(text);
        respond_text(responder, text_format("The model says: %.*s", (int)said.len, said.ptr));
        mcp_text_delete(text);
    }
}

static void streaming(void *user_data, const mcp_context_t *context, mcp_str input, mcp_responder_t *responder) {
    (void)user_data;
    (void)input;
    mcp_text_t *text;
    succeeded(mcp_context_report_progress(context, 1, -1, MCP_STR("about to ask")));
    if (ask_text(context, responder, MCP_STR("word"), MCP_STR("Please enter a word"), MCP_STR("word"), &text)) {
        mcp_str word = mcp_text_str(text);
        respond_text(responder, text_format("The word is %.*s.", (int)word.len, word.ptr));
        mcp_text_delete(text);
    }
}

mcp_error_t *register_asking(const mcp_server_t *server) {
    static const tool tools[] = {
        {"ask_name", "Asks for a name, then greets", NULL, NULL, ask_name, false},
        {"ask_twice", "Asks two questions, one after the other", NULL, NULL, ask_twice, false},
        {"test_sampling", "Asks the client's model", SCHEMA_OF_TEXT("prompt", "What to ask the model"), NULL, sampling,
         false},
        {"test_missing_capability", "Needs a client with a model", NULL, NULL, needs_model, false},
        {"test_streaming_elicitation", "Reports progress, then asks", NULL, NULL, streaming, false},
    };
    return add_tools(server, tools, sizeof(tools) / sizeof(tools[0]));
}
