from support import ScriptTest

SETUP = """
    CREATE TABLE singer(name TEXT);
    INSERT INTO singer VALUES ('a'), ('b');
    INSERT INTO questions(id, hardness) VALUES ('1', 'easy'), ('2', 'hard'), ('3', NULL);
    INSERT INTO gold VALUES ('1', 'SELECT count(*) FROM singer'), ('2', 'SELECT name FROM singer'), ('3', NULL);
    INSERT INTO predictions(system, id, pred) VALUES
      ('bold', '1', 'SELECT 2'), ('bold', '2', 'SELECT 3'), ('bold', '3', 'SELECT 4'),
      ('shy', '1', 'SELECT sum(1) FROM singer'), ('shy', '2', NULL), ('shy', '3', NULL);
"""


def rows(output):
    """The cells of a box, without its borders."""
    return [[cell.strip() for cell in line.strip("\u2502").split("\u2502")] for line in output.splitlines() if line.startswith("\u2502")]


class Score(ScriptTest):
    def setUp(self):
        super().setUp()
        self.execute(SETUP)

    def test_totals(self):
        cells = rows(self.run_script("score.sql", load=True))
        self.assertIn(["bold", "3", "1", "0", "1", "1", "0", "0", "0"], cells)
        self.assertIn(["shy", "3", "1", "1", "0", "0", "1", "0", "0"], cells)
        self.assertIn(["ABSTAIN-ALL", "33.3", "33.3", "33.3", "0.0", "-"], cells)
        self.assertIn(["bold", "33.3", "-633.3", "-166.7", "100.0", "33.3"], cells)
        self.assertIn(["shy", "66.7", "66.7", "66.7", "33.3", "100.0"], cells)

    def test_groups_and_options(self):
        cells = rows(self.run_script("score.sql", load=True, by="hardness", opts='{"missing":"count"}'))
        self.assertIn(["hard", "bold", "1", "0.0", "-1000.0", "-100.0", "100.0", "0.0"], cells)
        self.assertIn(["-", "shy", "1", "100.0", "100.0", "100.0", "0.0", "-"], cells)
        cells = rows(self.run_script("score.sql", load=True, by='["hardness","system"]'))
        self.assertIn(["easy shy", "shy", "1", "100.0", "100.0", "100.0", "100.0", "100.0"], cells)

    def test_groups_of_hardness_are_in_their_order(self):
        self.execute("INSERT INTO questions(id, hardness) VALUES ('4', 'extra'), ('5', 'medium'); INSERT INTO gold VALUES ('4', 'SELECT 1'), ('5', 'SELECT 1');"
                     "INSERT INTO predictions(system, id) VALUES ('bold', '4'), ('bold', '5'), ('shy', '4'), ('shy', '5')")
        cells = rows(self.run_script("score.sql", load=True, by="hardness"))
        self.assertEqual([row[0] for row in cells if row[1] == "shy"], ["-", "easy", "medium", "hard", "extra"])

    def test_another_source(self):
        cells = rows(self.run_script("score.sql", load=True, source="SELECT * FROM answers WHERE system = 'shy'"))
        self.assertNotIn("bold", [row[0] for row in cells])

    def test_failures(self):
        self.fail_script("score.sql", "the extension is not loaded")
        self.fail_script("score.sql", "@opts is not a JSON object", load=True, opts="semantics")
        self.fail_script("score.sql", "@opts is not a JSON object", load=True, opts="[1]")
        self.fail_script("score.sql", "unknown option 'colour'", load=True, opts='{"colour":1}')
        self.fail_script("score.sql", "no column 'mood'", load=True, by="mood")
        self.execute("DELETE FROM predictions WHERE system = 'shy' AND id = '3'")
        self.fail_script("score.sql", "rs_report", load=True)
        self.run_script("score.sql", load=True, opts='{"missing":"count"}')
        self.execute("UPDATE gold SET sql = 'SELECT nope FROM singer' WHERE id = '1'")
        self.fail_script("score.sql", "no such column: nope", load=True, opts='{"missing":"count"}')
