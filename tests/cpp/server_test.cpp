// What a server offers, and what it knows of its clients.

#include "client.hpp"

#include <mcp/server/RequestState.hpp>

#include <algorithm>
#include <atomic>
#include <thread>
#include <vector>

using namespace mcp;
using test::CallTool;
using test::Dispatch;

TEST_SUITE("server") {
    TEST_CASE("a tool is called without a transport, with its arguments") {
        auto server = McpServer::Create(nullptr);
        server->RegisterTool("greet", ToolOptions{}.Description("Greets"),
                             [](const RequestContext<CallToolRequestParams>& ctx) {
                                 return test::Say("hi " + ctx.Params().arguments->At("name").GetString());
                             });
        const JsonValue answer = CallTool(*server, R"({"name":"greet","arguments":{"name":"Ann"}})");
        CHECK(test::Text(answer) == "hi Ann");
        CHECK(answer["result"]["resultType"] == JsonValue("complete"));
    }

    TEST_CASE("a tool is called through memory by a legacy client") {
        auto pair = InMemoryTransport::CreatePair();
        auto server = McpServer::Create(pair.server);
        server->RegisterTool("echo", {}, [](const RequestContext<CallToolRequestParams>& ctx) {
            return test::Say(ctx.Params().arguments ? ctx.Params().arguments->Dump() : "none");
        });
        test::Client client(pair.client);
        const JsonValue hello = client.Initialize();
        CHECK(hello["result"]["protocolVersion"] == JsonValue("2025-11-25"));
        CHECK(hello["result"]["capabilities"]["tools"]["listChanged"] == JsonValue(true));
        CHECK(test::Text(client.Call("tools/call", R"({"name":"echo","arguments":{"a":[1]}})")) == R"({"a":[1]})");
        CHECK(test::Text(client.Call("tools/call", R"({"name":"echo","arguments":{}})")) == "{}");
        CHECK(test::Text(client.Call("tools/call", R"({"name":"echo"})")) == "none");
    }

    TEST_CASE("a handler sees the whole request, its parameters and its client") {
        auto server = McpServer::Create(nullptr);
        server->RegisterTool("look", {}, [&](const RequestContext<CallToolRequestParams>& ctx) {
            const CallToolRequestParams& params = ctx.Params();
            CHECK(&ctx.Server() == server.get());
            CHECK(params.name == "look");
            REQUIRE(params.meta.has_value());
            CHECK(params.meta->client_info->name == "tester");
            CHECK(params.meta->client_capabilities->elicitation.has_value());
            CHECK(params.meta->log_level == LoggingLevel::Warning);
            CHECK(ctx.GetRequest().method == "tools/call");
            CHECK(std::get<std::int64_t>(ctx.GetRequest().id) == 1);
            CHECK(ctx.GetRequest().params->At("name") == JsonValue("look"));
            CHECK(ctx.GetRequest().meta->Find("traceparent")->GetString() == "00-1");
            CHECK(ctx.LogLevel() == LoggingLevel::Warning);
            CHECK(ctx.ClientInfo()->version == "1");
            CHECK(ctx.ClientCapabilities().elicitation.has_value());
            CHECK(ctx.ProtocolVersion() == "2026-07-28");
            CHECK_FALSE(ctx.Principal().has_value());
            CHECK(ctx.Meta()->Contains("traceparent"));
            CHECK_FALSE(ctx.IsCancellationRequested());
            CHECK_FALSE(params.input_responses.has_value());
            CHECK_FALSE(params.request_state.has_value());
            return test::Say("seen");
        });
        JsonValue meta = test::Meta();
        meta["io.modelcontextprotocol/logLevel"] = JsonValue("warning");
        meta["traceparent"] = JsonValue("00-1");
        CHECK(test::Text(Dispatch(*server, "tools/call", R"({"name":"look"})", meta)) == "seen");
        CHECK(server->GetClientInfo()->name == "tester");
        CHECK(server->GetNegotiatedProtocolVersion() == "2026-07-28");
        CHECK((server->GetClientCapabilities() == nullptr));
    }

    TEST_CASE("bad tool names, schemas and templates are refused and change nothing") {
        auto server = McpServer::Create(nullptr);
        const auto fine = [](const RequestContext<CallToolRequestParams>&) { return test::Say("old"); };
        server->RegisterTool("kept", {}, fine);
        const std::string long_name(129, 'a');
        for (const std::string& name : {std::string(), std::string("bad name"), std::string("bad@name"),
                                        std::string("na\xc3\xafve"), long_name}) {
            try {
                server->RegisterTool(name, {}, fine);
                FAIL("accepted: " << name);
            } catch (const McpError& error) {
                CHECK(error.Code() == McpErrorCode::InvalidParams);
            }
        }
        server->RegisterTool("tool_1.a-b", {}, fine);
        server->RegisterTool(std::string(128, 'a'), {}, fine);
        ToolOptions bad;
        bad.input_schema = JsonValue::Parse(R"({"type":"nonsense"})");
        CHECK_THROWS_AS(server->RegisterTool("kept", bad, fine), McpError);
        CHECK(test::Text(CallTool(*server, R"({"name":"kept"})")) == "old");
        CHECK_THROWS_AS(server->RegisterTool(nullptr), McpError);
        CHECK_THROWS_AS(server->RegisterTool("empty", {}, nullptr), McpError);
        try {
            server->RegisterResourceTemplate("t", "file:///{path", {}, [](const auto&, const auto&) {
                return ReadResourceResult();
            });
            FAIL("accepted");
        } catch (const McpError& error) {
            CHECK(error.Code() == McpErrorCode::InvalidParams);
        }
    }

    TEST_CASE("what has the same name is replaced") {
        auto server = McpServer::Create(nullptr);
        for (const char* text : {"one", "two"}) {
            server->RegisterTool("t", {}, [text](const auto&) { return test::Say(text); });
            server->RegisterResource("r", "x://r", {}, [text](const std::string& uri) {
                ReadResourceResult result;
                result.contents.push_back(TextResourceContents{uri, text});
                return result;
            });
            server->RegisterPrompt("p", {}, [text](const std::string&, const std::optional<JsonValue>&) {
                GetPromptResult result;
                result.description = text;
                return result;
            });
        }
        CHECK(test::Text(CallTool(*server, R"({"name":"t"})")) == "two");
        CHECK(Dispatch(*server, "resources/read", R"({"uri":"x://r"})")["result"]["contents"][0]["text"] ==
              JsonValue("two"));
        CHECK(Dispatch(*server, "prompts/get", R"({"name":"p"})")["result"]["description"] == JsonValue("two"));
        CHECK(Dispatch(*server, "tools/list")["result"]["tools"].Size() == 1);
        CHECK(server->RemoveTool("t"));
        CHECK_FALSE(server->RemoveTool("t"));
        CHECK(server->RemoveResource("x://r"));
        CHECK(server->RemovePrompt("p"));
        CHECK_FALSE(server->RemoveResourceTemplate("x://{a}"));
    }

    TEST_CASE("resources come before templates, whose variables are percent-decoded") {
        auto server = McpServer::Create(nullptr);
        server->RegisterResource("tree", "godot://scene/tree", ResourceOptions{}.Description("d").MimeType("text/plain"),
                                 [](const std::string& uri) {
                                     TextResourceContents text;
                                     text.uri = uri;
                                     text.text = "static";
                                     text.mime_type = "application/json";
                                     ReadResourceResult result;
                                     result.contents = {ResourceContents{text}};
                                     return result;
                                 });
        server->RegisterResourceTemplate("any", "godot://scene/{path}", {},
                                         [](const std::string& uri, const std::map<std::string, std::string>& vars) {
                                             ReadResourceResult result;
                                             result.contents.push_back(TextResourceContents{uri, vars.at("path")});
                                             result.contents.push_back(BlobResourceContents{uri, "aGk=", "a/b"});
                                             result.cache_hint = CacheHint{1234, "public"};
                                             return result;
                                         });
        JsonValue answer = Dispatch(*server, "resources/read", R"({"uri":"godot://scene/tree"})");
        CHECK(answer["result"]["contents"][0].Dump() ==
              R"({"mimeType":"application/json","text":"static","uri":"godot://scene/tree"})");
        answer = Dispatch(*server, "resources/read", R"({"uri":"godot://scene/a%20b"})");
        CHECK(answer["result"]["contents"][0]["text"] == JsonValue("a b"));
        CHECK(answer["result"]["contents"][1]["blob"] == JsonValue("aGk="));
        CHECK(answer["result"]["ttlMs"] == JsonValue(1234));
        CHECK(answer["result"]["cacheScope"] == JsonValue("public"));
        const JsonValue list = Dispatch(*server, "resources/list");
        CHECK(list["result"]["resources"][0]["mimeType"] == JsonValue("text/plain"));
        CHECK(Dispatch(*server, "resources/read", R"({"uri":"other://x"})")["error"]["code"] == JsonValue(-32602));
    }

    TEST_CASE("prompts and completion") {
        auto server = McpServer::Create(nullptr);
        server->RegisterPrompt("ask", PromptOptions{}.Description("d").Arguments({PromptArgument{"who", "w", true}}),
                               [](const std::string& name, const std::optional<JsonValue>& arguments) {
                                   PromptMessage message;
                                   message.role = "assistant";
                                   message.content =
                                       TextContent{"text", name + ":" + arguments->At("who").GetString()};
                                   GetPromptResult result;
                                   result.messages = {std::move(message)};
                                   return result;
                               });
        server->SetCompletionHandler([](const CompleteRequestParams& params) {
            CompleteResult result;
            result.completion = JsonValue(JsonValue::Object{
                {"values", JsonValue(JsonValue::Array{JsonValue(params.argument_value + "lf")})},
                {"total", JsonValue(1)},
                {"hasMore", JsonValue(false)}});
            return result;
        });
        JsonValue answer = Dispatch(*server, "prompts/get", R"({"name":"ask","arguments":{"who":"Wo"}})");
        CHECK(answer["result"]["messages"].Dump() == R"([{"content":{"text":"ask:Wo","type":"text"},"role":"assistant"}])");
        answer = Dispatch(*server, "completion/complete",
                          R"({"ref":{"type":"ref/prompt","name":"ask"},"argument":{"name":"who","value":"Wo"}})");
        CHECK(answer["result"]["completion"].Dump() == R"({"hasMore":false,"total":1,"values":["Wolf"]})");
        CHECK(Dispatch(*server, "prompts/list")["result"]["prompts"][0]["arguments"][0]["required"] == JsonValue(true));
    }

    TEST_CASE("capabilities are derived") {
        auto server = McpServer::Create(nullptr);
        const ServerCapabilities& none = server->GetCapabilities();
        CHECK_FALSE(none.tools.has_value());
        CHECK_FALSE(none.logging.has_value());
        server->RegisterTool("t", {}, [](const auto&) { return CallToolResult(); });
        CHECK(server->GetCapabilities().tools->list_changed == true);
        CHECK_FALSE(server->GetCapabilities().prompts.has_value());
        // References stay valid.
        CHECK_FALSE(none.tools.has_value());
        ServerOptions options;
        options.declare_logging = true;
        options.declare_completions = true;
        auto declared = McpServer::Create(nullptr, options);
        CHECK(declared->GetCapabilities().logging.has_value());
        CHECK(declared->GetCapabilities().completions.has_value());
    }

    TEST_CASE("cache hints: the resolver is asked first, and can be replaced") {
        ServerOptions options;
        options.cache_hints = std::map<std::string, CacheHint, std::less<>>{
            {"tools/list", CacheHint{std::int64_t{0}, "private"}}, {"prompts/list", CacheHint{5000, "public"}}};
        options.cache_hint_resolver = [](std::string_view method) -> std::optional<CacheHint> {
            return method == "tools/list" ? std::optional<CacheHint>(CacheHint{77, "public"}) : std::nullopt;
        };
        auto server = McpServer::Create(nullptr, options);
        server->RegisterTool("t", {}, [](const auto&) { return CallToolResult(); });
        server->RegisterPrompt("p", {}, [](const auto&, const auto&) { return GetPromptResult(); });
        CHECK(Dispatch(*server, "tools/list")["result"]["ttlMs"] == JsonValue(77));
        CHECK(Dispatch(*server, "prompts/list")["result"]["ttlMs"] == JsonValue(5000));
        server->SetCacheable([](std::string_view) { return CacheHint{88, "private"}; });
        CHECK(Dispatch(*server, "tools/list")["result"]["ttlMs"] == JsonValue(88));
        CHECK(Dispatch(*server, "prompts/list")["result"]["cacheScope"] == JsonValue("private"));
        server->SetCacheable([](std::string_view) -> std::optional<CacheHint> { throw 1; });
        CHECK(Dispatch(*server, "prompts/list")["result"]["ttlMs"] == JsonValue(5000));
        server->SetCacheable(nullptr);
        CHECK(Dispatch(*server, "tools/list")["result"]["ttlMs"] == JsonValue(0));
        CHECK(Dispatch(*server, "tools/list")["result"]["cacheScope"] == JsonValue("private"));
    }

    TEST_CASE("supported versions are narrowed, a version can be pinned, and mistakes are told") {
        ServerOptions options;
        options.supported_protocol_versions = std::vector<std::string>{"2026-07-28", "2025-11-25"};
        auto server = McpServer::Create(nullptr, options);
        CHECK(Dispatch(*server, "server/discover")["result"]["supportedVersions"].Size() == 2);
        CHECK(server->IsMrtrSupported());
        options.supported_protocol_versions->push_back("1999-01-01");
        CHECK_THROWS_AS(McpServer::Create(nullptr, options), McpError);
        ServerOptions pinned;
        pinned.protocol_version = std::string(kLegacyProtocolVersion);
        auto legacy = McpServer::Create(nullptr, pinned);
        CHECK_FALSE(legacy->IsMrtrSupported());
        CHECK(Dispatch(*legacy, "server/discover").Contains("error"));
    }

    TEST_CASE("who is served is known") {
        auto pair = InMemoryTransport::CreatePair();
        ServerOptions options;
        options.server_info = Implementation{"n", "1", "Title"};
        options.server_instructions = "Be nice.";
        auto server = McpServer::Create(pair.server, options);
        CHECK((server->GetClientInfo() == nullptr));
        CHECK((server->GetClientCapabilities() == nullptr));
        CHECK(server->GetNegotiatedProtocolVersion().empty());
        test::Client client(pair.client);
        const JsonValue hello = client.Initialize();
        CHECK(hello["result"]["serverInfo"]["title"] == JsonValue("Title"));
        CHECK(hello["result"]["instructions"] == JsonValue("Be nice."));
        CHECK(client.Call("ping").Contains("result"));
        CHECK(server->GetClientInfo()->name == "legacy");
        CHECK(server->GetClientCapabilities()->elicitation.has_value());
        CHECK(server->GetNegotiatedProtocolVersion() == "2025-11-25");
        CHECK(server->IsMrtrSupported());
    }

    TEST_CASE("a client is asked outside of requests") {
        auto pair = InMemoryTransport::CreatePair();
        auto server = McpServer::Create(pair.server);
        ElicitRequestParams params;
        params.message = "Name?";
        params.requested_schema = JsonValue::Parse(R"({"type":"object","properties":{"name":{"type":"string"}}})");
        CHECK_THROWS_AS(server->Elicit(params).get(), McpError);
        test::Client client(pair.client);
        client.Initialize();
        client.Call("ping");
        std::future<ElicitResult> answer = server->Elicit(params);
        const JsonRpcMessage asked = client.Receive();
        const JsonRpcRequest* request = AsRequest(asked);
        REQUIRE(request != nullptr);
        CHECK(request->method == "elicitation/create");
        CHECK(request->params->At("message") == JsonValue("Name?"));
        JsonRpcResponse response;
        response.id = request->id;
        response.result = JsonValue::Parse(R"({"action":"accept","content":{"name":"Ann"}})");
        client.Transport().SendMessageAsync(response);
        const ElicitResult result = answer.get();
        CHECK(result.action == "accept");
        CHECK(result.content->Dump() == R"({"name":"Ann"})");
        // A question that is open when the server ends is answered with an error.
        std::future<ElicitResult> open = server->Elicit(params);
        client.Receive();
        server.reset();
        CHECK_THROWS_AS(open.get(), McpError);
    }

    TEST_CASE("changes and log messages are told") {
        auto pair = InMemoryTransport::CreatePair();
        ServerOptions options;
        options.declare_logging = true;
        auto server = McpServer::Create(pair.server, options);
        server->RegisterResource("r", "x://r", {}, [](const std::string&) { return ReadResourceResult(); });
        test::Client client(pair.client);
        client.Initialize();
        client.Call("resources/subscribe", R"({"uri":"x://r"})");
        const auto next = [&] { return std::get<JsonRpcNotification>(client.Receive()); };
        server->SendResourceUpdated("x://other");
        server->SendResourceUpdated("x://r");
        CHECK(next().params->At("uri") == JsonValue("x://r"));
        server->SendResourceListChanged();
        CHECK(next().method == notifications::kResourceListChanged);
        server->RegisterTool("t", {}, [](const auto&) { return CallToolResult(); });
        CHECK(next().method == notifications::kToolListChanged);
        server->SendLoggingMessage(LoggingLevel::Error, "dropped", LoggingLevel::Critical);
        server->SendLoggingMessage(LoggingLevel::Error, "\"kept\"", LoggingLevel::Error);
        const JsonRpcNotification log = next();
        CHECK(log.method == notifications::kMessage);
        CHECK(log.params->At("data") == JsonValue("\"kept\""));
        server->SendTaskStatus("task-1", TaskStatus::Failed);
    }

    TEST_CASE("a handler reports progress and logs") {
        auto pair = InMemoryTransport::CreatePair();
        ServerOptions options;
        options.declare_logging = true;
        auto server = McpServer::Create(pair.server, options);
        server->RegisterTool("work", {}, [](const RequestContext<CallToolRequestParams>& ctx) {
            ctx.ReportProgress(1.0, 2.0, "half");
            ctx.Log(LoggingLevel::Debug, "dropped");
            ctx.Log(LoggingLevel::Error, "told");
            return test::Say("done");
        });
        test::Client client(pair.client);
        client.Initialize();
        client.Call("logging/setLevel", R"({"level":"warning"})");
        client.Ask("tools/call", JsonValue::Parse(R"({"name":"work","_meta":{"progressToken":"p"}})"));
        CHECK(std::get<JsonRpcNotification>(client.Receive()).params->At("message") == JsonValue("half"));
        CHECK(std::get<JsonRpcNotification>(client.Receive()).params->At("data") == JsonValue("told"));
        CHECK(IsResponse(client.Receive()));
    }

    TEST_CASE("state that a client brings back is checked by key or by the host") {
        ServerOptions options;
        options.request_state_key = "0123456789abcdef0123456789abcdef";
        auto server = McpServer::Create(nullptr, options);
        server->RegisterTool("ask", {}, [](const RequestContext<CallToolRequestParams>& ctx) {
            if (ctx.Params().input_responses) {
                const auto payload = detail::DecodeRequestStatePayload(*ctx.Params().request_state);
                return test::Say(payload->At("step").GetString() + ctx.Params().input_responses->At("k").Dump());
            }
            CallToolResult result;
            InputRequiredResult input;
            ElicitRequestParams params;
            params.message = "?";
            params.requested_schema = JsonValue::Parse(R"({"type":"object","properties":{"a":{"type":"string"}}})");
            input.input_requests["k"] = MakeInputRequestForElicitation(params);
            input.request_state = R"({"step":"one"})";
            result.input_required = std::move(input);
            return result;
        });
        const JsonValue first = CallTool(*server, R"({"name":"ask"})");
        REQUIRE(first["result"]["resultType"] == JsonValue("input_required"));
        CHECK(IsInputRequiredResult(first["result"]));
        JsonValue retry = JsonValue::Parse(R"({"name":"ask","inputResponses":{"k":{"action":"accept","content":{"a":"x"}}}})");
        retry["requestState"] = first["result"]["requestState"];
        CHECK(test::Text(CallTool(*server, retry.Dump().c_str())) == R"(one{"action":"accept","content":{"a":"x"}})");
        retry["requestState"] = JsonValue(first["result"]["requestState"].GetString() + "x");
        const JsonValue refused = CallTool(*server, retry.Dump().c_str());
        CHECK(refused["error"]["code"] == JsonValue(-32602));
        CHECK(refused["error"]["data"]["reason"] == JsonValue("invalid_request_state"));
    }

    TEST_CASE("bounds: elements of arguments, pages") {
        ServerOptions options;
        options.max_tool_input_elements = 3;
        options.page_size = 1;
        options.limits.message_bytes = 4096;
        options.subscriptions_enabled = false;
        auto server = McpServer::Create(nullptr, options);
        for (const char* name : {"a", "b"}) {
            server->RegisterTool(name, {}, [](const auto&) { return test::Say("fine"); });
        }
        CHECK(test::Text(CallTool(*server, R"({"name":"a","arguments":{"l":[1,2]}})")) == "fine");
        CHECK(CallTool(*server, R"({"name":"a","arguments":{"l":[1,2,3]}})")["result"]["isError"] == JsonValue(true));
        CHECK(Dispatch(*server, "tools/list")["result"].Contains("nextCursor"));
        CHECK(Dispatch(*server, "subscriptions/listen", R"({"notifications":{}})")["error"]["code"] == JsonValue(-32601));
    }
}

TEST_SUITE("threads: server") {
    // B149: clean under the thread sanitizer.
    TEST_CASE("notifications, questions, registrations and calls from many threads") {
        auto pair = InMemoryTransport::CreatePair();
        ServerOptions options;
        options.declare_logging = true;
        auto server = McpServer::Create(pair.server, options);
        test::Client client(pair.client);
        client.Initialize();
        std::atomic<bool> stop{false};
        // The client answers what it is asked, and takes what it is told.
        std::thread reader([&] {
            while (auto message = pair.client->GetMessageChannel().Receive()) {
                if (const JsonRpcRequest* request = AsRequest(*message)) {
                    JsonRpcResponse response;
                    response.id = request->id;
                    response.result = JsonValue::Parse(R"({"action":"decline"})");
                    pair.client->SendMessageAsync(response);
                }
            }
        });
        std::vector<std::thread> threads;
        for (int t = 0; t < 16; ++t) {
            threads.emplace_back([&, t] {
                const std::string name = "tool" + std::to_string(t);
                for (int i = 0; i < 5; ++i) {
                    server->RegisterTool(name, {}, [](const auto&) { return test::Say("x"); });
                    server->SendLoggingMessage(LoggingLevel::Error, "m");
                    server->SendToolListChanged();
                    server->SendResourceUpdated("x://y");
                    static_cast<void>(server->GetCapabilities().tools.has_value());
                    static_cast<void>(server->GetClientInfo());
                    server->SetCacheable([](std::string_view) { return CacheHint{1, "public"}; });
                    static_cast<void>(server->Dispatch(test::Modern("tools/list")));
                    ElicitRequestParams params;
                    params.message = "?";
                    params.requested_schema = JsonValue::Parse(R"({"type":"object","properties":{"a":{"type":"string"}}})");
                    try {
                        server->Elicit(params).get();
                    } catch (const McpError&) {
                        // There may be too many questions at once.
                    }
                    server->RemoveTool(name);
                }
            });
        }
        for (std::thread& thread : threads) {
            thread.join();
        }
        stop = true;
        server->Close();
        pair.client->Close();
        reader.join();
    }
}
