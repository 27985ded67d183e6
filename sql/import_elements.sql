-- import_elements.sql: a union of schemas that columns are retrieved from, from a text file of elements (CRUSH4SQL).
--
--   sqlite3 my.db -cmd ".parameter set @file bird_union.txt" -cmd ".parameter set @corpus bird" ".read sql/import_elements.sql"
--
--   @file      one element per line, as db.table.column; what follows the second dot is the column, which may itself have dots
--   @corpus    optional: the name of the union; 'union' by default
--   @format    optional: 'db.table.column' (default) or 'table.column', for a single schema
--
-- Blank lines are ignored, and a line that occurs again counts once. Line ends may be LF or CRLF. The elements of the same
-- corpus are replaced. schema_link takes them as its option `source`:
--
--   SELECT * FROM schema_link('Which schools are in Alameda?', 10, '{"source":"SELECT db, tbl, col FROM elements WHERE corpus = ''bird''"}');
--
-- Needs the tables of create_tables.sql, but no extension.

.bail on

-- The name of the constraint that fails says what is wrong with the input.
DROP TABLE IF EXISTS temp.input_check;
CREATE TEMP TABLE input_check(
  tables    CONSTRAINT "the tables are missing; first .read sql/create_tables.sql" CHECK(tables),
  file_set  CONSTRAINT "@file is not set; use .parameter set @file PATH" CHECK(file_set),
  format    CONSTRAINT "@format is neither 'db.table.column' nor 'table.column'" CHECK(format),
  readable  CONSTRAINT "the file @file cannot be read" CHECK(readable),
  is_text   CONSTRAINT "the file @file is not a text with one element per line" CHECK(is_text),
  not_empty CONSTRAINT "the file @file has no elements" CHECK(not_empty),
  complete  CONSTRAINT "a line of @file lacks a part of @format" CHECK(complete)
);
INSERT INTO input_check(tables) SELECT count(DISTINCT name) = 1 FROM pragma_table_list WHERE name IN ('elements');

INSERT INTO input_check(file_set) SELECT @file IS NOT NULL;
INSERT INTO input_check(format) SELECT coalesce(@format, 'db.table.column') IN ('db.table.column', 'table.column');
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
SELECT line, db, CASE WHEN instr(rest, '.') > 0 THEN substr(rest, 1, instr(rest, '.') - 1) END AS tbl,
       CASE WHEN instr(rest, '.') > 0 THEN substr(rest, instr(rest, '.') + 1) END AS col
FROM (SELECT line, CASE WHEN coalesce(@format, 'db.table.column') = 'db.table.column' THEN substr(text, 1, max(instr(text, '.') - 1, 0)) END AS db,
             CASE WHEN coalesce(@format, 'db.table.column') = 'db.table.column' THEN substr(text, instr(text, '.') + 1) ELSE text END AS rest
      FROM (SELECT min(e.key) + 1 AS line, trim(e.value, ' ' || char(9, 13)) AS text
            FROM input, json_each('[' || replace(json_quote(replace(text, char(10), char(64976))), char(64976), '","') || ']') e
            WHERE trim(e.value, ' ' || char(9, 13)) <> '' GROUP BY 2));
INSERT INTO input_check(not_empty) SELECT count(*) > 0 FROM input_lines;
SELECT 'error: line ' || line || ' of ' || @file || ' is not ' || coalesce(@format, 'db.table.column') AS message FROM input_lines
WHERE db = '' OR coalesce(tbl, '') = '' OR coalesce(col, '') = '' ORDER BY line LIMIT 1;
INSERT INTO input_check(complete) SELECT coalesce(db, '-') <> '' AND coalesce(tbl, '') <> '' AND coalesce(col, '') <> '' FROM input_lines;

BEGIN;
DELETE FROM elements WHERE corpus = coalesce(@corpus, 'union');
INSERT INTO elements(corpus, db, tbl, col) SELECT coalesce(@corpus, 'union'), db, tbl, col FROM input_lines ORDER BY line;
COMMIT;

SELECT count(*) || ' elements of ' || count(DISTINCT coalesce(db, '') || char(10) || tbl) || ' tables in ' || max(count(DISTINCT db), 1) || ' databases' AS message
FROM input_lines;
DROP TABLE temp.input;
DROP TABLE temp.input_lines;
