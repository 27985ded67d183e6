#!/bin/sh
# Builds everything with warnings as errors and runs all tests: unit tests, .test files, scripts, clients, packaging.
# Installs missing packages first. The last line shows the counts.
#
# Not run here, because they take long: scripts/sanitize.sh, scripts/valgrind.sh, scripts/fuzz.sh,
# scripts/test_oldest_sqlite.sh, scripts/test_newest_sqlite.sh.
set -eu
exec "$(dirname "$0")/run_tests.sh" ci
