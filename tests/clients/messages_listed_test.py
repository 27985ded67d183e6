#!/usr/bin/python3
"""Checks that docs/messages.md has every error message of the sources, and every reason for an abstention or for the
verdict unknown.

The messages are the string literals in calls of the functions that make an Error (base/result.hpp), or that pass a
message on to one. Of each call, the longest literal must stand in the document; placeholders such as `...` may surround
it, and lines may be broken anywhere.

Usage: messages_listed_test.py path/to/source/tree
"""

import pathlib
import re
import sys

MAKES_ERROR = re.compile(
    r"\b(?:invalid_argument|query_failed|not_allowed|limit_exceeded|io_error|fail|fail_here|exceed|deny"
    r"|sqlite3_result_error|with_prefix)\(")
# A comment, or a string literal (raw ones hold no messages).
COMMENT = re.compile(r"//[^\n]*")
LITERALS = re.compile(r'"((?:[^"\\\n]|\\.)*)"(?:\s*"((?:[^"\\\n]|\\.)*)")*')
LITERAL = re.compile(r'"((?:[^"\\\n]|\\.)*)"')
# Shorter literals are parts of messages that other calls complete.
SHORTEST = 12
# Other texts that say why something was not done: a pattern for each file, with the text as its group.
REASONS = {
    "src/nl2sql/attempt.cpp": r'return "(\w+)"',
    "src/nl2sql/pipeline.cpp": r'return "([^"]+)"',
    "src/equiv/verdict.cpp": r'\{UnknownReason::\w+, "(\w+)"',
    "src/equiv/prover/determinism.cpp": r'note_reason\("([^"]+)"',
}
# Files whose messages are mistakes of trustsql itself.
INTERNAL_FILES = {"src/plan/verify.cpp", "src/semparse/training/fitting.cpp", "src/semparse/model/model_file.cpp",
                  "src/semparse/abstention/calibration.cpp", "src/semparse/abstention/unified.cpp"}
# What no user sees: mistakes of trustsql itself, which end in "internal error" or in the fallback of a caller.
INTERNAL = {
    "a request for zero samples",
    "an empty statement was prepared",
    "not the shape of a prompt's values",
    " was given",  # "no value for {...} was given": a caller left out a placeholder of a prompt
    " needs a schema",
    "there is no way to read DDL here",
    "the model's reply has no choice",
    "the cache",
}


def argument_of(text: str, begin: int) -> str:
    """The text of a call's arguments; `begin` is behind the opening parenthesis."""
    depth = 1
    i = begin
    while i < len(text) and depth > 0:
        literal = LITERAL.match(text, i)
        if literal:
            i = literal.end()
            continue
        if text[i] == "'":  # a character
            i += 4 if text[i + 1] == "\\" else 3
            continue
        depth += {"(": 1, ")": -1}.get(text[i], 0)
        i += 1
    return text[begin:i - 1]


def unescape(literal: str) -> str:
    return re.sub(r"\\(.)", r"\1", literal)


def messages_in(text: str) -> list[tuple[int, str]]:
    """The line and the longest literal of each call that makes an error."""
    text = COMMENT.sub(lambda comment: " " * len(comment.group(0)), text)
    found = []
    for call in MAKES_ERROR.finditer(text):
        pieces = []
        for literals in LITERALS.finditer(argument_of(text, call.end())):
            pieces.append(unescape("".join(LITERAL.findall(literals.group(0)))))
        longest = max(pieces, key=len, default="")
        if len(longest) >= SHORTEST or longest in INTERNAL:
            found.append((text.count("\n", 0, call.start()) + 1, longest))
    return found


def plain(text: str) -> str:
    """Without the marks of comments and of Markdown, each white space one blank."""
    text = re.sub(r"^-- (error: )?", "", text, flags=re.M)
    return " ".join(re.sub(r"^--  ", "", text, flags=re.M).replace("`", "").split())


def check(root: pathlib.Path) -> int:
    """Prints the messages that the document lacks; returns how many."""
    document = plain((root / "docs" / "messages.md").read_text(encoding="utf-8"))
    missing = count = 0
    for folder in ("src", "ext"):
        for path in sorted((root / folder).rglob("*.?pp")):
            name = path.relative_to(root).as_posix()
            if name in INTERNAL_FILES:
                continue
            text = path.read_text(encoding="utf-8")
            messages = messages_in(text)
            if name in REASONS:
                messages += [(text.count("\n", 0, reason.start()) + 1, reason.group(1))
                             for reason in re.finditer(REASONS[name], text)]
            for line, message in messages:
                count += 1
                if message in INTERNAL or plain(message) in document:
                    continue
                missing += 1
                print(f"{name}:{line}: docs/messages.md does not have {message!r}")
    print(f"{count} messages, {missing} missing")
    return missing


if __name__ == "__main__":
    sys.exit(1 if check(pathlib.Path(sys.argv[1])) else 0)
