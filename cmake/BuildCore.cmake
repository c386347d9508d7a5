# Run by the custom command of McpCore.cmake: has cargo build the C library, static and shared, and puts both into OUT_DIR
# under their own names.
#
# The static library becomes one object in which only the functions of mcp.h are visible. A Rust static library contains
# Rust's standard library with global names, so that two of them in one program clash; this one clashes with nothing.

cmake_minimum_required(VERSION 3.22)

function(run)
    execute_process(COMMAND ${ARGN} RESULT_VARIABLE result)
    if(NOT result EQUAL 0)
        list(JOIN ARGN " " line)
        message(FATAL_ERROR "failed (${result}): ${line}")
    endif()
endfunction()

set(profile_dir "${PROFILE}")
set(rustc_args -C "link-arg=-Wl,-soname,${SONAME}")
if(PROFILE STREQUAL "dev")
    set(profile_dir debug)
    # The workspace's profile has line tables only. This crate's own types cost little, and debuggers and the ABI check
    # want them.
    list(APPEND rustc_args -C debuginfo=2)
endif()

if(TSAN)
    # See bindings/src/border.rs.
    list(APPEND rustc_args --cfg mcp_tsan)
endif()

run("${CARGO}" rustc --locked --manifest-path "${SOURCE_DIR}/Cargo.toml" --package libmcp-bindings --lib
    --crate-type staticlib,cdylib --profile "${PROFILE}" --target-dir "${TARGET_DIR}" -- ${rustc_args})

set(made "${TARGET_DIR}/${profile_dir}")
file(MAKE_DIRECTORY "${OUT_DIR}")
set(object "${OUT_DIR}/mcp.o")

# Undefined names pull the members that are needed out of the archive. Groups are dissolved: a linker keeps one of several
# groups of a name, and the names in it would no longer be those of this object.
file(STRINGS "${SOURCE_DIR}/bindings/symbols.txt" symbols)
list(TRANSFORM symbols PREPEND "--undefined=" OUTPUT_VARIABLE roots)
run("${LINKER}" -r --force-group-allocation ${roots} "${made}/libmcp_c.a" -o "${object}")
# Sections with the compiler's own bytecode are of no use after linking, and not even valid once they are concatenated.
set(objcopy_args --remove-section .llvmbc --remove-section .llvmcmd
    "--keep-global-symbols=${SOURCE_DIR}/bindings/symbols.txt")
if(PROFILE STREQUAL "release")
    # Only Rust's standard library has any.
    list(APPEND objcopy_args --strip-debug)
endif()
run("${OBJCOPY}" ${objcopy_args} "${object}")

file(REMOVE "${OUT_DIR}/${STATIC_FILE}")
run("${AR}" qcs "${OUT_DIR}/${STATIC_FILE}" "${object}")
file(REMOVE "${object}")

file(COPY_FILE "${made}/libmcp_c.so" "${OUT_DIR}/${SHARED_FILE}")
file(CREATE_LINK "${SHARED_FILE}" "${OUT_DIR}/${SONAME}" SYMBOLIC)
file(CREATE_LINK "${SONAME}" "${OUT_DIR}/${SHARED_LINK}" SYMBOLIC)
