"""import_trustsql.sql and import_trustsql_outputs.sql, on small files in TrustSQL's format."""

import json

from support import ScriptTest

QUESTIONS = [
    {"id": "a1", "db_id": "air", "question": "How many?", "template": "How many?", "query": "SELECT count(*) FROM t", "type": None, "note": None},
    {"id": "a2", "db_id": "air", "question": "Which \u201ea\u201c?", "template": "Which {a}?", "query": "SELECT a FROM t\nWHERE b = 1", "type": "", "note": ""},
    {"id": 3, "db_id": "air", "question": "Who owns it?", "template": "", "query": "null", "type": "column-surface", "note": "t.owner"},
    {"id": "a4", "db_id": "air", "question": "Predict it.", "query": None, "type": "non-sql", "note": "forecast"},
]
SQL = {"a1": "SELECT count(*) FROM t", "a2": "SELECT 2", "3": "SELECT 3", "a4": "null"}
CLS = {"a1": "answerable", "a2": "answerable", "3": "Not_Answerable", "a4": "'not_answerable'."}
ERROR = {"a1": "correct", "a2": "Incorrect", "3": "correct", "a4": "incorrect"}


class ImportQuestions(ScriptTest):
    def test_questions(self):
        self.write("q.json", QUESTIONS)
        output = self.run_script("import_trustsql.sql", file="q.json", dataset="atis", split="test", databases="db/{db_id}.sqlite")
        self.assertEqual(output, "4 questions on 1 databases, 2 of them infeasible\n")
        self.assertEqual(self.query("SELECT number, id, question, db_id, dataset, split, template, type, note FROM questions"), [
            (1, "atis/test/a1", "How many?", "air", "atis", "test", "How many?", None, None),
            (2, "atis/test/a2", "Which \u201ea\u201c?", "air", "atis", "test", "Which {a}?", None, None),
            (3, "atis/test/3", "Who owns it?", "air", "atis", "test", None, "column-surface", "t.owner"),
            (4, "atis/test/a4", "Predict it.", "air", "atis", "test", None, "non-sql", "forecast")])
        self.assertEqual(self.query("SELECT * FROM gold ORDER BY id"), [
            ("atis/test/3", None), ("atis/test/a1", "SELECT count(*) FROM t"), ("atis/test/a2", "SELECT a FROM t\nWHERE b = 1"), ("atis/test/a4", None)])
        self.assertEqual(self.query("SELECT db_id, path FROM databases"), [("air", "db/air.sqlite")])

    def test_ids_alone_byte_order_mark_and_crlf(self):
        self.write("q.json", b"\xef\xbb\xbf" + json.dumps(QUESTIONS, indent=1).replace("\n", "\r\n").encode())
        self.run_script("import_trustsql.sql", file="q.json")
        self.assertEqual(self.query("SELECT id FROM questions ORDER BY number"), [("a1",), ("a2",), ("3",), ("a4",)])

    def test_again_replaces(self):
        self.write("q.json", QUESTIONS)
        self.run_script("import_trustsql.sql", file="q.json")
        self.write("q.json", [dict(QUESTIONS[0], query="null", type="ext-know")])
        self.run_script("import_trustsql.sql", file="q.json")
        self.assertEqual(self.query("SELECT count(*) FROM questions"), [(4,)])
        self.assertEqual(self.query("SELECT type, sql FROM questions JOIN gold USING (id) WHERE id = 'a1'"), [("ext-know", None)])

    def test_wrong_input_changes_nothing(self):
        self.fail_script("import_trustsql.sql", "@file is not set")
        self.fail_script("import_trustsql.sql", "cannot be read", file="nowhere.json")
        entry = QUESTIONS[0]
        for content, message in [("x", "is not JSON"), ({"a": 1}, "not a JSON array"), ([7], "each entry needs"), ([dict(entry, query=1)], "each entry needs"),
                                 ([{k: v for k, v in entry.items() if k != "query"}], "each entry needs"), ([{k: v for k, v in entry.items() if k != "id"}], "each entry needs"),
                                 ([dict(entry, db_id=None)], "each entry needs"), ([entry, entry], "occurs twice")]:
            self.write("bad.json", content)
            self.fail_script("import_trustsql.sql", message, file="bad.json")
        self.write("bad.json", [entry, dict(entry, id="b", db_id="other")])
        self.fail_script("import_trustsql.sql", "several databases", file="bad.json", databases="one.db")

    # The benchmark's questions are from ATIS, Advising and EHRSQL: those of the development data, in its format.
    def test_development_data(self):
        for name, source, expected in (("advising", "corpora/advising_questions.jsonl", 4387), ("ehrsql", "ehrsql/valid.jsonl", 1163)):
            entries = []
            with open(self.data(source), encoding="utf-8") as lines:
                for number, line in enumerate(lines):
                    row = json.loads(line)
                    entries.append({"id": number, "db_id": name, "question": row["question"], "template": None, "query": row["gold"] or "null", "type": None, "note": None})
            self.write("q.json", entries)
            output = self.run_script("import_trustsql.sql", file="q.json", dataset=name, split="train")
            infeasible = sum(entry["query"] == "null" for entry in entries)
            self.assertEqual(output, "%d questions on 1 databases, %d of them infeasible\n" % (expected, infeasible))
        self.run_script("annotate.sql", load=True)
        self.assertEqual(self.query("SELECT count(*) FROM questions JOIN gold USING (id) WHERE sql IS NOT NULL AND hardness IS NULL AND dataset = 'ehrsql'"), [(0,)])
        # EHRSQL has no queries of medium hardness (Table 6).
        self.assertEqual(self.query("SELECT DISTINCT hardness FROM questions WHERE dataset = 'ehrsql' AND hardness IS NOT NULL ORDER BY 1"), [("easy",), ("hard",)])


class ImportOutputs(ScriptTest):
    def setUp(self):
        super().setUp()
        self.write("q.json", QUESTIONS)
        self.run_script("import_trustsql.sql", file="q.json", dataset="atis", split="test")
        self.write("sql.json", SQL)
        self.write("cls.json", CLS)
        self.write("error.json", ERROR)

    def outputs(self, **parameters):
        return self.run_script("import_trustsql_outputs.sql", system="s", dataset="atis", split="test", **parameters)

    def rows(self):
        return self.query("SELECT substr(p.id, 11), pred, raw, cls, error FROM predictions p JOIN questions q USING (id) WHERE system = 's' ORDER BY number")

    def test_parts_are_merged(self):
        self.assertEqual(self.outputs(sql="sql.json", cls="cls.json", error="error.json"), "4 outputs of s, 3 of them abstentions\n")
        self.assertEqual(self.rows(), [
            ("a1", SQL["a1"], SQL["a1"], "answerable", "correct"), ("a2", None, "SELECT 2", "answerable", "incorrect"),
            ("3", None, "SELECT 3", "not_answerable", "correct"), ("a4", None, None, "not_answerable", "incorrect")])

    def test_a_generator_alone(self):
        self.write("sql.json", {"a1": "SELECT 1", "a2": " NULL ", "3": "not_answerable", "a4": ""})
        self.outputs(sql="sql.json")
        self.assertEqual(self.rows(), [("a1", "SELECT 1", "SELECT 1", None, None)] + [(i, None, None, None, None) for i in ("a2", "3", "a4")])

    def test_a_detector_alone(self):
        self.outputs(cls="cls.json")
        self.assertEqual(self.rows(), [(i, None, None, c, None) for i, c in (("a1", "answerable"), ("a2", "answerable"), ("3", "not_answerable"), ("a4", "not_answerable"))])

    def test_what_need_not_be_there(self):
        self.write("sql.json", {"a1": "SELECT 1", "a2": "null"})
        self.write("error.json", {"a1": "incorrect"})
        self.outputs(sql="sql.json", cls="cls.json", error="error.json")
        self.assertEqual(self.rows(), [("a1", None, "SELECT 1", "answerable", "incorrect"), ("a2", None, None, "answerable", None),
                                       ("3", None, None, "not_answerable", None), ("a4", None, None, "not_answerable", None)])

    def test_voting_is_unanimous(self):
        self.write("sql.json", {"a1": ["SELECT 1"] * 5, "a2": ["SELECT 1"] * 4 + ["SELECT  1;"], "3": ["SELECT 1", "null"], "a4": [None, "null"]})
        self.outputs(sql="sql.json")
        self.assertEqual(self.rows(), [("a1", "SELECT 1", None, None, None)] + [(i, None, None, None, None) for i in ("a2", "3", "a4")])
        self.outputs(sql="sql.json", vote="folded")
        self.assertEqual(self.rows()[1], ("a2", "SELECT 1", None, None, None))

    def test_again_replaces(self):
        self.outputs(sql="sql.json", cls="cls.json", error="error.json")
        self.outputs(sql="sql.json")
        self.assertEqual(self.rows()[1], ("a2", "SELECT 2", "SELECT 2", None, None))
        self.assertEqual(self.query("SELECT count(*) FROM predictions"), [(4,)])

    def test_questions_without_output_are_counted(self):
        self.write("sql.json", {"a1": "SELECT 1"})
        self.assertIn("note: 3 questions have no prediction of s", self.outputs(sql="sql.json"))

    def fails(self, message, **parameters):
        return self.fail_script("import_trustsql_outputs.sql", message, system="s", dataset="atis", split="test", **parameters)

    def test_wrong_input_changes_nothing(self):
        self.fail_script("import_trustsql_outputs.sql", "@system is not set", sql="sql.json")
        self.fails("none of @sql, @cls and @error is set")
        self.fails("@vote is neither", sql="sql.json", vote="most")
        self.assertEqual(self.fails("cannot be read", sql="sql.json", cls="nowhere"), "error: the file nowhere cannot be read\n")
        for content, message in [("x", "is not JSON"), ([1], "not a JSON object"), ({"a1": 1}, "an output in @sql"), ({"a1": []}, "an output in @sql"),
                                 ({"a1": ["x", 2]}, "an output in @sql"), ('{"a1": "x", "a1": "y"}', "occurs twice"), ({"b": "SELECT 1"}, "not that of a question")]:
            self.write("bad.json", content)
            self.fails(message, sql="bad.json")
        self.write("bad.json", dict(CLS, a2="maybe"))
        self.assertEqual(self.fails("answerable or not_answerable", cls="bad.json"), "error: the output of atis/test/a2 in @cls is 'maybe'\n")
        self.write("bad.json", dict(ERROR, a2=None))
        self.fails("correct or incorrect", error="bad.json")
        self.write("bad.json", {k: CLS[k] for k in ("a1", "3", "a4")})
        self.assertEqual(self.fails("have different ids", sql="sql.json", cls="bad.json"), "error: atis/test/a2 is missing in @cls\n")
        self.write("bad.json", {"a1": "SELECT 1"})
        self.assertEqual(self.fails("have different ids", sql="bad.json", cls="cls.json"), "error: atis/test/a2 is missing in @sql\n")
        self.write("bad.json", {"a1": "correct"})
        self.assertEqual(self.fails("have different ids", sql="sql.json", cls="cls.json", error="bad.json"), "error: atis/test/a2 is missing in @error\n")
