#!/usr/bin/env python3
"""Writes the lines that the benchmarks score: those of all prediction files of the development data.

    prepare_lines.py DATA OUT [INSTRUCTIONS]

Left out are lines whose prediction takes more than so many instructions of SQLite's virtual machine (by default a
hundred thousand, some two milliseconds): cross joins, which would else take more time than all other lines together.
"""

import json
import pathlib
import sqlite3
import sys


STEP = 1000


def is_light(connection, sql, limit):
    """Whether the query ends, with rows or an error, within `limit` instructions."""
    left = limit // STEP

    def count_down():
        nonlocal left
        left -= 1
        return left < 0

    connection.set_progress_handler(count_down, STEP)
    try:
        connection.execute(sql).fetchall()
    except sqlite3.Error:
        pass
    return left >= 0


def main():
    data = pathlib.Path(sys.argv[1])
    limit = int(sys.argv[3]) if len(sys.argv) > 3 else 100_000
    connections = {}
    known = {}
    kept = left_out = 0
    with open(sys.argv[2], "wb") as out:
        for file in sorted((data / "predictions").glob("*.jsonl")):
            for text in file.read_text(encoding="utf-8").splitlines():
                line = json.loads(text)
                path = (data / "spider" / "databases" / (line["db_id"] + ".sqlite")).resolve()
                if path not in connections:
                    connections[path] = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
                    connections[path].text_factory = bytes
                key = (path, line["pred"])
                if key not in known:
                    known[key] = is_light(connections[path], line["pred"], limit)
                if not known[key]:
                    left_out += 1
                    continue
                kept += 1
                for part in (str(path), line["gold"], line["pred"]):
                    out.write(part.encode("utf-8") + b"\0")
    print(f"{kept} lines, {left_out} left out", file=sys.stderr)


if __name__ == "__main__":
    main()
