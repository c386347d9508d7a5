#include <mcp/McpError.hpp>
#include <mcp/transport/StreamableHttpServerTransport.hpp>

#include <atomic>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "builtin_transport.hpp"
#include "event_store_adapter.hpp"
#include "server_core.hpp"
#include "tool_access.hpp"

namespace mcp {

namespace detail {

namespace {

std::vector<mcp_str> Texts(const std::vector<std::string>& list) {
    std::vector<mcp_str> texts;
    for (const std::string& text : list) {
        texts.push_back(Str(text));
    }
    return texts;
}

void SetLimits(mcp_http_options_t* c, const HttpLimits& limits) {
    const auto number = [c](std::int32_t limit, const std::optional<std::size_t>& value) {
        if (value) {
            mcp_http_options_set_limit(c, limit, *value);
        }
    };
    const auto time = [c](std::int32_t limit, const std::optional<std::chrono::milliseconds>& value) {
        if (value) {
            mcp_http_options_set_limit(c, limit, static_cast<std::size_t>(Milliseconds(*value)));
        }
    };
    number(MCP_HTTP_LIMIT_BODY_BYTES, limits.body_bytes);
    number(MCP_HTTP_LIMIT_HEADER_BYTES, limits.header_bytes);
    number(MCP_HTTP_LIMIT_CONNECTIONS, limits.connections);
    time(MCP_HTTP_LIMIT_HEADER_MS, limits.header_time);
    time(MCP_HTTP_LIMIT_BODY_MS, limits.body_time);
    number(MCP_HTTP_LIMIT_SESSIONS, limits.sessions);
    time(MCP_HTTP_LIMIT_SESSION_IDLE_MS, limits.session_idle_time);
}

HttpOptionsPtr ReadOptions(const StreamableHttpServerOptions& options) {
    HttpOptionsPtr owner(mcp_http_options_new());
    mcp_http_options_t* c = owner.get();
    if (!options.host.empty()) {
        mcp_http_options_set_host(c, Str(options.host));
    }
    mcp_http_options_set_port(c, options.port);
    mcp_http_options_set_endpoint(c, Str(options.endpoint));
    mcp_http_options_set_stateless(c, options.stateless);
    mcp_http_options_set_enable_legacy_sse(c, options.enable_legacy_sse);
    mcp_http_options_set_keep_alive(c, Milliseconds(std::chrono::milliseconds(options.sse_keep_alive_ms)));
    if (options.retry) {
        mcp_http_options_set_retry(c, Milliseconds(*options.retry));
    }
    if (!options.allowed_hosts.empty()) {
        const std::vector<mcp_str> hosts = Texts(options.allowed_hosts);
        mcp_http_options_set_allowed_hosts(c, hosts.data(), hosts.size());
    }
    if (!options.allowed_origins.empty()) {
        const std::vector<mcp_str> origins = Texts(options.allowed_origins);
        mcp_http_options_set_allowed_origins(c, origins.data(), origins.size());
    }
    if (!options.cors_origins.empty()) {
        const std::vector<mcp_str> origins = Texts(options.cors_origins);
        mcp_http_options_set_cors_origins(c, origins.data(), origins.size());
    }
    if (options.event_store) {
        SetEventStore(c, options.event_store);
    }
    SetLimits(c, options.limits);
    return owner;
}

class Http : public BuiltinTransport {
public:
    Http(StreamableHttpServerTransport& owner, StreamableHttpServerOptions options)
        : owner_(owner), options_(std::move(options)), port_(options_.port) {}

    std::optional<Implementation> Info() const override {
        return Implementation{options_.server_name, options_.server_version};
    }

    void Attach(const std::shared_ptr<ServerCore>& core) override {
        const std::lock_guard<std::mutex> lock(mutex_);
        if (attached_) {
            throw McpError(McpErrorCode::InvalidRequest, "the transport serves another server already");
        }
        attached_ = true;
        core_ = core;
    }

    void Start() override {
        const std::lock_guard<std::mutex> lock(mutex_);
        if (closed_) {
            throw McpError(McpErrorCode::ConnectionClosed, "the transport is closed");
        }
        const std::shared_ptr<ServerCore> core = core_.lock();
        if (http_ || !core || core->Server() == nullptr) {
            return;
        }
        HttpOptionsPtr c = ReadOptions(options_);
        mcp_http_t* http = nullptr;
        Check(mcp_server_start_http(core->Handle(), c.release(), &http));
        http_.reset(http, mcp_http_delete);
        port_.store(mcp_http_port(http));
        owner_.SetConnected();
    }

    void Closed() noexcept override {
        std::shared_ptr<mcp_http_t> ended;
        {
            const std::lock_guard<std::mutex> lock(mutex_);
            closed_ = true;
            ended.swap(http_);
        }
        try {
            owner_.SetDisconnected();
        } catch (...) {
            // The host's callback failed; the transport is closed all the same.
        }
    }

    void Close() {
        std::shared_ptr<ServerCore> core;
        std::shared_ptr<mcp_http_t> http;
        {
            const std::lock_guard<std::mutex> lock(mutex_);
            closed_ = true;
            core = core_.lock();
            http.swap(http_);
        }
        if (http) {
            // From inside of a handler nothing can be waited for: the listener is asked to end at once, and not waited for.
            if (core && InsideCall::Of(core.get())) {
                core->Close(core->CloseTimeout());
            } else {
                const auto grace = core ? core->CloseTimeout() : std::chrono::milliseconds(0);
                // The only failure is a server that has ended already.
                mcp_error_delete(mcp_http_close(http.get(), Milliseconds(grace), nullptr));
            }
        }
        Closed();
    }

    bool IsStateless() const noexcept { return options_.stateless; }
    std::uint16_t Port() const noexcept { return port_.load(); }

private:
    StreamableHttpServerTransport& owner_;
    const StreamableHttpServerOptions options_;
    std::atomic<std::uint16_t> port_;
    std::mutex mutex_;
    std::weak_ptr<ServerCore> core_;
    std::shared_ptr<mcp_http_t> http_;
    bool attached_{false};
    bool closed_{false};
};

Http& Of(const std::shared_ptr<BuiltinTransport>& impl) { return static_cast<Http&>(*impl); }

}  // namespace

}  // namespace detail

StreamableHttpServerTransport::StreamableHttpServerTransport(StreamableHttpServerOptions options)
    : impl_(std::make_shared<detail::Http>(*this, std::move(options))) {}

StreamableHttpServerTransport::~StreamableHttpServerTransport() = default;

void StreamableHttpServerTransport::Start() { impl_->Start(); }

void StreamableHttpServerTransport::Close() { detail::Of(impl_).Close(); }

void StreamableHttpServerTransport::SendMessageAsync(JsonRpcMessage) {}

bool StreamableHttpServerTransport::IsStateless() const { return detail::Of(impl_).IsStateless(); }

std::uint16_t StreamableHttpServerTransport::Port() const { return detail::Of(impl_).Port(); }

detail::BuiltinTransport* StreamableHttpServerTransport::Builtin() noexcept { return impl_.get(); }

}  // namespace mcp
