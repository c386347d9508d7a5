// How servers end, whatever is going on; several of them; servers that the host drives; handlers that the host runs.

#include "check.h"

#include <sys/wait.h>
#include <unistd.h>

// A handler that stays until it is told to go.
typedef struct {
    event entered;
    event released;
    event left;
} stay;

static void stay_inside(void *user_data, const mcp_context_t *context, mcp_str input, mcp_responder_t *responder) {
    (void)context;
    (void)input;
    stay *self = (stay *)user_data;
    event_add(&self->entered);
    event_wait(&self->released, 1);
    event_add(&self->left);
    mcp_error_delete(mcp_respond_text(responder, MCP_STR("left")));
}

static void close_server(void *user_data, const mcp_context_t *context, mcp_str input, mcp_responder_t *responder) {
    (void)user_data;
    (void)input;
    size_t running = 0;
    CHECK_OK(mcp_server_close(mcp_context_server(context), 1000, &running));
    CHECK(running >= 1);
    CHECK_OK(mcp_respond_text(responder, MCP_STR("closing")));
}

static void closed_by_a_handler(void) {
    mcp_server_t *server = test_server(NULL);
    add_tool(server, "close", close_server, NULL, NULL);
    mcp_link_t *link = open_link(server);
    link_send(link, modern(1, "subscriptions/listen", "\"notifications\":{\"toolsListChanged\":true}"));
    mcp_text_delete(link_receive_with(link, "acknowledged"));
    CHECK_REQUEST(link, 2, modern_call(2, "close"), "closing");
    CHECK_OK(mcp_server_wait(server));
    mcp_text_t *message = NULL;
    mcp_error_t *error = NULL;
    // The stream of the subscription ends in order, and then the connection.
    while ((error = mcp_link_receive(link, LIMIT_MS, &message)) == NULL) {
        mcp_text_delete(message);
    }
    CHECK(mcp_error_code(error) == MCP_ERROR_CONNECTION_CLOSED);
    mcp_error_delete(error);
    mcp_link_delete(link);
    mcp_server_delete(server);
}

static void delete_from_inside(void *user_data, const mcp_context_t *context, mcp_str input, mcp_responder_t *responder) {
    (void)context;
    (void)input;
    mcp_server_delete(*(mcp_server_t **)user_data);
    mcp_error_delete(mcp_respond_text(responder, MCP_STR("deleted")));
}

static void deleted_by_a_handler(void) {
    static mcp_server_t *server;
    event destroyed = EVENT_INIT;
    server = test_server(NULL);
    add_tool(server, "delete", delete_from_inside, &server, NULL);
    add_tool(server, "other", answer_input, &destroyed, destroy_event);
    mcp_link_t *link = open_link(server);
    link_send(link, modern_call(1, "delete"));
    event_wait(&destroyed, 1);
    mcp_text_t *message = NULL;
    mcp_error_t *error = NULL;
    while ((error = mcp_link_receive(link, LIMIT_MS, &message)) == NULL) {
        mcp_text_delete(message);
    }
    CHECK(mcp_error_code(error) == MCP_ERROR_CONNECTION_CLOSED);
    mcp_error_delete(error);
    mcp_link_delete(link);
}

static void *release_later(void *data) {
    event_add(&((stay *)data)->released);
    return NULL;
}

static void deleted_with_many_calls_in_flight(void) {
    enum { CALLS = 50 };
    stay self = {EVENT_INIT, EVENT_INIT, EVENT_INIT};
    event destroyed = EVENT_INIT;
    mcp_server_t *server = test_server(NULL);
    add_tool(server, "stay", stay_inside, &self, NULL);
    add_tool(server, "other", answer_input, &destroyed, destroy_event);
    mcp_link_t *link = open_link(server);
    for (int number = 0; number < CALLS; number++) {
        link_send(link, modern_call(number, "stay"));
    }
    event_wait(&self.entered, CALLS);
    pthread_t thread;
    CHECK(pthread_create(&thread, NULL, release_later, &self) == 0);
    mcp_server_delete(server);
    // Nothing of the host's is called any more.
    CHECK(event_count(&self.left) == CALLS && event_count(&destroyed) == 1);
    pthread_join(thread, NULL);
    mcp_link_delete(link);
}

typedef struct {
    event served;
    mcp_responder_t *responder;
    mcp_context_t *context;
} desk;

static void keep(void *user_data, const mcp_context_t *context, mcp_str input, mcp_responder_t *responder) {
    (void)input;
    desk *self = (desk *)user_data;
    self->responder = responder;
    self->context = mcp_context_clone(context);
    event_add(&self->served);
}

static void answered_after_the_end(void) {
    for (int give = 0; give < 2; give++) {
        desk self = {EVENT_INIT, NULL, NULL};
        mcp_server_t *server = test_server(NULL);
        add_tool(server, "keep", keep, &self, NULL);
        mcp_link_t *link = open_link(server);
        link_send(link, modern_call(1, "keep"));
        event_wait(&self.served, 1);
        mcp_server_delete(server);
        if (give) {
            CHECK_OK(mcp_respond_text(self.responder, MCP_STR("too late")));
        } else {
            mcp_responder_delete(self.responder);
        }
        // What is left of the context is inert; its server refuses everything.
        CHECK(str_is(mcp_context_method(self.context), "tools/call"));
        CHECK(mcp_context_is_cancelled(self.context));
        CHECK_OK(mcp_context_report_progress(self.context, 1, -1, MCP_STR_NONE));
        const mcp_server_t *gone = mcp_context_server(self.context);
        mcp_link_t *other = NULL;
        mcp_text_t *answer = NULL;
        CHECK_ERROR(mcp_server_open_link(gone, &other), MCP_ERROR_CONNECTION_CLOSED);
        CHECK_ERROR(mcp_server_start_http(gone, NULL, NULL), MCP_ERROR_CONNECTION_CLOSED);
        CHECK_ERROR(mcp_server_dispatch(gone, MCP_STR("{}"), &answer), MCP_ERROR_CONNECTION_CLOSED);
        mcp_context_delete(self.context);
        mcp_link_delete(link);
    }
}

static void a_handler_that_hangs_is_told(void) {
    stay self = {EVENT_INIT, EVENT_INIT, EVENT_INIT};
    mcp_server_t *server = test_server(NULL);
    add_tool(server, "stay", stay_inside, &self, NULL);
    mcp_link_t *link = open_link(server);
    link_send(link, modern_call(1, "stay"));
    link_send(link, modern_call(2, "stay"));
    event_wait(&self.entered, 2);
    size_t running = 0;
    CHECK_OK(mcp_server_close(server, 20, &running));
    CHECK(running == 2);
    event_add(&self.released);
    event_wait(&self.left, 2);
    CHECK_OK(mcp_server_close(server, LIMIT_MS, &running));
    CHECK(running == 0);
    mcp_link_delete(link);
    mcp_server_delete(server);
}

static void two_servers_in_one_process(void) {
    mcp_server_t *first = test_server(NULL), *second = test_server(NULL);
    add_tool(first, "one", answer_input, NULL, NULL);
    add_tool(second, "two", answer_input, NULL, NULL);
    mcp_link_t *link = open_link(first), *other = open_link(second);
    CHECK_REQUEST(link, 1, modern_call(1, "two"), "\"error\"");
    CHECK_REQUEST(other, 1, modern_call(1, "two"), "{}");
    mcp_server_delete(first);
    CHECK_REQUEST(other, 2, modern_call(2, "two"), "{}");
    mcp_server_delete(second);
    mcp_link_delete(link);
    mcp_link_delete(other);
}

static void carry(void *user_data, mcp_str message) {
    if (message.ptr != NULL) {
        event_add((event *)user_data);
    }
}

static void driven_by_the_host(void) {
    event carried = EVENT_INIT;
    mcp_options_t *options = test_options();
    mcp_options_set_worker_threads(options, 0);
    mcp_server_t *server = test_server(options);
    for (int pool = 0; pool < 2; pool++) {
        mcp_tool_options_t *tool = mcp_tool_options_new();
        mcp_tool_options_set_inline(tool, !pool);
        CHECK_OK(mcp_server_add_tool(server, pool ? MCP_STR("pool") : MCP_STR("inline"), tool, answer_input, NULL, NULL));
    }
    mcp_connection_t *connection = NULL;
    CHECK_OK(mcp_server_connect(server, carry, &carried, NULL, &connection));
    for (int pool = 0; pool < 2; pool++) {
        char *message = modern_call(pool, pool ? "pool" : "inline");
        CHECK_OK(mcp_connection_receive(connection, mcp_str_of(message)));
        free(message);
        CHECK(event_count(&carried) == pool);
        bool going_on = false;
        while (event_count(&carried) == pool) {
            CHECK_OK(mcp_server_poll(server, pool ? 10 : 0, &going_on));
        }
        CHECK(going_on);
    }
    // What waits drives the server by itself.
    mcp_link_t *link = open_link(server);
    CHECK_REQUEST(link, 3, modern_call(3, "pool"), "{}");
    CHECK_ANSWER(server, modern_call(4, "inline"), "{}");
    mcp_link_delete(link);
    mcp_connection_delete(connection);
    CHECK_OK(mcp_server_wait(server));
    CHECK_OK(mcp_server_close(server, 100, NULL));
    bool going_on = true;
    CHECK_OK(mcp_server_poll(server, 0, &going_on));
    CHECK(!going_on);
    mcp_server_delete(server);

    server = test_server(NULL);
    CHECK_ERROR(mcp_server_poll(server, 0, NULL), MCP_ERROR_INVALID_REQUEST);
    mcp_server_delete(server);
}

// The host's main loop: jobs that it runs on its own thread.
typedef struct {
    event posted;
    pthread_mutex_t lock;
    mcp_job_t *jobs[8];
    int count;
    pthread_t main_thread;
    event ran;
} loop;

static void post(void *user_data, mcp_job_t *job) {
    loop *self = (loop *)user_data;
    pthread_mutex_lock(&self->lock);
    CHECK(self->count < 8);
    self->jobs[self->count++] = job;
    pthread_mutex_unlock(&self->lock);
    event_add(&self->posted);
}

static mcp_job_t *take_job(loop *self, int number) {
    event_wait(&self->posted, number);
    pthread_mutex_lock(&self->lock);
    mcp_job_t *job = self->jobs[number - 1];
    pthread_mutex_unlock(&self->lock);
    return job;
}

static void on_main_thread(void *user_data, const mcp_context_t *context, mcp_str input, mcp_responder_t *responder) {
    (void)context;
    loop *self = (loop *)user_data;
    CHECK(pthread_equal(pthread_self(), self->main_thread));
    event_add(&self->ran);
    CHECK_OK(mcp_respond_text(responder, input));
}

static void run_where_the_host_wants(void) {
    loop self = {EVENT_INIT, PTHREAD_MUTEX_INITIALIZER, {NULL}, 0, pthread_self(), EVENT_INIT};
    event destroyed = EVENT_INIT;
    mcp_options_t *options = test_options();
    mcp_options_set_executor(options, post, &self, NULL);
    mcp_server_t *server = test_server(options);
    add_tool(server, "t", on_main_thread, &self, NULL);
    add_tool(server, "other", answer_input, &destroyed, destroy_event);
    mcp_link_t *link = open_link(server);
    for (int number = 1; number <= 2; number++) {
        link_send(link, modern_call(number, "t"));
        mcp_job_t *job = take_job(&self, number);
        CHECK(event_count(&self.ran) == 0 || number == 2);
        if (number == 1) {
            mcp_job_run(job);
        } else {
            mcp_job_delete(job);
        }
        mcp_text_t *answer = link_answer(link, number);
        CHECK_HAS(mcp_text_str(answer), number == 1 ? "\"text\":\"{}\"" : "rror");
        mcp_text_delete(answer);
    }
    CHECK(event_count(&self.ran) == 1);
    // A job that is run after the end of the server calls nothing.
    link_send(link, modern_call(3, "t"));
    mcp_job_t *job = take_job(&self, 3);
    mcp_server_delete(server);
    CHECK(event_count(&destroyed) == 1);
    mcp_job_run(job);
    CHECK(event_count(&self.ran) == 1);
    mcp_link_delete(link);
}

static void fork_and_exec(void *user_data, const mcp_context_t *context, mcp_str input, mcp_responder_t *responder) {
    (void)user_data;
    (void)context;
    (void)input;
    pid_t child = fork();
    CHECK(child >= 0);
    if (child == 0) {
        execlp("true", "true", (char *)NULL);
        _exit(127);
    }
    int status = -1;
    CHECK(waitpid(child, &status, 0) == child);
    CHECK_OK(mcp_respond_text(responder, status == 0 ? MCP_STR("the child ended well") : MCP_STR("the child failed")));
}

static void forked_by_a_handler(void) {
    mcp_server_t *server = test_server(NULL);
    add_tool(server, "fork", fork_and_exec, NULL, NULL);
    mcp_http_options_t *options = mcp_http_options_new();
    mcp_http_options_set_port(options, 0);
    CHECK_OK(mcp_server_start_http(server, options, NULL));
    mcp_link_t *link = open_link(server);
    for (int number = 0; number < 3; number++) {
        CHECK_REQUEST(link, number, modern_call(number, "fork"), "the child ended well");
    }
    mcp_link_delete(link);
    mcp_server_delete(server);
}

static void closed_twice_and_never_started(void) {
    mcp_server_t *server = test_server(NULL);
    size_t running = 9;
    CHECK_OK(mcp_server_close(server, 0, &running));
    CHECK(running == 0);
    CHECK_OK(mcp_server_close(server, 0, NULL));
    CHECK_OK(mcp_server_wait(server));
    mcp_connection_t *connection = NULL;
    event destroyed = EVENT_INIT;
    CHECK_ERROR(mcp_server_connect(server, carry, &destroyed, destroy_event, &connection), MCP_ERROR_CONNECTION_CLOSED);
    CHECK(event_count(&destroyed) == 1);
    CHECK_ERROR(mcp_server_start_stdio(server, false), MCP_ERROR_CONNECTION_CLOSED);
    mcp_server_delete(server);
}

int main(void) {
    closed_by_a_handler();
    deleted_by_a_handler();
    deleted_with_many_calls_in_flight();
    answered_after_the_end();
    a_handler_that_hangs_is_told();
    two_servers_in_one_process();
    driven_by_the_host();
    run_where_the_host_wants();
    forked_by_a_handler();
    closed_twice_and_never_started();
    return 0;
}
