#!/bin/sh
# Shows that builds are reproducible: builds the module and the static library from copies of the sources in two folders,
# without ccache, makes the packages for Debian, npm and Python of both, and compares the bytes.
# usage: test_reproducible.sh [flags of the compiler]   (by default those of preset `package`; with -O0 it takes half the time)
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
flags=${1-}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export SOURCE_DATE_EPOCH=1700000000 CCACHE_DISABLE=1

for folder in first elsewhere/second; do  # both at once: the sources may be edited while the first is built
  mkdir -p "$work/$folder"
  tar -C "$root" --exclude=./build --exclude=./.git -c . | tar -C "$work/$folder" -x
done

build() {  # SOURCES RESULTS
  mkdir -p "$2"
  (
    cd "$1"
    cmake --preset package -B built ${flags:+-D "CMAKE_CXX_FLAGS_RELEASE=$flags -ffile-prefix-map=$PWD=."}
    cmake --build built --target trustsql_module trustsql_static
    cpack --config built/CPackConfig.cmake -B "$2/deb"
    packages/build_npm.py built/trustsql.so "$2/npm"
    packages/build_wheel.py built/trustsql.so "$2/wheel"
    cp built/trustsql.so built/libtrustsql.a "$2"
    rm -r "$2/deb/_CPack_Packages"
  ) >"$work/log.txt" 2>&1 || { cat "$work/log.txt"; exit 1; }
}

build "$work/first" "$work/results1"
build "$work/elsewhere/second" "$work/results2"
status=0
cd "$work/results1"
for file in $(find . -type f | sort); do
  if cmp "$file" "$work/results2/$file"; then
    printf 'reproducible: %-50s %9d bytes, the same twice\n' "${file#./}" "$(stat -c %s "$file")"
  else
    status=1
  fi
done
[ "$(find . -type f | wc -l)" -eq 9 ] || { echo "reproducible: not all packages were made: $(find . -type f)"; status=1; }
exit $status
