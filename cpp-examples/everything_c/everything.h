// What the families of this server share: each registers what it offers.

#ifndef EVERYTHING_EVERYTHING_H
#define EVERYTHING_EVERYTHING_H

#include <stdbool.h>
#include <stddef.h>

#include <mcp/mcp.h>

// A tool as a row of a table.
typedef struct {
    const char *name;
    const char *description;
    // JSON Schemas of the arguments and of the structured result; NULL for none.
    const char *input_schema;
    const char *output_schema;
    mcp_handler_fn call;
    bool read_only;
} tool;

// The schema of arguments with one required string.
#define SCHEMA_OF_TEXT(name, description)                                                                             \
    "{\"type\":\"object\",\"properties\":{\"" name "\":{\"type\":\"string\",\"description\":\"" description           \
    "\"}},\"required\":[\"" name "\"]}"

// Adds tools, up to the first that fails.
mcp_error_t *add_tools(const mcp_server_t *server, const tool *tools, size_t count);

// Adds one tool whose function has user data.
mcp_error_t *add_tool(const mcp_server_t *server, const tool *described, void *user_data, mcp_destroy_fn destroy);

// The characters of a member of a JSON object, owned by the caller; NULL when it is no string, or not there.
mcp_text_t *member_text(mcp_str object, mcp_str name);

// Answers a tool call with text that `text_format` made; frees it.
void respond_text(mcp_responder_t *responder, char *text);

// As `respond_text`, with a failure that the client may see.
void respond_failure(mcp_responder_t *responder, char *text);

mcp_error_t *register_basics(const mcp_server_t *server);
mcp_error_t *register_sleeping(const mcp_server_t *server);
mcp_error_t *register_content(const mcp_server_t *server);
mcp_error_t *register_telling(const mcp_server_t *server);
mcp_error_t *register_changes(const mcp_server_t *server);
mcp_error_t *register_asking(const mcp_server_t *server);
mcp_error_t *register_forms(const mcp_server_t *server);
mcp_error_t *register_input_required(const mcp_server_t *server);
mcp_error_t *register_resources(const mcp_server_t *server);
mcp_error_t *register_prompts(const mcp_server_t *server);

#endif
