#!/bin/sh
# The calls from the tool sqlite-utils. usage: client_sqlite_utils.sh module database calls
set -eu
while IFS="$(printf '\t')" read -r name sql; do
  if [ "$name" = interrupt ]; then
    result=none # only Ctrl-C, which ends the tool
  elif ! result=$(sqlite-utils query "$2" "$sql" --load-extension "$1" --raw 2>&1); then
    result="error: $result"
  fi
  printf '%s\t%s\n' "$name" "$result"
done <"$3"
