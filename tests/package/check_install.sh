#!/bin/sh
# Installs a build into a folder, moves the folder, and builds and runs projects against it: by the CMake package in C and
# C++, in C alone, and by pkg-config.
# usage: check_install.sh build-folder source-folder
set -eu
build=$(realpath "$1")
source=$(realpath "$2")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

cmake --install "$build" --prefix "$work/installed" >"$work/install.log" || { cat "$work/install.log"; exit 1; }
mv "$work/installed" "$work/prefix" # neither package file may hold the path of installation
libdir=$(dirname "$(find "$work/prefix" -name libtrustsql.a)")
[ -f "$libdir/trustsql.so" ] || { echo "failed: no trustsql.so next to libtrustsql.a" >&2; exit 1; }
grep -rlF -e "$build" -e "$source" -e "$work/installed" "$libdir/cmake" "$libdir/pkgconfig" && { echo "failed: paths of the build in the package files" >&2; exit 1; }

docs=$work/prefix/share/doc/trustsql
for file in README.md CHANGELOG.md docs/guide.md docs/api.md docs/report.svg copyright; do
  [ -f "$docs/$file" ] || { echo "failed: $file is not among the documents" >&2; exit 1; }
done

for c_only in OFF ON; do
  cmake -S "$source/tests/package/consumer" -B "$work/consumer-$c_only" -G Ninja -DCMAKE_PREFIX_PATH="$work/prefix" -DCONSUMER_C_ONLY=$c_only
  cmake --build "$work/consumer-$c_only"
  "$work/consumer-$c_only/consumer_c"
done
"$work/consumer-OFF/consumer_cpp"

PKG_CONFIG_PATH=$libdir/pkgconfig
export PKG_CONFIG_PATH
# shellcheck disable=SC2046 # the flags are words
cc -std=gnu99 $(pkg-config --cflags trustsql) "$source/tests/clients/embed.c" -o "$work/by_pkg_config" $(pkg-config --libs trustsql)
"$work/by_pkg_config"
module=$(pkg-config --variable=module trustsql)
sqlite3 -batch -bail :memory: ".load $module" "SELECT 'module ' || trustsql_version()"
[ "$(pkg-config --modversion trustsql)" = "$(sqlite3 -batch -bail :memory: ".load $module" 'SELECT trustsql_version()')" ]
echo ok
