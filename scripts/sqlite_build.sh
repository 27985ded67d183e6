# shellcheck shell=sh disable=SC2034
# For the scripts that test on another SQLite than this machine's: they read this file with `.`, in the repository's
# folder.

# The options of Debian's build of SQLite that add functions or tables.
debian_functions="-DSQLITE_ENABLE_DBSTAT_VTAB -DSQLITE_ENABLE_FTS3 -DSQLITE_ENABLE_FTS3_PARENTHESIS -DSQLITE_ENABLE_FTS3_TOKENIZER -DSQLITE_ENABLE_FTS5 -DSQLITE_ENABLE_JSON1 -DSQLITE_ENABLE_MATH_FUNCTIONS -DSQLITE_ENABLE_RTREE -DSQLITE_ENABLE_STMTVTAB -DSQLITE_SOUNDEX"
# The other options that its users rely on.
debian_usual="-DSQLITE_THREADSAFE=1 -DSQLITE_ENABLE_COLUMN_METADATA -DSQLITE_ENABLE_DESERIALIZE -DSQLITE_ENABLE_UNLOCK_NOTIFY -DSQLITE_USE_URI"

# Prints the folder of an amalgamation: SQLITE_AMALGAMATION, or else that of a version of the npm package better-sqlite3,
# which it fetches into ROOT.
get_amalgamation() {  # ROOT VERSION
  if [ -n "${SQLITE_AMALGAMATION-}" ]; then
    echo "$SQLITE_AMALGAMATION"
    return
  fi
  if [ ! -f "$1/package/deps/sqlite3/sqlite3.c" ]; then
    mkdir -p "$1"
    command -v npm >/dev/null || scripts/setup.sh npm >&2
    (cd "$1" && npm pack --silent "better-sqlite3@$2" >/dev/null && tar -xzf "better-sqlite3-$2.tgz") || return 1
  fi
  echo "$1/package/deps/sqlite3"
}

sqlite_version_of() {  # FOLDER
  sed -n 's/^#define SQLITE_VERSION  *"\(.*\)"/\1/p' "$1/sqlite3.h"
}

# Compiles an amalgamation to the library FILE, unless it is there.
compile_sqlite() {  # FOLDER FILE OPTION...
  sources=$1
  library=$2
  shift 2
  [ -f "$library" ] && return
  mkdir -p "$(dirname "$library")"
  cc -w -O1 -fPIC -shared -Wl,-soname,libsqlite3.so.0 -o "$library.tmp" "$sources/sqlite3.c" "$@" -ldl -lm -lpthread || return 1
  mv "$library.tmp" "$library"
}

# Fails unless PROGRAM finds the library FILE.
expect_library() {  # PROGRAM FILE
  ldd "$1" | grep -q "$2" || { echo "$1 does not find $2" >&2; return 1; }
}

# Runs all .test files; prints the output of those that fail, and how many passed or were skipped.
run_test_files() {  # RUNNER MODULE
  failed=0
  passed=0
  output=$(mktemp)
  for file in $(find tests/sql -name '*.test' | sort); do
    status=0
    "$1" --module "$2" "$file" >"$output" 2>&1 || status=$?
    if [ $status -eq 0 ] || [ $status -eq 77 ]; then
      passed=$((passed + 1))
    else
      cat "$output"
      failed=$((failed + 1))
    fi
  done
  rm -f "$output"
  echo "$passed .test files passed or were skipped, $failed failed"
  [ $failed -eq 0 ]
}
