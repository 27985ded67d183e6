from support import ScriptTest

DEV = [
    {"question_id": 0, "db_id": "schools", "question": "What is the highest rate?", "evidence": "rate = free / enrolled", "SQL": "SELECT max(free / enrolled) FROM frpm", "difficulty": "simple"},
    {"question_id": 7, "db_id": "cards", "question": "Which?", "evidence": "", "SQL": "SELECT name\nFROM card", "difficulty": "challenging"},
]


class ImportBird(ScriptTest):
    def test_questions(self):
        self.write("dev.json", DEV)
        output = self.run_script("import_bird.sql", file="dev.json", databases="dev_databases/{db_id}/{db_id}.sqlite", dataset="bird")
        self.assertEqual(output, "2 questions on 2 databases, 1 with evidence\n")
        self.assertEqual(self.query("SELECT id, question, db_id, dataset, hardness, evidence FROM questions ORDER BY number"), [
            ("bird/0", "What is the highest rate?", "schools", "bird", "simple", "rate = free / enrolled"), ("bird/7", "Which?", "cards", "bird", "challenging", None)])
        self.assertEqual(self.query("SELECT * FROM gold ORDER BY id"), [("bird/0", DEV[0]["SQL"]), ("bird/7", DEV[1]["SQL"])])
        self.assertEqual(self.query("SELECT path FROM databases ORDER BY 1"), [("dev_databases/cards/cards.sqlite",), ("dev_databases/schools/schools.sqlite",)])

    def test_training_questions_have_no_ids(self):
        self.write("train.json", [{k: v for k, v in entry.items() if k not in ("question_id", "difficulty")} for entry in DEV])
        self.run_script("import_bird.sql", file="train.json", split="train")
        self.assertEqual(self.query("SELECT id, hardness FROM questions ORDER BY number"), [("train/0", None), ("train/1", None)])

    def test_again_replaces(self):
        self.write("dev.json", DEV)
        self.run_script("import_bird.sql", file="dev.json")
        self.write("dev.json", [dict(DEV[1], SQL="SELECT 1", evidence="x")])
        self.run_script("import_bird.sql", file="dev.json")
        self.assertEqual(self.query("SELECT id, evidence, sql FROM questions JOIN gold USING (id) ORDER BY number"),
                         [("0", "rate = free / enrolled", DEV[0]["SQL"]), ("7", "x", "SELECT 1")])

    def test_wrong_input_changes_nothing(self):
        self.fail_script("import_bird.sql", "@file is not set")
        self.fail_script("import_bird.sql", "cannot be read", file="nowhere.json")
        for content, message in [("x", "is not JSON"), ({"a": 1}, "not a JSON array"), ([7], "each entry needs"), ([dict(DEV[0], SQL=None)], "each entry needs"),
                                 ([{"db_id": "d", "question": "q", "query": "SELECT 1"}], "each entry needs"), ([DEV[0], DEV[0]], "occurs twice")]:
            self.write("bad.json", content)
            self.fail_script("import_bird.sql", message, file="bad.json")
        self.write("dev.json", DEV)
        self.fail_script("import_bird.sql", "several databases", file="dev.json", databases="one.db")
