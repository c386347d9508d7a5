# Names of other packages for mcp::mcp, so that a host of the documented API links it without a change. Part of the
# installed package too. A name that the project has already is left alone.

foreach(mcp_alias IN ITEMS mcp-server mcp-http mcp-transport mcp-protocol mcp-core)
    if(NOT TARGET ${mcp_alias})
        add_library(${mcp_alias} INTERFACE IMPORTED GLOBAL)
        set_target_properties(${mcp_alias} PROPERTIES INTERFACE_LINK_LIBRARIES mcp::mcp)
    endif()
endforeach()
