# MCP_SANITIZE: has everything that this build compiles checked by the named sanitizers. The Rust core is not compiled by
# it and not checked.

set(MCP_SANITIZE "" CACHE STRING "Sanitizers for the C and C++ code, as for -fsanitize=")
mark_as_advanced(MCP_SANITIZE)
if(MCP_SANITIZE)
    add_compile_options("-fsanitize=${MCP_SANITIZE}" -fno-sanitize-recover=all -fno-omit-frame-pointer)
    add_link_options("-fsanitize=${MCP_SANITIZE}")
endif()

# The environment of tests. What the core does by itself is not looked at; how its threads are ordered, bindings/src/border.rs
# tells the thread sanitizer.
set(mcp_test_environment
    "TSAN_OPTIONS=halt_on_error=1:second_deadlock_stack=1:ignore_noninstrumented_modules=1"
    "UBSAN_OPTIONS=print_stacktrace=1"
    "ASAN_OPTIONS=detect_stack_use_after_return=1:check_initialization_order=1")
