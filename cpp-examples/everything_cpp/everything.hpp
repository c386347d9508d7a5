// What the files of this example share.
#pragma once

#include <mcp/server/McpServer.hpp>

#include <string>
#include <string_view>

namespace everything {

using ToolContext = mcp::RequestContext<mcp::CallToolRequestParams>;

// A picture of one pixel, PNG as base64.
inline constexpr const char* kPixel =
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==";

// The options of a tool that needs no more than a description.
mcp::ToolOptions Described(std::string_view description);
// The same, with the schema of its arguments.
mcp::ToolOptions Described(std::string_view description, std::string_view schema);

// A schema of one required text.
std::string SchemaOfText(const std::string& name, const std::string& description);

// An argument that the schema requires: the server does not call the tool without it.
const mcp::JsonValue& Argument(const ToolContext& ctx, std::string_view name);

mcp::CallToolResult TextResult(std::string text);
mcp::CallToolResult ErrorResult(std::string text);

// A failure whose text is for the client.
mcp::McpError Failure(std::string text);

// A question for one text.
mcp::JsonValue TextForm(const std::string& message, const std::string& field);
// A question to the client's model.
mcp::JsonValue ModelQuestion(const std::string& text, int max_tokens);
// The text of the model's answer; empty when it has none.
std::string ModelText(const mcp::JsonValue& answer);
// The text in the answer to `TextForm`. Throws `McpError` when the person did not answer.
std::string FormText(const mcp::JsonValue& answer, const std::string& message, const std::string& field);
// The answer to the question for one text, which is asked first where that has not been done.
template <class Context>
std::string AskText(const Context& ctx, const std::string& key, const std::string& message, const std::string& field) {
    return FormText(ctx.Ask(key, TextForm(message, field)), message, field);
}

void RegisterBasics(mcp::McpServer& server);
void RegisterSleeping(mcp::McpServer& server);
void RegisterContent(mcp::McpServer& server);
void RegisterTelling(mcp::McpServer& server);
void RegisterChanges(mcp::McpServer& server);
void RegisterAsking(mcp::McpServer& server);
void RegisterForms(mcp::McpServer& server);
void RegisterInputRequired(mcp::McpServer& server);
void RegisterResources(mcp::McpServer& server);
void RegisterPrompts(mcp::McpServer& server);

}  // namespace everything
