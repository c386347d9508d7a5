// Tools that do one small thing each, well or badly.

#include <cstdio>
#include <stdexcept>

#include "children.hpp"
#include "everything.hpp"
#include "numbers.hpp"
#include "utf8.hpp"

namespace everything {

namespace {

mcp::CallToolResult Echo(const ToolContext& ctx) { return TextResult(Argument(ctx, "text").GetString()); }

mcp::CallToolResult Add(const ToolContext& ctx) {
    const auto sum = SumOf(Argument(ctx, "a"), Argument(ctx, "b"));
    if (!sum) {
        throw Failure("The sum is too large for a number of 64 bits.");
    }
    return TextResult(*sum);
}

// An exception of no kind that the library knows: its text is not for the client.
mcp::CallToolResult Boom(const ToolContext& ctx) { throw std::runtime_error(Argument(ctx, "text").GetString()); }

int Digit(char character) {
    static const std::string kDigits = "0123456789abcdefABCDEF";
    const std::size_t found = kDigits.find(character);
    if (found == std::string::npos) {
        throw Failure("\"hex\" must be pairs of hexadecimal digits, such as \"48656c6c6f\".");
    }
    return static_cast<int>(found < 16 ? found : found - 6);
}

// The bytes need not be UTF-8, but what is sent has to be.
mcp::CallToolResult Bytes(const ToolContext& ctx) {
    std::string hex = Argument(ctx, "hex").GetString();
    if (hex.size() % 2 != 0) {
        // No digit, so that it is refused like any other one.
        hex += '?';
    }
    std::string bytes;
    for (std::size_t at = 0; at < hex.size(); at += 2) {
        bytes += static_cast<char>(Digit(hex[at]) << 4 | Digit(hex[at + 1]));
    }
    return TextResult(TextFromBytes(bytes));
}

// What careless handlers do: on stdio none of it may reach the client, or take its messages away.
mcp::CallToolResult Print(const ToolContext& ctx) {
    const std::string& text = Argument(ctx, "text").GetString();
    std::fwrite(text.data(), 1, text.size(), stdout);
    std::fflush(stdout);
    const std::size_t count = ChildRead();
    ChildEcho(text);
    return TextResult("printed; a child read " + std::to_string(count) + " bytes");
}

mcp::CallToolResult NoArgs(const ToolContext&) { return TextResult("This tool takes no arguments."); }

mcp::CallToolResult EchoInt(const ToolContext& ctx) {
    mcp::CallToolResult result;
    result.structured_content = mcp::JsonValue::Object{{"id", Argument(ctx, "id")}};
    return result;
}

}  // namespace

void RegisterBasics(mcp::McpServer& server) {
    const std::string text = SchemaOfText("text", "Any text");
    const std::string id = R"({"type": "object", "properties": {"id": {"type": "integer"}}, "required": ["id"]})";

    mcp::ToolOptions echo = Described("Gives back the text", text);
    echo.read_only_hint = true;
    server.RegisterTool("echo", echo, Echo);

    mcp::ToolOptions add = Described("Adds two numbers", R"({
        "type": "object",
        "properties": {
            "a": {"type": "number", "description": "The first number"},
            "b": {"type": "number", "description": "The second number"}
        },
        "required": ["a", "b"]
    })");
    add.read_only_hint = true;
    server.RegisterTool("add", add, Add);

    server.RegisterTool("boom", Described("Crashes with the text", text), Boom);
    server.RegisterTool("bytes",
                        Described("Gives back bytes, written as hexadecimal digits, as text",
                                  SchemaOfText("hex", "Two hexadecimal digits for each byte")),
                        Bytes);
    server.RegisterTool("print", Described("Prints the text, and lets a child process read and print", text), Print);
    server.RegisterTool("noargs", Described("Takes no arguments"), NoArgs);

    mcp::ToolOptions echo_int = Described("Gives back an integer of any size", id);
    echo_int.output_schema = mcp::JsonValue::Parse(id);
    server.RegisterTool("echo_int", echo_int, EchoInt);
}

}  // namespace everything
