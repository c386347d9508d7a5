// Tools that ask for whole forms: fields of every type, with defaults and choices.

#include "../common/text.h"
#include "everything.h"
#include "questions.h"

// Asks with a form, and tells what was answered: `prefix`, and the answer in words.
static void ask_form(const mcp_context_t *context, mcp_responder_t *responder, mcp_str key, mcp_str message,
                     mcp_str schema, const char *prefix) {
    mcp_text_t *question = question_form(message, schema);
    mcp_text_t *answer = NULL;
    if (mcp_context_ask(context, key, mcp_text_str(question), responder, &answer)) {
        mcp_text_t *action = member_text(mcp_text_str(answer), MCP_STR("action"));
        mcp_str done = mcp_text_str(action), content = MCP_STR("{}");
        mcp_json_find(mcp_text_str(answer), MCP_STR("content"), &content);
        respond_text(responder, text_format("%s: action=%.*s, content=%.*s", prefix, (int)done.len, done.ptr,
                                            (int)content.len, content.ptr));
        mcp_text_delete(action);
        mcp_text_delete(answer);
    }
    mcp_text_delete(question);
}

static void contact(void *user_data, const mcp_context_t *context, mcp_str input, mcp_responder_t *responder) {
    (void)user_data;
    mcp_str schema =
        MCP_STR("{\"type\":\"object\",\"properties\":{"
                "\"username\":{\"type\":\"string\",\"description\":\"User's response\"},"
                "\"email\":{\"type\":\"string\",\"description\":\"User's email address\"}},"
                "\"required\":[\"username\",\"email\"]}");
    mcp_text_t *message = member_text(input, MCP_STR("message"));
    ask_form(context, responder, MCP_STR("contact"), mcp_text_str(message), schema, "User response");
    mcp_text_delete(message);
}

static void defaults(void *user_data, const mcp_context_t *context, mcp_str input, mcp_responder_t *responder) {
    (void)user_data;
    (void)input;
    mcp_str schema =
        MCP_STR("{\"type\":\"object\",\"properties\":{"
                "\"name\":{\"type\":\"string\",\"description\":\"User name\",\"default\":\"John Doe\"},"
                "\"age\":{\"type\":\"integer\",\"description\":\"User age\",\"default\":30},"
                "\"score\":{\"type\":\"number\",\"description\":\"User score\",\"default\":95.5},"
                "\"status\":{\"type\":\"string\",\"description\":\"User status\","
                "\"enum\":[\"active\",\"inactive\",\"pending\"],\"default\":\"active\"},"
                "\"verified\":{\"type\":\"boolean\",\"description\":\"Verification status\",\"default\":true}},"
                "\"required\":[]}");
    mcp_str message = MCP_STR("Please review and update the form fields with defaults");
    ask_form(context, responder, MCP_STR("form"), message, schema, "Elicitation completed");
}

static void choices(void *user_data, const mcp_context_t *context, mcp_str input, mcp_responder_t *responder) {
    (void)user_data;
    (void)input;
    mcp_str schema =
        MCP_STR("{\"type\":\"object\",\"properties\":{"
                "\"untitledSingle\":{\"type\":\"string\",\"enum\":[\"option1\",\"option2\",\"option3\"]},"
                "\"titledSingle\":{\"type\":\"string\",\"oneOf\":["
                "{\"const\":\"value1\",\"title\":\"First Option\"},"
                "{\"const\":\"value2\",\"title\":\"Second Option\"},"
                "{\"const\":\"value3\",\"title\":\"Third Option\"}]},"
                "\"legacyEnum\":{\"type\":\"string\",\"enum\":[\"opt1\",\"opt2\",\"opt3\"],"
                "\"enumNames\":[\"Option One\",\"Option Two\",\"Option Three\"]},"
                "\"untitledMulti\":{\"type\":\"array\","
                "\"items\":{\"type\":\"string\",\"enum\":[\"option1\",\"option2\",\"option3\"]},"
                "\"minItems\":1,\"maxItems\":3},"
                "\"titledMulti\":{\"type\":\"array\",\"items\":{\"anyOf\":["
                "{\"const\":\"value1\",\"title\":\"First Choice\"},"
                "{\"const\":\"value2\",\"title\":\"Second Choice\"},"
                "{\"const\":\"value3\",\"title\":\"Third Choice\"}]},\"minItems\":1,\"maxItems\":3}},"
                "\"required\":[]}");
    ask_form(context, responder, MCP_STR("choices"), MCP_STR("Please choose"), schema, "Elicitation completed");
}

mcp_error_t *register_forms(const mcp_server_t *server) {
    static const tool tools[] = {
        {"test_elicitation", "Asks for a user name and an email address", SCHEMA_OF_TEXT("message", "What to ask"), NULL,
         contact, false},
        {"test_elicitation_sep1034_defaults", "Asks with a form full of defaults", NULL, NULL, defaults, false},
        {"test_elicitation_sep1330_enums", "Asks with a form of choices", NULL, NULL, choices, false},
    };
    return add_tools(server, tools, sizeof(tools) / sizeof(tools[0]));
}
