// What the example programs in C++ share: from the arguments of the command line to the exit code.
//
// Standard output belongs to the protocol, so everything that is meant for people goes to standard error.
#pragma once

#include <mcp/server/McpServer.hpp>

#include <functional>
#include <string>
#include <vector>

#include "command_line.hpp"

namespace examples {

// A program.
struct Program {
    std::string name;
    // Makes the options of its server. Empty: the name, and version 0.1.0.
    std::function<mcp::ServerOptions(const CommandLine&)> options{};
    // Registers what the server offers.
    std::function<void(mcp::McpServer&, const CommandLine&)> set_up{};
    // Flags of this program alone.
    std::vector<std::string> own_flags{};
    // Serves until the end. Empty: `McpServer::Run`.
    std::function<void(mcp::McpServer&, const CommandLine&)> serve{};
};

// Serves a program's server, as the command line says, until the client leaves or a signal asks for the end. The exit code:
// 0, 1 when it could not serve, 2 for wrong arguments.
int Run(const Program& program, int argc, char** argv);

}  // namespace examples
