// Text and failures, for the example programs in C.

#ifndef EXAMPLES_COMMON_TEXT_H
#define EXAMPLES_COMMON_TEXT_H

#include <stdbool.h>
#include <stddef.h>

#include <mcp/mcp.h>

// Text as `printf` would write it, to be freed by the caller. A program that has no memory left ends.
char *text_format(const char *format, ...);

// Whether both are the same text.
bool text_equals(mcp_str text, const char *other);

// Whether `text` begins with `prefix`.
bool text_starts_with(mcp_str text, mcp_str prefix);

// Bytes as text: what is not UTF-8 in them becomes U+FFFD, one for each sequence that breaks off. The caller owns the
// text.
mcp_text_t *text_from_bytes(const unsigned char *bytes, size_t count);

// What an error says, on standard error; frees it. NULL is fine. False when there was an error.
bool succeeded(mcp_error_t *error);

#endif
