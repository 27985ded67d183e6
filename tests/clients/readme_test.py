#!/usr/bin/python3
"""Runs the examples of a document (README.md, docs/guide.md) and compares their output.

A ```sql block that is followed by a ```text block is fed to the sqlite3 shell, and what the shell prints must be that
text. All blocks of a file run in one session, in order, in an empty folder, with the extension loaded.

A comment <!-- endpoint: {...} --> holds the script of a server (tests/endpoint/script.hpp) that takes the place of the
one at http://127.0.0.1:11434, where Ollama listens. With <!-- endpoint in the environment: {...} --> the shell is started
with TRUSTSQL_LLM_URL and TRUSTSQL_LLM_MODEL.

Usage: readme_test.py path/to/trustsql.so path/to/trustsql_scripted_server FILE...
"""

import contextlib
import os
import pathlib
import re
import subprocess
import sys
import tempfile

MARK = "-- end of block --"
OLLAMA = "http://127.0.0.1:11434"
ENDPOINT = re.compile(r"^<!-- endpoint( in the environment)?: (.*?) -->$", re.S | re.M)


def blocks(markdown: str) -> list[tuple[int, str, str]]:
    """The (line, sql, expected output) of every ```sql block that is followed by its output."""
    pattern = re.compile(r"^```sql\n(.*?)^```\n\s*^```text\n(.*?)^```$", re.S | re.M)
    return [(markdown.count("\n", 0, m.start()) + 1, m.group(1), m.group(2)) for m in pattern.finditer(markdown)]


@contextlib.contextmanager
def endpoint(program: pathlib.Path, markdown: str, folder: str):
    """The base URL of a server that answers as the file says; None if it has no script."""
    script = ENDPOINT.search(markdown)
    if not script:
        yield None
        return
    path = pathlib.Path(folder) / "server.json"
    path.write_text(script.group(2), encoding="utf-8")
    with subprocess.Popen([program, path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as server:
        yield server.stdout.readline().strip()
        server.stdin.close()


def environment(markdown: str, folder: str, url: str | None) -> dict[str, str]:
    """The environment of the shell: no settings of the extension, no .sqliterc; the endpoint if the file has a script."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("TRUSTSQL_", "OPENAI_"))}
    script = ENDPOINT.search(markdown)
    model = {"TRUSTSQL_LLM_URL": str(url), "TRUSTSQL_LLM_MODEL": "model"} if script and script.group(1) else {}
    return {**kept, **model, "HOME": folder}


def run(module: pathlib.Path, server: pathlib.Path, path: pathlib.Path) -> int:
    markdown = path.read_text(encoding="utf-8")
    found = blocks(markdown)
    if not found:
        print(f"{path}: no example")
        return 1
    script = f".load {module}\n" + "".join(f"{sql}\n.print {MARK}\n" for _, sql, _ in found)
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as aside, \
            endpoint(server, markdown, aside) as url:
        if url:
            script = script.replace(OLLAMA, url)
        shell = subprocess.run(["sqlite3", ":memory:"], input=script, capture_output=True, text=True, cwd=folder, timeout=120,
                               env=environment(markdown, folder, url))
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
    program = pathlib.Path(sys.argv[2]).resolve()
    sys.exit(1 if sum(run(library, program, pathlib.Path(name)) for name in sys.argv[3:]) else 0)
