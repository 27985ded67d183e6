#!/bin/sh
# Builds everything with warnings as errors and runs all tests, on a machine that may have nothing installed yet: .test files,
# scripts, clients and packaging with the optimised extension; unit tests, replays of fuzzing seeds and the .test files
# again under AddressSanitizer and UndefinedBehaviorSanitizer. The last line counts both runs.
#
# Not run here, for their time: scripts/valgrind.sh, scripts/fuzz.sh, scripts/test_oldest_sqlite.sh.
set -eu
cd "$(dirname "$0")/.."

scripts/setup.sh test
jobs=$(nproc)

for preset in ci asan; do
  echo "test: building with the preset $preset"
  cmake --preset $preset
  cmake --build --preset $preset --parallel "$jobs"
done

status=0
for preset in ci asan; do
  echo "test: running the tests of the preset $preset"
  rm -f build/$preset/results.xml
  ctest --preset $preset --parallel "$jobs" --output-junit results.xml || status=1
done

# The numbers of both runs, from the heads of the reports: <testsuite ... tests="9" failures="0" disabled="0" skipped="1" ...>
sum() {
  total=0
  for preset in ci asan; do
    number=$(sed -n '/<testsuite/,/>/s/.*[^a-z]'"$1"'="\([0-9]*\)".*/\1/p' build/$preset/results.xml | head -n 1)
    total=$((total + number))
  done
  echo $total
}
tests=$(sum tests)
failures=$(sum failures)
skipped=$(sum skipped)
echo "$((tests - failures - skipped)) passed, $failures failed, $skipped skipped"
exit $status
