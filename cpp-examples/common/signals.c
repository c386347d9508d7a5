#define _POSIX_C_SOURCE 200809L

#include "signals.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

#include "text.h"

// How long requests that are being served may still take when the program is asked to end.
enum { GRACE_MS = 2000 };

// A signal handler may do next to nothing; writing to a pipe is allowed. A thread reads from the other end.
static int pipe_ends[2];
static pthread_t reader;

static void tell(char what) {
    int before = errno;
    // A pipe that is full has been told already.
    ssize_t written = write(pipe_ends[1], &what, 1);
    (void)written;
    errno = before;
}

static void on_signal(int number) {
    (void)number;
    tell('s');
}

static void *read_pipe(void *server) {
    char what = 0;
    while (read(pipe_ends[0], &what, 1) < 0 && errno == EINTR) {
    }
    if (what == 's') {
        succeeded(mcp_server_close((const mcp_server_t *)server, GRACE_MS, NULL));
    }
    return NULL;
}

static bool install(void (*handler)(int)) {
    struct sigaction action = {.sa_handler = handler, .sa_flags = SA_RESTART};
    sigemptyset(&action.sa_mask);
    return sigaction(SIGINT, &action, NULL) == 0 && sigaction(SIGTERM, &action, NULL) == 0;
}

bool signals_close(const mcp_server_t *server) {
    if (pipe(pipe_ends) != 0) {
        return false;
    }
    for (int end = 0; end < 2; end++) {
        // Children have no business with it.
        fcntl(pipe_ends[end], F_SETFD, FD_CLOEXEC);
    }
    fcntl(pipe_ends[1], F_SETFL, O_NONBLOCK);
    return pthread_create(&reader, NULL, read_pipe, (void *)server) == 0 && install(on_signal);
}

void signals_ignore(void) {
    tell('e');
    pthread_join(reader, NULL);
    install(SIG_IGN);
    close(pipe_ends[0]);
    close(pipe_ends[1]);
}
