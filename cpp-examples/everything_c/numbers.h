// Numbers as they stand in JSON, without loss.

#ifndef EVERYTHING_NUMBERS_H
#define EVERYTHING_NUMBERS_H

#include <mcp/mcp.h>

// The sum of two JSON numbers in decimal digits, to be freed by the caller: exact for integers of 64 bits, otherwise as a
// `double`. NULL when it is too large for one.
char *sum_of(mcp_str a, mcp_str b);

#endif
