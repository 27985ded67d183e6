-- import_bird.sql: the questions of a file in the form of BIRD's dev.json, with their gold queries.
--
--   sqlite3 my.db -cmd ".parameter set @file bird/dev.json" \
--                 -cmd ".parameter set @databases 'bird/dev_databases/{db_id}/{db_id}.sqlite'" ".read sql/import_bird.sql"
--
--   @file        a JSON array of objects with db_id, question and SQL, and optionally question_id, evidence and difficulty
--                (other keys are ignored)
--   @databases   optional: the path of the databases; {db_id} stands for the name
--   @dataset     optional: a name for the data set
--   @split       optional: 'train', 'validation' ...
--
-- The id of a question is its question_id, or else its index in the file, from 0 (train.json has no ids); it is prefixed
-- with "<dataset>/<split>/" as far as they are given. difficulty (simple, moderate, challenging) becomes
-- questions.hardness, evidence questions.evidence, which answer.sql passes on. The schemas are in BIRD's dev_tables.json,
-- which import_tables.sql reads. Questions with the same id are replaced. Needs the tables of create_tables.sql, but no
-- extension.

.bail on

-- The name of the constraint that fails says what is wrong with the input.
DROP TABLE IF EXISTS temp.input_check;
CREATE TEMP TABLE input_check(
  tables   CONSTRAINT "the tables are missing; first .read sql/create_tables.sql" CHECK(tables),
  file_set CONSTRAINT "@file is not set; use .parameter set @file PATH" CHECK(file_set),
  readable CONSTRAINT "the file @file cannot be read" CHECK(readable),
  is_json  CONSTRAINT "the file @file is not JSON" CHECK(is_json),
  is_array CONSTRAINT "the file @file is not a JSON array of questions" CHECK(is_array),
  complete CONSTRAINT "each entry needs the texts db_id, question and SQL" CHECK(complete),
  ids_once CONSTRAINT "an id occurs twice in the file @file" CHECK(ids_once),
  one_path CONSTRAINT "the questions are on several databases; @databases must contain {db_id} in the path" CHECK(one_path)
);
INSERT INTO input_check(tables) SELECT count(DISTINCT name) = 3 FROM pragma_table_list WHERE name IN ('databases', 'questions', 'gold');

INSERT INTO input_check(file_set) SELECT @file IS NOT NULL;
DROP TABLE IF EXISTS temp.input;
CREATE TEMP TABLE input AS  -- the text, without a byte order mark
  SELECT CASE WHEN substr(t, 1, 1) = char(65279) THEN substr(t, 2) ELSE t END AS text FROM (SELECT CAST(readfile(@file) AS TEXT) AS t);
SELECT 'error: the file ' || @file || ' cannot be read' AS message WHERE readfile(@file) IS NULL;
INSERT INTO input_check(readable) SELECT text IS NOT NULL FROM input;
INSERT INTO input_check(is_json) SELECT json_valid(text) FROM input;
INSERT INTO input_check(is_array) SELECT json_type(text) = 'array' FROM input;

DROP TABLE IF EXISTS temp.input_rows;
CREATE TEMP TABLE input_rows AS
SELECT e.key AS position,
       coalesce(@dataset || '/', '') || coalesce(@split || '/', '') || coalesce(json_extract(e.value, '$.question_id'), e.key) AS id,
       json_extract(e.value, '$.question') AS question, json_extract(e.value, '$.db_id') AS db_id, json_extract(e.value, '$.SQL') AS query,
       CASE json_type(e.value, '$.evidence') WHEN 'text' THEN nullif(trim(json_extract(e.value, '$.evidence')), '') END AS evidence,
       CASE json_type(e.value, '$.difficulty') WHEN 'text' THEN nullif(json_extract(e.value, '$.difficulty'), '') END AS hardness,
       json_type(e.value, '$.question') IS 'text' AND json_type(e.value, '$.db_id') IS 'text' AND json_type(e.value, '$.SQL') IS 'text'
         AND coalesce(json_type(e.value, '$.question_id'), 'null') IN ('text', 'integer', 'null') AS complete
FROM input, json_each(text) e WHERE e.type = 'object'
UNION ALL
SELECT e.key, NULL, NULL, NULL, NULL, NULL, NULL, 0 FROM input, json_each(text) e WHERE e.type <> 'object';
SELECT 'error: entry ' || position || ' of ' || @file || ' is incomplete' AS message FROM input_rows WHERE NOT complete ORDER BY position LIMIT 1;
INSERT INTO input_check(complete) SELECT complete FROM input_rows;
SELECT 'error: id ' || id || ' occurs ' || count(*) || ' times in the file' AS message FROM input_rows GROUP BY id HAVING count(*) > 1 LIMIT 1;
INSERT INTO input_check(ids_once) SELECT count(*) = count(DISTINCT id) FROM input_rows;
INSERT INTO input_check(one_path) SELECT instr(@databases, '{db_id}') > 0 OR count(DISTINCT db_id) < 2 FROM input_rows;

BEGIN;
INSERT INTO databases(db_id, path)
SELECT DISTINCT db_id, replace(@databases, '{db_id}', db_id) FROM input_rows WHERE true
ON CONFLICT(db_id) DO UPDATE SET path = coalesce(excluded.path, path);
INSERT INTO questions(id, question, db_id, dataset, split, hardness, evidence)
SELECT id, question, db_id, @dataset, @split, hardness, evidence FROM input_rows WHERE true ORDER BY position
ON CONFLICT(id) DO UPDATE SET question = excluded.question, db_id = excluded.db_id, dataset = excluded.dataset, split = excluded.split,
                              hardness = excluded.hardness, evidence = excluded.evidence;
INSERT INTO gold(id, sql) SELECT id, query FROM input_rows WHERE true
ON CONFLICT(id) DO UPDATE SET sql = excluded.sql;
COMMIT;

SELECT count(*) || ' questions on ' || count(DISTINCT db_id) || ' databases, ' || count(evidence) || ' with evidence' AS message FROM input_rows;
DROP TABLE temp.input;
DROP TABLE temp.input_rows;
