-- import_predictions_json.sql: the predictions of one system from a JSON file of ids and queries.
--
--   sqlite3 my.db -cmd ".parameter set @system t5" -cmd ".parameter set @file t5.json" ".read sql/import_predictions_json.sql"
--
--   @system    the name of the system
--   @file      a JSON object {"id": "SELECT ...", "id": "null", ...}, as in TrustSQL and EHRSQL-2024; the text null, an
--              empty text and JSON's own null are abstentions
--   @dataset   optional: the data set; prefixed to the ids, as in the import of the questions
--   @split     optional: its split, likewise
--
-- Every id must be that of a question. A question that the file lacks gets no prediction; the script reports their
-- number, and rs_report treats them as its option `missing` specifies. Predictions of the same system for the same
-- questions are replaced. Needs the tables of create_tables.sql, but no extension.

.bail on

-- The name of the constraint that fails says what is wrong with the input.
DROP TABLE IF EXISTS temp.input_check;
CREATE TEMP TABLE input_check(
  tables     CONSTRAINT "the tables are missing; first .read sql/create_tables.sql" CHECK(tables),
  file_set   CONSTRAINT "@file is not set; use .parameter set @file PATH" CHECK(file_set),
  system_set CONSTRAINT "@system is not set; use .parameter set @system NAME" CHECK(system_set),
  readable   CONSTRAINT "the file @file cannot be read" CHECK(readable),
  is_json    CONSTRAINT "the file @file is not JSON" CHECK(is_json),
  is_object  CONSTRAINT "the file @file is not a JSON object of ids and queries" CHECK(is_object),
  text_only  CONSTRAINT "a prediction must be a text or null" CHECK(text_only),
  ids_once   CONSTRAINT "an id occurs twice in the file @file" CHECK(ids_once),
  ids_known  CONSTRAINT "an id is not that of a question of this @dataset and @split" CHECK(ids_known)
);
INSERT INTO input_check(tables) SELECT count(DISTINCT name) = 2 FROM pragma_table_list WHERE name IN ('questions', 'predictions');

INSERT INTO input_check(file_set) SELECT @file IS NOT NULL;
INSERT INTO input_check(system_set) SELECT @system IS NOT NULL AND @system <> '';
DROP TABLE IF EXISTS temp.input;
CREATE TEMP TABLE input AS  -- the text, without a byte order mark
  SELECT CASE WHEN substr(t, 1, 1) = char(65279) THEN substr(t, 2) ELSE t END AS text FROM (SELECT CAST(readfile(@file) AS TEXT) AS t);
SELECT 'error: the file ' || @file || ' cannot be read' AS message WHERE readfile(@file) IS NULL;
INSERT INTO input_check(readable) SELECT text IS NOT NULL FROM input;
INSERT INTO input_check(is_json) SELECT json_valid(text) FROM input;
INSERT INTO input_check(is_object) SELECT json_type(text) = 'object' FROM input;

DROP TABLE IF EXISTS temp.input_rows;
CREATE TEMP TABLE input_rows AS
SELECT coalesce(@dataset || '/', '') || coalesce(@split || '/', '') || e.key AS id, e.type AS type,
       CASE WHEN e.value IS NULL OR lower(trim(e.value, ' ' || char(9, 10, 13))) IN ('null', '') THEN NULL ELSE e.value END AS pred
FROM input, json_each(text) e;

SELECT 'error: the prediction of ' || id || ' is not text: ' || type AS message FROM input_rows WHERE type NOT IN ('text', 'null') LIMIT 1;
INSERT INTO input_check(text_only) SELECT type IN ('text', 'null') FROM input_rows;
SELECT 'error: ' || id || ' occurs ' || count(*) || ' times in the file' AS message FROM input_rows GROUP BY id HAVING count(*) > 1 LIMIT 1;
INSERT INTO input_check(ids_once) SELECT count(*) = count(DISTINCT id) FROM input_rows;
SELECT 'error: ' || count(*) || ' ids are not in questions, for example ' || min(id) AS message
FROM input_rows WHERE id NOT IN (SELECT id FROM questions) HAVING count(*) > 0;
INSERT INTO input_check(ids_known) SELECT id IN (SELECT id FROM questions) FROM input_rows;

BEGIN;
INSERT INTO predictions(system, id, pred) SELECT @system, id, pred FROM input_rows WHERE true
ON CONFLICT(system, id) DO UPDATE SET pred = excluded.pred, raw = NULL, cls = NULL, error = NULL, confidence = NULL;
COMMIT;

SELECT count(*) || ' predictions of ' || @system || ', ' || (count(*) - count(pred)) || ' of them abstentions' AS message FROM input_rows;
SELECT 'note: ' || count(*) || ' questions have no prediction of ' || @system AS message FROM questions
WHERE (@dataset IS NULL OR dataset = @dataset) AND (@split IS NULL OR split = @split) AND id NOT IN (SELECT id FROM predictions WHERE system = @system)
HAVING count(*) > 0;
DROP TABLE temp.input;
DROP TABLE temp.input_rows;
