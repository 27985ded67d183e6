#!/usr/bin/env python3
"""EX as the public test-suite evaluator computes it, in plain Python: the yardstick for the speed of ours, and a second
opinion on its verdicts. Written from scratch, from a description of the algorithm; standard library only.

    python_reference.py LINES ROUNDS [--keep-distinct] [--reuse-connections]

Each query is run on a connection of its own, as the evaluator does, unless connections are reused. Prints the seconds of
the best round and how many predictions are right.
"""

import argparse
import itertools
import json
import random
import re
import sqlite3
import time

# What a token may be, tried in this order at each place, as a lexer like sqlparse's does.
RULES = [
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        r"(?:--|# )[^\r\n]*",
        r"/\*[\s\S]*?\*/",
        r"\s+?",
        r"\*",
        r"`(?:``|[^`])*`",
        r"[$:?@]\w+",
        r"(?:CASE|IN|VALUES|USING|FROM|AS)\b",
        r"[A-Z]\w*(?=\s*\.)",
        r"[A-Z]\w*(?=\()",
        r"-?\d+(?:\.\d*)?(?:E-?\d+)?(?![_A-Z])",
        r"'(?:''|\\'|[^'])*'",
        r'"(?:""|\\"|[^"])*"',
        r"\[[^\]\[]+\]",
        r"(?:(?:LEFT|RIGHT|FULL|INNER|OUTER|CROSS|NATURAL)\s+)*JOIN\b",
        r"(?:GROUP|ORDER)\s+BY\b",
        r"\w[\w$#]*",
        r"[;:()\[\],.]",
        r"[<>=~!]+",
        r"[+/@#%^&|-]+",
    )
]
CURRENT_YEAR = re.compile(r"YEAR\s*\(\s*CURDATE\s*\(\s*\)\s*\)\s*", re.IGNORECASE)
SPLIT_OPERATORS = (("> =", ">="), ("< =", "<="), ("! =", "!="))
MAX_ROWS = 2_000_000
MAX_SECONDS = 10.0


def tokens(sql):
    position = 0
    while position < len(sql):
        for rule in RULES:
            match = rule.match(sql, position)
            if match:
                break
        end = match.end() if match else position + 1
        yield sql[position:end]
        position = end


def drop_distinct(sql):
    kept = []
    for token in tokens(sql):
        if token.lower() != "distinct":
            kept.append(token)
        if token == ";":
            break
    return "".join(kept)


def rewrite(gold, prediction, keep_distinct):
    prediction = prediction.replace("value", "1")
    for split, joined in SPLIT_OPERATORS:
        gold = gold.replace(split, joined)
        prediction = prediction.replace(split, joined)
    if not keep_distinct:
        gold = drop_distinct(gold)
        prediction = drop_distinct(prediction)
    order_matters = "order by" in gold.lower()
    return CURRENT_YEAR.sub("2020", gold), CURRENT_YEAR.sub("2020", prediction), order_matters


def connect(path):
    connection = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
    connection.text_factory = lambda text: text.decode("utf-8", errors="ignore")
    return connection


def run(connection, sql):
    """The rows of the query. Raises sqlite3.Error if it fails, or exceeds a limit."""
    deadline = time.monotonic() + MAX_SECONDS
    connection.set_progress_handler(lambda: time.monotonic() > deadline, 100_000)
    rows = connection.execute(sql).fetchmany(MAX_ROWS + 1)
    if len(rows) > MAX_ROWS:
        raise sqlite3.OperationalError("too many rows")
    return rows


def sorted_row(row):
    return tuple(sorted(row, key=lambda value: str(value) + str(type(value))))


def may_be_equal(first, second, order_matters):
    first = [sorted_row(row) for row in first]
    second = [sorted_row(row) for row in second]
    return first == second if order_matters else set(first) == set(second)


def bag_of(rows):
    counts = {}
    for row in rows:
        counts[row] = counts.get(row, 0) + 1
    return counts


def candidate_columns(first, second):
    """For each column of `first` the columns of `second` that may correspond to it."""
    columns = range(len(first[0]))
    candidates = [set(columns) for _ in columns]
    if len(columns) > 3:
        values = [{row[i] for row in first} for i in columns]
        for _ in range(20):
            row = random.choice(second)
            for i in columns:
                candidates[i] -= {j for j in candidates[i] if row[j] not in values[i]}
    return candidates


def results_equal(first, second, order_matters):
    if not first and not second:
        return True
    if len(first) != len(second) or len(first[0]) != len(second[0]):
        return False
    if not may_be_equal(first, second, order_matters):
        return False
    for permutation in itertools.product(*candidate_columns(first, second)):
        if len(set(permutation)) != len(permutation):
            continue
        permuted = second if len(permutation) == 1 else [tuple(row[j] for j in permutation) for row in second]
        if order_matters:
            if first == permuted:
                return True
        elif set(first) == set(permuted) and bag_of(first) == bag_of(permuted):
            return True
    return False


def is_right(path, gold, prediction, keep_distinct, connections):
    gold, prediction, order_matters = rewrite(gold, prediction, keep_distinct)

    def execute(sql):
        if connections is not None:
            if path not in connections:
                connections[path] = connect(path)
            return run(connections[path], sql)
        connection = connect(path)
        try:
            return run(connection, sql)
        finally:
            connection.close()

    gold_rows = execute(gold)
    try:
        predicted_rows = execute(prediction)
    except (sqlite3.Error, sqlite3.Warning):
        return False
    return results_equal(gold_rows, predicted_rows, order_matters)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("lines")
    parser.add_argument("rounds", type=int)
    parser.add_argument("--keep-distinct", action="store_true")
    parser.add_argument("--reuse-connections", action="store_true")
    options = parser.parse_args()
    with open(options.lines, "rb") as file:
        texts = [part.decode("utf-8") for part in file.read().split(b"\0")[:-1]]
    lines = list(zip(texts[0::3], texts[1::3], texts[2::3]))
    best = cpu = float("inf")
    right = 0
    for _ in range(options.rounds):
        connections = {} if options.reuse_connections else None
        start, cpu_start = time.perf_counter(), time.process_time()
        right = sum(is_right(*line, options.keep_distinct, connections) for line in lines)
        best = min(best, time.perf_counter() - start)
        cpu = min(cpu, time.process_time() - cpu_start)
    print(json.dumps({"lines": len(lines), "right": right, "seconds": round(best, 6), "cpu": round(cpu, 6)}))


if __name__ == "__main__":
    main()
