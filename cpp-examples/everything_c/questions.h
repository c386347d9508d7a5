// Questions to the client, as JSON, and what its answers say.

#ifndef EVERYTHING_QUESTIONS_H
#define EVERYTHING_QUESTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include <mcp/mcp.h>

// The question for the client's roots.
#define QUESTION_ROOTS MCP_STR("{\"method\":\"roots/list\"}")

// A form for the person, with this JSON Schema. The caller owns the text.
mcp_text_t *question_form(mcp_str message, mcp_str schema);

// A form with one text field.
mcp_text_t *question_text(mcp_str message, mcp_str field);

// A prompt for the client's model.
mcp_text_t *question_prompt(mcp_str prompt, int64_t max_tokens);

// Asks for one text: true, and the text, which the caller owns, where the person gave it. Otherwise false: the request
// is answered, and the handler must return.
bool ask_text(const mcp_context_t *context, mcp_responder_t *responder, mcp_str key, mcp_str message, mcp_str field,
              mcp_text_t **out_text);

// Asks the client's model, like `ask_text`. NULL where it gave no text.
bool ask_model(const mcp_context_t *context, mcp_responder_t *responder, mcp_str key, mcp_str prompt,
               int64_t max_tokens, mcp_text_t **out_text);

#endif
