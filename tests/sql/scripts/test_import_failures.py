"""What every import script must not do when it fails: leave a table behind, or the shell inside a transaction."""

import glob
import os
import subprocess

from support import SCRIPTS, SHELL, ScriptTest

INPUT = {
    "import_spider.sql": {"file": "spider.json"}, "import_trustsql.sql": {"file": "trustsql.json"}, "import_bird.sql": {"file": "bird.json"},
    "import_trustsql_outputs.sql": {"sql": "outputs.json", "system": "s"}, "import_predictions_json.sql": {"file": "outputs.json", "system": "s"},
    "import_predictions.sql": {"file": "lines.txt", "system": "s"}, "import_gold.sql": {"file": "lines.txt"}, "import_tables.sql": {"file": "tables.json"},
    "import_elements.sql": {"file": "elements.txt"}, "import_hallucinations.sql": {"file": "hallucinations.json"}, "import_ehrsql.sql": {"labels": "outputs.json"},
    "import_csv_questions.sql": ".import --csv questions.csv csv_questions", "import_csv_predictions.sql": ".import --csv predictions.csv csv_predictions",
    "import_csv_pairs.sql": ".import --csv pairs.csv csv_pairs",
}


class ImportFailures(ScriptTest):
    tables = False

    def setUp(self):
        super().setUp()
        self.write("spider.json", [{"db_id": "d", "question": "q", "query": "SELECT 1"}])
        self.write("trustsql.json", [{"id": "1", "db_id": "d", "question": "q", "query": "SELECT 1"}])
        self.write("bird.json", [{"db_id": "d", "question": "q", "SQL": "SELECT 1"}])
        self.write("outputs.json", {"1": "SELECT 1"})
        self.write("lines.txt", "SELECT 1\n")
        self.write("elements.txt", "d.t.a\n")
        self.write("tables.json", [{"db_id": "d", "table_names_original": ["t"], "column_names_original": [[-1, "*"], [0, "a"]], "column_types": ["text", "text"],
                                    "primary_keys": [], "foreign_keys": []}])
        self.write("hallucinations.json", [{"id": "1", "question": "q", "hallucinated": ["t(a)"]}])
        self.write("questions.csv", "id,question\n1,q\n")
        self.write("predictions.csv", "system,id,pred\ns,1,SELECT 1\n")
        self.write("pairs.csv", "a,b,label\nSELECT 1,SELECT 1,1\n")

    # The tables of create_tables.sql are missing, and the shell goes on after the error, as it does for a person.
    def test_a_session_goes_on(self):
        scripts = sorted(os.path.basename(path) for path in glob.glob(os.path.join(SCRIPTS, "import_*.sql")))
        self.assertEqual(scripts, sorted(INPUT))
        for number, script in enumerate(scripts):
            with self.subTest(script):
                given = INPUT[script]
                before = given if isinstance(given, str) else "\n".join(".parameter set @%s %s" % item for item in given.items())
                session = "%s\n.read '%s'\nCREATE TABLE after_%d(x);\n.quit\n" % (before, os.path.join(SCRIPTS, script), number)
                done = subprocess.run([SHELL, "-interactive", "t.db"], input=session.encode(), cwd=self.folder, capture_output=True, timeout=60, check=False,
                                      env=dict(os.environ, HOME=self.folder))
                self.assertIn("the tables are missing; first .read sql/create_tables.sql", done.stderr.decode() + done.stdout.decode())
                self.assertEqual(self.query("SELECT name FROM sqlite_schema ORDER BY rowid"), [("after_%d" % i,) for i in range(number + 1)])
