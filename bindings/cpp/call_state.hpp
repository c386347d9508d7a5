#pragma once

// What a `RequestContext` refers to: one request.

#include <mcp/server/RequestContext.hpp>

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include "c_api.hpp"
#include "server_core.hpp"

namespace mcp::detail {

// The handler's context of the C interface is borrowed for the duration of the call. The first copy of a `RequestContext`
// makes the state independent of the call: it takes a clone, and reads what is borrowed.
class CallState {
public:
    // Of a call to a tool. `name` and `input` outlive the call.
    CallState(std::shared_ptr<ServerCore> core, const mcp_context_t* context, mcp_responder_t* responder,
              std::string_view name, mcp_str input);
    // Of another request of a client, with its parameters.
    CallState(std::shared_ptr<ServerCore> core, const mcp_context_t* context, mcp_responder_t* responder,
              std::shared_ptr<const void> params);
    // Of a request without a client.
    CallState(McpServer& server, const JsonRpcRequest& request, std::shared_ptr<const void> params,
              RequestContextBase::LogFn log, std::shared_ptr<const std::atomic<bool>> cancelled);
    ~CallState();
    CallState(const CallState&) = delete;
    CallState& operator=(const CallState&) = delete;

    // Null for a request without a client.
    const mcp_context_t* Context() const noexcept { return context_.load(std::memory_order_acquire); }
    McpServer& Server() const;
    const JsonRpcRequest& Request();
    const void* Params();
    const RequestContextBase::LogFn& LogFunction() const noexcept { return log_; }
    bool IsCancelled() const noexcept;

    // The responder, which the caller must use; null when somebody has taken it.
    mcp_responder_t* TakeResponder() noexcept { return responder_.exchange(nullptr, std::memory_order_acq_rel); }
    // Puts a responder back that was taken.
    void PutResponder(mcp_responder_t* responder) noexcept { responder_.store(responder, std::memory_order_release); }

    // Makes the state independent of the call.
    void Detach();

private:
    const CallToolRequestParams& ReadParams();

    const std::shared_ptr<ServerCore> core_;
    McpServer* const server_{nullptr};
    std::atomic<const mcp_context_t*> context_;
    std::atomic<mcp_responder_t*> responder_;
    const std::string_view name_;
    const mcp_str input_;
    const std::shared_ptr<const void> given_params_;
    const RequestContextBase::LogFn log_;
    const std::shared_ptr<const std::atomic<bool>> cancelled_;

    // Guards what is read on demand. What has been read does not change any more.
    std::mutex mutex_;
    ContextPtr clone_;
    std::optional<CallToolRequestParams> params_;
    std::optional<JsonRpcRequest> request_;
};

// The way to make contexts.
struct CallAccess {
    static RequestContext<CallToolRequestParams> ToolContext(std::shared_ptr<CallState> state) noexcept {
        return Context<CallToolRequestParams>(std::move(state));
    }

    template <class TParams>
    static RequestContext<TParams> Context(std::shared_ptr<CallState> state) noexcept {
        return RequestContext<TParams>(std::move(state));
    }
};

}  // namespace mcp::detail
