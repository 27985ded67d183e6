from support import ScriptTest

QUESTIONS = 'ID,Question,gold,type\r\n1,"How, many ""x""\r\nrows?",SELECT 1,\r\n2,what,NULL,non-sql\r\n3,q,,\r\n'


class ImportCsv(ScriptTest):
    def questions(self, content=QUESTIONS):
        self.write("q.csv", content)
        return self.run_script("import_csv_questions.sql", before=(".import --csv q.csv csv_questions",))

    def test_questions(self):
        self.assertEqual(self.questions("\ufeff" + QUESTIONS), "3 questions, 1 with a gold query\n")
        self.assertEqual(self.query("SELECT q.id, question, sql, db_id, type FROM questions q JOIN gold g USING (id)"), [
            ("1", 'How, many "x"\r\nrows?', "SELECT 1", None, None), ("2", "what", None, None, "non-sql"), ("3", "q", None, None, None)])
        self.assertEqual(self.query("SELECT name FROM sqlite_schema WHERE name LIKE 'csv%'"), [])

    def test_without_a_column_gold_there_are_no_gold_queries(self):
        self.questions("question,id,db_id,split\na,1,d,test\n")
        self.assertEqual(self.query("SELECT id, question, db_id, split FROM questions"), [("1", "a", "d", "test")])
        self.assertEqual(self.query("SELECT count(*) FROM gold"), [(0,)])

    def test_predictions(self):
        self.questions()
        self.write("p.csv", 'id,pred,system,Confidence\n1,"SELECT 1, 2",a,0.5\n2,null,a,\n3,,a, 1e-3\n1,SELECT 2,b,7\n')
        output = self.run_script("import_csv_predictions.sql", before=(".import --csv p.csv csv_predictions",))
        self.assertEqual(output, "3 predictions of a, 2 of them abstentions\n1 predictions of b, 0 of them abstentions\n")
        self.assertEqual(self.query("SELECT system, id, pred, raw, confidence, typeof(confidence) FROM predictions"), [
            ("a", "1", "SELECT 1, 2", None, 0.5, "real"), ("a", "2", None, None, None, "null"), ("a", "3", None, None, 0.001, "real"),
            ("b", "1", "SELECT 2", None, 7.0, "real")])

    def test_the_parts_of_a_pipeline(self):
        self.questions()
        self.write("p.csv", "id,pred,raw,cls,error\n1,,SELECT 1,answerable,incorrect\n2,,,not_answerable,\n3,,,,\n")
        self.run_script("import_csv_predictions.sql", before=(".import --csv p.csv csv_predictions",), system="pipe")
        self.assertEqual(self.query("SELECT system, id, pred, raw, cls, error FROM predictions"), [
            ("pipe", "1", None, "SELECT 1", "answerable", "incorrect"), ("pipe", "2", None, None, "not_answerable", None), ("pipe", "3", None, None, None, None)])

    def test_wrong_questions_change_nothing(self):
        self.fail_script("import_csv_questions.sql", "there is no table csv_questions")
        for content, message in [("id,text\n1,a\n", "needs the columns"), ("id,question,answer\n1,a,b\n", "not known"), ("id,question\n,a\n", "is empty"),
                                 ("id,question\n1,a\n1,b\n", "occurs twice")]:
            self.write("bad.csv", content)
            self.fail_script("import_csv_questions.sql", message, before=(".import --csv bad.csv csv_questions",))
            self.assertEqual(self.query("SELECT name FROM sqlite_schema WHERE name LIKE 'csv%'"), [])  # nothing is left behind
        self.write("two.csv", "id,question,db_id\n1,a,x\n2,b,y\n")
        self.fail_script("import_csv_questions.sql", "several databases", before=(".import --csv two.csv csv_questions",), databases="one.db")

    def test_wrong_predictions_change_nothing(self):
        self.questions()
        self.fail_script("import_csv_predictions.sql", "there is no table csv_predictions")
        for content, message in [("id,system\n1,a\n", "needs the columns"), ("id,pred,x\n1,a,b\n", "not known"), ("id,pred\n1,a\n", "no column system"),
                                 ("id,pred,system\n9,a,s\n", "not that of a question"), ("id,pred,system\n1,a,s\n1,b,s\n", "twice"),
                                 ("id,pred,system,confidence\n1,a,s,high\n", "not a number"), ("id,pred,system,confidence\n1,a,s,0.5x\n", "not a number")]:
            self.write("bad.csv", content)
            self.fail_script("import_csv_predictions.sql", message, before=(".import --csv bad.csv csv_predictions",))
            self.assertEqual(self.query("SELECT name FROM sqlite_schema WHERE name LIKE 'csv%'"), [])
