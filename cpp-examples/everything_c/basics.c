// Tools that do one small thing each, well or badly.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../common/text.h"
#include "children.h"
#include "everything.h"
#include "numbers.h"

static void echo(void *user_data, const mcp_context_t *context, mcp_str input, mcp_responder_t *responder) {
    (void)user_data;
    (void)context;
    mcp_text_t *text = member_text(input, MCP_STR("text"));
    succeeded(mcp_respond_text(responder, mcp_text_str(text)));
    mcp_text_delete(text);
}

static void add(void *user_data, const mcp_context_t *context, mcp_str input, mcp_responder_t *responder) {
    (void)user_data;
    (void)context;
    mcp_str a = MCP_STR_NONE, b = MCP_STR_NONE;
    mcp_json_find(input, MCP_STR("a"), &a);
    mcp_json_find(input, MCP_STR("b"), &b);
    char *sum = sum_of(a, b);
    if (sum != NULL) {
        respond_text(responder, sum);
    } else {
        succeeded(mcp_respond_failure(responder, MCP_STR("The sum is too large for a number of 64 bits.")));
    }
}

// A program in C has no way to fail but to say so.
static void boom(void *user_data, const mcp_context_t *context, mcp_str input, mcp_responder_t *responder) {
    (void)user_data;
    (void)context;
    mcp_text_t *text = member_text(input, MCP_STR("text"));
    succeeded(mcp_respond_internal_failure(responder, mcp_text_str(text)));
    mcp_text_delete(text);
}

static int digit(char character) {
    static const char digits[] = "0123456789abcdefABCDEF";
    const char *found = character != '\0' ? strchr(digits, character) : NULL;
    if (found == NULL) {
        return -1;
    }
    int value = (int)(found - digits);
    return value < 16 ? value : value - 6;
}

// The bytes that pairs of digits stand for, to be freed by the caller. NULL when they are no such pairs.
static unsigned char *bytes_of(mcp_str hex, size_t *out_count) {
    unsigned char *bytes = (unsigned char *)malloc(hex.len / 2 + 1);
    bool valid = bytes != NULL && hex.len % 2 == 0;
    for (size_t at = 0; valid && at < hex.len; at += 2) {
        int high = digit(hex.ptr[at]), low = digit(hex.ptr[at + 1]);
        valid = high >= 0 && low >= 0;
        bytes[at / 2] = (unsigned char)(valid ? high * 16 + low : 0);
    }
    if (!valid) {
        free(bytes);
        return NULL;
    }
    *out_count = hex.len / 2;
    return bytes;
}

static void bytes(void *user_data, const mcp_context_t *context, mcp_str input, mcp_responder_t *responder) {
    (void)user_data;
    (void)context;
    mcp_text_t *hex = member_text(input, MCP_STR("hex"));
    size_t count = 0;
    unsigned char *decoded = bytes_of(mcp_text_str(hex), &count);
    if (decoded != NULL) {
        mcp_text_t *text = text_from_bytes(decoded, count);
        succeeded(mcp_respond_text(responder, mcp_text_str(text)));
        mcp_text_delete(text);
    } else {
        succeeded(mcp_respond_failure(
            responder, MCP_STR("\"hex\" must be pairs of hexadecimal digits, such as \"48656c6c6f\".")));
    }
    free(decoded);
    mcp_text_delete(hex);
}

// What careless handlers do: on stdio none of it may reach the client, or take its messages away.
static void print(void *user_data, const mcp_context_t *context, mcp_str input, mcp_responder_t *responder) {
    (void)user_data;
    (void)context;
    mcp_text_t *text = member_text(input, MCP_STR("text"));
    mcp_str printed = mcp_text_str(text);
    fwrite(printed.ptr, 1, printed.len, stdout);
    fflush(stdout);
    long count = child_read();
    bool echoed = child_echo(printed);
    mcp_text_delete(text);
    if (count >= 0 && echoed) {
        respond_text(responder, text_format("printed; a child read %ld bytes", count));
    } else {
        succeeded(mcp_respond_internal_failure(responder, MCP_STR("a child process failed")));
    }
}

static void noargs(void *user_data, const mcp_context_t *context, mcp_str input, mcp_responder_t *responder) {
    (void)user_data;
    (void)context;
    (void)input;
    succeeded(mcp_respond_text(responder, MCP_STR("This tool takes no arguments.")));
}

// The number as the client wrote it: no type of C stands between, so no size is too large.
static void echo_int(void *user_data, const mcp_context_t *context, mcp_str input, mcp_responder_t *responder) {
    (void)user_data;
    (void)context;
    mcp_str id = MCP_STR_NONE;
    mcp_json_find(input, MCP_STR("id"), &id);
    mcp_json_writer_t *writer = mcp_json_writer_new();
    mcp_json_begin_object(writer);
    mcp_json_key(writer, MCP_STR("id"));
    mcp_json_raw(writer, id);
    mcp_json_end_object(writer);
    mcp_text_t *structured = mcp_json_writer_finish(writer);
    mcp_tool_result_t *result = mcp_tool_result_new();
    mcp_tool_result_set_structured(result, mcp_text_str(structured));
    mcp_text_delete(structured);
    succeeded(mcp_respond_tool(responder, result));
}

mcp_error_t *register_basics(const mcp_server_t *server) {
    static const char summands[] =
        "{\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"number\",\"description\":\"The first number\"},"
        "\"b\":{\"type\":\"number\",\"description\":\"The second number\"}},\"required\":[\"a\",\"b\"]}";
    static const char id[] =
        "{\"type\":\"object\",\"properties\":{\"id\":{\"type\":\"integer\"}},\"required\":[\"id\"]}";
    static const char text[] = SCHEMA_OF_TEXT("text", "Any text");
    static const tool tools[] = {
        {"echo", "Gives back the text", text, NULL, echo, true},
        {"add", "Adds two numbers", summands, NULL, add, true},
        {"boom", "Crashes with the text", text, NULL, boom, false},
        {"bytes", "Gives back bytes, written as hexadecimal digits, as text",
         SCHEMA_OF_TEXT("hex", "Two hexadecimal digits for each byte"), NULL, bytes, false},
        {"print", "Prints the text, and lets a child process read and print", text, NULL, print, false},
        {"noargs", "Takes no arguments", NULL, NULL, noargs, false},
        {"echo_int", "Gives back an integer of any size", id, id, echo_int, false},
    };
    return add_tools(server, tools, sizeof(tools) / sizeof(tools[0]));
}
