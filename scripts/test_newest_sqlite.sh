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
package=better-sqlite3@13.2.0
root=$PWD/build/newest-sqlite
jobs=$(nproc)

scripts/setup.sh test
mkdir -p "$root/lib"
sources=${SQLITE_AMALGAMATION-}
if [ -z "$sources" ]; then
  sources=$root/package/deps/sqlite3
  if [ ! -f "$sources/sqlite3.c" ]; then
    command -v npm >/dev/null || scripts/setup.sh npm
    (cd "$root" && npm pack --silent $package >/dev/null && tar -xzf better-sqlite3-*.tgz)
  fi
fi
version=$(sed -n 's/^#define SQLITE_VERSION  *"\(.*\)"/\1/p' "$sources/sqlite3.h")
lib=$root/lib/$version
if [ ! -f "$lib/libsqlite3.so.0" ]; then
  echo "newest: compiling SQLite $version"
  mkdir -p "$lib"
  # The options of Debian's build that add functions or tables.
  cc -w -O1 -fPIC -shared -Wl,-soname,libsqlite3.so.0 -o "$lib/libsqlite3.so.0.tmp" "$sources/sqlite3.c" \
    -DSQLITE_THREADSAFE=1 -DSQLITE_ENABLE_COLUMN_METADATA -DSQLITE_ENABLE_DBSTAT_VTAB -DSQLITE_ENABLE_FTS3 \
    -DSQLITE_ENABLE_FTS3_PARENTHESIS -DSQLITE_ENABLE_FTS3_TOKENIZER -DSQLITE_ENABLE_FTS5 -DSQLITE_ENABLE_MATH_FUNCTIONS \
    -DSQLITE_ENABLE_RTREE -DSQLITE_ENABLE_STMTVTAB -DSQLITE_ENABLE_UNLOCK_NOTIFY -DSQLITE_SOUNDEX -DSQLITE_USE_URI \
    -ldl -lm -lpthread
  mv "$lib/libsqlite3.so.0.tmp" "$lib/libsqlite3.so.0"
fi

echo "newest: building"
cmake --preset ci >/dev/null
cmake --build --preset ci --parallel "$jobs" --target trustsql_unit_tests trustsql_module trustsql_test_runner trustsql_scripted_server

export LD_LIBRARY_PATH="$lib"
ldd build/ci/tests/sql/trustsql_test_runner | grep -q "$lib/libsqlite3.so.0" || { echo "newest: the tests do not find SQLite $version" >&2; exit 1; }
result=0
echo "newest: unit tests on SQLite $version"
build/ci/tests/unit/trustsql_unit_tests --gtest_brief=1 --gtest_filter="${1:-*}" || result=1

passed=0
failed=0
for file in $(find tests/sql -name '*.test' | sort); do
  status=0
  build/ci/tests/sql/trustsql_test_runner --module build/ci/trustsql.so "$file" >"$root/output.txt" 2>&1 || status=$?
  if [ $status -eq 0 ] || [ $status -eq 77 ]; then
    passed=$((passed + 1))
  else
    cat "$root/output.txt"
    failed=$((failed + 1))
  fi
done
echo "newest: $passed .test files passed, $failed failed"
[ $failed -eq 0 ] && [ $result -eq 0 ]
