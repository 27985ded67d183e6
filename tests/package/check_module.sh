#!/bin/sh
# What the loadable module exports: its entry points and nothing else; and that no SQLite is linked to it.
# usage: check_module.sh trustsql.so
set -eu
module=$1
fail() {
  echo "failed: $*" >&2
  exit 1
}

exported=$(nm --dynamic --defined-only --format=posix "$module" | cut -d ' ' -f 1 | sort | tr '\n' ' ')
[ "$exported" = "sqlite3_trustsql_init sqlite3_trustsql_offline_init sqlite3_trustsql_pure_init " ] || fail "the module exports $exported"

needed=$(readelf --dynamic --wide "$module" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p' | tr '\n' ' ')
for library in $needed; do
  case $library in
    libstdc++.so.* | libgcc_s.so.* | libdl.so.* | libm.so.* | libc.so.* | ld-linux*) ;;
    *) fail "the module is linked to $library" ;;
  esac
done

imported=$(nm --dynamic --undefined-only --format=posix "$module" | cut -d ' ' -f 1 | grep '^sqlite3' || true)
[ -z "$imported" ] || fail "the module calls $imported directly instead of through the table of routines"
readelf --dynamic --wide "$module" | grep -q NODELETE || fail "the module can be unloaded"
# glibc allocates them when a thread first uses one, and ends the process if there is no memory.
if readelf --segments --wide "$module" | grep -q '^ *TLS '; then fail "the module has thread_local variables"; fi
echo ok
