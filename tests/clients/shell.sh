#!/bin/sh
# The module in the sqlite3 shell, by a path relative to the working folder, and with its own error messages.
# usage: shell.sh folder-of-trustsql.so
set -eu
cd "$1"

expect() {
  if [ "$2" != "$1" ]; then
    printf 'expected %s\ngot      %s\n' "$1" "$2" >&2
    exit 1
  fi
}

expect 1 "$(sqlite3 -batch -bail :memory: '.load ./trustsql' "SELECT trustsql_version() <> ''")"
expect 1 "$(sqlite3 -batch -bail :memory: '.load ./trustsql.so sqlite3_trustsql_pure_init' "SELECT trustsql_version() <> ''")"
expect scalar "$(sqlite3 -batch -bail :memory: "SELECT load_extension('./trustsql');" "SELECT kind FROM trustsql_functions WHERE name = 'trustsql_version'" | tail -n 1)"
if TRUSTSQL_TIMEOUT_MS=soon sqlite3 -batch -bail :memory: '.load ./trustsql' 2>message.txt; then
  expect "an error" "success"
fi
grep -q TRUSTSQL_TIMEOUT_MS message.txt
rm message.txt
echo ok
