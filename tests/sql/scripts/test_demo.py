import os

from support import ScriptTest
from test_report import Page
from test_score import rows


class Demo(ScriptTest):
    tables = False

    def test_shows_the_whole_way(self):
        output = self.run_script("demo.sql", load=True)
        cells = rows(output)
        self.assertIn(["v05", "What is the longest book?", "I", "III", "I", "III", "III"], cells)
        self.assertIn(["ABSTAIN-ALL", "24", "0", "16", "0", "0", "8", "33.3", "33.3", "33.3", "0.0", "-"], cells)
        self.assertIn(["careful", "24", "14", "2", "0", "0", "8", "91.7", "91.7", "91.7", "58.3", "100.0"], cells)
        self.assertIn(["hasty", "24", "8", "0", "8", "8", "0", "33.3", "-633.3", "-1566.7", "100.0", "33.3"], cells)
        self.assertIn(["ranked, RS(10)", "6", "2", "0", "1", "3", "75.0", "-8.3", "-25.0", "58.3", "85.7"], cells)
        with open(self.path("trustsql-demo.html"), encoding="utf-8") as file:
            page = Page(file.read())
        self.assertEqual(page.headings[0], "Five systems on the questions of a library")
        self.assertEqual(page.headings[-1], "Wrong answers")

    def test_writes_where_it_is_told(self):
        self.run_script("demo.sql", load=True, html="other.html")
        self.assertTrue(os.path.exists(self.path("other.html")))

    def test_failures(self):
        self.fail_script("demo.sql", "the extension is not loaded")
        self.execute("CREATE TABLE mine(a)")
        self.fail_script("demo.sql", "this database has tables already", load=True)
        self.assertEqual(self.query("SELECT name FROM sqlite_schema"), [("mine",)])
