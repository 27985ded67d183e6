#!/bin/sh
# Fuzzes every target of tests/fuzz with libFuzzer, AddressSanitizer and UndefinedBehaviorSanitizer.
#
#   scripts/fuzz.sh [seconds for each target, 60] [target ...]
#
# New interesting inputs are written to build/fuzz/corpus/<target>. An input that causes a failure is written to
# build/fuzz/artifacts and ends the script with an error; add it to tests/fuzz/corpus/<target> so that the tests replay
# it.
set -eu
cd "$(dirname "$0")/.."

seconds=${1:-60}
[ $# -eq 0 ] || shift
scripts/setup.sh fuzz
cmake --preset fuzz >/dev/null
cmake --build --preset fuzz --target fuzzers --parallel "$(nproc)"

# shellcheck disable=SC2046 # names of targets
[ $# -gt 0 ] || set -- $(find tests/fuzz -name '*_fuzz.cpp' -exec basename {} _fuzz.cpp ';' | sort)
mkdir -p build/fuzz/artifacts
for target in "$@"; do
  echo "fuzz: $target, $seconds s"
  mkdir -p "build/fuzz/corpus/$target"
  "build/fuzz/tests/fuzz/fuzz_$target" -max_total_time="$seconds" -max_len=4096 -timeout=10 -rss_limit_mb=4096 \
    -artifact_prefix="build/fuzz/artifacts/$target-" "build/fuzz/corpus/$target" "tests/fuzz/corpus/$target" 2>"build/fuzz/$target.log" || {
    tail -n 50 "build/fuzz/$target.log" >&2
    exit 1
  }
  grep -E "^(Done|stat)" "build/fuzz/$target.log" || true
done
echo "fuzz: $# targets, nothing found"
