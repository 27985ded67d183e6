#!/bin/sh
# What scripts/demo.sh shows while it builds, with a fake cmake: one line for each tenth, the log if the
# build fails.
# usage: demo_progress.sh path/to/scripts/demo.sh
set -eu
demo=$(realpath "$1")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() {
  echo "failed: $*" >&2
  cat "$work/output" "$work/errors" >&2
  exit 1
}

mkdir -p "$work/scripts" "$work/sql" "$work/bin"
cp "$demo" "$work/scripts/demo.sh"
echo "SELECT 1;" >"$work/sql/demo.sql"
printf '#!/bin/sh\n' >"$work/scripts/setup.sh"
printf '#!/bin/sh\necho "the shell ran in ${PWD##*/}"\n' >"$work/bin/sqlite3"
cat >"$work/bin/cmake" <<'END'
#!/bin/sh
[ "$1" = --build ] || { echo "-- [configuring]"; exit 0; }
i=0
while [ $i -lt 40 ]; do
  i=$((i + 1))
  echo "[$i/40] Building CXX object a/b[$i].o"
  [ "$i" -ne "${FAIL_AT-0}" ] || { echo "error: no such thing" >&2; exit 1; }
done
END
chmod +x "$work/bin/cmake" "$work/bin/sqlite3" "$work/scripts/setup.sh"
PATH=$work/bin:$PATH
export PATH

"$work/scripts/demo.sh" >"$work/output" 2>"$work/errors" || fail "the demo"
head -n 1 "$work/output" | grep -q "minutes of processor time" || fail "no word on how long it takes"
for percent in 0 10 20 30 40 50 60 70 80 90 100; do
  [ "$(grep -c "^demo: building, $percent%$" "$work/output")" -eq 1 ] || fail "not one line for $percent%"
done
grep -q "^the shell ran in demo$" "$work/output" || fail "the script was not run"
[ ! -s "$work/errors" ] || fail "messages on the standard error"
grep -q "Building CXX object" "$work/build/demo/build.log" || fail "no log"

FAIL_AT=25 "$work/scripts/demo.sh" >"$work/output" 2>"$work/errors" && fail "a build that fails is no error"
grep -q "no such thing" "$work/errors" || fail "the log is not shown"
grep -q "the shell ran" "$work/output" && fail "the script was run without a module"
echo ok
