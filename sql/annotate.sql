-- annotate.sql: fills hardness, seen and type of the questions, by which TrustSQL's tables group.
--
--   sqlite3 my.db -cmd ".load ./build/release/trustsql" ".read sql/annotate.sql"
--
--   @dataset   optional: only this data set
--   @train     optional: the split that counts as training; 'train' by default
--   @scheme    optional: the scheme of hardness: 'trustsql' (default; Appendix B.2) or 'spider' (with the level extra)
--
-- hardness   of a feasible question: sql_hardness() of its gold query
-- seen       of a feasible question outside training: 'seen' if the structure of its gold query, sql_skeleton(), occurs
--            in the training split of the same data set and database, else 'unseen' (section 2.3). If the data set has
--            no feasible training question, this cannot be computed, and seen stays as it is
-- type       of an infeasible question: its type in the spelling of section 2.2, so that 'Surface' and 'column_surface'
--            become 'column-surface'. Another text stays as it is; where the file has none, the type is not known
--
-- A gold query that cannot be parsed has neither hardness nor structure; the script reports their number. Only the
-- questions that have a row in gold are looked at. Needs the tables of create_tables.sql and the extension.

.bail on

-- The name of the constraint that fails says what is wrong with the input.
DROP TABLE IF EXISTS temp.input_check;
CREATE TEMP TABLE input_check(
  loaded CONSTRAINT "the extension is not loaded; use -cmd "".load ./build/release/trustsql""" CHECK(loaded),
  scheme CONSTRAINT "@scheme is neither 'trustsql' nor 'spider'" CHECK(scheme),
  some   CONSTRAINT "there are no such questions with a row in gold" CHECK(some)
);
INSERT INTO input_check(loaded) SELECT count(*) > 0 FROM pragma_function_list WHERE name = 'sql_skeleton';
INSERT INTO input_check(scheme) SELECT coalesce(@scheme, 'trustsql') IN ('trustsql', 'spider');

-- Each gold query once: many questions have the same.
DROP TABLE IF EXISTS temp.annotated_queries;
CREATE TEMP TABLE annotated_queries AS
SELECT sql, CASE WHEN is_query THEN sql_hardness(sql, coalesce(@scheme, 'trustsql')) END AS hardness, CASE WHEN is_query THEN sql_skeleton(sql) END AS structure
FROM (SELECT sql, json_extract(sql_check(sql, '{"schema":"CREATE TABLE t(a)"}'), '$.kind') IS NOT 'syntax' AS is_query
      FROM (SELECT DISTINCT g.sql FROM questions q JOIN gold g ON g.id = q.id WHERE g.sql IS NOT NULL AND (@dataset IS NULL OR q.dataset = @dataset)));
CREATE INDEX temp.annotated_queries_sql ON annotated_queries(sql);

DROP TABLE IF EXISTS temp.annotated;
CREATE TEMP TABLE annotated AS
SELECT number, dataset, db_id, is_training, feasible, hardness, structure,
       CASE WHEN word IN ('surface', 'related', 'unrelated') THEN 'column-' || word
            WHEN word IN ('column-surface', 'column-related', 'column-unrelated', 'non-sql', 'ext-know') THEN word ELSE type END AS type
FROM (SELECT q.number, coalesce(q.dataset, '') AS dataset, coalesce(q.db_id, '') AS db_id, coalesce(q.split = coalesce(@train, 'train'), 0) AS is_training,
             g.sql IS NOT NULL AS feasible, q.type, a.hardness, a.structure, replace(replace(lower(trim(q.type)), '_', '-'), ' ', '-') AS word
      FROM questions q JOIN gold g ON g.id = q.id LEFT JOIN annotated_queries a ON a.sql = g.sql
      WHERE @dataset IS NULL OR q.dataset = @dataset);
INSERT INTO input_check(some) SELECT count(*) > 0 FROM annotated;

DROP TABLE IF EXISTS temp.trained;
CREATE TEMP TABLE trained AS SELECT DISTINCT dataset, db_id, structure FROM annotated WHERE is_training AND structure IS NOT NULL;
CREATE INDEX temp.trained_key ON trained(dataset, db_id, structure);

BEGIN;
UPDATE questions SET hardness = a.hardness FROM annotated a WHERE a.number = questions.number AND a.feasible;
UPDATE questions
SET seen = CASE WHEN a.structure IS NULL THEN NULL
                WHEN EXISTS (SELECT 1 FROM trained t WHERE t.dataset = a.dataset AND t.db_id = a.db_id AND t.structure = a.structure) THEN 'seen'
                ELSE 'unseen' END
FROM annotated a
WHERE a.number = questions.number AND a.feasible AND NOT a.is_training AND EXISTS (SELECT 1 FROM trained t WHERE t.dataset = a.dataset);
UPDATE questions SET type = a.type FROM annotated a WHERE a.number = questions.number AND NOT a.feasible;
COMMIT;

SELECT 'note: ' || count(*) || ' gold queries cannot be parsed; their questions have no hardness' AS message
FROM annotated WHERE feasible AND structure IS NULL HAVING count(*) > 0;
SELECT 'note: ' || coalesce('data set ' || nullif(dataset, '') || ' has', 'there are') || ' no training questions; whether structures are seen is not known' AS message
FROM annotated WHERE dataset NOT IN (SELECT dataset FROM trained) AND feasible GROUP BY dataset;
SELECT 'note: ' || count(*) || ' infeasible questions have no type' AS message FROM annotated WHERE NOT feasible AND type IS NULL HAVING count(*) > 0;
.headers on
.mode box
SELECT nullif(a.dataset, '') AS "data set", q.split, count(*) AS questions, sum(q.hardness IS 'easy') AS easy, sum(q.hardness IS 'medium') AS medium,
       sum(q.hardness IS 'hard') AS hard, sum(q.hardness IS 'extra') AS extra, sum(q.seen IS 'seen') AS seen, sum(q.seen IS 'unseen') AS unseen,
       sum(NOT a.feasible) AS infeasible
FROM annotated a JOIN questions q ON q.number = a.number GROUP BY a.dataset, q.split ORDER BY a.dataset, min(a.number);
.mode list
.headers off
DROP TABLE temp.annotated_queries;
DROP TABLE temp.annotated;
DROP TABLE temp.trained;
