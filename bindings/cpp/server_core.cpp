#include "server_core.hpp"

#include <mcp/Log.hpp>
#include <mcp/McpError.hpp>

#include <algorithm>
#include <utility>

#include "host_link.hpp"
#include "tool_access.hpp"

namespace mcp::detail {

namespace {

thread_local InsideCall* innermost = nullptr;

// Whether the newest revision is among those that are spoken.
bool SpeaksModern(const ServerOptions& options) {
    if (options.protocol_version) {
        return IsModernProtocolVersion(*options.protocol_version);
    }
    const auto& versions = options.supported_protocol_versions;
    if (!versions || versions->empty()) {
        return true;
    }
    return std::any_of(versions->begin(), versions->end(),
                       [](const std::string& version) { return IsModernProtocolVersion(version); });
}

}  // namespace

InsideCall::InsideCall(const ServerCore* core) noexcept : core_(core), outer_(innermost) { innermost = this; }

InsideCall::~InsideCall() { innermost = outer_; }

bool InsideCall::Of(const ServerCore* core) noexcept {
    for (const InsideCall* call = innermost; call != nullptr; call = call->outer_) {
        if (call->core_ == core) {
            return true;
        }
    }
    return false;
}

ServerCore::ServerCore(const ServerOptions& options)
    : close_timeout_(std::max(options.close_timeout, std::chrono::milliseconds(0))),
      legacy_shim_(!options.input_required_config || options.input_required_config->legacy_shim),
      modern_(SpeaksModern(options)),
      task_store_(options.task_store),
      on_transport_error_(options.on_transport_error) {
    SetCacheResolver(options.cache_hint_resolver);
}

std::unique_ptr<McpServer> ServerCore::Create(std::shared_ptr<ITransport> transport, const ServerOptions& options) {
    if (options.log_sink) {
        SetLogSink(options.log_level, options.log_sink);
    }
    Implementation info{"mcp-server", "1.0.0"};
    if (BuiltinTransport* builtin = transport ? TransportAccess::Builtin(*transport) : nullptr) {
        info = builtin->Info().value_or(info);
    }
    auto core = std::make_shared<ServerCore>(options);
    OptionsPtr c = ReadOptions(options, options.server_info.value_or(info), core);
    Check(mcp_server_new(c.release(), &core->handle_));
    std::unique_ptr<McpServer> server(new McpServer(core));
    core->server_.store(server.get(), std::memory_order_release);
    core->Start(std::move(transport));
    return server;
}

void ServerCore::Start(std::shared_ptr<ITransport> transport) {
    if (!transport) {
        return;
    }
    if (BuiltinTransport* builtin = TransportAccess::Builtin(*transport)) {
        builtin->Attach(shared_from_this());
        transport_ = std::move(transport);
        if (builtin->StartsAtOnce()) {
            StartOrNote(*builtin);
        }
        return;
    }
    transport_ = transport;
    link_ = HostLink::Open(shared_from_this(), std::move(transport));
}

void ServerCore::StartOrNote(BuiltinTransport& builtin) {
    try {
        builtin.Start();
    } catch (const McpError& error) {
        if (error.Code() != McpErrorCode::ConnectionRefused) {
            throw;
        }
        // The address is taken. It may be free by the time of `Run` or `Start`, which tell the host otherwise.
        start_failed_ = true;
    }
}

void ServerCore::StartTransport() {
    BuiltinTransport* builtin = transport_ ? TransportAccess::Builtin(*transport_) : nullptr;
    if (builtin != nullptr && (start_failed_ || !builtin->StartsAtOnce())) {
        builtin->Start();
    }
}

std::size_t ServerCore::Close(std::chrono::milliseconds timeout) {
    closed_.store(true, std::memory_order_release);
    std::size_t running = 0;
    Check(mcp_server_close(handle_, Milliseconds(timeout), &running));
    if (BuiltinTransport* builtin = transport_ ? TransportAccess::Builtin(*transport_) : nullptr) {
        builtin->Closed();
    }
    // The answer of the handler that asks for the end must still leave; the transport is closed after it.
    if (link_ && !InsideCall::Of(this)) {
        link_->Close();
    }
    return running;
}

void ServerCore::Destroy() noexcept {
    // A handler that destroys its own server is not waited for; who still asks for the server afterwards is told.
    if (InsideCall::Of(this)) {
        server_.store(nullptr, std::memory_order_release);
    }
    try {
        if (!IsClosed()) {
            Close(close_timeout_);
        }
    } catch (...) {
        // What is wrong with closing does not keep the server from ending.
    }
    waiters_.Stop();
    // Handlers that still run may use the handle until this returns.
    mcp_server_delete(handle_);
    server_.store(nullptr, std::memory_order_release);
}

void ServerCore::Register(const std::function<mcp_error_t*()>& add, const std::function<bool()>& remove) {
    const std::lock_guard<std::mutex> lock(register_mutex_);
    ErrorPtr error(add());
    if (error == nullptr) {
        return;
    }
    // Whether a key is taken is looked at last: everything else is valid then, and nothing is lost by removing.
    if (mcp_error_code(error.get()) != MCP_ERROR_TAKEN || !remove()) {
        Check(error.release());
    }
    Check(add());
}

void ServerCore::SetCacheResolver(CacheResolver resolver) {
    auto next = resolver ? std::make_shared<const CacheResolver>(std::move(resolver)) : nullptr;
    const std::lock_guard<std::mutex> lock(mutex_);
    resolver_.swap(next);
}

std::optional<CacheHint> ServerCore::Cacheable(std::string_view method) const {
    std::shared_ptr<const CacheResolver> resolver;
    {
        const std::lock_guard<std::mutex> lock(mutex_);
        resolver = resolver_;
    }
    return resolver ? (*resolver)(method) : std::nullopt;
}

std::shared_ptr<const RequestMeta> ServerCore::ReadMeta(std::string_view json) {
    {
        const std::lock_guard<std::mutex> lock(mutex_);
        if (meta_ && meta_text_ == json) {
            return meta_;
        }
    }
    auto meta = std::make_shared<const RequestMeta>(DeserializeRequestMeta(JsonValue::Parse(json)));
    const std::lock_guard<std::mutex> lock(mutex_);
    meta_text_ = std::string(json);
    meta_ = meta;
    if (meta->client_info) {
        latest_client_ = std::shared_ptr<const Implementation>(meta, &*meta->client_info);
    }
    return meta;
}

void ServerCore::Remember(Implementation client) {
    auto latest = std::make_shared<const Implementation>(std::move(client));
    const std::lock_guard<std::mutex> lock(mutex_);
    latest_client_.swap(latest);
}

std::shared_ptr<const Implementation> ServerCore::LatestClient() const {
    const std::lock_guard<std::mutex> lock(mutex_);
    return latest_client_;
}

std::string ServerCore::LatestVersion() const {
    const std::lock_guard<std::mutex> lock(mutex_);
    return meta_ && meta_->client_info ? meta_->protocol_version : std::string();
}

const ServerCapabilities& ServerCore::Capabilities() {
    const std::string json = TakeString(mcp_server_capabilities(handle_));
    const std::lock_guard<std::mutex> lock(mutex_);
    const auto found = capabilities_.find(json);
    if (found != capabilities_.end()) {
        return found->second;
    }
    return capabilities_.emplace(json, DeserializeServerCapabilities(JsonValue::Parse(json))).first->second;
}

}  // namespace mcp::detail
