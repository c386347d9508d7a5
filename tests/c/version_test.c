// Versions of the library, of the interface, and of the protocol; the header can be included twice.

#include "check.h"

#include <mcp/mcp.h>

int main(void) {
    CHECK(strcmp(mcp_version(), MCP_VERSION) == 0);
    CHECK(mcp_abi_version() == MCP_ABI_VERSION);
    char *version = format("%d.%d.%d", MCP_VERSION_MAJOR, MCP_VERSION_MINOR, MCP_VERSION_PATCH);
    CHECK(strcmp(mcp_version(), version) == 0);
    free(version);

    mcp_text_t *versions = mcp_protocol_versions();
    CHECK(str_is(mcp_text_str(versions), "[\"2024-11-05\",\"2025-03-26\",\"2025-06-18\",\"2025-11-25\",\"2026-07-28\"]"));
    mcp_text_delete(versions);
    return 0;
}
