from support import ScriptTest


class ImportGold(ScriptTest):
    def test_makes_questions_where_there_are_none(self):
        self.write("gold.sql", "SELECT a,\tb FROM t\tmusic\r\nSELECT 1\tcars\r\nnull\tcars\r\n\r\n")
        output = self.run_script("import_gold.sql", file="gold.sql", databases="{db_id}.sqlite")
        self.assertEqual(output, "3 gold queries, 1 of them of infeasible questions\n")
        self.assertEqual(self.query("SELECT q.id, q.db_id, g.sql, d.path FROM questions q JOIN gold g USING (id) JOIN databases d USING (db_id)"), [
            ("0", "music", "SELECT a,\tb FROM t", "music.sqlite"), ("1", "cars", "SELECT 1", "cars.sqlite"), ("2", "cars", None, "cars.sqlite")])

    def test_fills_in_gold_queries_of_questions(self):
        self.write("dev.json", [{"db_id": "d", "question": str(i)} for i in range(3)])
        self.run_script("import_spider.sql", file="dev.json", split="test")
        self.write("gold.sql", "SELECT 0\td\n\nSELECT 1\n\nSELECT 2\td")  # blank lines between dialogues, no line end at the end
        self.run_script("import_gold.sql", file="gold.sql", split="test")
        self.assertEqual(self.query("SELECT id, sql FROM gold ORDER BY id"), [("test/%d" % i, "SELECT %d" % i) for i in range(3)])

    def test_queries_keep_backslashes_quotes_and_odd_characters(self):
        lines = ["SELECT '\\n', \"a\\\\\"", "SELECT '\u00e4\U0001f600' || '\x01'", "SELECT 1 -- \\\""]
        self.write("gold.sql", "\ufeff" + "\n".join(lines))
        self.run_script("import_gold.sql", file="gold.sql")
        self.assertEqual([sql for (sql,) in self.query("SELECT sql FROM gold ORDER BY id")], lines)

    def test_a_tab_within_the_query_is_not_a_database(self):
        self.write("gold.sql", "SELECT a\tFROM t WHERE b = 1\nSELECT 1\t\n")
        self.run_script("import_gold.sql", file="gold.sql")
        self.assertEqual(self.query("SELECT q.db_id, g.sql FROM questions q JOIN gold g USING (id) ORDER BY id"),
                         [(None, "SELECT a\tFROM t WHERE b = 1"), (None, "SELECT 1")])

    def test_wrong_input_changes_nothing(self):
        self.write("dev.json", [{"db_id": "d", "question": str(i)} for i in range(3)])
        self.run_script("import_spider.sql", file="dev.json")
        self.fail_script("import_gold.sql", "@file is not set")
        self.fail_script("import_gold.sql", "cannot be read", file="nowhere")
        for content, message in [("SELECT 1\nSELECT 2\n", "not have one query for each question"), ("\n\n", "has no queries"), ("", "has no queries"),
                                 ("SELECT 1\td\nSELECT 2\tother\nSELECT 3\td\n", "names another database"), (b"a\0b\nc\nd", "is not a text")]:
            self.write("gold.sql", content)
            self.fail_script("import_gold.sql", message, file="gold.sql")

    def test_one_path_for_several_databases(self):
        self.write("gold.sql", "SELECT 1\ta\nSELECT 2\tb\n")
        self.fail_script("import_gold.sql", "several databases", file="gold.sql", databases="one.db")
