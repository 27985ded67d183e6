#!/usr/bin/python3
"""Runs the examples of docs/messages.md, and compares what they give with the comments behind them.

In a ```sql block, the comment lines after a statement say what it gives: `-- error: ` and the message, or a row on each
line, with ` | ` between its values. A line that is indented further goes on with the line before it; white space counts
as one space, and `...` stands for any text. A statement without such a comment must succeed. All statements run in one
connection, in order, in an empty folder, with the extension loaded.

A comment <!-- endpoint: {...} --> holds the script of a server, as in readme_test.py; it takes the place of the one at
http://127.0.0.1:11434.

With --write the comments are replaced by what the statements give; an expected text that has `...` and matches stays.

Usage: messages_test.py [--write] path/to/trustsql.so path/to/trustsql_scripted_server docs/messages.md
"""

import os
import pathlib
import re
import sqlite3
import sys
import tempfile
import textwrap

from readme_test import OLLAMA, endpoint, environment

BLOCK = re.compile(r"^```sql\n(.*?)^```$", re.S | re.M)
ERROR = "error: "
WIDTH = 120


class Example:
    """A statement, the line that it begins in, and the lines of the comment behind it."""

    def __init__(self, line: int):
        self.line = line
        self.sql = ""
        self.comment = []

    def expected(self) -> list[str]:
        """What the comment says, one text for each row; [] if there is no comment."""
        texts = []
        for line in self.comment:
            content = line.removeprefix("--")
            if content.startswith("   ") and texts:
                texts[-1] += " " + content.strip()
            else:
                texts.append(content.strip())
        return texts


def examples_of(block: str, line: int) -> list[Example]:
    """The statements of a block whose first line is `line`."""
    examples = [Example(line)]
    for number, text in enumerate(block.splitlines(), line):
        example = examples[-1]
        if text.startswith("--") and sqlite3.complete_statement(example.sql):
            example.comment.append(text)
            continue
        if sqlite3.complete_statement(example.sql):
            example = Example(number)
            examples.append(example)
        example.sql += text + "\n"
    return [example for example in examples if example.sql.strip()]


def show(value) -> str:
    if value is None:
        return "NULL"
    return f"x'{value.hex()}'" if isinstance(value, bytes) else str(value)


def outcome(connection: sqlite3.Connection, sql: str) -> list[str]:
    """The rows of a statement as text, or its error."""
    try:
        return [" | ".join(map(show, row)) for row in connection.execute(sql)]
    except sqlite3.Error as error:
        return [ERROR + str(error)]


def squeeze(text: str) -> str:
    return " ".join(text.split())


def matches(expected: list[str], actual: list[str]) -> bool:
    """Whether the comment says what the statement gave. Without a comment, any rows will do."""
    if not expected:
        return not any(text.startswith(ERROR) for text in actual)
    pattern = "\n".join(".*".join(map(re.escape, squeeze(text).split("..."))) for text in expected)
    return re.fullmatch(pattern, "\n".join(map(squeeze, actual)), re.S) is not None


def as_comment(texts: list[str]) -> list[str]:
    """`texts` as comment lines of at most WIDTH characters."""
    lines = []
    for text in texts:
        lines += textwrap.wrap(squeeze(text), WIDTH, initial_indent="-- ", subsequent_indent="--   ",
                               break_on_hyphens=False, break_long_words=False) or ["--"]
    return lines


def run(module: pathlib.Path, server: pathlib.Path, path: pathlib.Path, write: bool) -> int:
    """Runs the examples of a file; returns how many differ."""
    markdown = path.read_text(encoding="utf-8")
    count = failures = 0
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as aside, \
            endpoint(server, markdown, aside) as url:
        kept = environment("", folder, None)
        os.environ.clear()
        os.environ.update(kept)
        os.chdir(folder)
        connection = sqlite3.connect(":memory:", isolation_level=None)
        connection.enable_load_extension(True)
        connection.load_extension(str(module))

        def replacement(block: re.Match) -> str:
            nonlocal count, failures
            lines = []
            for example in examples_of(block.group(1), markdown.count("\n", 0, block.start()) + 2):
                count += 1
                actual = outcome(connection, example.sql.replace(OLLAMA, url) if url else example.sql)
                if url:
                    actual = [text.replace(url, OLLAMA) for text in actual]
                lines += example.sql.rstrip("\n").splitlines()
                if matches(example.expected(), actual):
                    lines += example.comment
                    continue
                failures += 1
                lines += as_comment(actual)
                print(f"{path}:{example.line}: the outcome differs\n--- expected\n" + "\n".join(example.expected()) +
                      "\n--- actual\n" + "\n".join(actual))
            return "```sql\n" + "\n".join(lines) + "\n```"

        rewritten = BLOCK.sub(replacement, markdown)
        connection.close()
        os.chdir("/")
    print(f"{path}: {count} statements, {failures} failures")
    if write:
        path.write_text(rewritten, encoding="utf-8")
    return failures


if __name__ == "__main__":
    arguments = sys.argv[1:]
    rewrite = "--write" in arguments
    if rewrite:
        arguments.remove("--write")
    files = [pathlib.Path(argument).resolve() for argument in arguments]
    failed = run(files[0].with_suffix(""), files[1], files[2], rewrite)
    sys.exit(0 if rewrite or not failed else 1)
