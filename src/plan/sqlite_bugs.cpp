#include "plan/sqlite_bugs.hpp"

#include <vector>

#include "plan/sqlite_bug_patterns.hpp"
#include "plan/walk.hpp"

namespace trustsql::plan {

namespace {

// Bugs in comparisons, patterns, orders and names. Those in joins, in IN and in values are listed beside their
// patterns.
constexpr SqliteBug other_bugs[] = {
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
        .name = "affinity_of_outer_column",
        .what = "A column of an outer query's subquery loses its affinity when a subquery in FROM passes it on.",
        .versions = "3.37 to 3.40.1",
        .schema = "CREATE TABLE u(c REAL); INSERT INTO u VALUES (1)",
        .query = "SELECT (SELECT c1 = '1' FROM (SELECT x.c AS c1)) FROM (SELECT c FROM u LIMIT 1) AS x",
        .correct = "SELECT c = '1' FROM u",
        .matches = passes_on_outer_column,
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
};

}  // namespace

std::span<const SqliteBug> sqlite_bugs() {
  static const std::vector<SqliteBug> all = [] {
    std::vector<SqliteBug> bugs;
    for (const auto list : {bugs_of_joins(), bugs_of_in(), bugs_of_values(), std::span<const SqliteBug>(other_bugs)})
      bugs.insert(bugs.end(), list.begin(), list.end());
    return bugs;
  }();
  return all;
}

const SqliteBug* find_sqlite_bug(const Plan& plan) {
  const SqliteBug* found = nullptr;
  walk(plan.root, [&](const Rel& rel) {
    for (const auto& bug : sqlite_bugs()) {
      if (found == nullptr && bug.matches(rel, plan)) found = &bug;
    }
  });
  return found;
}

}  // namespace trustsql::plan
