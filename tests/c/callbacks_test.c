// The three promises of callbacks: the destructor runs exactly once, also when a registration fails; nothing is called
// once it has begun; it runs after every call has ended.

#include "check.h"

static void ignore_event(void *user_data, mcp_str subject, mcp_str detail) {
    (void)user_data;
    (void)subject;
    (void)detail;
}

static void pass_on(void *user_data, mcp_str message, mcp_filter_next_t *next) {
    (void)user_data;
    mcp_error_delete(mcp_filter_pass(next, message));
}

static bool accept_state(void *user_data, mcp_str state) {
    (void)user_data;
    (void)state;
    return true;
}

static bool no_hint(void *user_data, mcp_str method, uint64_t *out_ttl_ms, int32_t *out_scope) {
    (void)user_data;
    (void)method;
    (void)out_ttl_ms;
    (void)out_scope;
    return false;
}

static void run_job(void *user_data, mcp_job_t *job) {
    (void)user_data;
    mcp_job_run(job);
}

static void ignore_message(void *user_data, mcp_str message) {
    (void)user_data;
    (void)message;
}

static void ignore_answer(void *user_data, const mcp_error_t *error, mcp_str answer) {
    (void)user_data;
    (void)error;
    (void)answer;
}

static void ignore_log(void *user_data, int32_t level, mcp_str source, mcp_str message) {
    (void)user_data;
    (void)level;
    (void)source;
    (void)message;
}

static uint64_t append_nothing(void *user_data, mcp_str session, uint64_t stream, mcp_str message) {
    (void)user_data;
    (void)session;
    (void)stream;
    (void)message;
    return 0;
}

static bool replay_nothing(void *user_data, mcp_str session, uint64_t stream, uint64_t after, mcp_replay_t *replay) {
    (void)user_data;
    (void)session;
    (void)stream;
    (void)after;
    (void)replay;
    return false;
}

static void forget_nothing(void *user_data, mcp_str session) {
    (void)user_data;
    (void)session;
}

// Sets every callback that options can have; how many there are.
static int set_all(mcp_options_t *options, event *destroyed) {
    mcp_options_on_event(options, MCP_EVENT_REQUEST, ignore_event, destroyed, destroy_event);
    mcp_options_add_incoming_filter(options, pass_on, destroyed, destroy_event);
    mcp_options_add_outgoing_filter(options, pass_on, destroyed, destroy_event);
    mcp_options_set_request_state_verifier(options, accept_state, destroyed, destroy_event);
    mcp_options_set_cache_hint_resolver(options, no_hint, destroyed, destroy_event);
    mcp_options_set_executor(options, run_job, destroyed, destroy_event);
    return 6;
}

// The same without functions.
static int set_none(mcp_options_t *options, event *destroyed) {
    mcp_options_on_event(options, MCP_EVENT_REQUEST, NULL, destroyed, destroy_event);
    mcp_options_add_incoming_filter(options, NULL, destroyed, destroy_event);
    mcp_options_add_outgoing_filter(options, NULL, destroyed, destroy_event);
    mcp_options_set_request_state_verifier(options, NULL, destroyed, destroy_event);
    mcp_options_set_cache_hint_resolver(options, NULL, destroyed, destroy_event);
    mcp_options_set_executor(options, NULL, destroyed, destroy_event);
    return 6;
}

static void callbacks_of_options(void) {
    // Options that nobody uses.
    event destroyed = EVENT_INIT;
    mcp_options_t *options = test_options();
    int all = set_all(options, &destroyed);
    CHECK(event_count(&destroyed) == 0);
    mcp_options_delete(options);
    CHECK(event_count(&destroyed) == all);

    // A server that is deleted.
    options = test_options();
    set_all(options, &destroyed);
    mcp_server_t *server = test_server(options);
    add_tool(server, "x", answer_input, NULL, NULL);
    CHECK_ANSWER(server, modern_call(1, "x"), "{}");
    CHECK(event_count(&destroyed) == all);
    mcp_server_delete(server);
    CHECK(event_count(&destroyed) == 2 * all);

    // Options with a mistake, before the callbacks and after.
    for (int late = 0; late < 2; late++) {
        event failed = EVENT_INIT;
        options = test_options();
        if (!late) {
            mcp_options_set_limit(options, 99, 1);
        }
        set_all(options, &failed);
        if (late) {
            mcp_options_set_limit(options, 99, 1);
        }
        server = NULL;
        CHECK_ERROR(mcp_server_new(options, &server), MCP_ERROR_INVALID_PARAMS);
        CHECK(event_count(&failed) == all);
    }

    // No function, and no options.
    event none = EVENT_INIT;
    options = test_options();
    int count = set_none(options, &none);
    CHECK(event_count(&none) == count);
    CHECK_ERROR(mcp_server_new(options, &server), MCP_ERROR_INVALID_PARAMS);
    CHECK(event_count(&none) == count);
    set_all(NULL, &none);
    CHECK(event_count(&none) == count + all);
}

static void a_later_event_callback_replaces_the_one_before(void) {
    event first = EVENT_INIT, second = EVENT_INIT, unknown = EVENT_INIT;
    mcp_options_t *options = test_options();
    mcp_options_on_event(options, MCP_EVENT_REQUEST, ignore_event, &first, destroy_event);
    mcp_options_on_event(options, MCP_EVENT_REQUEST, ignore_event, &second, destroy_event);
    CHECK(event_count(&second) == 0);
    mcp_server_delete(test_server(options));
    CHECK(event_count(&first) == 1 && event_count(&second) == 1);
    options = test_options();
    mcp_options_on_event(options, 99, ignore_event, &unknown, destroy_event);
    mcp_options_delete(options);
    CHECK(event_count(&unknown) == 1);
}

static void handlers_of(mcp_server_t *server, mcp_handler_fn function, bool valid, event *destroyed) {
    mcp_str bad = MCP_STR("no uri"), name = valid ? MCP_STR("n") : MCP_STR("\n");
    mcp_error_delete(mcp_server_add_tool(server, name, NULL, function, destroyed, destroy_event));
    mcp_error_delete(mcp_server_add_resource(server, name, valid ? MCP_STR("a:b") : bad, NULL, function, destroyed,
                                             destroy_event));
    mcp_error_delete(mcp_server_add_resource_template(server, name, valid ? MCP_STR("a:{b}") : MCP_STR("{"), NULL,
                                                      function, destroyed, destroy_event));
    mcp_error_delete(mcp_server_add_prompt(server, name, NULL, function, destroyed, destroy_event));
}

static void callbacks_of_handlers(void) {
    event destroyed = EVENT_INIT;
    mcp_server_t *server = test_server(NULL);
    // No server, no function, no good name, a name that is taken.
    handlers_of(NULL, give_up, true, &destroyed);
    CHECK(event_count(&destroyed) == 4);
    CHECK_ERROR(mcp_server_set_completion_handler(NULL, false, give_up, &destroyed, destroy_event),
                MCP_ERROR_INVALID_PARAMS);
    CHECK(event_count(&destroyed) == 5);
    handlers_of(server, NULL, true, &destroyed);
    CHECK(event_count(&destroyed) == 9);
    CHECK_ERROR(mcp_server_set_completion_handler(server, false, NULL, &destroyed, destroy_event),
                MCP_ERROR_INVALID_PARAMS);
    CHECK(event_count(&destroyed) == 10);
    handlers_of(server, give_up, false, &destroyed);
    CHECK(event_count(&destroyed) >= 13);
    int before = event_count(&destroyed);
    event live = EVENT_INIT;
    handlers_of(server, give_up, true, &live);
    CHECK(event_count(&live) == 0);
    handlers_of(server, give_up, true, &destroyed);
    CHECK(event_count(&destroyed) == before + 4);
    CHECK_OK(mcp_server_set_completion_handler(server, false, give_up, &live, destroy_event));
    CHECK(event_count(&live) == 0);
    CHECK_OK(mcp_server_set_completion_handler(server, false, give_up, &live, destroy_event));
    event_wait(&live, 1);
    CHECK(mcp_server_remove_tool(server, MCP_STR("n")));
    CHECK(mcp_server_remove_resource(server, MCP_STR("a:b")));
    CHECK(mcp_server_remove_resource_template(server, MCP_STR("a:{b}")));
    CHECK(mcp_server_remove_prompt(server, MCP_STR("n")));
    event_wait(&live, 5);
    mcp_server_delete(server);
    CHECK(event_count(&live) == 6);
    CHECK(event_count(&destroyed) == before + 4);
}

static void callbacks_of_the_rest(void) {
    event destroyed = EVENT_INIT;
    mcp_connection_t *connection = NULL;
    CHECK_ERROR(mcp_server_connect(NULL, ignore_message, &destroyed, destroy_event, &connection),
                MCP_ERROR_INVALID_PARAMS);
    CHECK(event_count(&destroyed) == 1);
    mcp_server_t *server = test_server(NULL);
    CHECK_ERROR(mcp_server_connect(server, NULL, &destroyed, destroy_event, &connection), MCP_ERROR_INVALID_PARAMS);
    CHECK(event_count(&destroyed) == 2);
    CHECK_ERROR(mcp_server_connect(server, ignore_message, &destroyed, destroy_event, NULL), MCP_ERROR_INVALID_PARAMS);
    CHECK(event_count(&destroyed) == 3);
    CHECK_OK(mcp_server_connect(server, ignore_message, &destroyed, destroy_event, &connection));
    mcp_connection_delete(connection);
    CHECK_ERROR(mcp_client_ask(NULL, MCP_STR("{}"), ignore_answer, &destroyed, destroy_event),
                MCP_ERROR_INVALID_PARAMS);
    mcp_server_delete(server);
    CHECK(event_count(&destroyed) == 5);

    event logged = EVENT_INIT;
    CHECK_OK(mcp_set_log_sink(MCP_LEVEL_ERROR, ignore_log, &logged, destroy_event));
    CHECK_OK(mcp_set_log_sink(MCP_LEVEL_ERROR, ignore_log, &logged, destroy_event));
    CHECK(event_count(&logged) == 1);
    CHECK_OK(mcp_set_log_sink(MCP_LEVEL_ERROR, NULL, &logged, destroy_event));
    CHECK(event_count(&logged) == 3);

    event stored = EVENT_INIT;
    mcp_event_store store = {sizeof(store),  &stored,        append_nothing,
                             replay_nothing, forget_nothing, destroy_event};
    mcp_http_options_set_event_store(NULL, &store);
    CHECK(event_count(&stored) == 1);
    mcp_http_options_t *options = mcp_http_options_new();
    mcp_http_options_set_event_store(options, &store);
    mcp_http_options_delete(options);
    CHECK(event_count(&stored) == 2);
    store.append = NULL;
    options = mcp_http_options_new();
    mcp_http_options_set_event_store(options, &store);
    server = test_server(NULL);
    CHECK_ERROR(mcp_server_start_http(server, options, NULL), MCP_ERROR_INVALID_PARAMS);
    CHECK(event_count(&stored) == 3);
    store.append = append_nothing;
    options = mcp_http_options_new();
    mcp_http_options_set_port(options, 0);
    mcp_http_options_set_event_store(options, &store);
    CHECK_OK(mcp_server_start_http(server, options, NULL));
    CHECK(event_count(&stored) == 3);
    mcp_server_delete(server);
    CHECK(event_count(&stored) == 4);
}

// A callback that is being run while others try to get rid of it.
typedef struct {
    event entered;
    event released;
    event left;
    event destroyed;
} visit;

static void stay(void *user_data, const mcp_context_t *context, mcp_str input, mcp_responder_t *responder) {
    (void)context;
    (void)input;
    visit *self = (visit *)user_data;
    event_add(&self->entered);
    event_wait(&self->released, 1);
    CHECK(event_count(&self->destroyed) == 0);
    event_add(&self->left);
    CHECK_OK(mcp_respond_text(responder, MCP_STR("stayed")));
}

static void destroy_visit(void *user_data) {
    visit *self = (visit *)user_data;
    CHECK(event_count(&self->left) == event_count(&self->entered));
    event_add(&self->destroyed);
}

static void removed_while_it_runs(void) {
    visit self = {EVENT_INIT, EVENT_INIT, EVENT_INIT, EVENT_INIT};
    mcp_server_t *server = test_server(NULL);
    add_tool(server, "stay", stay, &self, destroy_visit);
    mcp_link_t *link = open_link(server);
    link_send(link, modern_call(1, "stay"));
    link_send(link, modern_call(2, "stay"));
    event_wait(&self.entered, 2);
    CHECK(mcp_server_remove_tool(server, MCP_STR("stay")));
    CHECK_REQUEST(link, 3, modern_call(3, "stay"), "\"error\"");
    CHECK(event_count(&self.destroyed) == 0);
    event_add(&self.released);
    mcp_text_t *answer = link_answer(link, 1);
    CHECK_HAS(mcp_text_str(answer), "stayed");
    mcp_text_delete(answer);
    event_wait(&self.destroyed, 1);
    mcp_link_delete(link);
    mcp_server_delete(server);
    CHECK(event_count(&self.destroyed) == 1 && event_count(&self.left) == 2);
}

static void *delete_server(void *server) {
    mcp_server_delete((mcp_server_t *)server);
    return NULL;
}

static void deleted_while_it_runs(void) {
    visit self = {EVENT_INIT, EVENT_INIT, EVENT_INIT, EVENT_INIT};
    mcp_server_t *server = test_server(NULL);
    add_tool(server, "stay", stay, &self, destroy_visit);
    mcp_link_t *link = open_link(server);
    link_send(link, modern_call(1, "stay"));
    event_wait(&self.entered, 1);
    pthread_t deleting;
    CHECK(pthread_create(&deleting, NULL, delete_server, server) == 0);
    event_add(&self.released);
    pthread_join(deleting, NULL);
    CHECK(event_count(&self.left) == 1 && event_count(&self.destroyed) == 1);
    mcp_link_delete(link);
}

int main(void) {
    callbacks_of_options();
    a_later_event_callback_replaces_the_one_before();
    callbacks_of_handlers();
    callbacks_of_the_rest();
    removed_while_it_runs();
    deleted_while_it_runs();
    return 0;
}
