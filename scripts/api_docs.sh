#!/bin/sh
# Regenerates docs/api.md from the registration tables.
set -eu
cd "$(dirname "$0")/.."
scripts/setup.sh test
cmake --preset dev >/dev/null
cmake --build --preset dev --target trustsql_unit_tests
TRUSTSQL_UPDATE_DOCS=1 build/dev/tests/unit/trustsql_unit_tests --gtest_filter='ApiDocs.*'
