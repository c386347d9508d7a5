// One program with this library and another one in Rust, both static: they link, and a panic in either is contained there.

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>

#include <mcp/mcp.h>

int other_contains_panics(void);
int other_runs_threads(void);

static int no_threads = 0;

typedef int (*create_fn)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);

// Stands in front of the C library's: a system that gives no threads makes the runtime inside of libmcp panic.
int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*body)(void *), void *argument) {
    if (no_threads) {
        return EAGAIN;
    }
    create_fn next = NULL;
    *(void **)&next = dlsym(RTLD_NEXT, "pthread_create");
    return next(thread, attributes, body, argument);
}

static int check(const char *what, int good) {
    if (!good) {
        fprintf(stderr, "failed: %s\n", what);
    }
    return !good;
}

int main(void) {
    int failures = check("the other library contains its panic", other_contains_panics() == 1);
    failures += check("the other library runs a thread", other_runs_threads() == 1);

    mcp_server_t *server = NULL;
    no_threads = 1;
    mcp_error_t *error = mcp_server_new(mcp_options_new(MCP_STR("none"), MCP_STR("1")), &server);
    no_threads = 0;
    failures += check("a panic inside of libmcp becomes an error", error != NULL && server == NULL);
    failures += check("the error is an internal one", mcp_error_code(error) == MCP_ERROR_INTERNAL);
    mcp_error_delete(error);

    error = mcp_server_new(mcp_options_new(MCP_STR("some"), MCP_STR("1")), &server);
    failures += check("libmcp works afterwards", error == NULL);
    mcp_error_delete(error);
    mcp_server_delete(server);

    failures += check("the other library still contains its panic", other_contains_panics() == 1);
    return failures;
}
