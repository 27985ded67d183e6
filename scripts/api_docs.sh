#!/bin/sh
# Regenerates docs/api.md from the registration tables.
set -eu
cd "$(dirname "$0")/.."
scripts/setup.sh test
cmake --preset release >/dev/null
cmake --build --preset release --target trustsql_unit_tests
TRUSTSQL_UPDATE_DOCS=1 build/release/tests/unit/trustsql_unit_tests --gtest_filter='ApiDocs.*'
