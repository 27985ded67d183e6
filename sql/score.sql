-- score.sql: the reliability scores of every system, in total and by groups of questions.
--
--   sqlite3 my.db -cmd ".load ./build/release/trustsql" ".read sql/score.sql"
--
--   @source   optional: what to score; the view answers of create_tables.sql by default. Any table, view or SELECT with
--             the columns gold and pred will do.
--   @by       optional: a column to group by, or a JSON array of up to four: .parameter set @by hardness
--   @opts     optional: more options of rs_report as a JSON object: .parameter set @opts '{"semantics":"spider"}'
--             With {"semantics":"trustsql"} each question is judged by the rules of the data set that the column dataset
--             names: atis, advising, ehrsql or spider.
--
-- Groups are in the order of rs_report: easy, medium, hard, extra. Scores are in percent: 100 is perfect, and above 0 a
-- system does more good than harm. With c = N a single mistake outweighs everything else. Changes nothing. Needs the
-- extension.

.bail on

-- The name of the constraint that fails says what is wrong with the input.
DROP TABLE IF EXISTS temp.input_check;
CREATE TEMP TABLE input_check(
  loaded    CONSTRAINT "the extension is not loaded; use -cmd "".load ./build/release/trustsql""" CHECK(loaded),
  opts_json CONSTRAINT "@opts is not a JSON object" CHECK(opts_json)
);
INSERT INTO input_check(loaded) SELECT count(*) > 0 FROM pragma_module_list WHERE name = 'rs_report';
INSERT INTO input_check(opts_json) SELECT json_valid(coalesce(@opts, '{}'));
INSERT INTO input_check(opts_json) SELECT json_type(coalesce(@opts, '{}')) = 'object';

DROP TABLE IF EXISTS temp.scores;
CREATE TEMP TABLE scores AS
SELECT * FROM rs_report(
  coalesce(@source, 'answers'),
  json_patch(coalesce(@opts, '{}'), CASE WHEN @by IS NULL THEN '{}' ELSE json_object('by', CASE WHEN json_valid(@by) THEN json(@by) ELSE @by END) END));

.headers on
.mode box
SELECT system, n, i, ii, iii, iv, v, skipped, missing FROM scores WHERE level = 'total';
SELECT system, printf('%.1f', rs_0) AS "RS(0)", printf('%.1f', rs_10) AS "RS(10)", printf('%.1f', rs_n) AS "RS(N)", printf('%.1f', coverage) AS coverage,
       iif(precision IS NULL, '-', printf('%.1f', precision)) AS precision
FROM scores WHERE level = 'total';
SELECT rtrim(coalesce(grp1, '-') || ' ' || coalesce(grp2, '') || ' ' || coalesce(grp3, '') || ' ' || coalesce(grp4, '')) AS "group", system, n,
       printf('%.1f', rs_0) AS "RS(0)", printf('%.1f', rs_10) AS "RS(10)", printf('%.1f', rs_n) AS "RS(N)", printf('%.1f', coverage) AS coverage,
       iif(precision IS NULL, '-', printf('%.1f', precision)) AS precision
FROM scores WHERE level = 'group'
ORDER BY (SELECT min(g.rowid) FROM scores g WHERE g.level = 'group' AND g.grp1 IS scores.grp1 AND g.grp2 IS scores.grp2 AND g.grp3 IS scores.grp3
          AND g.grp4 IS scores.grp4), scores.rowid;
.mode list
.headers off
DROP TABLE temp.scores;
