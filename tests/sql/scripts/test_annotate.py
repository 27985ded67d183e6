from support import ScriptTest


class Annotate(ScriptTest):
    def test_hardness_seen_and_type(self):
        train = [("t1", "SELECT a FROM t WHERE b = 1"), ("t2", "SELECT a FROM t JOIN u USING (x)")]
        test = [("1", "SELECT a FROM t WHERE b = 2"), ("2", "SELECT max(a) FROM t"), ("3", "SELECT a FROM t WHERE b IN (SELECT b FROM u)"), ("4", "SELECT FROM")]
        self.write("train.json", [{"id": i, "db_id": "d", "question": "?", "query": q} for i, q in train])
        self.write("test.json", [{"id": i, "db_id": "d", "question": "?", "query": q} for i, q in test]
                   + [{"id": "i%d" % i, "db_id": "d", "question": "?", "query": "null", "type": t} for i, t in enumerate(("Surface", "column_related", "Non SQL", "odd", None))])
        self.run_script("import_trustsql.sql", file="train.json", split="train")
        self.run_script("import_trustsql.sql", file="test.json", split="test")
        output = self.run_script("annotate.sql", load=True)
        self.assertIn("note: 1 gold queries cannot be parsed", output)
        self.assertIn("note: 1 infeasible questions have no type", output)
        self.assertEqual(self.query("SELECT id, hardness, seen, type FROM questions ORDER BY number"), [
            ("train/t1", "easy", None, None), ("train/t2", "medium", None, None), ("test/1", "easy", "seen", None), ("test/2", "easy", "unseen", None),
            ("test/3", "hard", "unseen", None), ("test/4", None, None, None), ("test/i0", None, None, "column-surface"), ("test/i1", None, None, "column-related"),
            ("test/i2", None, None, "non-sql"), ("test/i3", None, None, "odd"), ("test/i4", None, None, None)])

    def test_a_structure_counts_in_its_own_database_and_data_set(self):
        for dataset, split, db in (("a", "train", "x"), ("a", "test", "x"), ("a", "valid", "y"), ("b", "test", "x")):
            self.write("q.json", [{"id": "1", "db_id": db, "question": "?", "query": "SELECT 1"}])
            self.run_script("import_trustsql.sql", file="q.json", dataset=dataset, split=split)
        output = self.run_script("annotate.sql", load=True)
        self.assertIn("note: data set b has no training questions", output)
        self.assertEqual(self.query("SELECT id, seen FROM questions ORDER BY number"),
                         [("a/train/1", None), ("a/test/1", "seen"), ("a/valid/1", "unseen"), ("b/test/1", None)])

    def test_wrong_parameters(self):
        self.fail_script("annotate.sql", "the extension is not loaded")
        self.fail_script("annotate.sql", "there are no such questions", load=True)
        self.fail_script("annotate.sql", "@scheme is neither", load=True, scheme="bird")
