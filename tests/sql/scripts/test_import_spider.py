from support import ScriptTest

DEV = [
    {"db_id": "music", "question": "How many?", "query": "SELECT count(*) FROM singer", "query_toks": ["SELECT"]},
    {"db_id": "music", "question": "Wer \u201eist\u201c das?", "query": "SELECT name\nFROM singer"},
    {"db_id": "cars", "question": "Which?"},
]


class ImportSpider(ScriptTest):
    def test_questions_gold_and_databases(self):
        self.write("dev.json", DEV)
        output = self.run_script("import_spider.sql", file="dev.json", databases="db/{db_id}/{db_id}.sqlite")
        self.assertEqual(output, "3 questions on 2 databases, 2 with a gold query\n")
        self.assertEqual(self.query("SELECT number, id, question, db_id, dataset, split FROM questions"), [
            (1, "0", "How many?", "music", None, None), (2, "1", "Wer \u201eist\u201c das?", "music", None, None), (3, "2", "Which?", "cars", None, None)])
        self.assertEqual(self.query("SELECT * FROM gold ORDER BY id"), [("0", DEV[0]["query"]), ("1", DEV[1]["query"])])
        self.assertEqual(self.query("SELECT db_id, path FROM databases ORDER BY 1"), [("cars", "db/cars/cars.sqlite"), ("music", "db/music/music.sqlite")])

    def test_ids_types_and_notes_of_the_file_are_kept(self):
        self.write("q.json", [
            {"id": "x7", "db_id": "d", "question": "a?", "query": "SELECT 1", "type": None, "note": None},
            {"id": 12, "db_id": "d", "question": "b?", "query": "null", "type": "non-sql", "note": "clustering"},
            {"db_id": "d", "question": "c?", "query": None},
            {"db_id": "d", "question": "d?"}])
        output = self.run_script("import_spider.sql", file="q.json", dataset="t")
        self.assertEqual(output, "4 questions on 1 databases, 1 with a gold query, 2 infeasible\n")
        self.assertEqual(self.query("SELECT q.id, type, note, g.id IS NOT NULL, sql FROM questions q LEFT JOIN gold g USING (id) ORDER BY number"), [
            ("t/x7", None, None, 1, "SELECT 1"), ("t/12", "non-sql", "clustering", 1, None), ("t/2", None, None, 1, None), ("t/3", None, None, 0, None)])

    def test_an_id_that_occurs_twice(self):
        self.write("q.json", [dict(DEV[0], id="a"), dict(DEV[1], id="a")])
        self.assertEqual(self.fail_script("import_spider.sql", "occurs twice", file="q.json"), "error: id a occurs 2 times in the file\n")
        self.write("q.json", [dict(DEV[0], id=[1])])
        self.fail_script("import_spider.sql", "each entry needs", file="q.json")

    def test_byte_order_mark_and_crlf(self):
        self.write("dev.json", b"\xef\xbb\xbf[\r\n{\"db_id\": \"d\", \"question\": \"q\", \"query\": \"SELECT 1\"}\r\n]\r\n")
        self.run_script("import_spider.sql", file="dev.json")
        self.assertEqual(self.query("SELECT id, sql FROM gold"), [("0", "SELECT 1")])

    def test_again_replaces(self):
        self.write("dev.json", DEV)
        self.run_script("import_spider.sql", file="dev.json", databases="a/{db_id}")
        self.write("dev.json", [dict(DEV[0], query="SELECT 7")])
        self.run_script("import_spider.sql", file="dev.json")
        self.assertEqual(self.query("SELECT count(*) FROM questions"), [(3,)])
        self.assertEqual(self.query("SELECT sql FROM gold WHERE id = '0'"), [("SELECT 7",)])
        self.assertEqual(self.query("SELECT path FROM databases WHERE db_id = 'music'"), [("a/music",)])

    def test_splits_and_data_sets_have_ids_of_their_own(self):
        self.write("dev.json", DEV)
        self.run_script("import_spider.sql", file="dev.json", split="validation")
        self.run_script("import_spider.sql", file="dev.json", dataset="spider", split="test")
        self.assertEqual(self.query("SELECT id, dataset, split FROM questions WHERE number IN (1, 4)"),
                         [("validation/0", None, "validation"), ("spider/test/0", "spider", "test")])

    def test_a_file_name_that_looks_like_sql_or_has_quotes(self):
        self.write("it's 1.json", DEV)
        self.run_script("import_spider.sql", file="it's 1.json")
        self.assertEqual(self.query("SELECT count(*) FROM questions"), [(3,)])

    def test_many_rows(self):
        self.write("dev.json", [dict(DEV[0], question=str(i)) for i in range(40000)])
        self.run_script("import_spider.sql", file="dev.json")
        self.assertEqual(self.query("SELECT count(*), sum(question = id) FROM questions"), [(40000, 40000)])

    def test_wrong_input_changes_nothing(self):
        self.fail_script("import_spider.sql", "@file is not set")
        printed = self.fail_script("import_spider.sql", "the file @file cannot be read", file="nowhere.json")
        self.assertEqual(printed, "error: the file nowhere.json cannot be read\n")
        for content, message in [("SELECT 1", "is not JSON"), ("", "is not JSON"), ({"a": 1}, "is not a JSON array"), ("7", "is not a JSON array"),
                                 (DEV + [{"db_id": "d"}], "each entry needs"), (DEV + [7], "each entry needs"),
                                 ([dict(DEV[0], query=["SELECT"])], "each entry needs"), ([dict(DEV[0], db_id=1)], "each entry needs")]:
            self.write("bad.json", content)
            self.fail_script("import_spider.sql", message, file="bad.json")
        self.write("dev.json", DEV)
        self.fail_script("import_spider.sql", "several databases", file="dev.json", databases="one.db")
        self.write("bad.json", DEV + [7])
        self.assertEqual(self.fail_script("import_spider.sql", "each entry", file="bad.json"), "error: entry 3 of bad.json is incomplete\n")


class WithoutTables(ScriptTest):
    tables = False

    def test_says_what_is_missing(self):
        self.write("dev.json", DEV)
        self.fail_script("import_spider.sql", "the tables are missing; first .read sql/create_tables.sql", file="dev.json")
