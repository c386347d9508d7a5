// What the tests of the C interface share. Plain C11 that is C++17 too.

#ifndef TESTS_C_CHECK_H
#define TESTS_C_CHECK_H

#if !defined(_GNU_SOURCE) && !defined(_POSIX_C_SOURCE)
#define _POSIX_C_SOURCE 200809L
#endif

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <mcp/mcp.h>

// How long anything may take before a test fails.
enum { LIMIT_MS = 60000 };

#define CHECK(condition)                                                                                               \
    do {                                                                                                               \
        if (!(condition)) {                                                                                            \
            check_failed(__FILE__, __LINE__, #condition);                                                              \
        }                                                                                                              \
    } while (0)

// The call succeeds.
#define CHECK_OK(call) check_ok(__FILE__, __LINE__, (call))
// The call fails with this code.
#define CHECK_ERROR(call, code) check_error(__FILE__, __LINE__, (call), (code))
// The text has this part.
#define CHECK_HAS(text, part) check_has(__FILE__, __LINE__, (text), (part))

#ifdef __cplusplus
#define CHECK_NORETURN [[noreturn]]
#else
#define CHECK_NORETURN _Noreturn
#endif

CHECK_NORETURN static inline void check_failed(const char *file, int line, const char *what) {
    fprintf(stderr, "%s:%d: %s\n", file, line, what);
    abort();
}

static inline void check_ok(const char *file, int line, mcp_error_t *error) {
    if (error != NULL) {
        mcp_str message = mcp_error_message(error);
        fprintf(stderr, "error %d: %.*s\n", (int)mcp_error_code(error), (int)message.len, message.ptr);
        check_failed(file, line, "no error");
    }
}

static inline void check_error(const char *file, int line, mcp_error_t *error, int32_t code) {
    if (mcp_error_code(error) != code) {
        mcp_str message = mcp_error_message(error);
        fprintf(stderr, "error %d, not %d: %.*s\n", (int)mcp_error_code(error), (int)code, (int)message.len,
                message.ptr != NULL ? message.ptr : "");
        check_failed(file, line, "the error");
    }
    CHECK(mcp_error_message(error).len > 0);
    mcp_error_delete(error);
}

static inline bool str_has(mcp_str text, const char *part) {
    size_t length = strlen(part);
    for (size_t at = 0; at + length <= text.len; at++) {
        if (memcmp(text.ptr + at, part, length) == 0) {
            return true;
        }
    }
    return false;
}

static inline bool str_is(mcp_str text, const char *other) {
    return text.len == strlen(other) && (text.len == 0 || memcmp(text.ptr, other, text.len) == 0);
}

static inline void check_has(const char *file, int line, mcp_str text, const char *part) {
    if (!str_has(text, part)) {
        fprintf(stderr, "%.*s\n", (int)text.len, text.ptr != NULL ? text.ptr : "");
        check_failed(file, line, part);
    }
}

// Text as `printf` would write it, to be freed by the caller.
static inline char *format(const char *pattern, ...) {
    va_list arguments;
    va_start(arguments, pattern);
    int length = vsnprintf(NULL, 0, pattern, arguments);
    va_end(arguments);
    CHECK(length >= 0);
    char *text = (char *)malloc((size_t)length + 1);
    CHECK(text != NULL);
    va_start(arguments, pattern);
    vsnprintf(text, (size_t)length + 1, pattern, arguments);
    va_end(arguments);
    return text;
}

// Something that happens a number of times, and can be waited for.
typedef struct {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    int count;
} event;

#define EVENT_INIT {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, 0}

static inline void event_add(event *self) {
    pthread_mutex_lock(&self->lock);
    self->count++;
    pthread_cond_broadcast(&self->changed);
    pthread_mutex_unlock(&self->lock);
}

static inline int event_count(event *self) {
    pthread_mutex_lock(&self->lock);
    int count = self->count;
    pthread_mutex_unlock(&self->lock);
    return count;
}

// Waits until it has happened so often; fails after `LIMIT_MS`.
static inline void event_wait(event *self, int count) {
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += LIMIT_MS / 1000;
    pthread_mutex_lock(&self->lock);
    while (self->count < count) {
        CHECK(pthread_cond_timedwait(&self->changed, &self->lock, &until) == 0);
    }
    pthread_mutex_unlock(&self->lock);
}

// A destructor that counts its calls in an `event`.
static inline void destroy_event(void *user_data) {
    event_add((event *)user_data);
}

// A handler that counts its calls in its `event`, if it has one, and gives up.
static inline void give_up(void *user_data, const mcp_context_t *context, mcp_str input, mcp_responder_t *responder) {
    (void)context;
    (void)input;
    if (user_data != NULL) {
        event_add((event *)user_data);
    }
    mcp_responder_delete(responder);
}

// A tool's handler that answers with its arguments.
static inline void answer_input(void *user_data, const mcp_context_t *context, mcp_str input,
                                mcp_responder_t *responder) {
    (void)user_data;
    (void)context;
    CHECK_OK(mcp_respond_text(responder, input));
}

// Options of a server for tests.
static inline mcp_options_t *test_options(void) {
    return mcp_options_new(MCP_STR("test"), MCP_STR("1.0"));
}

// A server of these options, or of default ones.
static inline mcp_server_t *test_server(mcp_options_t *options) {
    mcp_server_t *server = NULL;
    CHECK_OK(mcp_server_new(options != NULL ? options : test_options(), &server));
    return server;
}

static inline void add_tool(const mcp_server_t *server, const char *name, mcp_handler_fn function, void *user_data,
                            mcp_destroy_fn destroy) {
    CHECK_OK(mcp_server_add_tool(server, mcp_str_of(name), NULL, function, user_data, destroy));
}

// A request of revision 2026-07-28 to be freed by the caller. `members` are those of `params`, `meta` further ones of
// `_meta`; either may be empty.
static inline char *modern_with(int id, const char *method, const char *members, const char *capabilities,
                                const char *meta) {
    return format("{\"jsonrpc\":\"2.0\",\"id\":%d,\"method\":\"%s\",\"params\":{%s%s\"_meta\":{"
                  "\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\","
                  "\"io.modelcontextprotocol/clientCapabilities\":%s%s%s}}}",
                  id, method, members, *members != '\0' ? "," : "", capabilities, *meta != '\0' ? "," : "", meta);
}

static inline char *modern(int id, const char *method, const char *members) {
    return modern_with(id, method, members, "{}", "");
}

// A call of a tool without arguments.
static inline char *modern_call(int id, const char *tool) {
    char *members = format("\"name\":\"%s\",\"arguments\":{}", tool);
    char *message = modern(id, "tools/call", members);
    free(members);
    return message;
}

// A request of an older revision.
static inline char *legacy(int id, const char *method, const char *params) {
    return format("{\"jsonrpc\":\"2.0\",\"id\":%d,\"method\":\"%s\",\"params\":%s}", id, method, params);
}

// Answers a message without a connection; frees the message.
static inline mcp_text_t *dispatch(const mcp_server_t *server, char *message) {
    mcp_text_t *answer = NULL;
    CHECK_OK(mcp_server_dispatch(server, mcp_str_of(message), &answer));
    free(message);
    CHECK(answer != NULL);
    return answer;
}

// Dispatches, and checks that the answer has this part.
#define CHECK_ANSWER(server, message, part)                                                                            \
    do {                                                                                                               \
        mcp_text_t *check_answer = dispatch((server), (message));                                                      \
        CHECK_HAS(mcp_text_str(check_answer), (part));                                                                 \
        mcp_text_delete(check_answer);                                                                                 \
    } while (0)

static inline mcp_link_t *open_link(const mcp_server_t *server) {
    mcp_link_t *link = NULL;
    CHECK_OK(mcp_server_open_link(server, &link));
    return link;
}

// Sends a message and frees it.
static inline void link_send(const mcp_link_t *link, char *message) {
    CHECK_OK(mcp_link_send(link, mcp_str_of(message)));
    free(message);
}

static inline mcp_text_t *link_receive(const mcp_link_t *link) {
    mcp_text_t *message = NULL;
    CHECK_OK(mcp_link_receive(link, LIMIT_MS, &message));
    return message;
}

// Receives until a message has this part; what comes before is dropped.
static inline mcp_text_t *link_receive_with(const mcp_link_t *link, const char *part) {
    for (;;) {
        mcp_text_t *message = link_receive(link);
        if (str_has(mcp_text_str(message), part)) {
            return message;
        }
        mcp_text_delete(message);
    }
}

// The answer to the request of this id; what comes before is dropped.
static inline mcp_text_t *link_answer(const mcp_link_t *link, int id) {
    for (;;) {
        mcp_text_t *message = link_receive(link);
        mcp_str text = mcp_text_str(message), value;
        int64_t number = 0;
        bool answers = !mcp_json_find(text, MCP_STR("method"), &value) && mcp_json_find(text, MCP_STR("id"), &value) &&
                       mcp_json_get_int64(value, &number) && number == id;
        if (answers) {
            return message;
        }
        mcp_text_delete(message);
    }
}

// Sends a request with this id, and waits for its answer; frees the message.
static inline mcp_text_t *link_request(const mcp_link_t *link, int id, char *message) {
    link_send(link, message);
    return link_answer(link, id);
}

// Sends a request, and checks that its answer has this part.
#define CHECK_REQUEST(link, id, message, part)                                                                         \
    do {                                                                                                               \
        mcp_text_t *check_answer = link_request((link), (id), (message));                                              \
        CHECK_HAS(mcp_text_str(check_answer), (part));                                                                 \
        mcp_text_delete(check_answer);                                                                                 \
    } while (0)

// Opens a session of an older revision, with these capabilities of the client's.
static inline void link_handshake(const mcp_link_t *link, const char *version, const char *capabilities) {
    char *params = format("{\"protocolVersion\":\"%s\",\"capabilities\":%s,"
                          "\"clientInfo\":{\"name\":\"tester\",\"version\":\"2.0\"}}",
                          version, capabilities);
    char *part = format("\"protocolVersion\":\"%s\"", version);
    CHECK_REQUEST(link, 1000, legacy(1000, "initialize", params), part);
    link_send(link, format("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}"));
    free(params);
    free(part);
}

// A session of an older revision over a link.
static inline mcp_link_t *open_session(const mcp_server_t *server, const char *version, const char *capabilities) {
    mcp_link_t *link = open_link(server);
    link_handshake(link, version, capabilities);
    return link;
}

#endif
