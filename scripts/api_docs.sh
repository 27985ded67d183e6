#!/usr/bin/env bash
# Writes docs/api.md anew from the registration tables.
set -euo pipefail
cd "$(dirname "$0")/.."
cmake --preset release >/dev/null
cmake --build build/release --target trustsql_unit_tests
TRUSTSQL_UPDATE_DOCS=1 build/release/tests/trustsql_unit_tests --gtest_filter='ApiDocs.*'
