// The smallest server that is useful to measure: one tool, which gives back its argument.
//
//     echo_cpp                        # on stdio
//     echo_cpp --http 127.0.0.1:0     # on HTTP, at any free port
//     echo_cpp --pool                 # the tool runs on the pool of threads, as one that may block has to

#include <mcp/server/McpServer.hpp>

#include <cstdio>

#include "../common/run.hpp"

namespace {

using ToolContext = mcp::RequestContext<mcp::CallToolRequestParams>;

mcp::CallToolResult Echo(const ToolContext& ctx) {
    mcp::CallToolResult result;
    // The schema requires the text: the tool is not called without it.
    result.content.push_back(mcp::TextContent{"text", ctx.Params().arguments->At("text").GetString()});
    return result;
}

mcp::CallToolResult Done(const ToolContext&) {
    mcp::CallToolResult result;
    result.content.push_back(mcp::TextContent{"text", "done"});
    return result;
}

void SetUp(mcp::McpServer& server, const examples::CommandLine& line) {
    mcp::ToolOptions options;
    options.description = "Gives back the text";
    options.read_only_hint = true;
    options.input_schema = mcp::JsonValue::Parse(R"({
        "type": "object",
        "properties": {"text": {"type": "string", "description": "The text to give back."}},
        "required": ["text"]
    })");
    // It is quick: the thread that serves the connection can as well call it.
    options.run_inline = !line.Has("--pool");
    server.RegisterTool("echo", options, Echo);

    for (std::size_t number = 1; number <= line.extra_tools; ++number) {
        char name[32];
        std::snprintf(name, sizeof(name), "tool_%06zu", number);
        mcp::ToolOptions extra;
        extra.description = "Does nothing";
        extra.run_inline = options.run_inline;
        server.RegisterTool(name, extra, Done);
    }
}

}  // namespace

int main(int argc, char** argv) {
    examples::Program program;
    program.name = "echo";
    program.set_up = SetUp;
    program.own_flags = {"--pool"};
    return examples::Run(program, argc, argv);
}
