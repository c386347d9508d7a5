// How a server behaves.
#pragma once

#include <mcp/Implementation.hpp>
#include <mcp/JsonRpc.hpp>
#include <mcp/Log.hpp>
#include <mcp/Meta.hpp>
#include <mcp/protocol/MessageFilter.hpp>
#include <mcp/server/McpTaskStore.hpp>

#include <chrono>
#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <mcp/detail/macros_push.hpp>

namespace mcp {

// Bounds of a server. What arrives beyond one is refused with an error. Nothing set: the library's own bound.
struct ServerLimits {
    // Longest message. Default 16 MiB.
    std::optional<std::size_t> message_bytes;
    // Most requests of one connection or session that may run at once. Default 4,096.
    std::optional<std::size_t> in_flight;
    // Most messages in one batch. Default 256.
    std::optional<std::size_t> batch;
    // Most bytes that may wait for a slow reader of one stream; beyond it notifications are dropped. Default 1 MiB.
    std::optional<std::size_t> queued_bytes;
    // Most subscriptions, and most resources that one subscriber may watch. Default 10,000.
    std::optional<std::size_t> subscriptions;
    // How long requests may still run when their client closes its end. Default 5 s.
    std::optional<std::chrono::milliseconds> drain_time;
};

// Options of a server. Callbacks are called from any thread, several at once; those that watch messages are called on the
// thread that serves the connection, and should be quick. What a callback throws is ignored.
struct ServerOptions {
    // Name and version, and what else is told about the server.
    std::optional<Implementation> server_info{};
    // The one protocol revision that is spoken.
    std::optional<std::string> protocol_version{};
    // Sent to every client.
    std::optional<std::string> server_instructions{};
    // How long a session may take for its handshake.
    std::chrono::seconds initialization_timeout{60};

    // How long clients may keep the results of a method.
    std::optional<std::map<std::string, CacheHint, std::less<>>> cache_hints{};

    // The host's own check of a state that a client brings back. Takes precedence over `request_state_key`.
    std::function<bool(std::string_view)> request_state_verifier{};
    // Signs the state of requests which ask for input; a changed or expired one is refused before the handler. Processes that
    // serve one address share one key. Nothing: a random key of the process.
    std::optional<std::string> request_state_key{};
    // Longest life of an issued state; 0: no expiry.
    std::chrono::seconds request_state_ttl{0};

    // How clients of the legacy revisions are asked for input.
    struct InputRequiredConfig {
        // How often for one request.
        int max_rounds{10};
        // How long the client may take each time.
        std::chrono::seconds round_timeout{600};
        // Whether at all.
        bool legacy_shim{true};
    };
    std::optional<InputRequiredConfig> input_required_config{};

    // Declares that log messages are sent. Without it none are.
    bool declare_logging{false};
    // Declares that arguments can be completed, though no handler is set yet.
    bool declare_completions{false};

    // Short forms of `on_request` and `on_error`; both forms are called where both are set.
    std::function<void(std::string_view method)> on_method_called{};
    // A client completed `initialize`.
    std::function<void(const Implementation&)> on_client_connected{};
    // A client sent `notifications/initialized`.
    std::function<void()> on_initialized{};
    std::function<void(std::string_view error)> on_protocol_error{};

    // Every request that arrives.
    std::function<void(std::string_view method, const JsonRpcRequest&)> on_request{};
    // Every answer with a result that leaves.
    std::function<void(const JsonRpcResponse&)> on_response{};
    // Every answer with an error that leaves.
    std::function<void(const JsonRpcErrorResponse&)> on_error{};
    // Every notification that arrives.
    std::function<void(const JsonRpcNotification&)> on_notification{};

    // What every message that arrives, or leaves, runs through.
    std::shared_ptr<FilterPipeline> incoming_filters{};
    std::shared_ptr<FilterPipeline> outgoing_filters{};

    // A connection or session ended in order, or broke.
    std::function<void()> on_transport_close{};
    std::function<void(std::string_view)> on_transport_error{};

    // Where the state of tasks is kept. A tool in task mode is run as an ordinary call.
    std::shared_ptr<class IMcpTaskStore> task_store{};

    // Asked for cache hints first, before `cache_hints`. See `McpServer::SetCacheable`.
    std::function<std::optional<CacheHint>(std::string_view method)> cache_hint_resolver{};
    // The protocol revisions that are spoken. Nothing or empty: all.
    std::optional<std::vector<std::string>> supported_protocol_versions{};
    // Whether changes are announced to clients that subscribe.
    bool subscriptions_enabled{true};
    // Most object members and array items in the arguments of a tool; beyond it the tool answers with an error result.
    std::optional<std::size_t> max_tool_input_elements{};

    // How many threads serve connections. 0: none, the host drives the server with `McpServer::Poll` or `Run`. Nothing: as
    // many as there are cores, four at most.
    std::optional<std::size_t> worker_threads{};
    // How many threads run handlers at most; they are started when they are needed. Further calls wait. Default 64.
    std::optional<std::size_t> handler_threads{};
    // Has handlers run where the host wants, on its main loop for instance: takes a function that must be called once, on any
    // thread. Destroying it uncalled answers the request with an error. Tools with `run_inline` do not come here.
    std::function<void(std::function<void()>)> executor{};
    ServerLimits limits{};
    // How many entries a page of a list has. Default 1,000.
    std::optional<std::size_t> page_size{};
    // Takes the library's own log: lines of `log_level` and more severe ones. One for the whole process, as `SetLogSink`.
    LogSink log_sink{};
    LogLevel log_level{LogLevel::Info};
    // How long `Close` waits for requests that run.
    std::chrono::milliseconds close_timeout{10000};
};

}  // namespace mcp

#include <mcp/detail/macros_pop.hpp>
