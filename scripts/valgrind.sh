#!/bin/sh
# Runs the unit tests, the .test files (module and static library) and the C and C++ clients under valgrind's memcheck. Any
# error or leak fails.
#
#   scripts/valgrind.sh [ctest arguments, e.g. -R sql.module]
set -eu
cd "$(dirname "$0")/.."

scripts/setup.sh test valgrind
cmake --preset valgrind >/dev/null
cmake --build --preset valgrind --parallel "$(nproc)"
export TRUSTSQL_TEST_SLOW=1
exec ctest --preset valgrind --parallel "$(nproc)" --exclude-regex '^package\.|^scripts\.|^client\.(python|perl|shell|readme|guide|messages|links|demo)' "$@"
