# The C++ library: bindings/cpp, compiled by this build's compiler on top of the C library. The public headers include
# neither mcp.h nor anything of Rust.

file(GLOB_RECURSE mcp_cpp_sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/bindings/cpp/*.cpp")

# For our own sources only, never for a consumer's.
function(mcp_warnings target)
    if(CMAKE_CXX_COMPILER_ID MATCHES "GNU|Clang")
        target_compile_options(${target} PRIVATE -Wall -Wextra -Wpedantic $<$<BOOL:${MCP_WARNINGS_AS_ERRORS}>:-Werror>)
    endif()
endfunction()

add_library(mcp_cpp STATIC ${mcp_cpp_sources})
add_library(mcp::mcp ALIAS mcp_cpp)
set_target_properties(mcp_cpp PROPERTIES
    EXPORT_NAME mcp
    POSITION_INDEPENDENT_CODE ON
    CXX_VISIBILITY_PRESET hidden
    VISIBILITY_INLINES_HIDDEN ON
    ARCHIVE_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/lib")
target_compile_features(mcp_cpp PUBLIC cxx_std_17)
target_include_directories(mcp_cpp
    PUBLIC "$<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>" "$<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>"
    PRIVATE "${PROJECT_SOURCE_DIR}/bindings/cpp")
target_link_libraries(mcp_cpp PUBLIC mcp::c Threads::Threads)
mcp_warnings(mcp_cpp)
if(CMAKE_CXX_COMPILER_ID MATCHES "GNU|Clang")
    # A program's linker can leave out what the program does not use.
    target_compile_options(mcp_cpp PRIVATE -ffunction-sections -fdata-sections)
endif()

# The names under which hosts of the documented API know the library's parts.
include("${CMAKE_CURRENT_LIST_DIR}/mcpAliases.cmake")
