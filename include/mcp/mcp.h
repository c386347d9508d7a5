// libmcp: a server library for the Model Context Protocol. The C interface.
//
// The contract in short; docs/abi.md has all of it.
// - Text is UTF-8 in a `mcp_str`, pointer and length, not terminated. Protocol data crosses as JSON text.
// - A function that can fail returns `mcp_error_t *`: NULL when all went well, otherwise the caller owns it.
//   Out-parameters are written on success only.
// - `_new` makes a handle, `_delete` frees it; NULL is fine for `_delete`. A function that "takes" a handle frees it,
//   also when it fails.
// - Functions with a `const` handle may be called from several threads at once, on the same handle.
// - A callback is a function, its user data, and a destructor of the data: the function is never called once the
//   destructor has begun; the destructor runs exactly once, after every call has ended, also when a registration fails;
//   the function may be called from several threads at once. It must not throw, and not `longjmp` out.
//
// Generated from bindings/src by `cargo xtask codegen`. Do not edit.

#ifndef MCP_MCP_H
#define MCP_MCP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

// The version of the library that this header belongs to.
#define MCP_VERSION_MAJOR 0
#define MCP_VERSION_MINOR 1
#define MCP_VERSION_PATCH 0
#define MCP_VERSION "0.1.0"

// A result that may be kept by anybody: it is the same for every user.
#define MCP_CACHE_PUBLIC 0

// A result that may be kept by the one who asked only.
#define MCP_CACHE_PRIVATE 1

// Detail for finding faults.
#define MCP_LEVEL_DEBUG 0

// Ordinary progress.
#define MCP_LEVEL_INFO 1

// Normal but significant.
#define MCP_LEVEL_NOTICE 2

// Something looks wrong.
#define MCP_LEVEL_WARNING 3

// Something failed.
#define MCP_LEVEL_ERROR 4

// A component failed.
#define MCP_LEVEL_CRITICAL 5

// Act at once.
#define MCP_LEVEL_ALERT 6

// Unusable.
#define MCP_LEVEL_EMERGENCY 7

// JSON could not be read.
#define MCP_ERROR_PARSE -32700

// A message or a call is not valid.
#define MCP_ERROR_INVALID_REQUEST -32600

// There is no such method.
#define MCP_ERROR_METHOD_NOT_FOUND -32601

// An argument is not valid: NULL where the contract forbids it, bad UTF-8, a bad name or schema included.
#define MCP_ERROR_INVALID_PARAMS -32602

// Something went wrong inside.
#define MCP_ERROR_INTERNAL -32603

// The other side is gone, or the server is closed.
#define MCP_ERROR_CONNECTION_CLOSED -32000

// Something took too long.
#define MCP_ERROR_TIMEOUT -32001

// A resource does not exist.
#define MCP_ERROR_RESOURCE_NOT_FOUND -32002

// A transport could not start: an address is taken or invalid, a stream can't be used.
#define MCP_ERROR_TRANSPORT -32003

// A queue is full.
#define MCP_ERROR_BUSY -32005

// A name or URI is taken by something that is registered already; everything else about the registration is valid.
#define MCP_ERROR_TAKEN -32010

// A request arrived. Subject: its method; detail: the whole message.
#define MCP_EVENT_REQUEST 0

// A notification arrived. Subject: its method; detail: the whole message.
#define MCP_EVENT_NOTIFICATION 1

// An answer with a result leaves. Detail: the whole message.
#define MCP_EVENT_RESPONSE 2

// An answer with an error leaves. Subject: its text; detail: the error object, `{"code": …, "message": …}`.
#define MCP_EVENT_ERROR 3

// A client completed `initialize`. Detail: who it says it is.
#define MCP_EVENT_CLIENT_CONNECTED 4

// A client sent `notifications/initialized`.
#define MCP_EVENT_INITIALIZED 5

// A connection or session ended in order.
#define MCP_EVENT_TRANSPORT_CLOSE 6

// A connection broke. Subject: how.
#define MCP_EVENT_TRANSPORT_ERROR 7

// A request arrived. Subject: its method. The short form of `MCP_EVENT_REQUEST`.
#define MCP_EVENT_METHOD_CALLED 8

// An answer with an error leaves. Subject: its text. The short form of `MCP_EVENT_ERROR`.
#define MCP_EVENT_PROTOCOL_ERROR 9

// Longest body in bytes. Default 4 MiB.
#define MCP_HTTP_LIMIT_BODY_BYTES 0

// Most bytes of all headers together. Default 64 KiB.
#define MCP_HTTP_LIMIT_HEADER_BYTES 1

// Most open connections; further ones wait to be accepted. Default 10,000.
#define MCP_HTTP_LIMIT_CONNECTIONS 2

// How long, in milliseconds, a connection may wait for a request and its headers. Default 60,000.
#define MCP_HTTP_LIMIT_HEADER_MS 3

// How long, in milliseconds, a body may take. Default 30,000.
#define MCP_HTTP_LIMIT_BODY_MS 4

// Most open sessions. Default 10,000.
#define MCP_HTTP_LIMIT_SESSIONS 5

// After how many milliseconds without a request or an open stream a session ends. Default 1,800,000.
#define MCP_HTTP_LIMIT_SESSION_IDLE_MS 6

// Not JSON at all.
#define MCP_JSON_INVALID -1

// `null`
#define MCP_JSON_NULL 0

// `true` or `false`
#define MCP_JSON_BOOL 1

// Any number.
#define MCP_JSON_NUMBER 2

// A string.
#define MCP_JSON_STRING 3

// An array.
#define MCP_JSON_ARRAY 4

// An object.
#define MCP_JSON_OBJECT 5

// Longest message in bytes. Default 16 MiB.
#define MCP_LIMIT_MESSAGE_BYTES 0

// Most requests of one connection or session that may run at once. Default 4,096.
#define MCP_LIMIT_IN_FLIGHT 1

// Most messages in one batch. Default 256.
#define MCP_LIMIT_BATCH 2

// Most bytes that may wait for a slow reader of one stream; beyond it notifications are dropped. Default 1 MiB.
#define MCP_LIMIT_QUEUED_BYTES 3

// Most subscriptions of one server, and most resources that one subscriber may watch. Default 10,000.
#define MCP_LIMIT_SUBSCRIPTIONS 4

// How long, in milliseconds, requests may still run when their client closes its end. Default 5,000.
#define MCP_LIMIT_DRAIN_MS 5

// The role of whom a message is from: the person.
#define MCP_ROLE_USER 0

// The role of whom a message is from: the model.
#define MCP_ROLE_ASSISTANT 1

// The version of this interface. Programs that were built against the same number run with this library.
#define MCP_ABI_VERSION 0

// A client that opened a session with a handshake (revisions 2024-11-05 to 2025-11-25). Clients of 2026-07-28 open none:
// each of their requests tells who they are (`mcp_context_client_info`). All functions may be called concurrently.
typedef struct mcp_client_t mcp_client_t;

// Suggestions in the making. The setters never fail: what is not valid is told by `mcp_respond_completion`. Not to be used
// from two threads at once.
typedef struct mcp_completion_result_t mcp_completion_result_t;

// A connection whose messages the host carries: over a transport of its own.
typedef struct mcp_connection_t mcp_connection_t;

// The request that a handler serves. A handler's own is borrowed for the duration of the call; a clone may be kept and
// used from any thread. All functions may be called concurrently. Once the request has its answer, sending through it
// does nothing.
typedef struct mcp_context_t mcp_context_t;

// Why something failed: a code, a text for people, and data for programs. A function that returns one returns NULL when
// all went well; the caller owns what it gets.
typedef struct mcp_error_t mcp_error_t;

// Passes a message on. See `mcp_filter_pass`.
typedef struct mcp_filter_next_t mcp_filter_next_t;

// How Streamable HTTP is served. The setters never fail: the first mistake is told by `mcp_server_start_http`. Not to be
// used from two threads at once.
typedef struct mcp_http_options_t mcp_http_options_t;

// A listener that serves HTTP.
typedef struct mcp_http_t mcp_http_t;

// Questions to the client in the making. The setters never fail: what is not valid is told by
// `mcp_respond_input_required`. Not to be used from two threads at once.
typedef struct mcp_input_required_t mcp_input_required_t;

// A run of a handler that the host takes over. It must be run exactly once, on any thread; deleting it instead answers
// the request with an error.
typedef struct mcp_job_t mcp_job_t;

// JSON in the making: begin and end objects and arrays, give every member its key before its value. Commas and escapes are
// the writer's affair. Mistakes make `mcp_json_writer_finish` give NULL. Not to be used from two threads at once.
typedef struct mcp_json_writer_t mcp_json_writer_t;

// The client's end of a connection in the same process, for tests and for hosts that are their own client. One thread may
// send while another receives.
typedef struct mcp_link_t mcp_link_t;

// How a server behaves. The setters never fail: the first mistake is told by `mcp_server_new`. Not to be used from two
// threads at once.
typedef struct mcp_options_t mcp_options_t;

// How a prompt is described and served. The setters never fail: the first mistake is told by the registration. Not to be
// used from two threads at once.
typedef struct mcp_prompt_options_t mcp_prompt_options_t;

// A prompt's messages in the making. The setters never fail: what is not valid is told by `mcp_respond_prompt`. Not to be
// used from two threads at once.
typedef struct mcp_prompt_result_t mcp_prompt_result_t;

// Takes the events that a store replays.
typedef struct mcp_replay_t mcp_replay_t;

// How a resource is described and served. The setters never fail: the first mistake is told by the registration. Not to be
// used from two threads at once.
typedef struct mcp_resource_options_t mcp_resource_options_t;

// A resource's contents in the making. The setters never fail: what is not valid is told by `mcp_respond_resource`. Not to
// be used from two threads at once.
typedef struct mcp_resource_result_t mcp_resource_result_t;

// Where the answer to one request goes. It may be answered from any thread, once: each `mcp_respond_…` takes it, also when
// it fails. What is answered after the client has gone or the server is deleted is lost, without harm.
typedef struct mcp_responder_t mcp_responder_t;

// A server with everything that was registered, its threads and its transports.
//
// All functions of a server may be called from any thread, several at once, also from inside of a handler.
typedef struct mcp_server_t mcp_server_t;

// Text that the caller owns. See `mcp_text_str` and `mcp_text_delete`.
typedef struct mcp_text_t mcp_text_t;

// How a tool is described and served. The setters never fail: the first mistake is told by the registration. Not to be
// used from two threads at once.
typedef struct mcp_tool_options_t mcp_tool_options_t;

// A tool's result in the making. The setters never fail: what is not valid is told by `mcp_respond_tool`. Not to be used
// from two threads at once.
typedef struct mcp_tool_result_t mcp_tool_result_t;

// Borrowed UTF-8 text: `len` bytes at `ptr`, not terminated. `{NULL, 0}` stands for "none", and for empty text where
// there can't be none. What a function is given is borrowed for the duration of the call; what a callback is given, for
// the duration of the callback, unless it is said otherwise.
typedef struct {
    // The first byte.
    const char *ptr;
    // How many bytes there are.
    size_t len;
} mcp_str;

// Says how long clients may keep the results of a method: writes both and returns true, or returns false where it has
// nothing to say. Asked before the table of `mcp_options_set_cache_hint`. May be called from several threads at once; must
// not throw.
typedef bool (*mcp_cache_resolver_fn)(void *user_data,
                                      mcp_str method,
                                      uint64_t *out_ttl_ms,
                                      int32_t *out_scope);

// Frees the user data of a callback. Called exactly once, on any thread, after the last call of the callback; it must
// not throw or `longjmp`. NULL where there is nothing to free.
typedef void (*mcp_destroy_fn)(void *user_data);

// Takes a client's answer to a question: either `error` or `answer` (JSON) is there. Both are borrowed for the duration of
// the call. Called exactly once, on a thread of the server's, which it must not block, unless the server is deleted first.
typedef void (*mcp_answer_fn)(void *user_data, const mcp_error_t *error, mcp_str answer);

// Carries one message to the client; `message` is one JSON text without line breaks. Called for one message at a time, in
// their order, on a thread of the handler pool, which it may block: then later messages wait. None (a NULL `ptr`) says
// that the server has ended the connection, and nothing follows. It must not throw.
typedef void (*mcp_send_fn)(void *user_data, mcp_str message);

// Takes an event; what `subject` and `detail` (JSON) are, the kind of event says. Called on the thread that serves the
// connection, possibly several at once: it should be quick, and must not throw.
typedef void (*mcp_event_fn)(void *user_data, mcp_str subject, mcp_str detail);

// A host's store of events (revisions 2025-03-26 to 2025-11-25). The functions are called on the threads that serve
// connections, several at once; they must not block for long, and must not throw. What a store has forgotten can't be
// resumed; it may forget anything at any time.
typedef struct {
    // `sizeof(mcp_event_store)`.
    size_t size;
    // Given to every function.
    void *user_data;
    // Keeps an event of a stream; returns its number in the stream: one more than the one before, from 0.
    uint64_t (*append)(void *user_data, mcp_str session, uint64_t stream, mcp_str event);
    // Gives the events of a stream after the one with the number `after` to `mcp_replay_add`, oldest first. False when it
    // does not know that event.
    bool (*replay)(void *user_data, mcp_str session, uint64_t stream, uint64_t after, mcp_replay_t *replay);
    // Forgets a session that has ended.
    void (*forget)(void *user_data, mcp_str session);
    // Frees `user_data`; called exactly once, after every other call.
    mcp_destroy_fn destroy;
} mcp_event_store;

// Looks at a message. To let it go on, changed or not, call `mcp_filter_pass` with it before returning; otherwise it is
// stopped, and a request that arrives is refused with an error. Called on the thread that serves the connection, possibly
// several at once: it should be quick, and must not throw.
typedef void (*mcp_filter_fn)(void *user_data, mcp_str message, mcp_filter_next_t *next);

// Takes the values of a JSON text, in their order. All members must be set; none may throw. Strings are without quotes and
// escapes, borrowed for the duration of the call.
typedef struct {
    // `sizeof(mcp_json_visitor)`.
    size_t size;
    // `null`
    void (*on_null)(void *user_data);
    // `true` or `false`
    void (*on_bool)(void *user_data, bool value);
    // A whole number that fits.
    void (*on_int64)(void *user_data, int64_t value);
    // Any other number.
    void (*on_double)(void *user_data, double value);
    // A string.
    void (*on_string)(void *user_data, mcp_str value);
    // An array begins.
    void (*on_begin_array)(void *user_data);
    // The array that began last ends.
    void (*on_end_array)(void *user_data);
    // An object begins.
    void (*on_begin_object)(void *user_data);
    // The key of the value that follows.
    void (*on_key)(void *user_data, mcp_str key);
    // The object that began last ends.
    void (*on_end_object)(void *user_data);
} mcp_json_visitor;

// Takes a job and has it run soon: on the host's main loop, or on a pool of the host's. It should return quickly.
typedef void (*mcp_post_fn)(void *user_data, mcp_job_t *job);

// Takes a line of the library's log. `level` is `MCP_LEVEL_DEBUG`, `…_INFO`, `…_WARNING` or `…_ERROR`, `source` the part of
// the library that it comes from. Called from any thread, several at once; it must not throw.
typedef void (*mcp_log_fn)(void *user_data, int32_t level, mcp_str source, mcp_str message);

// A handler: serves one request.
//
// `input` is JSON, borrowed for the duration of the call, by what the handler was registered as:
// - a tool: the arguments, an object that satisfies the tool's input schema;
// - a resource: `{"uri": "…"}`; a template: `{"uri": "…", "variables": {"name": "value"}}`, percent-decoded;
// - a prompt: the arguments, an object of strings, all required ones there;
// - completion: `{"ref": …, "argument": {"name": …, "value": …}, "context": …}`.
//
// `context` is borrowed for the duration of the call (see `mcp_context_clone`). `responder` is the handler's: it must be
// given to one of the functions `mcp_respond_…`, or to `mcp_responder_delete`, exactly once, during the call or later,
// from any thread. The function may be called from several threads at once. It must not throw or `longjmp`.
typedef void (*mcp_handler_fn)(void *user_data,
                               const mcp_context_t *context,
                               mcp_str input,
                               mcp_responder_t *responder);

// Checks a state that a client brings back and that the server's own key did not sign: true when it is genuine. May be
// called from several threads at once; must not throw.
typedef bool (*mcp_state_verifier_fn)(void *user_data, mcp_str state);

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

extern void __tsan_acquire(void *address);

extern void __tsan_release(void *address);

// Says how long clients may keep the results of a method. `scope` is one of `MCP_CACHE_…`.
//
// Requires:
// `options` is NULL or a live handle; `method` can be read.
void mcp_options_set_cache_hint(mcp_options_t *options, mcp_str method, uint64_t ttl_ms, int32_t scope);

// Sets who is asked for cache hints first.
//
// Requires:
// `options` is NULL or a live handle; the callback keeps the contract of callbacks.
void mcp_options_set_cache_hint_resolver(mcp_options_t *options,
                                         mcp_cache_resolver_fn function,
                                         void *user_data,
                                         mcp_destroy_fn destroy);

// How many sessions are open.
//
// Requires:
// `server` is NULL or a live handle.
size_t mcp_server_client_count(const mcp_server_t *server);

// The client of an open session, by its number from 0, oldest first; NULL when there are not so many. The caller owns it.
// A session that ends meanwhile does no harm: its handle stays valid.
//
// Requires:
// `server` is NULL or a live handle.
mcp_client_t *mcp_server_client(const mcp_server_t *server,
                                size_t number);

// Frees a client's handle; its session goes on. NULL is fine.
//
// Requires:
// `client` is NULL or a live handle, which this takes.
void mcp_client_delete(mcp_client_t *client);

// Who the client says it is, as JSON. Borrowed, valid until `client` is deleted.
//
// Requires:
// `client` is NULL or a live handle.
mcp_str mcp_client_info(const mcp_client_t *client);

// What the client can do, as JSON. Borrowed, valid until `client` is deleted.
//
// Requires:
// `client` is NULL or a live handle.
mcp_str mcp_client_capabilities(const mcp_client_t *client);

// The protocol revision that was agreed on. Borrowed, valid until `client` is deleted.
//
// Requires:
// `client` is NULL or a live handle.
mcp_str mcp_client_protocol_version(const mcp_client_t *client);

// Sends a log message to this client, if it wants messages of this level and the server declares logging. `level` is one
// of `MCP_LEVEL_…`, `logger` may be none, `data` is JSON.
//
// Requires:
// `client` is NULL or a live handle; the others can be read.
mcp_error_t *mcp_client_log(const mcp_client_t *client,
                            int32_t level,
                            mcp_str logger,
                            mcp_str data);

// Asks the client something outside of any request, and returns at once; `function` takes the answer. `request` is JSON as
// for `mcp_input_required_add`. When this fails, `function` is not called.
//
// Requires:
// `client` is NULL or a live handle; `request` can be read; the callback keeps the contract of callbacks.
mcp_error_t *mcp_client_ask(const mcp_client_t *client,
                            mcp_str request,
                            mcp_answer_fn function,
                            void *user_data,
                            mcp_destroy_fn destroy);

// No suggestions.
mcp_completion_result_t *mcp_completion_result_new(void);

// Frees a result that was not answered with. NULL is fine.
//
// Requires:
// `result` is NULL or a live handle, which this takes.
void mcp_completion_result_delete(mcp_completion_result_t *result);

// Adds a suggestion, best first. The client receives the first 100.
//
// Requires:
// `result` is NULL or a live handle; `value` can be read.
void mcp_completion_result_add_value(mcp_completion_result_t *result, mcp_str value);

// Says how many suggestions there are in all.
//
// Requires:
// `result` is NULL or a live handle.
void mcp_completion_result_set_total(mcp_completion_result_t *result, uint64_t total);

// Says whether there are more suggestions than those added.
//
// Requires:
// `result` is NULL or a live handle.
void mcp_completion_result_set_has_more(mcp_completion_result_t *result, bool has_more);

// Opens a connection; messages of the server's go to `function`. It ends with `mcp_connection_delete`, or when the server
// is closed.
//
// Requires:
// `server` is NULL or a live handle; `out_connection` can be written; the callback keeps the contract of callbacks.
mcp_error_t *mcp_server_connect(const mcp_server_t *server,
                                mcp_send_fn function,
                                void *user_data,
                                mcp_destroy_fn destroy,
                                mcp_connection_t **out_connection);

// Hands a message of the client's to the server, and returns at once. Fails with `MCP_ERROR_BUSY` when the server has not
// taken up so many messages before, with `MCP_ERROR_CONNECTION_CLOSED` when the connection has ended.
//
// Requires:
// `connection` is NULL or a live handle; `message` can be read.
mcp_error_t *mcp_connection_receive(const mcp_connection_t *connection,
                                    mcp_str message);

// Ends a connection from the client's side and frees its handle: the server finishes the requests that it has, and
// `function` still receives their answers. NULL is fine.
//
// Requires:
// `connection` is NULL or a live handle, which this takes.
void mcp_connection_delete(mcp_connection_t *connection);

// A context of the caller's own, for use after the handler has returned.
//
// Requires:
// `context` is NULL or a live handle.
mcp_context_t *mcp_context_clone(const mcp_context_t *context);

// Frees a clone. NULL is fine.
//
// Requires:
// `context` is NULL or a handle that `mcp_context_clone` made, which this takes.
void mcp_context_delete(mcp_context_t *context);

// The server, borrowed: valid for as long as the context is. It must not be deleted through this pointer. When it has
// been deleted elsewhere, its functions fail with `MCP_ERROR_CONNECTION_CLOSED`.
//
// Requires:
// `context` is NULL or a live handle.
const mcp_server_t *mcp_context_server(const mcp_context_t *context);

// The method of the request. Borrowed, valid for as long as the context is, like all texts of a context.
//
// Requires:
// `context` is NULL or a live handle.
mcp_str mcp_context_method(const mcp_context_t *context);

// The parameters of the request, as they arrived: a JSON object.
//
// Requires:
// `context` is NULL or a live handle.
mcp_str mcp_context_params(const mcp_context_t *context);

// The id of the request: a JSON string or number.
//
// Requires:
// `context` is NULL or a live handle.
mcp_str mcp_context_request_id(const mcp_context_t *context);

// The protocol revision that the client speaks, such as `2026-07-28`.
//
// Requires:
// `context` is NULL or a live handle.
mcp_str mcp_context_protocol_version(const mcp_context_t *context);

// Who the client says it is, as JSON; none where it did not say.
//
// Requires:
// `context` is NULL or a live handle.
mcp_str mcp_context_client_info(const mcp_context_t *context);

// What the client can do, as JSON.
//
// Requires:
// `context` is NULL or a live handle.
mcp_str mcp_context_client_capabilities(const mcp_context_t *context);

// Who was authenticated by what stands in front of the server; none where nobody was.
//
// Requires:
// `context` is NULL or a live handle.
mcp_str mcp_context_principal(const mcp_context_t *context);

// `_meta` of the request as JSON, or none.
//
// Requires:
// `context` is NULL or a live handle.
mcp_str mcp_context_meta(const mcp_context_t *context);

// Whether the client has given up or gone away, or the call has taken too long. Long work asks from time to time.
//
// Requires:
// `context` is NULL or a live handle.
bool mcp_context_is_cancelled(const mcp_context_t *context);

// Reports progress, which must grow from report to report. `total` may be negative for unknown, `message` none. Nothing is
// sent when the client did not ask for it.
//
// Requires:
// `context` is NULL or a live handle; `message` can be read.
mcp_error_t *mcp_context_report_progress(const mcp_context_t *context,
                                         double progress,
                                         double total,
                                         mcp_str message);

// The least severe log message that the client wants, one of `MCP_LEVEL_…`; -1 when it wants none.
//
// Requires:
// `context` is NULL or a live handle.
int32_t mcp_context_log_level(const mcp_context_t *context);

// Sends a log message to the client, if it wants messages of this level and the server declares logging. `level` is one of
// `MCP_LEVEL_…`, `logger` may be none, `data` is JSON. Keep secrets out of it.
//
// Requires:
// `context` is NULL or a live handle; the others can be read.
mcp_error_t *mcp_context_log(const mcp_context_t *context,
                             int32_t level,
                             mcp_str logger,
                             mcp_str data);

// Like `mcp_context_log`, with text instead of JSON.
//
// Requires:
// `context` is NULL or a live handle; `text` can be read.
mcp_error_t *mcp_context_log_text(const mcp_context_t *context, int32_t level, mcp_str text);

// The client's answer to the question that this handler asked under `key` in the round before, as JSON; none where there
// is none.
//
// Requires:
// `context` is NULL or a live handle; `key` can be read.
mcp_str mcp_context_input_response(const mcp_context_t *context,
                                   mcp_str key);

// All answers of this round, as a JSON object by key. The caller owns the text. NULL where no answers came.
//
// Requires:
// `context` is NULL or a live handle.
mcp_text_t *mcp_context_input_responses(const mcp_context_t *context);

// What this handler set with `mcp_input_required_set_state` in the round before, verified; none in the first round.
//
// Requires:
// `context` is NULL or a live handle.
mcp_str mcp_context_request_state(const mcp_context_t *context);

// The answer to a question, or the end of this run of the handler.
//
// Where the answer is there already, this writes it to `out_answer` (JSON, owned by the caller) and returns true.
// Otherwise it returns false, and has taken `responder`: the handler must return. The client is asked, and the handler is
// called again from its start, with this and all earlier answers at hand; so what comes before a question runs once
// more with every round. `request` is JSON as for `mcp_input_required_add`. A mistake in it, or a malformed answer, is
// answered as an error, and gives false too.
//
// Requires:
// `context` and `responder` are live handles, `key` and `request` can be read, `out_answer` can be written.
bool mcp_context_ask(const mcp_context_t *context,
                     mcp_str key,
                     mcp_str request,
                     mcp_responder_t *responder,
                     mcp_text_t **out_answer);

// Closes the connection that waits for the answer, where the client can come back for it (revision 2025-11-25 over HTTP
// with an event store): it will poll. Elsewhere this does nothing.
//
// Requires:
// `context` is NULL or a live handle.
void mcp_context_release_connection(const mcp_context_t *context);

// An error of the caller's, for `mcp_respond_error`. NULL when `message` is not valid UTF-8.
//
// Requires:
// `message` can be read.
mcp_error_t *mcp_error_new(int32_t code, mcp_str message);

// Adds data for programs. False when it is not valid JSON; then nothing changes.
//
// Requires:
// `error` is NULL or a live handle that nobody else uses meanwhile; `data` can be read.
bool mcp_error_set_data(mcp_error_t *error, mcp_str data);

// The code: one of `MCP_ERROR_…`, or of the protocol's; 0 for NULL.
//
// Requires:
// `error` is NULL or a live handle.
int32_t mcp_error_code(const mcp_error_t *error);

// The text for people: what was wrong, and what to change. Borrowed, valid until `error` is deleted.
//
// Requires:
// `error` is NULL or a live handle.
mcp_str mcp_error_message(const mcp_error_t *error);

// The data for programs as JSON, or none. Borrowed, valid until `error` is deleted.
//
// Requires:
// `error` is NULL or a live handle.
mcp_str mcp_error_data(const mcp_error_t *error);

// Frees an error. NULL is fine.
//
// Requires:
// `error` is NULL or a live handle, which this takes.
void mcp_error_delete(mcp_error_t *error);

// Has `function` called for one kind of event, one of `MCP_EVENT_…`; a later one for the same kind replaces it.
//
// Requires:
// `options` is NULL or a live handle; the callback keeps the contract of callbacks.
void mcp_options_on_event(mcp_options_t *options,
                          int32_t event,
                          mcp_event_fn function,
                          void *user_data,
                          mcp_destroy_fn destroy);

// Gives an event and its number to the one who asked for a replay.
//
// Requires:
// `replay` is what the store's function was given, during its call; `event` can be read.
void mcp_replay_add(mcp_replay_t *replay, uint64_t number, mcp_str event);

// Sets the host's own store of events. A table that lacks a function is a mistake.
//
// Requires:
// `options` is NULL or a live handle; `store` points to a table whose `size` is its own.
void mcp_http_options_set_event_store(mcp_http_options_t *options, const mcp_event_store *store);

// Keeps so many events, and bytes of them, for each session in memory: what a client missed of them can be resumed. 0
// events: none is kept, and nothing can be resumed. Default: 1,024 events and 1 MiB.
//
// Requires:
// `options` is NULL or a live handle.
void mcp_http_options_set_event_memory(mcp_http_options_t *options,
                                       size_t max_events,
                                       size_t max_bytes);

// Lets a message go on. A second call during the same filter has no effect. Fails when `message` is not valid JSON.
//
// Requires:
// `next` is what the filter was given, during its call; `message` can be read.
mcp_error_t *mcp_filter_pass(mcp_filter_next_t *next,
                             mcp_str message);

// Adds a filter to those that see every message that arrives, after those added before.
//
// Requires:
// `options` is NULL or a live handle; the callback keeps the contract of callbacks.
void mcp_options_add_incoming_filter(mcp_options_t *options,
                                     mcp_filter_fn function,
                                     void *user_data,
                                     mcp_destroy_fn destroy);

// Adds a filter to those that see every message that leaves, after those added before.
//
// Requires:
// `options` is NULL or a live handle; the callback keeps the contract of callbacks.
void mcp_options_add_outgoing_filter(mcp_options_t *options,
                                     mcp_filter_fn function,
                                     void *user_data,
                                     mcp_destroy_fn destroy);

// Listens for HTTP and serves in the background, until the server is closed. Writes the listener to `out_http` (may be
// NULL). Fails when an option is not valid, or the address is taken.
//
// Requires:
// `server` is NULL or a live handle; `options` is NULL (for none) or a live handle, which this takes; `out_http` is NULL
// or can be written.
mcp_error_t *mcp_server_start_http(const mcp_server_t *server,
                                   mcp_http_options_t *options,
                                   mcp_http_t **out_http);

// The port: the real one, where the system chose it.
//
// Requires:
// `http` is NULL or a live handle.
uint16_t mcp_http_port(const mcp_http_t *http);

// The address with its port, such as `127.0.0.1:3001`. Borrowed, valid until `http` is deleted.
//
// Requires:
// `http` is NULL or a live handle.
mcp_str mcp_http_address(const mcp_http_t *http);

// Ends the listener alone: requests that run have `grace_ms` milliseconds to finish. Writes to `out_cut_off` (may be NULL)
// how many connections had to be cut off after that. The address is free again when this returns.
//
// Requires:
// `http` is NULL or a live handle; `out_cut_off` is NULL or can be written.
mcp_error_t *mcp_http_close(const mcp_http_t *http,
                            uint64_t grace_ms,
                            size_t *out_cut_off);

// Frees the handle; the listener goes on until its server is closed. NULL is fine.
//
// Requires:
// `http` is NULL or a live handle, which this takes.
void mcp_http_delete(mcp_http_t *http);

// `127.0.0.1:3001/mcp`, with sessions for legacy clients.
mcp_http_options_t *mcp_http_options_new(void);

// Frees options that nothing was started with. NULL is fine.
//
// Requires:
// `options` is NULL or a live handle, which this takes.
void mcp_http_options_delete(mcp_http_options_t *options);

// Sets the address to listen on: an IP address or a name. Default `127.0.0.1`.
//
// Requires:
// `options` is NULL or a live handle; `host` can be read.
void mcp_http_options_set_host(mcp_http_options_t *options, mcp_str host);

// Sets the port to listen on; 0 lets the system choose (see `mcp_http_port`). Default 3001.
//
// Requires:
// `options` is NULL or a live handle.
void mcp_http_options_set_port(mcp_http_options_t *options, uint16_t port);

// Sets the path of the endpoint. Default `/mcp`.
//
// Requires:
// `options` is NULL or a live handle; `path` can be read.
void mcp_http_options_set_endpoint(mcp_http_options_t *options, mcp_str path);

// Whether legacy clients are served without sessions, each request alone. Default false.
//
// Requires:
// `options` is NULL or a live handle.
void mcp_http_options_set_stateless(mcp_http_options_t *options, bool yes);

// Whether legacy clients may open streams with GET, those of the HTTP+SSE transport of 2024-11-05 included. Default true.
//
// Requires:
// `options` is NULL or a live handle.
void mcp_http_options_set_enable_legacy_sse(mcp_http_options_t *options,
                                            bool yes);

// Sets the values of the header `Host` that are served, with or without port. Default: loopback names when the listener is
// bound to a loopback address, any otherwise. It protects servers on a user's machine from web pages.
//
// Requires:
// `options` is NULL or a live handle; `hosts` points to `count` texts that can be read.
void mcp_http_options_set_allowed_hosts(mcp_http_options_t *options,
                                        const mcp_str *hosts,
                                        size_t count);

// Sets the values of the header `Origin` that are served, such as `https://app.example`. Default: as for hosts.
//
// Requires:
// `options` is NULL or a live handle; `origins` points to `count` texts that can be read.
void mcp_http_options_set_allowed_origins(mcp_http_options_t *options,
                                          const mcp_str *origins,
                                          size_t count);

// Sets the origins whose pages may read answers (CORS); `*` for all. Default: none.
//
// Requires:
// `options` is NULL or a live handle; `origins` points to `count` texts that can be read.
void mcp_http_options_set_cors_origins(mcp_http_options_t *options, const mcp_str *origins, size_t count);

// Sets how often a silent stream carries a comment, in milliseconds; 0 means never. Default 15,000.
//
// Requires:
// `options` is NULL or a live handle.
void mcp_http_options_set_keep_alive(mcp_http_options_t *options, uint64_t milliseconds);

// Sets after how many milliseconds clients of revision 2025-11-25 should come back to a stream that was closed. Default
// 1,000.
//
// Requires:
// `options` is NULL or a live handle.
void mcp_http_options_set_retry(mcp_http_options_t *options,
                                uint64_t milliseconds);

// Sets a bound, one of `MCP_HTTP_LIMIT_…`. What arrives beyond it is refused with an HTTP error.
//
// Requires:
// `options` is NULL or a live handle.
void mcp_http_options_set_limit(mcp_http_options_t *options, int32_t limit, size_t value);

// No questions.
mcp_input_required_t *mcp_input_required_new(void);

// Frees questions that were not asked. NULL is fine.
//
// Requires:
// `questions` is NULL or a live handle, which this takes.
void mcp_input_required_delete(mcp_input_required_t *questions);

// Adds a question as JSON: `{"method": "elicitation/create", "params": {…}}`, or `sampling/createMessage`, or
// `roots/list`. `key` names the answer.
//
// Requires:
// `questions` is NULL or a live handle; the others can be read.
void mcp_input_required_add(mcp_input_required_t *questions,
                            mcp_str key,
                            mcp_str request);

// Adds a form for the person: a message, and a JSON Schema of what is asked for (an object of simple values).
//
// Requires:
// `questions` is NULL or a live handle; the others can be read.
void mcp_input_required_add_form(mcp_input_required_t *questions,
                                 mcp_str key,
                                 mcp_str message,
                                 mcp_str schema);

// Sets what the handler wants to have back with the answers (`mcp_context_request_state`). It travels through the client:
// signed, but not secret.
//
// Requires:
// `questions` is NULL or a live handle; `state` can be read.
void mcp_input_required_set_state(mcp_input_required_t *questions,
                                  mcp_str state);

// What a JSON text is, one of `MCP_JSON_…`.
//
// Requires:
// `json` can be read.
int32_t mcp_json_kind(mcp_str json);

// Reads a JSON text that is `true` or `false`. False, and nothing written, when it is something else.
//
// Requires:
// `json` can be read; `out_value` can be written.
bool mcp_json_get_bool(mcp_str json, bool *out_value);

// Reads a JSON text that is a whole number. False, and nothing written, when it is something else.
//
// Requires:
// `json` can be read; `out_value` can be written.
bool mcp_json_get_int64(mcp_str json, int64_t *out_value);

// Reads a JSON text that is a number. False, and nothing written, when it is something else.
//
// Requires:
// `json` can be read; `out_value` can be written.
bool mcp_json_get_double(mcp_str json, double *out_value);

// The characters of a JSON text that is a string, owned by the caller. NULL when it is something else.
//
// Requires:
// `json` can be read.
mcp_text_t *mcp_json_get_string(mcp_str json);

// Finds a member of a JSON object: `out_value` is its text, a part of `json`. False when `json` is no object or has no such
// member. Of members of the same name, the last one counts.
//
// Requires:
// `json` and `name` can be read; `out_value` can be written.
bool mcp_json_find(mcp_str json,
                   mcp_str name,
                   mcp_str *out_value);

// The item of a JSON array by its number from 0: `out_value` is its text, a part of `json`. False when `json` is no array or
// has not so many items.
//
// Requires:
// `json` can be read; `out_value` can be written.
bool mcp_json_at(mcp_str json,
                 size_t number,
                 mcp_str *out_value);

// Reads a JSON text and gives its values to `visitor`. Fails with `MCP_ERROR_PARSE`, and the line and column of the mistake,
// when the text is not valid JSON; then nothing was visited. A number that is out of range is told where it is met.
//
// Requires:
// `json` can be read; `visitor` points to a table whose `size` is its own; its functions keep their contract.
mcp_error_t *mcp_json_visit(mcp_str json,
                            const mcp_json_visitor *visitor,
                            void *user_data);

// An empty text.
mcp_json_writer_t *mcp_json_writer_new(void);

// Frees a writer. NULL is fine.
//
// Requires:
// `writer` is NULL or a live handle, which this takes.
void mcp_json_writer_delete(mcp_json_writer_t *writer);

// The text, owned by the caller, and frees the writer. NULL when something was wrong: bad UTF-8, a number that is not
// finite, a missing end, a value without a key.
//
// Requires:
// `writer` is NULL or a live handle, which this takes.
mcp_text_t *mcp_json_writer_finish(mcp_json_writer_t *writer);

// Begins an object.
//
// Requires:
// `writer` is NULL or a live handle.
void mcp_json_begin_object(mcp_json_writer_t *writer);

// Ends the object that was begun last.
//
// Requires:
// `writer` is NULL or a live handle.
void mcp_json_end_object(mcp_json_writer_t *writer);

// Begins an array.
//
// Requires:
// `writer` is NULL or a live handle.
void mcp_json_begin_array(mcp_json_writer_t *writer);

// Ends the array that was begun last.
//
// Requires:
// `writer` is NULL or a live handle.
void mcp_json_end_array(mcp_json_writer_t *writer);

// Writes the key of the next value.
//
// Requires:
// `writer` is NULL or a live handle; `key` can be read.
void mcp_json_key(mcp_json_writer_t *writer, mcp_str key);

// Writes a string.
//
// Requires:
// `writer` is NULL or a live handle; `text` can be read.
void mcp_json_string(mcp_json_writer_t *writer, mcp_str text);

// Writes a whole number.
//
// Requires:
// `writer` is NULL or a live handle.
void mcp_json_int64(mcp_json_writer_t *writer, int64_t number);

// Writes a number, in the shortest form that reads back as the same one. It must be finite.
//
// Requires:
// `writer` is NULL or a live handle.
void mcp_json_double(mcp_json_writer_t *writer, double number);

// Writes true or false.
//
// Requires:
// `writer` is NULL or a live handle.
void mcp_json_bool(mcp_json_writer_t *writer, bool value);

// Writes null.
//
// Requires:
// `writer` is NULL or a live handle.
void mcp_json_null(mcp_json_writer_t *writer);

// Writes a value that is JSON text already.
//
// Requires:
// `writer` is NULL or a live handle; `json` can be read.
void mcp_json_raw(mcp_json_writer_t *writer, mcp_str json);

// Bounds the arguments of a tool call: so many members and items in all. Beyond it the tool answers with an error result.
// Default: no bound but that of the message.
//
// Requires:
// `options` is NULL or a live handle.
void mcp_options_set_max_tool_input_elements(mcp_options_t *options,
                                             size_t elements);

// Sets how many entries a page of a list has. Default 1,000.
//
// Requires:
// `options` is NULL or a live handle.
void mcp_options_set_page_size(mcp_options_t *options, size_t entries);

// Sets a bound, one of `MCP_LIMIT_…`. What arrives beyond it is refused with an error; nothing waits or grows.
//
// Requires:
// `options` is NULL or a live handle.
void mcp_options_set_limit(mcp_options_t *options,
                           int32_t limit,
                           size_t value);

// Sets how many threads serve connections. 0: none; the host drives the server with `mcp_server_poll` or
// `mcp_server_wait`. Default: as many as there are cores, four at most.
//
// Requires:
// `options` is NULL or a live handle.
void mcp_options_set_worker_threads(mcp_options_t *options, size_t threads);

// Sets how many threads run handlers at most; they are started when they are needed, and end when they are not. Further
// calls wait. Default 64.
//
// Requires:
// `options` is NULL or a live handle.
void mcp_options_set_handler_threads(mcp_options_t *options,
                                     size_t threads);

// Has handlers run where the host wants: each call of a handler that is not inline is given to `function` as a job.
//
// Requires:
// `options` is NULL or a live handle; the callback keeps the contract of callbacks.
void mcp_options_set_executor(mcp_options_t *options,
                              mcp_post_fn function,
                              void *user_data,
                              mcp_destroy_fn destroy);

// Opens a connection in memory and writes the client's end to `out_link`.
//
// Requires:
// `server` is NULL or a live handle; `out_link` can be written.
mcp_error_t *mcp_server_open_link(const mcp_server_t *server, mcp_link_t **out_link);

// Sends a message to the server; waits while the server is behind with reading.
//
// Requires:
// `link` is NULL or a live handle; `message` can be read.
mcp_error_t *mcp_link_send(const mcp_link_t *link, mcp_str message);

// Waits for the next message of the server's, at most `timeout_ms` milliseconds, and writes it to `out_message`, owned by
// the caller. Fails with `MCP_ERROR_TIMEOUT` when none came, with `MCP_ERROR_CONNECTION_CLOSED` when none will.
//
// Requires:
// `link` is NULL or a live handle; `out_message` can be written.
mcp_error_t *mcp_link_receive(const mcp_link_t *link,
                              uint64_t timeout_ms,
                              mcp_text_t **out_message);

// Closes the connection and frees the handle. NULL is fine.
//
// Requires:
// `link` is NULL or a live handle, which this takes.
void mcp_link_delete(mcp_link_t *link);

// Sends the library's log, for all servers of this copy of the library, to `function`: lines of `level` (one of
// `MCP_LEVEL_…`) and above. NULL for `function` ends it; without a sink, nothing is logged. What the sink before was given is
// destroyed, after its last call. Must not be called from inside of a sink.
//
// Requires:
// The callback keeps the contract of callbacks.
mcp_error_t *mcp_set_log_sink(int32_t level,
                              mcp_log_fn function,
                              void *user_data,
                              mcp_destroy_fn destroy);

// Options of a server with this name and version, everything else as it is by default.
//
// Requires:
// Both can be read.
mcp_options_t *mcp_options_new(mcp_str name, mcp_str version);

// Frees options that no server was made of. NULL is fine.
//
// Requires:
// `options` is NULL or a live handle, which this takes.
void mcp_options_delete(mcp_options_t *options);

// Sets the name for people.
//
// Requires:
// `options` is NULL or a live handle; `title` can be read.
void mcp_options_set_title(mcp_options_t *options, mcp_str title);

// Says what the server is for.
//
// Requires:
// `options` is NULL or a live handle; `text` can be read.
void mcp_options_set_description(mcp_options_t *options, mcp_str text);

// Sets the home page.
//
// Requires:
// `options` is NULL or a live handle; `url` can be read.
void mcp_options_set_website_url(mcp_options_t *options, mcp_str url);

// Sets the icons: a JSON array of `{"src": …, "mimeType": …, "sizes": […], "theme": …}`.
//
// Requires:
// `options` is NULL or a live handle; `icons` can be read.
void mcp_options_set_icons(mcp_options_t *options, mcp_str icons);

// Sets instructions, which are sent to every client.
//
// Requires:
// `options` is NULL or a live handle; `text` can be read.
void mcp_options_set_instructions(mcp_options_t *options, mcp_str text);

// Pins one protocol revision, such as `2025-11-25`.
//
// Requires:
// `options` is NULL or a live handle; `text` can be read.
void mcp_options_set_protocol_version(mcp_options_t *options, mcp_str text);

// Narrows the protocol revisions that are spoken. None at all means all.
//
// Requires:
// `options` is NULL or a live handle; `versions` points to `count` texts that can be read.
void mcp_options_set_supported_protocol_versions(mcp_options_t *options,
                                                 const mcp_str *versions,
                                                 size_t count);

// Sets how long a session may take for its handshake. Default 60 s.
//
// Requires:
// `options` is NULL or a live handle.
void mcp_options_set_initialization_timeout(mcp_options_t *options, uint64_t milliseconds);

// Declares that log messages are sent. Without it none are.
//
// Requires:
// `options` is NULL or a live handle.
void mcp_options_declare_logging(mcp_options_t *options);

// Declares that arguments can be completed, though no handler is set yet.
//
// Requires:
// `options` is NULL or a live handle.
void mcp_options_declare_completions(mcp_options_t *options);

// Declares tools, though none is registered yet.
//
// Requires:
// `options` is NULL or a live handle.
void mcp_options_declare_tools(mcp_options_t *options);

// Declares resources, though none is registered yet.
//
// Requires:
// `options` is NULL or a live handle.
void mcp_options_declare_resources(mcp_options_t *options);

// Declares prompts, though none is registered yet.
//
// Requires:
// `options` is NULL or a live handle.
void mcp_options_declare_prompts(mcp_options_t *options);

// Whether lists of what the server does not offer are answered, empty, instead of with "method not found". Default false.
//
// Requires:
// `options` is NULL or a live handle.
void mcp_options_set_answer_empty_lists(mcp_options_t *options,
                                        bool yes);

// Whether changes are announced to clients that subscribe. Default true.
//
// Requires:
// `options` is NULL or a live handle.
void mcp_options_set_subscriptions_enabled(mcp_options_t *options, bool yes);

// Sets how clients of the older revisions are asked for input: how often for one request (default 10), how long they may
// take (default 600,000 ms), and whether at all (default true).
//
// Requires:
// `options` is NULL or a live handle.
void mcp_options_set_input_required(mcp_options_t *options,
                                    size_t max_rounds,
                                    uint64_t round_timeout_ms,
                                    bool legacy_shim);

// Options as they are by default.
mcp_prompt_options_t *mcp_prompt_options_new(void);

// Frees options that nothing was registered with. NULL is fine.
//
// Requires:
// `options` is NULL or a live handle, which this takes.
void mcp_prompt_options_delete(mcp_prompt_options_t *options);

// Whether the handler is called on the thread that serves the connection, which it must not block: for quick ones.
// Default false: on a thread of the handler pool, or by the host's executor.
//
// Requires:
// `options` is NULL or a live handle.
void mcp_prompt_options_set_inline(mcp_prompt_options_t *options,
                                   bool yes);

// Sets the name for people.
//
// Requires:
// `options` is NULL or a live handle; `text` can be read.
void mcp_prompt_options_set_title(mcp_prompt_options_t *options, mcp_str text);

// Describes it, for people and models.
//
// Requires:
// `options` is NULL or a live handle; `text` can be read.
void mcp_prompt_options_set_description(mcp_prompt_options_t *options, mcp_str text);

// Adds icons: a JSON array of `{"src": …, "mimeType": …, "sizes": […], "theme": …}`.
//
// Requires:
// `options` is NULL or a live handle; `json` can be read.
void mcp_prompt_options_set_icons(mcp_prompt_options_t *options, mcp_str json);

// Sets `_meta`: a JSON object.
//
// Requires:
// `options` is NULL or a live handle; `json` can be read.
void mcp_prompt_options_set_meta(mcp_prompt_options_t *options, mcp_str json);

// Adds an argument. `title` and `description` may be none.
//
// Requires:
// `options` is NULL or a live handle; the others can be read.
void mcp_prompt_options_add_argument(mcp_prompt_options_t *options,
                                     mcp_str name,
                                     mcp_str title,
                                     mcp_str description,
                                     bool required);

// A prompt without messages.
mcp_prompt_result_t *mcp_prompt_result_new(void);

// Frees a result that was not answered with. NULL is fine.
//
// Requires:
// `result` is NULL or a live handle, which this takes.
void mcp_prompt_result_delete(mcp_prompt_result_t *result);

// Describes the prompt.
//
// Requires:
// `result` is NULL or a live handle; `text` can be read.
void mcp_prompt_result_set_description(mcp_prompt_result_t *result, mcp_str text);

// Adds a message of text. `role` is one of `MCP_ROLE_…`.
//
// Requires:
// `result` is NULL or a live handle; `text` can be read.
void mcp_prompt_result_add_text(mcp_prompt_result_t *result, int32_t role, mcp_str text);

// Adds a message whose content is given as JSON: `{"type": "image", …}`. `role` is one of `MCP_ROLE_…`.
//
// Requires:
// `result` is NULL or a live handle; `content` can be read.
void mcp_prompt_result_add_content(mcp_prompt_result_t *result, int32_t role, mcp_str content);

// Sets `_meta`: a JSON object.
//
// Requires:
// `result` is NULL or a live handle; `meta` can be read.
void mcp_prompt_result_set_meta(mcp_prompt_result_t *result, mcp_str meta);

// Adds a tool; clients that subscribed are told. Fails when the name is taken or invalid, or a schema is; `user_data` is
// destroyed then too.
//
// Requires:
// `server` is NULL or a live handle; `options` is NULL (for none) or a live handle, which this takes; the others can be
// read; the callback keeps the contract of callbacks.
mcp_error_t *mcp_server_add_tool(const mcp_server_t *server,
                                 mcp_str name,
                                 mcp_tool_options_t *options,
                                 mcp_handler_fn function,
                                 void *user_data,
                                 mcp_destroy_fn destroy);

// Adds a resource; clients that subscribed are told. Fails when the URI is taken or invalid.
//
// Requires:
// As `mcp_server_add_tool`.
mcp_error_t *mcp_server_add_resource(const mcp_server_t *server,
                                     mcp_str name,
                                     mcp_str uri,
                                     mcp_resource_options_t *options,
                                     mcp_handler_fn function,
                                     void *user_data,
                                     mcp_destroy_fn destroy);

// Adds a family of resources under an RFC 6570 template, such as `file:///{path}`; clients that subscribed are told.
// Fails when the template is taken or invalid.
//
// Requires:
// As `mcp_server_add_tool`.
mcp_error_t *mcp_server_add_resource_template(const mcp_server_t *server,
                                              mcp_str name,
                                              mcp_str uri_template,
                                              mcp_resource_options_t *options,
                                              mcp_handler_fn function,
                                              void *user_data,
                                              mcp_destroy_fn destroy);

// Adds a prompt; clients that subscribed are told. Fails when the name is taken or invalid.
//
// Requires:
// As `mcp_server_add_tool`.
mcp_error_t *mcp_server_add_prompt(const mcp_server_t *server,
                                   mcp_str name,
                                   mcp_prompt_options_t *options,
                                   mcp_handler_fn function,
                                   void *user_data,
                                   mcp_destroy_fn destroy);

// Sets the handler that completes arguments of prompts and variables of templates, in place of the one before. With
// `inline_call` it is called on the thread that serves the connection, which it must not block.
//
// Requires:
// `server` is NULL or a live handle; the callback keeps the contract of callbacks.
mcp_error_t *mcp_server_set_completion_handler(const mcp_server_t *server,
                                               bool inline_call,
                                               mcp_handler_fn function,
                                               void *user_data,
                                               mcp_destroy_fn destroy);

// Removes a tool; clients that subscribed are told. Calls that run already go on; `user_data` is destroyed after the last
// of them. False when there is none of this name.
//
// Requires:
// `server` is NULL or a live handle; `name` can be read.
bool mcp_server_remove_tool(const mcp_server_t *server,
                            mcp_str name);

// Removes a resource, like `mcp_server_remove_tool`. False when there is none of this URI.
//
// Requires:
// `server` is NULL or a live handle; `uri` can be read.
bool mcp_server_remove_resource(const mcp_server_t *server, mcp_str uri);

// Removes a resource template, like `mcp_server_remove_tool`. False when there is none of this text.
//
// Requires:
// `server` is NULL or a live handle; `uri_template` can be read.
bool mcp_server_remove_resource_template(const mcp_server_t *server, mcp_str uri_template);

// Removes a prompt, like `mcp_server_remove_tool`. False when there is none of this name.
//
// Requires:
// `server` is NULL or a live handle; `name` can be read.
bool mcp_server_remove_prompt(const mcp_server_t *server, mcp_str name);

// Sets the key that signs the state of requests which ask for input. Processes that serve one address share one key.
// Default: a random key of the process.
//
// Requires:
// `options` is NULL or a live handle; `key` can be read.
void mcp_options_set_request_state_key(mcp_options_t *options,
                                       mcp_str key);

// Adds an older key, whose signatures are still accepted.
//
// Requires:
// `options` is NULL or a live handle; `key` can be read.
void mcp_options_add_request_state_previous_key(mcp_options_t *options, mcp_str key);

// Sets the host's own check of states that come back.
//
// Requires:
// `options` is NULL or a live handle; the callback keeps the contract of callbacks.
void mcp_options_set_request_state_verifier(mcp_options_t *options,
                                            mcp_state_verifier_fn function,
                                            void *user_data,
                                            mcp_destroy_fn destroy);

// Sets how long a state is accepted; 0 means for ever. Default 15 min.
//
// Requires:
// `options` is NULL or a live handle.
void mcp_options_set_request_state_ttl(mcp_options_t *options, uint64_t milliseconds);

// Options as they are by default.
mcp_resource_options_t *mcp_resource_options_new(void);

// Frees options that nothing was registered with. NULL is fine.
//
// Requires:
// `options` is NULL or a live handle, which this takes.
void mcp_resource_options_delete(mcp_resource_options_t *options);

// Whether the handler is called on the thread that serves the connection, which it must not block: for quick ones.
// Default false: on a thread of the handler pool, or by the host's executor.
//
// Requires:
// `options` is NULL or a live handle.
void mcp_resource_options_set_inline(mcp_resource_options_t *options,
                                     bool yes);

// Sets the name for people.
//
// Requires:
// `options` is NULL or a live handle; `text` can be read.
void mcp_resource_options_set_title(mcp_resource_options_t *options, mcp_str text);

// Describes it, for people and models.
//
// Requires:
// `options` is NULL or a live handle; `text` can be read.
void mcp_resource_options_set_description(mcp_resource_options_t *options, mcp_str text);

// Sets the media type.
//
// Requires:
// `options` is NULL or a live handle; `text` can be read.
void mcp_resource_options_set_mime_type(mcp_resource_options_t *options, mcp_str text);

// Sets the size in bytes.
//
// Requires:
// `options` is NULL or a live handle.
void mcp_resource_options_set_size(mcp_resource_options_t *options, uint64_t number);

// Sets the annotations: a JSON object `{"audience": […], "priority": …, "lastModified": …}`.
//
// Requires:
// `options` is NULL or a live handle; `json` can be read.
void mcp_resource_options_set_annotations(mcp_resource_options_t *options, mcp_str json);

// Adds icons: a JSON array of `{"src": …, "mimeType": …, "sizes": […], "theme": …}`.
//
// Requires:
// `options` is NULL or a live handle; `json` can be read.
void mcp_resource_options_set_icons(mcp_resource_options_t *options, mcp_str json);

// Sets `_meta`: a JSON object.
//
// Requires:
// `options` is NULL or a live handle; `json` can be read.
void mcp_resource_options_set_meta(mcp_resource_options_t *options, mcp_str json);

// An empty result. A resource that does not exist is an error, with `MCP_ERROR_RESOURCE_NOT_FOUND`.
mcp_resource_result_t *mcp_resource_result_new(void);

// Frees a result that was not answered with. NULL is fine.
//
// Requires:
// `result` is NULL or a live handle, which this takes.
void mcp_resource_result_delete(mcp_resource_result_t *result);

// Adds text, under the URI that was read or one below it. `mime_type` may be none.
//
// Requires:
// `result` is NULL or a live handle; the others can be read.
void mcp_resource_result_add_text(mcp_resource_result_t *result,
                                  mcp_str uri,
                                  mcp_str mime_type,
                                  mcp_str text);

// Adds bytes, under the URI that was read or one below it. `mime_type` may be none.
//
// Requires:
// `result` is NULL or a live handle; the others can be read.
void mcp_resource_result_add_blob(mcp_resource_result_t *result,
                                  mcp_str uri,
                                  mcp_str mime_type,
                                  const uint8_t *data,
                                  size_t len);

// Adds contents as JSON: `{"uri": …, "text": …}` or `{"uri": …, "blob": …}`, with `_meta` where it is wanted.
//
// Requires:
// `result` is NULL or a live handle; `contents` can be read.
void mcp_resource_result_add_contents(mcp_resource_result_t *result,
                                      mcp_str contents);

// Says how long the client may keep the contents. `scope` is one of `MCP_CACHE_…`.
//
// Requires:
// `result` is NULL or a live handle.
void mcp_resource_result_set_cache(mcp_resource_result_t *result, uint64_t ttl_ms, int32_t scope);

// Sets `_meta`: a JSON object.
//
// Requires:
// `result` is NULL or a live handle; `meta` can be read.
void mcp_resource_result_set_meta(mcp_resource_result_t *result, mcp_str meta);

// Answers a tool call. Fails when a setter of the result was given something that is not valid, or when the request is
// none of a tool; then the client receives an internal error.
//
// Requires:
// Both are NULL or live handles, which this takes.
mcp_error_t *mcp_respond_tool(mcp_responder_t *responder,
                              mcp_tool_result_t *result);

// Answers a tool call with text: the usual case.
//
// Requires:
// `responder` is NULL or a live handle, which this takes; `text` can be read.
mcp_error_t *mcp_respond_text(mcp_responder_t *responder, mcp_str text);

// Answers a read of a resource, like `mcp_respond_tool`.
//
// Requires:
// Both are NULL or live handles, which this takes.
mcp_error_t *mcp_respond_resource(mcp_responder_t *responder, mcp_resource_result_t *result);

// Answers a request for a prompt, like `mcp_respond_tool`.
//
// Requires:
// Both are NULL or live handles, which this takes.
mcp_error_t *mcp_respond_prompt(mcp_responder_t *responder, mcp_prompt_result_t *result);

// Answers a request for completion, like `mcp_respond_tool`.
//
// Requires:
// Both are NULL or live handles, which this takes.
mcp_error_t *mcp_respond_completion(mcp_responder_t *responder, mcp_completion_result_t *result);

// Answers any request with a result as JSON, in the form that the specification gives it
// (`{"content": […]}`, `{"contents": […]}`, `{"messages": […]}`, `{"completion": {…}}`). Only the members that the
// specification names are sent.
//
// Requires:
// `responder` is NULL or a live handle, which this takes; `result` can be read.
mcp_error_t *mcp_respond_json(mcp_responder_t *responder,
                              mcp_str result);

// Answers with questions: the client is asked, and the handler is called again with the answers (see
// `mcp_context_input_response`). Not for completion.
//
// Requires:
// Both are NULL or live handles, which this takes.
mcp_error_t *mcp_respond_input_required(mcp_responder_t *responder, mcp_input_required_t *questions);

// Answers with a failure told in words that the client may see: a tool's result with `isError`, an internal error
// elsewhere.
//
// Requires:
// `responder` is NULL or a live handle, which this takes; `text` can be read.
mcp_error_t *mcp_respond_failure(mcp_responder_t *responder,
                                 mcp_str text);

// Answers with a failure that the client learns nothing about: a tool's result with `isError` and a general text, an
// internal error elsewhere. `detail` goes to the log.
//
// Requires:
// `responder` is NULL or a live handle, which this takes; `detail` can be read.
mcp_error_t *mcp_respond_internal_failure(mcp_responder_t *responder,
                                          mcp_str detail);

// Answers with a JSON-RPC error.
//
// Requires:
// Both are NULL or live handles, which this takes.
mcp_error_t *mcp_respond_error(mcp_responder_t *responder, mcp_error_t *error);

// Gives a request up: the client receives an internal error.
//
// Requires:
// `responder` is NULL or a live handle, which this takes.
void mcp_responder_delete(mcp_responder_t *responder);

// Makes a server and writes it to `out_server`. Fails with the first mistake in the options, or when the system gives no
// threads.
//
// Requires:
// `options` is NULL or a live handle, which this takes; `out_server` can be written.
mcp_error_t *mcp_server_new(mcp_options_t *options,
                            mcp_server_t **out_server);

// Ends a server and frees it. NULL is fine.
//
// Waits until every running call of the host's functions has returned; then runs every destructor of user data that has
// not run, and ends the server's threads. When this returns, nothing of the host's is called any more; responders and
// context clones that the host still holds have become inert. A handler that never returns is waited for without end:
// call `mcp_server_close` first, which tells how many are running, and leak the server instead.
//
// From inside of one of the host's functions this returns at once, and the rest happens when the last one has returned.
//
// Requires:
// `server` is NULL or a live handle, which this takes; no other thread is in a function of this server.
void mcp_server_delete(mcp_server_t *server);

// Ends all transports of a server: nothing more is accepted, streams end in order, requests that run have `grace_ms`
// milliseconds to finish. Writes to `out_running` (may be NULL) how many calls of the host's functions are still running
// after that. May be called more than once. From inside of one of the host's functions it only asks for the end, and
// returns at once.
//
// Requires:
// `server` is NULL or a live handle; `out_running` is NULL or can be written.
mcp_error_t *mcp_server_close(const mcp_server_t *server,
                              uint64_t grace_ms,
                              size_t *out_running);

// Waits until the server was closed, or until all of its transports have ended by themselves, as standard streams do when
// the client closes them. Where the server has no worker threads, it is driven meanwhile.
//
// Requires:
// `server` is NULL or a live handle.
mcp_error_t *mcp_server_wait(const mcp_server_t *server);

// Drives a server without worker threads for `timeout_ms` milliseconds; 0 does what can be done at once. Writes to
// `out_going_on` (may be NULL) false when there is nothing left to wait for.
//
// Requires:
// `server` is NULL or a live handle; `out_going_on` is NULL or can be written.
mcp_error_t *mcp_server_poll(const mcp_server_t *server,
                             uint64_t timeout_ms,
                             bool *out_going_on);

// Serves the client that started this process, over its standard streams, in the background; see `mcp_server_wait`. With
// `isolate` the protocol has the streams for itself: what the host or its children print goes to standard error
// meanwhile. Unix only.
//
// Requires:
// `server` is NULL or a live handle.
mcp_error_t *mcp_server_start_stdio(const mcp_server_t *server,
                                    bool isolate);

// Answers one message that stands alone, without a connection: a request of revision 2026-07-28, whose metadata is in
// itself. Waits for the answer and writes it to `out_answer`, owned by the caller; NULL for a notification. What the
// handler sends before its answer is lost.
//
// Requires:
// `server` is NULL or a live handle; `message` can be read; `out_answer` can be written.
mcp_error_t *mcp_server_dispatch(const mcp_server_t *server,
                                 mcp_str message,
                                 mcp_text_t **out_answer);

// Tells clients that subscribed that the list of tools changed. Adding and removing does it by itself.
//
// Requires:
// `server` is NULL or a live handle.
void mcp_server_notify_tools_changed(const mcp_server_t *server);

// Tells clients that subscribed that the list of resources or templates changed.
//
// Requires:
// `server` is NULL or a live handle.
void mcp_server_notify_resources_changed(const mcp_server_t *server);

// Tells clients that subscribed that the list of prompts changed.
//
// Requires:
// `server` is NULL or a live handle.
void mcp_server_notify_prompts_changed(const mcp_server_t *server);

// Tells the clients that watch this resource that it changed.
//
// Requires:
// `server` is NULL or a live handle; `uri` can be read.
mcp_error_t *mcp_server_notify_resource_updated(const mcp_server_t *server, mcp_str uri);

// Sends a log message to every client with a session that wants messages of this level, if the server declares logging.
// `level` is one of `MCP_LEVEL_…`, `logger` may be none, `data` is JSON.
//
// Requires:
// `server` is NULL or a live handle; the others can be read.
mcp_error_t *mcp_server_log(const mcp_server_t *server,
                            int32_t level,
                            mcp_str logger,
                            mcp_str data);

// What the server declares that it can do, as the JSON object of the newest revision. The caller owns the text.
//
// Requires:
// `server` is NULL or a live handle.
mcp_text_t *mcp_server_capabilities(const mcp_server_t *server);

// The protocol revisions that the library knows, oldest first, as a JSON array. The caller owns the text.
mcp_text_t *mcp_protocol_versions(void);

// Options as they are by default.
mcp_tool_options_t *mcp_tool_options_new(void);

// Frees options that nothing was registered with. NULL is fine.
//
// Requires:
// `options` is NULL or a live handle, which this takes.
void mcp_tool_options_delete(mcp_tool_options_t *options);

// Whether the handler is called on the thread that serves the connection, which it must not block: for quick ones.
// Default false: on a thread of the handler pool, or by the host's executor.
//
// Requires:
// `options` is NULL or a live handle.
void mcp_tool_options_set_inline(mcp_tool_options_t *options,
                                 bool yes);

// Sets the name for people.
//
// Requires:
// `options` is NULL or a live handle; `text` can be read.
void mcp_tool_options_set_title(mcp_tool_options_t *options, mcp_str text);

// Describes it, for people and models.
//
// Requires:
// `options` is NULL or a live handle; `text` can be read.
void mcp_tool_options_set_description(mcp_tool_options_t *options, mcp_str text);

// Sets the JSON Schema of the arguments (2020-12 or draft-07). Default: an object with any members.
//
// Requires:
// `options` is NULL or a live handle; `json` can be read.
void mcp_tool_options_set_input_schema(mcp_tool_options_t *options, mcp_str json);

// Sets the JSON Schema of the structured result.
//
// Requires:
// `options` is NULL or a live handle; `json` can be read.
void mcp_tool_options_set_output_schema(mcp_tool_options_t *options, mcp_str json);

// Whether results are structured; with it, the output schema is `{"type": "object"}` where none is given.
//
// Requires:
// `options` is NULL or a live handle.
void mcp_tool_options_set_use_structured_content(mcp_tool_options_t *options, bool yes);

// Whether clients receive a structured result as text too, where the tool adds none. Default true.
//
// Requires:
// `options` is NULL or a live handle.
void mcp_tool_options_set_text_copy(mcp_tool_options_t *options, bool yes);

// Whether structured results are checked against the output schema. Default true.
//
// Requires:
// `options` is NULL or a live handle.
void mcp_tool_options_set_validate_output(mcp_tool_options_t *options, bool yes);

// Hints that the tool changes nothing.
//
// Requires:
// `options` is NULL or a live handle.
void mcp_tool_options_set_read_only_hint(mcp_tool_options_t *options, bool yes);

// Hints that the tool may destroy something.
//
// Requires:
// `options` is NULL or a live handle.
void mcp_tool_options_set_destructive_hint(mcp_tool_options_t *options, bool yes);

// Hints that a second call with the same arguments changes nothing more.
//
// Requires:
// `options` is NULL or a live handle.
void mcp_tool_options_set_idempotent_hint(mcp_tool_options_t *options, bool yes);

// Hints that the tool deals with the world outside of the host.
//
// Requires:
// `options` is NULL or a live handle.
void mcp_tool_options_set_open_world_hint(mcp_tool_options_t *options, bool yes);

// Adds icons: a JSON array of `{"src": …, "mimeType": …, "sizes": […], "theme": …}`.
//
// Requires:
// `options` is NULL or a live handle; `json` can be read.
void mcp_tool_options_set_icons(mcp_tool_options_t *options, mcp_str json);

// Sets `_meta`: a JSON object.
//
// Requires:
// `options` is NULL or a live handle; `json` can be read.
void mcp_tool_options_set_meta(mcp_tool_options_t *options, mcp_str json);

// Sets how long a call may take; then it is cancelled, and answered with an error result.
//
// Requires:
// `options` is NULL or a live handle.
void mcp_tool_options_set_timeout(mcp_tool_options_t *options, uint64_t milliseconds);

// Sets how many calls of this tool may run at once; further ones wait.
//
// Requires:
// `options` is NULL or a live handle.
void mcp_tool_options_set_max_concurrency(mcp_tool_options_t *options, size_t number);

// An empty result.
mcp_tool_result_t *mcp_tool_result_new(void);

// Frees a result that was not answered with. NULL is fine.
//
// Requires:
// `result` is NULL or a live handle, which this takes.
void mcp_tool_result_delete(mcp_tool_result_t *result);

// Adds text.
//
// Requires:
// `result` is NULL or a live handle; `text` can be read.
void mcp_tool_result_add_text(mcp_tool_result_t *result, mcp_str text);

// Adds a picture: its bytes, and its media type.
//
// Requires:
// `result` is NULL or a live handle; the others can be read.
void mcp_tool_result_add_image(mcp_tool_result_t *result, const uint8_t *data, size_t len, mcp_str mime_type);

// Adds sound: its bytes, and its media type.
//
// Requires:
// `result` is NULL or a live handle; the others can be read.
void mcp_tool_result_add_audio(mcp_tool_result_t *result, const uint8_t *data, size_t len, mcp_str mime_type);

// Adds a content block of any kind, as JSON: `{"type": "resource_link", …}`.
//
// Requires:
// `result` is NULL or a live handle; `content` can be read.
void mcp_tool_result_add_content(mcp_tool_result_t *result, mcp_str content);

// Sets the structured result, any JSON value. Where no text was added, the client receives a copy of it as text.
//
// Requires:
// `result` is NULL or a live handle; `value` can be read.
void mcp_tool_result_set_structured(mcp_tool_result_t *result,
                                    mcp_str value);

// Says that the tool failed: the content tells why.
//
// Requires:
// `result` is NULL or a live handle.
void mcp_tool_result_set_error(mcp_tool_result_t *result, bool is_error);

// Sets `_meta`: a JSON object.
//
// Requires:
// `result` is NULL or a live handle; `meta` can be read.
void mcp_tool_result_set_meta(mcp_tool_result_t *result, mcp_str meta);

// The version of the library, such as `1.2.3`; a C string that lives for ever.
const char *mcp_version(void);

// The version of the interface that the library has, to be compared with `MCP_ABI_VERSION` of the header.
uint32_t mcp_abi_version(void);

// Runs a job, on this thread, and frees it.
//
// Requires:
// `job` is NULL or a live handle, which this takes.
void mcp_job_run(mcp_job_t *job);

// Frees a job without running it; the request is answered with an internal error.
//
// Requires:
// `job` is NULL or a live handle, which this takes.
void mcp_job_delete(mcp_job_t *job);

// The text; borrowed, valid until `text` is deleted. NULL gives none.
//
// Requires:
// `text` is NULL or a live handle.
mcp_str mcp_text_str(const mcp_text_t *text);

// Frees text. NULL is fine.
//
// Requires:
// `text` is NULL or a live handle, which this takes.
void mcp_text_delete(mcp_text_t *text);

// Text of the caller's own, copied. NULL when `text` is not valid UTF-8.
//
// Requires:
// `text` can be read.
mcp_text_t *mcp_text_new(mcp_str text);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

// Text from a C string. NULL gives none.
static inline mcp_str mcp_str_of(const char *text) {
    mcp_str result;
    result.ptr = text;
    result.len = text ? strlen(text) : 0;
    return result;
}

// Text from a pointer and a length.
static inline mcp_str mcp_str_from(const char *ptr, size_t len) {
    mcp_str result;
    result.ptr = ptr;
    result.len = len;
    return result;
}

// Text from a string literal.
#define MCP_STR(literal) mcp_str_from("" literal, sizeof(literal) - 1)
// No text.
#define MCP_STR_NONE mcp_str_from(NULL, 0)

#endif  /* MCP_MCP_H */
