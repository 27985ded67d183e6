#!/bin/sh
# Builds everything with warnings as errors and runs all tests, on a machine that may have nothing installed yet: unit
# tests, .test files, scripts, clients, packaging. The last line counts them.
#
# Not run here, for their time: scripts/sanitize.sh, scripts/valgrind.sh, scripts/fuzz.sh, scripts/test_oldest_sqlite.sh.
set -eu
exec "$(dirname "$0")/run_tests.sh" ci
