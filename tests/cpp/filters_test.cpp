// Filters of messages, and the callbacks that watch them.

#include "client.hpp"

#include <mutex>
#include <string>
#include <vector>

using namespace mcp;
using test::CallTool;
using test::Dispatch;
using Context = RequestContext<CallToolRequestParams>;

namespace {

std::shared_ptr<FilterPipeline> Pipeline(MessageFilterFunc function) {
    auto pipeline = std::make_shared<FilterPipeline>();
    pipeline->AddFilter(std::make_shared<MessageFilterFuncAdapter>(std::move(function)));
    return pipeline;
}

// What was seen, in order.
class Record {
public:
    void Add(std::string line) {
        const std::lock_guard<std::mutex> lock(mutex_);
        lines_.push_back(std::move(line));
    }

    std::vector<std::string> Lines() {
        const std::lock_guard<std::mutex> lock(mutex_);
        return lines_;
    }

    bool Has(const std::string& line) {
        for (const std::string& seen : Lines()) {
            if (seen == line) {
                return true;
            }
        }
        return false;
    }

private:
    std::mutex mutex_;
    std::vector<std::string> lines_;
};

}  // namespace

TEST_SUITE("filters") {
    TEST_CASE("a pipeline runs its filters in order; an empty one passes") {
        FilterPipeline pipeline;
        const JsonRpcMessage message = JsonRpcNotification{"2.0", "n"};
        int passed = 0;
        pipeline.Execute(message, [&](const JsonRpcMessage& same) {
            CHECK(&same == &message);
            ++passed;
        });
        CHECK(passed == 1);
        for (const char* mark : {"a", "b"}) {
            pipeline.AddFilter(std::make_shared<MessageFilterFuncAdapter>(
                [mark](const JsonRpcMessage& seen, MessageFilterNext next) {
                    JsonRpcMessage changed = seen;
                    std::get<JsonRpcNotification>(changed).method += mark;
                    next(changed);
                    next(changed);
                }));
        }
        for (int i = 0; i < 2; ++i) {
            std::string method;
            pipeline.Execute(message, [&](const JsonRpcMessage& changed) {
                method += std::get<JsonRpcNotification>(changed).method;
            });
            CHECK(method == "nab");
        }
    }

    TEST_CASE("an incoming filter stops and changes requests") {
        ServerOptions options;
        options.incoming_filters = Pipeline([](const JsonRpcMessage& message, MessageFilterNext next) {
            const auto* request = std::get_if<JsonRpcRequest>(&message);
            if (request != nullptr && request->method == "tools/list") {
                return;
            }
            if (request != nullptr && request->method == "tools/call") {
                JsonRpcRequest changed = *request;
                (*changed.params)["name"] = JsonValue("other");
                return next(changed);
            }
            next(message);
        });
        auto server = McpServer::Create(nullptr, options);
        server->RegisterTool("t", {}, [](const Context&) { return test::Say("t"); });
        server->RegisterTool("other", {}, [](const Context&) { return test::Say("other"); });
        CHECK(Dispatch(*server, "tools/list").Contains("error"));
        CHECK(test::Text(CallTool(*server, R"({"name":"t"})")) == "other");
        CHECK(Dispatch(*server, "server/discover").Contains("result"));
        options.incoming_filters->AddFilter(
            std::make_shared<MessageFilterFuncAdapter>([](const JsonRpcMessage&, MessageFilterNext) { throw 1; }));
        CHECK(Dispatch(*server, "server/discover").Contains("error"));
    }

    TEST_CASE("an outgoing filter changes and stops answers, and a late next is harmless") {
        ServerOptions options;
        MessageFilterNext kept;
        options.outgoing_filters = Pipeline([&](const JsonRpcMessage& message, MessageFilterNext next) {
            const auto* response = std::get_if<JsonRpcResponse>(&message);
            if (response != nullptr && response->result.Contains("content")) {
                JsonRpcResponse changed = *response;
                changed.result["content"][0]["text"] = JsonValue("censored");
                kept = next;
                return next(changed);
            }
            next(message);
        });
        auto server = McpServer::Create(nullptr, options);
        server->RegisterTool("t", {}, [](const Context&) { return test::Say("secret"); });
        CHECK(test::Text(CallTool(*server, R"({"name":"t"})")) == "censored");
        kept(JsonRpcNotification{"2.0", "late"});
        CHECK(Dispatch(*server, "tools/list").Contains("result"));
    }

    TEST_CASE("callbacks see whole messages, and both forms are called") {
        Record record;
        ServerOptions options;
        options.on_method_called = [&](std::string_view method) { record.Add("method " + std::string(method)); };
        options.on_request = [&](std::string_view method, const JsonRpcRequest& request) {
            record.Add("request " + std::string(method) + " " + RequestIdToJson(request.id).Dump() +
                       (request.params ? " with parameters" : ""));
        };
        options.on_response = [&](const JsonRpcResponse& response) {
            record.Add("response " + RequestIdToJson(response.id).Dump());
        };
        options.on_error = [&](const JsonRpcErrorResponse& error) {
            record.Add("error " + (error.id ? RequestIdToJson(*error.id).Dump() : "none") + " " +
                       std::to_string(static_cast<std::int64_t>(error.error.code)));
        };
        options.on_protocol_error = [&](std::string_view) { record.Add("protocol error"); };
        options.on_notification = [&](const JsonRpcNotification& notification) {
            record.Add("notification " + notification.method);
        };
        options.on_client_connected = [&](const Implementation& info) { record.Add("connected " + info.name); };
        options.on_initialized = [&] { record.Add("initialized"); };
        options.on_transport_close = [&] { record.Add("closed"); };
        {
            auto pair = InMemoryTransport::CreatePair();
            auto server = McpServer::Create(pair.server, options);
            test::Client client(pair.client);
            client.Initialize();
            client.Call("ping");
            CHECK(client.Call("no/such")["error"]["code"] == JsonValue(-32601));
            server->Close();
        }
        CHECK(record.Has("method initialize"));
        CHECK(record.Has("request initialize 1 with parameters"));
        CHECK(record.Has("response 1"));
        CHECK(record.Has("connected legacy"));
        CHECK(record.Has("notification notifications/initialized"));
        CHECK(record.Has("initialized"));
        CHECK(record.Has("error 3 -32601"));
        CHECK(record.Has("protocol error"));
        CHECK(record.Has("closed"));
    }
}
