#!/bin/bash
# Runs the .test files with the module of preset `ci` in hosts whose SQLite was compiled in other ways: the newest version
# that npm carries, without parts that can be left out (SQLITE_OMIT_*), without mutexes, with the options that SQLite's
# documentation recommends, and as better-sqlite3 compiles it. (https://sqlite.org/compile.html)
#
#   scripts/test_hosts.sh [NAME...]      all hosts of the table below, or those of these names
#
# Prints a line for each: how many files passed, how many could not because the test itself needs what is left out, and
# how many failed; or why the extension refused to load. Fails if a file failed, or a host behaves otherwise than the
# table says. The amalgamation comes from the npm package better-sqlite3@13.2.0, or from the folder SQLITE_AMALGAMATION;
# for the host `ordered-set`, from SQLite's source tree: that of Debian's newest source package, or the folder SQLITE_TREE.
set -eu
cd "$(dirname "$0")/.."
. scripts/sqlite_build.sh
root=$PWD/build/hosts

# name ^ compile-time options ^ the runner's options ^ what tests need and this host lacks (a pattern of their errors), or
# `refused: MESSAGE` if the extension must not load ^ other files that need what is left out: statements in them use JSON,
# WAL or functions of the host, or load another entry point
hosts() {
  cat <<'TABLE'
newest
single-thread^^--single-thread
threadsafe-0^-DSQLITE_THREADSAFE=0
threadsafe-2^-DSQLITE_THREADSAFE=2
recommended^-DSQLITE_DQS=0 -DSQLITE_THREADSAFE=2 -DSQLITE_DEFAULT_MEMSTATUS=0 -DSQLITE_DEFAULT_WAL_SYNCHRONOUS=1 -DSQLITE_LIKE_DOESNT_MATCH_BLOBS -DSQLITE_MAX_EXPR_DEPTH=0 -DSQLITE_OMIT_DECLTYPE -DSQLITE_OMIT_DEPRECATED -DSQLITE_OMIT_PROGRESS_CALLBACK -DSQLITE_OMIT_SHARED_CACHE -DSQLITE_USE_ALLOCA -DSQLITE_OMIT_AUTOINIT -DSQLITE_STRICT_SUBTYPE=1
recommended-0^-DSQLITE_THREADSAFE=0 -DSQLITE_OMIT_PROGRESS_CALLBACK^^refused: SQLITE_OMIT_PROGRESS_CALLBACK and SQLITE_THREADSAFE=0
ordered-set^-DSQLITE_ENABLE_ORDERED_SET_AGGREGATES -DSQLITE_ENABLE_PERCENTILE
better-sqlite3^-DSQLITE_DQS=0 -DSQLITE_THREADSAFE=2 -DSQLITE_DEFAULT_CACHE_SIZE=-16000 -DSQLITE_DEFAULT_FOREIGN_KEYS=1 -DSQLITE_DEFAULT_MEMSTATUS=0 -DSQLITE_ENABLE_FTS4 -DSQLITE_ENABLE_GEOPOLY -DSQLITE_ENABLE_PERCENTILE -DSQLITE_ENABLE_STAT4 -DSQLITE_ENABLE_UPDATE_DELETE_LIMIT -DSQLITE_LIKE_DOESNT_MATCH_BLOBS -DSQLITE_OMIT_DEPRECATED -DSQLITE_OMIT_PROGRESS_CALLBACK -DSQLITE_OMIT_SHARED_CACHE -DSQLITE_OMIT_TCL_VARIABLE -DSQLITE_TRACE_SIZE_LIMIT=32 -DSQLITE_USE_URI=0
dqs-0^-DSQLITE_DQS=0
like^-DSQLITE_LIKE_DOESNT_MATCH_BLOBS
omit-progress^-DSQLITE_OMIT_PROGRESS_CALLBACK
omit-deprecated^-DSQLITE_OMIT_DEPRECATED
omit-shared-cache^-DSQLITE_OMIT_SHARED_CACHE
omit-autoinit^-DSQLITE_OMIT_AUTOINIT
omit-decltype^-DSQLITE_OMIT_DECLTYPE
omit-get-table^-DSQLITE_OMIT_GET_TABLE
omit-trace^-DSQLITE_OMIT_TRACE
omit-deserialize^-DSQLITE_OMIT_DESERIALIZE
omit-json^-DSQLITE_OMIT_JSON^^no such (function: (json|->)|table: json)^no_values nul
omit-introspection^-DSQLITE_OMIT_INTROSPECTION_PRAGMAS^^no such table: pragma_(function|module)_list^unknown_functions host_names sql_check sql_columns
omit-compileoptions^-DSQLITE_OMIT_COMPILEOPTION_DIAGS
omit-utf16^-DSQLITE_OMIT_UTF16
omit-wal^-DSQLITE_OMIT_WAL^^^wal
omit-authorization^-DSQLITE_OMIT_AUTHORIZATION^^refused: SQLITE_OMIT_AUTHORIZATION^messages entry_points
omit-virtualtable^-DSQLITE_OMIT_VIRTUALTABLE^^refused: SQLITE_OMIT_VIRTUALTABLE
TABLE
}

sources=$(get_amalgamation "$root" 13.2.0)
echo "hosts: SQLite $(sqlite_version_of "$sources")"
build=${TRUSTSQL_BUILT-}  # a finished build
if [ -z "$build" ]; then
  build=build/ci
  cmake --preset ci >/dev/null
  cmake --build --preset ci --parallel "$(nproc)" --target trustsql_module trustsql_test_runner trustsql_scripted_server
fi

# WITHIN GROUP is a matter of the parser, which an amalgamation holds ready-made: one that has it is made from the source
# tree (https://sqlite.org/compile.html, "Building the amalgamation").
ordered_set_amalgamation() {  # FOLDER
  local tree=${SQLITE_TREE-} apt=$root/apt
  [ -f "$1/sqlite3.c" ] && return
  if [ -z "$tree" ]; then
    command -v dpkg-source >/dev/null || DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends dpkg-dev >/dev/null
    mkdir -p "$apt/lists/partial" "$apt/cache/archives/partial"
    echo 'deb-src [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] http://deb.debian.org/debian sid main' >"$apt/sources.list"
    local apt_options=(-q -o "Dir::Etc::sourcelist=$apt/sources.list" -o Dir::Etc::sourceparts=/dev/null
      -o "Dir::State::lists=$apt/lists" -o "Dir::Cache=$apt/cache")
    (cd "$apt" && apt-get "${apt_options[@]}" update && apt-get "${apt_options[@]}" source --only-source sqlite3) >"$apt/log.txt" 2>&1 ||
      { cat "$apt/log.txt"; return 1; }
    tree=$(find "$apt" -maxdepth 1 -name 'sqlite3-*' -type d)
  fi
  mkdir -p "$1"
  (cd "$1" && "$tree/configure" --disable-tcl && make sqlite3.c OPTS=-DSQLITE_ENABLE_ORDERED_SET_AGGREGATES) >"$1/log.txt" 2>&1 ||
    { cat "$1/log.txt"; return 1; }
}

compile() {  # NAME OPTIONS
  local options="$debian_functions $2" sources=$sources
  case $1 in omit-virtualtable) options=$2 ;; esac
  case $options in *-DSQLITE_THREADSAFE*) ;; *) options="$options -DSQLITE_THREADSAFE=1 -DSQLITE_ENABLE_UNLOCK_NOTIFY" ;; esac
  case $options in *OMIT_DECLTYPE*) ;; *) options="$options -DSQLITE_ENABLE_COLUMN_METADATA" ;; esac
  case $options in *USE_URI*) ;; *) options="$options -DSQLITE_USE_URI" ;; esac
  if [ "$1" = ordered-set ]; then
    sources=$root/$1/source
    ordered_set_amalgamation "$sources" || return 1
  fi
  # shellcheck disable=SC2086 # several options
  compile_sqlite "$sources" "$root/$1/libsqlite3.so.0" $options
}

# Runs all files; a file is in `passed`, `skipped`, `lacking` (it needs what the host lacks) or `failed`.
run_host() {  # NAME RUNNER-OPTIONS LACKS FILES
  local name=$1 options=$2 lacks=$3 files=" $4 " out=$root/$1/output file log status
  local passed=0 skipped=0 lacking=0 failed=0 names=""
  mkdir -p "$out"
  for file in $(find tests/sql -name '*.test' | sort); do
    log=$out/$(echo "$file" | tr / _).txt
    status=0
    # shellcheck disable=SC2086
    LD_LIBRARY_PATH=$root/$name "$build/tests/sql/trustsql_test_runner" --module "$build/trustsql.so" $options "$file" >"$log" 2>&1 || status=$?
    if [ $status -eq 0 ]; then
      passed=$((passed + 1))
    elif [ $status -eq 77 ]; then
      skipped=$((skipped + 1))
    elif [[ $status -eq 1 || $status -eq 127 ]] && [[ $files == *" $(basename "$file" .test) "* ]]; then
      lacking=$((lacking + 1))
    elif [[ $lacks == refused:* ]]; then
      if grep -qF -- "${lacks#refused: }" "$log"; then lacking=$((lacking + 1)); else failed=$((failed + 1)); names="$names $file"; fi
    elif [ -n "$lacks" ] && [ $status -eq 1 ] && grep -qE "$lacks" "$log"; then
      lacking=$((lacking + 1))
    else
      failed=$((failed + 1))
      names="$names $file"
    fi
  done
  printf 'hosts: %-20s %3d passed, %2d skipped, %2d %s, %2d failed%s\n' "$name" $passed $skipped $lacking \
    "$([[ $lacks == refused:* ]] && echo refused || echo "need what is left out")" $failed "$names"
  [ $failed -eq 0 ] || return 1
  if [[ $lacks == refused:* ]] && [ $lacking -eq 0 ]; then return 1; fi
}

wanted=" $* "
result=0
while IFS='^' read -r name flags options lacks files; do
  [[ $# -gt 0 && $wanted != *" $name "* ]] && continue
  if compile "$name" "$flags"; then
    run_host "$name" "$options" "$lacks" "$files" || result=1
  else
    echo "hosts: $name: does not compile"
    result=1
  fi
done < <(hosts)
exit $result
