-- import_gold.sql: gold queries from a text file with one query per line.
--
--   sqlite3 my.db -cmd ".parameter set @file dev_gold.sql" \
--                 -cmd ".parameter set @databases 'spider/database/{db_id}/{db_id}.sqlite'" ".read sql/import_gold.sql"
--
--   @file        one query per line, followed by a tab and the name of its database ("SELECT ...<TAB>db_id"), as in
--                Spider's gold files. A line "null" means that the question is infeasible.
--   @databases   optional: the path of the databases; {db_id} stands for the name
--   @dataset     optional: the data set that the lines belong to
--   @split       optional: the split of it that the lines belong to
--
-- If the data set and split have questions, line k is the gold query of the k-th one, and there must be as many lines
-- as questions. Otherwise the lines create questions without a text, with the ids that import_spider.sql would give,
-- which is enough to score prediction files. Blank lines at the end are ignored; in some files, blank lines between queries
-- separate dialogues, and are left out if the numbers then agree. Line ends may be LF or CRLF.
-- Existing gold queries are replaced. Needs the tables of create_tables.sql, but no extension.

.bail on

-- The name of the constraint that fails says what is wrong with the input.
DROP TABLE IF EXISTS temp.input_check;
CREATE TEMP TABLE input_check(
  tables    CONSTRAINT "the tables are missing; first .read sql/create_tables.sql" CHECK(tables),
  file_set  CONSTRAINT "@file is not set; use .parameter set @file PATH" CHECK(file_set),
  readable  CONSTRAINT "the file @file cannot be read" CHECK(readable),
  is_text   CONSTRAINT "the file @file is not a text with one query per line" CHECK(is_text),
  not_empty CONSTRAINT "the file @file has no queries" CHECK(not_empty),
  as_many   CONSTRAINT "the file @file does not have one query for each question" CHECK(as_many),
  same_db   CONSTRAINT "a line of @file names another database than its question" CHECK(same_db),
  one_path  CONSTRAINT "the questions are on several databases; @databases must contain {db_id} in the path" CHECK(one_path)
);
INSERT INTO input_check(tables) SELECT count(DISTINCT name) = 3 FROM pragma_table_list WHERE name IN ('databases', 'questions', 'gold');

INSERT INTO input_check(file_set) SELECT @file IS NOT NULL;
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
DELETE FROM input_lines WHERE line > coalesce((SELECT max(line) FROM input_lines WHERE text <> ''), 0);
INSERT INTO input_check(not_empty) SELECT count(*) > 0 FROM input_lines;

DROP TABLE IF EXISTS temp.asked;
CREATE TEMP TABLE asked AS
SELECT id, db_id, row_number() OVER (ORDER BY number) AS position FROM questions
WHERE (@dataset IS NULL OR dataset = @dataset) AND (@split IS NULL OR split = @split);
DELETE FROM input_lines
WHERE text = '' AND (SELECT count(*) FROM input_lines) <> (SELECT count(*) FROM asked);

-- The name of the database is the text after the last tab, if that is one word.
DROP TABLE IF EXISTS temp.input_rows;
CREATE TEMP TABLE input_rows AS
SELECT line, row_number() OVER (ORDER BY line) AS position, text AS sql, NULL AS db_id FROM input_lines;
UPDATE input_rows SET db_id = replace(sql, rtrim(sql, replace(sql, char(9), '')), '') WHERE instr(sql, char(9)) > 0;
UPDATE input_rows SET db_id = NULL WHERE db_id = '' OR instr(db_id, ' ') > 0;
UPDATE input_rows SET sql = rtrim(substr(sql, 1, length(sql) - length(db_id)), ' ' || char(9)) WHERE db_id IS NOT NULL;
UPDATE input_rows SET sql = NULL WHERE lower(sql) = 'null';

SELECT 'error: ' || (SELECT count(*) FROM input_rows) || ' queries for ' || count(*) || ' questions' AS message FROM asked
HAVING count(*) NOT IN (0, (SELECT count(*) FROM input_rows));
INSERT INTO input_check(as_many) SELECT count(*) IN (0, (SELECT count(*) FROM input_rows)) FROM asked;
SELECT 'error: line ' || r.line || ' is for database ' || r.db_id || ', its question ' || a.id || ' for ' || a.db_id AS message
FROM input_rows r JOIN asked a USING (position) WHERE r.db_id <> a.db_id ORDER BY r.line LIMIT 1;
INSERT INTO input_check(same_db) SELECT coalesce(r.db_id = a.db_id, 1) FROM input_rows r JOIN asked a USING (position);
INSERT INTO input_check(one_path) SELECT instr(@databases, '{db_id}') > 0 OR count(DISTINCT db_id) < 2 FROM input_rows;

BEGIN;
INSERT INTO databases(db_id, path)
SELECT DISTINCT db_id, replace(@databases, '{db_id}', db_id) FROM input_rows WHERE db_id IS NOT NULL
ON CONFLICT(db_id) DO UPDATE SET path = coalesce(excluded.path, path);
INSERT INTO questions(id, db_id, dataset, split)
SELECT coalesce(@dataset || '/', '') || coalesce(@split || '/', '') || (position - 1), db_id, @dataset, @split FROM input_rows WHERE NOT EXISTS (SELECT 1 FROM asked) ORDER BY position;
INSERT INTO gold(id, sql)
SELECT coalesce(a.id, coalesce(@dataset || '/', '') || coalesce(@split || '/', '') || (r.position - 1)), r.sql FROM input_rows r LEFT JOIN asked a USING (position) WHERE true
ON CONFLICT(id) DO UPDATE SET sql = excluded.sql;
COMMIT;

SELECT count(*) || ' gold queries, ' || (count(*) - count(sql)) || ' of them of infeasible questions' AS message FROM input_rows;
DROP TABLE temp.input;
DROP TABLE temp.input_lines;
DROP TABLE temp.input_rows;
DROP TABLE temp.asked;
