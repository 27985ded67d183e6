-- tables_trustsql.sql: Tables 3, 4 and 8 to 13 of the TrustSQL paper (Lee et al. 2024) for the systems in the database.
--
--   sqlite3 my.db -cmd ".load ./build/release/trustsql" ".read sql/tables_trustsql.sql"
--
--   @split   optional: only the questions of this split; by default all that a system was asked
--   @opts    optional: more options of rs_report as a JSON object: .parameter set @opts '{"on_gold_error":"skip"}'
--
-- Each data set is scored alone, so that c = N is the number of its own questions. The data sets atis, advising, ehrsql and
-- spider (in any letter case) are judged with the benchmark's rules for each, {"semantics":"trustsql"}; others as bags of
-- rows, {"semantics":"bag"}. @opts overrides both.
--
-- All numbers are in percent; a large RS is printed in thousands (-2.3K). A dash means that there is no such question, or
-- that the part's verdict is not known. A system with parts (raw, cls, error) is a pipeline, and its row of Tables 9 to 13
-- judges each part alone. Tables 9, 11 and 12 group by questions.hardness and seen, Tables 10 and 13 by type:
-- annotate.sql fills them. A system that is only a detector of infeasible questions has no row in Tables 3, 4 and 8.
--
-- Changes nothing. Needs the tables of create_tables.sql and the extension.

.bail on

-- The name of the constraint that fails says what is wrong with the input.
DROP TABLE IF EXISTS temp.input_check;
CREATE TEMP TABLE input_check(
  loaded    CONSTRAINT "the extension is not loaded; use -cmd "".load ./build/release/trustsql""" CHECK(loaded),
  opts_json CONSTRAINT "@opts is not a JSON object" CHECK(opts_json),
  some      CONSTRAINT "there are no predictions for questions with a row in gold (in the split @split)" CHECK(some)
);
INSERT INTO input_check(loaded) SELECT count(*) > 0 FROM pragma_module_list WHERE name = 'rs_report';
INSERT INTO input_check(opts_json) SELECT json_valid(coalesce(@opts, '{}'));
INSERT INTO input_check(opts_json) SELECT json_type(coalesce(@opts, '{}')) = 'object';
INSERT INTO input_check(some) SELECT count(*) > 0 FROM answers WHERE @split IS NULL OR split = @split;

-- The data sets, the benchmark's own first and in the paper's order.
DROP TABLE IF EXISTS temp.tables_datasets;
CREATE TEMP TABLE tables_datasets AS
SELECT dataset, coalesce(dataset, '-') AS name, lower(dataset) IN ('atis', 'advising', 'ehrsql', 'spider') AS benchmark
FROM answers WHERE @split IS NULL OR split = @split
GROUP BY dataset
ORDER BY CASE lower(dataset) WHEN 'atis' THEN 0 WHEN 'advising' THEN 1 WHEN 'ehrsql' THEN 2 WHEN 'spider' THEN 3 ELSE 4 END, dataset;

-- Feasible questions are grouped by seen and hardness, infeasible ones by type.
DROP TABLE IF EXISTS temp.tables_report;
CREATE TEMP TABLE tables_report AS
SELECT d.rowid AS dataset_number, d.name AS dataset, r.*
FROM tables_datasets d, rs_report(
  printf('SELECT system, id, gold, pred, raw, cls, error, database, gold IS NOT NULL AS feasible, CASE WHEN gold IS NOT NULL THEN seen END AS seen, '
         || 'CASE WHEN gold IS NOT NULL THEN hardness END AS hardness, CASE WHEN gold IS NULL THEN type END AS type '
         || 'FROM answers WHERE dataset IS %Q AND (%Q IS NULL OR split = %Q)', d.dataset, @split, @split),
  json_patch(json_patch('{"bootstrap":0,"by":["feasible","seen","hardness","type"]}',
                        CASE WHEN d.benchmark THEN json_object('semantics', 'trustsql', 'dataset', lower(d.dataset)) ELSE '{}' END),
             json_remove(coalesce(@opts, '{}'), '$.by', '$.bootstrap'))) r
ORDER BY d.rowid;
DROP TABLE IF EXISTS temp.tables_totals;
CREATE TEMP TABLE tables_totals AS
SELECT rowid AS number, *, EXISTS (SELECT 1 FROM predictions p WHERE p.system = r.system AND (p.raw IS NOT NULL OR p.error IS NOT NULL)) AS is_pipeline,
       r.system <> 'ABSTAIN-ALL' AND NOT EXISTS (SELECT 1 FROM predictions p WHERE p.system = r.system AND coalesce(p.pred, p.raw) IS NOT NULL)
         AND EXISTS (SELECT 1 FROM predictions p WHERE p.system = r.system AND p.cls IS NOT NULL) AS only_detects
FROM tables_report r WHERE level = 'total';

-- A score as in the paper, with thousands as K.
DROP TABLE IF EXISTS temp.tables_scores;
CREATE TEMP TABLE tables_scores AS
SELECT number, kind, CASE WHEN score IS NULL THEN '-' WHEN abs(score) >= 1000 THEN printf('%.1fK', score / 1000) ELSE printf('%.1f', score) END AS score
FROM (SELECT number, 'rs_0' AS kind, rs_0 AS score FROM tables_totals
      UNION ALL SELECT number, 'rs_10', rs_10 FROM tables_totals UNION ALL SELECT number, 'rs_n', rs_n FROM tables_totals
      UNION ALL SELECT number, 'feasible_0', feasible_rs_0 FROM tables_totals UNION ALL SELECT number, 'feasible_10', feasible_rs_10 FROM tables_totals
      UNION ALL SELECT number, 'feasible_n', feasible_rs_n FROM tables_totals UNION ALL SELECT number, 'sql_0', sql_rs_0 FROM tables_totals
      UNION ALL SELECT number, 'sql_10', sql_rs_10 FROM tables_totals UNION ALL SELECT number, 'sql_n', sql_rs_n FROM tables_totals);

-- The parts of pipelines by groups; a cell has a value for each level of hardness that the data set has.
DROP TABLE IF EXISTS temp.tables_levels;
CREATE TEMP TABLE tables_levels AS
SELECT dataset_number, hardness, row_number() OVER (PARTITION BY dataset_number ORDER BY position, hardness) AS position
FROM (SELECT DISTINCT dataset_number, grp3 AS hardness,
             CASE lower(grp3) WHEN 'easy' THEN 0 WHEN 'medium' THEN 1 WHEN 'hard' THEN 2 WHEN 'extra' THEN 3 ELSE 4 END AS position
      FROM tables_report WHERE level = 'group' AND grp1 = 1);
DROP TABLE IF EXISTS temp.tables_cells;
CREATE TEMP TABLE tables_cells AS
SELECT number, dataset, system, coalesce(seen, 'not known') AS seen, group_concat(hardness, ' / ') AS hardness,
       group_concat(iif(cls_kept IS NULL, '-', printf('%.1f', cls_kept)), ' / ') AS cls, count(cls_kept) AS cls_n,
       group_concat(iif(sql_rs_0 IS NULL, '-', printf('%.1f', sql_rs_0)), ' / ') AS sql, count(sql_rs_0) AS sql_n,
       group_concat(iif(error_feasible IS NULL, '-', printf('%.1f', error_feasible)), ' / ') AS error, count(error_feasible) AS error_n
FROM (SELECT t.number, t.dataset, t.system, s.seen, coalesce(l.hardness, 'not known') AS hardness, g.cls_kept, g.sql_rs_0, g.error_feasible
      FROM tables_totals t
      JOIN (SELECT DISTINCT dataset_number, grp2 AS seen FROM tables_report WHERE level = 'group' AND grp1 = 1) s ON s.dataset_number = t.dataset_number
      JOIN tables_levels l ON l.dataset_number = t.dataset_number
      LEFT JOIN tables_report g ON g.dataset_number = t.dataset_number AND g.system = t.system AND g.level = 'group' AND g.grp1 = 1
                               AND g.grp2 IS s.seen AND g.grp3 IS l.hardness
      ORDER BY t.number, s.seen, l.position)
GROUP BY number, seen;
DROP TABLE IF EXISTS temp.tables_types;
CREATE TEMP TABLE tables_types AS
SELECT t.number, t.dataset, t.system, coalesce(g.grp4, 'not known') AS type, g.cls_filtered, g.error_infeasible,
       CASE g.grp4 WHEN 'column-surface' THEN 0 WHEN 'column-related' THEN 1 WHEN 'column-unrelated' THEN 2 WHEN 'non-sql' THEN 3 WHEN 'ext-know' THEN 4 ELSE 5 END AS position
FROM tables_totals t JOIN tables_report g ON g.dataset_number = t.dataset_number AND g.system = t.system AND g.level = 'group' AND g.grp1 = 0;

.headers on
.mode box
.print Table 3. RS(c) on all questions.
SELECT dataset AS "data set", system, n AS N, max(score) FILTER (WHERE kind = 'rs_0') AS "RS(0)", max(score) FILTER (WHERE kind = 'rs_10') AS "RS(10)",
       max(score) FILTER (WHERE kind = 'rs_n') AS "RS(N)"
FROM tables_totals JOIN tables_scores USING (number) WHERE NOT only_detects GROUP BY number;

.print
.print Table 4. RS(c) on feasible questions; of pipelines also that of their SQL without abstention.
SELECT dataset AS "data set", system, feasible_n AS N, max(score) FILTER (WHERE kind = 'feasible_0') AS "RS(0)",
       max(score) FILTER (WHERE kind = 'feasible_10') AS "RS(10)", max(score) FILTER (WHERE kind = 'feasible_n') AS "RS(N)",
       iif(is_pipeline, max(score) FILTER (WHERE kind = 'sql_0'), '-') AS "SQL RS(0)", iif(is_pipeline, max(score) FILTER (WHERE kind = 'sql_10'), '-') AS "SQL RS(10)",
       iif(is_pipeline, max(score) FILTER (WHERE kind = 'sql_n'), '-') AS "SQL RS(N)"
FROM tables_totals JOIN tables_scores USING (number) WHERE NOT only_detects AND system <> 'ABSTAIN-ALL' GROUP BY number;

.print
.print Table 8. Correct SQL among all SQL given: the share, and correct / (for feasible + for infeasible questions).
SELECT dataset AS "data set", system, iif(precision IS NULL, '-', printf('%.1f', precision)) AS share,
       i || ' / (' || feasible_answers || ' + ' || infeasible_answers || ')' AS counts
FROM tables_totals WHERE NOT only_detects AND system <> 'ABSTAIN-ALL' ORDER BY number;

.print
.print Table 9. Detectors of infeasible questions: feasible questions that are not filtered out.
SELECT dataset AS "data set", system, seen AS structure, hardness, cls AS kept FROM tables_cells WHERE cls_n > 0 ORDER BY number, seen;

.print
.print Table 10. Detectors of infeasible questions: infeasible questions that are filtered out, by type.
SELECT dataset AS "data set", system, type, printf('%.1f', cls_filtered) AS filtered FROM tables_types WHERE cls_filtered IS NOT NULL ORDER BY number, position, type;

.print
.print Table 11. Generators: execution accuracy on feasible questions, without abstention.
SELECT dataset AS "data set", system, seen AS structure, hardness, sql AS correct FROM tables_cells WHERE sql_n > 0 ORDER BY number, seen;

.print
.print Table 12. Detectors of wrong SQL on feasible questions: correct SQL kept, or wrong SQL held back, among all questions.
SELECT dataset AS "data set", system, seen AS structure, hardness, error AS desirable FROM tables_cells WHERE error_n > 0 ORDER BY number, seen;

.print
.print Table 13. Detectors of wrong SQL on infeasible questions: abstentions, by type.
SELECT dataset AS "data set", system, type, printf('%.1f', error_infeasible) AS abstained FROM tables_types WHERE error_infeasible IS NOT NULL
ORDER BY number, position, type;

SELECT dataset AS "data set", system, skipped AS "not judged" FROM tables_totals WHERE skipped > 0 ORDER BY number;
.mode list
.headers off
DROP TABLE temp.tables_datasets;
DROP TABLE temp.tables_report;
DROP TABLE temp.tables_totals;
DROP TABLE temp.tables_scores;
DROP TABLE temp.tables_levels;
DROP TABLE temp.tables_cells;
DROP TABLE temp.tables_types;
