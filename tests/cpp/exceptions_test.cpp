// What the host's code throws stays where it is: the client learns what it may, the server lives (B146).

#include "client.hpp"

#include <mcp/Log.hpp>

#include <mutex>
#include <new>
#include <stdexcept>
#include <string>
#include <vector>

using namespace mcp;
using test::CallTool;
using test::Dispatch;
using Context = RequestContext<CallToolRequestParams>;

namespace {

[[noreturn]] void Throw(const std::string& what) {
    if (what == "mcp") {
        throw McpError(McpErrorCode::InvalidParams, "the client may know");
    }
    if (what == "local") {
        throw McpError(McpErrorCode::HandlerError, "a code of the library's own");
    }
    if (what == "missing") {
        throw McpError(McpErrorCode::ResourceNotFound, "nothing there");
    }
    if (what == "data") {
        throw McpError(McpErrorCode::InvalidParams, "with data", JsonValue::Parse(R"({"field":"x"})"));
    }
    if (what == "utf8") {
        throw McpError(McpErrorCode::InvalidParams, "\xff\xfe");
    }
    if (what == "std") {
        throw std::runtime_error("password=1234");
    }
    if (what == "memory") {
        throw std::bad_alloc();
    }
    if (what == "int") {
        throw 42;
    }
    throw nullptr;
}

const char* const kKinds[] = {"mcp", "local", "missing", "data", "utf8", "std", "memory", "int", "null"};

}  // namespace

TEST_SUITE("exceptions") {
    TEST_CASE("tools: an error result with the message of McpError, nothing of what others say") {
        auto server = McpServer::Create(nullptr);
        server->RegisterTool("throw", {}, [](const Context& ctx) -> CallToolResult {
            Throw(ctx.Params().arguments->At("what").GetString());
        });
        server->RegisterTool("fine", {}, [](const Context&) { return test::Say("alive"); });
        for (const std::string kind : kKinds) {
            CAPTURE(kind);
            JsonValue params = JsonValue::Parse(R"({"name":"throw","arguments":{}})");
            params["arguments"]["what"] = JsonValue(kind);
            const JsonValue answer = CallTool(*server, params.Dump().c_str());
            REQUIRE(answer.Contains("result"));
            CHECK(answer["result"]["isError"] == JsonValue(true));
            const std::string text = test::Text(answer);
            CHECK(text.find("1234") == std::string::npos);
            if (kind == "mcp") {
                CHECK(text == "the client may know");
            }
            CHECK(test::Text(CallTool(*server, R"({"name":"fine"})")) == "alive");
        }
    }

    TEST_CASE("resources, templates, prompts and completion: JSON-RPC errors") {
        auto server = McpServer::Create(nullptr);
        std::string kind;
        server->RegisterResource("r", "x://r", {}, [&](const std::string&) -> ReadResourceResult { Throw(kind); });
        server->RegisterResourceTemplate("t", "y://{a}", {}, [&](const auto&, const auto&) -> ReadResourceResult {
            Throw(kind);
        });
        server->RegisterPrompt("p", PromptOptions{}.Arguments({PromptArgument{"a"}}), [&](const auto&, const auto&) -> GetPromptResult { Throw(kind); });
        server->SetCompletionHandler([&](const CompleteRequestParams&) -> CompleteResult { Throw(kind); });
        for (const char* name : kKinds) {
            kind = name;
            CAPTURE(kind);
            const JsonValue answers[] = {
                Dispatch(*server, "resources/read", R"({"uri":"x://r"})"),
                Dispatch(*server, "resources/read", R"({"uri":"y://b"})"),
                Dispatch(*server, "prompts/get", R"({"name":"p"})"),
                Dispatch(*server, "completion/complete",
                         R"({"ref":{"type":"ref/prompt","name":"p"},"argument":{"name":"a","value":""}})"),
            };
            for (const JsonValue& answer : answers) {
                REQUIRE(answer.Contains("error"));
                const std::int64_t code = answer["error"]["code"].GetInt();
                const std::string text = answer.Dump();
                CHECK(text.find("1234") == std::string::npos);
                // Codes of the library's own do not appear on the wire; a missing resource is an invalid parameter there.
                const bool is_params = kind == "mcp" || kind == "data" || kind == "missing";
                if (kind != "utf8") {
                    CHECK(code == (is_params ? -32602 : -32603));
                }
                if (kind == "mcp") {
                    CHECK(answer["error"]["message"] == JsonValue("the client may know"));
                }
                if (kind == "data") {
                    CHECK(answer["error"]["data"]["field"] == JsonValue("x"));
                }
            }
        }
    }

    TEST_CASE("results that can't be sent are the server's failure, not the process's") {
        auto server = McpServer::Create(nullptr);
        server->RegisterTool("utf8", {}, [](const Context&) { return test::Say("\xff"); });
        server->RegisterTool("json", {}, [](const Context&) {
            CallToolResult result;
            result.structured_content = JsonValue(std::string("\xff"));
            return result;
        });
        server->RegisterPrompt("role", {}, [](const auto&, const auto&) {
            GetPromptResult result;
            result.messages.push_back(PromptMessage{"nobody", TextContent{"text", "x"}});
            return result;
        });
        CHECK(CallTool(*server, R"({"name":"utf8"})").Dump().find("\xff") == std::string::npos);
        CHECK(CallTool(*server, R"({"name":"json"})")["result"]["isError"] == JsonValue(true));
        CHECK(Dispatch(*server, "prompts/get", R"({"name":"role"})")["error"]["code"] == JsonValue(-32603));
    }

    TEST_CASE("the host's log gets what the client does not, and a sink that throws is harmless") {
        std::mutex mutex;
        std::vector<std::string> lines;
        ServerOptions options;
        options.log_level = LogLevel::Warning;
        options.log_sink = [&](LogLevel, std::string_view, std::string_view text) {
            const std::lock_guard<std::mutex> lock(mutex);
            lines.emplace_back(text);
            throw 1;
        };
        auto server = McpServer::Create(nullptr, options);
        server->RegisterTool("throw", {}, [](const Context&) -> CallToolResult { Throw("std"); });
        CallTool(*server, R"({"name":"throw"})");
        SetLogSink(LogLevel::Off, nullptr);
        bool found = false;
        for (const std::string& line : lines) {
            found = found || line.find("password=1234") != std::string::npos;
        }
        CHECK(found);
    }

    TEST_CASE("callbacks that throw disturb nothing") {
        ServerOptions options;
        options.on_request = [](std::string_view, const JsonRpcRequest&) { throw 1; };
        options.on_response = [](const JsonRpcResponse&) { throw 2; };
        options.on_error = [](const JsonRpcErrorResponse&) { throw 3; };
        options.on_notification = [](const JsonRpcNotification&) { throw 4; };
        options.on_method_called = [](std::string_view) { throw 5; };
        options.on_protocol_error = [](std::string_view) { throw 6; };
        options.on_client_connected = [](const Implementation&) { throw 7; };
        options.on_initialized = [] { throw 8; };
        options.on_transport_close = [] { throw 9; };
        options.request_state_verifier = [](std::string_view) -> bool { throw 10; };
        options.cache_hint_resolver = [](std::string_view) -> std::optional<CacheHint> { throw 11; };
        auto pair = InMemoryTransport::CreatePair();
        auto server = McpServer::Create(pair.server, options);
        server->RegisterTool("t", {}, [](const Context&) { return test::Say("fine"); });
        test::Client client(pair.client);
        client.Initialize();
        CHECK(client.Call("nonsense").Contains("error"));
        CHECK(test::Text(client.Call("tools/call", R"({"name":"t"})")) == "fine");
        CHECK(Dispatch(*server, "tools/list").Contains("result"));
        const JsonValue forged = CallTool(*server, R"({"name":"t","requestState":"forged"})");
        CHECK(forged["error"]["code"] == JsonValue(-32602));
    }

    TEST_CASE("an executor that throws, or forgets a job, answers with an error") {
        ServerOptions options;
        bool throws = true;
        options.executor = [&](std::function<void()>) {
            if (throws) {
                throw std::runtime_error("no");
            }
        };
        auto server = McpServer::Create(nullptr, options);
        server->RegisterTool("t", {}, [](const Context&) { return test::Say("never"); });
        CHECK(CallTool(*server, R"({"name":"t"})")["result"]["isError"] == JsonValue(true));
        throws = false;
        CHECK(CallTool(*server, R"({"name":"t"})")["result"]["isError"] == JsonValue(true));
    }
}
