#!/bin/sh
# Runs unit tests, .test files and the C and C++ clients on the oldest SQLite that the extension supports, 3.37:
#
#   1. everything compiled for and running on SQLite 3.37.2;
#   2. the module compiled with this machine's SQLite headers, loaded by a host with SQLite 3.37.2: calling a routine that
#      the host lacks would crash here;
#   3. the module compiled with the headers of 3.37.2, loaded by a host with this machine's SQLite.
#
# The amalgamation comes from the npm package better-sqlite3@7.5.0, or from the folder SQLITE_AMALGAMATION.
set -eu
cd "$(dirname "$0")/.."
. scripts/sqlite_build.sh
version=3.37.2
jobs=$(nproc)

scripts/setup.sh test
root=$PWD/build/oldest-sqlite
sources=$(get_amalgamation "$root" 7.5.0)
[ "$(sqlite_version_of "$sources")" = $version ] || { echo "the amalgamation in $sources is not SQLite $version" >&2; exit 1; }
echo "oldest: compiling SQLite $version"
# shellcheck disable=SC2086 # several options
compile_sqlite "$sources" "$root/lib/libsqlite3.so.0" $debian_functions $debian_usual
mkdir -p "$root/include"
cp "$sources/sqlite3.h" "$sources/sqlite3ext.h" "$root/include/"
ln -sf libsqlite3.so.0 "$root/lib/libsqlite3.so"

echo "oldest: building for SQLite $version, and for this machine's"
cmake --preset ci -B build/oldest -DSQLite3_INCLUDE_DIR="$root/include" -DSQLite3_LIBRARY="$root/lib/libsqlite3.so" >/dev/null
cmake --build build/oldest --parallel "$jobs"
cmake --preset ci >/dev/null
cmake --build --preset ci --parallel "$jobs" --target trustsql_module trustsql_test_runner

expect_library build/oldest/tests/sql/trustsql_test_runner "$root/lib/libsqlite3.so.0"
echo "oldest: 1. compiled for SQLite $version"
ctest --test-dir build/oldest --output-on-failure --parallel "$jobs" --exclude-regex '^package\.|^scripts\.|^client\.(python|perl|shell|readme|guide|messages|links|demo)'

echo "oldest: 2. the module for this machine's SQLite, in a host with $version"
run_test_files build/oldest/tests/sql/trustsql_test_runner build/ci/trustsql.so
echo "oldest: 3. the module for $version, in a host with this machine's SQLite"
run_test_files build/ci/tests/sql/trustsql_test_runner build/oldest/trustsql.so
