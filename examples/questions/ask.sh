#!/bin/sh
# Asks the twenty questions of questions.txt about the five databases beside it, with no server: what is answered, how it
# was understood, and why the others are not answered.
#
#   examples/questions/ask.sh build/release/trustsql.so
set -eu
module=$(realpath "${1:?usage: ask.sh MODULE}")
cd "$(dirname "$0")"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
for schema in *.sql; do sqlite3 "$folder/${schema%.sql}.db" <"$schema"; done
while IFS="$(printf '\t')" read -r database question; do
  echo "$database: $question"
  sqlite3 -batch -list "$folder/$database.db" -cmd ".load $module" -cmd ".parameter init" \
    -cmd ".parameter set @question \"'$question'\"" "
    SELECT '  ' || coalesce(sql || char(10) || '  ' || rows || char(10) || printf('  (%.0f%% sure: %s)', 100 * confidence, reading),
                            'no answer: ' || reason)
    FROM nl2sql_ask(@question)"
done <questions.txt
