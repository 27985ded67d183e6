-- import_hallucinations.sql: recorded hallucinated schemas of questions, with their gold elements if the file has them
-- (CRUSH4SQL).
--
--   sqlite3 my.db -cmd ".parameter set @file questions.jsonl" -cmd ".parameter set @dataset bird" \
--                 ".read sql/import_hallucinations.sql"
--
--   @file      one of: a JSON array of objects; one JSON object per line; or a JSON object {"id": schema, ...}.
--              The objects have question_id (or id) and hallucinated, and optionally gold_elements, a JSON array of texts
--              "db.table.column", and question, db_id and evidence. A schema is a JSON array of texts such as
--              "Club(name, id)", or one text
--   @dataset   optional: the data set; prefixed to the ids, as in the import of the questions
--   @split     optional: its split, likewise
--
-- An entry whose question is not there yet creates it, if the entry has its text (key question); otherwise it is an error.
-- What was recorded for the same questions before is replaced. Needs the tables of create_tables.sql, but no extension.

.bail on

-- The name of the constraint that fails says what is wrong with the input.
DROP TABLE IF EXISTS temp.input_check;
CREATE TEMP TABLE input_check(
  tables    CONSTRAINT "the tables are missing; first .read sql/create_tables.sql" CHECK(tables),
  file_set  CONSTRAINT "@file is not set; use .parameter set @file PATH" CHECK(file_set),
  readable  CONSTRAINT "the file @file cannot be read" CHECK(readable),
  is_json   CONSTRAINT "the file @file is neither JSON nor JSON lines" CHECK(is_json),
  complete  CONSTRAINT "each entry needs an id and hallucinated, an array of texts or a text" CHECK(complete),
  gold      CONSTRAINT "gold_elements must be an array of texts" CHECK(gold),
  ids_once  CONSTRAINT "an id occurs twice in the file @file" CHECK(ids_once),
  ids_known CONSTRAINT "an id is not that of a question of this @dataset and @split, and its entry has no question" CHECK(ids_known)
);
INSERT INTO input_check(tables) SELECT count(DISTINCT name) = 3 FROM pragma_table_list WHERE name IN ('databases', 'questions', 'hallucinations');

INSERT INTO input_check(file_set) SELECT @file IS NOT NULL;
DROP TABLE IF EXISTS temp.input;
CREATE TEMP TABLE input AS  -- the text, without a byte order mark
  SELECT CASE WHEN substr(t, 1, 1) = char(65279) THEN substr(t, 2) ELSE t END AS text FROM (SELECT CAST(readfile(@file) AS TEXT) AS t);
SELECT 'error: the file ' || @file || ' cannot be read' AS message WHERE readfile(@file) IS NULL;
INSERT INTO input_check(readable) SELECT text IS NOT NULL FROM input;
-- Objects on lines of their own become an array. A line end cannot occur inside a JSON text.
UPDATE input SET text = '[' || replace(replace(trim(replace(text, char(13), ''), ' ' || char(9, 10)), char(10) || char(10), char(10)), char(10), ',') || ']'
WHERE NOT json_valid(text) OR (json_type(text) = 'object' AND coalesce(json_extract(text, '$.question_id'), json_extract(text, '$.id')) IS NOT NULL);
INSERT INTO input_check(is_json) SELECT json_valid(text) FROM input;
INSERT INTO input_check(is_json) SELECT json_type(text) IN ('array', 'object') FROM input;

DROP TABLE IF EXISTS temp.input_entries;
CREATE TEMP TABLE input_entries AS  -- each as an object
SELECT e.id AS position, CASE WHEN json_type(text) = 'object' THEN json_object('id', e.key, 'hallucinated', CASE WHEN e.type IN ('array', 'object') THEN json(e.value) ELSE e.value END)
                              WHEN e.type = 'object' THEN e.value ELSE '{}' END AS entry
FROM input, json_each(text) e;
DROP TABLE IF EXISTS temp.input_rows;
CREATE TEMP TABLE input_rows AS
SELECT row_number() OVER (ORDER BY position) - 1 AS position,
       coalesce(@dataset || '/', '') || coalesce(@split || '/', '') || coalesce(json_extract(entry, '$.question_id'), json_extract(entry, '$.id')) AS id,
       CASE json_type(entry, '$.hallucinated') WHEN 'array' THEN json_extract(entry, '$.hallucinated')
                                               WHEN 'text' THEN json_array(json_extract(entry, '$.hallucinated')) END AS schema,
       json_extract(entry, '$.gold_elements') AS gold, coalesce(json_type(entry, '$.gold_elements'), 'null') AS gold_type,
       CASE json_type(entry, '$.question') WHEN 'text' THEN json_extract(entry, '$.question') END AS question,
       CASE json_type(entry, '$.db_id') WHEN 'text' THEN json_extract(entry, '$.db_id') END AS db_id,
       CASE json_type(entry, '$.evidence') WHEN 'text' THEN nullif(trim(json_extract(entry, '$.evidence')), '') END AS evidence
FROM input_entries;
UPDATE input_rows SET schema = NULL WHERE EXISTS (SELECT 1 FROM json_each(coalesce(schema, '[]')) e WHERE e.type <> 'text');
SELECT 'error: entry ' || position || ' of ' || @file || ' is incomplete' AS message FROM input_rows WHERE id IS NULL OR schema IS NULL ORDER BY position LIMIT 1;
INSERT INTO input_check(complete) SELECT id IS NOT NULL AND schema IS NOT NULL FROM input_rows;
INSERT INTO input_check(gold)
SELECT gold_type IN ('array', 'null') AND NOT EXISTS (SELECT 1 FROM json_each(CASE gold_type WHEN 'array' THEN gold ELSE '[]' END) e WHERE e.type <> 'text') FROM input_rows;
SELECT 'error: id ' || id || ' occurs ' || count(*) || ' times in the file' AS message FROM input_rows GROUP BY id HAVING count(*) > 1 LIMIT 1;
INSERT INTO input_check(ids_once) SELECT count(*) = count(DISTINCT id) FROM input_rows;
SELECT 'error: ' || count(*) || ' ids are not in questions, for example ' || min(id) AS message
FROM input_rows WHERE question IS NULL AND id NOT IN (SELECT id FROM questions) HAVING count(*) > 0;
INSERT INTO input_check(ids_known) SELECT question IS NOT NULL OR id IN (SELECT id FROM questions) FROM input_rows;

BEGIN;
INSERT INTO databases(db_id) SELECT DISTINCT db_id FROM input_rows WHERE db_id IS NOT NULL AND db_id NOT IN (SELECT db_id FROM databases);
INSERT INTO questions(id, question, db_id, dataset, split, evidence)
SELECT id, question, db_id, @dataset, @split, evidence FROM input_rows WHERE id NOT IN (SELECT id FROM questions) ORDER BY position;
INSERT INTO hallucinations(id, schema, gold) SELECT id, schema, gold FROM input_rows WHERE true
ON CONFLICT(id) DO UPDATE SET schema = excluded.schema, gold = excluded.gold;
COMMIT;

SELECT count(*) || ' hallucinated schemas, ' || count(gold) || ' with gold elements' AS message FROM input_rows;
DROP TABLE temp.input;
DROP TABLE temp.input_entries;
DROP TABLE temp.input_rows;
