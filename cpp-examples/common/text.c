#include "text.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *must(void *memory) {
    if (memory == NULL) {
        fputs("out of memory\n", stderr);
        abort();
    }
    return memory;
}

char *text_format(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    size_t size = length < 0 ? 1 : (size_t)length + 1;
    char *text = must(calloc(size, 1));
    va_start(arguments, format);
    vsnprintf(text, size, format, arguments);
    va_end(arguments);
    return text;
}

bool text_equals(mcp_str text, const char *other) {
    return text.len == strlen(other) && (text.len == 0 || memcmp(text.ptr, other, text.len) == 0);
}

bool text_starts_with(mcp_str text, mcp_str prefix) {
    return text.len >= prefix.len && (prefix.len == 0 || memcmp(text.ptr, prefix.ptr, prefix.len) == 0);
}

// How many bytes of those left make one character. When they are none, `*valid` is false, and the result says how many
// of them belong to the sequence that breaks off.
static size_t character(const unsigned char *bytes, size_t left, bool *valid) {
    unsigned char first = bytes[0], low = 0x80, high = 0xBF;
    size_t length = first < 0x80 ? 1 : first < 0xC2 ? 0 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : first < 0xF5 ? 4 : 0;
    // Overlong forms, surrogates and what is beyond Unicode show in the second byte.
    switch (first) {
        case 0xE0: low = 0xA0; break;
        case 0xED: high = 0x9F; break;
        case 0xF0: low = 0x90; break;
        case 0xF4: high = 0x8F; break;
        default: break;
    }
    *valid = false;
    for (size_t at = 1; at < length; at++) {
        if (at == left || bytes[at] < low || bytes[at] > high) {
            return at;
        }
        low = 0x80;
        high = 0xBF;
    }
    *valid = length > 0;
    return length > 0 ? length : 1;
}

mcp_text_t *text_from_bytes(const unsigned char *bytes, size_t count) {
    static const char replacement[] = "\xEF\xBF\xBD";
    // Each byte becomes three at most.
    char *text = must(malloc(3 * count + 1));
    size_t length = 0;
    for (size_t at = 0; at < count;) {
        bool valid;
        size_t taken = character(bytes + at, count - at, &valid);
        size_t put = valid ? taken : sizeof(replacement) - 1;
        memcpy(text + length, valid ? (const char *)bytes + at : replacement, put);
        length += put;
        at += taken;
    }
    mcp_text_t *result = mcp_text_new(mcp_str_from(text, length));
    free(text);
    return result;
}

bool succeeded(mcp_error_t *error) {
    if (error == NULL) {
        return true;
    }
    mcp_str message = mcp_error_message(error);
    fprintf(stderr, "%.*s\n", (int)message.len, message.ptr);
    mcp_error_delete(error);
    return false;
}
