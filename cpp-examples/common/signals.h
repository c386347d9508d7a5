// The signals that ask a program to end.

#ifndef EXAMPLES_COMMON_SIGNALS_H
#define EXAMPLES_COMMON_SIGNALS_H

#include <stdbool.h>

#include <mcp/mcp.h>

// From here on SIGINT and SIGTERM no longer end the program by themselves: they close `server`, which must live until
// `signals_ignore` has returned. False when the system gives no pipe or thread.
bool signals_close(const mcp_server_t *server);

// Ends what `signals_close` began: signals that come later have no effect.
void signals_ignore(void);

#endif
