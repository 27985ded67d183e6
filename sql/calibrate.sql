-- calibrate.sql: chooses on one split a confidence below which to abstain, and applies it to another split.
--
--   sqlite3 my.db -cmd ".load ./build/release/trustsql" -cmd ".parameter set @from validation" -cmd ".parameter set @to test" \
--                 ".read sql/calibrate.sql"
--
--   @from       the split on which the thresholds are chosen
--   @to         the split to which they are applied; the two must have no question in common
--   @method     optional: options of rs_threshold as a JSON object; '{"method":"heuristic"}' (TrustSQL, Appendix C.2) by default,
--               '{"method":"rs","c":10}', '{"method":"selective_risk","alpha":0.1,"delta":0.05}'
--   @opts       optional: options of rs_report as a JSON object, for both splits
--
-- Each system that has a confidence for each of its answers gets a row in the table thresholds (a threshold of NULL:
-- abstain from everything). The view calibrated shows the answers of these systems like the view answers, except that
-- an answer below the threshold is an abstention; like answers, it is a source for rs_report and report.sql:
--
--   .parameter set @source "SELECT * FROM calibrated WHERE split = 'test'"
--
-- Running it again replaces the thresholds. Needs the tables of create_tables.sql and the extension.

.bail on

-- The name of the constraint that fails says what is wrong with the input.
DROP TABLE IF EXISTS temp.input_check;
CREATE TEMP TABLE input_check(
  loaded      CONSTRAINT "the extension is not loaded; use -cmd "".load ./build/release/trustsql""" CHECK(loaded),
  from_set    CONSTRAINT "@from is not set; use .parameter set @from SPLIT" CHECK(from_set),
  to_set      CONSTRAINT "@to is not set; use .parameter set @to SPLIT" CHECK(to_set),
  differ      CONSTRAINT "@from and @to are the same split: a threshold must not be judged on the questions that it was chosen on" CHECK(differ),
  opts_json   CONSTRAINT "@opts is not a JSON object" CHECK(opts_json),
  from_exists CONSTRAINT "no system has answers in the split @from" CHECK(from_exists),
  to_exists   CONSTRAINT "no system has answers in the split @to" CHECK(to_exists),
  confidences CONSTRAINT "no system has a confidence for each of its answers in the split @from" CHECK(confidences)
);
INSERT INTO input_check(loaded) SELECT count(*) > 0 FROM pragma_function_list WHERE name = 'rs_threshold';
INSERT INTO input_check(from_set) SELECT @from IS NOT NULL;
INSERT INTO input_check(to_set) SELECT @to IS NOT NULL;
INSERT INTO input_check(differ) SELECT CAST(@from AS TEXT) <> CAST(@to AS TEXT);
INSERT INTO input_check(opts_json) SELECT json_valid(coalesce(@opts, '{}'));
INSERT INTO input_check(opts_json) SELECT json_type(coalesce(@opts, '{}')) = 'object';
INSERT INTO input_check(from_exists) SELECT count(*) > 0 FROM answers WHERE split = @from;
INSERT INTO input_check(to_exists) SELECT count(*) > 0 FROM answers WHERE split = @to;

DROP TABLE IF EXISTS temp.with_confidence;
CREATE TEMP TABLE with_confidence AS
SELECT system FROM answers WHERE split IN (@from, @to) GROUP BY system
HAVING count(pred) > 0 AND sum(pred IS NOT NULL AND confidence IS NULL) = 0 AND sum(split = @from) > 0;
INSERT INTO input_check(confidences) SELECT count(*) > 0 FROM with_confidence;

DROP TABLE IF EXISTS temp.judged;
CREATE TEMP TABLE judged AS
SELECT system, confidence, rs_case(gold, pred, database, json_remove(coalesce(@opts, '{}'), '$.by', '$.c', '$.infeasible_share', '$.questions', '$.missing',
                                                                     '$.bootstrap', '$.confidence_level', '$.cluster', '$.seed')) AS outcome
FROM answers WHERE split = @from AND system IN (SELECT system FROM with_confidence);

BEGIN;
CREATE TABLE IF NOT EXISTS thresholds(
  system    TEXT PRIMARY KEY,
  split     TEXT,            -- on which it was chosen
  method    TEXT,            -- options of rs_threshold
  threshold REAL             -- answers of at least this confidence are given; NULL: none
);
DELETE FROM thresholds;
INSERT INTO thresholds
SELECT system, @from, coalesce(@method, '{"method":"heuristic"}'), rs_threshold(confidence, outcome, coalesce(@method, '{"method":"heuristic"}'))
FROM judged GROUP BY system;
CREATE VIEW IF NOT EXISTS calibrated AS
SELECT a.system, a.id, a.question, a.gold, CASE WHEN a.confidence >= t.threshold THEN a.pred END AS pred, coalesce(a.raw, a.pred) AS raw, a.cls, a.error,
       a.confidence, a.database, a.db_id, a.dataset, a.split, a.hardness, a.seen, a.type
FROM answers a JOIN thresholds t ON t.system = a.system;
COMMIT;

DROP TABLE IF EXISTS temp.scores;
CREATE TEMP TABLE scores AS
SELECT 'as it is' AS answers, * FROM rs_report(
  printf('SELECT * FROM answers WHERE split = %Q AND system IN (SELECT system FROM thresholds)', @to), coalesce(@opts, '{}'));
INSERT INTO scores SELECT 'calibrated', * FROM rs_report(printf('SELECT * FROM calibrated WHERE split = %Q', @to), coalesce(@opts, '{}'));

.headers on
.mode box
SELECT system, split AS "chosen on", method, coalesce(threshold, 'abstain from everything') AS threshold FROM thresholds;
SELECT s.system, s.answers, s.n, printf('%.1f', s.coverage) AS coverage, iif(s.precision IS NULL, '-', printf('%.1f', s.precision)) AS precision,
       printf('%.1f', s.rs_0) AS "RS(0)", printf('%.1f', s.rs_10) AS "RS(10)", printf('%.1f', s.rs_n) AS "RS(N)"
FROM scores s WHERE s.level = 'total' AND (s.system <> 'ABSTAIN-ALL' OR s.answers = 'as it is') ORDER BY s.system, s.answers;
.mode list
.headers off
DROP TABLE temp.with_confidence;
DROP TABLE temp.judged;
DROP TABLE temp.scores;
