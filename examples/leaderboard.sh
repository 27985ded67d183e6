#!/bin/sh
# Scores the predictions of systems against gold queries, and writes a leaderboard and a page for the browser.
#
# usage: leaderboard.sh database gold.csv report.html system.csv...
#
# gold.csv has a header and the columns id, question, gold (empty: infeasible); each system.csv a header and the columns
# id, pred (empty: it abstained). The name of the file is the name of the system. The queries run on `database`, in a
# sandbox. TRUSTSQL_MODULE: the module, if `.load trustsql` does not find it.
set -eu
if [ $# -lt 4 ]; then
  sed -n '2,8s/^# \{0,1\}//p' "$0" >&2
  exit 2
fi
database=$(realpath "$1")
gold=$2
report=$3
shift 3

scores=$(mktemp)
trap 'rm -f "$scores"' EXIT
# A name within single quotes, as SQL and the shell's dot-commands read it.
quoted() { printf "'%s'" "$(printf '%s' "$1" | sed "s/'/''/g")"; }
# A file within double quotes, as the shell's dot-commands read it.
file() { printf '"%s"' "$(printf '%s' "$1" | sed 's/[\\"]/\\&/g')"; }

{
  echo ".bail on"
  echo "CREATE TABLE gold(id TEXT PRIMARY KEY, question TEXT, gold TEXT);"
  echo ".import --csv --skip 1 $(file "$gold") gold"
  echo "CREATE TABLE answers(system TEXT, id TEXT REFERENCES gold, pred TEXT, PRIMARY KEY (system, id));"
  for csv in "$@"; do
    echo "CREATE TEMP TABLE imported(id TEXT, pred TEXT);"
    echo ".import --csv --skip 1 --schema temp $(file "$csv") imported"
    echo "INSERT INTO answers SELECT $(quoted "$(basename "$csv" .csv)"), id, nullif(pred, '') FROM temp.imported;"
    echo "DROP TABLE temp.imported;"
  done
  echo "CREATE VIEW judged AS SELECT system, id, question, nullif(gold, '') AS gold, pred, $(quoted "$database") AS database
          FROM answers JOIN gold USING (id);"
} | sqlite3 -batch -bail "$scores"

sqlite3 -batch -bail -cmd ".load ${TRUSTSQL_MODULE-trustsql}" -cmd '.mode column' -cmd '.headers on' "$scores" "
  SELECT system, n, round(coverage, 1) AS coverage, round(precision, 1) AS precision,
         round(rs_0, 1) AS rs_0, round(rs_10, 1) AS rs_10, round(rs_n, 1) AS rs_n
  FROM rs_report('judged', '{\"questions\":\"SELECT id FROM gold\"}') ORDER BY rs_10 DESC;"
sqlite3 -batch -bail -cmd ".load ${TRUSTSQL_MODULE-trustsql}" "$scores" "
  SELECT 'The page has ' || writefile($(quoted "$report"), rs_html('judged', '{\"title\":\"Leaderboard\"}')) || ' bytes.';"
