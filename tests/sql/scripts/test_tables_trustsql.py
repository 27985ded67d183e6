"""tables_trustsql.sql, on small files in TrustSQL's format and on published predictions."""

import json
import os

from support import ScriptTest, printed_table


class Tables(ScriptTest):
    def setUp(self):
        super().setUp()
        self.shell("CREATE TABLE t(a, b); INSERT INTO t VALUES (1, 2), (3, 4); CREATE TABLE u(a); INSERT INTO u VALUES (3)")
        os.rename(self.path("t.db"), self.path("both.db"))  # the questions' database is another file
        self.shell("DROP TABLE t; DROP TABLE u")
        self.run_script("create_tables.sql")

    def questions(self):
        feasible = [("1", "SELECT count(*) FROM t WHERE a = 1"), ("2", "SELECT a FROM t JOIN u USING (a)"), ("3", "SELECT max(b) FROM t"), ("4", "SELECT a FROM t WHERE b = 4")]
        self.write("train.json", [{"id": "t", "db_id": "both", "question": "?", "query": "SELECT count(*) FROM t WHERE a = 2"}])
        self.write("test.json", [{"id": i, "db_id": "both", "question": i, "query": q} for i, q in feasible]
                   + [{"id": "5", "db_id": "both", "question": "5", "query": "null", "type": "surface"}, {"id": "6", "db_id": "both", "question": "6", "query": "null", "type": "non-sql"}])
        for split in ("train", "test"):
            self.run_script("import_trustsql.sql", file=split + ".json", dataset="atis", split=split, databases="{db_id}.db")
        self.run_script("annotate.sql", load=True)

    def outputs(self, system, **parts):
        parameters = {}
        for part, content in parts.items():
            self.write(part + ".json", content)
            parameters[part] = part + ".json"
        self.run_script("import_trustsql_outputs.sql", system=system, dataset="atis", split="test", **parameters)

    # Feasible: 1 right and kept, 2 right and held back, 3 wrong and held back, 4 no SQL. Infeasible: 5 held back, 6 no SQL.
    def test_every_printed_table(self):
        self.questions()
        sql = {"1": "SELECT count(*) FROM t WHERE a = 1", "2": "SELECT a FROM u", "3": "SELECT min(b) FROM t", "4": "null", "5": "SELECT 1", "6": "null"}
        error = {"1": "correct", "2": "incorrect", "3": "incorrect", "5": "incorrect"}
        cls = {"1": "answerable", "2": "not_answerable", "3": "answerable", "4": "answerable", "5": "answerable", "6": "not_answerable"}
        self.outputs("1 T5", sql=sql)
        self.outputs("2 T5->ERROR", sql=sql, error=error)
        self.outputs("3 CLS->T5", sql=sql, cls=cls)
        self.outputs("4 CLS", cls=cls)
        output = self.run_script("tables_trustsql.sql", load=True)
        self.assertEqual(printed_table(output, "Table 3."), [
            ["atis", "ABSTAIN-ALL", "6", "33.3", "33.3", "33.3"], ["atis", "1 T5", "6", "50.0", "-283.3", "-150.0"],
            ["atis", "2 T5->ERROR", "6", "50.0", "50.0", "50.0"], ["atis", "3 CLS->T5", "6", "33.3", "-300.0", "-166.7"]])
        self.assertEqual(printed_table(output, "Table 4."), [
            ["atis", "1 T5", "4", "50.0", "-200.0", "-50.0", "50.0", "-200.0", "-50.0"], ["atis", "2 T5->ERROR", "4", "25.0", "25.0", "25.0", "50.0", "-200.0", "-50.0"],
            ["atis", "3 CLS->T5", "4", "25.0", "-225.0", "-75.0", "50.0", "-200.0", "-50.0"]])
        self.assertEqual(printed_table(output, "Table 8."), [
            ["atis", "1 T5", "50.0", "2 / (3 + 1)"], ["atis", "2 T5->ERROR", "100.0", "1 / (1 + 0)"], ["atis", "3 CLS->T5", "33.3", "1 / (2 + 1)"]])
        levels = ["easy / medium"]
        self.assertEqual(printed_table(output, "Table 9."), [[
            "atis", system, *row] for system in ("3 CLS->T5", "4 CLS") for row in (["seen", *levels, "100.0 / -"], ["unseen", *levels, "100.0 / 0.0"])])
        self.assertEqual(printed_table(output, "Table 10."), [[
            "atis", system, *row] for system in ("3 CLS->T5", "4 CLS") for row in (["column-surface", "0.0"], ["non-sql", "100.0"])])
        self.assertEqual(printed_table(output, "Table 11."), [[
            "atis", system, *row] for system in ("1 T5", "2 T5->ERROR", "3 CLS->T5") for row in (["seen", *levels, "100.0 / -"], ["unseen", *levels, "0.0 / 100.0"])])
        # Of the two easy questions with unseen structures, 3 is held back rightly, and 4, without SQL, counts (Appendix F.4).
        self.assertEqual(printed_table(output, "Table 12."), [["atis", "2 T5->ERROR", "seen", *levels, "100.0 / -"], ["atis", "2 T5->ERROR", "unseen", *levels, "50.0 / 0.0"]])
        self.assertEqual(printed_table(output, "Table 13."), [["atis", "2 T5->ERROR", "column-surface", "100.0"], ["atis", "2 T5->ERROR", "non-sql", "100.0"]])

    def test_each_data_set_has_its_own_n(self):
        self.questions()
        self.outputs("s", sql={i: "SELECT 0" for i in "123456"})
        self.write("own.json", [{"id": "1", "db_id": "both", "question": "?", "query": "SELECT a FROM u"}])
        self.run_script("import_trustsql.sql", file="own.json", dataset="own", databases="{db_id}.db")
        self.write("sql.json", {"1": "SELECT 0"})
        self.run_script("import_trustsql_outputs.sql", system="s", dataset="own", sql="sql.json")
        output = self.run_script("tables_trustsql.sql", load=True)
        self.assertEqual([row[:3] + row[5:] for row in printed_table(output, "Table 3.") if row[1] == "s"], [["atis", "s", "6", "-600.0"], ["own", "s", "1", "-100.0"]])
        self.assertEqual([row[:2] for row in printed_table(self.run_script("tables_trustsql.sql", load=True, split="test"), "Table 3.")], [["atis", "ABSTAIN-ALL"], ["atis", "s"]])

    def test_wrong_parameters(self):
        self.fail_script("tables_trustsql.sql", "the extension is not loaded")
        self.fail_script("tables_trustsql.sql", "there are no predictions", load=True)
        self.fail_script("tables_trustsql.sql", "@opts is not a JSON object", load=True, opts="[1]")

    # Spider's validation questions, infeasible ones of TriageSQL beside them, and published predictions: RS(0) on the
    # feasible questions is the reference EX.
    def test_development_data(self):
        with open(self.data("infeasible/triagesql.jsonl"), encoding="utf-8") as lines:
            infeasible = [row for row in map(json.loads, lines) if row["type"] == "small talk"][:100]
        reference = {"dail_sql_gpt4": "83.8", "din_sql_gpt4": "85.2"}
        for system, ex in reference.items():
            with open(self.data("predictions/%s.jsonl" % system), encoding="utf-8") as lines:
                predictions = [json.loads(line) for line in lines]
            self.write("q.json", [{"id": p["id"], "db_id": p["db_id"], "question": "?", "query": p["gold"]} for p in predictions]
                       + [{"id": "i%d" % n, "db_id": "pets_1", "question": row["question"], "query": "null", "type": "non-sql"} for n, row in enumerate(infeasible)])
            self.run_script("import_trustsql.sql", file="q.json", dataset="spider", split="test", databases=self.data("spider/databases") + "/{db_id}.sqlite")
            self.write("sql.json", dict({str(p["id"]): p["pred"] for p in predictions}, **{"i%d" % n: "null" for n in range(len(infeasible))}))
            self.run_script("import_trustsql_outputs.sql", system=system, dataset="spider", split="test", sql="sql.json")
        self.run_script("annotate.sql", load=True)
        output = self.run_script("tables_trustsql.sql", load=True)
        self.assertEqual({row[1]: row[3] for row in printed_table(output, "Table 4.")}, reference)
        self.assertEqual(len(printed_table(output, "Table 11.")), 2)
