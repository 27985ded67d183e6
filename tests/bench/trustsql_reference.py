#!/usr/bin/env python3
"""The scoring rules of the TrustSQL benchmark in plain Python, for ATIS, Advising and EHRSQL: what semantics "trustsql"
is compared with (benchmark_rules.py). It shares no code with the extension: it works on the texts with regular
expressions, and runs the queries with Python's sqlite3 module.

    judge(gold, prediction, connection, dataset) -> "I", "II", "III" or None (the gold query fails)
"""

import re
import sqlite3

NOW = "2100-12-31 23:59:00"
DAY, TIME = NOW.split()
BOUNDS = {
    "temperature": (35.5, 38.1),
    "sao2": (95.0, 100.0),
    "heart_rate": (60.0, 100.0),
    "respiration": (12.0, 18.0),
    "systolic_bp": (90.0, 120.0),
    "diastolic_bp": (60.0, 90.0),
    "mean_bp": (60.0, 110.0),
}
UNITS = {"week": (7, "day"), "quarter": (3, "month")}
UNITS |= {unit: (1, unit) for unit in ("second", "minute", "hour", "day", "month", "year")}
QUOTED = re.compile(r"""('(?:[^']|'')*'|"(?:[^"]|"")*")""")
ROWS = 100


class TooSlow(Exception):
    """A query took more steps than the caller allows; nothing is known about it."""


# --- texts -----------------------------------------------------------------------------------------------------------


def clean(text):
    """The query of a reply, or None: without SELECT it is an abstention."""
    fenced = re.search(r"```[a-zA-Z]*\n(.*?)```", text, re.S)
    if fenced:
        text = fenced.group(1)
    if not re.search(r"\bselect\b", text, re.I):
        return None
    return outside_quotes(text, lambda part: re.sub(r"\s+", " ", part)).strip()


def outside_quotes(text, change):
    """The text with `change` applied to the parts that are not in quotation marks."""
    return "".join(part if k % 2 else change(part) for k, part in enumerate(QUOTED.split(text)))


def interval(match):
    sign = -1 if match.group(1).lower() == "date_sub" else 1
    factor, unit = UNITS[match.group(4).lower()]
    return f"datetime({match.group(2).strip()}, '{sign * factor * int(match.group(3)):+d} {unit}')"


def ehrsql_text(sql):
    """The query as EHRSQL's clock, vital signs and formats make it."""

    def words(part):
        part = re.sub(r"\bcurrent_time(?:stamp)?\b", f"'{NOW}'", part, flags=re.I)
        part = re.sub(r"\bcurrent_date\b", f"'{DAY}'", part, flags=re.I)
        for function, value in (("now", NOW), ("curdate", DAY), ("curtime", TIME)):
            part = re.sub(rf"\b{function}\s*\(\s*\)", f"'{value}'", part, flags=re.I)
        for sign, bounds in BOUNDS.items():
            for end, bound in zip(("lower", "upper"), bounds):
                part = re.sub(rf"(?<![\w.]){sign}_{end}\b", str(bound), part, flags=re.I)
        return part

    sql = outside_quotes(sql, words)
    sql = re.sub(r"'now'", f"'{NOW}'", sql, flags=re.I)
    argument = r"((?:[^(),]|\([^()]*\))*)"
    amount = rf"interval\s+'?(\d+)'?\s+({'|'.join(UNITS)})"
    for _ in range(3):  # one may stand in another
        sql = re.sub(rf"\b(date_sub|date_add)\s*\({argument},\s*{amount}\s*\)", interval, sql, flags=re.I)
    formats = lambda match: match.group(0).replace("%y", "%Y").replace("%j", "%J")
    return re.sub(r"strftime\s*\(\s*'[^']*'", formats, sql, flags=re.I)


def mask(sql):
    """The text in lower case, with as many blanks for what is in quotation marks or within parentheses."""
    sql = "".join(" " * len(part) if k % 2 else part for k, part in enumerate(QUOTED.split(sql))).lower()
    depth, shown = 0, []
    for letter in sql:
        depth -= letter == ")"
        shown.append(letter if depth == 0 else " ")
        depth += letter == "("
    return "".join(shown)


def select_list(sql):
    """The positions between the first SELECT [DISTINCT] outside parentheses and what follows its list, and whether it
    has DISTINCT; None if there is no such SELECT."""
    text = mask(sql)
    begin = re.search(r"\bselect\b(\s+distinct\b|\s+all\b)?", text)
    if not begin:
        return None
    end = re.search(r"\b(from|where|group|having|order|limit|union|intersect|except)\b|;", text[begin.end() :])
    stop = begin.end() + end.start() if end else len(sql)
    return begin.end(), stop, "distinct" in begin.group(0)


def without_subqueries(text):
    """A select list with blanks for the subqueries in it."""
    while True:
        found = re.search(r"\(\s*select\b", text, re.I)
        if not found:
            return text
        depth = 0
        for end in range(found.start(), len(text)):
            depth += (text[end] == "(") - (text[end] == ")")
            if depth == 0:
                break
        text = text[: found.start()] + " " * (end + 1 - found.start()) + text[end + 1 :]


def add_distinct(sql, gold):
    """The prediction with DISTINCT where the gold query's select list has it: behind SELECT, and in COUNT(x)."""
    wanted, found = select_list(gold), select_list(sql)
    if not wanted or not found:
        return sql
    begin, end, distinct = found
    count = re.compile(r"\bcount\s*\((\s*distinct\b)?", re.I)
    has = lambda text: any(match.group(1) for match in count.finditer(without_subqueries(text)))
    if has(gold[wanted[0] : wanted[1]]) and not has(sql[begin:end]):
        for match in reversed(list(count.finditer(without_subqueries(sql[begin:end])))):
            rest = sql[begin + match.end() :]
            depth = 1
            for length, letter in enumerate(rest):
                depth += (letter == "(") - (letter == ")")
                if depth == 0:
                    break
            behind = rest[length + 1 :].strip().lower()
            if rest.strip().startswith(("*", ")")) or behind.startswith("over"):
                continue
            sql = sql[: begin + match.end()] + " distinct " + re.sub(r"^\s*all\b", "", rest, flags=re.I)
    if wanted[2] and not distinct:
        sql = re.sub(r"\ball$", "", sql[:begin], flags=re.I) + " distinct " + sql[begin:]
    return sql


# --- results ---------------------------------------------------------------------------------------------------------


def run(connection, sql):
    """All rows. Raises sqlite3.Error, or TooSlow if the connection's progress handler ended the query."""
    try:
        cursor = connection.execute(sql)
        if cursor.description is None:  # an empty text, for example
            raise sqlite3.ProgrammingError("not a query")
        return cursor.fetchall()
    except sqlite3.OperationalError as error:
        if str(error) == "interrupted":
            raise TooSlow from error
        raise


def cell(value, dataset):
    if dataset == "advising":
        value = {"N": 0, "No": 0, "Y": 1, "Yes": 1}.get(value, value) if isinstance(value, str) else value
    try:
        return str(round(float(value), 3))
    except (TypeError, ValueError):
        return str(value)


def answer(rows, gold, dataset):
    """What is compared of a result."""
    rows = sorted([cell(value, dataset) for value in row] for row in rows)[:ROWS]
    found = select_list(gold)
    listed = gold[found[0] : found[1]] if found else ""
    counts = re.search(r"\bcount\s*\(", listed, re.I)
    if counts and not rows:
        rows = [["0.0"]]
    if re.fullmatch(r"\s*count\s*\([^()]*(?:\([^()]*\)[^()]*)*\)\s*>\s*0\s*(as\b.*)?", listed, re.I | re.S):
        distinct = {tuple(row) for row in rows}
        rows = [["0.0"]] if distinct in ({("0.0",)}, {("-0.0",)}, {("None",)}) else [["1.0"]]
    return rows


def judge(gold, prediction, connection, dataset):
    """The case of a prediction for a feasible question; None if the gold query fails."""
    prediction = clean(prediction)
    if prediction is None:
        return "II"
    original = gold
    if dataset == "ehrsql":
        gold, prediction = ehrsql_text(gold), ehrsql_text(prediction)
    prediction = add_distinct(prediction, original)
    try:
        expected = run(connection, gold)
    except sqlite3.Error:
        return None
    try:
        found = run(connection, prediction)
    except (sqlite3.Error, sqlite3.Warning):
        return "III"
    return "I" if answer(expected, original, dataset) == answer(found, original, dataset) else "III"
