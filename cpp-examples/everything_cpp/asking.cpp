// Tools that ask the client with `Ask`. Each serves clients of both eras, and none can tell which it has.

#include "everything.hpp"

namespace everything {

mcp::JsonValue TextForm(const std::string& message, const std::string& field) {
    mcp::ElicitRequestParams question;
    question.message = message;
    question.requested_schema = mcp::JsonValue(mcp::JsonValue::Object{
        {"type", "object"},
        {"properties", mcp::JsonValue::Object{{field, mcp::JsonValue::Object{{"type", "string"}}}}},
        {"required", mcp::JsonValue::Array{field}},
    });
    return mcp::MakeInputRequestForElicitation(question);
}

std::string FormText(const mcp::JsonValue& answer, const std::string& message, const std::string& field) {
    const mcp::ElicitResult read = mcp::DeserializeElicitResult(answer);
    if (read.action == "decline") {
        throw Failure("The person declined: " + message);
    }
    if (read.action != "accept") {
        throw Failure("The person dismissed: " + message);
    }
    const mcp::JsonValue* text = read.content ? read.content->Find(field) : nullptr;
    if (text == nullptr || !text->IsString()) {
        throw Failure("The client's answer has no text \"" + field + "\".");
    }
    return text->GetString();
}

mcp::JsonValue ModelQuestion(const std::string& text, int max_tokens) {
    mcp::CreateMessageRequestParams question;
    question.messages.push_back({"user", mcp::TextContent{"text", text}});
    question.max_tokens = max_tokens;
    return mcp::MakeInputRequestForSampling(question);
}

std::string ModelText(const mcp::JsonValue& answer) {
    const mcp::CreateMessageResult read = mcp::DeserializeCreateMessageResult(answer);
    const auto* text = std::get_if<mcp::TextContent>(&read.content);
    return text != nullptr ? text->text : "";
}

namespace {

mcp::CallToolResult AskName(const ToolContext& ctx) {
    const std::string name = AskText(ctx, "name", "What is your name?", "name");
    return TextResult("Hello, " + name + "!");
}

mcp::CallToolResult AskTwice(const ToolContext& ctx) {
    const std::string name = AskText(ctx, "name", "What is your name?", "name");
    const std::string color = AskText(ctx, "color", "What is your favourite colour, " + name + "?", "color");
    return TextResult(name + " likes " + color + ".");
}

mcp::CallToolResult Sampling(const ToolContext& ctx) {
    const mcp::JsonValue answer = ctx.Ask("completion", ModelQuestion(Argument(ctx, "prompt").GetString(), 100));
    return TextResult("LLM response: " + ModelText(answer));
}

// To ask is all that it takes: the server answers in the handler's place when the client can't be asked.
mcp::CallToolResult NeedsSampling(const ToolContext& ctx) {
    return TextResult("The model says: " + ModelText(ctx.Ask("greeting", ModelQuestion("Say hello.", 50))));
}

mcp::CallToolResult StreamingElicitation(const ToolContext& ctx) {
    ctx.ReportProgress(1, std::nullopt, "about to ask");
    const std::string word = AskText(ctx, "word", "Please enter a word", "word");
    return TextResult("The word is " + word + ".");
}

}  // namespace

void RegisterAsking(mcp::McpServer& server) {
    server.RegisterTool("ask_name", Described("Asks for a name, then greets"), AskName);
    server.RegisterTool("ask_twice", Described("Asks two questions, one after the other"), AskTwice);
    server.RegisterTool("test_sampling",
                        Described("Asks the client's model", SchemaOfText("prompt", "What to ask the model")), Sampling);
    server.RegisterTool("test_missing_capability", Described("Needs a client with a model"), NeedsSampling);
    server.RegisterTool("test_streaming_elicitation", Described("Reports progress, then asks"), StreamingElicitation);
}

}  // namespace everything
