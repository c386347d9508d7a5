// A host with a main loop of its own. Its data belongs to the main thread, so the handlers run there: the executor hook posts
// them to the loop. With --poll the server has no threads at all, and the loop drives it.
//
//     main_loop [--poll] [--http HOST:PORT]

#include <mcp/server/McpServer.hpp>

#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <utility>

#include "../common/run.hpp"

namespace {

using ToolContext = mcp::RequestContext<mcp::CallToolRequestParams>;

// What a program with windows or a game has.
class MainLoop {
public:
    // From any thread.
    void Post(std::function<void()> job) {
        {
            const std::lock_guard<std::mutex> lock(mutex_);
            jobs_.push_back(std::move(job));
        }
        changed_.notify_one();
    }

    // Runs jobs until `Quit`.
    void Run() {
        std::unique_lock<std::mutex> lock(mutex_);
        while (true) {
            changed_.wait(lock, [this] { return quits_ || !jobs_.empty(); });
            if (jobs_.empty()) {
                return;
            }
            RunOne(lock);
        }
    }

    // Runs the jobs that are there, and does not wait for more.
    void RunPending() {
        std::unique_lock<std::mutex> lock(mutex_);
        while (!jobs_.empty()) {
            RunOne(lock);
        }
    }

    // From any thread. Jobs that are there still run.
    void Quit() {
        {
            const std::lock_guard<std::mutex> lock(mutex_);
            quits_ = true;
        }
        changed_.notify_one();
    }

private:
    void RunOne(std::unique_lock<std::mutex>& lock) {
        std::function<void()> job = std::move(jobs_.front());
        jobs_.pop_front();
        lock.unlock();
        job();
        // What the job holds is freed without the lock, too.
        job = nullptr;
        lock.lock();
    }

    std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<std::function<void()>> jobs_;
    bool quits_{false};
};

// The data of the host: no lock guards it, for only the main thread touches it.
struct Document {
    const std::thread::id owner{std::this_thread::get_id()};
    std::string text;
};

mcp::CallToolResult Append(Document& document, const ToolContext& ctx) {
    if (std::this_thread::get_id() != document.owner) {
        throw mcp::McpError(mcp::McpErrorCode::InternalError, "The document belongs to the main thread.");
    }
    document.text += ctx.Params().arguments->At("text").GetString();
    mcp::CallToolResult result;
    result.content.push_back(mcp::TextContent{"text", document.text});
    return result;
}

// The loop waits for jobs; threads of the server's serve the client and post them.
void RunLoop(mcp::McpServer& server, MainLoop& loop) {
    std::thread waiter([&] {
        server.Run();
        loop.Quit();
    });
    loop.Run();
    waiter.join();
}

// Each turn of the loop drives the server for a while.
void PollLoop(mcp::McpServer& server, MainLoop& loop) {
    while (server.Poll(std::chrono::milliseconds(16))) {
        loop.RunPending();
    }
}

}  // namespace

int main(int argc, char** argv) {
    MainLoop loop;
    Document document;

    examples::Program program;
    program.name = "main_loop";
    program.own_flags = {"--poll"};
    program.options = [&loop](const examples::CommandLine& line) {
        mcp::ServerOptions options;
        options.worker_threads = line.Has("--poll") ? 0 : 1;
        options.executor = [&loop](std::function<void()> job) { loop.Post(std::move(job)); };
        return options;
    };
    program.set_up = [&document](mcp::McpServer& server, const examples::CommandLine&) {
        auto schema = mcp::JsonValue::Parse(
            R"({"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]})");
        server.RegisterTool("append", mcp::ToolOptions{}.Description("Adds text to the document").InputSchema(schema),
                            [&document](const ToolContext& ctx) { return Append(document, ctx); });
    };
    program.serve = [&loop](mcp::McpServer& server, const examples::CommandLine& line) {
        line.Has("--poll") ? PollLoop(server, loop) : RunLoop(server, loop);
    };
    return examples::Run(program, argc, argv);
}
