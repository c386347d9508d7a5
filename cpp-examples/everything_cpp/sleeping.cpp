// Tools that answer later: no thread waits with them, one clock answers them all.

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <future>
#include <list>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>

#include "everything.hpp"

namespace everything {

namespace {

using Time = std::chrono::steady_clock::time_point;

// How often calls that can be cancelled are looked at.
constexpr std::chrono::milliseconds kLook{5};

// A call that waits for its time.
struct Call {
    ToolContext ctx;
    std::promise<mcp::CallToolResult> promise;
    bool cancellable;
    std::int64_t ms;
    Time due;

    // Whether it was answered.
    bool Answer(Time now) {
        if (due <= now) {
            promise.set_value(TextResult("slept " + std::to_string(ms) + " ms"));
            return true;
        }
        if (cancellable && ctx.IsCancellationRequested()) {
            promise.set_value(TextResult("cancelled"));
            return true;
        }
        return false;
    }
};

// A thread that answers calls when their time has come. Calls that still wait at its end are given up.
class Clock {
public:
    Clock() : thread_([this] { Run(); }) {}

    ~Clock() {
        {
            const std::lock_guard<std::mutex> lock(mutex_);
            ends_ = true;
        }
        changed_.notify_one();
        thread_.join();
    }

    void Add(Call call) {
        {
            const std::lock_guard<std::mutex> lock(mutex_);
            calls_.push_back(std::move(call));
        }
        changed_.notify_one();
    }

private:
    void Run() {
        std::unique_lock<std::mutex> lock(mutex_);
        while (!ends_) {
            const Time now = std::chrono::steady_clock::now();
            Time wake = now + std::chrono::hours(1);
            for (auto call = calls_.begin(); call != calls_.end();) {
                if (call->Answer(now)) {
                    call = calls_.erase(call);
                    continue;
                }
                wake = std::min(wake, call->cancellable ? std::min(call->due, now + kLook) : call->due);
                ++call;
            }
            changed_.wait_until(lock, wake);
        }
    }

    std::mutex mutex_;
    std::condition_variable changed_;
    std::list<Call> calls_;
    bool ends_{false};
    // The last member: it uses the others.
    std::thread thread_;
};

// A tool with a way of its own to answer.
class SleepingTool : public mcp::McpServerTool {
public:
    SleepingTool(std::string name, std::string description, bool cancellable, std::shared_ptr<Clock> clock)
        : cancellable_(cancellable), clock_(std::move(clock)) {
        tool_.name = std::move(name);
        tool_.description = std::move(description);
        tool_.input_schema = mcp::JsonValue::Parse(R"({
            "type": "object",
            "properties": {"ms": {"type": "integer", "minimum": 0, "description": "Milliseconds"}},
            "required": ["ms"]
        })");
    }

    const mcp::Tool& ProtocolTool() const override { return tool_; }

    void InvokeAsync(const ToolContext& ctx, std::promise<mcp::CallToolResult> promise) override {
        const mcp::JsonValue& duty = Argument(ctx, "ms");
        // What is beyond 64 bits, or beyond what the clock counts, does not come to its end either.
        const std::int64_t longest = std::chrono::milliseconds(std::chrono::hours(24 * 365)).count();
        const std::int64_t ms = duty.IsInt() ? duty.GetInt() : longest;
        const Time due = std::chrono::steady_clock::now() + std::chrono::milliseconds(std::min(ms, longest));
        clock_->Add(Call{ctx, std::move(promise), cancellable_, ms, due});
    }

private:
    mcp::Tool tool_;
    bool cancellable_;
    std::shared_ptr<Clock> clock_;
};

}  // namespace

void RegisterSleeping(mcp::McpServer& server) {
    const auto clock = std::make_shared<Clock>();
    server.RegisterTool(
        std::make_shared<SleepingTool>("sleep", "Answers after a while, whatever happens", false, clock));
    server.RegisterTool(std::make_shared<SleepingTool>("sleep_cancellable",
                                                       "Answers after a while, or when it is cancelled", true, clock));
}

}  // namespace everything
