-- import_csv_pairs.sql: labelled pairs of queries from a CSV file (FuncEvalGMN).
--
--   sqlite3 my.db -cmd ".import --csv pairs.csv csv_pairs" -cmd ".parameter set @databases '{db_id}.sqlite'" \
--                 ".read sql/import_csv_pairs.sql"
--
-- The first line of the file names its columns, in any order (upper or lower case); the shell's .import reads it into a
-- table csv_pairs, which this script moves to the table pairs of create_tables.sql. It is dropped whether or not the script
-- succeeds, so that the next .import begins anew.
--
--   a, b       the two queries, a the reference; or gold and pred
--   label      1: they mean the same, 0: they do not
--   id         optional: by default the number of the row, from 1
--   db_id      optional: the database of the pair, whose schema metrics need
--   dataset, hardness   optional, as in create_tables.sql; an empty field is NULL. @dataset is the default of dataset
--
--   @databases   optional: the path of the databases; {db_id} stands for the name. import_tables.sql can give schemas instead
--   @dataset     optional: a name for the data set; prefixed to the ids
--
-- Other columns are ignored. Pairs with the same id are replaced. Needs the tables of create_tables.sql, but no extension.

.bail on

-- The name of the constraint that fails says what is wrong with the input.
DROP TABLE IF EXISTS temp.input_check;
CREATE TEMP TABLE input_check(
  tables   CONSTRAINT "the tables are missing; first .read sql/create_tables.sql" CHECK(tables),
  imported CONSTRAINT "there is no table csv_pairs; first .import --csv FILE csv_pairs" CHECK(imported),
  columns  CONSTRAINT "the CSV file needs the columns a, b (or gold, pred) and label" CHECK(columns),
  not_both CONSTRAINT "the CSV file has both a and gold, or both b and pred" CHECK(not_both),
  queries  CONSTRAINT "a query of the CSV file is empty" CHECK(queries),
  labels   CONSTRAINT "a label of the CSV file is neither 0 nor 1" CHECK(labels),
  ids_once CONSTRAINT "an id occurs twice in the CSV file" CHECK(ids_once),
  one_path CONSTRAINT "the pairs are on several databases; @databases must contain {db_id} in the path" CHECK(one_path)
);
INSERT INTO input_check(imported) SELECT count(*) > 0 FROM pragma_table_info('csv_pairs');
DROP TABLE IF EXISTS temp.input_csv;
CREATE TEMP TABLE input_csv AS SELECT * FROM csv_pairs ORDER BY rowid;
DROP TABLE csv_pairs;
INSERT INTO input_check(tables) SELECT count(DISTINCT name) = 2 FROM pragma_table_list WHERE name IN ('databases', 'pairs');
INSERT INTO input_check(columns)
SELECT sum(lower(name) IN ('a', 'gold')) > 0 AND sum(lower(name) IN ('b', 'pred')) > 0 AND sum(lower(name) = 'label') > 0 FROM pragma_table_info('input_csv');
INSERT INTO input_check(not_both)
SELECT sum(lower(name) IN ('a', 'gold')) = 1 AND sum(lower(name) IN ('b', 'pred')) = 1 FROM pragma_table_info('input_csv');

-- A column that the file lacks is read from `absent` instead: names in a subquery are resolved in its own FROM first.
DROP TABLE IF EXISTS temp.input_rows;
CREATE TEMP TABLE input_rows AS
SELECT position, coalesce(coalesce(nullif(dataset, ''), @dataset) || '/', '') || coalesce(nullif(id, ''), position) AS id, coalesce(nullif(dataset, ''), @dataset) AS dataset,
       nullif(db_id, '') AS db_id, nullif(hardness, '') AS hardness, trim(coalesce(a, gold), ' ' || char(9, 10, 13)) AS a,
       trim(coalesce(b, pred), ' ' || char(9, 10, 13)) AS b, CASE trim(label) WHEN '1' THEN 1 WHEN '0' THEN 0 WHEN '1.0' THEN 1 WHEN '0.0' THEN 0 END AS label
FROM (SELECT c.rowid AS position, c.label, (SELECT a FROM input_csv i WHERE i.rowid = c.rowid) AS a, (SELECT b FROM input_csv i WHERE i.rowid = c.rowid) AS b,
             (SELECT gold FROM input_csv i WHERE i.rowid = c.rowid) AS gold, (SELECT pred FROM input_csv i WHERE i.rowid = c.rowid) AS pred,
             (SELECT id FROM input_csv i WHERE i.rowid = c.rowid) AS id, (SELECT db_id FROM input_csv i WHERE i.rowid = c.rowid) AS db_id,
             (SELECT dataset FROM input_csv i WHERE i.rowid = c.rowid) AS dataset, (SELECT hardness FROM input_csv i WHERE i.rowid = c.rowid) AS hardness
      FROM (SELECT NULL AS a, NULL AS b, NULL AS gold, NULL AS pred, NULL AS id, NULL AS db_id, NULL AS dataset, NULL AS hardness) absent, input_csv c);
SELECT 'error: row ' || position || ' of the file lacks a query' AS message FROM input_rows WHERE coalesce(a, '') = '' OR coalesce(b, '') = '' ORDER BY position LIMIT 1;
INSERT INTO input_check(queries) SELECT coalesce(a, '') <> '' AND coalesce(b, '') <> '' FROM input_rows;
SELECT 'error: the label of row ' || position || ' is neither 0 nor 1' AS message FROM input_rows WHERE label IS NULL ORDER BY position LIMIT 1;
INSERT INTO input_check(labels) SELECT label IS NOT NULL FROM input_rows;
SELECT 'error: id ' || id || ' occurs ' || count(*) || ' times in the file' AS message FROM input_rows GROUP BY id HAVING count(*) > 1 LIMIT 1;
INSERT INTO input_check(ids_once) SELECT count(*) = count(DISTINCT id) FROM input_rows;
INSERT INTO input_check(one_path) SELECT instr(@databases, '{db_id}') > 0 OR count(DISTINCT db_id) < 2 FROM input_rows;

BEGIN;
INSERT INTO databases(db_id, path)
SELECT DISTINCT db_id, replace(@databases, '{db_id}', db_id) FROM input_rows WHERE db_id IS NOT NULL
ON CONFLICT(db_id) DO UPDATE SET path = coalesce(excluded.path, path);
INSERT INTO pairs(id, dataset, db_id, hardness, a, b, label)
SELECT id, dataset, db_id, hardness, a, b, label FROM input_rows WHERE true ORDER BY position
ON CONFLICT(id) DO UPDATE SET dataset = excluded.dataset, db_id = excluded.db_id, hardness = excluded.hardness, a = excluded.a, b = excluded.b, label = excluded.label;
COMMIT;

SELECT count(*) || ' pairs, ' || coalesce(sum(label), 0) || ' of which mean the same' AS message FROM input_rows;
DROP TABLE temp.input_csv;
DROP TABLE temp.input_rows;
