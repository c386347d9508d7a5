#include "run.hpp"

#include <mcp/transport/StdioServerTransport.hpp>
#include <mcp/transport/StreamableHttpServerTransport.hpp>

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <memory>

#include "signals.hpp"

namespace examples {

namespace {

void PrintLog(mcp::LogLevel level, std::string_view source, std::string_view message) {
    static constexpr const char* kNames[] = {"off", "error", "warning", "info", "debug", "trace"};
    std::fprintf(stderr, "%s %.*s: %.*s\n", kNames[static_cast<int>(level)], static_cast<int>(source.size()),
                 source.data(), static_cast<int>(message.size()), message.data());
}

mcp::ServerOptions MakeOptions(const Program& program, const CommandLine& line) {
    mcp::ServerOptions options = program.options ? program.options(line) : mcp::ServerOptions{};
    if (!options.server_info) {
        options.server_info = mcp::Implementation{program.name, "0.1.0"};
    }
    if (line.request_state_key) {
        options.request_state_key = line.request_state_key;
    }
    if (!line.http && !options.worker_threads) {
        // One client needs no thread of its own: the main thread serves it while it waits.
        options.worker_threads = 0;
    }
    options.log_sink = PrintLog;
    options.log_level = std::getenv("MCP_LOG_LEVEL") != nullptr ? mcp::GetLogLevel() : mcp::LogLevel::Warning;
    return options;
}

std::shared_ptr<mcp::StreamableHttpServerTransport> MakeHttp(const CommandLine& line) {
    mcp::StreamableHttpServerOptions options;
    options.host = line.http->host;
    options.port = line.http->port;
    options.stateless = line.stateless;
    return std::make_shared<mcp::StreamableHttpServerTransport>(options);
}

void Serve(const Program& program, const CommandLine& line) {
    std::shared_ptr<mcp::StreamableHttpServerTransport> http;
    std::shared_ptr<mcp::ITransport> transport;
    if (line.http) {
        transport = http = MakeHttp(line);
    } else {
        transport = std::make_shared<mcp::StdioServerTransport>();
    }
    auto server = mcp::McpServer::Create(transport, MakeOptions(program, line));
    program.set_up(*server, line);
    {
        const CloseOnSignal close_on_signal(*server);
        if (http) {
            const std::string& host = line.http->host;
            const bool is_v6 = host.find(':') != std::string::npos;
            std::fprintf(stderr, "listening on http://%s%s%s:%u/mcp\n", is_v6 ? "[" : "", host.c_str(), is_v6 ? "]" : "",
                         static_cast<unsigned>(http->Port()));
        }
        if (program.serve) {
            // `Run` would do it; what drives the server in another way has to.
            transport->Start();
            program.serve(*server, line);
        } else {
            server->Run();
        }
    }
    if (server->Close(std::chrono::milliseconds(0)) > 0) {
        // A handler that does not come to its end must not keep the program from it.
        std::fflush(nullptr);
        std::_Exit(EXIT_SUCCESS);
    }
}

}  // namespace

int Run(const Program& program, int argc, char** argv) {
    try {
        const CommandLine line = CommandLine::Parse(argc, argv, program.own_flags);
        if (line.help) {
            std::fputs(Usage(program.name, program.own_flags).c_str(), stderr);
            return EXIT_SUCCESS;
        }
        Serve(program, line);
        return EXIT_SUCCESS;
    } catch (const WrongArgument& wrong) {
        std::fprintf(stderr, "%s: %s\n\n%s", program.name.c_str(), wrong.what(),
                     Usage(program.name, program.own_flags).c_str());
        return 2;
    } catch (const std::exception& error) {
        std::fprintf(stderr, "%s: %s\n", program.name.c_str(), error.what());
        return EXIT_FAILURE;
    }
}

}  // namespace examples
