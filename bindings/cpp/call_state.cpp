#include "call_state.hpp"

#include <mcp/McpError.hpp>

#include <utility>

#include "call_with_context.hpp"

namespace mcp::detail {

CallState::CallState(std::shared_ptr<ServerCore> core, const mcp_context_t* context, mcp_responder_t* responder,
                     std::string_view name, mcp_str input)
    : core_(std::move(core)), context_(context), responder_(responder), name_(name), input_(input) {}

CallState::CallState(std::shared_ptr<ServerCore> core, const mcp_context_t* context, mcp_responder_t* responder,
                     std::shared_ptr<const void> params)
    : core_(std::move(core)),
      context_(context),
      responder_(responder),
      input_(NoStr()),
      given_params_(std::move(params)) {}

CallState::CallState(McpServer& server, const JsonRpcRequest& request, std::shared_ptr<const void> params,
                     RequestContextBase::LogFn log, std::shared_ptr<const std::atomic<bool>> cancelled)
    : server_(&server),
      context_(nullptr),
      responder_(nullptr),
      input_(NoStr()),
      given_params_(std::move(params)),
      log_(std::move(log)),
      cancelled_(std::move(cancelled)),
      request_(request) {}

CallState::~CallState() {
    // A request that nobody has answered is given up.
    mcp_responder_delete(TakeResponder());
}

McpServer& CallState::Server() const {
    McpServer* server = core_ ? core_->Server() : server_;
    if (server == nullptr) {
        throw McpError(McpErrorCode::ConnectionClosed, "the server is destroyed");
    }
    return *server;
}

bool CallState::IsCancelled() const noexcept {
    const mcp_context_t* context = Context();
    if (context != nullptr) {
        return mcp_context_is_cancelled(context);
    }
    return cancelled_ && cancelled_->load(std::memory_order_acquire);
}

const JsonRpcRequest& CallState::Request() {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (!request_) {
        const mcp_context_t* context = Context();
        JsonRpcRequest request;
        request.id = RequestIdFromJson(JsonValue::Parse(View(mcp_context_request_id(context))));
        request.method = String(mcp_context_method(context));
        request.params = JsonValue::Parse(View(mcp_context_params(context)));
        const mcp_str meta = mcp_context_meta(context);
        if (!IsNone(meta)) {
            request.meta = JsonValue::Parse(View(meta));
        }
        request_ = std::move(request);
    }
    return *request_;
}

const void* CallState::Params() {
    if (given_params_) {
        return given_params_.get();
    }
    const std::lock_guard<std::mutex> lock(mutex_);
    return &ReadParams();
}

const CallToolRequestParams& CallState::ReadParams() {
    if (params_) {
        return *params_;
    }
    const mcp_context_t* context = Context();
    CallToolRequestParams params;
    params.name = std::string(name_);
    mcp_str found;
    // A call without arguments comes with an empty object.
    if (input_.len > 2 || mcp_json_find(mcp_context_params(context), Str("arguments"), &found)) {
        params.arguments = JsonValue::Parse(View(input_));
    }
    ReadAnswers(params, *core_, context);
    params_ = std::move(params);
    return *params_;
}

void CallState::Detach() {
    const std::lock_guard<std::mutex> lock(mutex_);
    const mcp_context_t* context = Context();
    if (context == nullptr || clone_) {
        return;
    }
    if (!given_params_) {
        ReadParams();
    }
    clone_.reset(mcp_context_clone(context));
    context_.store(clone_.get(), std::memory_order_release);
}

}  // namespace mcp::detail
