from support import ScriptTest


class ImportPredictions(ScriptTest):
    def setUp(self):
        super().setUp()
        self.write("dev.json", [{"db_id": "d", "question": str(i), "query": "SELECT %d" % i} for i in range(4)])
        self.run_script("import_spider.sql", file="dev.json")

    def predictions(self):
        return self.query("SELECT system, id, pred FROM predictions ORDER BY system, id")

    def test_lines_are_answers_in_the_order_of_the_questions(self):
        self.write("p.txt", "SELECT 0\r\n\r\nnull\r\nSELECT 3\td\r\n")
        self.assertEqual(self.run_script("import_predictions.sql", file="p.txt", system="a"), "4 predictions of a, 2 of them abstentions\n")
        self.assertEqual(self.predictions(), [("a", "0", "SELECT 0"), ("a", "1", None), ("a", "2", None), ("a", "3", "SELECT 3")])

    def test_the_last_answers_may_be_abstentions(self):
        for content in ("SELECT 0\nSELECT 1\n\n\n", "SELECT 0\nSELECT 1\n\n\n\n\n", "SELECT 0\nSELECT 1\n\nnull", "\n\n\n\n"):
            self.write("p.txt", content)
            self.run_script("import_predictions.sql", file="p.txt", system="a")
            self.assertEqual([pred for _, _, pred in self.predictions()], ["SELECT 0", "SELECT 1", None, None] if "S" in content else [None] * 4)

    def test_blank_lines_may_be_separators(self):
        self.write("p.txt", "SELECT 0\n\nSELECT 1\n\nSELECT 2\n\nSELECT 3\n")
        self.run_script("import_predictions.sql", file="p.txt", system="a")
        self.assertEqual([pred for _, _, pred in self.predictions()], ["SELECT %d" % i for i in range(4)])

    def test_again_replaces_one_system_alone(self):
        self.write("p.txt", "A\nB\nC\nD\n")
        self.run_script("import_predictions.sql", file="p.txt", system="a")
        self.run_script("import_predictions.sql", file="p.txt", system="b")
        self.write("p.txt", "E\nF\nG\nnull\n")
        self.run_script("import_predictions.sql", file="p.txt", system="a")
        self.assertEqual([pred for _, _, pred in self.predictions()], ["E", "F", "G", None, "A", "B", "C", "D"])

    def test_one_split(self):
        self.write("dev.json", [{"db_id": "d", "question": "x", "query": "SELECT 9"}])
        self.run_script("import_spider.sql", file="dev.json", split="test")
        self.write("p.txt", "SELECT 9")
        self.run_script("import_predictions.sql", file="p.txt", system="a", split="test")
        self.assertEqual(self.predictions(), [("a", "test/0", "SELECT 9")])

    def test_many_rows(self):
        self.write("dev.json", [{"db_id": "d", "question": "x"}] * 30000)
        self.run_script("import_spider.sql", file="dev.json", split="big")
        self.write("p.txt", "".join("SELECT '%s', %d\n" % ("\\n\"" * 50, i) for i in range(30000)))
        self.run_script("import_predictions.sql", file="p.txt", system="a", split="big")
        self.assertEqual(self.query("SELECT count(*), sum(pred LIKE '%, ' || substr(id, 5)) FROM predictions"), [(30000, 30000)])

    def test_wrong_input_changes_nothing(self):
        self.write("p.txt", "A\nB\nC\n")
        self.fail_script("import_predictions.sql", "@file is not set", system="a")
        self.fail_script("import_predictions.sql", "@system is not set", file="p.txt")
        self.fail_script("import_predictions.sql", "cannot be read", file="nowhere", system="a")
        output = self.fail_script("import_predictions.sql", "not have one line for each question", file="p.txt", system="a")
        self.assertEqual(output, "error: 3 lines for 4 questions\n")
        self.fail_script("import_predictions.sql", "there are no questions", file="p.txt", system="a", split="nope")
        for content in ("A\nB\n\nC\nD\nE\n", "A\nB\nC\nD\nE\n", "A\nB\n\n", "\n\n\n", ""):
            self.write("p.txt", content)
            self.fail_script("import_predictions.sql", "not have one line for each question", file="p.txt", system="a")
