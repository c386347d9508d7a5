#pragma once

// A client for the tests, over a connection in memory or without a transport.

#include <doctest/doctest.h>
#include <mcp/server/McpServer.hpp>
#include <mcp/transport/InMemoryTransport.hpp>

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace test {

using mcp::JsonValue;

// Long enough for a slow machine, never reached otherwise.
constexpr std::chrono::milliseconds kPatience{30000};

// A gate that a test opens, for handlers to wait at.
class Gate {
public:
    void Open() {
        {
            const std::lock_guard<std::mutex> lock(mutex_);
            open_ = true;
        }
        changed_.notify_all();
    }

    // False when it was not opened in time.
    bool Wait(std::chrono::milliseconds limit = kPatience) {
        std::unique_lock<std::mutex> lock(mutex_);
        return changed_.wait_for(lock, limit, [this] { return open_; });
    }

private:
    std::mutex mutex_;
    std::condition_variable changed_;
    bool open_{false};
};

// Metadata of a request of revision 2026-07-28.
inline JsonValue Meta(const char* capabilities = R"({"elicitation":{"form":{}}})") {
    JsonValue meta(JsonValue::object_tag);
    meta["io.modelcontextprotocol/protocolVersion"] = JsonValue("2026-07-28");
    meta["io.modelcontextprotocol/clientInfo"] = JsonValue::Parse(R"({"name":"tester","version":"1"})");
    meta["io.modelcontextprotocol/clientCapabilities"] = JsonValue::Parse(capabilities);
    return meta;
}

inline mcp::JsonRpcRequest Request(std::int64_t id, std::string_view method, JsonValue params) {
    mcp::JsonRpcRequest request;
    request.id = id;
    request.method = std::string(method);
    request.params = std::move(params);
    return request;
}

// A request of revision 2026-07-28, as text.
inline std::string Modern(std::string_view method, const char* params = "{}", std::optional<JsonValue> meta = {}) {
    JsonValue json = JsonValue::Parse(params);
    json["_meta"] = meta ? *meta : Meta();
    return mcp::SerializeMessage(Request(1, method, json));
}

// Sends a request of revision 2026-07-28 without a transport; the whole answer.
inline JsonValue Dispatch(mcp::McpServer& server, std::string_view method, const char* params = "{}",
                          std::optional<JsonValue> meta = {}) {
    const std::optional<std::string> answer = server.Dispatch(Modern(method, params, std::move(meta)));
    REQUIRE(answer.has_value());
    return JsonValue::Parse(*answer);
}

inline JsonValue CallTool(mcp::McpServer& server, const char* params) {
    return Dispatch(server, "tools/call", params);
}

// The text of the first content of a tool's result, or the error as JSON.
inline std::string Text(const JsonValue& answer) {
    const JsonValue* result = answer.Find("result");
    if (result == nullptr || !result->Contains("content") || result->At("content").Empty()) {
        return answer.Dump();
    }
    return result->At("content")[0].At("text").GetString();
}

// A client of revision 2025-11-25 in memory.
class Client {
public:
    explicit Client(std::shared_ptr<mcp::ITransport> transport) : transport_(std::move(transport)) {}
    ~Client() { transport_->Close(); }
    Client(const Client&) = delete;
    Client& operator=(const Client&) = delete;

    void Send(const char* text) { transport_->SendMessageAsync(mcp::DeserializeMessage(text)); }

    std::int64_t Ask(std::string_view method, JsonValue params) {
        const std::int64_t id = ++last_;
        transport_->SendMessageAsync(Request(id, method, std::move(params)));
        return id;
    }

    mcp::JsonRpcMessage Receive() {
        auto message = transport_->GetMessageChannel().Receive(kPatience);
        REQUIRE(message.has_value());
        return std::move(*message);
    }

    // The answer to a request, whole; what comes before it is passed over.
    JsonValue Answer(std::int64_t id) {
        while (true) {
            const mcp::JsonRpcMessage message = Receive();
            const auto* response = mcp::AsResponse(message);
            const auto* error = mcp::AsError(message);
            if ((response != nullptr && response->id == mcp::RequestId(id)) ||
                (error != nullptr && error->id && *error->id == mcp::RequestId(id))) {
                return JsonValue::Parse(mcp::SerializeMessage(message));
            }
        }
    }

    JsonValue Call(std::string_view method, const char* params = "{}") {
        return Answer(Ask(method, JsonValue::Parse(params)));
    }

    JsonValue Initialize(const char* capabilities = R"({"elicitation":{}})") {
        JsonValue params(JsonValue::object_tag);
        params["protocolVersion"] = JsonValue("2025-11-25");
        params["clientInfo"] = JsonValue::Parse(R"({"name":"legacy","version":"2"})");
        params["capabilities"] = JsonValue::Parse(capabilities);
        JsonValue answer = Answer(Ask("initialize", std::move(params)));
        Send(R"({"jsonrpc":"2.0","method":"notifications/initialized"})");
        return answer;
    }

    mcp::ITransport& Transport() { return *transport_; }

private:
    const std::shared_ptr<mcp::ITransport> transport_;
    std::int64_t last_{0};
};

// A tool that says what it was given.
inline mcp::CallToolResult Say(std::string text) {
    mcp::CallToolResult result;
    result.content.push_back(mcp::TextContent{"text", std::move(text)});
    return result;
}

}  // namespace test
