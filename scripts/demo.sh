#!/bin/sh
# Builds the extension and runs sql/demo.sql in the sqlite3 shell; installs missing packages first.
#
# The demo runs in build/demo, on a database in memory, and writes its files there.
set -eu
cd "$(dirname "$0")/.."

scripts/setup.sh demo
echo "demo: building (build/demo/build.log)"
mkdir -p build/demo
{
  cmake --preset release -B build/demo -DTRUSTSQL_BUILD_TESTS=OFF
  cmake --build build/demo --target trustsql_module
} >build/demo/build.log 2>&1 || {
  cat build/demo/build.log >&2
  exit 1
}
echo "demo: sqlite3 -cmd '.load ./trustsql' < sql/demo.sql"
demo=$(realpath sql/demo.sql)
cd build/demo
sqlite3 -batch -bail -cmd '.load ./trustsql' :memory: <"$demo"
echo "demo: the HTML report is build/demo/trustsql-demo.html"
