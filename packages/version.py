"""The version of the project, as CMakeLists.txt says it."""

import pathlib
import re


def version():
    text = (pathlib.Path(__file__).resolve().parent.parent / 'CMakeLists.txt').read_text()
    return re.search(r'project\(trustsql VERSION ([0-9.]+)', text).group(1)
