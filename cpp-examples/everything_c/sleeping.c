// Tools that answer later: no thread waits with them, one clock answers them all.

#define _POSIX_C_SOURCE 200809L

#include <errno.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <time.h>

#include "../common/text.h"
#include "everything.h"

// How often calls that can be cancelled are looked at.
enum { LOOK_MS = 5 };

// A call that waits for its time.
typedef struct call {
    struct call *next;
    mcp_responder_t *responder;
    // NULL for a call that goes on whatever happens.
    mcp_context_t *context;
    uint64_t ms;
    uint64_t due;
} call;

// The calls, and the thread that answers them. Both tools own it.
typedef struct {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    pthread_t thread;
    call *calls;
    bool ends;
    int owners;
} sleepers;

static uint64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_REALTIME, &time);
    return (uint64_t)time.tv_sec * 1000 + (uint64_t)time.tv_nsec / 1000000;
}

static bool is_over(const call *waiting, uint64_t time) {
    return waiting->due <= time || (waiting->context != NULL && mcp_context_is_cancelled(waiting->context));
}

static void answer(call *waiting, uint64_t time) {
    if (waiting->due > time) {
        succeeded(mcp_respond_text(waiting->responder, MCP_STR("cancelled")));
    } else {
        respond_text(waiting->responder, text_format("slept %llu ms", (unsigned long long)waiting->ms));
    }
    mcp_context_delete(waiting->context);
    free(waiting);
}

// Takes the calls that are over out of the list. `*out_wake` is when the next one may be.
static call *take_over(sleepers *self, uint64_t *out_wake) {
    call *over = NULL;
    uint64_t time = now();
    for (call **at = &self->calls; *at != NULL;) {
        call *waiting = *at;
        if (is_over(waiting, time)) {
            *at = waiting->next;
            waiting->next = over;
            over = waiting;
            continue;
        }
        uint64_t look = waiting->context != NULL && time + LOOK_MS < waiting->due ? time + LOOK_MS : waiting->due;
        *out_wake = look < *out_wake ? look : *out_wake;
        at = &waiting->next;
    }
    return over;
}

static void *run(void *data) {
    sleepers *self = (sleepers *)data;
    pthread_mutex_lock(&self->lock);
    while (!self->ends) {
        uint64_t wake = now() + 3600000;
        call *over = take_over(self, &wake);
        if (over == NULL) {
            struct timespec until = {(time_t)(wake / 1000), (long)(wake % 1000) * 1000000};
            pthread_cond_timedwait(&self->changed, &self->lock, &until);
            continue;
        }
        pthread_mutex_unlock(&self->lock);
        while (over != NULL) {
            call *next = over->next;
            answer(over, now());
            over = next;
        }
        pthread_mutex_lock(&self->lock);
    }
    pthread_mutex_unlock(&self->lock);
    return NULL;
}

static sleepers *sleepers_new(int owners) {
    sleepers *self = (sleepers *)calloc(1, sizeof(*self));
    if (self == NULL) {
        return NULL;
    }
    self->owners = owners;
    pthread_mutex_init(&self->lock, NULL);
    pthread_cond_init(&self->changed, NULL);
    if (pthread_create(&self->thread, NULL, run, self) != 0) {
        free(self);
        return NULL;
    }
    return self;
}

// The destructor of each tool; the last one ends the clock. Calls that still wait are given up.
static void disown(void *data) {
    sleepers *self = (sleepers *)data;
    pthread_mutex_lock(&self->lock);
    self->ends = --self->owners == 0;
    bool ends = self->ends;
    pthread_cond_signal(&self->changed);
    pthread_mutex_unlock(&self->lock);
    if (!ends) {
        return;
    }
    pthread_join(self->thread, NULL);
    while (self->calls != NULL) {
        call *waiting = self->calls;
        self->calls = waiting->next;
        mcp_responder_delete(waiting->responder);
        mcp_context_delete(waiting->context);
        free(waiting);
    }
    pthread_cond_destroy(&self->changed);
    pthread_mutex_destroy(&self->lock);
    free(self);
}

// How long the client wants to wait; what is beyond 64 bits does not come to its end either.
static uint64_t milliseconds(mcp_str input) {
    mcp_str value = MCP_STR_NONE;
    int64_t whole;
    mcp_json_find(input, MCP_STR("ms"), &value);
    return mcp_json_get_int64(value, &whole) ? (uint64_t)whole : INT64_MAX;
}

static void begin(sleepers *self, mcp_context_t *context, uint64_t ms, mcp_responder_t *responder) {
    call *waiting = (call *)malloc(sizeof(*waiting));
    if (waiting == NULL) {
        mcp_context_delete(context);
        succeeded(mcp_respond_internal_failure(responder, MCP_STR("out of memory")));
        return;
    }
    *waiting = (call){NULL, responder, context, ms, now() + ms};
    pthread_mutex_lock(&self->lock);
    waiting->next = self->calls;
    self->calls = waiting;
    pthread_cond_signal(&self->changed);
    pthread_mutex_unlock(&self->lock);
}

static void wait_out(void *user_data, const mcp_context_t *context, mcp_str input, mcp_responder_t *responder) {
    (void)context;
    begin((sleepers *)user_data, NULL, milliseconds(input), responder);
}

static void wait_cancellable(void *user_data, const mcp_context_t *context, mcp_str input, mcp_responder_t *responder) {
    begin((sleepers *)user_data, mcp_context_clone(context), milliseconds(input), responder);
}

mcp_error_t *register_sleeping(const mcp_server_t *server) {
    static const char duty[] =
        "{\"type\":\"object\",\"properties\":{\"ms\":{\"type\":\"integer\",\"minimum\":0,"
        "\"description\":\"Milliseconds\"}},\"required\":[\"ms\"]}";
    static const tool tools[] = {
        {"sleep", "Answers after a while, whatever happens", duty, NULL, wait_out, false},
        {"sleep_cancellable", "Answers after a while, or when it is cancelled", duty, NULL, wait_cancellable, false},
    };
    enum { COUNT = sizeof(tools) / sizeof(tools[0]) };
    sleepers *self = sleepers_new(COUNT);
    if (self == NULL) {
        return mcp_error_new(MCP_ERROR_INTERNAL, MCP_STR("no memory or no thread for the tools that sleep"));
    }
    mcp_error_t *error = NULL;
    // Each registration owns its share of `self`, also when it fails; those that are not tried give theirs back here.
    for (int at = 0; at < COUNT; at++) {
        if (error == NULL) {
            error = add_tool(server, &tools[at], self, disown);
        } else {
            disown(self);
        }
    }
    return error;
}
