from support import ScriptTest

SETUP = """
    WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 999)
    INSERT INTO questions(id, question, db_id) SELECT 'q' || i, 'question ' || i, 'db' || (i % 4) FROM n;
    INSERT INTO gold SELECT id, CASE WHEN number % 10 = 0 THEN NULL
      ELSE 'SELECT c' || (number % 20 / 4) || ' FROM t WHERE a = ' || number END FROM questions;
    INSERT INTO questions(id, question) VALUES ('open', 'nobody knows');
"""
# What a test calls a structure, without sql_skeleton: database and column.
STRUCTURES = "SELECT q.db_id || substr(g.sql, 8, 2) AS s, q.* FROM questions q JOIN gold g USING (id) WHERE g.sql IS NOT NULL"


class Split(ScriptTest):
    def setUp(self):
        super().setUp()
        self.execute(SETUP)

    def splits(self):
        return self.query("SELECT id, split, seen FROM questions ORDER BY number")

    def count(self, where):
        return self.query(f"SELECT count(DISTINCT s) FROM ({STRUCTURES}) WHERE {where}")[0][0]

    def test_structures(self):
        self.run_script("split.sql", load=True)
        all_structures = self.count("1")
        fifth = round(all_structures / 5)
        self.assertEqual(self.count("split = 'train'"), all_structures - 2 * fifth)
        self.assertEqual(self.count("split = 'validation'"), all_structures - fifth)
        self.assertEqual(self.count("split = 'test'"), all_structures - fifth)
        self.assertEqual(self.count("split = 'validation' AND seen = 'unseen'"), fifth)
        self.assertEqual(self.count("split = 'test' AND seen = 'unseen'"), fifth)
        # For a structure that is in all splits, three fifths of the questions are in training.
        for structure, train, validation, test in self.query(
                f"SELECT s, sum(split IS 'train'), sum(split IS 'validation'), sum(split IS 'test') FROM ({STRUCTURES}) GROUP BY s HAVING sum(split IS 'train') > 0"):
            self.assertLessEqual(abs(train - 3 * validation), 3, structure)
            self.assertLessEqual(abs(validation - test), 1, structure)

    def test_seen_is_what_training_has(self):
        self.run_script("split.sql", load=True)
        self.assertEqual(self.query(f"WITH x AS ({STRUCTURES}) SELECT count(*) FROM x WHERE split IN ('validation', 'test') "
                                    "AND (seen = 'seen') IS NOT (s IN (SELECT s FROM x WHERE split = 'train'))"), [(0,)])
        self.assertEqual(self.query("SELECT count(*) FROM questions WHERE seen IS NOT NULL AND split IS NOT 'validation' AND split IS NOT 'test'"), [(0,)])

    def test_infeasible_questions_are_for_test(self):
        self.execute("UPDATE questions SET split = 'kept' WHERE id = 'open'")
        self.run_script("split.sql", load=True)
        self.assertEqual(self.query("SELECT DISTINCT split, seen FROM questions JOIN gold USING (id) WHERE sql IS NULL"), [("test", None)])
        self.assertEqual(self.query("SELECT split FROM questions WHERE id = 'open'"), [("kept",)])

    def test_the_seed_decides(self):
        self.run_script("split.sql", load=True)
        first = self.splits()
        self.run_script("split.sql", load=True)
        self.assertEqual(self.splits(), first)
        self.run_script("split.sql", load=True, seed=7)
        self.assertNotEqual(self.splits(), first)

    def test_a_structure_of_few_questions(self):
        self.execute("DELETE FROM gold; DELETE FROM questions; INSERT INTO questions(id) VALUES ('a'), ('b'); "
                     "INSERT INTO gold VALUES ('a', 'SELECT x FROM t WHERE y = 1'), ('b', 'SELECT x FROM t WHERE y = 2')")
        self.run_script("split.sql", load=True)
        splits = {split for _, split, _ in self.splits()}
        self.assertIn(splits, ({"train", "validation"}, {"train", "test"}))

    def test_by_database(self):
        self.execute("UPDATE questions SET split = CASE db_id WHEN 'db0' THEN 'train' ELSE 'dev' END, dataset = 'd'")
        self.run_script("split.sql", load=True, by="database", split="dev", dataset="d")
        halves = self.query("SELECT split, count(DISTINCT db_id) FROM questions JOIN gold USING (id) WHERE sql IS NOT NULL GROUP BY split ORDER BY 1")
        self.assertEqual(halves, [("test", 2), ("train", 1), ("validation", 1)])
        self.assertEqual(self.query("SELECT DISTINCT seen FROM questions JOIN gold USING (id) WHERE split IN ('validation', 'test') AND sql IS NOT NULL"), [("unseen",)])

    def test_other_data_sets_stay(self):
        self.execute("UPDATE questions SET dataset = CASE WHEN number % 2 THEN 'a' ELSE 'b' END, split = 'old', seen = 'seen'")
        self.run_script("split.sql", load=True, dataset="a")
        self.assertEqual(self.query("SELECT DISTINCT split, seen FROM questions WHERE dataset = 'b'"), [("old", "seen")])

    def test_failures_change_nothing(self):
        before = self.splits()
        self.fail_script("split.sql", "the extension is not loaded")
        self.fail_script("split.sql", "neither 'structure' nor 'database'", load=True, by="hardness")
        self.fail_script("split.sql", "not an integer", load=True, seed="x")
        self.fail_script("split.sql", "no such questions", load=True, dataset="unknown")
        self.execute("UPDATE gold SET sql = 'SELEC 1' WHERE id = 'q7'")
        self.fail_script("split.sql", "sql_skeleton: line 1, column 1", load=True)
        self.execute("UPDATE questions SET db_id = NULL WHERE id = 'q8'")
        self.fail_script("split.sql", "names none", load=True, by="database")
        self.assertEqual(self.splits(), before)
