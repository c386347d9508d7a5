// Tools that change what the server offers, or say that it has changed.

#include "everything.hpp"

namespace everything {

namespace {

mcp::CallToolResult Notify(const ToolContext& ctx) {
    const std::string& kind = Argument(ctx, "kind").GetString();
    static const std::string kUpdated = "updated:";
    if (kind == "tools") {
        ctx.Server().SendToolListChanged();
    } else if (kind == "resources") {
        ctx.Server().SendResourceListChanged();
    } else if (kind == "prompts") {
        ctx.Server().SendPromptListChanged();
    } else if (kind.size() > kUpdated.size() && kind.compare(0, kUpdated.size(), kUpdated) == 0) {
        ctx.Server().SendResourceUpdated(kind.substr(kUpdated.size()));
    } else {
        throw Failure("\"kind\" must be \"tools\", \"resources\", \"prompts\", or \"updated:\" and a URI.");
    }
    return TextResult("announced");
}

mcp::CallToolResult AddTool(const ToolContext& ctx) {
    const std::string name = Argument(ctx, "name").GetString();
    ctx.Server().RegisterTool(name, Described("Was added at run time"),
                              [name](const ToolContext&) { return TextResult("This is " + name + "."); });
    return TextResult("added " + name);
}

mcp::CallToolResult RemoveTool(const ToolContext& ctx) {
    const std::string& name = Argument(ctx, "name").GetString();
    if (!ctx.Server().RemoveTool(name)) {
        throw Failure("There is no tool \"" + name + "\".");
    }
    return TextResult("removed " + name);
}

mcp::CallToolResult TriggerTools(const ToolContext& ctx) {
    ctx.Server().SendToolListChanged();
    return TextResult("announced");
}

mcp::CallToolResult TriggerPrompts(const ToolContext& ctx) {
    ctx.Server().SendPromptListChanged();
    return TextResult("announced");
}

}  // namespace

void RegisterChanges(mcp::McpServer& server) {
    const std::string name = SchemaOfText("name", "Name of the tool");
    server.RegisterTool(
        "notify",
        Described("Announces a change to the clients that subscribed to it",
                  SchemaOfText("kind", "`tools`, `resources`, `prompts`, or `updated:` and the URI of a resource")),
        Notify);
    server.RegisterTool("add_tool", Described("Adds a tool of this name", name), AddTool);
    server.RegisterTool("remove_tool", Described("Removes the tool of this name", name), RemoveTool);
    server.RegisterTool("test_trigger_tool_change", Described("Announces a change of the tools"), TriggerTools);
    server.RegisterTool("test_trigger_prompt_change", Described("Announces a change of the prompts"), TriggerPrompts);
}

}  // namespace everything
