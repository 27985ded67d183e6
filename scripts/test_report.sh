#!/bin/sh
# Tests the page of rs_html in headless Chromium with axe-core (npm), both of which it installs if they are missing:
# accessibility at 1280 and 390 columns, light and dark; sorting; downloads; the size of the PDF.
# usage: test_report.sh [build folder] [folder for screenshots]
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
build=${1:-$root/build/ci}
command -v chromium >/dev/null || DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends chromium
if [ -z "${TRUSTSQL_AXE-}" ]; then
  folder=$(mktemp -d)
  trap 'rm -rf "$folder"' EXIT
  (cd "$folder" && npm install --silent --no-save axe-core >/dev/null)
  TRUSTSQL_AXE=$folder/node_modules/axe-core/axe.min.js
fi
export TRUSTSQL_AXE
/usr/bin/python3 "$root/tests/report/browser_test.py" "$build/trustsql.so" ${2+"$2"}
