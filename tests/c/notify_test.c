// What clients are told when something changes, and log messages outside of requests.

#include "check.h"

static void read_text(void *user_data, const mcp_context_t *context, mcp_str input, mcp_responder_t *responder) {
    (void)user_data;
    (void)context;
    (void)input;
    CHECK_OK(mcp_respond_json(responder, MCP_STR("{\"contents\":[{\"uri\":\"a:b\",\"text\":\"\"}]}")));
}

static mcp_server_t *server_with_one_of_each(mcp_options_t *options) {
    mcp_server_t *server = test_server(options);
    add_tool(server, "t", answer_input, NULL, NULL);
    CHECK_OK(mcp_server_add_resource(server, MCP_STR("r"), MCP_STR("a:b"), NULL, read_text, NULL, NULL));
    CHECK_OK(mcp_server_add_prompt(server, MCP_STR("p"), NULL, give_up, NULL, NULL));
    return server;
}

// The next message has this part.
static void receive(const mcp_link_t *link, const char *part) {
    mcp_text_t *message = link_receive(link);
    CHECK_HAS(mcp_text_str(message), part);
    mcp_text_delete(message);
}

static void announce_all(const mcp_server_t *server) {
    mcp_server_notify_tools_changed(server);
    mcp_server_notify_resources_changed(server);
    mcp_server_notify_prompts_changed(server);
    CHECK_OK(mcp_server_notify_resource_updated(server, MCP_STR("a:other")));
    CHECK_OK(mcp_server_notify_resource_updated(server, MCP_STR("a:b")));
}

static void subscribers_of_the_newest_revision(void) {
    mcp_server_t *server = server_with_one_of_each(NULL);
    mcp_link_t *link = open_link(server);
    link_send(link, modern(1, "subscriptions/listen",
                           "\"notifications\":{\"toolsListChanged\":true,\"promptsListChanged\":true,"
                           "\"resourceSubscriptions\":[\"a:b\"]}"));
    receive(link, "notifications/subscriptions/acknowledged");
    announce_all(server);
    // What was not asked for does not come. Announcements of different kinds may come in any order.
    bool tools = false, prompts = false, updated = false;
    for (int number = 0; number < 3; number++) {
        mcp_text_t *message = link_receive(link);
        mcp_str text = mcp_text_str(message);
        CHECK_HAS(text, "subscriptionId");
        CHECK(!str_has(text, "resources/list_changed") && !str_has(text, "a:other"));
        tools = tools || str_has(text, "notifications/tools/list_changed");
        prompts = prompts || str_has(text, "notifications/prompts/list_changed");
        updated = updated || str_has(text, "\"uri\":\"a:b\"");
        mcp_text_delete(message);
    }
    CHECK(tools && prompts && updated);
    // Adding and removing is announced by itself.
    add_tool(server, "more", answer_input, NULL, NULL);
    receive(link, "notifications/tools/list_changed");
    CHECK(mcp_server_remove_tool(server, MCP_STR("more")));
    receive(link, "notifications/tools/list_changed");
    CHECK(mcp_server_remove_prompt(server, MCP_STR("p")));
    receive(link, "notifications/prompts/list_changed");
    // The stream ends in order when the server is closed.
    CHECK_OK(mcp_server_close(server, 1000, NULL));
    receive(link, "\"id\":1");
    mcp_link_delete(link);
    mcp_server_delete(server);
}

static void sessions_of_older_revisions(void) {
    mcp_server_t *server = server_with_one_of_each(NULL);
    mcp_link_t *link = open_session(server, "2025-06-18", "{}");
    CHECK_REQUEST(link, 1, legacy(1, "resources/subscribe", "{\"uri\":\"a:b\"}"), "\"result\":{}");
    announce_all(server);
    bool tools = false, resources = false, prompts = false, updated = false;
    for (int number = 0; number < 4; number++) {
        mcp_text_t *message = link_receive(link);
        mcp_str text = mcp_text_str(message);
        CHECK(!str_has(text, "a:other"));
        tools = tools || str_has(text, "notifications/tools/list_changed");
        resources = resources || str_has(text, "notifications/resources/list_changed");
        prompts = prompts || str_has(text, "notifications/prompts/list_changed");
        updated = updated || str_has(text, "\"uri\":\"a:b\"");
        mcp_text_delete(message);
    }
    CHECK(tools && resources && prompts && updated);
    CHECK_REQUEST(link, 2, legacy(2, "resources/unsubscribe", "{\"uri\":\"a:b\"}"), "\"result\":{}");
    CHECK_OK(mcp_server_notify_resource_updated(server, MCP_STR("a:b")));
    link_send(link, legacy(3, "ping", "{}"));
    receive(link, "\"id\":3");
    mcp_link_delete(link);
    mcp_server_delete(server);
}

static void without_subscriptions(void) {
    mcp_options_t *options = test_options();
    mcp_options_set_subscriptions_enabled(options, false);
    mcp_server_t *server = server_with_one_of_each(options);
    mcp_link_t *link = open_link(server);
    link_send(link, modern(1, "subscriptions/listen", "\"notifications\":{\"toolsListChanged\":true}"));
    receive(link, "-32601");
    announce_all(server);
    link_send(link, modern(2, "tools/list", ""));
    receive(link, "\"id\":2");
    mcp_link_delete(link);
    mcp_server_delete(server);
}

static void log_messages(void) {
    for (int declared = 0; declared < 2; declared++) {
        mcp_options_t *options = test_options();
        if (declared) {
            mcp_options_declare_logging(options);
        }
        mcp_server_t *server = server_with_one_of_each(options);
        mcp_link_t *link = open_session(server, "2025-11-25", "{}");
        if (declared) {
            CHECK_REQUEST(link, 1, legacy(1, "logging/setLevel", "{\"level\":\"warning\"}"), "\"result\":{}");
        }
        CHECK_OK(mcp_server_log(server, MCP_LEVEL_NOTICE, MCP_STR_NONE, MCP_STR("\"too fine\"")));
        CHECK_OK(mcp_server_log(server, MCP_LEVEL_ERROR, MCP_STR("core"), MCP_STR("{\"broken\":true}")));
        if (declared) {
            mcp_text_t *message = link_receive(link);
            CHECK_HAS(mcp_text_str(message), "\"level\":\"error\"");
            CHECK_HAS(mcp_text_str(message), "\"logger\":\"core\"");
            CHECK_HAS(mcp_text_str(message), "\"data\":{\"broken\":true}");
            mcp_text_delete(message);
        }
        link_send(link, legacy(2, "ping", "{}"));
        receive(link, "\"id\":2");
        mcp_link_delete(link);
        mcp_server_delete(server);
    }
}

// Many threads that announce, add and remove at once do each other no harm.
static void *churn(void *data) {
    const mcp_server_t *server = (const mcp_server_t *)data;
    for (int number = 0; number < 20; number++) {
        char *name = format("tool_%llu_%d", (unsigned long long)(uintptr_t)&number, number);
        mcp_server_notify_tools_changed(server);
        CHECK_OK(mcp_server_add_tool(server, mcp_str_of(name), NULL, answer_input, NULL, NULL));
        CHECK_OK(mcp_server_log(server, MCP_LEVEL_ERROR, MCP_STR_NONE, MCP_STR("1")));
        CHECK(mcp_server_remove_tool(server, mcp_str_of(name)));
        free(name);
    }
    return NULL;
}

static void from_many_threads(void) {
    enum { THREADS = 8 };
    mcp_options_t *options = test_options();
    mcp_options_declare_logging(options);
    mcp_server_t *server = server_with_one_of_each(options);
    mcp_link_t *link = open_session(server, "2025-11-25", "{}");
    pthread_t threads[THREADS];
    for (int number = 0; number < THREADS; number++) {
        CHECK(pthread_create(&threads[number], NULL, churn, server) == 0);
    }
    CHECK_REQUEST(link, 1, legacy(1, "tools/list", "{}"), "\"name\":\"t\"");
    for (int number = 0; number < THREADS; number++) {
        pthread_join(threads[number], NULL);
    }
    mcp_text_t *answer = link_request(link, 2, legacy(2, "tools/list", "{}"));
    CHECK(!str_has(mcp_text_str(answer), "tool_"));
    mcp_text_delete(answer);
    mcp_link_delete(link);
    mcp_server_delete(server);
}

int main(void) {
    subscribers_of_the_newest_revision();
    sessions_of_older_revisions();
    without_subscriptions();
    log_messages();
    from_many_threads();
    return 0;
}
