#!/usr/bin/python3
"""Runs the examples of README.md (and other Markdown files) and compares their output.

A ```sql block that is followed by a ```text block is fed to the sqlite3 shell, and what the shell prints must be that
text. All blocks of a file run in one session, in order, in an empty folder, with the extension loaded.

Usage: readme_test.py path/to/trustsql.so FILE...
"""

import pathlib
import re
import subprocess
import sys
import tempfile

MARK = "-- end of block --"


def blocks(markdown: str) -> list[tuple[int, str, str]]:
    """The (line, sql, expected output) of every ```sql block that has its output behind it."""
    pattern = re.compile(r"^```sql\n(.*?)^```\n\s*^```text\n(.*?)^```$", re.S | re.M)
    return [(markdown.count("\n", 0, m.start()) + 1, m.group(1), m.group(2)) for m in pattern.finditer(markdown)]


def run(module: pathlib.Path, path: pathlib.Path) -> int:
    found = blocks(path.read_text(encoding="utf-8"))
    if not found:
        print(f"{path}: no example")
        return 1
    script = f".load {module}\n" + "".join(f"{sql}\n.print {MARK}\n" for _, sql, _ in found)
    with tempfile.TemporaryDirectory() as folder:
        shell = subprocess.run(["sqlite3", ":memory:"], input=script, capture_output=True, text=True, cwd=folder, timeout=120)
    outputs = (shell.stdout).split(MARK + "\n")
    failures = 0
    for i, (line, sql, expected) in enumerate(found):
        actual = outputs[i] if i < len(outputs) else "(the shell ended before this block)\n"
        if actual.rstrip() != expected.rstrip():
            failures += 1
            print(f"{path}:{line}: the output differs\n--- expected\n{expected}--- actual\n{actual}")
    if shell.stderr:
        failures += 1
        print(f"{path}: the shell complained:\n{shell.stderr}")
    print(f"{path}: {len(found)} examples, {failures} failures")
    return failures


if __name__ == "__main__":
    library = pathlib.Path(sys.argv[1]).resolve().with_suffix("")
    sys.exit(1 if sum(run(library, pathlib.Path(name)) for name in sys.argv[2:]) else 0)
