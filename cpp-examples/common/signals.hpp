// The signals that ask a program to end.
#pragma once

#include <mcp/server/McpServer.hpp>

#include <thread>

namespace examples {

// While one of these exists, SIGINT and SIGTERM do not end the program by themselves: they close the server. One at a time.
class CloseOnSignal {
public:
    // `server` must outlive this object. Throws `std::system_error` when the system gives no pipe.
    explicit CloseOnSignal(mcp::McpServer& server);
    // Signals that come later have no effect.
    ~CloseOnSignal();
    CloseOnSignal(const CloseOnSignal&) = delete;
    CloseOnSignal& operator=(const CloseOnSignal&) = delete;

private:
    std::thread reader_;
};

}  // namespace examples
