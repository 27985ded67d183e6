#!/bin/sh
# Runs unit tests and .test files of preset `ci`, which is compiled with this machine's SQLite headers, on the newest
# SQLite that npm carries.
#
#   scripts/test_newest_sqlite.sh [FILTER]      FILTER: of the unit tests, as for --gtest_filter
#
# scripts/test_hosts.sh runs the .test files on that version compiled in other ways. The amalgamation comes from the npm
# package better-sqlite3@13.2.0, or from the folder SQLITE_AMALGAMATION.
set -eu
cd "$(dirname "$0")/.."
. scripts/sqlite_build.sh
root=$PWD/build/newest-sqlite

scripts/setup.sh test
sources=$(get_amalgamation "$root" 13.2.0)
version=$(sqlite_version_of "$sources")
lib=$root/lib/$version
echo "newest: SQLite $version"
# shellcheck disable=SC2086 # several options
compile_sqlite "$sources" "$lib/libsqlite3.so.0" $debian_functions $debian_usual

echo "newest: building"
cmake --preset ci >/dev/null
cmake --build --preset ci --parallel "$(nproc)" --target trustsql_unit_tests trustsql_module trustsql_test_runner trustsql_scripted_server

export LD_LIBRARY_PATH="$lib"
expect_library build/ci/tests/sql/trustsql_test_runner "$lib/libsqlite3.so.0"
result=0
echo "newest: unit tests on SQLite $version"
build/ci/tests/unit/trustsql_unit_tests --gtest_brief=1 --gtest_filter="${1:-*}" || result=1
run_test_files build/ci/tests/sql/trustsql_test_runner build/ci/trustsql.so || result=1
exit $result
