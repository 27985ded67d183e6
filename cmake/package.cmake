# CPack: `cmake --workflow --preset package` writes two Debian packages,
#   trustsql_<version>_<arch>.deb          the module; after its installation `.load trustsql` works from any folder
#   libtrustsql-dev_<version>_<arch>.deb   header and static library
# The dependencies of the module itself (C and C++ runtime) come from dpkg-shlibdeps. It is not linked to libsqlite3, so
# that the oldest SQLite it runs on is named here.

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME trustsql)
set(CPACK_PACKAGE_VENDOR "The trustsql authors")
set(CPACK_PACKAGE_CONTACT "The trustsql authors <trustsql@localhost>")
set(CPACK_PACKAGE_DIRECTORY ${PROJECT_BINARY_DIR}/packages)
set(CPACK_PACKAGE_CHECKSUM SHA256)
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_STRIP_FILES ON)
set(CPACK_COMPONENTS_ALL runtime development)
set(CPACK_COMPONENTS_GROUPING IGNORE)
set(CPACK_VERBATIM_VARIABLES ON)

set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION database)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)

set(CPACK_DEBIAN_RUNTIME_PACKAGE_NAME trustsql)
set(CPACK_DEBIAN_RUNTIME_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_RUNTIME_PACKAGE_DEPENDS "libsqlite3-0 (>= 3.37)")
set(CPACK_DEBIAN_RUNTIME_PACKAGE_RECOMMENDS "sqlite3, libcurl4 | libcurl3-gnutls")
set(CPACK_COMPONENT_RUNTIME_DESCRIPTION
    "A loadable extension of SQLite: it scores predicted queries with penalties for wrong\nanswers, decides when to abstain, compares queries, and runs untrusted SQL in a\nsandbox. In the sqlite3 shell: .load trustsql"
)

set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME libtrustsql-dev)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS "libsqlite3-dev (>= 3.37), libstdc++-12-dev | libstdc++-dev")
set(CPACK_COMPONENT_DEVELOPMENT_DESCRIPTION
    "Header and static library, for applications that register the extension with\nsqlite3_auto_extension().")

include(CPack)
