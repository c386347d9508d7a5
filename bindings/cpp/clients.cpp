// What a server knows of its clients, and asks them outside of requests.

#include <mcp/server/McpServer.hpp>

#include <exception>
#include <future>
#include <memory>
#include <utility>

#include "server_core.hpp"

namespace mcp {

namespace detail {

namespace {

ClientPtr Newest(const mcp_server_t* server) {
    // A session may end meanwhile.
    for (std::size_t count = mcp_server_client_count(server); count > 0; --count) {
        if (ClientPtr client{mcp_server_client(server, count - 1)}) {
            return client;
        }
    }
    return nullptr;
}

// The newest client that declares that it can ask its user.
ClientPtr WhoCanBeAsked(const mcp_server_t* server) {
    for (std::size_t count = mcp_server_client_count(server); count > 0; --count) {
        ClientPtr client(mcp_server_client(server, count - 1));
        mcp_str found;
        if (client && mcp_json_find(mcp_client_capabilities(client.get()), Str("elicitation"), &found)) {
            return client;
        }
    }
    return nullptr;
}

// A promise that is kept when it is answered, or broken by an error when the server ends first.
struct Question {
    std::shared_ptr<ServerCore> core;
    std::promise<ElicitResult> promise;
    bool kept{false};
};

void Answered(void* data, const mcp_error_t* error, mcp_str answer) {
    auto& question = *static_cast<Question*>(data);
    const InsideCall inside(question.core.get());
    try {
        question.kept = true;
        if (error != nullptr) {
            throw ToException(error);
        }
        question.promise.set_value(DeserializeElicitResult(JsonValue::Parse(View(answer))));
    } catch (...) {
        try {
            question.promise.set_exception(std::current_exception());
        } catch (...) {
        }
    }
}

void Forget(void* data) {
    auto* question = static_cast<Question*>(data);
    if (!question->kept) {
        try {
            question->promise.set_exception(
                std::make_exception_ptr(McpError(McpErrorCode::ConnectionClosed, "the server ended before the answer")));
        } catch (...) {
        }
    }
    Destroy<Question>(data);
}

}  // namespace

}  // namespace detail

std::future<ElicitResult> McpServer::Elicit(const ElicitRequestParams& params) {
    using namespace detail;
    const std::string request = MakeInputRequestForElicitation(params).Dump();
    auto question = std::make_unique<Question>();
    question->core = core_;
    std::future<ElicitResult> future = question->promise.get_future();
    const ClientPtr client = WhoCanBeAsked(core_->Handle());
    if (!client) {
        question->promise.set_exception(std::make_exception_ptr(McpError(
            McpErrorCode::MissingRequiredClientCapability, "no client with a session can ask its user (elicitation)")));
        return future;
    }
    // When this fails, the callback is forgotten, but not called: the error is better kept in the future than lost.
    std::promise<ElicitResult> failed;
    if (const ErrorPtr error{mcp_client_ask(client.get(), Str(request), Answered, question.release(), Forget)}) {
        failed.set_exception(std::make_exception_ptr(ToException(error.get())));
        return failed.get_future();
    }
    return future;
}

std::shared_ptr<const ClientCapabilities> McpServer::GetClientCapabilities() const {
    using namespace detail;
    const ClientPtr client = Newest(core_->Handle());
    if (!client || IsNone(mcp_client_capabilities(client.get()))) {
        return nullptr;
    }
    const JsonValue json = JsonValue::Parse(View(mcp_client_capabilities(client.get())));
    return std::make_shared<const ClientCapabilities>(DeserializeClientCapabilities(json));
}

std::shared_ptr<const Implementation> McpServer::GetClientInfo() const {
    using namespace detail;
    if (const ClientPtr client = Newest(core_->Handle()); client && !IsNone(mcp_client_info(client.get()))) {
        const JsonValue json = JsonValue::Parse(View(mcp_client_info(client.get())));
        return std::make_shared<const Implementation>(DeserializeImplementation(json));
    }
    return core_->LatestClient();
}

std::string McpServer::GetNegotiatedProtocolVersion() const {
    using namespace detail;
    if (const ClientPtr client = Newest(core_->Handle())) {
        return String(mcp_client_protocol_version(client.get()));
    }
    return core_->LatestVersion();
}

bool McpServer::IsMrtrSupported() const {
    using namespace detail;
    return Newest(core_->Handle()) ? core_->LegacyShim() : core_->Modern();
}

}  // namespace mcp
