// A server that is closed or deleted from inside of any of the host's functions: nothing waits for itself.

#include "check.h"

// The server that a callback ends, once.
typedef struct {
    mcp_server_t *server;
    bool deletes;
    event ended;
    event destroyed;
} ending;

static void end_server(ending *self) {
    if (event_count(&self->ended) > 0) {
        return;
    }
    event_add(&self->ended);
    if (self->deletes) {
        mcp_server_delete(self->server);
    } else {
        CHECK_OK(mcp_server_close(self->server, 1000, NULL));
    }
}

static void destroy_ending(void *user_data) {
    event_add(&((ending *)user_data)->destroyed);
}

static void on_event(void *user_data, mcp_str subject, mcp_str detail) {
    (void)subject;
    (void)detail;
    end_server((ending *)user_data);
}

static void on_message(void *user_data, mcp_str message, mcp_filter_next_t *next) {
    mcp_error_delete(mcp_filter_pass(next, message));
    end_server((ending *)user_data);
}

static void on_call(void *user_data, const mcp_context_t *context, mcp_str input, mcp_responder_t *responder) {
    (void)context;
    (void)input;
    end_server((ending *)user_data);
    mcp_error_delete(mcp_respond_text(responder, MCP_STR("ended")));
}

static bool on_hint(void *user_data, mcp_str method, uint64_t *out_ttl_ms, int32_t *out_scope) {
    (void)method;
    (void)out_ttl_ms;
    (void)out_scope;
    end_server((ending *)user_data);
    return false;
}

static void on_job(void *user_data, mcp_job_t *job) {
    end_server((ending *)user_data);
    mcp_job_run(job);
}

typedef enum { REQUEST_EVENT, RESPONSE_EVENT, CLOSE_EVENT, INCOMING, OUTGOING, HANDLER, INLINE, HINT, EXECUTOR, PLACES } place;

static void set_up(mcp_options_t *options, place where, ending *self) {
    switch (where) {
        case REQUEST_EVENT: mcp_options_on_event(options, MCP_EVENT_REQUEST, on_event, self, destroy_ending); break;
        case RESPONSE_EVENT: mcp_options_on_event(options, MCP_EVENT_RESPONSE, on_event, self, destroy_ending); break;
        case CLOSE_EVENT: mcp_options_on_event(options, MCP_EVENT_TRANSPORT_CLOSE, on_event, self, destroy_ending); break;
        case INCOMING: mcp_options_add_incoming_filter(options, on_message, self, destroy_ending); break;
        case OUTGOING: mcp_options_add_outgoing_filter(options, on_message, self, destroy_ending); break;
        case HINT: mcp_options_set_cache_hint_resolver(options, on_hint, self, destroy_ending); break;
        case EXECUTOR: mcp_options_set_executor(options, on_job, self, destroy_ending); break;
        default: break;
    }
}

static void ended_in(place where, bool deletes) {
    ending self = {NULL, deletes, EVENT_INIT, EVENT_INIT};
    mcp_options_t *options = test_options();
    set_up(options, where, &self);
    self.server = test_server(options);
    bool handler = where == HANDLER || where == INLINE;
    mcp_tool_options_t *tool = mcp_tool_options_new();
    mcp_tool_options_set_inline(tool, where == INLINE);
    CHECK_OK(mcp_server_add_tool(self.server, MCP_STR("t"), tool, handler ? on_call : answer_input,
                                 handler ? &self : NULL, handler ? destroy_ending : NULL));
    mcp_link_t *link = open_link(self.server);
    link_send(link, where == HINT ? modern(1, "tools/list", "") : modern_call(1, "t"));
    if (where == CLOSE_EVENT) {
        // A client that leaves with an answer outstanding breaks the connection instead.
        mcp_text_delete(link_answer(link, 1));
        mcp_link_delete(link);
        link = NULL;
    }
    event_wait(&self.ended, 1);
    // The connection comes to its end.
    for (bool open = link != NULL; open;) {
        mcp_text_t *message = NULL;
        mcp_error_t *error = mcp_link_receive(link, LIMIT_MS, &message);
        open = error == NULL;
        CHECK(open || mcp_error_code(error) == MCP_ERROR_CONNECTION_CLOSED);
        mcp_error_delete(error);
        mcp_text_delete(message);
    }
    mcp_link_delete(link);
    if (!deletes) {
        CHECK_OK(mcp_server_wait(self.server));
        mcp_server_delete(self.server);
        CHECK(event_count(&self.destroyed) == 1);
    }
    event_wait(&self.destroyed, 1);
}

static void on_carry(void *user_data, mcp_str message) {
    (void)message;
    end_server((ending *)user_data);
}

static void ended_by_a_connection(bool deletes) {
    ending self = {NULL, deletes, EVENT_INIT, EVENT_INIT};
    self.server = test_server(NULL);
    mcp_connection_t *connection = NULL;
    CHECK_OK(mcp_server_connect(self.server, on_carry, &self, destroy_ending, &connection));
    char *message = modern(1, "server/discover", "");
    CHECK_OK(mcp_connection_receive(connection, mcp_str_of(message)));
    free(message);
    event_wait(&self.ended, 1);
    if (!deletes) {
        CHECK_OK(mcp_server_wait(self.server));
        mcp_server_delete(self.server);
    }
    event_wait(&self.destroyed, 1);
    mcp_connection_delete(connection);
}

static void on_log(void *user_data, int32_t level, mcp_str source, mcp_str message) {
    (void)level;
    (void)source;
    (void)message;
    end_server((ending *)user_data);
}

static void fail(void *user_data, const mcp_context_t *context, mcp_str input, mcp_responder_t *responder) {
    (void)user_data;
    (void)context;
    (void)input;
    mcp_error_delete(mcp_respond_internal_failure(responder, MCP_STR("for the log")));
}

static void closed_by_the_log(void) {
    ending self = {NULL, false, EVENT_INIT, EVENT_INIT};
    self.server = test_server(NULL);
    add_tool(self.server, "fail", fail, NULL, NULL);
    mcp_link_t *link = open_link(self.server);
    CHECK_OK(mcp_set_log_sink(MCP_LEVEL_WARNING, on_log, &self, destroy_ending));
    link_send(link, modern_call(1, "fail"));
    event_wait(&self.ended, 1);
    CHECK_OK(mcp_server_wait(self.server));
    CHECK_OK(mcp_set_log_sink(MCP_LEVEL_WARNING, NULL, NULL, NULL));
    CHECK(event_count(&self.destroyed) == 1);
    mcp_link_delete(link);
    mcp_server_delete(self.server);
}

int main(void) {
    for (int deletes = 0; deletes < 2; deletes++) {
        for (int where = 0; where < PLACES; where++) {
            ended_in((place)where, deletes != 0);
        }
        ended_by_a_connection(deletes != 0);
    }
    closed_by_the_log();
    return 0;
}
