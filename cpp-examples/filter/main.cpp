// A filter that blocks a method, one that changes what arrives, and events that count what goes on.

#include <mcp/server/McpServer.hpp>

#include <atomic>
#include <memory>
#include <string>
#include <string_view>
#include <variant>

#include "../common/run.hpp"

namespace {

using ToolContext = mcp::RequestContext<mcp::CallToolRequestParams>;

// Lets no request of one method pass: it is refused.
class Block : public mcp::MessageFilter {
public:
    explicit Block(std::string method) : method_(std::move(method)) {}

    void Filter(const mcp::JsonRpcMessage& message, mcp::MessageFilterNext next) override {
        const auto* request = std::get_if<mcp::JsonRpcRequest>(&message);
        if (request == nullptr || request->method != method_) {
            next(message);
        }
    }

private:
    std::string method_;
};

// Takes blanks away from the ends of the argument `text`.
void Trim(const mcp::JsonRpcMessage& message, const mcp::MessageFilterNext& next) {
    const auto* request = std::get_if<mcp::JsonRpcRequest>(&message);
    const auto* arguments = request != nullptr && request->params ? request->params->Find("arguments") : nullptr;
    const auto* text = arguments != nullptr ? arguments->Find("text") : nullptr;
    if (text == nullptr || !text->IsString()) {
        return next(message);
    }
    const std::string& given = text->GetString();
    const std::size_t first = given.find_first_not_of(' ');
    const std::size_t last = given.find_last_not_of(' ');
    mcp::JsonRpcRequest changed = *request;
    (*changed.params)["arguments"]["text"] =
        first == std::string::npos ? std::string() : given.substr(first, last - first + 1);
    next(changed);
}

// What the events have counted.
struct Counts {
    std::atomic<int> requests{0};
    std::atomic<int> errors{0};
};

mcp::ServerOptions Options(const std::shared_ptr<Counts>& counts) {
    mcp::ServerOptions options;
    options.incoming_filters = std::make_shared<mcp::FilterPipeline>();
    options.incoming_filters->AddFilter(std::make_shared<Block>("resources/list"));
    options.incoming_filters->AddFilter(std::make_shared<mcp::MessageFilterFuncAdapter>(Trim));

    options.on_method_called = [counts](std::string_view) { ++counts->requests; };
    options.on_error = [counts](const mcp::JsonRpcErrorResponse&) { ++counts->errors; };
    return options;
}

void SetUp(mcp::McpServer& server, const std::shared_ptr<Counts>& counts) {
    const auto text = [](std::string_view said) {
        mcp::CallToolResult result;
        result.content.push_back(mcp::TextContent{"text", std::string(said)});
        return result;
    };
    server.RegisterTool("echo", mcp::ToolOptions{}.Description("Gives back the text"), [text](const ToolContext& ctx) {
        return text(ctx.Params().arguments.value().At("text").GetString());
    });
    server.RegisterTool("counts", mcp::ToolOptions{}.Description("How many requests and errors there were"),
                        [text, counts](const ToolContext&) {
                            return text(std::to_string(counts->requests) + " requests, " +
                                        std::to_string(counts->errors) + " errors");
                        });
    server.RegisterResource("note", "note://1", {}, [](const std::string& uri) {
        mcp::ReadResourceResult result;
        result.contents.push_back(mcp::TextResourceContents{uri, "Can be read, but is not listed.", "text/plain"});
        return result;
    });
}

}  // namespace

int main(int argc, char** argv) {
    const auto counts = std::make_shared<Counts>();
    const auto options = [&](const examples::CommandLine&) { return Options(counts); };
    const auto set_up = [&](mcp::McpServer& server, const examples::CommandLine&) { SetUp(server, counts); };
    return examples::Run({"filter", options, set_up}, argc, argv);
}
