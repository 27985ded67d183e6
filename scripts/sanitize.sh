#!/bin/sh
# Unit tests, replays of fuzzing seeds and .test files under AddressSanitizer and UndefinedBehaviorSanitizer, with the same
# set-up as scripts/test.sh. To be run before a release, and after work on anything that owns memory.
set -eu
exec "$(dirname "$0")/run_tests.sh" asan
