#!/usr/bin/python3
"""Parses the training queries of Spider with sqlglot (Debian: python3-sqlglot) and prints the CPU time of one query.

tests/bench/parse_bench.cpp measures ours on the same queries.
"""
import json
import os
import pathlib
import statistics
import time

import sqlglot

default = pathlib.Path(__file__).resolve().parents[2] / ".." / "shared" / "data"
folder = pathlib.Path(os.environ.get("TRUSTSQL_DATA", default))
with open(folder / "spider" / "train.jsonl", encoding="utf-8") as lines:
    queries = [json.loads(line)["gold"] for line in lines]

times = []
for query in queries:
    start = time.thread_time()
    sqlglot.parse_one(query, read="sqlite")
    times.append(time.thread_time() - start)
print(f"sqlglot {sqlglot.__version__}: {len(times)} queries, mean {statistics.mean(times) * 1e6:.1f} us, median {statistics.median(times) * 1e6:.1f} us")
