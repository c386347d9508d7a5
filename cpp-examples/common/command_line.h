// The arguments of the example programs in C.

#ifndef EXAMPLES_COMMON_COMMAND_LINE_H
#define EXAMPLES_COMMON_COMMAND_LINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// What the arguments ask for.
typedef struct {
    // The usage text was asked for.
    bool help;
    // Serve HTTP at `host` and `port`; the standard streams otherwise.
    bool http;
    char host[256];
    uint16_t port;
    // Whether legacy clients do without sessions on HTTP.
    bool stateless;
    // The secret that protects request states; NULL where none was given.
    const char *request_state_key;
    // Whether quick handlers run on the pool too, and how many trivial tools there are to be besides the program's own:
    // to measure with. The usage text leaves them out.
    bool pool;
    size_t extra_tools;
} command_line;

// Reads the arguments. NULL when all went well; otherwise what is wrong, to be freed by the caller.
char *command_line_parse(int argc, char **argv, command_line *out_line);

// Writes the usage text to standard error.
void command_line_print_usage(const char *name);

#endif
