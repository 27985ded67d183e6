#!/usr/bin/python3
"""Checks the links of the project's Markdown files: the file must exist, and so must the heading that #... names.

Usage: links_test.py path/to/source
"""

import pathlib
import re
import sys


def text_of(path: pathlib.Path) -> str:
    """The document without its code blocks."""
    return re.sub(r"^```.*?^```$", "", path.read_text(encoding="utf-8"), flags=re.S | re.M)


def anchors(path: pathlib.Path) -> set[str]:
    """The names that GitHub gives to the headings of a document."""
    names: set[str] = set()
    for heading in re.findall(r"^#+ +(.*?)\s*$", text_of(path), re.M):
        plain = re.sub(r"\[(.*?)\]\(.*?\)", r"\1", heading).replace("`", "")
        name = re.sub(r"[^\w\- ]", "", plain.lower()).replace(" ", "-")
        again = 0
        while (name if not again else f"{name}-{again}") in names:
            again += 1
        names.add(name if not again else f"{name}-{again}")
    return names


def main(root: pathlib.Path) -> int:
    files = [root / "README.md", root / "CHANGELOG.md"]
    files += sorted(path for folder in ("docs", "sql", "tests") for path in (root / folder).rglob("*.md"))
    links = failures = 0
    for path in files:
        text = re.sub(r"`[^`\n]*`", lambda code: code.group().replace("](", "] ("), text_of(path))
        for target in re.findall(r"\]\(([^)\s]+)\)", text):
            if re.match(r"[a-z]+:", target):
                continue
            links += 1
            name, _, anchor = target.partition("#")
            other = (path.parent / name).resolve() if name else path
            if not other.exists():
                problem = "there is no such file"
            elif anchor and (other.suffix != ".md" or anchor not in anchors(other)):
                problem = "there is no such heading"
            else:
                continue
            failures += 1
            print(f"{path.relative_to(root)}: {target}: {problem}")
    print(f"{len(files)} files, {links} links, {failures} failures")
    return 1 if failures or not links else 0


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1]).resolve()))
