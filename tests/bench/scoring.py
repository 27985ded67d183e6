#!/usr/bin/env python3
"""Scores all published predictions of the development data with SQLite alone, with trustsql and with the Python reference,
in one go, and prints how they compare.

    scoring.py BUILD [DATA [ROUNDS [INSTRUCTIONS]]]

BUILD is a release build with TRUSTSQL_BUILD_BENCHMARKS, DATA the folder of development data (by default ../shared/data
next to the source tree), INSTRUCTIONS as prepare_lines.py takes it. The programs take turns, ROUNDS times (5), and the best
time of each counts. Two clocks: the wall's, and the processor time of the whole process, which says more on a machine
that does other things as well.
"""

import json
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
CACHE = str(64 << 20)


def main():
    build = pathlib.Path(sys.argv[1]) / "tests" / "bench"
    data = sys.argv[2] if len(sys.argv) > 2 else str(HERE.parents[1].parent / "shared" / "data")
    rounds = int(sys.argv[3]) if len(sys.argv) > 3 else 5
    with tempfile.NamedTemporaryFile() as lines:
        prepare = [sys.executable, str(HERE / "prepare_lines.py"), data, lines.name]
        subprocess.run(prepare + sys.argv[4:5], check=True)
        score = str(build / "trustsql_bench_score")
        python = [sys.executable, str(HERE / "python_reference.py"), lines.name, "1"]
        programs = {
            "SQLite alone: prepare and step": [str(build / "trustsql_bench_bare"), lines.name, "3"],
            "trustsql, bag, nothing cached": [score, lines.name, "3", "bag", "1", "0"],
            "trustsql, bag": [score, lines.name, "3", "bag", "1", CACHE],
            "trustsql, bag, 2 threads": [score, lines.name, "3", "bag", "2", CACHE],
            "trustsql, bag, nothing cached, 2 threads": [score, lines.name, "3", "bag", "2", "0"],
            "trustsql, spider/keep, nothing cached": [score, lines.name, "3", "spider-keep", "1", "0"],
            "trustsql, spider/keep": [score, lines.name, "3", "spider-keep", "1", CACHE],
            "trustsql, spider/drop, nothing cached": [score, lines.name, "3", "spider-drop", "1", "0"],
            "trustsql, spider/drop": [score, lines.name, "3", "spider-drop", "1", CACHE],
            "Python, DISTINCT kept": python + ["--keep-distinct"],
            "Python, DISTINCT dropped": python,
            "Python, DISTINCT dropped, connections reused": python + ["--reuse-connections"],
        }
        best = {}
        for _ in range(rounds):
            for name, command in programs.items():
                run = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
                kept = best.setdefault(name, run)
                kept["seconds"] = min(kept["seconds"], run["seconds"])
                kept["cpu"] = min(kept["cpu"], run["cpu"])
    bare = best["SQLite alone: prepare and step"]
    print(f"{bare['lines']} predictions, microseconds each (best of {rounds} rounds), and times of SQLite alone\n")
    print(f"{'':46} {'wall':>8} {'x':>6} {'cpu':>8} {'x':>6}  right")
    for name, run in best.items():
        wall, cpu = (1e6 * run[clock] / run["lines"] for clock in ("seconds", "cpu"))
        ratios = [run[clock] / bare[clock] for clock in ("seconds", "cpu")]
        print(f"{name:46} {wall:8.1f} {ratios[0]:6.2f} {cpu:8.1f} {ratios[1]:6.2f}  {run.get('right', '')}")


if __name__ == "__main__":
    main()
