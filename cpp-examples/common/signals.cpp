#include "signals.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <exception>
#include <system_error>

namespace examples {

namespace {

// How long requests that are being served may still take when the program is asked to end.
constexpr std::chrono::milliseconds kGrace{2000};

// A signal handler may do next to nothing; writing to a pipe is allowed. A thread reads from the other end.
int pipe_ends[2];

void Tell(char what) {
    const int before = errno;
    // A pipe that is full has been told already.
    [[maybe_unused]] const ssize_t written = write(pipe_ends[1], &what, 1);
    errno = before;
}

extern "C" void OnSignal(int) { Tell('s'); }

void Install(void (*handler)(int)) {
    struct sigaction action {};
    action.sa_handler = handler;
    action.sa_flags = SA_RESTART;
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, nullptr);
    sigaction(SIGTERM, &action, nullptr);
}

void WaitAndClose(mcp::McpServer& server) noexcept {
    char what = 0;
    while (read(pipe_ends[0], &what, 1) < 0 && errno == EINTR) {
    }
    if (what != 's') {
        return;
    }
    try {
        server.Close(kGrace);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "closing failed: %s\n", error.what());
    }
}

}  // namespace

CloseOnSignal::CloseOnSignal(mcp::McpServer& server) {
    if (pipe(pipe_ends) != 0) {
        throw std::system_error(errno, std::generic_category(), "no pipe for signals");
    }
    for (const int end : pipe_ends) {
        // Children have no business with it.
        fcntl(end, F_SETFD, FD_CLOEXEC);
    }
    fcntl(pipe_ends[1], F_SETFL, O_NONBLOCK);
    reader_ = std::thread([&server] { WaitAndClose(server); });
    Install(OnSignal);
}

CloseOnSignal::~CloseOnSignal() {
    Tell('e');
    reader_.join();
    Install(SIG_IGN);
    close(pipe_ends[0]);
    close(pipe_ends[1]);
}

}  // namespace examples
