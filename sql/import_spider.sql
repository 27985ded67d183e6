-- import_spider.sql: the questions of a file in the form of Spider's dev.json, with their gold queries.
--
--   sqlite3 my.db -cmd ".parameter set @file spider/dev.json" \
--                 -cmd ".parameter set @databases 'spider/database/{db_id}/{db_id}.sqlite'" ".read sql/import_spider.sql"
--
--   @file        a JSON array of objects with db_id, question and query, and optionally id, type and note (other keys are
--                ignored)
--   @databases   optional: the path of the databases; {db_id} stands for the name
--   @dataset     optional: a name for the data set
--   @split       optional: 'validation', 'test' ...
--
-- The id of a question is that in the file, or else its index there, from 0; it is prefixed with "<dataset>/<split>/" as
-- far as they are given. A query that is the text null, or JSON's own null, marks an infeasible question. An entry without
-- query gets no gold query; import_gold.sql can add it. Questions with the same id are replaced. Needs the tables of
-- create_tables.sql, but no extension.

.bail on

-- The name of the constraint that fails says what is wrong with the input.
DROP TABLE IF EXISTS temp.input_check;
CREATE TEMP TABLE input_check(
  tables   CONSTRAINT "the tables are missing; first .read sql/create_tables.sql" CHECK(tables),
  file_set CONSTRAINT "@file is not set; use .parameter set @file PATH" CHECK(file_set),
  readable CONSTRAINT "the file @file cannot be read" CHECK(readable),
  is_json  CONSTRAINT "the file @file is not JSON" CHECK(is_json),
  is_array CONSTRAINT "the file @file is not a JSON array of questions" CHECK(is_array),
  complete CONSTRAINT "each entry needs the texts db_id, question and query" CHECK(complete),
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
       coalesce(@dataset || '/', '') || coalesce(@split || '/', '') || coalesce(json_extract(e.value, '$.id'), e.key) AS id,
       json_extract(e.value, '$.question') AS question, json_extract(e.value, '$.db_id') AS db_id,
       CASE WHEN lower(trim(json_extract(e.value, '$.query'), ' ' || char(9, 10, 13))) <> 'null' THEN json_extract(e.value, '$.query') END AS query,
       json_type(e.value, '$.query') IS NOT NULL AS has_query,
       CASE json_type(e.value, '$.type') WHEN 'text' THEN nullif(json_extract(e.value, '$.type'), '') END AS type,
       CASE json_type(e.value, '$.note') WHEN 'text' THEN nullif(json_extract(e.value, '$.note'), '') END AS note,
       json_type(e.value, '$.question') IS 'text' AND json_type(e.value, '$.db_id') IS 'text'
         AND coalesce(json_type(e.value, '$.id'), 'null') IN ('text', 'integer', 'null')
         AND coalesce(json_type(e.value, '$.query'), 'null') IN ('text', 'null') AS complete
FROM input, json_each(text) e WHERE e.type = 'object'
UNION ALL
SELECT e.key, NULL, NULL, NULL, NULL, 0, NULL, NULL, 0 FROM input, json_each(text) e WHERE e.type <> 'object';
SELECT 'error: entry ' || position || ' of ' || @file || ' is incomplete' AS message FROM input_rows WHERE NOT complete ORDER BY position LIMIT 1;
INSERT INTO input_check(complete) SELECT complete FROM input_rows;
SELECT 'error: id ' || id || ' occurs ' || count(*) || ' times in the file' AS message FROM input_rows GROUP BY id HAVING count(*) > 1 LIMIT 1;
INSERT INTO input_check(ids_once) SELECT count(*) = count(DISTINCT id) FROM input_rows;
INSERT INTO input_check(one_path) SELECT instr(@databases, '{db_id}') > 0 OR count(DISTINCT db_id) < 2 FROM input_rows;

BEGIN;
INSERT INTO databases(db_id, path)
SELECT DISTINCT db_id, replace(@databases, '{db_id}', db_id) FROM input_rows WHERE true
ON CONFLICT(db_id) DO UPDATE SET path = coalesce(excluded.path, path);
INSERT INTO questions(id, question, db_id, dataset, split, type, note)
SELECT id, question, db_id, @dataset, @split, type, note FROM input_rows WHERE true ORDER BY position
ON CONFLICT(id) DO UPDATE SET question = excluded.question, db_id = excluded.db_id, dataset = excluded.dataset, split = excluded.split,
                              type = coalesce(excluded.type, type), note = coalesce(excluded.note, note);
INSERT INTO gold(id, sql)
SELECT id, query FROM input_rows WHERE has_query
ON CONFLICT(id) DO UPDATE SET sql = excluded.sql;
COMMIT;

SELECT count(*) || ' questions on ' || count(DISTINCT db_id) || ' databases, ' || count(query) || ' with a gold query' ||
       CASE sum(has_query AND query IS NULL) WHEN 0 THEN '' ELSE ', ' || sum(has_query AND query IS NULL) || ' infeasible' END AS message
FROM input_rows;
DROP TABLE temp.input;
DROP TABLE temp.input_rows;
