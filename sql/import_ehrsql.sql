-- import_ehrsql.sql: questions and gold queries from the files of EHRSQL-2024, data.json and label.json.
--
--   sqlite3 my.db -cmd ".parameter set @data valid_data.json" -cmd ".parameter set @labels valid_label.json" \
--                 -cmd ".parameter set @database mimic_iv.sqlite" ".read sql/import_ehrsql.sql"
--
--   @labels     a JSON object {"id": "SELECT ...", "id": "null", ...}: the text null (or JSON's own null) marks an
--               infeasible question
--   @data       optional: a JSON object {"version": ..., "data": [{"id": ..., "question": ...}, ...]}; without it the questions
--               have no text
--   @database   optional: the SQLite file that all queries run on; without it, the database they are imported into
--   @dataset    optional: a name for the data set; prefixed to the ids
--   @split      optional: its split; also prefixed to the ids ("<dataset>/<split>/<id>")
--
-- Labels and data must have the same ids. Questions with the same id are replaced. Predictions of the same form are
-- imported with import_predictions_json.sql, TrustSQL's questions with import_trustsql.sql. Needs the tables of
-- create_tables.sql, but no extension.

.bail on

-- The name of the constraint that fails says what is wrong with the input.
DROP TABLE IF EXISTS temp.input_check;
CREATE TEMP TABLE input_check(
  tables          CONSTRAINT "the tables are missing; first .read sql/create_tables.sql" CHECK(tables),
  labels_set      CONSTRAINT "@labels is not set; use .parameter set @labels PATH" CHECK(labels_set),
  labels_readable CONSTRAINT "the file @labels cannot be read" CHECK(labels_readable),
  labels_json     CONSTRAINT "the file @labels is not JSON" CHECK(labels_json),
  labels_object   CONSTRAINT "the file @labels is not a JSON object of ids and queries" CHECK(labels_object),
  labels_text     CONSTRAINT "a label must be a text or null" CHECK(labels_text),
  labels_once     CONSTRAINT "an id occurs twice in the file @labels" CHECK(labels_once),
  data_readable   CONSTRAINT "the file @data cannot be read" CHECK(data_readable),
  data_json       CONSTRAINT "the file @data is not JSON" CHECK(data_json),
  data_array      CONSTRAINT "the file @data is not a JSON object with an array data" CHECK(data_array),
  data_complete   CONSTRAINT "each entry of @data needs an id and the text question" CHECK(data_complete),
  data_once       CONSTRAINT "an id occurs twice in the file @data" CHECK(data_once),
  ids_agree       CONSTRAINT "@labels and @data have different ids" CHECK(ids_agree)
);
INSERT INTO input_check(tables) SELECT count(DISTINCT name) = 3 FROM pragma_table_list WHERE name IN ('databases', 'questions', 'gold');

INSERT INTO input_check(labels_set) SELECT @labels IS NOT NULL;
DROP TABLE IF EXISTS temp.input;
CREATE TEMP TABLE input AS  -- the texts, without a byte order mark
SELECT name, CASE WHEN substr(t, 1, 1) = char(65279) THEN substr(t, 2) ELSE t END AS text
FROM (SELECT 'labels' AS name, CAST(readfile(@labels) AS TEXT) AS t
      UNION ALL SELECT 'data', CASE WHEN @data IS NULL THEN '{"data":[]}' ELSE CAST(readfile(@data) AS TEXT) END);
SELECT 'error: the file ' || @labels || ' cannot be read' AS message WHERE readfile(@labels) IS NULL;
INSERT INTO input_check(labels_readable) SELECT text IS NOT NULL FROM input WHERE name = 'labels';
INSERT INTO input_check(labels_json) SELECT json_valid(text) FROM input WHERE name = 'labels';
INSERT INTO input_check(labels_object) SELECT json_type(text) = 'object' FROM input WHERE name = 'labels';
SELECT 'error: the file ' || @data || ' cannot be read' AS message WHERE @data IS NOT NULL AND readfile(@data) IS NULL;
INSERT INTO input_check(data_readable) SELECT text IS NOT NULL FROM input WHERE name = 'data';
INSERT INTO input_check(data_json) SELECT json_valid(text) FROM input WHERE name = 'data';
INSERT INTO input_check(data_array) SELECT coalesce(json_type(text, '$.data') = 'array', 0) FROM input WHERE name = 'data';

DROP TABLE IF EXISTS temp.input_labels;
CREATE TEMP TABLE input_labels AS
SELECT e.id AS position, e.key AS id, e.type AS type,
       CASE WHEN e.value IS NULL OR lower(trim(e.value, ' ' || char(9, 10, 13))) = 'null' THEN NULL ELSE e.value END AS sql
FROM input, json_each(text) e WHERE input.name = 'labels';
DROP TABLE IF EXISTS temp.input_data;
CREATE TEMP TABLE input_data AS
SELECT e.key AS position, CAST(json_extract(e.value, '$.id') AS TEXT) AS id, CASE json_type(e.value, '$.question') WHEN 'text' THEN json_extract(e.value, '$.question') END AS question
FROM input, json_each(text, '$.data') e WHERE input.name = 'data' AND e.type = 'object'
UNION ALL
SELECT e.key, NULL, NULL FROM input, json_each(text, '$.data') e WHERE input.name = 'data' AND e.type <> 'object';
CREATE INDEX temp.input_data_id ON input_data(id);
CREATE INDEX temp.input_labels_id ON input_labels(id);

SELECT 'error: the label of ' || id || ' is not text: ' || type AS message FROM input_labels WHERE type NOT IN ('text', 'null') LIMIT 1;
INSERT INTO input_check(labels_text) SELECT type IN ('text', 'null') FROM input_labels;
SELECT 'error: ' || id || ' occurs ' || count(*) || ' times in the labels' AS message FROM input_labels GROUP BY id HAVING count(*) > 1 LIMIT 1;
INSERT INTO input_check(labels_once) SELECT count(*) = count(DISTINCT id) FROM input_labels;
SELECT 'error: entry ' || position || ' of the data is incomplete' AS message FROM input_data WHERE id IS NULL OR question IS NULL LIMIT 1;
INSERT INTO input_check(data_complete) SELECT id IS NOT NULL AND question IS NOT NULL FROM input_data;
SELECT 'error: ' || id || ' occurs ' || count(*) || ' times in the data' AS message FROM input_data GROUP BY id HAVING count(*) > 1 LIMIT 1;
INSERT INTO input_check(data_once) SELECT count(*) = count(DISTINCT id) FROM input_data;
SELECT 'error: ' || id || ' is in the labels and not in the data' AS message FROM input_labels
WHERE @data IS NOT NULL AND id NOT IN (SELECT id FROM input_data) LIMIT 1;
SELECT 'error: ' || id || ' is in the data and not in the labels' AS message FROM input_data WHERE id NOT IN (SELECT id FROM input_labels) LIMIT 1;
INSERT INTO input_check(ids_agree)
SELECT @data IS NULL OR NOT EXISTS (SELECT id FROM input_labels EXCEPT SELECT id FROM input_data)
                        AND NOT EXISTS (SELECT id FROM input_data EXCEPT SELECT id FROM input_labels);

DROP TABLE IF EXISTS temp.input_rows;
CREATE TEMP TABLE input_rows AS
SELECT coalesce(d.position, l.position) AS position, coalesce(@dataset || '/', '') || coalesce(@split || '/', '') || l.id AS id, d.question, l.sql
FROM input_labels l LEFT JOIN input_data d ON d.id = l.id;

BEGIN;
INSERT INTO databases(db_id, path) SELECT coalesce(@dataset, @database), @database WHERE @database IS NOT NULL
ON CONFLICT(db_id) DO UPDATE SET path = excluded.path;
INSERT INTO questions(id, question, db_id, dataset, split)
SELECT id, question, CASE WHEN @database IS NOT NULL THEN coalesce(@dataset, @database) END, @dataset, @split FROM input_rows WHERE true ORDER BY position
ON CONFLICT(id) DO UPDATE SET question = coalesce(excluded.question, question), db_id = excluded.db_id, dataset = excluded.dataset, split = excluded.split;
INSERT INTO gold(id, sql) SELECT id, sql FROM input_rows WHERE true
ON CONFLICT(id) DO UPDATE SET sql = excluded.sql;
COMMIT;

SELECT count(*) || ' questions, ' || (count(*) - count(sql)) || ' of them infeasible' AS message FROM input_rows;
DROP TABLE temp.input;
DROP TABLE temp.input_labels;
DROP TABLE temp.input_data;
DROP TABLE temp.input_rows;
