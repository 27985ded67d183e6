#!/bin/sh
# Runs clang-format on the sources, and clang-tidy on them or on the given files.
#
#   scripts/tidy.sh [file.cpp ...]
set -eu
cd "$(dirname "$0")/.."

scripts/setup.sh test tidy
cmake --preset clang >/dev/null
sources=$(find ext src tests include -name '*.cpp' -o -name '*.hpp' | sort)
# shellcheck disable=SC2086 # a list of words
clang-format --dry-run --Werror $sources
# shellcheck disable=SC2046 # names of files
[ $# -gt 0 ] || set -- $(find ext src -name '*.cpp' | sort)
printf '%s\n' "$@" | xargs -P "$(nproc)" -n 1 clang-tidy -p build/clang --quiet --warnings-as-errors='*'
