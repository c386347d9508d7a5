// Tools that return `input_required` themselves, which gives them what `Ask` takes care of: several questions at once, and
// a state of their own between the rounds.

#include <utility>

#include "everything.hpp"

namespace everything {

namespace {

// The answer of this round; null where there is none.
const mcp::JsonValue* Answer(const ToolContext& ctx, std::string_view key) {
    const auto& responses = ctx.Params().input_responses;
    return responses ? responses->Find(key) : nullptr;
}

mcp::CallToolResult Questions(mcp::InputRequests requests, std::optional<std::string> state) {
    mcp::CallToolResult result;
    result.input_required = mcp::InputRequiredResult{std::move(requests), std::move(state)};
    return result;
}

mcp::CallToolResult Elicitation(const ToolContext& ctx) {
    return TextResult("Hello, " + AskText(ctx, "user_name", "What is your name?", "name") + "!");
}

mcp::CallToolResult Sampling(const ToolContext& ctx) {
    return TextResult(
        ModelText(ctx.Ask("capital_question", ModelQuestion("What is the capital of France?", 100))));
}

mcp::CallToolResult ListRoots(const ToolContext& ctx) {
    const auto answer = mcp::DeserializeListRootsResult(ctx.Ask("client_roots", mcp::MakeInputRequestForRoots()));
    std::string text = std::to_string(answer.roots.size()) + " roots: ";
    for (const mcp::Root& root : answer.roots) {
        text += (&root == &answer.roots.front() ? "" : ", ") + root.uri;
    }
    return TextResult(text);
}

mcp::CallToolResult Confirmed(const ToolContext& ctx) {
    const mcp::JsonValue* answer = Answer(ctx, "confirm");
    if (ctx.Params().request_state == "confirming" && answer != nullptr) {
        return TextResult("state-ok: " + answer->Dump());
    }
    mcp::ElicitRequestParams question;
    question.message = "Please confirm";
    question.requested_schema =
        mcp::JsonValue::Parse(R"({"type": "object", "properties": {"ok": {"type": "boolean"}}, "required": ["ok"]})");
    return Questions({{"confirm", mcp::MakeInputRequestForElicitation(question)}}, "confirming");
}

mcp::CallToolResult ThreeAtOnce(const ToolContext& ctx) {
    const mcp::JsonValue* name = Answer(ctx, "user_name");
    const mcp::JsonValue* greeting = Answer(ctx, "greeting");
    const mcp::JsonValue* roots = Answer(ctx, "client_roots");
    if (name != nullptr && greeting != nullptr && roots != nullptr) {
        return TextResult("name: " + name->Dump() + ", greeting: " + greeting->Dump() + ", roots: " + roots->Dump());
    }
    return Questions({{"user_name", TextForm("What is your name?", "name")},
                      {"greeting", ModelQuestion("Generate a greeting", 50)},
                      {"client_roots", mcp::MakeInputRequestForRoots()}},
                     "three questions");
}

// The state is what the tool remembers; the client carries it and can't change it.
mcp::CallToolResult TwoRounds(const ToolContext& ctx) {
    const std::string first = "Step 1: What is your name?";
    const std::string second = "Step 2: What is your favorite color?";
    if (!ctx.Params().request_state) {
        return Questions({{"step1", TextForm(first, "name")}}, R"({"name":null})");
    }
    const mcp::JsonValue known = mcp::JsonValue::Parse(*ctx.Params().request_state);
    if (known.At("name").IsNull()) {
        const std::string name = AskText(ctx, "step1", first, "name");
        const mcp::JsonValue state(mcp::JsonValue::Object{{"name", name}});
        return Questions({{"step2", TextForm(second, "color")}}, state.Dump());
    }
    const std::string color = AskText(ctx, "step2", second, "color");
    return TextResult(known.At("name").GetString() + " likes " + color + ".");
}

mcp::CallToolResult Whatever(const ToolContext& ctx) {
    const mcp::ClientCapabilities can = ctx.ClientCapabilities();
    mcp::InputRequests questions;
    if (can.elicitation) {
        questions["user_name"] = TextForm("What is your name?", "name");
    }
    if (can.sampling) {
        questions["greeting"] = ModelQuestion("Generate a greeting", 50);
    }
    if (can.roots) {
        questions["client_roots"] = mcp::MakeInputRequestForRoots();
    }
    if (questions.empty()) {
        return TextResult("The client can't be asked anything.");
    }
    const auto& responses = ctx.Params().input_responses;
    if (!responses || responses->Empty()) {
        return Questions(std::move(questions), std::nullopt);
    }
    std::string text;
    for (const auto& [key, answer] : *responses) {
        text += (text.empty() ? "" : ", ") + key + ": " + answer.Dump();
    }
    return TextResult("The client answered " + text);
}

}  // namespace

void RegisterInputRequired(mcp::McpServer& server) {
    const std::string prefix = "test_input_required_result_";
    server.RegisterTool(prefix + "elicitation", Described("Asks the person"), Elicitation);
    server.RegisterTool(prefix + "sampling", Described("Asks the client's model"), Sampling);
    server.RegisterTool(prefix + "list_roots", Described("Asks for the client's roots"), ListRoots);
    server.RegisterTool(prefix + "request_state", Described("Keeps a state while it asks"), Confirmed);
    server.RegisterTool(prefix + "tampered_state", Described("Refuses a changed state"), Confirmed);
    server.RegisterTool(prefix + "multiple_inputs", Described("Asks three things at once"), ThreeAtOnce);
    server.RegisterTool(prefix + "multi_round", Described("Asks in two rounds"), TwoRounds);
    server.RegisterTool(prefix + "capabilities", Described("Asks what the client can answer"), Whatever);
}

}  // namespace everything
