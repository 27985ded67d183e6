-- import_tables.sql: schemas from a file in the form of Spider's tables.json.
--
--   sqlite3 my.db -cmd ".parameter set @file spider/tables.json" \
--                 -cmd ".parameter set @databases 'spider/database/{db_id}/{db_id}.sqlite'" ".read sql/import_tables.sql"
--
--   @file        a JSON array of objects with db_id, table_names_original, column_names_original, column_types, primary_keys
--                and foreign_keys
--   @databases   optional: the path of the databases; {db_id} stands for the name
--
-- Writes the table databases: for each database its schema as CREATE TABLE statements (ddl), and with @databases its
-- path. The file's types are coarse: text and time become TEXT, number NUMERIC, boolean BOOLEAN, and others no type. A
-- database that exists already keeps what the file does not specify. Needs the tables of create_tables.sql, but no
-- extension.

.bail on

-- The name of the constraint that fails says what is wrong with the input.
DROP TABLE IF EXISTS temp.input_check;
CREATE TEMP TABLE input_check(
  tables   CONSTRAINT "the tables are missing; first .read sql/create_tables.sql" CHECK(tables),
  file_set CONSTRAINT "@file is not set; use .parameter set @file PATH" CHECK(file_set),
  readable CONSTRAINT "the file @file cannot be read" CHECK(readable),
  is_json  CONSTRAINT "the file @file is not JSON" CHECK(is_json),
  is_array CONSTRAINT "the file @file is not a JSON array of schemas" CHECK(is_array),
  complete CONSTRAINT "an entry lacks db_id, tables, columns or keys" CHECK(complete),
  in_range CONSTRAINT "a column or key refers to a table or column that its entry does not have" CHECK(in_range),
  one_path CONSTRAINT "the file has several databases; @databases must contain {db_id} in the path" CHECK(one_path)
);
INSERT INTO input_check(tables) SELECT count(DISTINCT name) = 1 FROM pragma_table_list WHERE name IN ('databases');

INSERT INTO input_check(file_set) SELECT @file IS NOT NULL;
DROP TABLE IF EXISTS temp.input;
CREATE TEMP TABLE input AS  -- the text, without a byte order mark
  SELECT CASE WHEN substr(t, 1, 1) = char(65279) THEN substr(t, 2) ELSE t END AS text FROM (SELECT CAST(readfile(@file) AS TEXT) AS t);
SELECT 'error: the file ' || @file || ' cannot be read' AS message WHERE readfile(@file) IS NULL;
INSERT INTO input_check(readable) SELECT text IS NOT NULL FROM input;
INSERT INTO input_check(is_json) SELECT json_valid(text) FROM input;
INSERT INTO input_check(is_array) SELECT json_type(text) = 'array' FROM input;

DROP TABLE IF EXISTS temp.input_schemas;
CREATE TEMP TABLE input_schemas AS
SELECT e.key AS entry, CASE e.type WHEN 'object' THEN e.value ELSE '{}' END AS value, NULL AS db_id FROM input, json_each(text) e;
UPDATE input_schemas SET db_id = json_extract(value, '$.db_id') WHERE json_type(value, '$.db_id') = 'text';
SELECT 'error: entry ' || entry || ' of ' || @file || ' is incomplete' AS message FROM input_schemas
WHERE db_id IS NULL OR json_type(value, '$.table_names_original') IS NOT 'array' OR json_type(value, '$.column_names_original') IS NOT 'array'
   OR json_type(value, '$.column_types') IS NOT 'array' OR json_type(value, '$.primary_keys') IS NOT 'array'
   OR json_type(value, '$.foreign_keys') IS NOT 'array' LIMIT 1;
INSERT INTO input_check(complete)
SELECT db_id IS NOT NULL AND json_type(value, '$.table_names_original') IS 'array' AND json_type(value, '$.column_names_original') IS 'array'
   AND json_type(value, '$.column_types') IS 'array' AND json_type(value, '$.primary_keys') IS 'array' AND json_type(value, '$.foreign_keys') IS 'array'
FROM input_schemas;

DROP TABLE IF EXISTS temp.input_tables;
CREATE TEMP TABLE input_tables AS
SELECT s.entry, t.key AS tbl, t.value AS name FROM input_schemas s, json_each(s.value, '$.table_names_original') t;
DROP TABLE IF EXISTS temp.input_columns;
CREATE TEMP TABLE input_columns AS  -- column 0 is "*" with table -1
SELECT s.entry, c.key AS col, json_extract(c.value, '$[0]') AS tbl, json_extract(c.value, '$[1]') AS name,
       json_extract(s.value, '$.column_types[' || c.key || ']') AS type
FROM input_schemas s, json_each(s.value, '$.column_names_original') c WHERE c.key > 0;
CREATE INDEX temp.input_columns_of ON input_columns(entry, tbl);
DROP TABLE IF EXISTS temp.input_primary;
CREATE TEMP TABLE input_primary AS  -- a key is a column, or an array of columns
SELECT s.entry, p.key AS position, p.value AS col FROM input_schemas s, json_each(s.value, '$.primary_keys') p WHERE p.type = 'integer'
UNION ALL
SELECT s.entry, p.key * 1000 + part.key, part.value
FROM input_schemas s, json_each(s.value, '$.primary_keys') p, json_each(CASE p.type WHEN 'array' THEN p.value ELSE '[]' END) part;
DROP TABLE IF EXISTS temp.input_foreign;
CREATE TEMP TABLE input_foreign AS
SELECT s.entry, f.key AS position, json_extract(f.value, '$[0]') AS col, json_extract(f.value, '$[1]') AS parent
FROM input_schemas s, json_each(s.value, '$.foreign_keys') f;
INSERT INTO input_check(in_range) SELECT (entry, tbl) IN (SELECT entry, tbl FROM input_tables) AND typeof(name) = 'text' FROM input_columns;
INSERT INTO input_check(in_range) SELECT (entry, col) IN (SELECT entry, col FROM input_columns) FROM input_primary;
INSERT INTO input_check(in_range) SELECT (entry, col) IN (SELECT entry, col FROM input_columns) FROM input_foreign;
INSERT INTO input_check(in_range) SELECT (entry, parent) IN (SELECT entry, col FROM input_columns) FROM input_foreign;
INSERT INTO input_check(one_path) SELECT instr(@databases, '{db_id}') > 0 OR count(DISTINCT db_id) < 2 FROM input_schemas;

-- printf's %w doubles the double quotes of an identifier.
DROP TABLE IF EXISTS temp.input_ddl;
CREATE TEMP TABLE input_ddl AS
SELECT t.entry, t.tbl, printf('CREATE TABLE "%w"(', t.name) ||
  (SELECT group_concat(definition, ', ') FROM (
    SELECT printf('"%w"', c.name) || CASE c.type WHEN 'text' THEN ' TEXT' WHEN 'time' THEN ' TEXT' WHEN 'number' THEN ' NUMERIC'
                                                 WHEN 'boolean' THEN ' BOOLEAN' ELSE '' END AS definition
    FROM input_columns c WHERE c.entry = t.entry AND c.tbl = t.tbl ORDER BY c.col)) ||
  coalesce(', PRIMARY KEY(' || (SELECT group_concat(printf('"%w"', name), ', ') FROM (
    SELECT c.name FROM input_primary p JOIN input_columns c ON c.entry = p.entry AND c.col = p.col
    WHERE p.entry = t.entry AND c.tbl = t.tbl ORDER BY p.position)) || ')', '') ||
  coalesce((SELECT group_concat(definition, '') FROM (
    SELECT printf(', FOREIGN KEY("%w") REFERENCES "%w"("%w")', c.name, pt.name, pc.name) AS definition
    FROM input_foreign f
    JOIN input_columns c ON c.entry = f.entry AND c.col = f.col
    JOIN input_columns pc ON pc.entry = f.entry AND pc.col = f.parent
    JOIN input_tables pt ON pt.entry = f.entry AND pt.tbl = pc.tbl
    WHERE f.entry = t.entry AND c.tbl = t.tbl ORDER BY f.position)), '') || ');' AS statement
FROM input_tables t
WHERE t.name NOT LIKE 'sqlite\_%' ESCAPE '\'  -- SQLite's own tables, which some files list
  AND EXISTS (SELECT 1 FROM input_columns c WHERE c.entry = t.entry AND c.tbl = t.tbl);

BEGIN;
INSERT INTO databases(db_id, path, ddl)
SELECT s.db_id, replace(@databases, '{db_id}', s.db_id),
       (SELECT group_concat(statement, char(10)) FROM (SELECT statement FROM input_ddl d WHERE d.entry = s.entry ORDER BY d.tbl))
FROM input_schemas s WHERE true
ON CONFLICT(db_id) DO UPDATE SET path = coalesce(excluded.path, path), ddl = excluded.ddl;
COMMIT;

SELECT count(*) || ' databases with ' || (SELECT count(*) FROM input_ddl) || ' tables and ' || (SELECT count(*) FROM input_columns) || ' columns' AS message
FROM input_schemas;
DROP TABLE temp.input;
DROP TABLE temp.input_schemas;
DROP TABLE temp.input_tables;
DROP TABLE temp.input_columns;
DROP TABLE temp.input_primary;
DROP TABLE temp.input_foreign;
DROP TABLE temp.input_ddl;
