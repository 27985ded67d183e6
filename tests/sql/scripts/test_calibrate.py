from support import ScriptTest
from test_score import rows

# Ten questions in each split; the system is right above a confidence of 0.5 and wrong below it. q9 and q10 are infeasible.
SETUP = """
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 10), s(split) AS (VALUES ('validation'), ('test'))
    INSERT INTO questions(id, split) SELECT split || i, split FROM s, n;
    INSERT INTO gold SELECT id, CASE WHEN id LIKE '%9' OR id LIKE '%10' THEN NULL ELSE 'SELECT 1' END FROM questions;
    INSERT INTO predictions(system, id, pred, confidence)
    SELECT 'ranked', id, CASE WHEN number % 10 BETWEEN 1 AND 5 THEN 'SELECT 1' ELSE 'SELECT 2' END, CASE WHEN number % 10 BETWEEN 1 AND 5 THEN 0.9 ELSE 0.2 END
    FROM questions;
    INSERT INTO predictions(system, id, pred) SELECT 'plain', id, 'SELECT 1' FROM questions;
"""


class Calibrate(ScriptTest):
    def setUp(self):
        super().setUp()
        self.execute(SETUP)

    def calibrate(self, **parameters):
        return rows(self.run_script("calibrate.sql", load=True, **{"from": "validation", "to": "test"}, **parameters))

    def test_threshold_of_one_split_is_applied_to_the_other(self):
        cells = self.calibrate()
        self.assertIn(["ranked", "validation", '{"method":"heuristic"}', "0.9"], cells)
        self.assertIn(["ABSTAIN-ALL", "as it is", "10", "0.0", "-", "20.0", "20.0", "20.0"], cells)
        self.assertIn(["ranked", "as it is", "10", "100.0", "50.0", "50.0", "-450.0", "-450.0"], cells)
        self.assertIn(["ranked", "calibrated", "10", "50.0", "100.0", "70.0", "70.0", "70.0"], cells)
        self.assertNotIn("plain", [row[0] for row in cells])
        self.assertEqual(self.query("SELECT count(*), sum(pred IS NULL), sum(raw IS NULL) FROM calibrated WHERE split = 'test'"), [(10, 5, 0)])

    def test_again_with_another_method(self):
        self.calibrate()
        self.calibrate(method='{"method":"selective_risk","alpha":0.01}')
        self.assertEqual(self.query("SELECT system, threshold FROM thresholds"), [("ranked", None)])
        self.assertEqual(self.query("SELECT count(pred) FROM calibrated"), [(0,)])

    def test_options_hold_for_the_threshold_and_the_scores(self):
        # With on_gold_error skip, questions whose gold query fails count nowhere; without it, they stop everything.
        self.execute("UPDATE gold SET sql = 'SELECT nope' WHERE id IN ('validation1', 'test1')")
        self.fail_script("calibrate.sql", "no such column: nope", load=True, **{"from": "validation", "to": "test"})
        cells = self.calibrate(opts='{"on_gold_error":"skip","bootstrap":0,"by":["split"]}')
        self.assertIn(["ranked", "calibrated", "9", "44.4", "100.0", "66.7", "66.7", "66.7"], cells)

    def test_failures(self):
        self.fail_script("calibrate.sql", "@opts is not a JSON object", load=True, **{"from": "validation", "to": "test", "opts": "[]"})
        self.fail_script("calibrate.sql", "the extension is not loaded", **{"from": "validation", "to": "test"})
        self.fail_script("calibrate.sql", "@from is not set", load=True, to="test")
        self.fail_script("calibrate.sql", "@to is not set", load=True, **{"from": "test"})
        self.fail_script("calibrate.sql", "are the same split", load=True, **{"from": "test", "to": "test"})
        self.fail_script("calibrate.sql", "in the split @from", load=True, **{"from": "dev", "to": "test"})
        self.fail_script("calibrate.sql", "in the split @to", load=True, **{"from": "validation", "to": "final"})
        self.fail_script("calibrate.sql", "unknown option", load=True, **{"from": "validation", "to": "test", "method": '{"way":1}'})
        self.execute("UPDATE predictions SET confidence = NULL WHERE id = 'test3'")
        self.fail_script("calibrate.sql", "no system has a confidence", load=True, **{"from": "validation", "to": "test"})
