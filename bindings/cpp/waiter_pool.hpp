#pragma once

// Waits for the futures of handlers that answer later, so that no thread of the server's has to.

#include <mcp/McpTypes.hpp>

#include <functional>
#include <future>
#include <memory>

namespace mcp::detail {

// A bounded number of threads, started when there is something to wait for. All functions may be called from any thread.
class WaiterPool {
public:
    WaiterPool();
    ~WaiterPool();
    WaiterPool(const WaiterPool&) = delete;
    WaiterPool& operator=(const WaiterPool&) = delete;

    // Calls `answer` with the future when it is ready, or gives both up when the pool is stopped. `answer` may not throw.
    void Add(std::future<CallToolResult> future, std::function<void(std::future<CallToolResult>)> answer);

    // Gives up what is waited for, and ends the threads.
    void Stop() noexcept;

private:
    class State;
    std::shared_ptr<State> state_;
};

}  // namespace mcp::detail
