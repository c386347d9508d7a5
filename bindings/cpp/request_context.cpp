#include <mcp/McpError.hpp>
#include <mcp/server/RequestContext.hpp>
#include <mcp/server/RequestState.hpp>

#include <utility>

#include "call_state.hpp"

namespace mcp::detail {

namespace {

// Sending fails only when the request is over; then there is nobody to send to.
void Ignore(mcp_error_t* error) noexcept { mcp_error_delete(error); }

std::optional<JsonValue> OptionalJson(mcp_str text) {
    if (IsNone(text)) {
        return std::nullopt;
    }
    return JsonValue::Parse(View(text));
}

}  // namespace

RequestContextBase::RequestContextBase(std::shared_ptr<CallState> state) noexcept : state_(std::move(state)) {}

RequestContextBase::RequestContextBase(McpServer& server, const JsonRpcRequest& request,
                                       std::shared_ptr<const void> params, LogFn log,
                                       std::shared_ptr<const std::atomic<bool>> cancelled)
    : state_(std::make_shared<CallState>(server, request, std::move(params), std::move(log), std::move(cancelled))) {}

RequestContextBase::RequestContextBase(const RequestContextBase& other) : state_(other.state_) { state_->Detach(); }

RequestContextBase& RequestContextBase::operator=(const RequestContextBase& other) {
    other.state_->Detach();
    state_ = other.state_;
    return *this;
}

RequestContextBase::~RequestContextBase() = default;

McpServer& RequestContextBase::Server() const { return state_->Server(); }

const JsonRpcRequest& RequestContextBase::GetRequest() const { return state_->Request(); }

const void* RequestContextBase::ParamsPointer() const { return state_->Params(); }

bool RequestContextBase::IsCancellationRequested() const { return state_->IsCancelled(); }

std::optional<LoggingLevel> RequestContextBase::LogLevel() const {
    const mcp_context_t* context = state_->Context();
    const int level = context == nullptr ? -1 : mcp_context_log_level(context);
    if (level < 0) {
        return std::nullopt;
    }
    return static_cast<LoggingLevel>(level);
}

void RequestContextBase::Log(LoggingLevel level, std::string_view data) const {
    if (const mcp_context_t* context = state_->Context()) {
        Ignore(mcp_context_log_text(context, static_cast<int>(level), Str(data)));
    } else if (state_->LogFunction()) {
        state_->LogFunction()(level, data);
    }
}

void RequestContextBase::ReportProgress(double progress, std::optional<double> total,
                                        std::optional<std::string_view> message) const {
    if (const mcp_context_t* context = state_->Context()) {
        Ignore(mcp_context_report_progress(context, progress, total.value_or(-1.0), message ? Str(*message) : NoStr()));
    }
}

void RequestContextBase::ReleaseConnection() const { mcp_context_release_connection(state_->Context()); }

std::optional<Implementation> RequestContextBase::ClientInfo() const {
    const std::optional<JsonValue> info = OptionalJson(mcp_context_client_info(state_->Context()));
    if (!info) {
        return std::nullopt;
    }
    return DeserializeImplementation(*info);
}

mcp::ClientCapabilities RequestContextBase::ClientCapabilities() const {
    const std::optional<JsonValue> capabilities = OptionalJson(mcp_context_client_capabilities(state_->Context()));
    return capabilities ? DeserializeClientCapabilities(*capabilities) : mcp::ClientCapabilities();
}

std::string RequestContextBase::ProtocolVersion() const {
    return String(mcp_context_protocol_version(state_->Context()));
}

std::optional<std::string> RequestContextBase::Principal() const {
    const mcp_str principal = mcp_context_principal(state_->Context());
    if (IsNone(principal)) {
        return std::nullopt;
    }
    return String(principal);
}

std::optional<JsonValue> RequestContextBase::Meta() const {
    if (state_->Context() == nullptr) {
        return state_->Request().meta;
    }
    return OptionalJson(mcp_context_meta(state_->Context()));
}

JsonValue RequestContextBase::Ask(std::string_view key, const JsonValue& request) const {
    const std::string text = request.Dump();
    mcp_responder_t* responder = state_->TakeResponder();
    if (responder == nullptr) {
        throw McpError(McpErrorCode::InvalidRequest, "the request has its answer already: nothing can be asked");
    }
    mcp_text_t* answer = nullptr;
    if (!mcp_context_ask(state_->Context(), Str(key), Str(text), responder, &answer)) {
        throw HandlerSuspended();
    }
    state_->PutResponder(responder);
    return TakeJson(answer);
}

std::optional<JsonValue> DecodeRequestStatePayload(std::string_view state) {
    try {
        return JsonValue::Parse(state);
    } catch (const McpError&) {
        return std::nullopt;
    }
}

}  // namespace mcp::detail
