#!/usr/bin/env python3
"""Compares semantics "trustsql" with trustsql_reference.py, the benchmark's rules in plain Python, on the EHRSQL, ATIS
and Advising queries of the development data.

    benchmark_rules.py BUILD [--data DATA] [--pairs N] [--only DATASET] [--seed SEED] [--show N] [--out FILE]

BUILD holds trustsql.so. The databases of these queries are not given, so small ones are made: a group of gold queries
gets FILLINGS databases, whose values come from the literals of the group. Each gold query is a prediction for itself
and for others of its group, and so are mutants of it: DISTINCT, COUNT, comparisons, literals, clauses, select lists,
other forms of dates, and texts that are no query. Both sides say I, II, III or that the gold query fails, for N pairs
of each data set, each on one database. Every difference is counted, and some are printed; the exit status is 1 if there
is one.
"""

import argparse
import collections
import itertools
import json
import os
import pathlib
import random
import re
import shutil
import sqlite3
import subprocess
import sys
import tempfile

import fillings
import trustsql_reference as reference

HERE = pathlib.Path(__file__).resolve().parent
GROUP = 4  # gold queries that share their databases
FILLINGS = 3
OTHERS = 3  # golds of the group that are predictions for each gold
STEPS = 300  # thousand instructions of SQLite's virtual machine, after which a pair is left out
# By data set: the files of queries with the key of the query, the schema, and the rows of a table.
SOURCES = {
    "ehrsql": ((("ehrsql/train.jsonl", "gold"), ("ehrsql/valid.jsonl", "gold")), "ehrsql/mimic_iv.sql", 24),
    "atis": ((("corpora/atis.jsonl", "sql"), ("corpora/atis_questions.jsonl", "gold")), "corpora/schemas/atis.sql", 6),
    "advising": (
        (("corpora/advising.jsonl", "sql"), ("corpora/advising_questions.jsonl", "gold")),
        "corpora/schemas/advising.sql",
        10,
    ),
}


def gold_queries(data, dataset):
    queries = []
    for name, key in SOURCES[dataset][0]:
        with open(data / name, encoding="utf-8") as file:
            queries += [json.loads(line)[key] for line in file]
    return list(dict.fromkeys(query for query in queries if query))


# --- predictions -----------------------------------------------------------------------------------------------------

# Each: a pattern outside of quotation marks, and what becomes of a place where it is found.
REWRITES = [
    (r"\bselect distinct\b", "SELECT"),
    (r"\bselect\b(?! distinct)", "SELECT DISTINCT"),
    (r"\bselect\b(?! distinct)", "SELECT ALL"),
    (r"\bcount\s*\(\s*distinct\b", "COUNT("),
    (r"\bcount\s*\(\s*distinct [\w.]+", "COUNT(*"),
    (r"\bcount\s*\(\s*(?=\w+\.)", "COUNT(DISTINCT "),
    (r"\bcount\s*\(\s*(?=\w+\.)", "COUNT(ALL "),
    (r"\bcount\s*\(\s*\*\s*\)\s*>\s*0", "COUNT(*)"),
    (r"\bcount\s*\(\s*\*\s*\)\s*>\s*0", "1"),
    (r"\bcount\s*\(\s*\*\s*\)\s*>\s*0", "NULL"),
    (r"\bcount\s*\(\s*\*\s*\)\s*>\s*0", "0"),
    (r"\bcount\s*\(\s*\*\s*\)\s*>\s*0", "'N'"),
    (r"\bcount\s*\(\s*\*\s*\)\s*>\s*0", "COUNT(*) > 1"),
    (r"\bcount\s*\(\s*\*\s*\)\s*>\s*0", "MAX(1)"),
    (r"\bcount\s*\(\s*\*\s*\)\s*>\s*0", "CASE WHEN COUNT(*) > 0 THEN 'Yes' ELSE 'No' END"),
    (r"\bcount\s*\(\s*\*\s*\)", "NULLIF(COUNT(*), 0)"),
    (r"\bcount\s*\(\s*\*\s*\)", "SUM(1)"),
    (r"\bcount\s*\(\s*\*\s*\)", "COUNT(1)"),
    (r"\bcount\s*\(\s*\*\s*\)", "COUNT(*) OVER ()"),
    (r"\b(max|min|avg|sum)\s*\(", "ROUND(3.0004) + MAX("),
    (r"\bmin\s*\(", "MAX("),
    (r"\bmax\s*\(", "MIN("),
    (r"\bavg\s*\(", "SUM("),
    (r"(?<![<>!])=", "<>"),
    (r"(?<![<>!])=", ">="),
    (r"<=|>=", "<"),
    (r"\band\b", "OR"),
    (r"\bor\b", "AND"),
    (r"\border by\b[^()]*$", ""),
    (r"\bgroup by [^()]*$", ""),
    (r"\bwhere\b.*$", ""),
    (r"\bwhere\b", "WHERE 0 AND"),
    (r"\blimit\s+\d+", "LIMIT 2"),
    (r"\bdesc\b", "ASC"),
    (r"\basc\b", "DESC"),
    (r"\bfrom\b", ", 1 FROM"),
    (r"\bfrom\b", "FORM"),
    (r"\bcurrent_time\b", "NOW()"),
    (r"\bcurrent_time\b", "CURDATE()"),
    (r"\bcurrent_time\b", "CURRENT_TIMESTAMP"),
    (r"\bcurrent_time\b", "current_date"),
    (r"\bcurrent_time\b", "date_sub( NOW() , INTERVAL 1 MONTH )"),
    (r"\bwhere\b", "WHERE CURTIME() = '23:59:00' AND"),
    (r"\bwhere\b", "WHERE 37.2 BETWEEN temperature_lower AND Temperature_UPPER AND sao2_lower < 96 AND"),
    (r"\bwhere\b", "WHERE YEAR(NOW()) = 2100 AND"),
]
# The same where the pattern may reach into quotation marks.
AGO = r"datetime\s*\(\s*current_time\s*,\s*'-(\d+) (\w+)'\s*\)"
DATES = [
    (AGO, r"DATE_SUB(NOW(), INTERVAL \1 \2)"),
    (AGO, r"DATE_SUB( current_time , interval '\1' \2 )"),
    (AGO, r"DATE_ADD(DATE_SUB(CURDATE(), INTERVAL 1 WEEK), INTERVAL \1 \2)"),
    (r"datetime\s*\(\s*current_time\s*,", "datetime('now',"),
    (r"'%Y", "'%y"),
    (r"'%J'", "'%j'"),
    (r"\b0\b", "1"),
    (r"\b1\b", "2"),
    (r"""["']N["']""", "0"),
    (r"""["']Y["']""", "1"),
    (r'"', "'"),
]


def select_items(sql):
    """The texts of the outermost select list, between the text before and the text behind it."""
    found = reference.select_list(sql)
    if not found:
        return None
    begin, end, _ = found
    items, depth, start = [], 0, begin
    for at in range(begin, end):
        depth += (sql[at] == "(") - (sql[at] == ")")
        if sql[at] == "," and depth == 0:
            items.append(sql[start:at])
            start = at + 1
    return sql[:begin], items + [sql[start:end]], sql[end:]


def mutants(sql, rng):
    """Texts that differ from a query in one or two small things; some are no queries any more."""
    made = []
    for pattern, replacement in REWRITES:
        parts = reference.QUOTED.split(sql)
        outside = [k for k in range(0, len(parts), 2) if re.search(pattern, parts[k], re.I | re.S)]
        if outside:
            k = rng.choice(outside)
            places = list(re.finditer(pattern, parts[k], re.I | re.S))
            at = rng.choice(places)
            parts[k] = parts[k][: at.start()] + replacement + parts[k][at.end() :]
            made.append("".join(parts))
    for pattern, replacement in DATES:
        if re.search(pattern, sql):
            made.append(re.sub(pattern, replacement, sql))
    before, items, behind = select_items(sql) or ("", [], "")
    if items:
        made.append(f"{before} {', '.join([items[-1], *items[:-1]])} {behind}")
        made.append(f"{before} {', '.join(items + items[:1])} {behind}")
        made.append(f"{before} count({items[0].split(' AS ')[0].strip()}) {behind}")
        made.append(f"{before} count(*) {behind}")
        made.append(f"{before} count(*) > 0 AS found {behind}")
        made.append(f"{before} CAST({items[0]} AS TEXT) {behind}")
        made.append(f"{before} {items[0]} || '' {behind}")
    once = sql.rstrip().rstrip(";")
    made.append(f"SELECT * FROM ({once})")
    made.append(f"{once} UNION ALL {once}")
    made.append(f"{once} UNION {once}")
    made.append(f"WITH c AS ({once}) SELECT * FROM c")
    made.append(f"Here it is:\n```sql\n{once}\n```")
    made.append("\n\t" + re.sub(r"(?<=\w) (?=from|where|and)", "\n  ", once, flags=re.I) + " ;")
    made += ["SELECT 0", "SELECT NULL WHERE 0", "", "null", "not_answerable", f"{once}; SELECT 1", once + " LIMIT"]
    return made


def pairs_of(group, rng):
    """(gold, prediction) for every gold query of a group, shuffled."""
    pairs = []
    for gold in group:
        pairs.append((gold, gold))
        pairs += [(gold, other) for other in rng.sample(group, min(OTHERS, len(group))) if other != gold]
        single = mutants(gold, rng)
        double = [mutant for text in rng.sample(single, 4) for mutant in rng.sample(mutants(text, rng), 2)]
        pairs += [(gold, mutant) for mutant in single + double]
        # A mutant may be the gold query as well: shapes that the given queries do not have.
        pairs += [(mutant, other) for mutant, other in zip(rng.sample(single, 6), rng.sample(single, 6))]
        pairs += [(mutant, mutant) for mutant in rng.sample(single, 2)]
    rng.shuffle(pairs)
    return pairs


# --- both sides ------------------------------------------------------------------------------------------------------


def reference_cases(dataset, data, wanted, rng, folder):
    """Rows (gold, prediction, database, dataset, case) as the reference judges them."""
    golds = gold_queries(data, dataset)
    rng.shuffle(golds)
    schema = fillings.ddl((data / SOURCES[dataset][1]).read_text(encoding="utf-8"))
    rows = SOURCES[dataset][2]
    each = max(1, wanted * GROUP // len(golds) + 1)  # so that all gold queries have their turn
    judged, slow, filled = [], 0, 0
    groups = [golds[k : k + GROUP] for k in range(0, len(golds), GROUP)]
    for number, group in itertools.cycle(enumerate(groups)):
        share = pairs_of(group, rng)[: max(each, 2 * FILLINGS)]
        for filling in range(FILLINGS):
            path = folder / f"{dataset}_{number}_{filling}_{len(judged)}.db"
            connection = sqlite3.connect(path)
            connection.text_factory = lambda raw: raw.decode(errors="ignore")
            connection.executescript("PRAGMA synchronous = OFF;" + schema)
            fillings.fill(connection, group, rows, rng)
            steps = [0]

            def stop():
                steps[0] += 1
                return steps[0] > STEPS

            connection.set_progress_handler(stop, 1000)
            for gold, prediction in share[filling::FILLINGS]:
                steps[0] = 0
                try:
                    case = reference.judge(gold, prediction, connection, dataset)
                except reference.TooSlow:
                    slow += 1
                    continue
                steps[0] = -(10**9)
                if gold == prediction:
                    filled += bool(case and has_rows(connection, gold, dataset))
                judged.append((gold, prediction, str(path), dataset, case))
            connection.close()
            if len(judged) >= wanted:
                return judged[:wanted], slow, filled


def has_rows(connection, gold, dataset):
    try:
        return connection.execute(reference.ehrsql_text(gold) if dataset == "ehrsql" else gold).fetchone()
    except sqlite3.Error:
        return None


def extension_cases(build, rows, folder):
    """The cases that the extension gives the same rows."""
    path = folder / "pairs.db"
    database = sqlite3.connect(path)
    database.execute("CREATE TABLE pairs(n INTEGER PRIMARY KEY, gold, pred, db, opts)")
    database.executemany(
        "INSERT INTO pairs(gold, pred, db, opts) VALUES (?, ?, ?, ?)",
        [
            (gold, pred, db, json.dumps({"semantics": "trustsql", "dataset": dataset, "on_gold_error": "skip"}))
            for gold, pred, db, dataset, _ in rows
        ],
    )
    database.commit()
    database.close()
    script = f".load {build}/trustsql.so\n.mode json\n"
    script += "SELECT n, rs_case(gold, pred, db, opts) AS outcome FROM pairs ORDER BY n;\n"
    run = subprocess.run(["sqlite3", str(path)], input=script, capture_output=True, text=True, check=False)
    if run.stderr or not run.stdout:
        raise SystemExit(f"the extension fails: {run.stderr}")
    return [row["outcome"] for row in json.loads(run.stdout)]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path)
    data = os.environ.get("TRUSTSQL_DATA", HERE.parents[2] / "shared" / "data")
    parser.add_argument("--data", type=pathlib.Path, default=data)
    parser.add_argument("--pairs", type=int, default=4000, help="pairs of each data set")
    parser.add_argument("--only", choices=SOURCES, action="append", help="a data set; by default all")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--show", type=int, default=10, help="differences that are printed of each data set")
    parser.add_argument("--out", type=pathlib.Path, help="a file that receives every difference as a line of JSON")
    options = parser.parse_args()
    if not options.data.is_dir() or not shutil.which("sqlite3"):
        print(f"skipped: there is no development data at {options.data}, or no sqlite3 shell")
        return 0
    differences = []
    print("              pairs      I     II    III  fails   slow  with rows  differ")
    for dataset in options.only or SOURCES:
        rng = random.Random(f"{options.seed}/{dataset}")
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            rows, slow, filled = reference_cases(dataset, options.data, options.pairs, rng, folder)
            found = extension_cases(options.build.resolve(), rows, folder)
        cases = collections.Counter(row[4] for row in rows)
        differ = [(row, outcome) for row, outcome in zip(rows, found) if row[4] != outcome]
        same = sum(row[0] == row[1] for row in rows)
        print(
            f"{dataset:10} {len(rows):6} {cases['I']:6} {cases['II']:6} {cases['III']:6} {cases[None]:6} {slow:6}"
            f" {filled:5}/{same:<4} {len(differ):7}"
        )
        differences += differ
        for (gold, prediction, _, _, case), outcome in differ[: options.show]:
            print(f"  reference {case}, trustsql {outcome}\n    gold {gold}\n    pred {prediction}")
    if options.out:
        options.out.write_text("".join(json.dumps([*row, outcome]) + "\n" for row, outcome in differences))
    return 1 if differences else 0


if __name__ == "__main__":
    sys.exit(main())
