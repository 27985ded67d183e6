#!/bin/sh
# Runs unit tests, replays of fuzzing seeds and .test files under AddressSanitizer and UndefinedBehaviorSanitizer, with
# the same setup as scripts/test.sh. Run it before a release, and after changing code that manages memory.
set -eu
exec "$(dirname "$0")/run_tests.sh" asan
