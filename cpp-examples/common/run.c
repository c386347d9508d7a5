#include "run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "signals.h"
#include "text.h"

static void print_log(void *user_data, int32_t level, mcp_str source, mcp_str message) {
    static const char *const names[] = {"debug", "info", "notice", "warning", "error"};
    (void)user_data;
    const char *name = level >= 0 && level <= MCP_LEVEL_ERROR ? names[level] : "log";
    fprintf(stderr, "%s %.*s: %.*s\n", name, (int)source.len, source.ptr, (int)message.len, message.ptr);
}

// Warnings and errors, or from the level on that the variable MCP_LOG names.
static void log_to_stderr(void) {
    const char *wanted = getenv("MCP_LOG");
    int32_t level = MCP_LEVEL_WARNING;
    if (wanted != NULL && strcmp(wanted, "off") == 0) {
        return;
    }
    if (wanted != NULL && strcmp(wanted, "debug") == 0) {
        level = MCP_LEVEL_DEBUG;
    } else if (wanted != NULL && strcmp(wanted, "info") == 0) {
        level = MCP_LEVEL_INFO;
    } else if (wanted != NULL && strcmp(wanted, "error") == 0) {
        level = MCP_LEVEL_ERROR;
    }
    succeeded(mcp_set_log_sink(level, print_log, NULL, NULL));
}

static mcp_error_t *make_server(const example *program, const command_line *line, mcp_server_t **out_server) {
    mcp_options_t *options = program->options();
    if (line->request_state_key != NULL) {
        mcp_options_set_request_state_key(options, mcp_str_of(line->request_state_key));
    }
    if (!line->http) {
        // One client needs no thread of its own: the main thread serves it while it waits.
        mcp_options_set_worker_threads(options, 0);
    }
    return mcp_server_new(options, out_server);
}

static mcp_error_t *start(const mcp_server_t *server, const command_line *line) {
    if (!line->http) {
        return mcp_server_start_stdio(server, true);
    }
    mcp_http_options_t *options = mcp_http_options_new();
    mcp_http_options_set_host(options, mcp_str_of(line->host));
    mcp_http_options_set_port(options, line->port);
    mcp_http_options_set_stateless(options, line->stateless);
    mcp_http_t *http = NULL;
    mcp_error_t *error = mcp_server_start_http(server, options, &http);
    if (error == NULL) {
        mcp_str address = mcp_http_address(http);
        fprintf(stderr, "listening on http://%.*s/mcp\n", (int)address.len, address.ptr);
        mcp_http_delete(http);
    }
    return error;
}

// Whether the server served until its end.
static bool serve(const example *program, const mcp_server_t *server, const command_line *line) {
    mcp_error_t *error = program->set_up(server, line);
    if (error == NULL && !signals_close(server)) {
        error = mcp_error_new(MCP_ERROR_INTERNAL, MCP_STR("signals can't be handled"));
    } else if (error == NULL) {
        error = start(server, line);
        if (error == NULL) {
            error = mcp_server_wait(server);
        }
        signals_ignore();
    }
    if (error != NULL) {
        fprintf(stderr, "%s: ", program->name);
    }
    return succeeded(error);
}

int example_run(const example *program, int argc, char **argv) {
    command_line line;
    char *wrong = command_line_parse(argc, argv, &line);
    if (wrong != NULL || line.help) {
        if (wrong != NULL) {
            fprintf(stderr, "%s: %s\n\n", program->name, wrong);
        }
        command_line_print_usage(program->name);
        free(wrong);
        return wrong != NULL ? 2 : EXIT_SUCCESS;
    }
    log_to_stderr();
    mcp_server_t *server = NULL;
    mcp_error_t *error = make_server(program, &line, &server);
    if (error != NULL) {
        fprintf(stderr, "%s: ", program->name);
        succeeded(error);
        return EXIT_FAILURE;
    }
    bool served = serve(program, server, &line);
    size_t running = 0;
    bool closed = succeeded(mcp_server_close(server, 0, &running));
    // A handler that does not come to its end must not keep the program from it.
    if (closed && running == 0) {
        mcp_server_delete(server);
    }
    succeeded(mcp_set_log_sink(MCP_LEVEL_ERROR, NULL, NULL, NULL));
    return served ? EXIT_SUCCESS : EXIT_FAILURE;
}
