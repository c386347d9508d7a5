// Every block of code of the documented pages, as it is written there: it compiles and does what the page says. Blocks that
// end in a comment in place of a body get one.

#include "client.hpp"
#include "http_client.hpp"

#include <mcp/server/McpServer.hpp>
#include <mcp/storage/FileTaskStore.hpp>
#include <mcp/transport/StdioServerTransport.hpp>
#include <mcp/transport/StreamableHttpServerTransport.hpp>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>

#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace mcp;

namespace {

void ServeStandardStreams() {
    auto transport = std::make_shared<StdioServerTransport>();

    ServerOptions opts;
    opts.server_info = Implementation{"MyServer", "1.0.0"};

    auto server = McpServer::Create(transport, opts);
    server->Run();
}

constexpr const char* kServeOnly = "--test-case=overview: the server on standard streams";

}  // namespace

TEST_SUITE("documented pages") {
    // Not a test: what the next one starts as a process of its own.
    TEST_CASE("overview: the server on standard streams" * doctest::skip()) {
        ServeStandardStreams();
        std::_Exit(0);
    }

    TEST_CASE("overview: standard streams") {
        int to_child[2];
        int from_child[2];
        REQUIRE(::pipe(to_child) == 0);
        REQUIRE(::pipe(from_child) == 0);
        const pid_t child = ::fork();
        REQUIRE(child >= 0);
        if (child == 0) {
            ::dup2(to_child[0], 0);
            ::dup2(from_child[1], 1);
            for (const int end : {to_child[0], to_child[1], from_child[0], from_child[1]}) {
                ::close(end);
            }
            ::execl("/proc/self/exe", "tests", kServeOnly, "--no-skip=1", "--no-intro=1", "--no-version=1", nullptr);
            std::_Exit(127);
        }
        ::close(to_child[0]);
        ::close(from_child[1]);
        const std::string hello = test::Modern("server/discover") + "\n";
        CHECK(::write(to_child[1], hello.data(), hello.size()) == static_cast<ssize_t>(hello.size()));
        ::close(to_child[1]);
        std::string answer;
        char buffer[4096];
        ssize_t got = 0;
        while ((got = ::read(from_child[0], buffer, sizeof buffer)) > 0) {
            answer.append(buffer, static_cast<std::size_t>(got));
        }
        ::close(from_child[0]);
        int status = -1;
        REQUIRE(::waitpid(child, &status, 0) == child);
        CHECK(WIFEXITED(status));
        CHECK(WEXITSTATUS(status) == 0);
        CHECK(answer.find(R"("name":"MyServer")") != std::string::npos);
    }

    TEST_CASE("overview: Streamable HTTP") {
        StreamableHttpServerOptions http_opts;
        http_opts.port = 3001;
        http_opts.stateless = true;
        http_opts.port = 0;  // beside other servers of this machine

        auto transport = std::make_shared<StreamableHttpServerTransport>(http_opts);

        ServerOptions opts;
        opts.server_info = Implementation{"MyServer", "1.0.0"};

        auto server = McpServer::Create(transport, opts);
        std::thread runner([&] { server->Run(); });
        const std::string answer =
            test::Http(transport->Port(), test::Post(test::Modern("server/discover"),
                                                     "MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: server/discover\r\n"));
        CHECK(answer.find("MyServer") != std::string::npos);
        server->Close();
        runner.join();
    }

    TEST_CASE("overview: a tool object") {
        auto server = McpServer::Create(nullptr);
        auto tool = McpServerTool::Create("get_weather",
            [](const RequestContext<CallToolRequestParams>& ctx) -> CallToolResult {
                return test::Say(ctx.Params().name);
            },
            ToolOptions{}.Description("获取天气"));
        server->RegisterTool(tool);
        CHECK(tool->ProtocolTool().description == "获取天气");
        CHECK(test::Text(test::CallTool(*server, R"({"name":"get_weather"})")) == "get_weather");
    }

    TEST_CASE("overview: completion") {
        auto server = McpServer::Create(nullptr);
        server->SetCompletionHandler(
            [](const CompleteRequestParams& params) -> CompleteResult {
                static_cast<void>(params);
                CompleteResult result;
                result.completion = JsonValue::Parse(R"({"values":["value1","value2"]})");
                return result;
            });
        server->RegisterPrompt("p", PromptOptions{}.Arguments({PromptArgument{"a"}}),
                               [](const auto&, const auto&) { return GetPromptResult(); });
        const JsonValue answer = test::Dispatch(
            *server, "completion/complete",
            R"({"ref":{"type":"ref/prompt","name":"p"},"argument":{"name":"a","value":"v"}})");
        CHECK(answer["result"]["completion"]["values"].Dump() == R"(["value1","value2"])");
        CHECK(server->GetCapabilities().completions.has_value());
    }

    TEST_CASE("overview: properties") {
        auto server = McpServer::Create(nullptr);
        std::shared_ptr<const ClientCapabilities> capabilities = server->GetClientCapabilities();
        std::shared_ptr<const Implementation> info = server->GetClientInfo();
        std::string version = server->GetNegotiatedProtocolVersion();
        const ServerCapabilities& derived = server->GetCapabilities();
        CHECK((capabilities == nullptr));
        CHECK((info == nullptr));
        CHECK(version.empty());
        CHECK_FALSE(derived.tools.has_value());
        CHECK(server->IsMrtrSupported());
        server->SendToolListChanged();
        server->SendResourceListChanged();
        server->SendResourceUpdated("x://y");
        server->SendPromptListChanged();
        server->SendLoggingMessage(LoggingLevel::Info, "data");
        server->SendLoggingMessage(LoggingLevel::Info, "data", LoggingLevel::Debug);
    }

    TEST_CASE("tools: a tool with a lambda") {
        auto server = McpServer::Create(nullptr);
        server->RegisterTool("get_weather",
            ToolOptions{}.Description("获取某个位置的当前天气"),
            [](const RequestContext<CallToolRequestParams>& ctx) -> CallToolResult {
                std::string location;
                if (ctx.Params().arguments) {
                    auto* v = ctx.Params().arguments->Find("location");
                    if (v) location = v->GetString();
                }

                CallToolResult result;
                result.content.push_back(
                    TextContent{"text", location + "的天气是晴天。"});
                return result;
            });
        CHECK(test::Text(test::CallTool(*server, R"({"name":"get_weather","arguments":{"location":"北京"}})")) ==
              "北京的天气是晴天。");
        CHECK(test::Text(test::CallTool(*server, R"({"name":"get_weather"})")) == "的天气是晴天。");
    }

    TEST_CASE("tools: annotations") {
        auto server = McpServer::Create(nullptr);
        ToolOptions opts;
        opts.title = "删除文件";
        opts.description = "按路径永久删除文件";
        opts.destructive = true;   // 标记为 destructive_hint
        opts.idempotent = false;

        server->RegisterTool("delete_file", opts,
            [](const RequestContext<CallToolRequestParams>& ctx) -> CallToolResult {
                return test::Say(ctx.Params().name);
            });
        const JsonValue tool = test::Dispatch(*server, "tools/list")["result"]["tools"][0];
        CHECK(tool["title"] == JsonValue("删除文件"));
        CHECK(tool["description"] == JsonValue("按路径永久删除文件"));
        CHECK(tool["annotations"].Dump() == R"({"destructiveHint":true,"idempotentHint":false})");
        CHECK(tool["inputSchema"].Dump() == R"({"properties":{},"type":"object"})");
    }

    TEST_CASE("tools: structured content") {
        auto server = McpServer::Create(nullptr);
        ToolOptions opts;
        opts.use_structured_content = true;
        server->RegisterTool("update", opts, [](const RequestContext<CallToolRequestParams>&) -> CallToolResult {
            CallToolResult result;
            result.content.push_back(TextContent{"text", "已处理。"});
            result.structured_content = JsonValue::Parse(R"({
    "records_updated": 42,
    "duration_ms": 153
})");
            return result;
        });
        const JsonValue result = test::CallTool(*server, R"({"name":"update"})")["result"];
        CHECK(result["content"].Size() == 1);
        CHECK(result["structuredContent"].Dump() == R"({"duration_ms":153,"records_updated":42})");
        CHECK(test::Dispatch(*server, "tools/list")["result"]["tools"][0]["outputSchema"].Dump() == R"({"type":"object"})");
    }

    TEST_CASE("tools: an input schema") {
        auto server = McpServer::Create(nullptr);
        auto schema = JsonValue::Parse(R"({
    "type": "object",
    "properties": {
        "location": {"type": "string"},
        "units": {"type": "string", "enum": ["celsius", "fahrenheit"]}
    },
    "required": ["location"]
})");

        server->RegisterTool("get_weather",
            ToolOptions{}.InputSchema(std::move(schema)),
            [](const RequestContext<CallToolRequestParams>& ctx) -> CallToolResult {
                return test::Say(ctx.Params().arguments->At("location").GetString());
            });
        CHECK(test::Text(test::CallTool(*server, R"({"name":"get_weather","arguments":{"location":"x"}})")) == "x");
        const JsonValue wrong = test::CallTool(*server, R"({"name":"get_weather","arguments":{"units":"kelvin"}})");
        CHECK(wrong["result"]["isError"] == JsonValue(true));
    }

    TEST_CASE("tools: several rounds") {
        ServerOptions options;
        options.request_state_key = "a key of the host's, long enough to be one";
        auto server = McpServer::Create(nullptr, options);
        server->RegisterTool("ask", {}, [](const RequestContext<CallToolRequestParams>& ctx) -> CallToolResult {
            if (ctx.Params().input_responses) {
                return test::Say(ctx.Params().input_responses->At("api_key").At("action").GetString());
            }
            CallToolResult result;
            InputRequiredResult ir;
            ElicitRequestParams params;
            params.message = "请提供 API 密钥";
            ir.input_requests["api_key"] = MakeInputRequestForElicitation(params);
            result.input_required = std::move(ir);
            return result;  // 服务端自动签名 requestState（需配置 request_state_key）
        });
        const JsonValue first = test::CallTool(*server, R"({"name":"ask"})");
        REQUIRE(first["result"]["resultType"] == JsonValue("input_required"));
        const JsonValue& question = first["result"]["inputRequests"]["api_key"];
        CHECK(question["method"] == JsonValue("elicitation/create"));
        CHECK(question["params"]["message"] == JsonValue("请提供 API 密钥"));
        JsonValue retry = JsonValue::Parse(R"({"name":"ask","inputResponses":{"api_key":{"action":"decline"}}})");
        if (const JsonValue* state = first["result"].Find("requestState")) {
            retry["requestState"] = *state;
        }
        CHECK(test::Text(test::CallTool(*server, retry.Dump().c_str())) == "decline");
        retry["requestState"] = JsonValue("changed");
        const JsonValue refused = test::CallTool(*server, retry.Dump().c_str());
        CHECK(refused["error"]["code"] == JsonValue(-32602));
        CHECK(refused["error"]["data"]["reason"] == JsonValue("invalid_request_state"));
    }

    // A tool in task mode is run as an ordinary call.
    TEST_CASE("tools: a task") {
        const auto path = std::filesystem::temp_directory_path() / ("mcp-page-" + std::to_string(::getpid()) + ".json");
        ServerOptions options;
        options.task_store = std::make_shared<FileTaskStore>(path);
        auto server = McpServer::Create(nullptr, options);
        ToolExecution execution;
        execution.mode = ToolExecutionMode::Task;

        ToolOptions opts;
        opts.execution = execution;
        opts.description = "耗时较长的计算";

        server->RegisterTool("slow_compute", opts,
            [](const RequestContext<CallToolRequestParams>& ctx) -> CallToolResult {
                // 轮询 ctx.IsCancellationRequested() 实现协作取消
                return test::Say(ctx.IsCancellationRequested() ? "cancelled" : "computed");
            });
        CHECK(test::Text(test::CallTool(*server, R"({"name":"slow_compute"})")) == "computed");
        std::filesystem::remove(path);
    }
}
