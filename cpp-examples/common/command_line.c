#include "command_line.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "text.h"

// A whole number up to `limit`, in decimal digits and nothing else.
static bool number(const char *text, unsigned long limit, unsigned long *out_number) {
    if (*text == '\0' || text[strspn(text, "0123456789")] != '\0') {
        return false;
    }
    errno = 0;
    unsigned long parsed = strtoul(text, NULL, 10);
    if (errno != 0 || parsed > limit) {
        return false;
    }
    *out_number = parsed;
    return true;
}

// `HOST:PORT`; an IPv6 address stands in brackets, which are not kept.
static bool endpoint(const char *text, command_line *line) {
    const char *colon = strrchr(text, ':');
    unsigned long port;
    if (colon == NULL || !number(colon + 1, UINT16_MAX, &port)) {
        return false;
    }
    const char *host = text;
    size_t length = (size_t)(colon - text);
    if (length >= 2 && host[0] == '[' && host[length - 1] == ']') {
        host++;
        length -= 2;
    } else if (memchr(host, ':', length) != NULL || host[0] == '[') {
        return false;
    }
    if (length == 0 || length >= sizeof(line->host)) {
        return false;
    }
    memcpy(line->host, host, length);
    line->host[length] = '\0';
    line->port = (uint16_t)port;
    line->http = true;
    return true;
}

// An argument that has a value. What is wrong with it, or NULL.
static char *with_value(const char *argument, const char *value, command_line *line) {
    if (strcmp(argument, "--request-state-key") == 0) {
        line->request_state_key = value;
        return NULL;
    }
    if (strcmp(argument, "--extra-tools") == 0) {
        unsigned long tools;
        if (!number(value, 1000000, &tools)) {
            return text_format("--extra-tools %s: not a number of tools", value);
        }
        line->extra_tools = tools;
        return NULL;
    }
    if (!endpoint(value, line)) {
        return text_format("--http %s: give it as HOST:PORT, such as 127.0.0.1:8080 or [::1]:8080; port 0 means any "
                           "free one", value);
    }
    return NULL;
}

// What an argument's value is; NULL for an argument that has none, or is unknown.
static const char *value_of(const char *argument) {
    static const char *const known[][2] = {
        {"--http", "HOST:PORT"}, {"--request-state-key", "a key"}, {"--extra-tools", "a number"}};
    for (size_t at = 0; at < sizeof(known) / sizeof(known[0]); at++) {
        if (strcmp(argument, known[at][0]) == 0) {
            return known[at][1];
        }
    }
    return NULL;
}

char *command_line_parse(int argc, char **argv, command_line *out_line) {
    command_line line = {0};
    bool stdio = false;
    for (int at = 1; at < argc; at++) {
        const char *argument = argv[at];
        const char *wanted = value_of(argument);
        if (wanted != NULL) {
            const char *value = at + 1 < argc ? argv[++at] : "";
            char *wrong = *value == '\0' ? text_format("%s needs %s", argument, wanted) : with_value(argument, value, &line);
            if (wrong != NULL) {
                return wrong;
            }
        } else if (strcmp(argument, "--stdio") == 0) {
            stdio = true;
        } else if (strcmp(argument, "--stateless") == 0) {
            line.stateless = true;
        } else if (strcmp(argument, "--pool") == 0) {
            line.pool = true;
        } else if (strcmp(argument, "--help") == 0 || strcmp(argument, "-h") == 0) {
            line.help = true;
            break;
        } else {
            return text_format("unknown argument: %s", argument);
        }
    }
    if (stdio && line.http && !line.help) {
        return text_format("--stdio and --http exclude each other");
    }
    *out_line = line;
    return NULL;
}

void command_line_print_usage(const char *name) {
    fprintf(stderr,
            "Usage: %s [--stdio | --http HOST:PORT] [OPTIONS]\n"
            "\n"
            "  --stdio                  serve the standard streams (the default)\n"
            "  --http HOST:PORT         serve Streamable HTTP at http://HOST:PORT/mcp; port 0 takes any free port\n"
            "  --stateless              no sessions on HTTP\n"
            "  --request-state-key KEY  the secret that protects request states; processes that share clients share it\n"
            "  --help                   show this text\n"
            "\n"
            "The variable MCP_LOG sets what is logged on standard error: debug, info, warning (the default), error or "
            "off.\n",
            name);
}
