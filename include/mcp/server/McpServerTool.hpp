// Tools as objects.
#pragma once

#include <mcp/McpError.hpp>
#include <mcp/McpTypes.hpp>
#include <mcp/server/RequestContext.hpp>

#include <functional>
#include <future>
#include <memory>
#include <string_view>
#include <utility>

namespace mcp {

namespace detail {

struct ToolAccess;
using ToolFunction = std::function<CallToolResult(const RequestContext<CallToolRequestParams>&)>;

}  // namespace detail

// A tool. Derive from it to describe and run a tool in a way of your own; `Create` makes one of a function.
class McpServerTool : public std::enable_shared_from_this<McpServerTool> {
public:
    virtual ~McpServerTool() = default;

    // How the tool is described. Read when it is registered.
    virtual const Tool& ProtocolTool() const = 0;

    // Runs the tool: gives `result_promise` a result or an exception, during the call or later, from any thread. Several
    // calls may run at once. A promise that is destroyed without either fails the call. While an answer is outstanding the
    // tool is kept alive; no thread that serves requests waits for it.
    virtual void InvokeAsync(const RequestContext<CallToolRequestParams>& ctx,
                             std::promise<CallToolResult> result_promise) = 0;

    // A tool made of `callable`, which takes a context and returns a result. Where it throws `McpError`, the client receives
    // an error result with its message; any other exception tells the client nothing but that something went wrong. A tool in
    // task mode is run as an ordinary call.
    template <class Callable>
    static std::shared_ptr<McpServerTool> Create(std::string_view name, Callable&& callable,
                                                 const ToolOptions& options = {}) {
        return CreateFrom(name, detail::ToolFunction(std::forward<Callable>(callable)), options);
    }

private:
    friend struct detail::ToolAccess;

    static std::shared_ptr<McpServerTool> CreateFrom(std::string_view name, detail::ToolFunction function,
                                                     const ToolOptions& options);

    // Tools made by `Create` answer here; others need nothing.
    virtual const detail::ToolFunction* Function() const noexcept { return nullptr; }
    virtual const ToolOptions* Options() const noexcept { return nullptr; }
};

}  // namespace mcp
