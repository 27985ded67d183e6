from support import ScriptTest


class CreateTables(ScriptTest):
    def test_twice_changes_nothing(self):
        self.execute("INSERT INTO questions(id) VALUES ('q')")
        self.assertEqual(self.run_script("create_tables.sql"), "")
        self.assertEqual(self.query("SELECT number, id FROM questions"), [(1, "q")])

    def test_answers_has_a_row_for_each_prediction_of_a_question_with_gold(self):
        self.execute("""
            INSERT INTO databases(db_id, path) VALUES ('d', 'd.sqlite');
            INSERT INTO questions(id, db_id, hardness) VALUES ('1', 'd', 'easy'), ('2', NULL, NULL), ('3', 'd', NULL);
            INSERT INTO gold VALUES ('1', 'SELECT 1'), ('2', NULL);
            INSERT INTO predictions(system, id, pred) VALUES ('a', '1', 'SELECT 2'), ('a', '2', NULL), ('a', '3', 'x'), ('b', '2', 'y');
        """)
        self.assertEqual(
            self.query("SELECT system, id, gold, pred, database, hardness FROM answers ORDER BY 1, 2"),
            [("a", "1", "SELECT 1", "SELECT 2", "d.sqlite", "easy"), ("a", "2", None, None, None, None), ("b", "2", None, "y", None, None)])


class OtherTables(ScriptTest):
    tables = False

    def test_tables_of_the_same_name_are_not_taken_for_ours(self):
        self.execute("CREATE TABLE questions(id, text)")
        self.fail_script("create_tables.sql", "no such column")
