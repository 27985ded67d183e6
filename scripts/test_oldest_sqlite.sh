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
version=3.37.2
jobs=$(nproc)

scripts/setup.sh test
root=$PWD/build/oldest-sqlite
mkdir -p "$root/include" "$root/lib"
if [ ! -f "$root/lib/libsqlite3.so.0" ]; then
  sources=${SQLITE_AMALGAMATION-}
  if [ -z "$sources" ]; then
    command -v npm >/dev/null || scripts/setup.sh npm
    (cd "$root" && npm pack --silent better-sqlite3@7.5.0 >/dev/null && tar -xzf better-sqlite3-7.5.0.tgz)
    sources=$root/package/deps/sqlite3
  fi
  grep -q "define SQLITE_VERSION  *\"$version\"" "$sources/sqlite3.h" || { echo "the amalgamation in $sources is not SQLite $version" >&2; exit 1; }
  echo "oldest: compiling SQLite $version"
  # The options of Debian's build that add functions or tables.
  cc -w -O2 -g -fPIC -shared -Wl,-soname,libsqlite3.so.0 -o "$root/lib/libsqlite3.so.0.tmp" "$sources/sqlite3.c" \
    -DSQLITE_THREADSAFE=1 -DSQLITE_ENABLE_COLUMN_METADATA -DSQLITE_ENABLE_DBSTAT_VTAB -DSQLITE_ENABLE_DESERIALIZE -DSQLITE_ENABLE_FTS3 \
    -DSQLITE_ENABLE_FTS3_PARENTHESIS -DSQLITE_ENABLE_FTS3_TOKENIZER -DSQLITE_ENABLE_FTS5 -DSQLITE_ENABLE_JSON1 -DSQLITE_ENABLE_MATH_FUNCTIONS \
    -DSQLITE_ENABLE_RTREE -DSQLITE_ENABLE_STMTVTAB -DSQLITE_ENABLE_UNLOCK_NOTIFY -DSQLITE_SOUNDEX -DSQLITE_USE_URI -ldl -lm -lpthread
  cp "$sources/sqlite3.h" "$sources/sqlite3ext.h" "$root/include/"
  ln -sf libsqlite3.so.0 "$root/lib/libsqlite3.so"
  mv "$root/lib/libsqlite3.so.0.tmp" "$root/lib/libsqlite3.so.0"
fi

echo "oldest: building for SQLite $version, and for this machine's"
cmake --preset ci -B build/oldest -DSQLite3_INCLUDE_DIR="$root/include" -DSQLite3_LIBRARY="$root/lib/libsqlite3.so" >/dev/null
cmake --build build/oldest --parallel "$jobs"
cmake --preset ci >/dev/null
cmake --build --preset ci --parallel "$jobs" --target trustsql_module trustsql_test_runner

ldd build/oldest/tests/sql/trustsql_test_runner | grep -q "$root/lib/libsqlite3.so.0" || { echo "oldest: the tests are not linked to SQLite $version" >&2; exit 1; }
echo "oldest: 1. compiled for SQLite $version"
ctest --test-dir build/oldest --output-on-failure --parallel "$jobs" --exclude-regex '^package\.|^scripts\.|^client\.(python|perl|shell|readme|guide|messages|links|demo)'

run_all() {
  failed=0
  count=0
  for file in $(find tests/sql -name '*.test' | sort); do
    status=0
    "$1" --module "$2" "$file" >build/oldest/output.txt 2>&1 || status=$?
    if [ $status -eq 0 ] || [ $status -eq 77 ]; then
      count=$((count + 1))
    else
      cat build/oldest/output.txt
      failed=$((failed + 1))
    fi
  done
  echo "oldest: $count files passed, $failed failed"
  [ $failed -eq 0 ]
}
echo "oldest: 2. the module for this machine's SQLite, in a host with $version"
run_all build/oldest/tests/sql/trustsql_test_runner build/ci/trustsql.so
echo "oldest: 3. the module for $version, in a host with this machine's SQLite"
run_all build/ci/tests/sql/trustsql_test_runner build/oldest/trustsql.so
