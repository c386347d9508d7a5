// The request that a handler serves.
#pragma once

#include <mcp/Capabilities.hpp>
#include <mcp/Implementation.hpp>
#include <mcp/JsonRpc.hpp>
#include <mcp/JsonValue.hpp>
#include <mcp/McpTypes.hpp>
#include <mcp/Meta.hpp>

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace mcp {

class McpServer;

// Thrown by `RequestContext::Ask` where the client must be asked first: this run of the handler is over, and the handler
// runs again when the answer is there. It is no `std::exception`, so that handlers do not take it for a failure; who catches
// everything must throw it on.
class HandlerSuspended {};

namespace detail {

class CallState;
struct CallAccess;

// What contexts of all kinds have in common.
class RequestContextBase {
public:
    using LogFn = std::function<void(LoggingLevel, std::string_view)>;

    RequestContextBase(const RequestContextBase& other);
    RequestContextBase& operator=(const RequestContextBase& other);
    ~RequestContextBase();

    // The server that was asked. Throws `McpError(ConnectionClosed)` once the server is destroyed.
    McpServer& Server() const;

    // The whole request.
    const JsonRpcRequest& GetRequest() const;

    // The least severe log message that the client wants; nothing where it did not say.
    std::optional<LoggingLevel> LogLevel() const;

    // Sends a log message to the client, unless it is below `LogLevel`. The server must declare logging.
    void Log(LoggingLevel level, std::string_view data) const;

    // Whether the client has given up or gone away, or the call has taken too long. Long work asks from time to time.
    bool IsCancellationRequested() const;

    // Reports progress, which must grow from report to report. Nothing is sent when the client did not ask for it.
    void ReportProgress(double progress, std::optional<double> total = std::nullopt,
                        std::optional<std::string_view> message = std::nullopt) const;

    // Closes the connection that waits for the answer, where the client can come back for it (revision 2025-11-25 over HTTP):
    // it will poll. Elsewhere this does nothing. For work that takes longer than a connection lasts.
    void ReleaseConnection() const;

    // Who the client says it is; nothing where it did not say.
    std::optional<Implementation> ClientInfo() const;
    // What the client says it can do.
    mcp::ClientCapabilities ClientCapabilities() const;
    // The protocol revision that the client speaks, such as `2026-07-28`.
    std::string ProtocolVersion() const;
    // Who was authenticated by what stands in front of the server; nothing where nobody was.
    std::optional<std::string> Principal() const;
    // `_meta` of the request; nothing where it has none.
    std::optional<JsonValue> Meta() const;

    // The client's answer to a question. Where it is not there yet, this throws `HandlerSuspended`, the client is asked, and
    // the handler is called again from its start; what comes before a question runs once more with every round. `request` is
    // what `MakeInputRequestForElicitation` gives; `key` names the answer. Throws `McpError` once the request has its answer.
    JsonValue Ask(std::string_view key, const JsonValue& request) const;

protected:
    explicit RequestContextBase(std::shared_ptr<CallState> state) noexcept;
    RequestContextBase(McpServer& server, const JsonRpcRequest& request, std::shared_ptr<const void> params, LogFn log,
                       std::shared_ptr<const std::atomic<bool>> cancelled);

    const void* ParamsPointer() const;

private:
    std::shared_ptr<CallState> state_;
};

}  // namespace detail

// The request that a handler serves. It may be copied and kept after the handler has returned, and be used from any thread;
// once the request has its answer, sending through it does nothing.
template <class TParams>
class RequestContext : public detail::RequestContextBase {
public:
    // A context without a client, to call handlers from tests: logging goes to `log`, and `cancelled` tells whether the call
    // is cancelled.
    RequestContext(McpServer& server, const JsonRpcRequest& request, TParams params, LogFn log = nullptr,
                   std::shared_ptr<const std::atomic<bool>> cancelled = nullptr)
        : RequestContextBase(server, request, std::make_shared<const TParams>(std::move(params)), std::move(log),
                             std::move(cancelled)) {}

    // The parameters, valid for as long as the context is.
    const TParams& Params() const { return *static_cast<const TParams*>(ParamsPointer()); }

private:
    friend struct detail::CallAccess;

    explicit RequestContext(std::shared_ptr<detail::CallState> state) noexcept
        : RequestContextBase(std::move(state)) {}
};

}  // namespace mcp
