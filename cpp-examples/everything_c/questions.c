#include "questions.h"

#include "../common/text.h"
#include "everything.h"

static void member(mcp_json_writer_t *writer, mcp_str key, mcp_str text) {
    mcp_json_key(writer, key);
    mcp_json_string(writer, text);
}

// Begins `{"method": …, "params": {`.
static mcp_json_writer_t *begin(mcp_str method) {
    mcp_json_writer_t *writer = mcp_json_writer_new();
    mcp_json_begin_object(writer);
    member(writer, MCP_STR("method"), method);
    mcp_json_key(writer, MCP_STR("params"));
    mcp_json_begin_object(writer);
    return writer;
}

static mcp_text_t *end(mcp_json_writer_t *writer) {
    mcp_json_end_object(writer);
    mcp_json_end_object(writer);
    return mcp_json_writer_finish(writer);
}

mcp_text_t *question_form(mcp_str message, mcp_str schema) {
    mcp_json_writer_t *writer = begin(MCP_STR("elicitation/create"));
    member(writer, MCP_STR("message"), message);
    mcp_json_key(writer, MCP_STR("requestedSchema"));
    mcp_json_raw(writer, schema);
    return end(writer);
}

mcp_text_t *question_text(mcp_str message, mcp_str field) {
    mcp_json_writer_t *schema = mcp_json_writer_new();
    mcp_json_begin_object(schema);
    member(schema, MCP_STR("type"), MCP_STR("object"));
    mcp_json_key(schema, MCP_STR("properties"));
    mcp_json_begin_object(schema);
    mcp_json_key(schema, field);
    mcp_json_raw(schema, MCP_STR("{\"type\":\"string\"}"));
    mcp_json_end_object(schema);
    mcp_json_key(schema, MCP_STR("required"));
    mcp_json_begin_array(schema);
    mcp_json_string(schema, field);
    mcp_json_end_array(schema);
    mcp_json_end_object(schema);
    mcp_text_t *text = mcp_json_writer_finish(schema);
    mcp_text_t *form = question_form(message, mcp_text_str(text));
    mcp_text_delete(text);
    return form;
}

mcp_text_t *question_prompt(mcp_str prompt, int64_t max_tokens) {
    mcp_json_writer_t *writer = begin(MCP_STR("sampling/createMessage"));
    mcp_json_key(writer, MCP_STR("messages"));
    mcp_json_begin_array(writer);
    mcp_json_begin_object(writer);
    member(writer, MCP_STR("role"), MCP_STR("user"));
    mcp_json_key(writer, MCP_STR("content"));
    mcp_json_begin_object(writer);
    member(writer, MCP_STR("type"), MCP_STR("text"));
    member(writer, MCP_STR("text"), prompt);
    mcp_json_end_object(writer);
    mcp_json_end_object(writer);
    mcp_json_end_array(writer);
    mcp_json_key(writer, MCP_STR("maxTokens"));
    mcp_json_int64(writer, max_tokens);
    return end(writer);
}

bool ask_text(const mcp_context_t *context, mcp_responder_t *responder, mcp_str key, mcp_str message, mcp_str field,
              mcp_text_t **out_text) {
    mcp_text_t *question = question_text(message, field);
    mcp_text_t *answer = NULL;
    bool answered = mcp_context_ask(context, key, mcp_text_str(question), responder, &answer);
    mcp_text_delete(question);
    if (!answered) {
        return false;
    }
    mcp_str form = MCP_STR_NONE;
    mcp_text_t *action = member_text(mcp_text_str(answer), MCP_STR("action"));
    mcp_json_find(mcp_text_str(answer), MCP_STR("content"), &form);
    mcp_text_t *text = NULL;
    if (text_equals(mcp_text_str(action), "decline")) {
        respond_failure(responder, text_format("The person declined: %.*s", (int)message.len, message.ptr));
    } else if (text_equals(mcp_text_str(action), "cancel")) {
        respond_failure(responder, text_format("The person dismissed: %.*s", (int)message.len, message.ptr));
    } else if ((text = member_text(form, field)) == NULL) {
        respond_failure(responder,
                        text_format("The client's answer has no text \"%.*s\".", (int)field.len, field.ptr));
    }
    mcp_text_delete(action);
    mcp_text_delete(answer);
    *out_text = text;
    return text != NULL;
}

// The text of the first block that has one; a message may have one block, or an array of them.
static mcp_text_t *first_text(mcp_str content) {
    mcp_text_t *text = member_text(content, MCP_STR("text"));
    mcp_str block;
    for (size_t at = 0; text == NULL && mcp_json_at(content, at, &block); at++) {
        text = member_text(block, MCP_STR("text"));
    }
    return text;
}

bool ask_model(const mcp_context_t *context, mcp_responder_t *responder, mcp_str key, mcp_str prompt,
               int64_t max_tokens, mcp_text_t **out_text) {
    mcp_text_t *question = question_prompt(prompt, max_tokens);
    mcp_text_t *answer = NULL;
    bool answered = mcp_context_ask(context, key, mcp_text_str(question), responder, &answer);
    mcp_text_delete(question);
    if (answered) {
        mcp_str content = MCP_STR_NONE;
        mcp_json_find(mcp_text_str(answer), MCP_STR("content"), &content);
        *out_text = first_text(content);
        mcp_text_delete(answer);
    }
    return answered;
}
