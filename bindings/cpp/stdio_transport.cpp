#include <mcp/McpError.hpp>
#include <mcp/transport/StdioServerTransport.hpp>

#include <mutex>
#include <utility>

#include "builtin_transport.hpp"
#include "server_core.hpp"

namespace mcp {

namespace detail {

namespace {

class Stdio : public BuiltinTransport {
public:
    Stdio(StdioServerTransport& owner, StdioServerOptions options) : owner_(owner), options_(options) {}

    // The client's first message is usually there before the host has registered its tools.
    bool StartsAtOnce() const noexcept override { return false; }

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
        const std::shared_ptr<ServerCore> core = core_.lock();
        if (started_ || !core || core->Server() == nullptr) {
            return;
        }
        Check(mcp_server_start_stdio(core->Handle(), options_.isolate));
        started_ = true;
        owner_.SetConnected();
    }

    void Closed() noexcept override {
        try {
            owner_.SetDisconnected();
        } catch (...) {
            // The host's callback failed; the transport is closed all the same.
        }
    }

    void Close() {
        std::shared_ptr<ServerCore> core;
        {
            const std::lock_guard<std::mutex> lock(mutex_);
            core = core_.lock();
        }
        if (core && core->Server() != nullptr) {
            core->Close(core->CloseTimeout());
        } else {
            Closed();
        }
    }

private:
    StdioServerTransport& owner_;
    const StdioServerOptions options_;
    std::mutex mutex_;
    std::weak_ptr<ServerCore> core_;
    bool attached_{false};
    bool started_{false};
};

}  // namespace

}  // namespace detail

StdioServerTransport::StdioServerTransport() : StdioServerTransport(StdioServerOptions()) {}

StdioServerTransport::StdioServerTransport(StdioServerOptions options)
    : impl_(std::make_shared<detail::Stdio>(*this, options)) {}

StdioServerTransport::~StdioServerTransport() = default;

void StdioServerTransport::Start() { impl_->Start(); }

void StdioServerTransport::Close() { static_cast<detail::Stdio&>(*impl_).Close(); }

void StdioServerTransport::SendMessageAsync(JsonRpcMessage) {}

detail::BuiltinTransport* StdioServerTransport::Builtin() noexcept { return impl_.get(); }

}  // namespace mcp
