-- import_csv_predictions.sql: predictions from a CSV file, with confidences and parts of a pipeline if it has them.
--
--   sqlite3 my.db -cmd ".import --csv predictions.csv csv_predictions" ".read sql/import_csv_predictions.sql"
--
-- The first line of the file names its columns, in any order (upper or lower case); the shell's .import reads it into a
-- table csv_predictions, which this script moves to the tables of create_tables.sql. It is dropped whether or not the script
-- succeeds, so that the next .import begins anew.
--
--   id           the id of the question
--   pred         the query; the word null, or an empty field, is an abstention
--   system       the name of the system; may be missing if @system is set
--   confidence   optional: a number, larger is more confident
--   raw, cls, error   optional, as in create_tables.sql; an empty field is NULL
--
-- Every id must be that of a question. Predictions of the same system for the same questions are replaced. Needs the
-- tables of create_tables.sql, but no extension.

.bail on

-- The name of the constraint that fails says what is wrong with the input.
DROP TABLE IF EXISTS temp.input_check;
CREATE TEMP TABLE input_check(
  tables     CONSTRAINT "the tables are missing; first .read sql/create_tables.sql" CHECK(tables),
  imported   CONSTRAINT "there is no table csv_predictions; first .import --csv FILE csv_predictions" CHECK(imported),
  columns    CONSTRAINT "the CSV file needs the columns id and pred" CHECK(columns),
  known      CONSTRAINT "the CSV file has a column that is not known" CHECK(known),
  systems    CONSTRAINT "the CSV file has no column system, or an empty one; use .parameter set @system NAME" CHECK(systems),
  ids_known  CONSTRAINT "an id of the CSV file is not that of a question" CHECK(ids_known),
  once       CONSTRAINT "a system answers a question twice in the CSV file" CHECK(once),
  confidence CONSTRAINT "a confidence is not a number" CHECK(confidence)
);
INSERT INTO input_check(imported) SELECT count(*) > 0 FROM pragma_table_info('csv_predictions');
DROP TABLE IF EXISTS temp.input_csv;
CREATE TEMP TABLE input_csv AS SELECT * FROM csv_predictions ORDER BY rowid;
DROP TABLE csv_predictions;
INSERT INTO input_check(tables) SELECT count(DISTINCT name) = 2 FROM pragma_table_list WHERE name IN ('questions', 'predictions');
INSERT INTO input_check(columns) SELECT count(*) = 2 FROM pragma_table_info('input_csv') WHERE lower(name) IN ('id', 'pred');
SELECT 'error: column ' || name || ' is none of system, id, pred, raw, cls, error, confidence' AS message
FROM pragma_table_info('input_csv') WHERE lower(name) NOT IN ('system', 'id', 'pred', 'raw', 'cls', 'error', 'confidence');
INSERT INTO input_check(known)
SELECT lower(name) IN ('system', 'id', 'pred', 'raw', 'cls', 'error', 'confidence') FROM pragma_table_info('input_csv');

-- A column that the file lacks is read from `absent` instead: names in a subquery are resolved in its own FROM first.
DROP TABLE IF EXISTS temp.input_rows;
CREATE TEMP TABLE input_rows(system, id, pred, raw, cls, error, confidence REAL);  -- REAL: converts text that looks like a number
INSERT INTO input_rows
SELECT coalesce(nullif(system, ''), @system) AS system, id, nullif(trim(pred, ' ' || char(9, 10, 13)), '') AS pred, nullif(raw, '') AS raw,
       nullif(cls, '') AS cls, nullif(error, '') AS error, nullif(trim(confidence), '') AS confidence
FROM (SELECT c.id, c.pred,
             (SELECT system FROM input_csv i WHERE i.rowid = c.rowid) AS system, (SELECT raw FROM input_csv i WHERE i.rowid = c.rowid) AS raw,
             (SELECT cls FROM input_csv i WHERE i.rowid = c.rowid) AS cls, (SELECT error FROM input_csv i WHERE i.rowid = c.rowid) AS error,
             (SELECT confidence FROM input_csv i WHERE i.rowid = c.rowid) AS confidence
      FROM (SELECT NULL AS system, NULL AS raw, NULL AS cls, NULL AS error, NULL AS confidence) absent, input_csv c);
UPDATE input_rows SET pred = NULL WHERE lower(pred) = 'null';
CREATE INDEX temp.input_rows_key ON input_rows(system, id);
INSERT INTO input_check(systems) SELECT system IS NOT NULL FROM input_rows;
SELECT 'error: ' || count(*) || ' ids are not in questions, for example ' || min(id) AS message
FROM input_rows WHERE id NOT IN (SELECT id FROM questions) HAVING count(*) > 0;
INSERT INTO input_check(ids_known) SELECT id IN (SELECT id FROM questions) FROM input_rows;
SELECT 'error: ' || system || ' answers ' || id || ' ' || count(*) || ' times' AS message FROM input_rows GROUP BY system, id HAVING count(*) > 1 LIMIT 1;
INSERT INTO input_check(once) SELECT count(*) = 1 FROM input_rows GROUP BY system, id;
SELECT 'error: the confidence of ' || id || ' is ' || confidence AS message FROM input_rows WHERE typeof(confidence) = 'text' LIMIT 1;
INSERT INTO input_check(confidence) SELECT typeof(confidence) <> 'text' FROM input_rows;

BEGIN;
INSERT INTO predictions(system, id, pred, raw, cls, error, confidence)
SELECT system, id, pred, raw, cls, error, confidence FROM input_rows WHERE true
ON CONFLICT(system, id) DO UPDATE SET pred = excluded.pred, raw = excluded.raw, cls = excluded.cls, error = excluded.error, confidence = excluded.confidence;
COMMIT;

SELECT count(*) || ' predictions of ' || system || ', ' || (count(*) - count(pred)) || ' of them abstentions' AS message FROM input_rows GROUP BY system;
DROP TABLE temp.input_csv;
DROP TABLE temp.input_rows;
