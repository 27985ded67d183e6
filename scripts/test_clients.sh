#!/bin/sh
# Installs every client of docs/clients.md (Debian packages; Node's are compiled from source into a temporary folder, or
# are those in TRUSTSQL_NODE_MODULES) and makes the same ten calls from each. Also runs what needs Node's packages: the
# npm package in both clients, and the example of a service.
# usage: test_clients.sh [build folder]
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
build=$(realpath "${1:-$root/build/ci}")
DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends build-essential libsqlite3-dev python3 python3-apsw \
  libdbd-sqlite3-perl php-cli php-sqlite3 ruby ruby-sqlite3 tcl libsqlite3-tcl default-jdk-headless libxerial-sqlite-jdbc-java \
  golang-go golang-github-mattn-go-sqlite3-dev golang-github-canonical-go-dqlite-dev libdqlite-dev cargo librust-rusqlite-dev r-base-core r-cran-rsqlite sqlite-utils >/dev/null
if [ -z "${TRUSTSQL_NODE_MODULES-}" ]; then
  folder=$(mktemp -d)
  trap 'rm -rf "$folder"' EXIT
  # Debian's headers of Node (libnode-dev) save a download; without them node-gyp fetches its own.
  nodedir=""
  [ ! -d /usr/include/node ] || nodedir=--nodedir=/usr
  (cd "$folder" && npm install --silent --no-save better-sqlite3 sqlite3 $nodedir >/dev/null)
  TRUSTSQL_NODE_MODULES=$folder/node_modules
fi
export TRUSTSQL_NODE_MODULES
status=0
/usr/bin/python3 "$root/tests/clients/calls/run_clients.py" "$build/trustsql.so" "$build/libtrustsql.a" "$root" --all || status=1
"$root/tests/package/check_npm.sh" "$build/trustsql.so" "$root" || status=1
/usr/bin/python3 "$root/tests/clients/dqlite_test.py" "$build/trustsql.so" "$root" 100000 || status=1
/usr/bin/python3 "$root/tests/examples/examples_test.py" service "$build/trustsql.so" - "$root" || status=1
exit $status
