// The life of a server: started, closed, destroyed and started again, from anywhere (B142 to B145, B150).

#include "client.hpp"
#include "http_client.hpp"

#include <mcp/transport/StreamableHttpServerTransport.hpp>

#include <atomic>
#include <deque>
#include <thread>
#include <vector>

using namespace mcp;
using Context = RequestContext<CallToolRequestParams>;

namespace {

// Counts how many of it there are.
class Counted {
public:
    explicit Counted(std::atomic<int>& count) : count_(&count) { ++*count_; }
    Counted(const Counted& other) : count_(other.count_) { ++*count_; }
    Counted& operator=(const Counted&) = delete;
    ~Counted() { --*count_; }

private:
    std::atomic<int>* count_;
};

std::string ModernPost(const char* name) {
    const std::string params = std::string(R"({"name":")") + name + "\"}";
    const std::string headers =
        std::string("MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: tools/call\r\nMcp-Name: ") + name + "\r\n";
    return test::Post(test::Modern("tools/call", params.c_str()), headers.c_str());
}

}  // namespace

TEST_SUITE("lifecycle") {
    TEST_CASE("a host that never runs: Create, register, Start, Close twice, and again on the same port") {
        std::uint16_t port = 0;
        for (int round = 0; round < 3; ++round) {
            StreamableHttpServerOptions http;
            http.port = port;
            http.enable_legacy_sse = false;
            auto transport = std::make_shared<StreamableHttpServerTransport>(http);
            auto server = McpServer::Create(transport);
            REQUIRE(server);
            server->RegisterTool("t", ToolOptions{}.Description("d"), [](const Context&) { return test::Say("up"); });
            transport->Start();
            transport->Start();
            port = transport->Port();
            CHECK(test::Http(port, ModernPost("t")).find("up") != std::string::npos);
            if (round % 2 == 0) {
                server->Close();
                transport->Close();
            } else {
                transport->Close();
                server->Close();
            }
            CHECK(test::Http(port, ModernPost("t")).empty());
            server.reset();
            transport->Close();
            transport.reset();
        }
    }

    TEST_CASE("Run ends when another thread closes, and after Close at once") {
        auto pair = InMemoryTransport::CreatePair();
        auto server = McpServer::Create(pair.server);
        std::thread runner([&] { server->Run(); });
        test::Client client(pair.client);
        client.Initialize();
        server->Close();
        runner.join();
        server->Close();
        server->Run();
        // Nothing is left to be asked.
        CHECK_FALSE(server->Dispatch("x").value_or("").find("result") != std::string::npos);
    }

    TEST_CASE("Run without a transport waits for Close") {
        auto server = McpServer::Create(nullptr);
        std::thread runner([&] { server->Run(); });
        server->Close();
        runner.join();
    }

    TEST_CASE("what handlers hold is destroyed once, when they are removed or the server is") {
        std::atomic<int> count{0};
        {
            auto server = McpServer::Create(nullptr);
            {
                const Counted held(count);
                server->RegisterTool("a", {}, [held](const Context&) { return CallToolResult(); });
                server->RegisterTool("b", {}, [held](const Context&) { return CallToolResult(); });
                server->RegisterResource("r", "x://r", {}, [held](const std::string&) { return ReadResourceResult(); });
                server->RegisterPrompt("p", {}, [held](const auto&, const auto&) { return GetPromptResult(); });
                server->SetCompletionHandler([held](const CompleteRequestParams&) { return CompleteResult(); });
                server->SetCompletionHandler([held](const CompleteRequestParams&) { return CompleteResult(); });
                CHECK_THROWS_AS(server->RegisterTool("not a name", {}, [held](const Context&) { return CallToolResult(); }),
                                McpError);
            }
            CHECK(count == 5);
            server->RemoveTool("a");
            CHECK(count == 4);
            server->RegisterTool("b", {}, [](const Context&) { return CallToolResult(); });
            CHECK(count == 3);
        }
        CHECK(count == 0);
    }

    TEST_CASE("what a server that could not be made was given is destroyed too") {
        std::atomic<int> count{0};
        {
            const Counted held(count);
            ServerOptions options;
            options.on_initialized = [held] {};
            options.executor = [held](std::function<void()> job) { job(); };
            options.protocol_version = "never";
            CHECK_THROWS_AS(McpServer::Create(nullptr, options), McpError);
        }
        CHECK(count == 0);
    }

    TEST_CASE("a server without threads is driven by the host") {
        ServerOptions options;
        options.worker_threads = 0;
        std::deque<std::function<void()>> jobs;
        options.executor = [&](std::function<void()> job) { jobs.push_back(std::move(job)); };
        auto pair = InMemoryTransport::CreatePair();
        auto server = McpServer::Create(pair.server, options);
        const std::thread::id here = std::this_thread::get_id();
        server->RegisterTool("t", {}, [here](const Context&) {
            CHECK((std::this_thread::get_id() == here));
            return test::Say("on the host's thread");
        });
        const auto next = [&] {
            while (true) {
                server->Poll(std::chrono::milliseconds(0));
                for (; !jobs.empty(); jobs.pop_front()) {
                    jobs.front()();
                }
                if (auto message = pair.client->GetMessageChannel().Receive(std::chrono::milliseconds(0))) {
                    return std::move(*message);
                }
            }
        };
        pair.client->SendMessageAsync(
            test::Request(1, "initialize",
                          JsonValue::Parse(R"({"protocolVersion":"2025-11-25","capabilities":{},)"
                                           R"("clientInfo":{"name":"c","version":"1"}})")));
        CHECK(IsResponse(next()));
        pair.client->SendMessageAsync(test::Request(2, "tools/call", JsonValue::Parse(R"({"name":"t"})")));
        const JsonRpcMessage answer = next();
        CHECK(AsResponse(answer)->result["content"][0]["text"] == JsonValue("on the host's thread"));
        pair.client->Close();
        while (server->Poll(std::chrono::milliseconds(10))) {
        }
    }
}

TEST_SUITE("threads: lifecycle") {
    // B142
    TEST_CASE("Close from inside of a handler asks for the end and lets the answer leave") {
        auto pair = InMemoryTransport::CreatePair();
        auto server = McpServer::Create(pair.server);
        server->RegisterTool("stop", {}, [](const Context& ctx) {
            ctx.Server().Close();
            ctx.Server().Close();
            return test::Say("stopping");
        });
        test::Client client(pair.client);
        client.Initialize();
        std::thread runner([&] { server->Run(); });
        CHECK(test::Text(client.Call("tools/call", R"({"name":"stop"})")) == "stopping");
        runner.join();
    }

    TEST_CASE("Close of the transport from inside of a handler, over HTTP") {
        StreamableHttpServerOptions http;
        http.port = 0;
        auto transport = std::make_shared<StreamableHttpServerTransport>(http);
        auto server = McpServer::Create(transport);
        server->RegisterTool("stop", {}, [&](const Context&) {
            transport->Close();
            return test::Say("stopping");
        });
        CHECK(test::Http(transport->Port(), ModernPost("stop")).find("stopping") != std::string::npos);
        server->Run();
    }

    TEST_CASE("Close from callbacks") {
        ServerOptions options;
        McpServer* raw = nullptr;
        test::Gate closed;
        options.on_initialized = [&] { raw->Close(); };
        options.on_transport_close = [&] {
            raw->Close();
            closed.Open();
        };
        auto pair = InMemoryTransport::CreatePair();
        auto server = McpServer::Create(pair.server, options);
        raw = server.get();
        test::Client client(pair.client);
        client.Initialize();
        server->Run();
        CHECK(closed.Wait());
    }

    TEST_CASE("a server destroyed by its own handler: the handler ends first") {
        std::atomic<int> count{0};
        auto pair = InMemoryTransport::CreatePair();
        auto server = std::make_unique<std::unique_ptr<McpServer>>(McpServer::Create(pair.server));
        test::Gate destroyed;
        std::atomic<int> inside{-1};
        {
            const Counted held(count);
            (*server)->RegisterTool("die", {}, [&, held](const Context& ctx) {
                server->reset();
                inside = count.load();
                CHECK_THROWS_AS(ctx.Server(), McpError);
                CHECK(ctx.Params().name == "die");
                destroyed.Open();
                return CallToolResult();
            });
        }
        test::Client client(pair.client);
        client.Initialize();
        client.Ask("tools/call", JsonValue::Parse(R"({"name":"die"})"));
        REQUIRE(destroyed.Wait());
        CHECK(inside == 1);
        // The destructors run when the handler has returned, on its thread.
        while (count != 0) {
            std::this_thread::yield();
        }
    }

    // B143
    TEST_CASE("a server destroyed with calls in flight: nothing is called afterwards") {
        for (const bool over_http : {false, true}) {
            std::atomic<int> count{0};
            std::atomic<int> running{0};
            auto release = std::make_unique<test::Gate>();
            std::shared_ptr<ITransport> transport;
            InMemoryTransport::Pair pair;
            std::vector<std::thread> callers;
            if (over_http) {
                StreamableHttpServerOptions http;
                http.port = 0;
                transport = std::make_shared<StreamableHttpServerTransport>(http);
            } else {
                pair = InMemoryTransport::CreatePair();
                transport = pair.server;
            }
            auto server = McpServer::Create(transport);
            {
                const Counted held(count);
                server->RegisterTool("wait", {}, [&, held, gate = release.get()](const Context&) {
                    ++running;
                    gate->Wait();
                    --running;
                    return test::Say("late");
                });
            }
            constexpr int kCalls = 50;
            std::optional<test::Client> client;
            if (over_http) {
                const std::uint16_t port = static_cast<StreamableHttpServerTransport&>(*transport).Port();
                for (int i = 0; i < kCalls; ++i) {
                    callers.emplace_back([port] { test::Http(port, ModernPost("wait")); });
                }
            } else {
                client.emplace(pair.client);
                client->Initialize();
                for (int i = 0; i < kCalls; ++i) {
                    client->Ask("tools/call", JsonValue::Parse(R"({"name":"wait"})"));
                }
            }
            while (running < kCalls) {
                std::this_thread::yield();
            }
            CHECK(server->Close(std::chrono::milliseconds(0)) >= static_cast<std::size_t>(kCalls));
            std::thread opener([gate = release.get()] { gate->Open(); });
            server.reset();
            CHECK(running == 0);
            CHECK(count == 0);
            opener.join();
            release.reset();
            for (std::thread& caller : callers) {
                caller.join();
            }
        }
    }

    // B144
    TEST_CASE("from inside of a handler everything can be called") {
        std::atomic<int> count{0};
        auto pair = InMemoryTransport::CreatePair();
        ServerOptions options;
        options.declare_logging = true;
        auto server = McpServer::Create(pair.server, options);
        server->RegisterTool("other", {}, [](const Context&) { return test::Say("other"); });
        {
            const Counted held(count);
            server->RegisterTool("all", {}, [&, held](const Context& ctx) {
                McpServer& self = ctx.Server();
                self.RegisterTool("added", {}, [](const Context&) { return CallToolResult(); });
                CHECK(self.RemoveTool("all"));
                CHECK(count >= 1);
                self.SendToolListChanged();
                self.SendResourceUpdated("x://y");
                self.SendLoggingMessage(LoggingLevel::Error, "m");
                ctx.Log(LoggingLevel::Error, "m");
                ctx.ReportProgress(1.0);
                static_cast<void>(self.GetCapabilities().tools.has_value());
                CHECK(self.GetClientInfo()->name == "legacy");
                const auto answer = self.Dispatch(test::Modern("tools/call", R"({"name":"other"})"));
                CHECK(answer->find("other") != std::string::npos);
                ElicitRequestParams params;
                params.message = "?";
                params.requested_schema = JsonValue::Parse(R"({"type":"object","properties":{"a":{"type":"string"}}})");
                return test::Say(self.Elicit(params).get().action);
            });
        }
        test::Client client(pair.client);
        client.Initialize();
        const std::int64_t id = client.Ask("tools/call", JsonValue::Parse(R"({"name":"all"})"));
        JsonRpcResponse response;
        response.id = client.NextRequest().id;
        response.result = JsonValue::Parse(R"({"action":"cancel"})");
        client.Transport().SendMessageAsync(response);
        CHECK(test::Text(client.Answer(id)) == "cancel");
        CHECK(client.Call("tools/call", R"({"name":"all"})").Contains("error"));
    }

    // B145
    TEST_CASE("a handler that hangs does not hold Close for ever") {
        test::Gate started;
        test::Gate release;
        auto pair = InMemoryTransport::CreatePair();
        auto server = McpServer::Create(pair.server);
        server->RegisterTool("hang", {}, [&](const Context&) {
            started.Open();
            release.Wait();
            return CallToolResult();
        });
        test::Client client(pair.client);
        client.Initialize();
        client.Ask("tools/call", JsonValue::Parse(R"({"name":"hang"})"));
        REQUIRE(started.Wait());
        CHECK(server->Close(std::chrono::milliseconds(50)) == 1);
        release.Open();
        server.reset();
    }

    TEST_CASE("a blocked handler does not hold others up, and Close waits for it") {
        test::Gate started;
        test::Gate release;
        std::atomic<bool> done{false};
        auto pair = InMemoryTransport::CreatePair();
        auto server = McpServer::Create(pair.server);
        server->RegisterTool("block", {}, [&](const Context&) {
            started.Open();
            release.Wait();
            done = true;
            return test::Say("done");
        });
        test::Client client(pair.client);
        client.Initialize();
        const std::int64_t id = client.Ask("tools/call", JsonValue::Parse(R"({"name":"block"})"));
        REQUIRE(started.Wait());
        CHECK(client.Call("ping").Contains("result"));
        std::thread closer([&] {
            server->Close();
            CHECK(done);
        });
        release.Open();
        closer.join();
        CHECK(test::Text(client.Answer(id)) == "done");
    }
}
