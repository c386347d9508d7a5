// What the example programs in C share: from the arguments of the command line to the exit code.
//
// Standard output belongs to the protocol, so everything that is meant for people goes to standard error.

#ifndef EXAMPLES_COMMON_RUN_H
#define EXAMPLES_COMMON_RUN_H

#include <mcp/mcp.h>

#include "command_line.h"

// A program.
typedef struct {
    const char *name;
    // Makes the options of its server.
    mcp_options_t *(*options)(void);
    // Registers what the server offers.
    mcp_error_t *(*set_up)(const mcp_server_t *server, const command_line *line);
} example;

// Serves an example, as the command line says, until the client leaves or a signal asks for the end. The exit code of
// the program: 0, 1 when it could not serve, 2 for wrong arguments.
int example_run(const example *program, int argc, char **argv);

#endif
