// Asking the client: three ways.

#include <mcp/server/McpServer.hpp>

#include <chrono>
#include <string>
#include <utility>

#include "../common/run.hpp"

namespace {

using ToolContext = mcp::RequestContext<mcp::CallToolRequestParams>;

mcp::CallToolResult Text(std::string text) {
    mcp::CallToolResult result;
    result.content.push_back(mcp::TextContent{"text", std::move(text)});
    return result;
}

// A form with one text field.
mcp::ElicitRequestParams Form(const std::string& message, const std::string& field) {
    mcp::JsonValue properties(mcp::JsonValue::object_tag);
    properties[field] = mcp::JsonValue::Parse(R"({"type": "string"})");
    mcp::ElicitRequestParams form;
    form.message = message;
    form.requested_schema = mcp::JsonValue(mcp::JsonValue::Object{
        {"type", "object"}, {"properties", properties}, {"required", mcp::JsonValue::Array{mcp::JsonValue(field)}}});
    return form;
}

// The text that the person gave. Throws when there is none.
std::string Given(const mcp::ElicitResult& answer, const std::string& field) {
    const mcp::JsonValue* text = answer.action == "accept" && answer.content ? answer.content->Find(field) : nullptr;
    if (text == nullptr || !text->IsString()) {
        throw mcp::McpError(mcp::McpErrorCode::HandlerError, "The person gave no " + field + ".");
    }
    return text->GetString();
}

// `Ask` gives the answer when it is there. Otherwise it leaves the handler, and the retry runs the handler again from its
// start with all answers at hand. Serves clients of all revisions.
mcp::CallToolResult Greet(const ToolContext& ctx) {
    const auto ask = [&](const char* key, const std::string& message) {
        const auto answer = ctx.Ask(key, mcp::MakeInputRequestForElicitation(Form(message, key)));
        return Given(mcp::DeserializeElicitResult(answer), key);
    };
    const std::string name = ask("name", "What is your name?");
    const std::string town = ask("town", "Where do you live, " + name + "?");
    return Text("Hello " + name + " from " + town + "!");
}

// `input_required` does the same by hand, with a state of the handler's own, which the client brings back unchanged.
mcp::CallToolResult Deploy(const ToolContext& ctx) {
    const auto& params = ctx.Params();
    const mcp::JsonValue* answer = params.input_responses ? params.input_responses->Find("confirm") : nullptr;
    if (answer == nullptr || !params.request_state) {
        mcp::InputRequiredResult asked;
        asked.input_requests["confirm"] =
            mcp::MakeInputRequestForElicitation(Form("Type the name of the target to confirm", "target"));
        asked.request_state = params.arguments.value().At("target").GetString();
        mcp::CallToolResult result;
        result.input_required = std::move(asked);
        return result;
    }
    const std::string target = Given(mcp::DeserializeElicitResult(*answer), "target");
    if (target != *params.request_state) {
        throw mcp::McpError(mcp::McpErrorCode::HandlerError, "This is not the target's name; nothing was deployed.");
    }
    return Text("deployed to " + target);
}

// `Elicit` waits for the answer: only for clients with a session, of the legacy revisions.
mcp::CallToolResult AskNow(const ToolContext& ctx) {
    const mcp::ElicitResult answer = ctx.Server().Elicit(Form("Which word?", "word")).get();
    return Text("The word is " + Given(answer, "word") + ".");
}

mcp::ServerOptions Options(const examples::CommandLine&) {
    mcp::ServerOptions options;
    // All processes that serve an address share one key; a process alone can do without.
    options.request_state_key = "a secret of at least thirty-two bytes";
    options.request_state_ttl = std::chrono::minutes(10);
    return options;
}

void SetUp(mcp::McpServer& server, const examples::CommandLine&) {
    server.RegisterTool("greet", mcp::ToolOptions{}.Description("Greets the person"), Greet);

    mcp::ToolOptions deploy;
    deploy.description = "Deploys, once the person has confirmed it";
    deploy.destructive = true;
    deploy.input_schema = mcp::JsonValue::Parse(
        R"({"type": "object", "properties": {"target": {"type": "string"}}, "required": ["target"]})");
    server.RegisterTool("deploy", deploy, Deploy);

    server.RegisterTool("ask_now", mcp::ToolOptions{}.Description("Asks for a word, and waits"), AskNow);
}

}  // namespace

int main(int argc, char** argv) { return examples::Run({"input_required", Options, SetUp}, argc, argv); }
