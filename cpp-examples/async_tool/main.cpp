// A tool with a way of its own to answer: from another thread, later. No thread of the server's waits with it.

#include <mcp/server/McpServer.hpp>

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <exception>
#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <utility>

#include "../common/run.hpp"

namespace {

using ToolContext = mcp::RequestContext<mcp::CallToolRequestParams>;

// Something that does one job after the other on its own thread, as a device or a database connection does. What is not done
// at its end is dropped.
class Device {
public:
    Device() : thread_([this] { Run(); }) {}

    ~Device() {
        {
            const std::lock_guard<std::mutex> lock(mutex_);
            ends_ = true;
        }
        changed_.notify_one();
        thread_.join();
    }

    void Post(std::function<void()> job) {
        {
            const std::lock_guard<std::mutex> lock(mutex_);
            jobs_.push_back(std::move(job));
        }
        changed_.notify_one();
    }

private:
    void Run() {
        std::unique_lock<std::mutex> lock(mutex_);
        while (true) {
            changed_.wait(lock, [this] { return ends_ || !jobs_.empty(); });
            if (ends_) {
                return;
            }
            const std::function<void()> job = std::move(jobs_.front());
            jobs_.pop_front();
            lock.unlock();
            job();
            lock.lock();
        }
    }

    std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<std::function<void()>> jobs_;
    bool ends_{false};
    // The last member: it uses the others.
    std::thread thread_;
};

class MeasureTool : public mcp::McpServerTool {
public:
    MeasureTool() {
        tool_.name = "measure";
        tool_.description = "Measures with the device";
        tool_.input_schema = mcp::JsonValue::Parse(R"({
            "type": "object",
            "properties": {"samples": {"type": "integer", "minimum": 1, "maximum": 1000}},
            "required": ["samples"]
        })");
    }

    const mcp::Tool& ProtocolTool() const override { return tool_; }

    void InvokeAsync(const ToolContext& ctx, std::promise<mcp::CallToolResult> promise) override {
        // A function object of the standard library has to be copyable, which a promise is not.
        const auto shared = std::make_shared<std::promise<mcp::CallToolResult>>(std::move(promise));
        // The context may be copied, and lives as long as it is needed.
        device_.Post([ctx, shared] {
            try {
                shared->set_value(Measure(ctx));
            } catch (...) {
                shared->set_exception(std::current_exception());
            }
        });
    }

private:
    static mcp::CallToolResult Measure(const ToolContext& ctx) {
        const auto samples = ctx.Params().arguments->At("samples").GetInt();
        if (samples == 13) {
            throw mcp::McpError(mcp::McpErrorCode::HandlerError, "The device refuses 13 samples.");
        }
        std::int64_t sum = 0;
        for (std::int64_t sample = 1; sample <= samples; ++sample) {
            if (ctx.IsCancellationRequested()) {
                throw mcp::McpError(mcp::McpErrorCode::RequestCancelled, "Nobody waits for the measurement.");
            }
            sum += sample;
            ctx.ReportProgress(static_cast<double>(sample), static_cast<double>(samples));
        }
        mcp::CallToolResult result;
        result.content.push_back(mcp::TextContent{"text", "measured " + std::to_string(sum)});
        return result;
    }

    mcp::Tool tool_;
    Device device_;
};

void SetUp(mcp::McpServer& server, const examples::CommandLine&) {
    server.RegisterTool(std::make_shared<MeasureTool>());
}

}  // namespace

int main(int argc, char** argv) { return examples::Run({"async_tool", {}, SetUp}, argc, argv); }
