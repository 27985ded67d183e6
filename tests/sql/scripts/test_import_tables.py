import sqlite3

from support import ScriptTest

SCHEMA = {
    "db_id": "music",
    "table_names_original": ["singer", "song \"x\"", "sqlite_sequence"],
    "column_names_original": [[-1, "*"], [0, "id"], [0, "Full Name"], [1, "singer"], [1, "no"], [1, "sold"], [1, "live"], [1, "rest"], [2, "seq"]],
    "column_types": ["text", "number", "text", "number", "number", "time", "boolean", "others", "text"],
    "primary_keys": [1, [3, 4]],
    "foreign_keys": [[3, 1]],
}


class ImportTables(ScriptTest):
    def test_schemas_become_ddl(self):
        self.write("tables.json", [SCHEMA])
        output = self.run_script("import_tables.sql", file="tables.json", databases="{db_id}.sqlite")
        self.assertEqual(output, "1 databases with 2 tables and 8 columns\n")
        [(path, ddl)] = self.query("SELECT path, ddl FROM databases WHERE db_id = 'music'")
        self.assertEqual(path, "music.sqlite")
        self.assertEqual(ddl, 'CREATE TABLE "singer"("id" NUMERIC, "Full Name" TEXT, PRIMARY KEY("id"));\n'
                         'CREATE TABLE "song ""x"""("singer" NUMERIC, "no" NUMERIC, "sold" TEXT, "live" BOOLEAN, "rest", PRIMARY KEY("singer", "no"), '
                         'FOREIGN KEY("singer") REFERENCES "singer"("id"));')
        sqlite3.connect(":memory:").executescript(ddl)

    def test_a_database_keeps_what_the_file_does_not_say(self):
        self.execute("INSERT INTO databases(db_id, path) VALUES ('music', 'kept')")
        self.write("tables.json", [SCHEMA])
        self.run_script("import_tables.sql", file="tables.json")
        self.assertEqual(self.query("SELECT path, ddl IS NOT NULL FROM databases"), [("kept", 1)])

    def test_wrong_input_changes_nothing(self):
        self.fail_script("import_tables.sql", "@file is not set")
        for content, message in [("x", "is not JSON"), ({}, "not a JSON array"), ([{}], "lacks db_id"), ([7], "lacks db_id"), ([dict(SCHEMA, foreign_keys=1)], "lacks"),
                                 ([dict(SCHEMA, foreign_keys=[[3, 99]])], "does not have"), ([dict(SCHEMA, primary_keys=[99])], "does not have"),
                                 ([dict(SCHEMA, table_names_original=["singer"])], "does not have")]:
            self.write("bad.json", content)
            self.fail_script("import_tables.sql", message, file="bad.json")
        self.write("two.json", [SCHEMA, dict(SCHEMA, db_id="other")])
        self.fail_script("import_tables.sql", "several databases", file="two.json", databases="one.db")
