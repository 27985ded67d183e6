from support import ScriptTest

DATA = {"version": "v1", "data": [{"id": "b", "question": "How?"}, {"id": "a", "question": "Why?"}]}
LABELS = {"a": "null", "b": "SELECT 1"}


class ImportEhrsql(ScriptTest):
    def test_questions_in_the_order_of_the_data(self):
        self.write("data.json", DATA)
        self.write("label.json", LABELS)
        output = self.run_script("import_ehrsql.sql", data="data.json", labels="label.json", database="mimic.sqlite", dataset="ehrsql", split="test")
        self.assertEqual(output, "2 questions, 1 of them infeasible\n")
        self.assertEqual(self.query("SELECT number, id, question, db_id, dataset, split FROM questions"), [
            (1, "ehrsql/test/b", "How?", "ehrsql", "ehrsql", "test"), (2, "ehrsql/test/a", "Why?", "ehrsql", "ehrsql", "test")])
        self.assertEqual(self.query("SELECT * FROM gold ORDER BY id"), [("ehrsql/test/a", None), ("ehrsql/test/b", "SELECT 1")])
        self.assertEqual(self.query("SELECT db_id, path FROM databases"), [("ehrsql", "mimic.sqlite")])

    def test_labels_alone(self):
        self.write("label.json", LABELS)
        self.run_script("import_ehrsql.sql", labels="label.json")
        self.assertEqual(self.query("SELECT id, question, db_id FROM questions"), [("a", None, None), ("b", None, None)])

    def test_predictions_of_the_same_ids(self):
        self.write("label.json", LABELS)
        self.run_script("import_ehrsql.sql", labels="label.json", dataset="ehrsql")
        self.run_script("import_predictions_json.sql", file="label.json", system="oracle", dataset="ehrsql")
        self.assertEqual(self.query("SELECT count(*), sum(pred IS gold) FROM answers"), [(2, 2)])

    def test_wrong_input_changes_nothing(self):
        self.write("data.json", DATA)
        self.write("label.json", LABELS)
        self.fail_script("import_ehrsql.sql", "@labels is not set", data="data.json")
        self.fail_script("import_ehrsql.sql", "the file @labels cannot be read", labels="nowhere")
        self.fail_script("import_ehrsql.sql", "the file @data cannot be read", labels="label.json", data="nowhere")
        for labels, message in [("x", "@labels is not JSON"), ([1], "not a JSON object"), ({"a": 1, "b": "x"}, "a label must be"), ('{"a": "x", "a": "y"}', "twice"),
                                ({"a": "x"}, "different ids"), (dict(LABELS, c="x"), "different ids")]:
            self.write("bad.json", labels)
            self.fail_script("import_ehrsql.sql", message, labels="bad.json", data="data.json")
        for data, message in [("x", "@data is not JSON"), ({"version": 1}, "an array data"), ([], "an array data"), ({"data": [{"id": "a"}]}, "each entry of @data"),
                              ({"data": [7]}, "each entry of @data"), ({"data": [{"id": "a", "question": ["x"]}]}, "each entry of @data"), ({"data": DATA["data"] + DATA["data"]}, "occurs twice in the file @data")]:
            self.write("bad.json", data)
            self.fail_script("import_ehrsql.sql", message, labels="label.json", data="bad.json")
