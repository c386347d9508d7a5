# MCP_SANITIZE: has everything that this build compiles checked by the named sanitizers. The Rust core is not compiled by
# it and not checked.

set(MCP_SANITIZE "" CACHE STRING "Sanitizers for the C and C++ code, as for -fsanitize=")
mark_as_advanced(MCP_SANITIZE)
if(MCP_SANITIZE)
    add_compile_options("-fsanitize=${MCP_SANITIZE}" -fno-sanitize-recover=all -fno-omit-frame-pointer)
    add_link_options("-fsanitize=${MCP_SANITIZE}")
endif()
