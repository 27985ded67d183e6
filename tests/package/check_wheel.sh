#!/bin/sh
# Makes the Python wheel of a build twice (the bytes must be the same), installs it without a network into a new virtual
# environment of Debian's python3, and uses it, also as a plugin. Exit code 77: there is no venv.
# usage: check_wheel.sh module source-folder
set -eu
module=$(realpath "$1")
source=$(realpath "$2")
/usr/bin/python3 -c 'import venv, ensurepip' 2>/dev/null || { echo "skipped: no python3-venv"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() {
  echo "failed: $*" >&2
  exit 1
}

export SOURCE_DATE_EPOCH=1700000000
"$source/packages/build_wheel.py" "$module" "$work/first" >/dev/null
touch "$source/packages/python/trustsql/__init__.py"
"$source/packages/build_wheel.py" "$module" "$work/second" >/dev/null
wheel=$(ls "$work"/first/*.whl)
cmp "$wheel" "$work/second/$(basename "$wheel")" || fail "two builds differ"
dates=$(/usr/bin/python3 -c 'import sys, zipfile; print({entry.date_time for entry in zipfile.ZipFile(sys.argv[1]).infolist()})' "$wheel")
[ "$dates" = "{(2023, 11, 14, 22, 13, 20)}" ] || fail "SOURCE_DATE_EPOCH has no effect: $dates"

/usr/bin/python3 -m venv "$work/venv"
"$work/venv/bin/pip" install --quiet --no-index --disable-pip-version-check "$wheel"
cat >"$work/use.py" <<'END'
import os
import sqlite3

import trustsql

assert os.path.isfile(trustsql.loadable_path() + '.so'), trustsql.loadable_path()
db = sqlite3.connect(':memory:')
trustsql.load(db)
assert db.execute("SELECT rs_phi('III', 10)").fetchone() == (-10.0,)
try:  # loading is forbidden again
    db.load_extension(trustsql.loadable_path())
    raise SystemExit('loading is still allowed')
except sqlite3.OperationalError as error:
    assert 'not authorized' in str(error), error
try:
    trustsql.load(object())
    raise SystemExit('an object is no connection')
except RuntimeError as error:
    assert 'cannot load extensions' in str(error), error
END
"$work/venv/bin/python" "$work/use.py"
"$work/venv/bin/pip" check --disable-pip-version-check >/dev/null || fail "pip check"
# The plugin: as sqlite-utils finds and calls it, through pluggy and the entry points of what is installed.
if pluggy=$(/usr/bin/python3 -c 'import os, pluggy; print(os.path.dirname(os.path.dirname(pluggy.__file__)))' 2>/dev/null); then
  mkdir "$work/stand_in"
  cp -r "$pluggy/pluggy" "$work/stand_in"
  cat >"$work/stand_in/sqlite_utils.py" <<'END'
import pluggy

hookimpl = pluggy.HookimplMarker('sqlite_utils')
hookspec = pluggy.HookspecMarker('sqlite_utils')


class Specification:
    @hookspec
    def prepare_connection(self, conn):
        pass
END
  cat >"$work/plugin.py" <<'END'
import sqlite3

import pluggy

import sqlite_utils

manager = pluggy.PluginManager('sqlite_utils')
manager.add_hookspecs(sqlite_utils.Specification)
assert manager.load_setuptools_entrypoints('sqlite_utils') == 1
db = sqlite3.connect(':memory:')
manager.hook.prepare_connection(conn=db)
assert db.execute("SELECT rs_phi('III', 10)").fetchone() == (-10.0,)
END
  PYTHONPATH=$work/stand_in "$work/venv/bin/python" "$work/plugin.py"
  echo "plugin: ok"
else
  echo "plugin: skipped, no python3-pluggy"
fi
echo ok
