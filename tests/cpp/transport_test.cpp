// Transports: in memory, HTTP, the host's own, standard streams, and the stores beside them.

#include "client.hpp"
#include "http_client.hpp"

#include <mcp/http/EventStore.hpp>
#include <mcp/storage/FileTaskStore.hpp>
#include <mcp/transport/StdioServerTransport.hpp>
#include <mcp/transport/StreamableHttpServerTransport.hpp>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <thread>
#include <vector>

using namespace mcp;
using Context = RequestContext<CallToolRequestParams>;

namespace {

// A transport of the host's own: what it carries away is kept.
class FakeTransport : public ITransport {
public:
    std::string_view SessionId() const override { return "fake"; }
    MessageChannel& GetMessageChannel() override { return channel_; }
    void SendMessageAsync(JsonRpcMessage message) override {
        if (failing) {
            throw std::runtime_error("the wire is cut");
        }
        sent.Send(std::move(message));
    }
    void Close() override {
        ++closed;
        channel_.Close();
        sent.Close();
    }
    void Start() override { ++started; }

    void Arrive(const char* text) { CHECK(channel_.TrySend(DeserializeMessage(text))); }

    MessageChannel sent;
    std::atomic<int> started{0};
    std::atomic<int> closed{0};
    std::atomic<bool> failing{false};

private:
    MessageChannel channel_;
};

class BaseTransport : public TransportBase {
public:
    void SendMessageAsync(JsonRpcMessage message) override { sent.Send(std::move(message)); }
    void Close() override { SetDisconnected(); }
    void Arrive(const char* text) { WriteMessage(DeserializeMessage(text)); }
    void Fail(std::string_view text) { NotifyError(text); }

    MessageChannel sent;
};

constexpr const char* kInitialize =
    R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},)"
    R"("clientInfo":{"name":"c","version":"1"}}})";
constexpr const char* kPing = R"({"jsonrpc":"2.0","id":2,"method":"ping"})";

std::unique_ptr<McpServer> Serve(std::shared_ptr<ITransport> transport, const ServerOptions& options = {}) {
    auto server = McpServer::Create(std::move(transport), options);
    server->RegisterTool("t", {}, [](const Context&) { return test::Say("over the wire"); });
    return server;
}

std::string ModernPost() {
    return test::Post(test::Modern("tools/call", R"({"name":"t"})"),
                      "MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: tools/call\r\nMcp-Name: t\r\n");
}

}  // namespace

TEST_SUITE("channel") {
    TEST_CASE("a channel is bounded, in order, and drained after its end") {
        MessageChannel channel(2);
        CHECK(channel.Empty());
        CHECK(channel.TrySend(JsonRpcNotification{"2.0", "a"}));
        CHECK(channel.Send(JsonRpcNotification{"2.0", "b"}));
        CHECK_FALSE(channel.TrySend(JsonRpcNotification{"2.0", "c"}));
        channel.Close();
        channel.Close();
        CHECK_FALSE(channel.IsOpen());
        CHECK_FALSE(channel.Send(JsonRpcNotification{"2.0", "d"}));
        CHECK(std::get<JsonRpcNotification>(*channel.Receive()).method == "a");
        std::string method;
        channel.AsyncReceive([&](std::error_code error, JsonRpcMessage message) {
            CHECK_FALSE(error);
            method = std::get<JsonRpcNotification>(message).method;
        });
        CHECK(method == "b");
        channel.AsyncReceive([&](std::error_code error, const JsonRpcMessage&) {
            CHECK((error == std::errc::operation_canceled));
        });
        CHECK_FALSE(channel.Receive(std::chrono::milliseconds(0)).has_value());
    }
}

TEST_SUITE("transport") {
    TEST_CASE("in memory: what was sent before the server was there is served") {
        auto pair = InMemoryTransport::CreatePair();
        pair.server->Start();
        pair.client->SendMessageAsync(DeserializeMessage(kInitialize));
        auto server = Serve(pair.server);
        auto answer = pair.client->GetMessageChannel().Receive(test::kPatience);
        REQUIRE(answer.has_value());
        CHECK(IsResponse(*answer));
        pair.client->Close();
        server->Run();
    }

    TEST_CASE("a transport of the host's own") {
        std::atomic<int> errors{0};
        test::Gate told;
        ServerOptions options;
        options.on_transport_error = [&](std::string_view text) {
            CHECK(text == "the wire is cut");
            ++errors;
            told.Open();
        };
        auto transport = std::make_shared<FakeTransport>();
        auto server = Serve(transport, options);
        CHECK(transport->started == 1);
        transport->Arrive(kInitialize);
        CHECK(IsResponse(*transport->sent.Receive()));
        transport->failing = true;
        transport->Arrive(kPing);
        CHECK(told.Wait());
        server->Close();
        CHECK(transport->closed == 1);
        server.reset();
        CHECK(transport->closed == 1);
        CHECK(errors >= 1);
    }

    TEST_CASE("a transport made of the base class, with callbacks of the host's") {
        int closed = 0;
        std::string error;
        std::string seen;
        ServerOptions options;
        options.on_transport_error = [&](std::string_view text) { seen = std::string(text); };
        auto transport = std::make_shared<BaseTransport>();
        transport->SetOnClose([&] { ++closed; });
        transport->SetOnError([&](std::string_view text) { error = std::string(text); });
        CHECK(transport->GetState() == TransportState::Initial);
        auto server = Serve(transport, options);
        transport->SetConnected();
        transport->Arrive(kInitialize);
        CHECK(IsResponse(*transport->sent.Receive()));
        transport->Fail("broken");
        CHECK(error == "broken");
        CHECK(seen == "broken");
        transport->SetDisconnected();
        server->Run();
        server->Close();
        CHECK(closed == 1);
        CHECK(transport->GetState() == TransportState::Disconnected);
    }

    TEST_CASE("HTTP: a port of the system's choice, both eras") {
        StreamableHttpServerOptions http;
        http.port = 0;
        http.stateless = false;
        auto transport = std::make_shared<StreamableHttpServerTransport>(http);
        auto server = Serve(transport);
        REQUIRE(transport->Port() != 0);
        CHECK_FALSE(transport->IsStateless());
        CHECK(test::Http(transport->Port(), ModernPost()).find("over the wire") != std::string::npos);
        const std::string hello = test::Http(transport->Port(), test::Post(kInitialize));
        CHECK(hello.find("200 OK") != std::string::npos);
        CHECK(hello.find("mcp-session-id") != std::string::npos);
        // The options of the transport name the server where its own do not.
        CHECK(hello.find("mcp-server") != std::string::npos);
        test::Http(transport->Port(), test::Post(kInitialize));
        const auto info = server->GetClientInfo();
        REQUIRE((info != nullptr));
        CHECK(info->name == "c");
    }

    TEST_CASE("HTTP: who may come, and how much") {
        StreamableHttpServerOptions http;
        http.port = 0;
        http.endpoint = "/here";
        http.allowed_hosts = {"example.org"};
        http.allowed_origins = {"https://app.example"};
        http.cors_origins = {"https://app.example"};
        http.limits.body_bytes = 64;
        auto transport = std::make_shared<StreamableHttpServerTransport>(http);
        auto server = Serve(transport);
        CHECK(test::Http(transport->Port(), ModernPost()).find(" 403 ") != std::string::npos);
        const std::string large =
            "POST /here HTTP/1.1\r\nHost: example.org\r\nConnection: close\r\nContent-Type: application/json\r\n"
            "Content-Length: 65\r\n\r\n" +
            std::string(65, ' ');
        CHECK(test::Http(transport->Port(), large).find(" 413 ") != std::string::npos);
    }

    TEST_CASE("HTTP: a taken port, a bad address and a bad option are told by Create") {
        StreamableHttpServerOptions http;
        http.port = 0;
        auto first = std::make_shared<StreamableHttpServerTransport>(http);
        auto server = Serve(first);
        http.port = first->Port();
        auto second = std::make_shared<StreamableHttpServerTransport>(http);
        auto waiting = Serve(second);
        try {
            second->Start();
            FAIL("two servers listen on one port");
        } catch (const std::exception& error) {
            CHECK(std::string(error.what()).find(std::to_string(http.port)) != std::string::npos);
        }
        CHECK_THROWS_AS(waiting->Run(), McpError);
        CHECK_THROWS_AS(McpServer::Create(first), McpError);
        CHECK(test::Http(first->Port(), ModernPost()).find("over the wire") != std::string::npos);
        server->Close();
        second->Start();
        CHECK(test::Http(http.port, ModernPost()).find("over the wire") != std::string::npos);
        second->Close();
        second->Close();
        CHECK_THROWS_AS(second->Start(), McpError);
        http.host = "not an address";
        auto nowhere = McpServer::Create(std::make_shared<StreamableHttpServerTransport>(http));
        CHECK_THROWS_AS(nowhere->Run(), McpError);
    }

    TEST_CASE("HTTP: events are kept in a store of the host's, and can be resumed") {
        StreamableHttpServerOptions http;
        http.port = 0;
        http.stateless = false;
        auto store = std::make_shared<EventStore>();
        http.event_store = store;
        auto transport = std::make_shared<StreamableHttpServerTransport>(http);
        ServerOptions options;
        options.declare_logging = true;
        auto server = Serve(transport, options);
        server->RegisterTool("loud", {}, [](const Context& ctx) {
            ctx.ReportProgress(1.0, std::nullopt, "one");
            ctx.ReportProgress(2.0, std::nullopt, "two");
            return test::Say("three");
        });
        const std::string hello = test::Http(transport->Port(), test::Post(kInitialize));
        const std::size_t at = hello.find("mcp-session-id: ");
        REQUIRE(at != std::string::npos);
        const std::string session = "Mcp-Session-Id: " + hello.substr(at + 16, hello.find("\r\n", at) - at - 16) +
                                    "\r\nMCP-Protocol-Version: 2025-11-25\r\n";
        const std::string call =
            R"({"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"loud","_meta":{"progressToken":1}}})";
        const std::string stream = test::Http(transport->Port(), test::Post(call, session.c_str()));
        CHECK(stream.find("three") != std::string::npos);
        // The id of the event that says "one".
        const std::size_t one = stream.find("\"one\"");
        REQUIRE(one != std::string::npos);
        const std::size_t id = stream.rfind("id: ", one);
        REQUIRE(id != std::string::npos);
        const std::string last = stream.substr(id + 4, stream.find_first_of("\r\n", id) - id - 4);
        const std::string resumed =
            test::Http(transport->Port(), "GET /mcp HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
                                          "Accept: text/event-stream\r\nLast-Event-ID: " + last + "\r\n" + session + "\r\n");
        CHECK(resumed.find("\"one\"") == std::string::npos);
        CHECK(resumed.find("\"two\"") != std::string::npos);
        CHECK(resumed.find("three") != std::string::npos);
    }

    TEST_CASE("standard streams wait for Run or Start, and end with the server") {
        auto transport = std::make_shared<StdioServerTransport>();
        transport->Start();
        int closed = 0;
        transport->SetOnClose([&] { ++closed; });
        auto server = Serve(transport);
        CHECK(transport->GetState() == TransportState::Initial);
        transport->SendMessageAsync(JsonRpcNotification{"2.0", "ignored"});
        transport->Close();
        CHECK(closed == 1);
        server->Close();
        server->Run();
        CHECK_THROWS_AS(McpServer::Create(transport), McpError);
        server.reset();
        transport->Close();
        CHECK(closed == 1);
    }
}

TEST_SUITE("stores") {
    TEST_CASE("an event store forgets the oldest") {
        EventStore store;
        for (int i = 0; i < 1030; ++i) {
            CHECK(store.Append("s", std::to_string(i)) == static_cast<std::uint64_t>(i) + 1);
        }
        const auto all = store.GetEventsSince("s", 0);
        REQUIRE(all.size() == EventStore::kMaxEventsPerSession);
        CHECK(all.front().second == "6");
        CHECK(all.back().second == "1029");
        CHECK(store.GetEventsSince("s", 1029).size() == 1);
        CHECK(store.GetEventsSince("other", 0).empty());
        store.Clear("s");
        CHECK(store.GetEventsSince("s", 0).empty());
    }

    TEST_CASE("tasks in a file survive, and a bad file is told") {
        const std::filesystem::path directory =
            std::filesystem::temp_directory_path() / ("mcp-tasks-" + std::to_string(::getpid()));
        const std::filesystem::path path = directory / "deep" / "tasks.json";
        {
            FileTaskStore store(path);
            CHECK(store.GetAllTasks().empty());
            const TaskState made = store.CreateTask("task-1");
            CHECK(made.status == TaskStatus::Working);
            CHECK(made.created_at.size() == 20);
            CHECK_THROWS_AS(store.CreateTask("task-1"), McpError);
            store.CreateTask("task-2");
            CHECK(store.UpdateTask("task-1", JsonValue::Parse(R"({"a":1})")));
            CHECK(store.SetTaskStatus("task-1", TaskStatus::Completed));
            CHECK_FALSE(store.SetTaskStatus("task-1", TaskStatus::Working));
            CHECK_FALSE(store.CancelTask("task-1", std::nullopt));
            CHECK(store.CancelTask("task-2", std::string("enough")));
            CHECK_FALSE(store.UpdateTask("none", std::nullopt));
            CHECK_FALSE(store.GetTask("none").has_value());
        }
        FileTaskStore again(path);
        CHECK(again.GetAllTasks().size() == 2);
        CHECK(again.GetTask("task-1")->status == TaskStatus::Completed);
        CHECK(again.GetTask("task-1")->result->At("a") == JsonValue(1));
        CHECK(again.GetTask("task-2")->status == TaskStatus::Cancelled);
        CHECK(again.GetTask("task-2")->error_message == "enough");
        CHECK_FALSE(again.GetTask("task-2")->result.has_value());
        CHECK(std::distance(std::filesystem::directory_iterator(path.parent_path()), {}) == 1);
        std::ofstream(path) << "{\"torn";
        CHECK_THROWS_AS(FileTaskStore{path}, McpError);
        std::ofstream(path) << "{}";
        CHECK_THROWS_AS(FileTaskStore{path}, McpError);
        std::filesystem::remove_all(directory);
    }
}
