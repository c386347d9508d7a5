// Child processes that a careless handler may start.

#ifndef EVERYTHING_CHILDREN_H
#define EVERYTHING_CHILDREN_H

#include <stdbool.h>

#include <mcp/mcp.h>

// Lets a child read this process's standard input to its end. How many bytes that were; -1 when it could not be started.
long child_read(void);

// Lets a child print text on this process's standard output. False when it could not be started.
bool child_echo(mcp_str text);

#endif
