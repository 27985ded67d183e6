from support import ScriptTest

SETUP = """
    CREATE TABLE IF NOT EXISTS student(student_id INTEGER, name TEXT, age INTEGER, born TEXT);
    DELETE FROM student; INSERT INTO student VALUES (1, 'Ann', 20, '2000-01-01'), (2, 'Bob', NULL, '2001-02-03');
"""


class Audit(ScriptTest):
    def audit(self, *questions, **parameters):
        """The findings about (question, gold query) with ids from 0: kind, id, about, detail."""
        self.execute(SETUP + "DELETE FROM gold; DELETE FROM questions;")
        rows = ", ".join("('%d', '%s')" % (i, q.replace("'", "''")) for i, (q, _) in enumerate(questions))
        gold = ", ".join("('%d', '%s')" % (i, g.replace("'", "''")) for i, (_, g) in enumerate(questions))
        self.execute("INSERT INTO questions(id, question) VALUES " + rows + "; INSERT INTO gold VALUES " + gold)
        self.run_script("audit.sql", load=True, **dict({"paraphrases": 0}, **parameters))
        return self.query("SELECT * FROM findings")

    def test_nothing_to_find(self):
        self.assertEqual(self.audit(("How old is Ann?", "SELECT age FROM student WHERE name = 'Ann'")), [])

    def test_structures_to_merge(self):
        ann = ("How old is Ann?", "SELECT age FROM student WHERE name = 'Ann'")
        age = ("The age of Ann", "SELECT age FROM student WHERE name = 'Ann'")
        self.assertEqual(self.audit(ann, age, ("What is Ann's age?", "SELECT max(age) FROM student WHERE name = 'Ann'")),
                         [("merge", None, "SELECT max(age) FROM student WHERE name = ?", "has the results of SELECT age FROM student WHERE name = ?")])
        self.assertEqual(self.audit(ann, age, ("how old is ann", "SELECT age FROM student WHERE student_id = 1")),
                         [("merge", None, "SELECT age FROM student WHERE student_id = ?", "has a question of SELECT age FROM student WHERE name = ?")])
        # Other values, another result, no result.
        self.assertEqual(self.audit(ann, age, ("b", "SELECT max(age) FROM student WHERE name <> 'Bob'"), ("c", "SELECT born FROM student WHERE name = 'Ann'")), [])
        self.assertEqual([kind for kind, *_ in self.audit(("a", "SELECT age FROM student WHERE name = 'x'"), ("b", "SELECT age FROM student WHERE born = 'x'"))],
                         ["null", "null"])

    def test_few_paraphrases(self):
        self.assertEqual(self.audit(("Ann ?", "SELECT age FROM student WHERE name = 'Ann'"), ("ann", "SELECT age FROM student WHERE name = 'Ann'"),
                                    ("a", "SELECT 1"), ("b", "SELECT 2"), paraphrases=2),
                         [("paraphrases", None, "SELECT age FROM student WHERE name = ?", "1 question")])

    def test_null_results(self):
        findings = self.audit(("a", "SELECT name FROM student WHERE age > 99"), ("b", "SELECT sum(age), min(born) FROM student WHERE 0"),
                              ("c", "SELECT age FROM student;"), ("d", "SELECT name, NULL FROM student"))
        self.assertEqual([(kind, number, detail) for kind, number, _, detail in findings], [("null", "0", "no row"), ("null", "1", "NULL only")])

    def test_queries_that_fail(self):
        findings = self.audit(("a", "SELEC 1"), ("b", "SELECT x FROM student"), ("c", "SELECT 1"))
        self.assertEqual([(kind, number) for kind, number, *_ in findings], [("fails", "0"), ("fails", "1")])

    def test_relative_time(self):
        findings = self.audit(("Who was born today?", "SELECT name FROM student WHERE born = '2000-01-01'"),
                              ("Who was born by now?", "SELECT name FROM student WHERE born < date('now')"),
                              ("Who was born before today?", "SELECT name FROM student WHERE born < current_date"),
                              ("Who is born today?", "SELECT name FROM student WHERE born = date(\"now\")"),
                              ("Who was born this year, or last month?", "SELECT name FROM student WHERE born > '1999'"),
                              ("Who knows nothing?", "SELECT name FROM student"))
        self.assertEqual([(kind, number, detail) for kind, number, _, detail in findings if kind == "time"],
                         [("time", "0", "today"), ("time", "4", "this year, last month")])

    def test_a_person_without_a_name(self):
        findings = self.audit(("How old am I?", "SELECT age FROM student WHERE student_id = 1"), ("My age, I am 1", "SELECT age FROM student WHERE student_id = 1"),
                              ("Give me the age of Ann", "SELECT age FROM student WHERE student_id = 1"))
        self.assertEqual([(kind, number, detail) for kind, number, _, detail in findings if kind == "person"], [("person", "0", "student_id = 1")])

    def test_ids_for_names(self):
        findings = self.audit(("Who is 20?", "SELECT student_id FROM student WHERE age = 20"), ("Names of all?", "SELECT student_id, name FROM student"),
                              ("Which ids?", "SELECT student_id FROM student"))
        self.assertEqual([(kind, number, detail) for kind, number, _, detail in findings if kind == "id"], [("id", "0", "student_id")])

    def test_failures(self):
        self.fail_script("audit.sql", "the extension is not loaded")
        self.fail_script("audit.sql", "no such questions", load=True)
        self.execute("INSERT INTO questions(id) VALUES ('1'); INSERT INTO gold VALUES ('1', 'SELECT 1')")
        self.fail_script("audit.sql", "not a number", load=True, paraphrases="few")
        self.fail_script("audit.sql", "no such questions", load=True, dataset="other")
