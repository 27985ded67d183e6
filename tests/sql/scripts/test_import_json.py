from support import ScriptTest


class ImportJson(ScriptTest):
    def setUp(self):
        super().setUp()
        self.write("label.json", {"q1": "SELECT 1", "q2": "null", "q3": "SELECT 3"})
        self.run_script("import_ehrsql.sql", labels="label.json")

    def test_null_is_an_abstention(self):
        self.write("p.json", '\ufeff{"q1": "SELECT 1", "q2": "null", "q3": null}')
        self.assertEqual(self.run_script("import_predictions_json.sql", file="p.json", system="a"), "3 predictions of a, 2 of them abstentions\n")
        self.write("p.json", {"q1": " NULL ", "q2": "", "q3": "SELECT 'null'"})
        self.run_script("import_predictions_json.sql", file="p.json", system="b")
        self.assertEqual(self.query("SELECT system, id, pred FROM predictions ORDER BY system, id"), [
            ("a", "q1", "SELECT 1"), ("a", "q2", None), ("a", "q3", None), ("b", "q1", None), ("b", "q2", None), ("b", "q3", "SELECT 'null'")])

    def test_missing_questions_are_named_not_guessed(self):
        self.write("p.json", {"q2": "SELECT 2"})
        output = self.run_script("import_predictions_json.sql", file="p.json", system="a")
        self.assertEqual(output, "1 predictions of a, 0 of them abstentions\nnote: 2 questions have no prediction of a\n")
        self.assertEqual(self.query("SELECT id FROM predictions"), [("q2",)])

    def test_wrong_input_changes_nothing(self):
        self.write("p.json", {"q1": "SELECT 1"})
        self.fail_script("import_predictions_json.sql", "@file is not set", system="a")
        self.fail_script("import_predictions_json.sql", "@system is not set", file="p.json")
        for content, message in [("x", "is not JSON"), (["q1"], "not a JSON object"), ({"q1": 1}, "must be a text or null"), ({"q1": {"sql": "x"}}, "must be a text"),
                                 ('{"q1": "a", "q1": "b"}', "occurs twice"), ({"q1": "a", "q9": "b"}, "not that of a question")]:
            self.write("p.json", content)
            self.fail_script("import_predictions_json.sql", message, file="p.json", system="a")
