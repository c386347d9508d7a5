// Tools as objects, tools that answer later, and contexts that are kept.

#include "client.hpp"

#include <atomic>
#include <deque>
#include <memory>
#include <thread>
#include <vector>

using namespace mcp;
using test::CallTool;
using test::Dispatch;
using Context = RequestContext<CallToolRequestParams>;

namespace {

// Answers when the test says so.
class LaterTool : public McpServerTool {
public:
    explicit LaterTool(std::string name) { tool_.name = std::move(name); }

    const Tool& ProtocolTool() const override { return tool_; }

    void InvokeAsync(const Context& ctx, std::promise<CallToolResult> promise) override {
        const std::lock_guard<std::mutex> lock(mutex_);
        open_.emplace_back(ctx, std::move(promise));
        arrived_.notify_all();
    }

    std::pair<Context, std::promise<CallToolResult>> Take() {
        std::unique_lock<std::mutex> lock(mutex_);
        REQUIRE(arrived_.wait_for(lock, test::kPatience, [this] { return !open_.empty(); }));
        auto call = std::move(open_.front());
        open_.pop_front();
        return call;
    }

private:
    Tool tool_;
    std::mutex mutex_;
    std::condition_variable arrived_;
    std::deque<std::pair<Context, std::promise<CallToolResult>>> open_;
};

// Answers in one of several ways.
class ModeTool : public McpServerTool {
public:
    ModeTool() {
        tool_.name = "mode";
        tool_.input_schema = JsonValue::Parse(R"({"type":"object","required":["mode"]})");
        tool_.annotations = ToolAnnotations{};
        tool_.annotations->read_only_hint = true;
    }

    const Tool& ProtocolTool() const override { return tool_; }

    void InvokeAsync(const Context& ctx, std::promise<CallToolResult> promise) override {
        const std::string mode = ctx.Params().arguments->At("mode").GetString();
        if (mode == "now") {
            promise.set_value(test::Say("now"));
        } else if (mode == "mcp") {
            promise.set_exception(std::make_exception_ptr(McpError(McpErrorCode::InvalidParams, "told")));
        } else if (mode == "other") {
            promise.set_exception(std::make_exception_ptr(42));
        } else if (mode == "throw") {
            throw McpError(McpErrorCode::InternalError, "thrown");
        } else if (mode == "ask") {
            promise.set_value(test::Say(ctx.Ask("k", Question()).At("action").GetString()));
        } else if (mode == "thread") {
            std::thread([self = shared_from_this(), ctx, promise = std::move(promise)]() mutable {
                promise.set_value(test::Say("from a thread for " + ctx.Params().name));
            }).detach();
        } else if (mode == "ask-thread") {
            std::thread([ctx, promise = std::move(promise)]() mutable {
                try {
                    promise.set_value(test::Say(ctx.Ask("k", Question()).At("action").GetString()));
                } catch (...) {
                    promise.set_exception(std::current_exception());
                }
            }).detach();
        }
        // Anything else: the promise is broken.
    }

    static JsonValue Question() {
        ElicitRequestParams params;
        params.message = "?";
        params.requested_schema = JsonValue::Parse(R"({"type":"object","properties":{"a":{"type":"string"}}})");
        return MakeInputRequestForElicitation(params);
    }

private:
    Tool tool_;
};

std::string Mode(McpServer& server, const char* mode) {
    JsonValue params = JsonValue::Parse(R"({"name":"mode","arguments":{}})");
    params["arguments"]["mode"] = JsonValue(mode);
    const JsonValue answer = CallTool(server, params.Dump().c_str());
    const JsonValue* error = answer["result"].Find("isError");
    return (error != nullptr && error->GetBool() ? "!" : "") + test::Text(answer);
}

// The same question asked twice: the answer of the first round is brought back.
JsonValue Retry(const JsonValue& first, const char* params) {
    JsonValue retry = JsonValue::Parse(params);
    retry["inputResponses"] = JsonValue(JsonValue::object_tag);
    for (const auto& [key, question] : first["result"]["inputRequests"]) {
        static_cast<void>(question);
        retry["inputResponses"][key] = JsonValue::Parse(R"({"action":"decline"})");
    }
    if (const JsonValue* state = first["result"].Find("requestState")) {
        retry["requestState"] = *state;
    }
    return retry;
}

}  // namespace

TEST_SUITE("tool") {
    TEST_CASE("a tool object says what it is") {
        const auto tool = McpServerTool::Create(
            "calc", std::function<CallToolResult(const Context&)>([](const Context&) { return test::Say("4"); }),
            ToolOptions{}.Description("Calculator").Title("Calc"));
        CHECK(tool->ProtocolTool().name == "calc");
        CHECK(tool->ProtocolTool().description == "Calculator");
        CHECK(tool->ProtocolTool().input_schema.Dump() == R"({"properties":{},"type":"object"})");
        CHECK_FALSE(tool->ProtocolTool().annotations.has_value());
        CHECK_FALSE(tool->ProtocolTool().output_schema.has_value());
        ToolOptions options;
        options.name = "ignored";
        options.destructive = true;
        options.idempotent = false;
        options.use_structured_content = true;
        options.icons.push_back(Icon{"data:,"});
        options.meta = JsonValue::Parse(R"({"a":1})");
        auto server = McpServer::Create(nullptr);
        server->RegisterTool("real", options, [](const Context&) {
            CallToolResult result;
            result.structured_content = JsonValue::Parse(R"({"n":1})");
            result.meta = JsonValue::Parse(R"({"m":2})");
            return result;
        });
        const JsonValue listed = Dispatch(*server, "tools/list")["result"]["tools"][0];
        CHECK(listed["name"] == JsonValue("real"));
        CHECK(listed["annotations"].Dump() == R"({"destructiveHint":true,"idempotentHint":false})");
        CHECK(listed["outputSchema"].Dump() == R"({"type":"object"})");
        CHECK(listed["icons"][0]["src"] == JsonValue("data:,"));
        CHECK(listed["_meta"]["a"] == JsonValue(1));
        const JsonValue answer = CallTool(*server, R"({"name":"real"})");
        CHECK(answer["result"]["structuredContent"].Dump() == R"({"n":1})");
        CHECK(answer["result"]["_meta"]["m"] == JsonValue(2));
        CHECK(test::Text(answer) == R"({"n":1})");
    }

    TEST_CASE("a tool made of a function can be invoked by another one") {
        auto server = McpServer::Create(nullptr);
        const auto inner = McpServerTool::Create("inner", [](const Context&) -> CallToolResult {
            throw McpError(McpErrorCode::InternalError, "inside");
        });
        server->RegisterTool("outer", {}, [inner](const Context& ctx) {
            std::promise<CallToolResult> promise;
            auto future = promise.get_future();
            inner->InvokeAsync(ctx, std::move(promise));
            return future.get();
        });
        CHECK(test::Text(CallTool(*server, R"({"name":"outer"})")) == "inside");
        CHECK_THROWS_AS(McpServerTool::Create("x", std::function<CallToolResult(const Context&)>()), McpError);
    }

    TEST_CASE("content of every kind") {
        auto server = McpServer::Create(nullptr);
        server->RegisterTool("media", {}, [](const Context&) {
            CallToolResult result;
            TextContent text{"text", "t"};
            text.annotations = Annotations{};
            text.annotations->priority = 0.5;
            result.content.push_back(text);
            result.content.push_back(ImageContent{"image", "cG5n", "image/png"});
            result.content.push_back(AudioContent{"audio", "d2F2", "audio/wav"});
            EmbeddedResource embedded;
            embedded.resource = TextResourceContents{"x://y", "z"};
            result.content.push_back(embedded);
            ResourceLink link{"resource_link", "x://y"};
            link.name = "y";
            result.content.push_back(link);
            return result;
        });
        const JsonValue content = CallTool(*server, R"({"name":"media"})")["result"]["content"];
        REQUIRE(content.Size() == 5);
        CHECK(content[0]["annotations"]["priority"] == JsonValue(0.5));
        CHECK(content[1]["data"] == JsonValue("cG5n"));
        CHECK(content[2]["mimeType"] == JsonValue("audio/wav"));
        CHECK(content[3]["resource"]["text"] == JsonValue("z"));
        CHECK(content[4]["name"] == JsonValue("y"));
    }

    TEST_CASE("a tool of the host's own class answers in every way") {
        auto server = McpServer::Create(nullptr);
        server->RegisterTool(std::make_shared<ModeTool>());
        CHECK(Dispatch(*server, "tools/list")["result"]["tools"][0]["annotations"]["readOnlyHint"] == JsonValue(true));
        CHECK(Mode(*server, "now") == "now");
        CHECK(Mode(*server, "mcp") == "!told");
        CHECK(Mode(*server, "throw") == "!thrown");
        CHECK(Mode(*server, "thread") == "from a thread for mode");
        for (const char* mode : {"other", "broken"}) {
            const std::string text = Mode(*server, mode);
            CHECK(text.front() == '!');
            CHECK(text.find("42") == std::string::npos);
            CHECK(text.find("romise") == std::string::npos);
        }
    }

    TEST_CASE("questions from a tool's own thread and from its call") {
        auto server = McpServer::Create(nullptr);
        server->RegisterTool(std::make_shared<ModeTool>());
        for (const char* params :
             {R"({"name":"mode","arguments":{"mode":"ask"}})", R"({"name":"mode","arguments":{"mode":"ask-thread"}})"}) {
            const JsonValue first = CallTool(*server, params);
            REQUIRE(first["result"]["resultType"] == JsonValue("input_required"));
            CHECK(test::Text(CallTool(*server, Retry(first, params).Dump().c_str())) == "decline");
        }
    }

    TEST_CASE("a legacy client is asked, and the handler is called again") {
        std::atomic<int> runs{0};
        auto pair = InMemoryTransport::CreatePair();
        auto server = McpServer::Create(pair.server);
        server->RegisterTool("ask", {}, [&](const Context& ctx) {
            ++runs;
            const JsonValue answer = ctx.Ask("k", ModeTool::Question());
            return test::Say(answer.At("content").At("a").GetString());
        });
        test::Client client(pair.client);
        client.Initialize();
        const std::int64_t id = client.Ask("tools/call", JsonValue::Parse(R"({"name":"ask"})"));
        JsonRpcResponse response;
        response.id = client.NextRequest().id;
        response.result = JsonValue::Parse(R"({"action":"accept","content":{"a":"fine"}})");
        client.Transport().SendMessageAsync(response);
        CHECK(test::Text(client.Answer(id)) == "fine");
        CHECK(runs == 2);
    }

    TEST_CASE("a handler that swallows everything does not disturb the question") {
        auto server = McpServer::Create(nullptr);
        server->RegisterTool("greedy", {}, [](const Context& ctx) {
            try {
                ctx.Ask("k", ModeTool::Question());
            } catch (const std::exception&) {
                return test::Say("a std::exception");
            } catch (...) {
                return test::Say("swallowed");
            }
            return test::Say("answered");
        });
        CHECK(CallTool(*server, R"({"name":"greedy"})")["result"]["resultType"] == JsonValue("input_required"));
    }

    TEST_CASE("a context may be kept, and is inert when the request is over") {
        auto server = McpServer::Create(nullptr);
        std::optional<Context> kept;
        server->RegisterTool("keep", {}, [&](const Context& ctx) {
            kept.emplace(ctx);
            return test::Say("kept");
        });
        CHECK(test::Text(CallTool(*server, R"({"name":"keep","arguments":{"a":"b"}})")) == "kept");
        CHECK(kept->Params().arguments->At("a") == JsonValue("b"));
        CHECK(kept->GetRequest().method == "tools/call");
        CHECK(kept->ClientInfo()->name == "tester");
        kept->Log(LoggingLevel::Error, "nobody listens");
        kept->ReportProgress(1.0);
        CHECK_THROWS_AS(kept->Ask("k", ModeTool::Question()), McpError);
        const Context copy = *kept;
        server.reset();
        CHECK(copy.Params().name == "keep");
        CHECK_THROWS_AS(copy.Server(), McpError);
        kept.reset();
        static_cast<void>(copy.IsCancellationRequested());
    }

    TEST_CASE("a context without a client, to call handlers from tests") {
        auto server = McpServer::Create(nullptr);
        JsonRpcRequest request;
        request.method = "tools/call";
        CallToolRequestParams params;
        params.name = "t";
        std::string logged;
        auto cancelled = std::make_shared<std::atomic<bool>>(false);
        const Context ctx(*server, request, params, [&](LoggingLevel, std::string_view text) { logged = text; },
                          cancelled);
        const Context copy = ctx;
        CHECK(copy.Params().name == "t");
        CHECK(copy.GetRequest().method == "tools/call");
        copy.Log(LoggingLevel::Info, "line");
        CHECK(logged == "line");
        CHECK_FALSE(copy.IsCancellationRequested());
        *cancelled = true;
        CHECK(copy.IsCancellationRequested());
        copy.ReportProgress(1.0);
        CHECK_FALSE(copy.ClientInfo().has_value());
        CHECK_FALSE(copy.Principal().has_value());
        CHECK_FALSE(copy.Meta().has_value());
        CHECK(copy.ProtocolVersion().empty());
        CHECK_THROWS_AS(copy.Ask("k", ModeTool::Question()), McpError);
    }

    TEST_CASE("options of a tool: inline, time, and how many at once") {
        auto server = McpServer::Create(nullptr);
        ToolOptions options;
        options.run_inline = true;
        server->RegisterTool("inline", options, [](const Context&) { return test::Say("quick"); });
        CHECK(test::Text(CallTool(*server, R"({"name":"inline"})")) == "quick");
        ToolOptions slow;
        slow.timeout = std::chrono::milliseconds(20);
        const auto gate = std::make_shared<test::Gate>();
        server->RegisterTool("slow", slow, [gate](const Context& ctx) {
            gate->Wait();
            return test::Say(ctx.IsCancellationRequested() ? "cancelled" : "not cancelled");
        });
        CHECK(CallTool(*server, R"({"name":"slow"})")["result"]["isError"] == JsonValue(true));
        gate->Open();
        ToolOptions one;
        one.max_concurrency = 0;
        CHECK_THROWS_AS(server->RegisterTool("never", one, [](const Context&) { return CallToolResult(); }), McpError);
    }

    TEST_CASE("a tool in task mode is run as an ordinary call") {
        auto server = McpServer::Create(nullptr);
        ToolExecution execution;
        execution.mode = ToolExecutionMode::Task;
        ToolOptions options;
        options.execution = execution;
        server->RegisterTool("t", options, [](const Context&) { return test::Say("done"); });
        CHECK(test::Text(CallTool(*server, R"({"name":"t"})")) == "done");
    }
}

TEST_SUITE("threads: tool") {
    TEST_CASE("many calls are open at once, answered in any order, and none holds a thread") {
        auto pair = InMemoryTransport::CreatePair();
        ServerOptions options;
        options.handler_threads = 1;
        auto server = McpServer::Create(pair.server, options);
        auto later = std::make_shared<LaterTool>("later");
        server->RegisterTool(later);
        server->RegisterTool("now", {}, [](const Context&) { return test::Say("now"); });
        test::Client client(pair.client);
        client.Initialize();
        constexpr int kCalls = 40;
        for (int i = 0; i < kCalls; ++i) {
            client.Ask("tools/call", JsonValue::Parse(R"({"name":"later"})"));
        }
        std::vector<std::pair<Context, std::promise<CallToolResult>>> open;
        for (int i = 0; i < kCalls; ++i) {
            open.push_back(later->Take());
        }
        CHECK(test::Text(client.Call("tools/call", R"({"name":"now"})")) == "now");
        while (!open.empty()) {
            open.back().second.set_value(test::Say("later"));
            open.pop_back();
            while (!IsResponse(client.Receive())) {
            }
        }
        // A call that is never answered does not hold the end up, and its promise may be kept for longer.
        client.Ask("tools/call", JsonValue::Parse(R"({"name":"later"})"));
        auto never = later->Take();
        server->Close(std::chrono::milliseconds(0));
        server.reset();
        never.second.set_value(test::Say("too late"));
        CHECK(never.first.Params().name == "later");
    }

    TEST_CASE("a client gives up, and the handler sees it") {
        test::Gate started;
        test::Gate seen;
        auto pair = InMemoryTransport::CreatePair();
        auto server = McpServer::Create(pair.server);
        server->RegisterTool("long", {}, [&](const Context& ctx) {
            started.Open();
            while (!ctx.IsCancellationRequested()) {
                std::this_thread::yield();
            }
            seen.Open();
            return CallToolResult();
        });
        test::Client client(pair.client);
        client.Initialize();
        client.Ask("tools/call", JsonValue::Parse(R"({"name":"long"})"));
        REQUIRE(started.Wait());
        client.Send(R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":2}})");
        CHECK(seen.Wait());
    }
}
