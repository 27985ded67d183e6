-- tables_crush.sql: Table 2 of the CRUSH4SQL paper (Kothyari et al. 2023): recall of schema retrieval at every budget.
--
--   sqlite3 my.db -cmd ".load ./build/release/trustsql" -cmd ".parameter set @corpus bird" ".read sql/tables_crush.sql"
--
--   @corpus    optional: the union of schemas that columns are retrieved from (import_elements.sql); 'union' by default
--   @dataset   optional: only the questions of this data set
--   @split     optional: only the questions of this split
--   @budgets   optional: a JSON array; '[3,5,10,20,30,50,100]' by default
--   @level     optional: 'column' (default), or 'table': the recall of tables, as on SocialDB; the budget counts columns
--   @star      optional: 'skip' leaves out questions whose gold query contains *, as the paper does on Spider
--   @methods   optional: a JSON object of names and options of schema_link, such as '{"turns":{"selection":"turns"}}', in
--              place of the rows below. Methods that use a hallucinated schema take the recorded one
--   @opts      optional: options of schema_link for all methods, as a JSON object: .parameter set @opts '{"gamma":0}'
--
-- The rows by default: Single DPR (method dpr), Token-level (maxsim), Candidates C(x) (cosine), CRUSH (crush) with the
-- recorded schemas, and CRUSH, schema here: with schemas from schema_hallucinate, that is from the model of llm_url or, without
-- one, from the question itself. A method whose schemas are not recorded for every question has no row. Vectors are those
-- of embed(): from embed_url, or the embedded ones.
--
-- r@B is the mean over questions of the share of gold elements among the first B. Gold elements are those that were recorded
-- with the schemas; for other questions they are read from the gold query with sql_columns, for which databases.ddl or path
-- is needed (import_tables.sql). As in the paper, gold elements that are not in the union count as missed, and a question
-- without gold elements is left out. Letter case does not matter.
--
-- Changes nothing. Needs the tables of create_tables.sql and the extension.

.bail on

-- The name of the constraint that fails says what is wrong with the input.
DROP TABLE IF EXISTS temp.input_check;
CREATE TEMP TABLE input_check(
  loaded       CONSTRAINT "the extension is not loaded; use -cmd "".load ./build/release/trustsql""" CHECK(loaded),
  elements     CONSTRAINT "there are no elements of the corpus @corpus; import_elements.sql reads them" CHECK(elements),
  budgets      CONSTRAINT "@budgets is not a JSON array of positive integers" CHECK(budgets),
  level        CONSTRAINT "@level is neither 'column' nor 'table'" CHECK(level),
  star         CONSTRAINT "@star is not 'skip'" CHECK(star),
  methods_json CONSTRAINT "@methods is not a JSON object of names and options" CHECK(methods_json),
  opts_json    CONSTRAINT "@opts is not a JSON object" CHECK(opts_json),
  some         CONSTRAINT "there is no question with gold elements; a recording or a gold query with its schema is needed" CHECK(some)
);
INSERT INTO input_check(loaded) SELECT count(*) > 0 FROM pragma_module_list WHERE name = 'schema_link';
INSERT INTO input_check(elements) SELECT count(*) > 0 FROM elements WHERE corpus = coalesce(@corpus, 'union');
INSERT INTO input_check(budgets) SELECT json_valid(coalesce(@budgets, '[1]'));
INSERT INTO input_check(budgets) SELECT json_type(coalesce(@budgets, '[1]')) = 'array' AND json_array_length(coalesce(@budgets, '[1]')) > 0;
INSERT INTO input_check(budgets) SELECT type = 'integer' AND value > 0 FROM json_each(coalesce(@budgets, '[1]'));
INSERT INTO input_check(level) SELECT coalesce(@level, 'column') IN ('column', 'table');
INSERT INTO input_check(star) SELECT coalesce(@star, 'skip') = 'skip';
INSERT INTO input_check(methods_json) SELECT json_valid(coalesce(@methods, '{}'));
INSERT INTO input_check(methods_json) SELECT json_type(coalesce(@methods, '{}')) = 'object';
INSERT INTO input_check(methods_json) SELECT type = 'object' FROM json_each(coalesce(@methods, '{}'));
INSERT INTO input_check(opts_json) SELECT json_valid(coalesce(@opts, '{}'));
INSERT INTO input_check(opts_json) SELECT json_type(coalesce(@opts, '{}')) = 'object';

DROP TABLE IF EXISTS temp.tables_budgets;
CREATE TEMP TABLE tables_budgets AS SELECT DISTINCT value AS budget FROM json_each(coalesce(@budgets, '[3,5,10,20,30,50,100]')) ORDER BY value;
DROP TABLE IF EXISTS temp.tables_asked;
CREATE TEMP TABLE tables_asked AS
SELECT q.number, q.id, q.question, q.db_id, h.schema, h.gold AS recorded, g.sql, d.path, d.ddl
FROM questions q
LEFT JOIN hallucinations h ON h.id = q.id
LEFT JOIN gold g ON g.id = q.id
LEFT JOIN databases d ON d.db_id = q.db_id
WHERE q.question IS NOT NULL AND (@dataset IS NULL OR q.dataset = @dataset) AND (@split IS NULL OR q.split = @split)
  AND (@star IS NULL OR instr(coalesce(g.sql, ''), '*') = 0);

-- Elements are texts "db.table.column" or "db.table", in lower case; without db where the union has none.
DROP TABLE IF EXISTS temp.tables_gold;
CREATE TEMP TABLE tables_gold(number INTEGER, element TEXT, PRIMARY KEY(number, element)) WITHOUT ROWID;
INSERT OR IGNORE INTO tables_gold
SELECT a.number, lower(e.value) FROM tables_asked a, json_each(a.recorded) e WHERE a.recorded IS NOT NULL;
INSERT OR IGNORE INTO tables_gold
SELECT a.number, lower(coalesce((SELECT a.db_id || '.' FROM elements WHERE corpus = coalesce(@corpus, 'union') AND db IS NOT NULL LIMIT 1), '') || c.tbl || '.' || c.col)
FROM tables_asked a,
     sql_columns(a.sql, CASE WHEN a.ddl IS NOT NULL THEN json_object('schema', a.ddl) ELSE json_object('database', a.path) END) c
WHERE a.recorded IS NULL AND a.sql IS NOT NULL AND coalesce(a.ddl, a.path) IS NOT NULL AND c.col IS NOT NULL AND c.via IS NULL;
-- For tables: without the column, which is what follows the last dot but those inside a column's own name.
DROP TABLE IF EXISTS temp.tables_elements;
CREATE TEMP TABLE tables_elements AS
SELECT lower(coalesce(db || '.', '') || tbl || '.' || col) AS element, lower(coalesce(db || '.', '') || tbl) AS tbl FROM elements WHERE corpus = coalesce(@corpus, 'union');
CREATE INDEX temp.tables_elements_key ON tables_elements(element);
DROP TABLE IF EXISTS temp.tables_wanted;
CREATE TEMP TABLE tables_wanted AS
SELECT DISTINCT g.number, CASE coalesce(@level, 'column') WHEN 'column' THEN g.element
                          ELSE coalesce((SELECT e.tbl FROM tables_elements e WHERE e.element = g.element), g.element) END AS element
FROM tables_gold g;
INSERT INTO input_check(some) SELECT count(*) > 0 FROM tables_wanted;
DELETE FROM tables_asked WHERE number NOT IN (SELECT number FROM tables_wanted);
CREATE INDEX temp.tables_wanted_key ON tables_wanted(number, element);

DROP TABLE IF EXISTS temp.tables_methods;
CREATE TEMP TABLE tables_methods AS
SELECT id AS position, key AS name, json(value) AS opts, coalesce(json_extract(value, '$.method'), 'crush') IN ('crush', 'cosine') AS uses_recorded
FROM json_each(CASE WHEN @methods IS NOT NULL THEN @methods ELSE
  '{"Single DPR":{"method":"dpr"},"Token-level":{"method":"maxsim"},"Candidates C(x)":{"method":"cosine"},"CRUSH":{"method":"crush"}}' END);
INSERT INTO tables_methods SELECT 1000000, 'CRUSH, schema here', '{"method":"crush"}', 0 WHERE @methods IS NULL;
SELECT 'note: ' || group_concat(name, ', ') || ' need recorded schemas, and ' || (SELECT count(*) FROM tables_asked WHERE schema IS NULL) || ' questions have none' AS message
FROM tables_methods WHERE uses_recorded AND EXISTS (SELECT 1 FROM tables_asked WHERE schema IS NULL) HAVING count(*) > 0;
DELETE FROM tables_methods WHERE uses_recorded AND EXISTS (SELECT 1 FROM tables_asked WHERE schema IS NULL);

-- The rank of each gold element that was retrieved. A rank in the list of the largest budget is that in any other.
DROP TABLE IF EXISTS temp.tables_found;
CREATE TEMP TABLE tables_found AS
SELECT m.position, w.number, w.element, min(l.rank) AS rank
FROM tables_methods m, tables_asked a, schema_link(a.question, (SELECT max(budget) FROM tables_budgets), json_patch(json_patch(json_patch(
       json_object('source', printf('SELECT db, tbl, col FROM elements WHERE corpus = %Q', coalesce(@corpus, 'union'))), coalesce(@opts, '{}')), m.opts),
       CASE WHEN m.uses_recorded THEN json_object('hallucinated', a.schema) ELSE '{}' END)) l
JOIN tables_wanted w ON w.number = a.number AND w.element = lower(l.tbl || CASE coalesce(@level, 'column') WHEN 'column' THEN '.' || l.col ELSE '' END)
GROUP BY m.position, w.number, w.element;

DROP TABLE IF EXISTS temp.tables_recall;
CREATE TEMP TABLE tables_recall AS
SELECT m.position, m.name, b.budget, (SELECT count(*) FROM tables_asked) AS questions,
       (SELECT sum(share) FROM (
          SELECT 1.0 * count(*) / (SELECT count(*) FROM tables_wanted w WHERE w.number = f.number) AS share
          FROM tables_found f WHERE f.position = m.position AND f.rank <= b.budget GROUP BY f.number)) / (SELECT count(*) FROM tables_asked) AS recall
FROM tables_methods m, tables_budgets b;

.print Table 2. Recall r@B, the mean share of gold elements among the first B.
SELECT printf('%-22s %9s', 'method', 'questions') || group_concat(printf('%7s', 'r@' || budget), '') AS line FROM (SELECT budget FROM tables_budgets ORDER BY budget);
SELECT printf('%-22s %9d', name, questions) || group_concat(printf('%7.3f', coalesce(recall, 0)), '') AS line
FROM (SELECT * FROM tables_recall ORDER BY position, budget) GROUP BY position ORDER BY position;
DROP TABLE temp.tables_budgets;
DROP TABLE temp.tables_asked;
DROP TABLE temp.tables_gold;
DROP TABLE temp.tables_elements;
DROP TABLE temp.tables_wanted;
DROP TABLE temp.tables_methods;
DROP TABLE temp.tables_found;
DROP TABLE temp.tables_recall;
