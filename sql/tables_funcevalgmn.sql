-- tables_funcevalgmn.sql: Table 1 of the FuncEvalGMN paper: how well each metric agrees with the labels of pairs of queries.
--
--   sqlite3 my.db -cmd ".load ./build/release/trustsql" ".read sql/tables_funcevalgmn.sql"
--
--   @dataset   optional: only the pairs of this data set; by default each data set of the table pairs has its rows
--   @suites    optional: the folder of the databases of test suites (sql_suite_generate), in which {db_id} stands for the
--              database and {id} for the pair; adds the row Test suite
--   @metrics   optional: a JSON object of names and metrics of sql_similarity, each with its options, in place of those below:
--              '{"RelPM, recall":{"metric":"relpm","beta":2}}'
--   @opts      optional: options of sql_similarity for all its metrics, as a JSON object
--
-- The metrics: BLEU, CrystalBLEU, CodeBLEU, ASTPM, RelPM, FuncEvalGMN (sql_similarity; the last with the network that the
-- connection has loaded); G-eval, if the setting llm_url is set; Exact set
-- match (sql_em); Execution on the one database, and Test suite, if there are such files; Prover: 1 if the pair is proved
-- equivalent (sql_compare; the place of SPES), and Verdict, the score of sql_compare.
--
-- AUC, Kendall's tau-b, Spearman's and Pearson's correlation between score and label; - where all scores or all labels are
-- equal. A pair that cannot be prepared on its schema (databases.ddl, else the file databases.path, else this database) is
-- left out; the script reports their number. Where EM, Execution or Verdict cannot judge a pair, its score is 0. Changes
-- nothing. Needs the tables of create_tables.sql and the extension.

.bail on

-- The name of the constraint that fails says what is wrong with the input.
DROP TABLE IF EXISTS temp.input_check;
CREATE TEMP TABLE input_check(
  loaded       CONSTRAINT "the extension is not loaded; use -cmd "".load ./build/release/trustsql""" CHECK(loaded),
  metrics_json CONSTRAINT "@metrics is not a JSON object of names and objects with a key metric" CHECK(metrics_json),
  opts_json    CONSTRAINT "@opts is not a JSON object" CHECK(opts_json),
  some         CONSTRAINT "there are no pairs (of the data set @dataset) that can be prepared; import_csv_pairs.sql reads them" CHECK(some)
);
INSERT INTO input_check(loaded) SELECT count(*) > 0 FROM pragma_module_list WHERE name = 'sql_compare';
INSERT INTO input_check(metrics_json) SELECT json_valid(coalesce(@metrics, '{}'));
INSERT INTO input_check(metrics_json) SELECT json_type(coalesce(@metrics, '{}')) = 'object';
INSERT INTO input_check(metrics_json) SELECT type = 'object' AND json_type(value, '$.metric') IS 'text' FROM json_each(coalesce(@metrics, '{}'));
INSERT INTO input_check(opts_json) SELECT json_valid(coalesce(@opts, '{}'));
INSERT INTO input_check(opts_json) SELECT json_type(coalesce(@opts, '{}')) = 'object';

DROP TABLE IF EXISTS temp.tables_pairs;
CREATE TEMP TABLE tables_pairs AS
SELECT number, dataset, a, b, label, path, schema, suite, sql_check(a, schema) IS NULL AND sql_check(b, schema) IS NULL AS prepares
FROM (SELECT p.rowid AS number, coalesce(p.dataset, '-') AS dataset, p.a, p.b, p.label, d.path,
             CASE WHEN d.ddl IS NOT NULL THEN json_object('schema', d.ddl) WHEN d.path IS NOT NULL THEN json_object('database', d.path) ELSE '{}' END AS schema,
             replace(replace(@suites, '{db_id}', coalesce(p.db_id, '')), '{id}', p.id) AS suite
      FROM pairs p LEFT JOIN databases d ON d.db_id = p.db_id WHERE @dataset IS NULL OR p.dataset = @dataset);
SELECT 'note: ' || count(*) || ' pairs cannot be prepared and are left out' AS message FROM tables_pairs WHERE NOT prepares HAVING count(*) > 0;
DELETE FROM tables_pairs WHERE NOT prepares;
INSERT INTO input_check(some) SELECT count(*) > 0 FROM tables_pairs;

DROP TABLE IF EXISTS temp.tables_metrics;
CREATE TEMP TABLE tables_metrics AS
SELECT id AS position, key AS name, json_extract(value, '$.metric') AS metric, json_remove(value, '$.metric') AS opts
FROM json_each(coalesce(@metrics,
  '{"BLEU":{"metric":"bleu"},"CrystalBLEU":{"metric":"crystalbleu"},"CodeBLEU":{"metric":"codebleu"},"ASTPM":{"metric":"astpm"},"RelPM":{"metric":"relpm"},"FuncEvalGMN":{"metric":"gmn"}}'));
INSERT INTO tables_metrics
SELECT 1000000, 'G-eval', 'g-eval', '{}' WHERE @metrics IS NULL AND EXISTS (SELECT 1 FROM trustsql_settings WHERE key = 'llm_url' AND coalesce(value, '') <> '');

DROP TABLE IF EXISTS temp.tables_scores;
CREATE TEMP TABLE tables_scores(position INTEGER, name TEXT, number INTEGER, score REAL);
INSERT INTO tables_scores
SELECT m.position, m.name, p.number, sql_similarity(p.a, p.b, m.metric, json_patch(json_patch(p.schema, coalesce(@opts, '{}')), m.opts))
FROM tables_metrics m, tables_pairs p;
INSERT INTO tables_scores
SELECT 1000001, 'Exact set match', number, sql_em(a, b, json_patch(schema, '{"on_gold_error":"skip"}')) FROM tables_pairs WHERE @metrics IS NULL;
INSERT INTO tables_scores
SELECT 1000002, 'Execution', number, rs_case(a, b, path, '{"on_gold_error":"skip"}') = 'I' FROM tables_pairs
WHERE @metrics IS NULL AND NOT EXISTS (SELECT 1 FROM tables_pairs WHERE path IS NULL);
INSERT INTO tables_scores
SELECT 1000003, 'Test suite', number, sql_suite_match(a, b, suite) FROM tables_pairs WHERE @metrics IS NULL AND suite IS NOT NULL;
DROP TABLE IF EXISTS temp.tables_verdicts;
CREATE TEMP TABLE tables_verdicts AS
SELECT p.number, c.verdict, c.score FROM tables_pairs p, sql_compare(p.a, p.b, p.schema) c WHERE @metrics IS NULL;
INSERT INTO tables_scores SELECT 1000004, 'Prover', number, verdict = 'proved' FROM tables_verdicts;
INSERT INTO tables_scores SELECT 1000005, 'Verdict', number, score FROM tables_verdicts;
UPDATE tables_scores SET score = 0 WHERE score IS NULL;

.headers on
.mode box
.print Table 1. Agreement of metrics with the labels.
SELECT dataset AS "data set", name AS metric, pairs, same AS "labelled same", iif(auc IS NULL, '-', printf('%.4f', auc)) AS AUC,
       iif(tau IS NULL, '-', printf('%.4f', tau)) AS tau, iif(r_s IS NULL, '-', printf('%.4f', r_s)) AS r_s, iif(r_p IS NULL, '-', printf('%.4f', r_p)) AS r_p
FROM (SELECT p.dataset, s.position, s.name, count(*) AS pairs, sum(p.label) AS same, roc_auc(s.score, p.label) AS auc, kendall_tau(s.score, p.label) AS tau,
             spearman(s.score, p.label) AS r_s, pearson(s.score, p.label) AS r_p
      FROM tables_scores s JOIN tables_pairs p ON p.number = s.number GROUP BY p.dataset, s.position)
ORDER BY dataset, position;
.mode list
.headers off
DROP TABLE temp.tables_pairs;
DROP TABLE temp.tables_metrics;
DROP TABLE temp.tables_scores;
DROP TABLE temp.tables_verdicts;
