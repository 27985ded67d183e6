-- import_predictions.sql: the predictions of one system from a text file with one query per line.
--
--   sqlite3 my.db -cmd ".parameter set @system gpt4" -cmd ".parameter set @file gpt4.txt" ".read sql/import_predictions.sql"
--
--   @system    the name of the system
--   @file      one query per line, in the order of the questions
--   @dataset   optional: the data set that the lines belong to
--   @split     optional: the split of it that the lines belong to
--
-- Line k is the answer to the k-th question of the data set and split, and there must be as many lines as questions. A
-- blank line, or the word null, is an abstention. (If the numbers agree only without the blank lines between queries,
-- these are separators.) The name of a database after a tab is dropped. Line ends may be LF or CRLF. Predictions of the
-- same system for the same questions are replaced. Needs the tables of create_tables.sql, but no extension.

.bail on

-- The name of the constraint that fails says what is wrong with the input.
DROP TABLE IF EXISTS temp.input_check;
CREATE TEMP TABLE input_check(
  tables     CONSTRAINT "the tables are missing; first .read sql/create_tables.sql" CHECK(tables),
  file_set   CONSTRAINT "@file is not set; use .parameter set @file PATH" CHECK(file_set),
  system_set CONSTRAINT "@system is not set; use .parameter set @system NAME" CHECK(system_set),
  readable   CONSTRAINT "the file @file cannot be read" CHECK(readable),
  is_text    CONSTRAINT "the file @file is not a text with one query per line" CHECK(is_text),
  any_asked  CONSTRAINT "there are no questions of this @dataset and @split; import them first" CHECK(any_asked),
  as_many    CONSTRAINT "the file @file does not have one line for each question" CHECK(as_many)
);
INSERT INTO input_check(tables) SELECT count(DISTINCT name) = 2 FROM pragma_table_list WHERE name IN ('questions', 'predictions');

INSERT INTO input_check(file_set) SELECT @file IS NOT NULL;
INSERT INTO input_check(system_set) SELECT @system IS NOT NULL AND @system <> '';
DROP TABLE IF EXISTS temp.input;
CREATE TEMP TABLE input AS  -- the text, without a byte order mark
  SELECT CASE WHEN substr(t, 1, 1) = char(65279) THEN substr(t, 2) ELSE t END AS text FROM (SELECT CAST(readfile(@file) AS TEXT) AS t);
SELECT 'error: the file ' || @file || ' cannot be read' AS message WHERE readfile(@file) IS NULL;
INSERT INTO input_check(readable) SELECT text IS NOT NULL FROM input;
-- Lines are split by turning the text into a JSON array, in time linear in its length; U+FDD0, which is a noncharacter,
-- temporarily represents the line end.
INSERT INTO input_check(is_text) SELECT instr(text, char(64976)) = 0 AND instr(text, char(0)) = 0 FROM input;
DROP TABLE IF EXISTS temp.input_lines;
CREATE TEMP TABLE input_lines AS
SELECT e.key + 1 AS line, trim(e.value, ' ' || char(9, 13)) AS text
FROM input, json_each('[' || replace(json_quote(replace(text, char(10), char(64976))), char(64976), '","') || ']') e;

DROP TABLE IF EXISTS temp.asked;
CREATE TEMP TABLE asked AS
SELECT id, db_id, row_number() OVER (ORDER BY number) AS position FROM questions
WHERE (@dataset IS NULL OR dataset = @dataset) AND (@split IS NULL OR split = @split);
INSERT INTO input_check(any_asked) SELECT count(*) > 0 FROM asked;
DELETE FROM input_lines WHERE text = '' AND line = (SELECT max(line) FROM input_lines);  -- empty text after the last line end

-- Blank lines after the last question are dropped; others count as abstentions if the number of lines is then right.
DELETE FROM input_lines WHERE text = '' AND line > max((SELECT count(*) FROM asked), coalesce((SELECT max(line) FROM input_lines WHERE text <> ''), 0));
DELETE FROM input_lines WHERE text = '' AND (SELECT count(*) FROM input_lines) <> (SELECT count(*) FROM asked);

SELECT 'error: ' || (SELECT count(*) FROM input_lines) || ' lines for ' || count(*) || ' questions' AS message FROM asked
HAVING count(*) <> (SELECT count(*) FROM input_lines);
INSERT INTO input_check(as_many) SELECT count(*) = (SELECT count(*) FROM input_lines) FROM asked;

BEGIN;
INSERT INTO predictions(system, id, pred)
SELECT @system, id, CASE WHEN sql = '' OR lower(sql) = 'null' THEN NULL ELSE sql END
FROM (SELECT a.id, CASE WHEN substr(l.text, -length(a.db_id) - 1) = char(9) || a.db_id
                        THEN rtrim(substr(l.text, 1, length(l.text) - length(a.db_id)), ' ' || char(9)) ELSE l.text END AS sql
      FROM (SELECT text, row_number() OVER (ORDER BY line) AS position FROM input_lines) l JOIN asked a USING (position))
WHERE true
ON CONFLICT(system, id) DO UPDATE SET pred = excluded.pred, raw = NULL, cls = NULL, error = NULL, confidence = NULL;
COMMIT;

SELECT count(*) || ' predictions of ' || @system || ', ' || (count(*) - count(p.pred)) || ' of them abstentions' AS message
FROM asked JOIN predictions p ON p.system = @system AND p.id = asked.id;
DROP TABLE temp.input;
DROP TABLE temp.input_lines;
DROP TABLE temp.asked;
