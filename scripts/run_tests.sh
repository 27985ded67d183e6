#!/bin/sh
# Builds a preset and runs its tests: run_tests.sh PRESET. The last line shows the counts.
set -eu
cd "$(dirname "$0")/.."
preset=$1

scripts/setup.sh test
jobs=$(nproc)

echo "test: building with the preset $preset"
cmake --preset "$preset"
cmake --build --preset "$preset" --parallel "$jobs"

echo "test: running the tests of the preset $preset"
status=0
rm -f "build/$preset/results.xml"
ctest --preset "$preset" --parallel "$jobs" --output-junit results.xml || status=1

# The counts are in the header of the report: <testsuite ... tests="9" failures="0" disabled="0" skipped="1" ...>
number() {
  sed -n '/<testsuite/,/>/s/.*[^a-z]'"$1"'="\([0-9]*\)".*/\1/p' "build/$preset/results.xml" | head -n 1
}
tests=$(number tests)
failures=$(number failures)
skipped=$(number skipped)
echo "$((tests - failures - skipped)) passed, $failures failed, $skipped skipped"
exit $status
