#!/bin/sh
# Builds the extension and runs sql/demo.sql in the sqlite3 shell, on a machine that may have nothing installed yet.
#
# The demo runs in build/demo, on a database in memory; what it writes is in that folder.
set -eu
cd "$(dirname "$0")/.."

minutes=8 # of processor time, for a build from scratch
cores=$(nproc)
echo "demo: a first build takes about $minutes minutes of processor time (about $(((minutes + cores - 1) / cores)) min on this machine's $cores cores), the demo itself a second"

# Reads the output of a build and shows how far it is, by ninja's "[12/345] ...": on a terminal one line that counts up,
# elsewhere a line for every tenth.
show_progress() {
  shown=-1
  while IFS= read -r line; do
    step=${line#\[}
    [ "$step" != "$line" ] || continue
    step=${step%%\]*}
    all=${step#*/}
    step=${step%%/*}
    case $step$all in '' | *[!0-9]*) continue ;; esac
    [ "$all" -gt 0 ] || continue
    if [ -t 1 ]; then
      printf '\rdemo: building, step %d of %d ' "$step" "$all"
      shown=$step
    elif [ $((step * 10 / all)) -ne "$shown" ]; then
      shown=$((step * 10 / all))
      echo "demo: building, $((shown * 10))%"
    fi
  done
  if [ -t 1 ] && [ "$shown" -ge 0 ]; then echo; fi
}

scripts/setup.sh demo
echo "demo: building (log: build/demo/build.log)"
mkdir -p build/demo
rm -f build/demo/built
{
  cmake --preset release -B build/demo -DTRUSTSQL_BUILD_TESTS=OFF &&
    NINJA_STATUS='[%f/%t] ' cmake --build build/demo --target trustsql_module &&
    touch build/demo/built
} 2>&1 | tee build/demo/build.log | show_progress
if [ ! -f build/demo/built ]; then
  cat build/demo/build.log >&2
  exit 1
fi
echo "demo: sqlite3 -cmd '.load ./trustsql' < sql/demo.sql"
demo=$(realpath sql/demo.sql)
cd build/demo
sqlite3 -batch -bail -cmd '.load ./trustsql' :memory: <"$demo"
echo "demo: the HTML report is build/demo/trustsql-demo.html"
