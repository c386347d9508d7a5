#pragma once

// What a `McpServer` stands on: the server of the C interface, and what the handlers share.

#include <mcp/server/McpServer.hpp>

#include <atomic>
#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include "builtin_transport.hpp"
#include "c_api.hpp"
#include "waiter_pool.hpp"

namespace mcp::detail {

class HostLink;
using CacheResolver = std::function<std::optional<CacheHint>(std::string_view)>;

// Kept alive by the `McpServer` and by everything that is registered, so that it outlives every call.
class ServerCore : public std::enable_shared_from_this<ServerCore> {
public:
    explicit ServerCore(const ServerOptions& options);

    // Makes the server and starts its transport. What fails is undone.
    static std::unique_ptr<McpServer> Create(std::shared_ptr<ITransport> transport, const ServerOptions& options);

    // The server of the C interface; alive until `Destroy` has ended, and the last handler has.
    mcp_server_t* Handle() const noexcept { return handle_; }
    // Null once the server is destroyed.
    McpServer* Server() const noexcept { return server_.load(std::memory_order_acquire); }

    bool IsClosed() const noexcept { return closed_.load(std::memory_order_acquire); }

    std::chrono::milliseconds CloseTimeout() const noexcept { return close_timeout_; }
    bool LegacyShim() const noexcept { return legacy_shim_; }
    bool Modern() const noexcept { return modern_; }
    IMcpTaskStore* TaskStore() const noexcept { return task_store_.get(); }
    WaiterPool& Waiters() noexcept { return waiters_; }
    const std::function<void(std::string_view)>& OnTransportError() const noexcept { return on_transport_error_; }

    // Starts the transport where that did not happen in `Create`, as with standard streams.
    void StartTransport();
    // How many handlers still run.
    std::size_t Close(std::chrono::milliseconds timeout);
    void Destroy() noexcept;

    // Adds something, in place of what has the same key. `add` makes the call to C; it may be called twice. `remove` says
    // whether there was something.
    void Register(const std::function<mcp_error_t*()>& add, const std::function<bool()>& remove);

    void SetCacheResolver(CacheResolver resolver);
    std::optional<CacheHint> Cacheable(std::string_view method) const;

    // The metadata of a request as a value. The same text gives the same value.
    std::shared_ptr<const RequestMeta> ReadMeta(std::string_view json);
    // Remembers who has just connected.
    void Remember(Implementation client);
    // Who connected last, or sent the latest metadata that were read; null where nobody did.
    std::shared_ptr<const Implementation> LatestClient() const;
    // The protocol revision of the latest metadata that were read; empty where there were none.
    std::string LatestVersion() const;

    const ServerCapabilities& Capabilities();

private:
    void Start(std::shared_ptr<ITransport> transport);
    void StartOrNote(BuiltinTransport& builtin);

    mcp_server_t* handle_{nullptr};
    std::atomic<McpServer*> server_{nullptr};
    std::atomic<bool> closed_{false};
    // The transport could not start in `Create`; `Run` tries again.
    std::atomic<bool> start_failed_{false};
    std::chrono::milliseconds close_timeout_;
    bool legacy_shim_;
    bool modern_;
    std::shared_ptr<IMcpTaskStore> task_store_;
    std::function<void(std::string_view)> on_transport_error_;
    std::shared_ptr<ITransport> transport_;
    std::shared_ptr<HostLink> link_;
    WaiterPool waiters_;

    // One registration at a time, so that replacing is one step for the others.
    std::mutex register_mutex_;

    mutable std::mutex mutex_;
    std::shared_ptr<const CacheResolver> resolver_;
    std::string meta_text_;
    std::shared_ptr<const RequestMeta> meta_;
    std::shared_ptr<const Implementation> latest_client_;
    // By their JSON, so that references stay valid.
    std::map<std::string, ServerCapabilities> capabilities_;
};

// Tells that this thread is in one of the host's functions, on behalf of a server.
class InsideCall {
public:
    explicit InsideCall(const ServerCore* core) noexcept;
    ~InsideCall();
    InsideCall(const InsideCall&) = delete;
    InsideCall& operator=(const InsideCall&) = delete;

    static bool Of(const ServerCore* core) noexcept;

private:
    const ServerCore* core_;
    InsideCall* outer_;
};

// The options of the C interface. `core` outlives the server; `info` stands in where the options do not name the server.
OptionsPtr ReadOptions(const ServerOptions& options, const Implementation& info,
                       const std::shared_ptr<ServerCore>& core);

// Sets events and filters that are wanted.
void SetEvents(mcp_options_t* c, const ServerOptions& options, const std::shared_ptr<ServerCore>& core);
void SetFilters(mcp_options_t* c, const ServerOptions& options);

// Frees the user data of a callback. A destructor that throws is nobody's business but the host's.
template <class Data>
void Destroy(void* data) noexcept {
    try {
        delete static_cast<Data*>(data);
    } catch (...) {
    }
}

}  // namespace mcp::detail
