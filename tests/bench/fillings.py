"""Small databases for queries whose own databases are not given, filled with the values that the queries name
(benchmark_rules.py)."""

import collections
import re

WITNESSES = 4  # at most so many sets of rows that a gold query of the group finds
LITERAL = r"""("(?:[^"]|"")*"|'(?:[^']|'')*'|-?\d+(?:\.\d+)?)"""


def value_of(literal):
    if literal[0] in "'\"":
        return literal[1:-1].replace(literal[0] * 2, literal[0]).strip("%")
    return float(literal) if "." in literal else int(literal)


def literals(queries):
    """By name of a column in lower case: the values that the queries compare it with. Columns that are compared with
    one another share theirs."""
    pools, joined = collections.defaultdict(list), {}

    def root(name):
        while joined.get(name, name) != name:
            name = joined[name]
        return name

    for query in queries:
        for left, right in re.findall(r"\w+\.(\w+)\s*=\s*\w+\.(\w+)", query):
            joined[root(left.lower())] = root(right.lower())
    for query in queries:
        for column, literal in re.findall(rf"(\w+)\s*\)?\s*(?:=|<>|!=|<=|>=|<|>|like)\s*{LITERAL}", query, re.I):
            pools[root(column.lower())].append(value_of(literal))
        for column, low, high in re.findall(rf"(\w+)\s+between\s+{LITERAL}\s+and\s+{LITERAL}", query, re.I):
            pools[root(column.lower())] += [value_of(low), value_of(high)]
    return pools, root


def moments(queries, rng):
    """Times near the ones that the queries name."""
    years = sorted({int(year) for query in queries for year in re.findall(r"'((?:20|21)\d\d)", query)} | {2099, 2100})
    clock = lambda: f"{rng.randrange(24):02}:{rng.randrange(60):02}:00"
    return [f"{rng.choice(years)}-{rng.choice((1, 5, 12)):02}-{rng.choice((1, 12, 30)):02} {clock()}" for _ in range(6)]


class Witness:
    """Rows that one query finds, as far as its conditions show: one row for each name of a table in it, with equal
    values where columns are joined, and literals where columns are compared with one."""

    COLUMN = r"(\w+)\.(\w+)"
    JOINED = re.compile(rf"{COLUMN}\s*(?:=|in)\s*(?:\(\s*select\s+(?:distinct\s+)?)?{COLUMN}", re.I)
    COMPARED = re.compile(rf"{COLUMN}\s*\)?\s*(=|<=|>=|<|>|like|between)\s*{LITERAL}", re.I)

    def __init__(self, query):
        self.joined, self.values = {}, collections.defaultdict(list)
        self.names = {name.lower() for name in re.findall(r"(\w+)\.\w+", query)}
        for left, a, right, b in self.JOINED.findall(query):
            self.joined[self.root((left.lower(), a.lower()))] = self.root((right.lower(), b.lower()))
        for name, column, operator, literal in self.COMPARED.findall(query):
            value = value_of(literal)
            if operator in "<>" and not isinstance(value, str):
                value += 1 if operator == ">" else -1
            self.values[self.root((name.lower(), column.lower()))].append(value)

    def root(self, column):
        while self.joined.get(column, column) != column:
            column = self.joined[column]
        return column

    def rows(self, columns_of, times, rng):
        """(table, values) for each name of a table; `columns_of` has the columns of each table with their types."""
        chosen = {}
        for name in sorted(self.names):
            table = re.sub(r"alias\d+$", "", name)
            if table not in columns_of:
                continue
            row = []
            for column, kind in columns_of[table]:
                key = self.root((name, column.lower()))
                if key not in chosen:
                    others = times if re.search("time|date", kind, re.I) else [rng.randrange(1, 4)]
                    chosen[key] = rng.choice(self.values.get(key) or others)
                row.append(chosen[key])
            yield table, row


def fill(connection, queries, rows, rng):
    pools, root = literals(queries)
    times = moments(queries, rng)
    tables = [name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
    columns_of = {
        table.lower(): [(column[1], column[2]) for column in connection.execute(f'PRAGMA table_info("{table}")')]
        for table in tables
    }
    for query in queries:
        witness = Witness(query)
        for _ in range(rng.randrange(WITNESSES + 1)):
            for table, row in witness.rows(columns_of, times, rng):
                connection.execute(f'INSERT INTO "{table}" VALUES ({", ".join("?" * len(row))})', row)
    used = {word.lower() for query in queries for word in re.findall(r"\w+", query)}
    for table in tables:
        if table.lower() not in used:
            continue
        columns = connection.execute(f'PRAGMA table_info("{table}")').fetchall()
        pooled = []
        for _, name, kind, required, _, _ in columns:
            pool = list(dict.fromkeys(pools.get(root(name.lower()), [])))[:4]
            if re.search("time|date", kind, re.I):
                pool = pool + times
            elif len(pool) < 2:
                number = re.search("int|double|float|real", kind, re.I)
                pool = pool + ([1, 2, 3] if number else ["N", "Y", "a b", "2.50"])
            if re.search("double|float|real", kind, re.I):
                pool = pool + [0.12345, 36.6]
            pooled.append(pool + ([] if required else [None]))
        inserts = f'INSERT INTO "{table}" VALUES ({", ".join("?" * len(columns))})'
        for _ in range(rng.randrange(rows // 2, rows + 1)):
            # Early values of a pool are likelier, so that conditions on several columns are met together.
            places = [min(rng.randrange(len(pool)), rng.randrange(len(pool))) for pool in pooled]
            connection.execute(inserts, [pool[place] for pool, place in zip(pooled, places)])
    connection.commit()


def ddl(text):
    """The DDL without keys, which would leave few rows of so few values."""
    key = r",\s*(PRIMARY KEY|FOREIGN KEY|UNIQUE)\s*\([^)]*\)(\s*REFERENCES\s+\w+\s*\([^)]*\))?"
    text = re.sub(key, "", text, flags=re.I)
    return re.sub(r"\b(NOT NULL|PRIMARY KEY|UNIQUE)\b", "", text, flags=re.I)
