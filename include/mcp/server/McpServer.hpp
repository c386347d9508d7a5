// The server.
#pragma once

#include <mcp/Capabilities.hpp>
#include <mcp/Content.hpp>
#include <mcp/ErrorCodes.hpp>
#include <mcp/Implementation.hpp>
#include <mcp/JsonRpc.hpp>
#include <mcp/JsonValue.hpp>
#include <mcp/McpError.hpp>
#include <mcp/McpTypes.hpp>
#include <mcp/Meta.hpp>
#include <mcp/Methods.hpp>
#include <mcp/ProtocolVersion.hpp>
#include <mcp/Transport.hpp>
#include <mcp/protocol/MessageFilter.hpp>
#include <mcp/server/McpServerTool.hpp>
#include <mcp/server/McpTaskStore.hpp>
#include <mcp/server/RequestContext.hpp>
#include <mcp/server/ServerOptions.hpp>

#include <chrono>
#include <cstddef>
#include <functional>
#include <future>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace mcp {

namespace detail {
class ServerCore;
}  // namespace detail

// A server: what it offers, its transport, its threads.
//
// All functions may be called from any thread, several at once, also from inside of a handler, unless it is said otherwise.
// Handlers run on threads of the server's, several at once; they may block. What a handler has captured is destroyed once,
// after its last call.
//
// Functions that fail throw `McpError`.
class McpServer {
public:
    // Makes a server and starts its transport; standard streams alone are started by `Run`, because their client has usually
    // begun before the tools are registered. Throws when an option is not valid. An address that is taken is told by `Run`,
    // and by `Start` of the transport, which try again. Without a transport (null) a server answers `Dispatch` only. A
    // transport serves one server.
    static std::unique_ptr<McpServer> Create(std::shared_ptr<ITransport> transport, const ServerOptions& options = {});

    // Closes the server, and waits for handlers that run. From inside of a handler it returns at once, and the rest is done
    // when the handler has returned.
    virtual ~McpServer();
    McpServer(const McpServer&) = delete;
    McpServer& operator=(const McpServer&) = delete;

    // Serves until the server is closed, or its transport has ended by itself, as standard streams do when the client closes
    // them. Messages are served by threads of the server's meanwhile.
    void Run();

    // Ends the transport: nothing more is accepted, and calls that run have the time of `close_timeout` to finish. From inside
    // of a handler it only asks for the end, and returns at once. May be called more than once.
    void Close();

    // Like `Close`, with a time of the caller's. How many handlers still run after that.
    std::size_t Close(std::chrono::milliseconds timeout);

    // Drives a server without worker threads for so long, after starting its transport like `Run`; zero does what can be done at once. False when there is nothing left
    // to wait for. One thread at a time.
    bool Poll(std::chrono::milliseconds timeout);

    // Answers one message that stands alone, without a transport: a request of revision 2026-07-28. Nothing for a
    // notification. What the handler sends before its answer is lost.
    std::optional<std::string> Dispatch(std::string_view message);

    // These add to what the server offers, in place of what has the same name or URI; clients that subscribed are told. They
    // throw `McpError(InvalidParams)` when a name, a URI template, a schema or an option is not valid; then nothing has
    // changed.
    void RegisterTool(std::shared_ptr<McpServerTool> tool);
    void RegisterTool(std::string_view name, const ToolOptions& options,
                      std::function<CallToolResult(const RequestContext<CallToolRequestParams>&)> handler);
    void RegisterResource(std::string_view name, std::string_view uri, const ResourceOptions& options,
                          std::function<ReadResourceResult(const std::string& uri)> handler);
    // `uri_template` is one of RFC 6570, such as `file:///{path}`; the handler gets its variables percent-decoded. Resources
    // come before templates.
    void RegisterResourceTemplate(
        std::string_view name, std::string_view uri_template, const ResourceOptions& options,
        std::function<ReadResourceResult(const std::string& uri, const std::map<std::string, std::string>& variables)>
            handler);
    void RegisterPrompt(
        std::string_view name, const PromptOptions& options,
        std::function<GetPromptResult(const std::string& name, const std::optional<JsonValue>& arguments)> handler);

    // The same, for handlers that need to know more of the request, or ask the client.
    void RegisterResourceWithContext(
        std::string_view name, std::string_view uri, const ResourceOptions& options,
        std::function<ReadResourceResult(const RequestContext<ReadResourceRequestParams>&)> handler);
    void RegisterResourceTemplateWithContext(
        std::string_view name, std::string_view uri_template, const ResourceOptions& options,
        std::function<ReadResourceResult(const RequestContext<ReadResourceRequestParams>&,
                                         const std::map<std::string, std::string>& variables)>
            handler);
    void RegisterPromptWithContext(
        std::string_view name, const PromptOptions& options,
        std::function<GetPromptResult(const RequestContext<GetPromptRequestParams>&)> handler);

    // These take something away; clients that subscribed are told. Calls that run go on. False when there is no such thing.
    bool RemoveTool(std::string_view name);
    bool RemoveResource(std::string_view uri);
    bool RemoveResourceTemplate(std::string_view uri_template);
    bool RemovePrompt(std::string_view name);

    // Completes arguments of prompts and variables of templates.
    using CompletionHandler = std::function<CompleteResult(const CompleteRequestParams&)>;
    void SetCompletionHandler(CompletionHandler handler);

    // Asked for cache hints first, in place of `ServerOptions::cache_hint_resolver`. Empty: nobody is.
    void SetCacheable(std::function<std::optional<CacheHint>(std::string_view method)> resolver);

    // Asks the newest client with a session that can ask its user. The future holds an exception where there is none, or where
    // the client refuses. Must not be waited for on a thread that serves connections (an inline handler, a filter).
    std::future<ElicitResult> Elicit(const ElicitRequestParams& params);

    // Tell clients that subscribed. Adding and removing does it by itself.
    void SendToolListChanged();
    void SendResourceListChanged();
    void SendPromptListChanged();
    // Tells the clients that watch this resource.
    void SendResourceUpdated(std::string_view uri);

    // Sends a log message to every client with a session that wants messages of this level, if logging is declared.
    void SendLoggingMessage(LoggingLevel level, std::string_view data);
    // The same, unless the level is below `min_level`.
    void SendLoggingMessage(LoggingLevel level, std::string_view data, std::optional<LoggingLevel> min_level);

    // Tells clients that watch a task of its status; dropped where none does, as long as tools in task mode are run as
    // ordinary calls.
    void SendTaskStatus(std::string_view task_id, TaskStatus status);

    // What the newest client with a session can do; null where there is none. Clients of revision 2026-07-28 have none.
    std::shared_ptr<const ClientCapabilities> GetClientCapabilities() const;
    // Who the newest client with a session is; otherwise who connected without one, or sent a request of revision 2026-07-28
    // whose handler looked at its parameters, whoever was last. Null before a client is known.
    std::shared_ptr<const Implementation> GetClientInfo() const;
    // The protocol revision of that client; empty before a client is known.
    std::string GetNegotiatedProtocolVersion() const;

    // What the server declares, derived from what is registered. Valid for as long as the server is.
    const ServerCapabilities& GetCapabilities() const;

    // Whether a handler may answer with `input_required`: clients of revision 2026-07-28 can be served, or the legacy shim is
    // there for the others.
    bool IsMrtrSupported() const;

private:
    friend class detail::ServerCore;

    explicit McpServer(std::shared_ptr<detail::ServerCore> core) noexcept;

    std::shared_ptr<detail::ServerCore> core_;
};

}  // namespace mcp
