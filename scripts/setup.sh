#!/bin/sh
# Installs the missing Debian packages for the given purposes; does nothing if all are installed.
#
#   scripts/setup.sh [build] [demo] [test] [fuzz] [valgrind] [npm] [tidy]      (without arguments: build)
#
# Runs as root or uses sudo. On systems without apt-get it lists the packages and exits successfully.
set -eu

build="cmake ninja-build g++ libsqlite3-dev nlohmann-json3-dev libeigen3-dev libcurl4-openssl-dev wordnet-base"
[ $# -gt 0 ] || set -- build
wanted=""
for purpose in "$@"; do
  case $purpose in
    build) wanted="$wanted $build" ;;
    demo) wanted="$wanted $build sqlite3" ;;
    test) wanted="$wanted $build sqlite3 libgtest-dev libbenchmark-dev libcpp-httplib-dev openssl python3 perl libdbd-sqlite3-perl pkg-config binutils dpkg-dev file clang-format" ;;
    fuzz) wanted="$wanted $build clang libclang-rt-14-dev" ;;
    valgrind) wanted="$wanted $build libgtest-dev valgrind" ;;
    tidy) wanted="$wanted $build libgtest-dev libbenchmark-dev clang clang-tidy clang-format" ;;
    npm) wanted="$wanted npm" ;;
    *)
      echo "usage: scripts/setup.sh [build] [demo] [test] [fuzz] [valgrind] [npm] [tidy]" >&2
      exit 2
      ;;
  esac
done

if ! command -v apt-get >/dev/null; then
  echo "setup: no apt-get here; these packages of Debian 12, or their equivalents, are needed:$wanted" >&2
  exit 0
fi

missing=""
for package in $wanted; do
  case " $missing " in *" $package "*) continue ;; esac
  [ "$(dpkg-query --show --showformat='${db:Status-Status}' "$package" 2>/dev/null)" = installed ] || missing="$missing $package"
done
[ -n "$missing" ] || exit 0

if [ "$(id -u)" -eq 0 ]; then
  as_root=""
elif command -v sudo >/dev/null; then
  as_root=sudo
else
  echo "setup: these packages are missing, but this is not root and there is no sudo:$missing" >&2
  exit 1
fi
echo "setup: installing$missing"
# shellcheck disable=SC2086 # lists of words
{
  $as_root env DEBIAN_FRONTEND=noninteractive apt-get update -q
  $as_root env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends $missing
}
