#!/bin/sh
# Runs clang-tidy on the sources that are compiled into the extension, or on some of them.
#
#   scripts/tidy.sh                  all of them (an hour of processor time)
#   scripts/tidy.sh FILE.cpp ...     these
#   scripts/tidy.sh --since REV [N]  those that changed since the commit REV; at most N, the largest changes first
#
# The format of the sources is a test (style.format).
set -eu
cd "$(dirname "$0")/.."

limit=0
if [ "${1:-}" = --since ]; then
  revision=${2:?usage: scripts/tidy.sh --since REV [N]}
  limit=${3:-0}
  if ! git rev-parse --quiet --verify "$revision^{commit}" >/dev/null; then
    echo "tidy: no commit $revision here, so nothing is checked"
    exit 0
  fi
  # shellcheck disable=SC2046 # names of files
  set -- $(git diff --numstat --diff-filter=d "$revision" -- 'src/*.cpp' 'ext/*.cpp' | awk '$1 + $2 > 0 && NF == 3 {print $1 + $2, $3}' | sort -rn | cut -d' ' -f2)
  if [ $# -eq 0 ]; then
    echo "tidy: no source changed since $revision"
    exit 0
  fi
  if [ "$limit" -gt 0 ] && [ $# -gt "$limit" ]; then
    echo "tidy: the $limit of $# changed sources with the largest changes"
    # shellcheck disable=SC2046
    set -- $(printf '%s\n' "$@" | head -n "$limit")
  fi
elif [ $# -eq 0 ]; then
  # shellcheck disable=SC2046
  set -- $(find ext src -name '*.cpp' -not -path '*/lexicon/generator/*' | sort)
fi

scripts/setup.sh tidy
mkdir -p build/clang
cmake --preset clang >build/clang/configure.log
printf '%s\n' "$@" | xargs -P "$(nproc)" -n 1 clang-tidy -p build/clang --quiet --warnings-as-errors='*' 2>build/clang/tidy.log || {
  status=$?
  grep -v 'warnings generated' build/clang/tidy.log >&2 || true
  exit $status
}
echo "tidy: $# sources, nothing found"
