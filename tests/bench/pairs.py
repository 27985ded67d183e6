#!/usr/bin/env python3
"""Verdicts of sql_compare on the annotated pairs of the development data: how many of each set are proved, refuted by grade
and unknown by reason, verdict against label, the AUC of the score, and the time.

    pairs.py BUILD [--data DATA] [--set NAME ...] [--opts JSON] [--out FILE] [--limit N] [--reference]

BUILD holds trustsql.so. --opts goes to sql_compare in addition to the schema ({"assume":"types"} ...). --out receives a line of JSON for each
pair, verdict and all. --reference times the public test-suite evaluator's algorithm (python_reference.py) on the same pairs as well,
where they have a database: on one database a pair, while a suite has many.
"""

import argparse
import collections
import json
import pathlib
import sqlite3
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
COLUMNS = "verdict, grade, reason, detail, method, assumptions, proof, counterexample, result_a, result_b, score"


def schema_options(pair, data):
    """The option that tells sql_compare the schema of a pair."""
    if "schema" in pair:
        return {"schema": (data / "pairs" / "schemas" / f"{pair['schema']}.sql").read_text()}
    return {"database": str(data / "spider" / "databases" / f"{pair['db_id']}.sqlite")}


def is_usable(pair, data, known={}):
    """Whether SQLite accepts the DDL of a pair; true for a database file."""
    if "schema" not in pair:
        return True
    name = pair["schema"]
    if name not in known:
        try:
            sqlite3.connect(":memory:").executescript(schema_options(pair, data)["schema"])
            known[name] = True
        except sqlite3.Error:
            known[name] = False
    return known[name]


def compare(build, pairs, data, options):
    """Runs sql_compare on all pairs in one sqlite3 shell; returns a dict for each and the total seconds."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "pairs.db"
        database = sqlite3.connect(path)
        database.execute("CREATE TABLE pairs(n INTEGER PRIMARY KEY, a, b, opts)")
        database.executemany(
            "INSERT INTO pairs(a, b, opts) VALUES (?, ?, ?)",
            [(p["a"], p["b"], json.dumps(schema_options(p, data) | options)) for p in pairs],
        )
        database.commit()
        database.close()
        script = (
            f".load {build}/trustsql.so\n.mode json\n"
            f"SELECT n, {COLUMNS} FROM pairs CROSS JOIN sql_compare(a, b, opts) ORDER BY n;\n"
        )
        begun = time.monotonic()
        done = subprocess.run(["sqlite3", "-readonly", str(path)], input=script, capture_output=True, text=True)
        seconds = time.monotonic() - begun
        if done.returncode != 0 or done.stderr:
            raise SystemExit(done.stderr)
        return json.loads(done.stdout), seconds


def reference_seconds(pairs, data):
    """Seconds and number of pairs of python_reference.py, on the pairs that have a database."""
    with tempfile.NamedTemporaryFile() as lines:
        for pair in pairs:
            if "schema" not in pair:
                for part in (schema_options(pair, data)["database"], pair["a"], pair["b"]):
                    lines.write(part.encode("utf-8") + b"\0")
        lines.flush()
        command = [sys.executable, str(HERE / "python_reference.py"), lines.name, "1", "--keep-distinct"]
        run = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    return run["seconds"], run["lines"]


def auc(scored):
    """The area under the ROC curve of (score, label) pairs; ties count half."""
    positive = [s for s, label in scored if label == 1]
    negative = [s for s, label in scored if label == 0]
    if not positive or not negative:
        return None
    wins = sum((p > n) + 0.5 * (p == n) for p in positive for n in negative)
    return wins / (len(positive) * len(negative))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build")
    parser.add_argument("--data", type=pathlib.Path, default=HERE.parents[1].parent / "shared" / "data")
    parser.add_argument("--set", nargs="*")
    parser.add_argument("--opts", type=json.loads, default={})
    parser.add_argument("--out")
    parser.add_argument("--limit", type=int)
    parser.add_argument("--reference", action="store_true")
    arguments = parser.parse_args()
    out = open(arguments.out, "w") if arguments.out else None
    for path in sorted((arguments.data / "pairs").glob("*.jsonl")):
        if arguments.set and path.stem not in arguments.set:
            continue
        pairs = [json.loads(line) for line in path.open()][: arguments.limit]
        usable = [pair for pair in pairs if is_usable(pair, arguments.data)]
        if len(usable) < len(pairs):
            print(f"{path.stem}: {len(pairs) - len(usable)} pairs left out: SQLite does not take their DDL")
        pairs = usable
        verdicts, seconds = compare(pathlib.Path(arguments.build).resolve(), pairs, arguments.data, arguments.opts)
        by_label = collections.Counter((p["label"], v["verdict"]) for p, v in zip(pairs, verdicts))
        grades = collections.Counter(v["grade"] for v in verdicts if v["verdict"] == "refuted")
        reasons = collections.Counter(v["reason"] for v in verdicts if v["verdict"] == "unknown")
        print(f"{path.stem}: {len(pairs)} pairs, {seconds:.1f} s, {1000 * seconds / len(pairs):.2f} ms a pair")
        for (label, verdict), n in sorted(by_label.items(), key=str):
            print(f"  label {label}: {verdict} {n}")
        print("  refuted:", ", ".join(f"{grade} {n}" for grade, n in grades.most_common()))
        print("  unknown:", ", ".join(f"{reason} {n}" for reason, n in reasons.most_common()))
        if arguments.reference and any("schema" not in pair for pair in pairs):
            reference, lines = reference_seconds(pairs, arguments.data)
            print(f"  public evaluator's algorithm in Python: {1000 * reference / lines:.2f} ms a pair and database")
        area = auc([(v["score"], p["label"]) for p, v in zip(pairs, verdicts)])
        if area is not None:
            print(f"  AUC {area:.4f}")
        if out:
            for pair, verdict in zip(pairs, verdicts):
                out.write(json.dumps({"set": path.stem, **pair, **verdict}) + "\n")


if __name__ == "__main__":
    main()
