-- import_csv_questions.sql: questions, with or without gold queries, from a CSV file.
--
--   sqlite3 my.db -cmd ".import --csv questions.csv csv_questions" ".read sql/import_csv_questions.sql"
--
-- The first line of the file names its columns, in any order (upper or lower case); the shell's .import reads it into a
-- table csv_questions, which this script moves to the tables of create_tables.sql. It is dropped whether or not the script
-- succeeds, so that the next .import begins anew.
--
--   id         what predictions refer to
--   question   its text
--   gold       optional: the gold query; the word null, or an empty field, marks an infeasible question. Without this
--              column no gold queries are imported.
--   db_id, dataset, split, hardness, seen, type   optional, as in create_tables.sql; an empty field is NULL
--
--   @databases   optional: the path of the databases; {db_id} stands for the name
--
-- Questions with the same id are replaced. Needs the tables of create_tables.sql, but no extension.

.bail on

-- The name of the constraint that fails says what is wrong with the input.
DROP TABLE IF EXISTS temp.input_check;
CREATE TEMP TABLE input_check(
  tables   CONSTRAINT "the tables are missing; first .read sql/create_tables.sql" CHECK(tables),
  imported CONSTRAINT "there is no table csv_questions; first .import --csv FILE csv_questions" CHECK(imported),
  columns  CONSTRAINT "the CSV file needs the columns id and question" CHECK(columns),
  known    CONSTRAINT "the CSV file has a column that is not known" CHECK(known),
  ids      CONSTRAINT "an id of the CSV file is empty" CHECK(ids),
  ids_once CONSTRAINT "an id occurs twice in the CSV file" CHECK(ids_once),
  one_path CONSTRAINT "the questions are on several databases; @databases must contain {db_id} in the path" CHECK(one_path)
);
INSERT INTO input_check(imported) SELECT count(*) > 0 FROM pragma_table_info('csv_questions');
DROP TABLE IF EXISTS temp.input_csv;
CREATE TEMP TABLE input_csv AS SELECT * FROM csv_questions ORDER BY rowid;
DROP TABLE csv_questions;
INSERT INTO input_check(tables) SELECT count(DISTINCT name) = 3 FROM pragma_table_list WHERE name IN ('databases', 'questions', 'gold');
INSERT INTO input_check(columns) SELECT count(*) = 2 FROM pragma_table_info('input_csv') WHERE lower(name) IN ('id', 'question');
SELECT 'error: column ' || name || ' is none of id, question, gold, db_id, dataset, split, hardness, seen, type' AS message
FROM pragma_table_info('input_csv')
WHERE lower(name) NOT IN ('id', 'question', 'gold', 'db_id', 'dataset', 'split', 'hardness', 'seen', 'type');
INSERT INTO input_check(known)
SELECT lower(name) IN ('id', 'question', 'gold', 'db_id', 'dataset', 'split', 'hardness', 'seen', 'type') FROM pragma_table_info('input_csv');

-- A column that the file lacks is read from `absent` instead: names in a subquery are resolved in its own FROM first.
DROP TABLE IF EXISTS temp.input_rows;
CREATE TEMP TABLE input_rows AS
SELECT position, id, question, nullif(trim(gold), '') AS gold, nullif(db_id, '') AS db_id, nullif(dataset, '') AS dataset, nullif(split, '') AS split,
       nullif(hardness, '') AS hardness, nullif(seen, '') AS seen, nullif(type, '') AS type
FROM (SELECT c.rowid AS position, c.id, c.question,
             (SELECT gold FROM input_csv i WHERE i.rowid = c.rowid) AS gold, (SELECT db_id FROM input_csv i WHERE i.rowid = c.rowid) AS db_id,
             (SELECT dataset FROM input_csv i WHERE i.rowid = c.rowid) AS dataset, (SELECT split FROM input_csv i WHERE i.rowid = c.rowid) AS split,
             (SELECT hardness FROM input_csv i WHERE i.rowid = c.rowid) AS hardness, (SELECT seen FROM input_csv i WHERE i.rowid = c.rowid) AS seen,
             (SELECT type FROM input_csv i WHERE i.rowid = c.rowid) AS type
      FROM (SELECT NULL AS gold, NULL AS db_id, NULL AS dataset, NULL AS split, NULL AS hardness, NULL AS seen, NULL AS type) absent, input_csv c);
UPDATE input_rows SET gold = NULL WHERE lower(gold) = 'null';
INSERT INTO input_check(ids) SELECT id <> '' FROM input_rows;
SELECT 'error: id ' || id || ' occurs ' || count(*) || ' times in the file' AS message FROM input_rows GROUP BY id HAVING count(*) > 1 LIMIT 1;
INSERT INTO input_check(ids_once) SELECT count(*) = count(DISTINCT id) FROM input_rows;
INSERT INTO input_check(one_path) SELECT instr(@databases, '{db_id}') > 0 OR count(DISTINCT db_id) < 2 FROM input_rows;

BEGIN;
INSERT INTO databases(db_id, path)
SELECT DISTINCT db_id, replace(@databases, '{db_id}', db_id) FROM input_rows WHERE db_id IS NOT NULL
ON CONFLICT(db_id) DO UPDATE SET path = coalesce(excluded.path, path);
INSERT INTO questions(id, question, db_id, dataset, split, hardness, seen, type)
SELECT id, question, db_id, dataset, split, hardness, seen, type FROM input_rows WHERE true ORDER BY position
ON CONFLICT(id) DO UPDATE SET question = excluded.question, db_id = excluded.db_id, dataset = excluded.dataset, split = excluded.split,
                              hardness = excluded.hardness, seen = excluded.seen, type = excluded.type;
INSERT INTO gold(id, sql)
SELECT id, gold FROM input_rows WHERE EXISTS (SELECT 1 FROM pragma_table_info('input_csv') WHERE lower(name) = 'gold')
ON CONFLICT(id) DO UPDATE SET sql = excluded.sql;
COMMIT;

SELECT count(*) || ' questions, ' || count(gold) || ' with a gold query' AS message FROM input_rows;
DROP TABLE temp.input_csv;
DROP TABLE temp.input_rows;
