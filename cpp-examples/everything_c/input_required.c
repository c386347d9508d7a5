// Tools that answer with questions themselves, which gives them what `mcp_context_ask` takes care of: several questions
// at once, and a state of their own between the rounds.

#include <stdlib.h>

#include "../common/text.h"
#include "everything.h"
#include "questions.h"

// Adds a question that was made for this; frees it.
static void add_question(mcp_input_required_t *questions, mcp_str key, mcp_text_t *question) {
    mcp_input_required_add(questions, key, mcp_text_str(question));
    mcp_text_delete(question);
}

static void elicitation(void *user_data, const mcp_context_t *context, mcp_str input, mcp_responder_t *responder) {
    (void)user_data;
    (void)input;
    mcp_text_t *text;
    if (ask_text(context, responder, MCP_STR("user_name"), MCP_STR("What is your name?"), MCP_STR("name"), &text)) {
        mcp_str name = mcp_text_str(text);
        respond_text(responder, text_format("Hello, %.*s!", (int)name.len, name.ptr));
        mcp_text_delete(text);
    }
}

static void sampling(void *user_data, const mcp_context_t *context, mcp_str input, mcp_responder_t *responder) {
    (void)user_data;
    (void)input;
    mcp_text_t *text = NULL;
    mcp_str prompt = MCP_STR("What is the capital of France?");
    if (ask_model(context, responder, MCP_STR("capital_question"), prompt, 100, &text)) {
        succeeded(mcp_respond_text(responder, mcp_text_str(text)));
        mcp_text_delete(text);
    }
}

static void list_roots(void *user_data, const mcp_context_t *context, mcp_str input, mcp_responder_t *responder) {
    (void)user_data;
    (void)input;
    mcp_text_t *answer = NULL;
    if (!mcp_context_ask(context, MCP_STR("client_roots"), QUESTION_ROOTS, responder, &answer)) {
        return;
    }
    mcp_str roots = MCP_STR_NONE, root;
    mcp_json_find(mcp_text_str(answer), MCP_STR("roots"), &roots);
    char *uris = text_format("%s", "");
    size_t count = 0;
    for (; mcp_json_at(roots, count, &root); count++) {
        mcp_text_t *text = member_text(root, MCP_STR("uri"));
        mcp_str uri = mcp_text_str(text);
        char *longer = text_format("%s%s%.*s", uris, count > 0 ? ", " : "", (int)uri.len, uri.ptr);
        free(uris);
        uris = longer;
        mcp_text_delete(text);
    }
    respond_text(responder, text_format("%zu roots: %s", count, uris));
    free(uris);
    mcp_text_delete(answer);
}

static void confirmed(void *user_data, const mcp_context_t *context, mcp_str input, mcp_responder_t *responder) {
    (void)user_data;
    (void)input;
    mcp_str answer = mcp_context_input_response(context, MCP_STR("confirm"));
    if (text_equals(mcp_context_request_state(context), "confirming") && answer.ptr != NULL) {
        respond_text(responder, text_format("state-ok: %.*s", (int)answer.len, answer.ptr));
        return;
    }
    mcp_input_required_t *questions = mcp_input_required_new();
    mcp_input_required_add_form(
        questions, MCP_STR("confirm"), MCP_STR("Please confirm"),
        MCP_STR("{\"type\":\"object\",\"properties\":{\"ok\":{\"type\":\"boolean\"}},\"required\":[\"ok\"]}"));
    mcp_input_required_set_state(questions, MCP_STR("confirming"));
    succeeded(mcp_respond_input_required(responder, questions));
}

static void three_at_once(void *user_data, const mcp_context_t *context, mcp_str input, mcp_responder_t *responder) {
    (void)user_data;
    (void)input;
    mcp_str name = mcp_context_input_response(context, MCP_STR("user_name"));
    mcp_str greeting = mcp_context_input_response(context, MCP_STR("greeting"));
    mcp_str roots = mcp_context_input_response(context, MCP_STR("client_roots"));
    if (name.ptr != NULL && greeting.ptr != NULL && roots.ptr != NULL) {
        respond_text(responder, text_format("name: %.*s, greeting: %.*s, roots: %.*s", (int)name.len, name.ptr,
                                            (int)greeting.len, greeting.ptr, (int)roots.len, roots.ptr));
        return;
    }
    mcp_input_required_t *questions = mcp_input_required_new();
    add_question(questions, MCP_STR("user_name"), question_text(MCP_STR("What is your name?"), MCP_STR("name")));
    add_question(questions, MCP_STR("greeting"), question_prompt(MCP_STR("Generate a greeting"), 50));
    mcp_input_required_add(questions, MCP_STR("client_roots"), QUESTION_ROOTS);
    mcp_input_required_set_state(questions, MCP_STR("three questions"));
    succeeded(mcp_respond_input_required(responder, questions));
}

// Asks for one text, and has the client carry what is known until then, which it can't change: the name, or NULL.
static void ask_next(mcp_responder_t *responder, const mcp_text_t *name, mcp_str key, mcp_str message, mcp_str field) {
    mcp_json_writer_t *writer = mcp_json_writer_new();
    mcp_json_begin_object(writer);
    mcp_json_key(writer, MCP_STR("name"));
    if (name != NULL) {
        mcp_json_string(writer, mcp_text_str(name));
    } else {
        mcp_json_null(writer);
    }
    mcp_json_end_object(writer);
    mcp_text_t *state = mcp_json_writer_finish(writer);
    mcp_input_required_t *questions = mcp_input_required_new();
    add_question(questions, key, question_text(message, field));
    mcp_input_required_set_state(questions, mcp_text_str(state));
    mcp_text_delete(state);
    succeeded(mcp_respond_input_required(responder, questions));
}

static void two_rounds(void *user_data, const mcp_context_t *context, mcp_str input, mcp_responder_t *responder) {
    (void)user_data;
    (void)input;
    const mcp_str first = MCP_STR("Step 1: What is your name?"), second = MCP_STR("Step 2: What is your favorite color?");
    mcp_str state = mcp_context_request_state(context);
    if (state.ptr == NULL) {
        ask_next(responder, NULL, MCP_STR("step1"), first, MCP_STR("name"));
        return;
    }
    mcp_text_t *known = member_text(state, MCP_STR("name")), *text = NULL;
    if (known == NULL) {
        if (ask_text(context, responder, MCP_STR("step1"), first, MCP_STR("name"), &text)) {
            ask_next(responder, text, MCP_STR("step2"), second, MCP_STR("color"));
        }
    } else if (ask_text(context, responder, MCP_STR("step2"), second, MCP_STR("color"), &text)) {
        mcp_str name = mcp_text_str(known), color = mcp_text_str(text);
        respond_text(responder, text_format("%.*s likes %.*s.", (int)name.len, name.ptr, (int)color.len, color.ptr));
    }
    mcp_text_delete(known);
    mcp_text_delete(text);
}

// What may be asked, by the client's capability for it.
static const struct {
    const char *capability;
    const char *key;
} askable[] = {{"elicitation", "user_name"}, {"sampling", "greeting"}, {"roots", "client_roots"}};

enum { ASKABLE = sizeof(askable) / sizeof(askable[0]) };

static mcp_text_t *question_for(const char *capability) {
    if (*capability == 'r') {
        return mcp_text_new(QUESTION_ROOTS);
    }
    return *capability == 's' ? question_prompt(MCP_STR("Generate a greeting"), 50)
                              : question_text(MCP_STR("What is your name?"), MCP_STR("name"));
}

// The answers of this round in words, to be freed by the caller; empty when there are none.
static char *told(const mcp_context_t *context) {
    char *all = text_format("%s", "");
    for (size_t at = 0; at < ASKABLE; at++) {
        mcp_str answer = mcp_context_input_response(context, mcp_str_of(askable[at].key));
        if (answer.ptr != NULL) {
            char *longer = text_format("%s%s%s: %.*s", all, *all != '\0' ? ", " : "", askable[at].key, (int)answer.len,
                                       answer.ptr);
            free(all);
            all = longer;
        }
    }
    return all;
}

static void whatever(void *user_data, const mcp_context_t *context, mcp_str input, mcp_responder_t *responder) {
    (void)user_data;
    (void)input;
    mcp_input_required_t *questions = mcp_input_required_new();
    char *answers = told(context);
    size_t count = 0;
    for (size_t at = 0; at < ASKABLE; at++) {
        mcp_str can;
        if (mcp_json_find(mcp_context_client_capabilities(context), mcp_str_of(askable[at].capability), &can)) {
            add_question(questions, mcp_str_of(askable[at].key), question_for(askable[at].capability));
            count++;
        }
    }
    if (count > 0 && *answers == '\0') {
        succeeded(mcp_respond_input_required(responder, questions));
        free(answers);
        return;
    }
    mcp_input_required_delete(questions);
    respond_text(responder, count == 0 ? text_format("The client can't be asked anything.")
                                       : text_format("The client answered %s", answers));
    free(answers);
}

mcp_error_t *register_input_required(const mcp_server_t *server) {
    static const tool tools[] = {
        {"test_input_required_result_elicitation", "Asks the person", NULL, NULL, elicitation, false},
        {"test_input_required_result_sampling", "Asks the client's model", NULL, NULL, sampling, false},
        {"test_input_required_result_list_roots", "Asks for the client's roots", NULL, NULL, list_roots, false},
        {"test_input_required_result_request_state", "Keeps a state while it asks", NULL, NULL, confirmed, false},
        {"test_input_required_result_tampered_state", "Refuses a changed state", NULL, NULL, confirmed, false},
        {"test_input_required_result_multiple_inputs", "Asks three things at once", NULL, NULL, three_at_once, false},
        {"test_input_required_result_multi_round", "Asks in two rounds", NULL, NULL, two_rounds, false},
        {"test_input_required_result_capabilities", "Asks what the client can answer", NULL, NULL, whatever, false},
    };
    return add_tools(server, tools, sizeof(tools) / sizeof(tools[0]));
}
