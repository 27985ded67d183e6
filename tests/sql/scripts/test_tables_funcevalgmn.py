"""import_csv_pairs.sql and tables_funcevalgmn.sql."""

import csv
import io
import json

from support import ScriptTest, printed_table

PAIRS = [
    ("p1", "d", "SELECT a FROM t WHERE b > 1", "SELECT a FROM t WHERE 1 < b", "1"),
    ("p2", "d", "SELECT count(*) FROM t", "SELECT count(1) FROM t", "1"),
    ("p3", "d", "SELECT a FROM t", "SELECT b FROM t", "0"),
    ("p4", "d", "SELECT max(a) FROM t", "SELECT \"x, y\" FROM t ORDER BY 1 LIMIT 1", "0"),
]
IMPORT = (".import --csv pairs.csv csv_pairs",)


def csv_text(rows, header=("id", "db_id", "a", "b", "label")):
    text = io.StringIO()
    csv.writer(text).writerows([header] + rows)
    return text.getvalue()


class ImportPairs(ScriptTest):
    def test_pairs(self):
        self.write("pairs.csv", csv_text(PAIRS))
        output = self.run_script("import_csv_pairs.sql", before=IMPORT, dataset="dev", databases="{db_id}.db")
        self.assertEqual(output, "4 pairs, 2 of which mean the same\n")
        self.assertEqual(self.query("SELECT id, dataset, db_id, a, b, label FROM pairs"), [("dev/" + i, "dev", d, a, b, int(label)) for i, d, a, b, label in PAIRS])
        self.assertEqual(self.query("SELECT * FROM databases"), [("d", "d.db", None)])
        self.assertEqual(self.query("SELECT name FROM sqlite_schema WHERE name LIKE 'csv%'"), [])

    def test_other_names_other_columns_and_again(self):
        self.write("pairs.csv", csv_text([("SELECT 1", "SELECT 2", "0.0", "gpt4"), ("SELECT 1", "SELECT 1", "1.0", "gpt4")], ("GOLD", "pred", "Label", "model")))
        for _ in range(2):
            self.run_script("import_csv_pairs.sql", before=IMPORT)
        self.assertEqual(self.query("SELECT id, a, b, label FROM pairs"), [("1", "SELECT 1", "SELECT 2", 0), ("2", "SELECT 1", "SELECT 1", 1)])

    def test_wrong_input_leaves_nothing_behind(self):
        self.fail_script("import_csv_pairs.sql", "there is no table csv_pairs")
        for content, message in [(csv_text([("x", "y")], ("a", "b")), "needs the columns"), (csv_text([("x", "y", "z", "1")], ("a", "b", "gold", "label")), "both a and gold"),
                                 (csv_text(PAIRS + [("p5", "d", " ", "SELECT 1", "1")]), "is empty"), (csv_text([("p", "d", "x", "y", "same")]), "neither 0 nor 1"),
                                 (csv_text(PAIRS + PAIRS[:1]), "occurs twice")]:
            self.write("pairs.csv", content)
            self.fail_script("import_csv_pairs.sql", message, before=IMPORT)
            self.assertEqual(self.query("SELECT name FROM sqlite_schema WHERE name LIKE 'csv%'"), [])
        self.write("pairs.csv", csv_text(PAIRS + [("p5", "e", "SELECT 1", "SELECT 1", "1")]))
        self.fail_script("import_csv_pairs.sql", "several databases", before=IMPORT, databases="one.db")


class TablesFuncEvalGmn(ScriptTest):
    def setUp(self):
        super().setUp()
        self.write("pairs.csv", csv_text(PAIRS + [("p6", "d", "SELECT nothing FROM t", "SELECT a FROM t", "0")]))
        self.run_script("import_csv_pairs.sql", before=IMPORT)
        self.execute("UPDATE databases SET ddl = 'CREATE TABLE t(a INTEGER, b INTEGER, \"x, y\" TEXT)'")

    def table(self, **parameters):
        output = self.run_script("tables_funcevalgmn.sql", load=True, **parameters)
        return output, {row[1]: row[2:] for row in printed_table(output, "Table 1.")}

    def test_every_metric(self):
        output, rows = self.table()
        self.assertIn("note: 1 pairs cannot be prepared and are left out", output)
        self.assertEqual(list(rows), ["BLEU", "CrystalBLEU", "CodeBLEU", "ASTPM", "RelPM", "FuncEvalGMN", "Exact set match", "Prover", "Verdict"])
        self.assertEqual(rows["Prover"], ["4", "2", "1.0000", "1.0000", "1.0000", "1.0000"])
        self.assertEqual(rows["RelPM"][:3], ["4", "2", "1.0000"])

    def test_execution_where_there_are_files(self):
        self.shell("ATTACH 'd.sqlite' AS d; CREATE TABLE d.t(a INTEGER, b INTEGER, \"x, y\" TEXT); INSERT INTO d.t VALUES (1, 2, 'z'), (5, 1, 'y')")
        self.execute("UPDATE databases SET path = 'd.sqlite', ddl = NULL")
        rows = self.table()[1]
        self.assertEqual(rows["Execution"][2], "1.0000")
        self.assertEqual(self.table(suites=".")[1]["Test suite"][2], "1.0000")  # a suite of one database

    def test_where_all_labels_are_equal_nothing_correlates(self):
        self.execute("DELETE FROM pairs WHERE label = 0")
        self.assertEqual(self.table()[1]["BLEU"], ["2", "2", "-", "-", "-", "-"])

    def test_own_metrics(self):
        rows = self.table(metrics='{"recall":{"metric":"relpm","beta":3}}', opts='{"alpha":0.4}')[1]
        self.assertEqual(list(rows), ["recall"])

    def test_wrong_parameters(self):
        self.fail_script("tables_funcevalgmn.sql", "the extension is not loaded")
        for parameters, message in [({"dataset": "none"}, "there are no pairs"), ({"metrics": '{"a":{}}'}, "@metrics is not"), ({"metrics": "7"}, "@metrics is not"), ({"opts": "[]"}, "@opts is not")]:
            self.fail_script("tables_funcevalgmn.sql", message, load=True, **parameters)

    # A fifth of the annotated pairs for Spider's validation databases.
    def test_development_data(self):
        with open(self.data("pairs/spider_pair_validation.jsonl"), encoding="utf-8") as lines:
            pairs = [json.loads(line) for line in lines][::5]
        self.execute("DELETE FROM pairs; UPDATE databases SET ddl = NULL")
        self.write("pairs.csv", csv_text([(p["id"], p["db_id"], p["a"], p["b"], p["label"]) for p in pairs]))
        self.run_script("import_csv_pairs.sql", before=IMPORT, dataset="spider-pair", databases=self.data("spider/databases") + "/{db_id}.sqlite")
        rows = self.table()[1]
        self.assertEqual({row[0] for row in rows.values()}, {str(len(pairs))})
        self.assertGreater(float(rows["RelPM"][2]), float(rows["BLEU"][2]))
        self.assertGreater(float(rows["FuncEvalGMN"][2]), float(rows["RelPM"][2]))
        self.assertGreater(float(rows["Verdict"][2]), 0.9)
