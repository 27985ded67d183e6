"""The module in Python's sqlite3, for an application's usual ways: parameters, threads, transactions, callbacks.

usage: client.py trustsql.so
"""

import os
import socket
import sqlite3
import sys
import tempfile
import threading
import time
import unittest

MODULE = sys.argv.pop()
ENDLESS = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"


def connect(entry=None, path=":memory:"):
    con = sqlite3.connect(path)
    con.enable_load_extension(True)
    if entry is None:
        con.load_extension(MODULE)
    else:
        con.execute("SELECT load_extension(?, ?)", (MODULE, entry))
    con.enable_load_extension(False)
    return con


def value(con, sql, parameters=()):
    return con.execute(sql, parameters).fetchone()[0]


class Client(unittest.TestCase):
    def test_entry_points(self):
        for entry in (None, "sqlite3_trustsql_init", "sqlite3_trustsql_offline_init", "sqlite3_trustsql_pure_init"):
            con = connect(entry)
            self.assertRegex(value(con, "SELECT trustsql_version()"), r"^\d+\.\d+\.\d+$")
            con.close()

    def test_parameters_and_errors(self):
        con = connect()
        self.assertEqual(value(con, "SELECT trustsql_config(?, ?)", ("timeout_ms", 1500)), 1500)
        self.assertEqual(value(con, "SELECT trustsql_config(?)", ("timeout_ms",)), 1500)
        self.assertIsNone(value(con, "SELECT trustsql_config(?)", (None,)))
        with self.assertRaisesRegex(sqlite3.OperationalError, "^trustsql_config: "):
            con.execute("SELECT trustsql_config(?)", ("no such setting",)).fetchall()
        con.close()

    def test_tables(self):
        con = connect()
        con.row_factory = sqlite3.Row
        row = con.execute("SELECT * FROM trustsql_functions WHERE name = ?", ("trustsql_version",)).fetchone()
        self.assertEqual(row.keys(), ["name", "kind", "signature", "summary", "example"])
        self.assertEqual(row["kind"], "scalar")
        con.close()

    def test_transactions_and_callbacks(self):
        con = connect()
        con.execute("CREATE TABLE t(a)")
        seen = []

        def authorize(action, *_):
            seen.append(action)
            return sqlite3.SQLITE_OK

        con.set_authorizer(authorize)
        with con:
            con.execute("INSERT INTO t SELECT trustsql_version() FROM (VALUES (1), (2))")
        self.assertTrue(seen)
        with self.assertRaises(sqlite3.OperationalError), con:
            con.execute("INSERT INTO t SELECT trustsql_config('no such setting')")
        self.assertEqual(value(con, "SELECT count(*) FROM t"), 2)
        self.assertEqual(con.total_changes, 2)
        con.close()

    def test_authorizer_can_deny_a_function(self):
        con = connect()
        con.set_authorizer(
            lambda action, _, name, *__: sqlite3.SQLITE_DENY if name == "trustsql_config" else sqlite3.SQLITE_OK
        )
        with self.assertRaisesRegex(sqlite3.DatabaseError, "not authorized to use function: trustsql_config"):
            con.execute("SELECT trustsql_config('timeout_ms')")
        con.close()

    def test_threads(self):
        failures = []

        def work(number):
            try:
                for i in range(20):
                    con = connect()
                    timeout = 1000 * number + i
                    value(con, "SELECT trustsql_config('timeout_ms', ?)", (timeout,))
                    if value(con, "SELECT trustsql_config('timeout_ms')") != timeout:
                        failures.append(timeout)
                    con.close()
            except sqlite3.Error as error:
                failures.append(error)

        threads = [threading.Thread(target=work, args=(number,)) for number in range(1, 5)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(failures, [])

    # Java's threads have a stack of 1 MiB, others less: what is nested too deeply for it is an error. With less than 512
    # KiB, SQLite itself cannot prepare the deepest expressions that its limits allow.
    def test_small_stacks(self):
        nested = {
            "plus": "SELECT " + "+".join(["a"] * 990) + " FROM t",
            "and": "SELECT a FROM t WHERE " + " AND ".join(f"a > {i}" for i in range(990)),
            "calls": "SELECT " + "abs(" * 195 + "a" + ")" * 195 + " FROM t",
            "subqueries": "SELECT " + "(SELECT " * 95 + "a FROM t" + ")" * 95,
        }
        calls = ["sql_parse(?1)", "sql_skeleton(?1)", "sql_plan(?1)", """sql_plan(?1, '{"format":"sql"}')""", "sql_check(?1)",
                 "sql_equivalent(?1, ?1)", "sql_similarity(?1, ?1, 'relpm')", "sql_similarity(?1, ?1, 'codebleu')",
                 "sql_similarity(?1, ?1, 'gmn')", """(SELECT count(*) FROM sql_mutants(?1, '{"budget_ms":100}'))"""]
        # What no stack, or only a large one, is enough for.
        deep = {
            "in": "SELECT a FROM t WHERE " + "a IN (SELECT a FROM t WHERE " * 195 + "1" + ")" * 195,
            "between": "SELECT a FROM t WHERE " + "a BETWEEN 1 AND " * 900 + "2",
        }
        for levels in (50, 100, 200, 450, 900, 2300):
            chain = "".join(f", c{i} AS (SELECT * FROM c{i - 1})" for i in range(1, levels))
            deep[f"{levels} common tables"] = f"WITH c0 AS (SELECT a FROM t){chain} SELECT a FROM c{levels - 1}"
        calls += ["sql_em(?1, ?1)", "sql_ex(?1, ?1)", """(SELECT count(*) FROM sql_paraphrases(?1, '{"budget_ms":100}'))""",
                  "(SELECT count(*) FROM sql_columns(?1))"]
        messages = {}

        def work(kib):
            con = connect()
            con.execute("CREATE TABLE t(a)")
            value(con, "SELECT trustsql_config('equivalence_timeout_ms', 200)")
            for sql in deep.values():
                for call in calls:
                    try:
                        value(con, "SELECT " + call, (sql,))
                    except sqlite3.Error:
                        pass
            messages[kib] = set()
            for sql in nested.values():
                for call in calls:
                    try:
                        value(con, "SELECT " + call, (sql,))
                    except sqlite3.Error as error:
                        messages[kib].add(str(error))
            con.close()

        for kib in (512, 1024, 8192):
            before = threading.stack_size(kib * 1024)
            thread = threading.Thread(target=work, args=(kib,))
            thread.start()
            thread.join()
            threading.stack_size(before)
        self.assertTrue(any("too deeply for the stack of this thread" in message for message in messages[512]))
        self.assertFalse(any("too deeply" in message for message in messages[8192]), messages[8192])

    def test_scoring_sees_what_the_connection_sees(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "host.db")
            con = connect(path=path)
            con.execute("CREATE TABLE t(a)")
            with con:
                con.executemany("INSERT INTO t VALUES (?)", [(1,), (2,)])
                self.assertTrue(con.in_transaction)
                self.assertEqual(value(con, "SELECT sql_ex('SELECT sum(a) FROM t', 'SELECT 3')"), 1)
                self.assertTrue(con.in_transaction)
            con.execute("DELETE FROM t")
            self.assertEqual(value(con, "SELECT sql_ex('SELECT count(*) FROM t', 'SELECT 0')"), 1)
            con.rollback()
            self.assertEqual(value(con, "SELECT sql_ex('SELECT sum(a) FROM t', 'SELECT 3')"), 1)
            other = sqlite3.connect(path, timeout=0)
            with other:  # nothing of ours holds a lock
                other.execute("INSERT INTO t VALUES (3)")
            other.close()
            self.assertEqual(value(con, "SELECT sql_ex('SELECT sum(a) FROM t', 'SELECT 6')"), 1)
            con.close()
            self.assertEqual(os.listdir(folder), ["host.db"])

    def test_functions_of_the_application_are_not_in_the_sandbox(self):
        con = connect()
        con.create_function("mine", 0, lambda: 1)
        self.assertEqual(value(con, "SELECT mine()"), 1)
        with self.assertRaisesRegex(sqlite3.OperationalError, "no such function: mine"):
            con.execute("SELECT sql_ex('SELECT mine()', 'SELECT 1')")
        con.close()

    def test_interrupt(self):
        con = connect()
        timer = threading.Timer(0.2, con.interrupt)
        timer.start()
        with self.assertRaisesRegex(sqlite3.OperationalError, "interrupted"):
            con.execute("SELECT sql_ex(?, ?)", (ENDLESS, ENDLESS)).fetchall()
        timer.join()
        self.assertEqual(value(con, "SELECT 1"), 1)
        con.close()

    # The handler of the program ends calls that work elsewhere: in the sandbox, in threads, while they wait for a server.
    # Without it, they would end with the error of a deadline.
    def test_progress_handler(self):
        con = connect()
        con.execute("CREATE TABLE p(question, gold, pred)")
        con.executemany("INSERT INTO p VALUES ('How many?', 'SELECT 1', ?)", [(ENDLESS,)] * 4)
        server = socket.create_server(("127.0.0.1", 0))  # it never answers
        con.execute("SELECT trustsql_config('llm_url', ?), trustsql_config('llm_model', 'm')",
                    (f"http://127.0.0.1:{server.getsockname()[1]}/v1",)).fetchall()
        calls = (
            ("SELECT sql_ex(?, 'SELECT 1')", (ENDLESS,)),
            ("SELECT rs_score(gold, pred, 1) FROM p", ()),
            ("SELECT * FROM rs_report('p')", ()),
            ("SELECT rs_html('p')", ()),
            ("SELECT * FROM sql_compare(?, ?)", (ENDLESS, ENDLESS + " WHERE i > 5")),
            ("SELECT nl2sql('How many?', '{\"method\":\"SQLPROMPT\"}')", ()),
            ("SELECT * FROM nl2sql_batch('p', '{\"method\":\"SQLPROMPT\"}')", ()),
        )
        for instructions in (1, 1000, 20000):
            for sql, parameters in calls:
                with self.subTest(sql=sql, instructions=instructions):
                    deadline = time.monotonic() + 0.1
                    con.set_progress_handler(lambda: time.monotonic() > deadline, instructions)
                    with self.assertRaisesRegex(sqlite3.OperationalError, "interrupted"):
                        con.execute(sql, parameters).fetchall()
                    con.set_progress_handler(None, 0)
                    self.assertEqual(value(con, "SELECT sql_ex('SELECT 1', 'SELECT 1')"), 1)
        con.close()
        server.close()

    # One that is called seldom is called once a second.
    def test_progress_handler_of_many_instructions(self):
        con = connect()
        con.set_progress_handler(lambda: True, 200000)
        with self.assertRaisesRegex(sqlite3.OperationalError, "interrupted"):
            con.execute("SELECT sql_ex(?, 'SELECT 1')", (ENDLESS,)).fetchall()
        con.close()

    def test_progress_handler_that_goes_on(self):
        con = connect()
        calls = []
        con.set_progress_handler(lambda: calls.append(1), 1000)
        self.assertEqual(value(con, "SELECT trustsql_config('timeout_ms', 300)"), 300)
        self.assertEqual(value(con, "SELECT rs_case('SELECT 1', ?)", (ENDLESS,)), "III")
        self.assertGreater(len(calls), 0)
        con.close()

    # An authorizer that refuses the query by which the handler is called.
    def test_authorizer_and_interrupt(self):
        con = connect()
        con.set_authorizer(lambda action, *_: 1 if action == 33 else 0)  # SQLITE_RECURSIVE
        timer = threading.Timer(0.2, con.interrupt)
        timer.start()
        with self.assertRaisesRegex(sqlite3.OperationalError, "interrupted"):
            con.execute("SELECT sql_ex(?, ?)", (ENDLESS, ENDLESS)).fetchall()
        timer.join()
        con.close()

    def test_scores_from_several_threads(self):
        failures = []
        rows = [("SELECT 1", "SELECT 1"), ("SELECT 1", None), (None, None), ("SELECT 2", "SELECT 3")] * 25

        def work():
            try:
                con = connect()
                con.execute("CREATE TABLE p(gold, pred)")
                con.executemany("INSERT INTO p VALUES (?, ?)", rows)
                con.commit()
                if value(con, "SELECT rs_score(gold, pred, 1) FROM p") != 25.0:
                    failures.append("score")
                con.close()
            except sqlite3.Error as error:
                failures.append(error)

        threads = [threading.Thread(target=work) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(failures, [])


if __name__ == "__main__":
    unittest.main()
