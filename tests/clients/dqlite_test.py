#!/usr/bin/python3
"""Forms a dqlite cluster whose nodes load trustsql, scores predictions, kills the leader half way, and loses nothing.

Usage: dqlite_test.py path/to/trustsql.so SOURCE_FOLDER [PREDICTIONS]

Needs Debian's golang-go, golang-github-canonical-go-dqlite-dev and libdqlite-dev; without them it is skipped (77).
Prints predictions a second on one node and on three, in a single thread (go-dqlite's default) and with SQLite's mutexes
(GO_DQLITE_MULTITHREAD=1), the time without a leader, and how long a call took that a deadline of the environment ended.
"""

import contextlib
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time

GO = {"GO111MODULE": "off", "GOPATH": "/usr/share/gocode", "CGO_LDFLAGS_ALLOW": "-Wl,-z,now"}
# What a node's environment has so that no call blocks it for as long as the others wait for a heartbeat.
DEADLINES = {"TRUSTSQL_TIMEOUT_MS": "1000", "TRUSTSQL_EQUIVALENCE_TIMEOUT_MS": "1000"}
ENDLESS = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"
CHUNK = 5_000
QUESTIONS = 2_000
SCORES = "CREATE TABLE scores(chunk INTEGER PRIMARY KEY, predictions INTEGER, total REAL)"
SETUP = [
    "CREATE TABLE singer(id INTEGER PRIMARY KEY, name TEXT, country TEXT, age INTEGER)",
    "INSERT INTO singer(name, country, age) VALUES ('Edith', 'France', 30), ('Charles', 'France', 41), ('Nina', 'USA', 35)",
    "CREATE TABLE predictions(id INTEGER PRIMARY KEY, gold TEXT, pred TEXT)",
]
# What the examples of trustsql_functions are about, beside the singers.
EXAMPLE_TABLES = [
    "ALTER TABLE predictions RENAME TO scored",
    "CREATE TABLE predictions(system TEXT, id INTEGER, gold TEXT, pred TEXT, confidence REAL)",
    """INSERT INTO predictions VALUES
      ('bold', 1, 'SELECT count(*) FROM singer', 'SELECT count(name) FROM singer', 0.9),
      ('bold', 2, 'SELECT avg(age) FROM singer', 'SELECT max(age) FROM singer', 0.6),
      ('bold', 3, NULL, 'SELECT name FROM singer', 0.5),
      ('careful', 1, 'SELECT count(*) FROM singer', 'SELECT count(*) FROM singer', 0.9),
      ('careful', 2, 'SELECT avg(age) FROM singer', NULL, NULL),
      ('careful', 3, NULL, NULL, NULL)""",
]
# Every prediction is right, wrong, an abstention or an answer to a question that has none, by its number.
FILL = """INSERT INTO predictions
WITH RECURSIVE n(i) AS (SELECT {first} UNION ALL SELECT i + 1 FROM n WHERE i + 1 < {first} + {count}),
question(i, condition) AS (SELECT i, 'age > ' || (i / 4 % {questions} % 29) || ' AND id < ' || (100 + i / 4 % {questions} / 29) FROM n)
SELECT i, iif(i % 4 = 3, NULL, 'SELECT name FROM singer WHERE ' || condition),
       CASE i % 4 WHEN 0 THEN 'SELECT s.name FROM singer AS s WHERE ' || condition
                  WHEN 1 THEN 'SELECT age FROM singer WHERE ' || condition WHEN 2 THEN NULL
                  ELSE 'SELECT country FROM singer WHERE ' || condition END
FROM question"""
SCORE = ("INSERT INTO scores SELECT {chunk}, count(*), total(rs_phi(rs_case(gold, pred), 10)) FROM predictions "
         "WHERE id >= {first} AND id < {last}")


def free_port() -> int:
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


class Cluster:
    def __init__(self, program: pathlib.Path, module: str, folder: pathlib.Path, size: int, threads: bool):
        self.program, self.nodes = program, {}
        folder.mkdir()
        self.addresses = [f"127.0.0.1:{free_port()}" for _ in range(size)]
        environment = os.environ | DEADLINES | ({"GO_DQLITE_MULTITHREAD": "1"} if threads else {})
        for i, address in enumerate(self.addresses):
            join = ["-join", self.addresses[0]] if i > 0 else []
            node = subprocess.Popen(
                [program, "node", "-module", module, "-address", address, "-dir", folder / str(i), *join],
                stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=environment,
                cwd=folder)  # functions write files there
            self.nodes[address] = node
            if not node.stdout.readline().startswith("ready"):
                raise SystemExit(f"node {address} did not start")

    def run(self, statements: list[str], timeout: str = "60s") -> list[str]:
        """The lines that the statements printed, without their status; raises RuntimeError at the first that fails."""
        done = subprocess.run([self.program, "sql", "-timeout", timeout, "-cluster", ",".join(self.addresses)],
                              input="\n".join(" ".join(s.split()) for s in statements) + "\n", capture_output=True, text=True)
        lines = done.stdout.splitlines()
        failed = [line for line in lines if line.startswith("error")]
        if done.returncode != 0 or failed:
            raise RuntimeError(failed[0] if failed else done.stderr)
        return [line for line in lines if line != "ok"]

    def leader(self) -> str:
        """The address of the node through which the database is reached: the one whose end stops the others' answers."""
        for address in self.addresses:
            done = subprocess.run([self.program, "leader", "-cluster", address], capture_output=True, text=True)
            if done.returncode == 0 and done.stdout.strip():
                return done.stdout.strip()
        raise SystemExit("there is no leader")

    def close(self):
        for node in self.nodes.values():
            if node.poll() is None:
                node.terminate()
        for node in self.nodes.values():
            with contextlib.suppress(subprocess.TimeoutExpired):
                node.wait(15)
            node.kill()


def score_all(cluster: Cluster, predictions: int, kill_at: int | None) -> tuple[float, float]:
    """Scores chunk by chunk; returns the seconds of scoring and the seconds from the kill to the next success."""
    scoring = without_leader = 0.0
    killed = None
    for chunk, first in enumerate(range(0, predictions, CHUNK)):
        if kill_at is not None and first >= kill_at and killed is None:
            leader = cluster.leader()
            cluster.nodes[leader].send_signal(signal.SIGKILL)
            killed = time.monotonic()
        while True:
            begun = time.monotonic()
            try:
                cluster.run([SCORE.format(chunk=chunk, first=first, last=first + CHUNK)])
            except RuntimeError as error:
                if "UNIQUE constraint" in str(error):  # it was written, and only the answer was lost
                    break
                if killed is None or time.monotonic() - killed > 60:
                    raise
                time.sleep(0.2)
                continue
            scoring += time.monotonic() - begun
            break
        if killed is not None and not without_leader:
            without_leader = time.monotonic() - killed
    return scoring, without_leader


def expected_total(count: int) -> float:
    points = [1, -10, 0, -10]
    return sum(points[i % 4] for i in range(count))


def check(cluster: Cluster, predictions: int):
    rows = cluster.run(["SELECT count(*), sum(predictions), sum(total) FROM scores", "SELECT count(*) FROM predictions"])
    chunks = (predictions + CHUNK - 1) // CHUNK
    expected = [f"{chunks}|{predictions}|{expected_total(predictions):g}", str(predictions)]
    actual = [rows[0].replace(".0", ""), rows[1]]
    if actual != expected:
        raise SystemExit(f"expected {expected}, got {actual}")


def check_functions(cluster: Cluster):
    """The example of each function works; of nl2sql_learn, which writes, the next check says more."""
    cluster.run(EXAMPLE_TABLES)
    examples = cluster.run(["SELECT name || ' ' || hex(example) FROM trustsql_functions WHERE name <> 'nl2sql_learn'"])
    if len(examples) < 50:
        raise SystemExit(f"only {len(examples)} functions are registered")
    for name, example in (line.split() for line in examples):
        try:
            cluster.run([bytes.fromhex(example).decode().split("-- ")[0].rstrip("; ")])
        except RuntimeError as error:
            raise SystemExit(f"the example of {name}: {error}") from error


def check_nested_write(cluster: Cluster):
    """What writes from within another statement is refused, and the node lives on."""
    learn = "SELECT nl2sql_learn('Who is old?', 'SELECT name FROM singer WHERE age > 40')"
    # Of a SELECT that fails, dqlite 1.11 gives the name of the column in place of the message.
    for statement, message in ((learn, "nl2sql_learn"), ("CREATE TABLE learned AS " + learn, "replicated by dqlite")):
        try:
            cluster.run([statement])
        except RuntimeError as error:
            if message in str(error):
                continue
            raise
        raise SystemExit("nl2sql_learn was not refused")
    cluster.run(["CREATE TABLE trustsql_examples(id INTEGER PRIMARY KEY, question TEXT NOT NULL, sql TEXT, type TEXT, db TEXT, schema TEXT)",
                 "INSERT INTO trustsql_examples(question, sql) VALUES ('Who is the star of France?', "
                 "'SELECT name FROM singer WHERE country = ''France'' ORDER BY age DESC LIMIT 1')"])
    learned = cluster.run(["SELECT nl2sql('Who is the star of the USA?')"])
    if learned != ["SELECT name FROM singer WHERE country = 'USA' ORDER BY age DESC LIMIT 1"]:
        raise SystemExit(f"the inserted example was not used: {learned}")


def check_long_call(cluster: Cluster) -> float:
    """A prediction that never ends is ended by the environment's deadline, and the leader stays; returns the seconds."""
    leader = cluster.leader()
    settings = cluster.run(["SELECT key || '=' || value FROM trustsql_settings WHERE source = 'env' ORDER BY key"])
    if settings != ["equivalence_timeout_ms=1000", "timeout_ms=1000"]:
        raise SystemExit(f"the settings do not come from the environment: {settings}")
    begun = time.monotonic()
    case = cluster.run([f"SELECT rs_case('SELECT 1', '{ENDLESS}')"])
    seconds = time.monotonic() - begun
    if case != ["III"] or cluster.leader() != leader:
        raise SystemExit(f"after a long call: {case}, leader {cluster.leader()} instead of {leader}")
    return seconds


def main():
    module, source = os.path.abspath(sys.argv[1]), pathlib.Path(sys.argv[2])
    predictions = int(sys.argv[3]) if len(sys.argv) > 3 else 10_000
    sources = pathlib.Path(GO["GOPATH"]) / "src/github.com/canonical/go-dqlite"
    if shutil.which("go") is None or not sources.is_dir() or not pathlib.Path("/usr/include/dqlite.h").exists():
        print("skipped: golang-go, golang-github-canonical-go-dqlite-dev or libdqlite-dev is missing")
        sys.exit(77)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        program = folder / "trustsql-dqlite"
        environment = os.environ | GO | {"GOCACHE": os.environ.get("GOCACHE", str(folder / "cache"))}
        subprocess.run(["go", "build", "-o", program, "."], cwd=source / "examples/dqlite", env=environment, check=True)
        for size, threads in ((1, False), (3, False), (3, True)):
            cluster = Cluster(program, module, folder / f"cluster{size}{threads}", size, threads)
            try:
                fill = [FILL.format(first=first, count=min(CHUNK, predictions - first), questions=QUESTIONS)
                        for first in range(0, predictions, CHUNK)]
                cluster.run([*SETUP, SCORES, *fill])
                long_call = check_long_call(cluster)
                scoring, without_leader = score_all(cluster, predictions, predictions // 2 if size == 3 else None)
                check(cluster, predictions)
                check_functions(cluster)
                check_nested_write(cluster)
                print(f"{size} node(s), {'with mutexes' if threads else 'single thread'}: {predictions} predictions, "
                      f"{predictions / scoring:.0f} a second; an endless prediction took {long_call:.1f} s" +
                      (f"; {without_leader:.1f} s without a leader; nothing lost" if size == 3 else ""))
            finally:
                cluster.close()


if __name__ == "__main__":
    main()
