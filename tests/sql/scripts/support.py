"""What the tests of the scripts share: a database, files next to it, and the sqlite3 shell that runs a script on them."""

import json
import os
import sqlite3
import subprocess
import tempfile
import unittest

SCRIPTS = os.environ["TRUSTSQL_SCRIPTS"]
SHELL = os.environ["SQLITE3"]
MODULE = os.environ["TRUSTSQL_MODULE"]
DATA = os.environ.get("TRUSTSQL_DATA") or os.path.join(SCRIPTS, "..", "..", "shared", "data")  # development data
TABLES = ("databases", "questions", "gold", "predictions", "elements", "hallucinations", "pairs")


def printed_table(output, title):
    """The rows of the box that follows a line with `title`, as lists of cells; [] if it has none."""
    lines = output.split(title, 1)[1].split("\nTable ", 1)[0].split("\n")[1:]
    rows = [[cell.strip() for cell in line.strip("\u2502").split("\u2502")] for line in lines if line.startswith("\u2502")]
    return rows[1:]


class ScriptTest(unittest.TestCase):
    """Each test has a fresh folder, which the shell runs in, and a database t.db there."""

    tables = True  # whether create_tables.sql is run first

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        if self.tables:
            self.run_script("create_tables.sql")

    def path(self, name):
        return os.path.join(self.folder, name)

    def write(self, name, content):
        """Writes a file: bytes unchanged, a text in UTF-8 with its line ends, anything else as JSON."""
        if not isinstance(content, (bytes, str)):
            content = json.dumps(content, ensure_ascii=False)
        with open(self.path(name), "wb") as file:
            file.write(content.encode() if isinstance(content, str) else content)

    def shell(self, *commands, parameters=None, load=False):
        """Runs the shell on t.db; returns its exit code, output and errors."""
        arguments = [SHELL, "-batch", "t.db"]
        if load:
            arguments += ["-cmd", ".load " + MODULE]
        for name, value in (parameters or {}).items():
            quoted = "'" + str(value).replace("'", "''") + "'"
            arguments += ["-cmd", ".parameter set @%s \"%s\"" % (name, quoted.replace("\\", "\\\\").replace('"', '\\"'))]
        done = subprocess.run(arguments + list(commands), cwd=self.folder, capture_output=True, timeout=100, check=False,
                              env=dict(os.environ, HOME=self.folder))  # no .sqliterc
        return done.returncode, done.stdout.decode(), done.stderr.decode()

    def run_script(self, script, load=False, before=(), **parameters):
        """Runs a script that must succeed; returns what it printed."""
        code, output, errors = self.shell(*before, ".read " + os.path.join(SCRIPTS, script), parameters=parameters, load=load)
        self.assertEqual((code, errors), (0, ""), output)
        return output

    def fail_script(self, script, message, load=False, before=(), **parameters):
        """Runs a script that must fail with `message` and change nothing; returns what it printed."""
        dump = self.dump()
        code, output, errors = self.shell(*before, ".read " + os.path.join(SCRIPTS, script), parameters=parameters, load=load)
        self.assertNotEqual(code, 0, output)
        self.assertIn(message, errors)
        self.assertEqual(self.dump(), dump)
        return output

    def data(self, name):
        """The path of a file of the development data; skips the test where it is absent."""
        path = os.path.abspath(os.path.join(DATA, name))
        if not os.path.exists(path):
            self.skipTest("no development data: " + path)
        return path

    def dump(self):
        """The contents of the tables of create_tables.sql."""
        return [self.query("SELECT * FROM " + table) for table in TABLES] if self.tables else None

    def query(self, sql):
        connection = sqlite3.connect(self.path("t.db"))
        try:
            return connection.execute(sql).fetchall()
        finally:
            connection.close()

    def execute(self, sql):
        connection = sqlite3.connect(self.path("t.db"))
        try:
            connection.executescript(sql)
            connection.commit()
        finally:
            connection.close()
