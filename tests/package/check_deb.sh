#!/bin/sh
# Makes the Debian packages of a build and inspects them: names, dependencies, files. Then either unpacks them and lets the
# loader look there (`.load trustsql`), or, with --install, installs them (as root, on a machine that may be changed).
# usage: check_deb.sh build-folder [--install]
set -eu
build=$(realpath "$1")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() {
  echo "failed: $*" >&2
  exit 1
}

export SOURCE_DATE_EPOCH="${SOURCE_DATE_EPOCH-1700000000}"
(cd "$work" && cpack --config "$build/CPackConfig.cmake" -B "$work" >"$work/cpack.log" 2>&1) || { cat "$work/cpack.log"; fail "cpack"; }
runtime=$(find "$work" -maxdepth 1 -name 'trustsql_*.deb')
development=$(find "$work" -maxdepth 1 -name 'libtrustsql-dev_*.deb')
[ -f "$runtime" ] || fail "no package trustsql"
[ -f "$development" ] || fail "no package libtrustsql-dev"

depends=$(dpkg-deb --field "$runtime" Depends)
for package in 'libsqlite3-0 (>= 3.37)' libc6 libstdc++6; do
  case $depends in
    *"$package"*) ;;
    *) fail "$package is not among the dependencies: $depends" ;;
  esac
done
module=$(dpkg-deb --contents "$runtime" | sed -n 's|.* \./\(usr/lib/.*trustsql.so\)$|\1|p')
[ -n "$module" ] || fail "no trustsql.so below /usr/lib"
dpkg-deb --contents "$development" | grep -q 'usr/include/trustsql/trustsql.h' || fail "no header"

# Two runs give the same bytes.
mkdir "$work/again"
(cd "$work/again" && cpack --config "$build/CPackConfig.cmake" -B "$work/again" >"$work/cpack.log" 2>&1) || { cat "$work/cpack.log"; fail "cpack"; }
for package in "$runtime" "$development"; do
  cmp "$package" "$work/again/$(basename "$package")" || fail "two runs of cpack differ"
done

# The manual page is one that man(1) and its checks accept.
page=$work/page
dpkg-deb --fsys-tarfile "$runtime" | tar -x -O ./usr/share/man/man7/trustsql.7.gz | gzip -d >"$page" || fail "no manual page"
if command -v man >/dev/null; then
  warnings=$(LC_ALL=C.UTF-8 MANROFFSEQ= MANWIDTH=80 man --warnings -E UTF-8 -l -Tutf8 -Z "$page" 2>&1 >/dev/null)
  [ -z "$warnings" ] || fail "man: $warnings"
fi
grep -q '^.TH TRUSTSQL 7 "" "trustsql [0-9]' "$page" || fail "the manual page has no version"

cd /
load="SELECT 'loaded ' || (trustsql_version() <> '')"
if [ "${2-}" = --install ]; then
  DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "$runtime" "$development"
  for folder in / /tmp /usr/share; do
    cd "$folder"
    [ "$(sqlite3 -batch -bail :memory: '.load trustsql' "$load")" = "loaded 1" ] || fail ".load trustsql in $folder"
  done
else
  dpkg-deb --extract "$runtime" "$work/root"
  result=$(LD_LIBRARY_PATH=$work/root/$(dirname "$module") sqlite3 -batch -bail :memory: '.load trustsql' "$load")
  [ "$result" = "loaded 1" ] || fail ".load trustsql: $result"
fi
echo ok
