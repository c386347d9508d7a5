# What `cmake --install` and `cpack` put where: the libraries, the headers, a CMake package and a pkg-config file. All of
# it may be moved afterwards: every path is relative to the file that has it.

include(CMakePackageConfigHelpers)

set(mcp_config_dir "${CMAKE_INSTALL_LIBDIR}/cmake/mcp")

install(TARGETS mcp_cpp EXPORT mcpTargets ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}")
install(EXPORT mcpTargets NAMESPACE mcp:: DESTINATION "${mcp_config_dir}")
install(FILES "${mcp_core_dir}/${mcp_static_file}" DESTINATION "${CMAKE_INSTALL_LIBDIR}")
install(PROGRAMS "${mcp_core_dir}/${mcp_shared_file}" DESTINATION "${CMAKE_INSTALL_LIBDIR}")
install(FILES "${mcp_core_dir}/${mcp_soname}" "${mcp_core_dir}/${mcp_shared_link}"
    DESTINATION "${CMAKE_INSTALL_LIBDIR}")
install(DIRECTORY "${PROJECT_SOURCE_DIR}/include/mcp" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}"
    FILES_MATCHING PATTERN "*.h" PATTERN "*.hpp")
install(FILES "${PROJECT_SOURCE_DIR}/LICENSE" DESTINATION "${CMAKE_INSTALL_DOCDIR}")

configure_package_config_file(
    "${CMAKE_CURRENT_LIST_DIR}/mcpConfig.cmake.in" "${PROJECT_BINARY_DIR}/mcpConfig.cmake"
    INSTALL_DESTINATION "${mcp_config_dir}"
    PATH_VARS CMAKE_INSTALL_INCLUDEDIR CMAKE_INSTALL_LIBDIR)
# Before 1.0 every minor version may break what was built against another.
write_basic_package_version_file("${PROJECT_BINARY_DIR}/mcpConfigVersion.cmake" COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/mcpConfig.cmake" "${PROJECT_BINARY_DIR}/mcpConfigVersion.cmake"
    "${CMAKE_CURRENT_LIST_DIR}/mcpAliases.cmake" DESTINATION "${mcp_config_dir}")

# From the folder of the .pc file back to the prefix.
file(RELATIVE_PATH mcp_pc_prefix
    "${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "${CMAKE_INSTALL_PREFIX}")
string(REGEX REPLACE "/$" "" mcp_pc_prefix "${mcp_pc_prefix}")
configure_file("${CMAKE_CURRENT_LIST_DIR}/mcp.pc.in" "${PROJECT_BINARY_DIR}/mcp.pc" @ONLY)
install(FILES "${PROJECT_BINARY_DIR}/mcp.pc" DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig")

if(mcp_top_level)
    set(CPACK_GENERATOR "TGZ;DEB")
    set(CPACK_PACKAGE_NAME "libmcp")
    set(CPACK_PACKAGE_VENDOR "libmcp")
    set(CPACK_PACKAGE_CONTACT "the libmcp maintainers")
    set(CPACK_RESOURCE_FILE_LICENSE "${PROJECT_SOURCE_DIR}/LICENSE")
    set(CPACK_STRIP_FILES ON)
    set(CPACK_DEBIAN_PACKAGE_NAME "libmcp-dev")
    set(CPACK_DEBIAN_FILE_NAME "DEB-DEFAULT")
    set(CPACK_DEBIAN_PACKAGE_SECTION "libdevel")
    set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
    include(CPack)
endif()
