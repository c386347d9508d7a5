// Tools that ask for whole forms: fields of every type, with defaults and choices.

#include "everything.hpp"

namespace everything {

namespace {

constexpr const char* kContact = R"({
    "type": "object",
    "properties": {
        "username": {"type": "string", "description": "User's response"},
        "email": {"type": "string", "description": "User's email address"}
    },
    "required": ["username", "email"]
})";

constexpr const char* kDefaults = R"({
    "type": "object",
    "properties": {
        "name": {"type": "string", "description": "User name", "default": "John Doe"},
        "age": {"type": "integer", "description": "User age", "default": 30},
        "score": {"type": "number", "description": "User score", "default": 95.5},
        "status": {
            "type": "string",
            "description": "User status",
            "enum": ["active", "inactive", "pending"],
            "default": "active"
        },
        "verified": {"type": "boolean", "description": "Verification status", "default": true}
    },
    "required": []
})";

constexpr const char* kChoices = R"({
    "type": "object",
    "properties": {
        "untitledSingle": {"type": "string", "enum": ["option1", "option2", "option3"]},
        "titledSingle": {
            "type": "string",
            "oneOf": [
                {"const": "value1", "title": "First Option"},
                {"const": "value2", "title": "Second Option"},
                {"const": "value3", "title": "Third Option"}
            ]
        },
        "legacyEnum": {
            "type": "string",
            "enum": ["opt1", "opt2", "opt3"],
            "enumNames": ["Option One", "Option Two", "Option Three"]
        },
        "untitledMulti": {
            "type": "array",
            "items": {"type": "string", "enum": ["option1", "option2", "option3"]},
            "minItems": 1,
            "maxItems": 3
        },
        "titledMulti": {
            "type": "array",
            "items": {
                "anyOf": [
                    {"const": "value1", "title": "First Choice"},
                    {"const": "value2", "title": "Second Choice"},
                    {"const": "value3", "title": "Third Choice"}
                ]
            },
            "minItems": 1,
            "maxItems": 3
        }
    },
    "required": []
})";

// The answer to a form, in words.
std::string AskForm(const ToolContext& ctx, const char* key, const std::string& message, const char* schema) {
    mcp::ElicitRequestParams question;
    question.message = message;
    question.requested_schema = mcp::JsonValue::Parse(schema);
    const auto answer =
        mcp::DeserializeElicitResult(ctx.Ask(key, mcp::MakeInputRequestForElicitation(question)));
    return "action=" + answer.action + ", content=" + (answer.content ? answer.content->Dump() : "{}");
}

mcp::CallToolResult Contact(const ToolContext& ctx) {
    return TextResult("User response: " + AskForm(ctx, "contact", Argument(ctx, "message").GetString(), kContact));
}

mcp::CallToolResult Defaults(const ToolContext& ctx) {
    const char* message = "Please review and update the form fields with defaults";
    return TextResult("Elicitation completed: " + AskForm(ctx, "form", message, kDefaults));
}

mcp::CallToolResult Choices(const ToolContext& ctx) {
    return TextResult("Elicitation completed: " + AskForm(ctx, "choices", "Please choose", kChoices));
}

}  // namespace

void RegisterForms(mcp::McpServer& server) {
    server.RegisterTool(
        "test_elicitation",
        Described("Asks for a user name and an email address", SchemaOfText("message", "What to ask")), Contact);
    server.RegisterTool("test_elicitation_sep1034_defaults", Described("Asks with a form full of defaults"), Defaults);
    server.RegisterTool("test_elicitation_sep1330_enums", Described("Asks with a form of choices"), Choices);
}

}  // namespace everything
