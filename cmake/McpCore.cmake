# The C library: the targets mcp::c_static, mcp::c_shared and mcp::c, whose files the one custom command below has cargo
# make.

find_program(MCP_CARGO cargo HINTS "$ENV{CARGO_HOME}/bin" "$ENV{HOME}/.cargo/bin" DOC "Cargo, of a Rust toolchain")
if(NOT MCP_CARGO)
    message(FATAL_ERROR "cargo was not found. Install Rust (https://rustup.rs), or set MCP_CARGO to the path of cargo.")
endif()
find_package(Threads REQUIRED)

set(MCP_CARGO_TARGET_DIR "${PROJECT_BINARY_DIR}/cargo" CACHE PATH
    "Where cargo builds; several build trees may share one")
mark_as_advanced(MCP_CARGO MCP_CARGO_TARGET_DIR)

# A generator with several configurations has no build type yet, and gets the optimised library for all of them.
if(CMAKE_BUILD_TYPE STREQUAL "Debug")
    set(mcp_cargo_profile dev)
else()
    set(mcp_cargo_profile release)
endif()

file(STRINGS "${PROJECT_SOURCE_DIR}/include/mcp/mcp.h" mcp_abi_line REGEX "^#define MCP_ABI_VERSION ")
string(REGEX MATCH "[0-9]+" mcp_abi "${mcp_abi_line}")

# Cargo does not tell apart what was built with other flags for one crate.
set(mcp_cargo_target_dir "${MCP_CARGO_TARGET_DIR}")
set(mcp_tsan OFF)
if(MCP_SANITIZE MATCHES "thread")
    set(mcp_tsan ON)
    string(APPEND mcp_cargo_target_dir "/tsan")
endif()

set(mcp_core_dir "${PROJECT_BINARY_DIR}/lib")
set(mcp_static_file "${CMAKE_STATIC_LIBRARY_PREFIX}mcp${CMAKE_STATIC_LIBRARY_SUFFIX}")
set(mcp_shared_link "${CMAKE_SHARED_LIBRARY_PREFIX}mcp${CMAKE_SHARED_LIBRARY_SUFFIX}")
set(mcp_soname "${mcp_shared_link}.${mcp_abi}")
set(mcp_shared_file "${mcp_shared_link}.${PROJECT_VERSION}")

# Cargo knows best what is out of date, but asking it takes a moment; a build with nothing to do is to do nothing.
file(GLOB_RECURSE mcp_core_sources CONFIGURE_DEPENDS
    "${PROJECT_SOURCE_DIR}/src/*.rs" "${PROJECT_SOURCE_DIR}/bindings/src/*.rs")
add_custom_command(
    OUTPUT "${mcp_core_dir}/${mcp_static_file}" "${mcp_core_dir}/${mcp_shared_file}"
    BYPRODUCTS "${mcp_core_dir}/${mcp_soname}" "${mcp_core_dir}/${mcp_shared_link}"
    COMMAND "${CMAKE_COMMAND}"
        -D "CARGO=${MCP_CARGO}" -D "PROFILE=${mcp_cargo_profile}" -D "TARGET_DIR=${mcp_cargo_target_dir}"
        -D "SOURCE_DIR=${PROJECT_SOURCE_DIR}" -D "OUT_DIR=${mcp_core_dir}" -D "STATIC_FILE=${mcp_static_file}"
        -D "SHARED_FILE=${mcp_shared_file}" -D "SONAME=${mcp_soname}" -D "SHARED_LINK=${mcp_shared_link}"
        -D "TSAN=${mcp_tsan}"
        -D "AR=${CMAKE_AR}" -D "LINKER=${CMAKE_LINKER}" -D "OBJCOPY=${CMAKE_OBJCOPY}"
        -P "${CMAKE_CURRENT_LIST_DIR}/BuildCore.cmake"
    DEPENDS
        ${mcp_core_sources}
        "${PROJECT_SOURCE_DIR}/Cargo.toml" "${PROJECT_SOURCE_DIR}/Cargo.lock" "${PROJECT_SOURCE_DIR}/bindings/Cargo.toml"
        "${PROJECT_SOURCE_DIR}/bindings/symbols.txt" "${CMAKE_CURRENT_LIST_DIR}/BuildCore.cmake"
    COMMENT "Building the core with cargo (${mcp_cargo_profile} profile)"
    USES_TERMINAL VERBATIM)
add_custom_target(mcp_core ALL DEPENDS "${mcp_core_dir}/${mcp_static_file}" "${mcp_core_dir}/${mcp_shared_file}")

add_library(mcp::c_static STATIC IMPORTED GLOBAL)
set_target_properties(mcp::c_static PROPERTIES
    IMPORTED_LOCATION "${mcp_core_dir}/${mcp_static_file}"
    INTERFACE_INCLUDE_DIRECTORIES "${PROJECT_SOURCE_DIR}/include"
    # The library is one object: without the option a program would get all of it.
    INTERFACE_LINK_OPTIONS "LINKER:--gc-sections"
    INTERFACE_LINK_LIBRARIES "Threads::Threads;${CMAKE_DL_LIBS};m")

add_library(mcp::c_shared SHARED IMPORTED GLOBAL)
set_target_properties(mcp::c_shared PROPERTIES
    IMPORTED_LOCATION "${mcp_core_dir}/${mcp_shared_file}"
    IMPORTED_SONAME "${mcp_soname}"
    INTERFACE_INCLUDE_DIRECTORIES "${PROJECT_SOURCE_DIR}/include")

add_library(mcp::c INTERFACE IMPORTED GLOBAL)
if(MCP_SHARED)
    set_target_properties(mcp::c PROPERTIES INTERFACE_LINK_LIBRARIES mcp::c_shared)
else()
    set_target_properties(mcp::c PROPERTIES INTERFACE_LINK_LIBRARIES mcp::c_static)
endif()
foreach(mcp_target IN ITEMS mcp::c mcp::c_static mcp::c_shared)
    add_dependencies(${mcp_target} mcp_core)
endforeach()
