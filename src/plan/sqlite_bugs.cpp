#include "plan/sqlite_bugs.hpp"

#include <array>

#include "plan/sqlite_bug_patterns.hpp"
#include "plan/walk.hpp"

namespace trustsql::plan {

namespace {

constexpr std::array bugs = {
    SqliteBug{
        .name = "right_join_after_constant",
        .what = "A condition without columns to the left of a RIGHT or FULL JOIN is applied to the whole join if it is "
                "not true.",
        .versions = "3.39 to 3.40.1",
        .schema = "CREATE TABLE x(a); CREATE TABLE y(b); CREATE TABLE z(c); INSERT INTO z VALUES (1)",
        .query = "SELECT * FROM x JOIN y ON 1 = 2 FULL JOIN z",
        .correct = "SELECT NULL, NULL, c FROM z",
        .matches = is_right_join_after_constant,
    },
    SqliteBug{
        .name = "right_join_of_table_function",
        .what = "A table-valued function in a RIGHT or FULL JOIN gives wrong rows, or none.",
        .versions = "3.39 to 3.40.1",
        .schema = "",  // found with random queries; no small example is known
        .query = "",
        .correct = "",
        .matches = is_right_join_of_table_function,
    },
    SqliteBug{
        .name = "right_join_in_union_all",
        .what = "In a UNION ALL subquery, the WHERE of a SELECT is lost if a later SELECT reads from a RIGHT JOIN.",
        .versions = "3.39 to 3.40.1",
        .schema = "CREATE TABLE x(a); CREATE TABLE y(b); CREATE TABLE z(c); INSERT INTO x VALUES (1), (2)",
        .query = "SELECT * FROM (SELECT a FROM x WHERE a > 1 UNION ALL SELECT b FROM y RIGHT JOIN z)",
        .correct = "SELECT a FROM x WHERE a > 1",
        .matches = is_right_join_in_union_all,
    },
    SqliteBug{
        .name = "left_join_after_right_join",
        .what = "A condition that joins a RIGHT JOIN with (a LEFT JOIN b) is lost where SQLite leaves b out, of which "
                "each row of a has one match at most and no column is used.",
        .versions = "3.39 to 3.40.1",
        .schema = "CREATE TABLE x(a); CREATE TABLE y(b); INSERT INTO y VALUES (0); CREATE TABLE z(c UNIQUE)",
        .query = "SELECT y1.b FROM x RIGHT JOIN y ON 1 JOIN (y AS y1 LEFT JOIN z ON c = y1.b) ON y.b",
        .correct = "SELECT y1.b FROM y JOIN y AS y1 ON y.b",
        .matches = is_left_join_after_right_join,
    },
    SqliteBug{
        .name = "right_join_of_row_in",
        .what = "Above a RIGHT or FULL JOIN, a row without a match that passes (x, y) IN (SELECT ...) is returned once "
                "for each row of the subquery that has its x.",
        .versions = "3.39 to 3.40.1",
        .schema = "CREATE TABLE x(a); CREATE TABLE y(b INTEGER PRIMARY KEY); CREATE TABLE z(c INT, d INT); INSERT INTO "
                  "y VALUES "
                  "(1); INSERT INTO z VALUES (1, 1), (1, 2)",
        .query = "SELECT b FROM x RIGHT JOIN y WHERE (b, b) IN (SELECT c, d FROM z)",
        .correct = "SELECT b FROM y WHERE (b, b) IN (SELECT c, d FROM z)",
        .matches = is_row_in_beside_right_join,
    },
    SqliteBug{
        .name = "left_join_of_subquery_value",
        .what = "A subquery that is a column of a subquery in FROM, which a LEFT JOIN reads, is NULL in all rows after "
                "the first that has no match.",
        .versions = "3.37 to 3.40.1; not in 3.54.1",
        .schema = "CREATE TABLE x(a); INSERT INTO x VALUES (1), (0), (1); CREATE TABLE y(b); INSERT INTO y VALUES (1)",
        .query = "SELECT c FROM x LEFT JOIN (SELECT (SELECT 1) AS c FROM y) ON a",
        .correct = "SELECT c FROM x LEFT JOIN (SELECT 1 AS c FROM y) ON a",
        .matches = is_left_join_of_subquery_value,
    },
    SqliteBug{
        .name = "union_of_union_all",
        .what = "UNION, INTERSECT and EXCEPT with SELECT * FROM (a UNION ALL b) compare by the collation of b's column "
                "instead of that of the first SELECT.",
        .versions = "3.37 to 3.40.1",
        .schema = "CREATE TABLE x(a); CREATE TABLE y(b COLLATE RTRIM); INSERT INTO x VALUES (''), (' ')",
        .query = "SELECT a FROM x UNION SELECT * FROM (SELECT b FROM y UNION ALL SELECT b FROM y)",
        .correct = "SELECT a FROM x UNION SELECT b FROM y",
        .matches = merges_union_all_of_other_collation,
    },
    SqliteBug{
        .name = "rtrim_join",
        .what = "The Bloom filter before a join hashes the length of a text, so texts that are equal under RTRIM are "
                "missed.",
        .versions = "3.38 to 3.40.1",
        .schema = "CREATE TABLE l(a); CREATE TABLE r(b COLLATE RTRIM); INSERT INTO l VALUES ('x'), ('x  '); INSERT "
                  "INTO r VALUES ('x ')",
        .query = "SELECT l.a, r.b FROM l LEFT JOIN r ON r.b = l.a",
        .correct = "SELECT l.a, r.b FROM l LEFT JOIN r ON rtrim(r.b, ' ') = rtrim(l.a, ' ')",
        .matches = compares_column_by_rtrim,
    },
    SqliteBug{
        .name = "in_converts_aggregated_value",
        .what = "x IN (...) above an aggregation applies the affinity of the comparison to x itself, so all later uses "
                "of x see the converted value.",
        .versions = "3.37 to 3.40.1",
        .schema = "CREATE TABLE u(a); CREATE TABLE v(b INT); INSERT INTO u VALUES ('2')",
        .query = "SELECT typeof(a) FROM u GROUP BY a HAVING a NOT IN (SELECT b FROM v)",
        .correct = "SELECT typeof(a) FROM u GROUP BY a",
        .matches = converts_aggregated_value,
    },
    SqliteBug{
        .name = "row_in_with_conversion",
        .what = "If a column of a row value is NULL, IN compares the other columns without their affinity and with the "
                "collation of the left side; it also looks up converted values in an index of unconverted ones.",
        .versions = "3.37 to 3.40.1",
        .schema = "CREATE TABLE w(p INT, q TEXT, r); INSERT INTO w VALUES (0, '0', NULL)",
        .query = "SELECT (r, q) IN (VALUES (1.5, p)) FROM w",
        .correct = "SELECT (r, q) = (1.5, p) FROM w",
        .matches = is_row_in_with_conversion,
    },
    SqliteBug{
        .name = "row_in_index",
        .what = "A row value IN the columns of an index, in another order than in the index, is searched for although "
                "one of its columns is NULL.",
        .versions = "3.37 to 3.40.1",
        .schema = "CREATE TABLE c(cid, sid, PRIMARY KEY (sid, cid)); INSERT INTO c VALUES (3, NULL); "
                  "CREATE TABLE n(name NOT NULL, age); INSERT INTO n VALUES (3, NULL)",
        .query = "SELECT name FROM n WHERE (name, age) IN (SELECT cid, sid FROM c)",
        .correct = "SELECT name FROM n JOIN c ON name = cid AND age = sid",
        .matches = is_row_in_index,
    },
    SqliteBug{
        .name = "rowid_beside_real",
        .what = "The row whose rowid is the smallest integer is not found by the real that is equal to it, nor by a "
                "text of "
                "such a number.",
        .versions = "3.37 to 3.40.1",
        .schema = "CREATE TABLE v(a INTEGER PRIMARY KEY); INSERT INTO v VALUES (-9223372036854775808); "
                  "CREATE TABLE t(a TEXT); INSERT INTO t VALUES ('-9223372036854775809')",
        .query = "SELECT v.a FROM t LEFT JOIN v ON v.a = t.a",
        .correct = "SELECT a FROM v",
        .matches = compares_rowid_with_real,
    },
    SqliteBug{
        .name = "in_with_real_affinity",
        .what = "IN applies the affinity REAL to an integer that it compares with a REAL column, and so considers it "
                "equal to a real that it is not equal to.",
        .versions = "3.37 to 3.40.1",
        .schema = "CREATE TABLE t(x REAL); INSERT INTO t VALUES (9007199254740992.0); CREATE TABLE u(y INT); INSERT "
                  "INTO u VALUES (9007199254740993)",
        .query = "SELECT x FROM t WHERE x IN (SELECT +y FROM u)",
        .correct = "SELECT x FROM t, u WHERE x = y",
        .matches = is_in_with_real_affinity,
    },
    SqliteBug{
        .name = "in_under_other_collation",
        .what = "x IN (SELECT y COLLATE ...) is looked up in an index of x, which has another collation.",
        .versions = "3.37 to 3.54.1",
        .schema = "CREATE TABLE p(w TEXT UNIQUE); INSERT INTO p VALUES ('A'); CREATE TABLE q(w TEXT); INSERT INTO q "
                  "VALUES ('a')",
        .query = "SELECT w FROM p WHERE w IN (SELECT w COLLATE NOCASE FROM q)",
        .correct = "SELECT w FROM p",
        .matches = is_in_under_other_collation,
    },
    SqliteBug{
        .name = "pattern_of_numbers",
        .what = "x LIKE 'p%' and x GLOB 'p*' are looked up as a range of texts in an index, which misses numbers whose "
                "text begins with p, if p is the start of Inf or ends with an exponent without digits.",
        .versions = "3.40.1",
        .schema = "CREATE TABLE t(c UNIQUE); INSERT INTO t VALUES (1e20)",
        .query = "SELECT c FROM t WHERE c GLOB '1.0e*'",
        .correct = "SELECT c FROM t",
        .matches = is_pattern_of_numbers,
    },
    SqliteBug{
        .name = "in_descending_index",
        .what = "x IN (SELECT y ...) is 0 instead of NULL if y is looked up in a descending index, where the NULLs "
                "come last.",
        .versions = "3.37 to 3.53.2",
        .schema = "CREATE TABLE x(a); INSERT INTO x VALUES (5); CREATE TABLE y(b); INSERT INTO y VALUES (1), (NULL); "
                  "CREATE INDEX yb ON y(b DESC)",
        .query = "SELECT a FROM x WHERE a NOT IN (SELECT b FROM y)",
        .correct = "SELECT a FROM x WHERE NOT EXISTS (SELECT 1 FROM y WHERE a = b OR b IS NULL)",
        .matches = is_in_descending_index,
    },
    SqliteBug{
        .name = "affinity_of_outer_column",
        .what = "A column of an outer query's subquery loses its affinity when a subquery in FROM passes it on.",
        .versions = "3.37 to 3.40.1",
        .schema = "CREATE TABLE u(c REAL); INSERT INTO u VALUES (1)",
        .query = "SELECT (SELECT c1 = '1' FROM (SELECT x.c AS c1)) FROM (SELECT c FROM u LIMIT 1) AS x",
        .correct = "SELECT c = '1' FROM u",
        .matches = passes_on_outer_column,
    },
    SqliteBug{
        .name = "index_on_virtual_column",
        .what = "An index on a virtual generated column answers for the expression of the column too, with the "
                "affinity of the column; later versions store integers in it for a column that copies a REAL one.",
        .versions = "3.37 to 3.54.1",
        .schema = "CREATE TABLE s(k TEXT, g INT AS (k || '')); INSERT INTO s(k) VALUES ('1'); CREATE INDEX sg ON s(g); "
                  "CREATE TABLE x(k TEXT); INSERT INTO x VALUES ('1')",
        .query = "SELECT k FROM s WHERE g = 1 AND k || '' = '1'",
        .correct = "SELECT k FROM x",
        .matches = reads_index_on_virtual_column,
    },
    SqliteBug{
        .name = "order_by_converted_column",
        .what = "A column that WHERE equates with a value is considered constant and not sorted by, although its "
                "values are converted for the comparison: '1e2' and 100.",
        .versions = "3.37 to 3.40.1",
        .schema = "CREATE TABLE u(b); INSERT INTO u VALUES ('1e2'), (100.0); CREATE TABLE v(a INT); INSERT INTO v "
                  "VALUES (100)",
        .query = "SELECT (SELECT b FROM u WHERE b = a ORDER BY b LIMIT 1) FROM v",
        .correct = "SELECT b FROM u WHERE typeof(b) = 'real'",
        .matches = sorts_by_converted_column,
    },
    SqliteBug{
        .name = "distinct_before_offset",
        .what = "A subquery in the place of a value has a value that OFFSET skips, if DISTINCT leaves no more and "
                "nothing is sorted, or it has several columns; EXISTS ignores DISTINCT although there is an OFFSET, "
                "and a row "
                "value in such a subquery is looked up by some of its columns, of which fewer are distinct.",
        .versions = "3.40.1",
        .schema = "CREATE TABLE t(id INTEGER PRIMARY KEY); INSERT INTO t VALUES (3)",
        .query = "SELECT (SELECT DISTINCT id FROM t ORDER BY id DESC LIMIT 1 OFFSET 1)",
        .correct = "SELECT (SELECT id FROM t ORDER BY id DESC LIMIT 1 OFFSET 1)",
        .matches = skips_distinct_values,
    },
    SqliteBug{
        .name = "outer_join_of_pattern",
        .what =
            "Rows without a match are lost where x LIKE 'p%', the condition of an outer join, is looked up in an index "
            "of x under NOCASE, or as a rowid.",
        .versions = "3.40.1; not in 3.37.2, 3.50.4",
        .schema = "CREATE TABLE b(k); CREATE TABLE w(k TEXT COLLATE NOCASE UNIQUE); INSERT INTO b VALUES (1)",
        .query = "SELECT b.k FROM b LEFT JOIN w ON w.k LIKE 'a%'",
        .correct = "SELECT k FROM b",
        .matches = is_outer_join_of_pattern,
    },
    SqliteBug{
        .name = "replace_of_nothing",
        .what =
            "replace(x, '', y) of a number x is that number and its text at once; the kind of comparison decides what "
            "it is equal to.",
        .versions = "3.37 to 3.40.1; not in 3.50.4",
        .schema = "CREATE TABLE n(k INT, w TEXT); INSERT INTO n VALUES (7, '7')",
        .query = "SELECT w FROM n WHERE w = replace(k, '', '')",
        .correct = "SELECT w FROM n WHERE w = CAST(k AS TEXT)",
        .matches = replaces_nothing,
    },
    SqliteBug{
        .name = "null_test_of_bare_column",
        .what = "Of no rows, a column beside an aggregate is NULL; IS NULL says that it is not, if it is NOT NULL.",
        .versions = "3.37 to 3.40.1; not in 3.50.4",
        .schema = "CREATE TABLE b(k INT NOT NULL)",
        .query = "SELECT count(*), k IS NULL FROM b",
        .correct = "SELECT c, k IS NULL FROM (SELECT count(*) AS c, k FROM b)",
        .matches = tests_bare_column_for_null,
    },
    SqliteBug{
        .name = "hidden_nulls",
        .what = "ALTER TABLE adds a column NOT NULL with a default such as -NULL, which is NULL in the rows that are "
                "there; IS NULL says that it is not.",
        .versions = "3.37 to 3.50.4",
        .schema = "CREATE TABLE t(a); INSERT INTO t VALUES (1); ALTER TABLE t ADD x INT NOT NULL DEFAULT (-NULL); "
                  "CREATE TABLE y(a, x); INSERT INTO y VALUES (1, NULL)",
        .query = "SELECT a FROM t WHERE x IS NULL",
        .correct = "SELECT a FROM y WHERE x IS NULL",
        .matches = reads_hidden_nulls,
    },
    SqliteBug{
        .name = "integer_default_of_reals",
        .what = "ALTER TABLE adds a REAL column whose default is an integer that is no real; an index has the integer "
                "in the rows that were there, and the table the nearest real.",
        .versions = "3.40.1",
        .schema = "CREATE TABLE t(id INTEGER PRIMARY KEY); INSERT INTO t VALUES (1); "
                  "ALTER TABLE t ADD r REAL DEFAULT 9007199254740993; CREATE INDEX tr ON t(r); "
                  "CREATE TABLE y(id, r REAL); INSERT INTO y VALUES (1, 9007199254740993)",
        .query = "SELECT id FROM t WHERE r = 9007199254740992",
        .correct = "SELECT id FROM y WHERE r = 9007199254740992",
        .matches = reads_integer_defaults,
    },
    SqliteBug{
        .name = "rowid_of_subquery",
        .what = "The rowid of a subquery in FROM or of a view is NULL, but is taken for unique and for NOT NULL.",
        .versions = "3.37 to 3.40.1",
        .schema = "CREATE TABLE t(x); INSERT INTO t VALUES (1), (2)",
        .query = "SELECT DISTINCT rowid FROM (SELECT x FROM t LIMIT -1)",
        .correct = "SELECT DISTINCT NULL FROM t",
        .matches = [](const Rel&, const Plan& plan) { return plan.reads_rowid_of_subquery; },
    },
    SqliteBug{
        .name = "doubtful_name",
        .what = "SQLite makes up names at random from the sixth column of one name on, and calls what FULL JOIN merges "
                "in a view by its text; a name that FULL JOIN merges with a column of a parenthesised join is NULL in "
                "place of that column.",
        .versions = "3.39 to 3.40.1",
        .schema = "CREATE TABLE x(a INT); CREATE TABLE y(a INT, c INT); CREATE TABLE z(a INT, d INT); INSERT INTO x "
                  "VALUES (5); INSERT INTO y VALUES (5, 7); INSERT INTO z VALUES (5, 9), (7, 9)",
        .query = "SELECT y.a FROM x LEFT JOIN (z AS m JOIN z AS y) AS j USING (a) FULL JOIN y USING (a)",
        .correct = "SELECT q FROM x JOIN (SELECT m.a, y.a AS q FROM z AS m JOIN z AS y) AS j ON x.a = j.a",
        .matches = [](const Rel&, const Plan& plan) { return plan.has_doubtful_names; },
    },
    SqliteBug{
        .name = "using_of_filled_column",
        .what = "USING and NATURAL take NULL for equal to NULL where an outer join has filled their left column, which "
                "is declared NOT NULL or is a rowid.",
        .versions = "3.40.1",
        .schema = "CREATE TABLE a(x INT); CREATE TABLE b(x INT, k INT NOT NULL); CREATE TABLE c(k INT, v INT); INSERT "
                  "INTO a VALUES (2); INSERT INTO c VALUES (NULL, 99)",
        .query = "SELECT v FROM a LEFT JOIN b ON a.x = b.x LEFT JOIN c USING (k)",
        .correct = "SELECT v FROM a LEFT JOIN b ON a.x = b.x LEFT JOIN c ON b.k = c.k",
        .matches = [](const Rel&, const Plan& plan) { return plan.joins_filled_column_by_using; },
    },
    SqliteBug{
        .name = "index_on_expression",
        .what = "An index on an expression answers for the expression: under another collation, without the mark of "
                "JSON, or, where ANALYZE has been run, with rowids in the place of its values.",
        .versions = "3.40.1",
        .schema = "CREATE TABLE t(x TEXT); CREATE INDEX tx ON t(x || ''); INSERT INTO t VALUES ('B'); CREATE TABLE y(x "
                  "TEXT); INSERT INTO y VALUES ('B')",
        .query = "SELECT x FROM t WHERE x || '' = 'A' OR x || '' = 'b' COLLATE NOCASE",
        .correct = "SELECT x FROM y",
        .matches = reads_index_on_expression,
    },
    SqliteBug{
        .name = "null_test_as_truth",
        .what =
            "x IS (y IS NOT NULL), where y is never NULL, asks whether x is true if the test is the name of a result "
            "column or the query has a window.",
        .versions = "3.40.1",
        .schema = "CREATE TABLE t(x INT NOT NULL, y INT); INSERT INTO t VALUES (3, 5)",
        .query = "SELECT x, x IS NOT NULL AS n FROM t WHERE y IS n",
        .correct = "SELECT x, 1 FROM t WHERE y IS 1",
        .matches = compares_null_test_by_is,
    },
    SqliteBug{
        .name = "sliding_window",
        .what =
            "Where rows leave the frame of a window, min and max ignore FILTER, group_concat of empty texts is NULL, "
            "and sum, total and avg keep what infinite values and reals have left.",
        .versions = "3.40.1",
        .schema = "CREATE TABLE t(id INTEGER PRIMARY KEY, x INT, y INT); INSERT INTO t VALUES (1, 5, 0), (2, 3, 1)",
        .query = "SELECT max(x) FILTER (WHERE y) OVER (ORDER BY id ROWS CURRENT ROW) FROM t",
        .correct = "SELECT CASE WHEN y THEN x END FROM t",
        .matches = slides_window,
    },
    SqliteBug{
        .name = "constant_of_no_rows",
        .what =
            "Of no rows, a column of a subquery beside an aggregate is NULL, but the constant that it stands for if "
            "SQLite merges the subquery.",
        .versions = "3.40.1",
        .schema = "CREATE TABLE v(id INT)",
        .query = "SELECT n, min(id) FROM (SELECT 'A' AS n, id FROM v)",
        .correct = "SELECT NULL, min(id) FROM v",
        .matches = takes_constant_of_no_rows,
    },
    SqliteBug{
        .name = "lookup_converts_aggregated_value",
        .what = "A subquery that looks up an aggregated value of the query around it in an index converts the value "
                "itself, so all later uses see the converted value.",
        .versions = "3.40.1; not in 3.54.1",
        .schema = "CREATE TABLE t(id INTEGER PRIMARY KEY, n TEXT); CREATE TABLE v(b INT); CREATE INDEX vb ON v(b); "
                  "INSERT INTO t VALUES (1, '2.0'); INSERT INTO v VALUES (2)",
        .query = "SELECT typeof(n) FROM t GROUP BY id HAVING EXISTS (SELECT 1 FROM v WHERE b = n)",
        .correct = "SELECT typeof(n) FROM t WHERE EXISTS (SELECT 1 FROM v WHERE b = n)",
        .matches = looks_up_aggregated_value,
    },
    SqliteBug{
        .name = "hidden_column_kept",
        .what = "A hidden column of a table-valued function has the affinity NUMERIC, by which its texts are converted "
                "only where a subquery or common table is kept.",
        .versions = "3.40.1; not in 3.54.1",
        .schema = "CREATE TABLE t(a)",
        .query = "WITH q AS MATERIALIZED (SELECT json FROM json_each('5')) SELECT typeof(json) FROM q",
        .correct = "SELECT typeof(json) FROM json_each('5')",
        .matches = keeps_hidden_column,
    },
    SqliteBug{
        .name = "virtual_real_kept",
        .what = "The value of a virtual generated column with the affinity REAL becomes an integer where it passes "
                "through an expression and is kept in a temporary table.",
        .versions = "3.40.1; not in 3.54.1",
        .schema = "CREATE TABLE v(x INT, g REAL AS (x)); INSERT INTO v(x) VALUES (5)",
        .query = "WITH q AS MATERIALIZED (SELECT coalesce(g, 0.5) AS z FROM v) SELECT z / 2 FROM q",
        .correct = "SELECT x / 2.0 FROM v",
        .matches = reads_virtual_real,
    },
    SqliteBug{
        .name = "constant_in_subquery",
        .what = "A REAL column that WHERE equates with a constant becomes an integer in a subquery that keeps it in a "
                "temporary table.",
        .versions = "3.40.1; not in 3.54.1",
        .schema =
            "CREATE TABLE k(r REAL); CREATE TABLE m(y TEXT); INSERT INTO k VALUES (5); INSERT INTO m VALUES ('b')",
        .query = "SELECT r FROM k WHERE r = 5 AND (SELECT k.r FROM m ORDER BY y || '' LIMIT 1) / 2 = 2.5",
        .correct = "SELECT r FROM k",
        .matches = passes_constant_to_subquery,
    },
    SqliteBug{
        .name = "constant_for_untyped_column",
        .what = "A column without affinity that WHERE equates with a constant is replaced by it in other conditions, "
                "although it may be 4.0 where the constant is 4.",
        .versions = "3.40.1; not in 3.54.1",
        .schema = "CREATE TABLE t(g INT, a REAL); INSERT INTO t VALUES (1, 2.5), (1, 1.5)",
        .query = "SELECT g FROM (SELECT g, sum(a) AS s FROM t GROUP BY g) WHERE s = 4 AND s / 3 > 1",
        .correct = "SELECT g FROM t GROUP BY g",
        .matches = puts_constant_for_untyped_column,
    },
    SqliteBug{
        .name = "equality_under_other_collation",
        .what = "From x = y, under the collation of x, and a condition on y under its own collation, SQLite infers the "
                "condition on x.",
        .versions = "3.40.1; not in 3.54.1",
        .schema = "CREATE TABLE w(f TEXT); CREATE TABLE y(b INTEGER PRIMARY KEY, q TEXT COLLATE NOCASE); INSERT INTO w "
                  "VALUES ('a'), ('A'); INSERT INTO y VALUES (1, 'a'), (2, 'A')",
        .query = "SELECT b FROM w CROSS JOIN y WHERE f = q AND q = 'a'",
        .correct = "SELECT b FROM y",
        .matches = infers_under_other_collation,
    },
    SqliteBug{
        .name = "choice_under_other_collation",
        .what = "x = a OR x = b is looked up in an index of x as x IN (a, b), although one of the comparisons has "
                "another collation.",
        .versions = "3.40.1; not in 3.54.1",
        .schema = "CREATE TABLE t(x TEXT); CREATE INDEX tx ON t(x); INSERT INTO t VALUES ('B')",
        .query = "SELECT x FROM t WHERE x = 'A' OR x = 'b' COLLATE NOCASE",
        .correct = "SELECT x FROM t",
        .matches = is_choice_under_other_collation,
    },
    SqliteBug{
        .name = "right_join_of_equivalence",
        .what = "x IS y in the WHERE above a RIGHT or FULL JOIN restricts the tables to its left, so rows with a match "
                "count as rows without one.",
        .versions = "3.40.1; not in 3.54.1",
        .schema = "CREATE TABLE x(a INT, k INT); CREATE INDEX xa ON x(a); CREATE TABLE z(d INT); INSERT INTO x VALUES "
                  "(NULL, 3); INSERT INTO z VALUES (3)",
        .query = "SELECT a FROM z CROSS JOIN x ON k = z.d FULL JOIN z AS z2 ON z.d = z2.d WHERE a IS z.d",
        .correct = "SELECT a FROM x WHERE k = 0",
        .matches = is_equivalence_beside_right_join,
    },
    SqliteBug{
        .name = "pattern_of_other_letters",
        .what =
            "x LIKE 'p%' and x GLOB 'p*' are looked up as a range of texts in an index, whose end is wrong in UTF-16 "
            "and where p ends with a letter outside ASCII.",
        .versions = "3.40.1; not in 3.54.1",
        .schema = "PRAGMA encoding = 'UTF-16le'; CREATE TABLE t(k TEXT UNIQUE); INSERT INTO t VALUES ('\u00ff')",
        .query = "SELECT 1 FROM t WHERE k GLOB '\u00ff*'",
        .correct = "SELECT 1 FROM t",
        .matches = is_pattern_of_other_letters,
    },
    SqliteBug{
        .name = "distinct_of_outer_join",
        .what = "DISTINCT skips rows in an index of the table that an outer join fills with NULLs, and returns rows of "
                "NULLs and values that do not match, if ANALYZE has been run.",
        .versions = "3.40.1; not in 3.54.1",
        .schema = "CREATE TABLE y(b INTEGER PRIMARY KEY, q TEXT); CREATE TABLE w(e INT, f TEXT); CREATE INDEX wi ON "
                  "w(e, f); INSERT INTO y VALUES (1, 'zzz'), (2, '3'); WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL "
                  "SELECT i + 1 FROM n WHERE i < 999) INSERT INTO w SELECT i % 2, i FROM n; ANALYZE",
        .query = "SELECT DISTINCT b, e FROM y LEFT JOIN w ON f = q",
        .correct = "SELECT b, e FROM y LEFT JOIN w ON f = q GROUP BY b, e",
        .matches = is_distinct_of_outer_join,
    },
    SqliteBug{
        .name = "in_scans_index",
        .what = "x IN (SELECT ...) scans an index of x from one value to the next, and so misses rows where the index "
                "is read backwards or another condition limits it, if ANALYZE has been run.",
        .versions = "3.40.1; not in 3.54.1",
        .schema = "CREATE TABLE w(e INT, f TEXT); CREATE INDEX we ON w(e, f); CREATE TABLE y(b INT); INSERT INTO w "
                  "VALUES (1, '1'), (1, 'a'), (2, 'A'), (0, 'b'); INSERT INTO y VALUES (1), (2); ANALYZE",
        .query = "SELECT max(e) FROM w WHERE e IN (SELECT b FROM y)",
        .correct = "SELECT max(b) FROM y",
        .matches = scans_index_for_in,
    },
    SqliteBug{
        .name = "order_after_omitted_join",
        .what = "Behind a LEFT JOIN that SQLite leaves out, since nothing uses its columns, a table is read in the "
                "direction that ORDER BY asks of another one.",
        .versions = "3.40.1; not in 3.54.1",
        .schema = "CREATE TABLE a(id INTEGER PRIMARY KEY, k INT); CREATE TABLE u(c INTEGER PRIMARY KEY, v); CREATE "
                  "TABLE c(id INTEGER PRIMARY KEY); INSERT INTO a VALUES (1, 1); INSERT INTO c VALUES (1), (2)",
        .query = "SELECT a.id, c.id FROM a LEFT JOIN u ON u.c = a.k JOIN c ORDER BY a.id, c.id DESC",
        .correct = "SELECT a.id, c.id FROM a JOIN c ORDER BY a.id, c.id DESC",
        .matches = sorts_after_outer_join,
    },
    SqliteBug{
        .name = "outer_join_of_outer_column",
        .what =
            "A column of an outer query that a subquery in FROM passes on keeps its value where an outer join fills "
            "the columns of that subquery with NULLs.",
        .versions = "3.40.1; not in 3.54.1",
        .schema = "CREATE TABLE o(a); CREATE TABLE y(b); CREATE TABLE z(c); INSERT INTO o VALUES (1), (2); INSERT INTO "
                  "y VALUES (0)",
        .query = "SELECT n FROM (SELECT count(*) AS n FROM o) AS s WHERE EXISTS (SELECT 1 FROM y LEFT JOIN (SELECT s.n "
                 "AS c FROM z) AS q ON b = 1 WHERE q.c IS NULL)",
        .correct = "SELECT count(*) FROM o",
        .matches = is_outer_join_of_outer_column,
    },
};

}  // namespace

std::span<const SqliteBug> sqlite_bugs() { return bugs; }

const SqliteBug* find_sqlite_bug(const Plan& plan) {
  const SqliteBug* found = nullptr;
  walk(plan.root, [&](const Rel& rel) {
    for (const auto& bug : bugs) {
      if (found == nullptr && bug.matches(rel, plan)) found = &bug;
    }
  });
  return found;
}

}  // namespace trustsql::plan
