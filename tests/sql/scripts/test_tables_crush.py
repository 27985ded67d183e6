"""import_elements.sql, import_hallucinations.sql and tables_crush.sql."""

import json

from support import ScriptTest

UNION = "air.airport.code\nair.airport.city name\nair.flight.no. of seats (v1.2)\nzoo.animal.name\nzoo.animal.age\n"
RECORDED = [
    {"question_id": 1, "db_id": "zoo", "question": "How old is each animal?", "evidence": "", "hallucinated": ["Animals(name, age)"], "gold_elements": ["zoo.animal.age", "zoo.animal.name"]},
    {"question_id": 2, "db_id": "air", "question": "Which city has the airport JFK?", "evidence": "JFK is a code", "hallucinated": ["Airports(code, city)"],
     "gold_elements": ["air.airport.code", "air.airport.city name", "air.airport.gone"]},
]


class ImportElements(ScriptTest):
    def elements(self):
        return self.query("SELECT corpus, db, tbl, col FROM elements ORDER BY rowid")

    def test_elements(self):
        self.write("union.txt", "\ufeff" + UNION.replace("\n", "\r\n") + "\r\nzoo.animal.age\r\n")
        self.assertEqual(self.run_script("import_elements.sql", file="union.txt", corpus="u"), "5 elements of 3 tables in 2 databases\n")
        self.assertEqual(self.elements(), [("u", "air", "airport", "code"), ("u", "air", "airport", "city name"), ("u", "air", "flight", "no. of seats (v1.2)"),
                                           ("u", "zoo", "animal", "name"), ("u", "zoo", "animal", "age")])

    def test_a_single_schema_and_again(self):
        self.write("schema.txt", "animal.name\nanimal.age.years")
        for _ in range(2):
            self.assertEqual(self.run_script("import_elements.sql", file="schema.txt", format="table.column"), "2 elements of 1 tables in 1 databases\n")
        self.assertEqual(self.elements(), [("union", None, "animal", "name"), ("union", None, "animal", "age.years")])

    def test_wrong_input_changes_nothing(self):
        self.fail_script("import_elements.sql", "@file is not set")
        self.fail_script("import_elements.sql", "cannot be read", file="nowhere")
        self.write("union.txt", UNION)
        self.fail_script("import_elements.sql", "@format is neither", file="union.txt", format="csv")
        for content, message in [("\n \n", "has no elements"), ("a.b\n", "lacks a part"), (UNION + "x..y\n", "lacks a part"), (".b.c", "lacks a part")]:
            self.write("bad.txt", content)
            self.fail_script("import_elements.sql", message, file="bad.txt")


class ImportHallucinations(ScriptTest):
    def recorded(self):
        return self.query("SELECT h.id, h.schema, h.gold, q.question, q.db_id, q.evidence FROM hallucinations h JOIN questions q USING (id) ORDER BY number")

    expected = [(str(r["question_id"]), json.dumps(r["hallucinated"]).replace(", \"", ",\""), json.dumps(r["gold_elements"]).replace(", ", ","), r["question"], r["db_id"], r["evidence"] or None)
                for r in RECORDED]

    def test_lines(self):
        self.write("q.jsonl", "\r\n".join(json.dumps(r) for r in RECORDED) + "\r\n")
        self.assertEqual(self.run_script("import_hallucinations.sql", file="q.jsonl"), "2 hallucinated schemas, 2 with gold elements\n")
        self.assertEqual(self.recorded(), self.expected)

    def test_an_array_a_single_line_and_again(self):
        self.write("q.json", RECORDED)
        self.write("q.jsonl", json.dumps(dict(RECORDED[1], hallucinated="Cities(name)")) + "\n")
        self.run_script("import_hallucinations.sql", file="q.json")
        self.assertEqual(self.recorded(), self.expected)
        self.run_script("import_hallucinations.sql", file="q.jsonl")
        self.assertEqual(self.recorded()[1][1], '["Cities(name)"]')

    def test_an_object_of_questions_that_are_there(self):
        self.write("q.json", [{"question_id": 1, "db_id": "zoo", "question": "Old?", "SQL": "SELECT 1"}])
        self.run_script("import_bird.sql", file="q.json", dataset="bird")
        self.write("h.json", {"1": ["Animals(age)"]})
        self.run_script("import_hallucinations.sql", file="h.json", dataset="bird")
        self.assertEqual(self.recorded(), [("bird/1", '["Animals(age)"]', None, "Old?", "zoo", None)])

    def test_wrong_input_changes_nothing(self):
        self.fail_script("import_hallucinations.sql", "@file is not set")
        self.fail_script("import_hallucinations.sql", "cannot be read", file="nowhere")
        entry = RECORDED[0]
        for content, message in [("x", "is neither JSON nor JSON lines"), ("7", "is neither JSON nor JSON lines"), ([7], "each entry needs"), ([dict(entry, hallucinated=1)], "each entry needs"),
                                 ([dict(entry, hallucinated=[1])], "each entry needs"), ([{"hallucinated": ["x"], "question": "q"}], "each entry needs"),
                                 ([dict(entry, gold_elements="zoo.animal.age")], "gold_elements must be"), ([dict(entry, gold_elements=[1])], "gold_elements must be"),
                                 ([entry, entry], "occurs twice"), ({"5": ["x"]}, "not that of a question")]:
            self.write("bad.json", content)
            self.fail_script("import_hallucinations.sql", message, file="bad.json")


class TablesCrush(ScriptTest):
    def lines(self, **parameters):
        return self.run_script("tables_crush.sql", load=True, **parameters).splitlines()

    def setUp(self):
        super().setUp()
        self.write("union.txt", UNION)
        self.run_script("import_elements.sql", file="union.txt")
        self.write("q.json", RECORDED)
        self.run_script("import_hallucinations.sql", file="q.json")

    def test_recall_at_every_budget(self):
        lines = self.lines(budgets="[5,2]")
        self.assertEqual(lines[1].split(), ["method", "questions", "r@2", "r@5"])
        self.assertEqual([line[:22].strip() for line in lines[2:]], ["Single DPR", "Token-level", "Candidates C(x)", "CRUSH", "CRUSH, schema here"])
        for line in lines[2:]:  # with five of five columns only the gold element that is not in the union is missed
            self.assertEqual([line.split()[-3], line.split()[-1]], ["2", "0.833"])
        self.assertEqual(lines[5].split()[-2], "0.833")  # CRUSH finds the four others with two columns each

    def test_tables(self):
        self.assertEqual(self.lines(budgets="[5]", level="table")[5].split()[-1], "0.750")  # of air.airport and the unknown air.airport.gone

    def test_own_methods_and_options(self):
        lines = self.lines(budgets="[1]", methods='{"turns":{"selection":"turns"},"no edges":{"edges":false}}', opts='{"gamma":0}')
        self.assertEqual([line[:22].strip() for line in lines[2:]], ["turns", "no edges"])

    def test_gold_elements_from_the_gold_query(self):
        self.execute("UPDATE hallucinations SET gold = NULL WHERE id = '1'; INSERT INTO gold VALUES ('1', 'SELECT age FROM animal ORDER BY name');"
                     "UPDATE databases SET ddl = 'CREATE TABLE Animal(name, age)' WHERE db_id = 'zoo'")
        self.assertEqual(self.lines(budgets="[5]")[5].split()[-1], "0.833")
        self.execute("UPDATE gold SET sql = 'SELECT count(*) FROM animal'")
        self.assertEqual(self.lines(budgets="[5]", star="skip")[5].split()[-2:], ["1", "0.667"])

    def test_schemas_that_were_not_recorded(self):
        self.execute("UPDATE hallucinations SET schema = NULL WHERE id = '1'")
        lines = self.lines(budgets="[5]")
        self.assertEqual(lines[0], "note: Candidates C(x), CRUSH need recorded schemas, and 1 questions have none")
        self.assertEqual([line[:22].strip() for line in lines[3:]], ["Single DPR", "Token-level", "CRUSH, schema here"])

    def test_wrong_parameters(self):
        self.fail_script("tables_crush.sql", "the extension is not loaded")
        for parameters, message in [({"corpus": "x"}, "there are no elements"), ({"budgets": "[0]"}, "@budgets is not"), ({"budgets": "3"}, "@budgets is not"),
                                    ({"level": "row"}, "@level is neither"), ({"star": "x"}, "@star is not"), ({"methods": '{"a":1}'}, "@methods is not"), ({"opts": "x"}, "@opts is not"),
                                    ({"dataset": "none"}, "there is no question with gold elements")]:
            self.fail_script("tables_crush.sql", message, load=True, **parameters)

    # BIRD's union with the recorded schemas: CRUSH finds more than the question's vector alone.
    def test_development_data(self):
        self.execute("DELETE FROM hallucinations; DELETE FROM questions")
        self.run_script("import_elements.sql", file=self.data("crush/bird_union.txt"), corpus="bird")
        with open(self.data("crush/questions.jsonl"), encoding="utf-8") as lines:
            self.write("q.jsonl", "".join(line for number, line in enumerate(lines) if number % 25 == 0))
        self.run_script("import_hallucinations.sql", file="q.jsonl", dataset="bird")
        recall = {line[:22].strip(): [float(r) for r in line.split()[-7:]] for line in self.lines(corpus="bird")[2:]}
        self.assertTrue(all(crush > dpr for crush, dpr in zip(recall["CRUSH"], recall["Single DPR"])), recall)
        self.assertTrue(all(a <= b for row in recall.values() for a, b in zip(row, row[1:])), recall)
