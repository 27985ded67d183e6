# What `cmake --install` puts where. Two components: `runtime` (the module, the SQL scripts, documents) and
# `development` (header, static library, CMake package and pkg-config file).
#
# The module goes straight into the library folder: SQLite hands a plain name such as `.load trustsql` to dlopen(), which
# finds files without a `lib` prefix in the system's own library folders only (/usr/lib and its multiarch folder; not
# /usr/local/lib, and no folder that only ldconfig knows).

include(CMakePackageConfigHelpers)

install(TARGETS trustsql_module LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT runtime)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/sql/ DESTINATION ${CMAKE_INSTALL_DATADIR}/trustsql COMPONENT runtime FILES_MATCHING PATTERN "*.sql" PATTERN "*.md")
install(FILES ${PROJECT_SOURCE_DIR}/README.md ${PROJECT_SOURCE_DIR}/CHANGELOG.md DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT runtime OPTIONAL)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/docs DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT runtime OPTIONAL FILES_MATCHING PATTERN "*.md" PATTERN "*.svg")
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT runtime RENAME copyright)

# The manual page, compressed as Debian wants it; -n leaves out the time, so that two builds give the same bytes.
file(READ ${PROJECT_SOURCE_DIR}/packages/trustsql.7 manual_page)
string(REPLACE "@VERSION@" "${PROJECT_VERSION}" manual_page "${manual_page}")
file(WRITE ${PROJECT_BINARY_DIR}/trustsql.7 "${manual_page}")
execute_process(COMMAND gzip -9nkf ${PROJECT_BINARY_DIR}/trustsql.7 COMMAND_ERROR_IS_FATAL ANY)
install(FILES ${PROJECT_BINARY_DIR}/trustsql.7.gz DESTINATION ${CMAKE_INSTALL_MANDIR}/man7 COMPONENT runtime)

install(TARGETS trustsql_static EXPORT trustsql_targets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT development)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/trustsql DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT development)

set(config_dir ${CMAKE_INSTALL_LIBDIR}/cmake/trustsql)
install(EXPORT trustsql_targets NAMESPACE trustsql:: FILE trustsqlTargets.cmake DESTINATION ${config_dir} COMPONENT development)
configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/trustsqlConfig.cmake.in ${PROJECT_BINARY_DIR}/trustsqlConfig.cmake
                              INSTALL_DESTINATION ${config_dir} NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/trustsqlConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/trustsqlConfig.cmake ${PROJECT_BINARY_DIR}/trustsqlConfigVersion.cmake DESTINATION ${config_dir}
        COMPONENT development)

# The prefix in the pkg-config file is relative to where it lies, so that an install tree can be moved.
set(pkgconfig_dir ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
file(RELATIVE_PATH TRUSTSQL_PC_PREFIX "/${pkgconfig_dir}" "/")
string(REGEX REPLACE "/$" "" TRUSTSQL_PC_PREFIX "${TRUSTSQL_PC_PREFIX}")
configure_file(${CMAKE_CURRENT_LIST_DIR}/trustsql.pc.in ${PROJECT_BINARY_DIR}/trustsql.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/trustsql.pc DESTINATION ${pkgconfig_dir} COMPONENT development)
