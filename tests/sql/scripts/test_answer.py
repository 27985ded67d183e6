import json
import os
import subprocess
import unittest.mock

from support import ScriptTest

SERVER = {
    "rules": [
        {"contains": "answerable or not_answerable", "model": "m", "content": "answerable"},
        {"contains": "rows are tuples", "content": "SELECT 4"},
        {"contains": "How many rows", "content": "SELECT count(*) FROM t"},
        {"contains": "Which of them", "content": "SELECT a FROM t"},
        {"content": "not_answerable"},
    ]
}


class Answer(ScriptTest):
    def setUp(self):
        super().setUp()
        self.write("server.json", SERVER)
        server = subprocess.Popen([os.environ["TRUSTSQL_SCRIPTED_SERVER"], self.path("server.json")], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.addCleanup(server.communicate)
        settings = {"TRUSTSQL_LLM_URL": server.stdout.readline().strip(), "TRUSTSQL_LLM_MODEL": "m", "TRUSTSQL_LLM_API_KEY": "sk-very-secret",
                    "TRUSTSQL_CACHE_PATH": self.path("cache.db")}
        patched = unittest.mock.patch.dict(os.environ, settings)
        patched.start()
        self.addCleanup(patched.stop)
        self.execute("""
            CREATE TABLE t(a); INSERT INTO t VALUES (1), (2);
            INSERT INTO questions(id, question, split) VALUES ('q1', 'How many rows are there?', 'test'), ('q2', 'Which of them is best?', 'test'),
                                                              ('q3', 'Who knows?', 'test'), ('q4', 'How many rows?', 'validation');
            INSERT INTO gold VALUES ('q1', 'SELECT count(a) FROM t'), ('q2', 'SELECT max(a) FROM t'), ('q3', NULL), ('q4', 'SELECT 2');
        """)

    def test_run(self):
        message = self.run_script("answer.sql", load=True, method="SQLPROMPT[DEMO]", system="demo", split="test", manifest=self.path("run.json"))
        self.assertIn("demo: 3 questions, 2 answered; 3 requests, 0 from the cache", message)
        self.assertEqual(self.query("SELECT id, pred FROM predictions WHERE system = 'demo' ORDER BY id"),
                         [("q1", "SELECT count(*) FROM t"), ("q2", "SELECT a FROM t"), ("q3", None)])
        with open(self.path("run.json"), encoding="utf-8") as file:
            text = file.read()
        self.assertNotIn("very-secret", text)
        manifest = json.loads(text)
        self.assertEqual((manifest["method"], manifest["questions"], manifest["answered"], manifest["requests"]), ("SQLPROMPT[DEMO]", 3, 2, 3))
        self.assertEqual(manifest["settings"]["llm_model"], "m")
        # Again, with all questions: those already asked come from the cache.
        message = self.run_script("answer.sql", load=True, method="SQLPROMPT[DEMO]", system="demo")
        self.assertIn("4 questions, 3 answered; 1 requests, 3 from the cache", message)
        self.assertIn("demo", self.run_script("score.sql", load=True))

    def test_evidence_is_passed_on(self):
        self.execute("UPDATE questions SET evidence = 'rows are tuples' WHERE id = 'q1'")
        self.run_script("answer.sql", load=True, method="SQLPROMPT[DEMO]", system="demo", split="test")
        self.assertEqual(self.query("SELECT pred FROM predictions ORDER BY id LIMIT 2"), [("SELECT 4",), ("SELECT a FROM t",)])

    def test_parts_of_a_pipeline(self):
        self.run_script("answer.sql", load=True, method="CLS->SQLPROMPT", split="test", opts='{"threshold":0.5}')
        self.assertEqual(self.query("SELECT id, raw, cls, error, confidence FROM predictions WHERE system = 'CLS->SQLPROMPT' ORDER BY id LIMIT 1"),
                         [("q1", "SELECT count(*) FROM t", "answerable", None, 1.0)])

    def test_failures(self):
        self.fail_script("answer.sql", "the extension is not loaded")
        self.fail_script("answer.sql", "@opts is not a JSON object", load=True, opts="[]")
        self.fail_script("answer.sql", "there is no question", load=True, split="dev")
        self.fail_script("answer.sql", "there is no method", load=True, method="SQLPROMPT+XX")
