// The ways to a server: a link, a connection of the host's own, dispatch, and HTTP.

#include "check.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

static void dispatched(void) {
    mcp_server_t *server = test_server(NULL);
    add_tool(server, "t", answer_input, NULL, NULL);
    CHECK_ANSWER(server, modern_call(1, "t"), "{}");
    CHECK_ANSWER(server, format("%s", "{"), "-32700");
    CHECK_ANSWER(server, format("%s", "[]"), "rror");
    mcp_text_t *answer = (mcp_text_t *)server;
    CHECK_OK(mcp_server_dispatch(
        server, MCP_STR("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":9}}"), &answer));
    CHECK(answer == NULL);
    mcp_server_delete(server);
}

static void linked(void) {
    mcp_server_t *server = test_server(NULL);
    add_tool(server, "t", answer_input, NULL, NULL);
    mcp_link_t *first = open_link(server), *second = open_session(server, "2025-03-26", "{}");
    // Line breaks between the tokens do not end a message.
    link_send(first, format("{\"jsonrpc\":\"2.0\",\n\"id\":3,\r\n\"method\":\"ping\"}"));
    mcp_text_delete(link_answer(first, 3));
    CHECK_REQUEST(first, 1, modern_call(1, "t"), "{}");
    CHECK_REQUEST(second, 1, legacy(1, "tools/call", "{\"name\":\"t\"}"), "{}");
    mcp_text_t *message = NULL;
    CHECK_ERROR(mcp_link_receive(first, 0, &message), MCP_ERROR_TIMEOUT);
    CHECK_OK(mcp_server_close(server, 1000, NULL));
    CHECK_ERROR(mcp_link_receive(first, LIMIT_MS, &message), MCP_ERROR_CONNECTION_CLOSED);
    mcp_link_t *third = NULL;
    CHECK_ERROR(mcp_server_open_link(server, &third), MCP_ERROR_CONNECTION_CLOSED);
    mcp_server_delete(server);
    CHECK_ERROR(mcp_link_send(second, MCP_STR("{}")), MCP_ERROR_CONNECTION_CLOSED);
    CHECK_ERROR(mcp_link_receive(second, LIMIT_MS, &message), MCP_ERROR_CONNECTION_CLOSED);
    CHECK(message == NULL && third == NULL);
    mcp_link_delete(first);
    mcp_link_delete(second);
}

// What a connection carried.
typedef struct {
    event carried;
    event ended;
    event destroyed;
    char last[4096];
} wire;

static void carry(void *user_data, mcp_str message) {
    wire *self = (wire *)user_data;
    CHECK(event_count(&self->ended) == 0 && event_count(&self->destroyed) == 0);
    if (message.ptr == NULL) {
        event_add(&self->ended);
        return;
    }
    CHECK(memchr(message.ptr, '\n', message.len) == NULL);
    snprintf(self->last, sizeof(self->last), "%.*s", (int)message.len, message.ptr);
    event_add(&self->carried);
}

static void destroy_wire(void *user_data) {
    event_add(&((wire *)user_data)->destroyed);
}

static void carried_by_the_host(void) {
    static wire closed = {EVENT_INIT, EVENT_INIT, EVENT_INIT, ""}, left = {EVENT_INIT, EVENT_INIT, EVENT_INIT, ""};
    mcp_server_t *server = test_server(NULL);
    add_tool(server, "t", answer_input, NULL, NULL);
    mcp_connection_t *connection = NULL, *other = NULL;
    CHECK_OK(mcp_server_connect(server, carry, &closed, destroy_wire, &connection));
    CHECK_OK(mcp_server_connect(server, carry, &left, destroy_wire, &other));
    char *message = modern_call(1, "t");
    CHECK_OK(mcp_connection_receive(connection, mcp_str_of(message)));
    event_wait(&closed.carried, 1);
    CHECK_HAS(mcp_str_of(closed.last), "\"id\":1");
    CHECK_OK(mcp_connection_receive(connection, MCP_STR("no json")));
    event_wait(&closed.carried, 2);
    CHECK_HAS(mcp_str_of(closed.last), "-32700");
    // The client leaves: what it asked for is still answered.
    CHECK_OK(mcp_connection_receive(other, mcp_str_of(message)));
    mcp_connection_delete(other);
    event_wait(&left.destroyed, 1);
    CHECK(event_count(&left.carried) == 1 && event_count(&left.ended) == 1);
    // The server is closed.
    CHECK_OK(mcp_server_close(server, 1000, NULL));
    event_wait(&closed.ended, 1);
    mcp_error_t *error = mcp_connection_receive(connection, mcp_str_of(message));
    CHECK(mcp_error_code(error) == MCP_ERROR_CONNECTION_CLOSED);
    mcp_error_delete(error);
    free(message);
    mcp_server_delete(server);
    CHECK(event_count(&closed.destroyed) == 1);
    // The handle outlives the server.
    CHECK_ERROR(mcp_connection_receive(connection, MCP_STR("{}")), MCP_ERROR_CONNECTION_CLOSED);
    mcp_connection_delete(connection);
}

static int dial(uint16_t port) {
    int dialled = socket(AF_INET, SOCK_STREAM, 0);
    CHECK(dialled >= 0);
    struct sockaddr_in address;
    memset(&address, 0, sizeof(address));
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    CHECK(connect(dialled, (struct sockaddr *)&address, sizeof(address)) == 0);
    return dialled;
}

static void post(int to, const char *path, const char *host, const char *headers, const char *body) {
    char *request = format("POST %s HTTP/1.1\r\nHost: %s\r\nContent-Type: application/json\r\n"
                           "Accept: application/json, text/event-stream\r\nConnection: close\r\n%sContent-Length: %zu\r\n\r\n%s",
                           path, host, headers, strlen(body), body);
    size_t length = strlen(request);
    for (size_t sent = 0; sent < length;) {
        ssize_t written = send(to, request + sent, length - sent, 0);
        CHECK(written > 0);
        sent += (size_t)written;
    }
    free(request);
}

// Everything up to the end of the stream, to be freed by the caller.
static char *read_all(int from) {
    size_t used = 0, size = 65536;
    char *text = (char *)malloc(size);
    for (;;) {
        CHECK(text != NULL);
        ssize_t got = recv(from, text + used, size - used - 1, 0);
        CHECK(got >= 0);
        if (got == 0) {
            text[used] = '\0';
            close(from);
            return text;
        }
        used += (size_t)got;
        if (size - used < 4096) {
            size *= 2;
            text = (char *)realloc(text, size);
        }
    }
}

#define MODERN_HEADERS(method) "MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: " method "\r\n"

static char *ask(uint16_t port, const char *path, const char *host, const char *headers, char *body) {
    int dialled = dial(port);
    post(dialled, path, host, headers, body);
    free(body);
    return read_all(dialled);
}

static void served_over_http(void) {
    mcp_server_t *server = test_server(NULL);
    add_tool(server, "t", answer_input, NULL, NULL);
    mcp_http_options_t *options = mcp_http_options_new();
    mcp_str hosts[] = {MCP_STR("app.example"), MCP_STR("127.0.0.1")};
    mcp_str origins[] = {MCP_STR("https://app.example")};
    mcp_http_options_set_port(options, 0);
    mcp_http_options_set_endpoint(options, MCP_STR("/here"));
    mcp_http_options_set_allowed_hosts(options, hosts, 2);
    mcp_http_options_set_allowed_origins(options, origins, 1);
    mcp_http_options_set_cors_origins(options, origins, 1);
    mcp_http_options_set_keep_alive(options, 1000);
    mcp_http_options_set_retry(options, 10);
    mcp_http_options_set_enable_legacy_sse(options, false);
    mcp_http_options_set_event_memory(options, 10, 1000);
    mcp_http_options_set_limit(options, MCP_HTTP_LIMIT_BODY_BYTES, 2000);
    mcp_http_t *http = NULL;
    CHECK_OK(mcp_server_start_http(server, options, &http));
    uint16_t port = mcp_http_port(http);
    char *address = format("127.0.0.1:%d", (int)port);
    CHECK(port != 0 && str_is(mcp_http_address(http), address));

    const char *headers = MODERN_HEADERS("tools/list");
    char *answer = ask(port, "/here", "app.example", headers, modern(1, "tools/list", ""));
    CHECK(strncmp(answer, "HTTP/1.1 200", 12) == 0);
    CHECK_HAS(mcp_str_of(answer), "\"name\":\"t\"");
    free(answer);
    answer = ask(port, "/here", "evil.example", headers, modern(1, "tools/list", ""));
    CHECK(strncmp(answer, "HTTP/1.1 403", 12) == 0);
    free(answer);
    answer = ask(port, "/here", "127.0.0.1", MODERN_HEADERS("tools/list") "Origin: https://evil.example\r\n",
                 modern(1, "tools/list", ""));
    CHECK(strncmp(answer, "HTTP/1.1 403", 12) == 0);
    free(answer);
    answer = ask(port, "/there", "127.0.0.1", headers, modern(1, "tools/list", ""));
    CHECK(strncmp(answer, "HTTP/1.1 404", 12) == 0);
    free(answer);
    answer = ask(port, "/here", "127.0.0.1", headers, format("%3000s", "{}"));
    CHECK(strncmp(answer, "HTTP/1.1 413", 12) == 0);
    free(answer);

    // The address is taken; afterwards it is free at once.
    options = mcp_http_options_new();
    mcp_http_options_set_port(options, port);
    CHECK_ERROR(mcp_server_start_http(server, options, NULL), MCP_ERROR_TRANSPORT);
    size_t cut_off = 77;
    CHECK_OK(mcp_http_close(http, 1000, &cut_off));
    CHECK(cut_off == 0);
    CHECK_OK(mcp_http_close(http, 0, NULL));
    mcp_http_delete(http);
    options = mcp_http_options_new();
    mcp_http_options_set_port(options, port);
    mcp_http_options_set_stateless(options, true);
    CHECK_OK(mcp_server_start_http(server, options, &http));
    answer = ask(port, "/mcp", address, headers, modern(1, "tools/list", ""));
    CHECK_HAS(mcp_str_of(answer), "\"name\":\"t\"");
    free(answer);
    free(address);
    mcp_http_delete(http);
    mcp_server_delete(server);
}

static void answer_much(void *user_data, const mcp_context_t *context, mcp_str input, mcp_responder_t *responder) {
    (void)user_data;
    (void)context;
    (void)input;
    enum { SIZE = 5 << 20 };
    char *text = (char *)malloc(SIZE);
    CHECK(text != NULL);
    memset(text, 'x', SIZE);
    CHECK_OK(mcp_respond_text(responder, mcp_str_from(text, SIZE)));
    free(text);
}

// This program leaves SIGPIPE at its default: a client that goes away must not end it.
static void a_client_that_does_not_read(void) {
    mcp_server_t *server = test_server(NULL);
    add_tool(server, "much", answer_much, NULL, NULL);
    mcp_http_options_t *options = mcp_http_options_new();
    mcp_http_options_set_port(options, 0);
    mcp_http_t *http = NULL;
    CHECK_OK(mcp_server_start_http(server, options, &http));
    const char *headers = MODERN_HEADERS("tools/call") "Mcp-Name: much\r\n";
    for (int number = 0; number < 3; number++) {
        int dialled = dial(mcp_http_port(http));
        char *body = modern_call(1, "much");
        post(dialled, "/mcp", "127.0.0.1", headers, body);
        free(body);
        char byte;
        CHECK(recv(dialled, &byte, 1, 0) == 1);
        close(dialled);
    }
    char *answer = ask(mcp_http_port(http), "/mcp", "127.0.0.1", headers, modern_call(1, "much"));
    CHECK(strlen(answer) > 5 << 20);
    free(answer);
    mcp_http_delete(http);
    mcp_server_delete(server);
}

// A store of events that counts what it is asked.
typedef struct {
    event appended;
    event forgotten;
    event destroyed;
} store;

static uint64_t append(void *user_data, mcp_str session, uint64_t stream, mcp_str message) {
    (void)stream;
    CHECK(session.len > 0 && message.ptr != NULL);
    store *self = (store *)user_data;
    event_add(&self->appended);
    return (uint64_t)event_count(&self->appended) - 1;
}

static bool replay(void *user_data, mcp_str session, uint64_t stream, uint64_t after, mcp_replay_t *to) {
    (void)user_data;
    (void)session;
    (void)stream;
    mcp_replay_add(to, after + 1, MCP_STR("{\"jsonrpc\":\"2.0\",\"id\":2,\"result\":{\"kept\":true}}"));
    return true;
}

static void forget(void *user_data, mcp_str session) {
    CHECK(session.len > 0);
    event_add(&((store *)user_data)->forgotten);
}

static void destroy_store(void *user_data) {
    event_add(&((store *)user_data)->destroyed);
}

static void emit(void *user_data, const mcp_context_t *context, mcp_str input, mcp_responder_t *responder) {
    (void)user_data;
    (void)input;
    CHECK_OK(mcp_context_report_progress(context, 1, -1, MCP_STR_NONE));
    CHECK_OK(mcp_respond_text(responder, MCP_STR("emitted")));
}

static void a_store_of_the_hosts_own(void) {
    store kept = {EVENT_INIT, EVENT_INIT, EVENT_INIT};
    mcp_event_store table = {sizeof(table), &kept, append, replay, forget, destroy_store};
    mcp_server_t *server = test_server(NULL);
    add_tool(server, "emit", emit, NULL, NULL);
    mcp_http_options_t *options = mcp_http_options_new();
    mcp_http_options_set_port(options, 0);
    mcp_http_options_set_event_store(options, &table);
    mcp_http_t *http = NULL;
    CHECK_OK(mcp_server_start_http(server, options, &http));
    char *answer = ask(mcp_http_port(http), "/mcp", "127.0.0.1", "",
                       legacy(1, "initialize", "{\"protocolVersion\":\"2025-11-25\",\"capabilities\":{},"
                                               "\"clientInfo\":{\"name\":\"c\",\"version\":\"1\"}}"));
    const char *name = "mcp-session-id: ";
    char *id = strstr(answer, name);
    CHECK(id != NULL);
    id += strlen(name);
    id[strcspn(id, "\r")] = '\0';
    char *headers = format("Mcp-Session-Id: %s\r\nMCP-Protocol-Version: 2025-11-25\r\n", id);
    free(answer);
    answer = ask(mcp_http_port(http), "/mcp", "127.0.0.1", headers,
                 legacy(2, "tools/call", "{\"name\":\"emit\",\"_meta\":{\"progressToken\":1}}"));
    CHECK_HAS(mcp_str_of(answer), "emitted");
    CHECK(event_count(&kept.appended) >= 2);
    // A client that comes back is given what it missed.
    char *last = strstr(answer, "id: ");
    CHECK(last != NULL);
    last += 4;
    last[strcspn(last, "\r\n")] = '\0';
    int dialled = dial(mcp_http_port(http));
    char *request = format("GET /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: text/event-stream\r\nConnection: close\r\n"
                           "Last-Event-ID: %s\r\n%s\r\n", last, headers);
    CHECK(send(dialled, request, strlen(request), 0) == (ssize_t)strlen(request));
    free(request);
    free(answer);
    char seen[4096];
    size_t used = 0;
    while (!str_has(mcp_str_from(seen, used), "\"kept\":true")) {
        ssize_t got = recv(dialled, seen + used, sizeof(seen) - used, 0);
        CHECK(got > 0);
        used += (size_t)got;
    }
    close(dialled);
    dialled = dial(mcp_http_port(http));
    request = format("DELETE /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n%s\r\n", headers);
    CHECK(send(dialled, request, strlen(request), 0) == (ssize_t)strlen(request));
    free(request);
    free(read_all(dialled));
    event_wait(&kept.forgotten, 1);
    free(headers);
    mcp_http_delete(http);
    mcp_server_delete(server);
    CHECK(event_count(&kept.destroyed) == 1);
}

int main(void) {
    dispatched();
    linked();
    carried_by_the_host();
    served_over_http();
    a_client_that_does_not_read();
    a_store_of_the_hosts_own();
    return 0;
}
