#include "unit/plan/plan_queries.hpp"

namespace trustsql::testing_support {

// The tables hold texts, numbers and blobs side by side, so that each comparison tells affinities and collations apart.
std::vector<std::string> plan_queries() {
  return {
      // Select lists and expressions.
      "SELECT 1, 'a', x'00ff', NULL, -9223372036854775808, 9223372036854775807, 1e300, -0.0, 0x10",
      "SELECT *, t.*, rowid FROM t",
      "SELECT a + 1, a || b, -a, ~a, a % 2, a << 1, b IS NULL, b NOTNULL, NOT a FROM t",
      "SELECT a AS x, x + 1 AS y FROM (SELECT a AS x, a FROM t)",
      "SELECT CASE a WHEN 1 THEN 'one' WHEN '2' THEN 'two' END, CASE WHEN a > 2 THEN b ELSE d END FROM t",
      "SELECT CASE e WHEN 'abc' THEN 1 WHEN 'A' THEN 2 ELSE 3 END FROM u",
      "SELECT CAST(d AS INT), CAST(a AS TEXT), CAST(b AS BLOB), CAST(d AS NUMERIC) FROM t",
      "SELECT typeof(CAST(a AS TEXT)), a IS TRUE, b IS NOT FALSE, d IS a FROM t",
      "SELECT b LIKE 'A%', b GLOB 'a*', b NOT LIKE '%c', b LIKE 'a!%' ESCAPE '!' FROM t",
      "SELECT likely(t.a), unlikely(e), iif(t.a > 1, 'x', 'y'), coalesce(e, d, 'none'), max(t.a, c), min(e, 'a') FROM t, u",
      "SELECT d -> '$', '[1,2]' ->> 0 FROM t WHERE d = '2.0'",
      // Affinity and collation of comparisons.
      "SELECT t.a, u.e FROM t, u WHERE t.b = u.e", "SELECT t.a, u.e FROM t, u WHERE u.e = t.b", "SELECT t.a, u.a FROM t, u WHERE t.b = u.a",
      "SELECT t.a, u.a FROM t, u WHERE +t.b = u.a", "SELECT t.a, u.a FROM t, u WHERE t.b = +u.a", "SELECT a, b FROM t WHERE b = 2",
      "SELECT a, b FROM t WHERE +b = 2", "SELECT a, b FROM t WHERE b = '2'", "SELECT a FROM u WHERE a < '2'", "SELECT a FROM u WHERE +a < '2'",
      "SELECT e FROM u WHERE e = 'ABC' COLLATE BINARY", "SELECT e FROM u WHERE e COLLATE BINARY = 'ABC'", "SELECT e FROM u WHERE 'ABC' = e",
      "SELECT a FROM w WHERE a = 'a'", "SELECT a FROM w WHERE a || '' = 'a'", "SELECT a FROM w WHERE CAST(a AS TEXT) = 'a'",
      "SELECT w.a, u.e FROM w, u WHERE w.a = u.e", "SELECT w.a, u.e FROM w, u WHERE u.e = w.a", "SELECT w.a FROM w WHERE (a, b) = ('a', 1)",
      "SELECT (b COLLATE NOCASE || 'x') = 'ax' FROM t", "SELECT e IN ('abc', 'x') FROM u", "SELECT b IN ('ABC', 'x', 2) FROM t",
      "SELECT b COLLATE NOCASE IN ('ABC', 'x', 2) FROM t", "SELECT a IN ('1', '2') FROM t", "SELECT +a IN ('1', '2') FROM u",
      "SELECT 'abc' IN (SELECT e FROM u)", "SELECT 'ABC' IN (SELECT b FROM t)", "SELECT a FROM u WHERE a IN (SELECT b FROM t)",
      "SELECT b FROM t WHERE b IN (SELECT a FROM u)", "SELECT b FROM t WHERE b NOT IN (SELECT b FROM t WHERE b NOTNULL)",
      "SELECT a FROM u WHERE +a IN (SELECT +b FROM t)", "SELECT a FROM t WHERE (a, b) IN (SELECT a, e FROM u)",
      "SELECT a FROM t WHERE (a, b) NOT IN (SELECT a, e FROM u WHERE a NOTNULL)", "SELECT a IN () FROM t", "SELECT a NOT IN () FROM t",
      "SELECT a FROM t WHERE a IN (SELECT a FROM t)", "SELECT a FROM t WHERE a IN (1, 2, NULL)", "SELECT b BETWEEN 1 AND '3' FROM t",
      "SELECT e BETWEEN 'A' AND b FROM u", "SELECT a NOT BETWEEN 2 AND c FROM t", "SELECT nullif(e, 'abc'), max(e, 'Z') FROM u",
      // Row values.
      "SELECT (a, c) < (2, 3), (a, c) <= (2, 2.5), (a, b) IS (2, '2'), (a, b) <> (1, 'b') FROM t", "SELECT (a, b) = (SELECT a, e FROM u) FROM t",
      "SELECT (SELECT a, e FROM u) = (1, 'abc')", "SELECT (SELECT a, b FROM t) < (SELECT a, e FROM u)",
      "SELECT a FROM t WHERE (a, c) BETWEEN (1, 1) AND (3, 0)", "SELECT a FROM t WHERE NOT ((a, b) > (1, 'a'))",
      // Joins.
      "SELECT t.a, u.a FROM t JOIN u ON t.a = u.a", "SELECT t.a, u.a FROM t LEFT JOIN u ON t.a = u.a AND u.b NOTNULL",
      "SELECT t.a, u.a FROM t LEFT JOIN u ON t.a = u.a WHERE u.a IS NULL", "SELECT t.a, u.a FROM t RIGHT JOIN u ON t.a = u.a",
      "SELECT t.a, u.a, w.a FROM t FULL JOIN u ON t.a = u.a LEFT JOIN w ON w.b = u.a",
      "SELECT t.a, u.a, w.a FROM t LEFT JOIN u ON t.a = u.a RIGHT JOIN w ON w.b = t.a",
      "SELECT t.a, u.a, w.a FROM t LEFT JOIN (u JOIN w ON u.a = w.b) ON t.a = u.a", "SELECT * FROM t LEFT JOIN (u LEFT JOIN w ON u.a = w.b) USING (a)",
      "SELECT * FROM t NATURAL JOIN u", "SELECT * FROM t JOIN u USING (a)", "SELECT * FROM t LEFT JOIN u USING (a, b)",
      "SELECT a, t.a, u.a FROM t FULL JOIN u USING (a)", "SELECT a FROM t NATURAL FULL JOIN u NATURAL FULL JOIN w",
      "SELECT a FROM t FULL JOIN u USING (a) WHERE a > 1", "SELECT * FROM t RIGHT JOIN u USING (a)", "SELECT t.a FROM t CROSS JOIN u",
      "SELECT t.a FROM t, u ON t.a = u.a, w ON w.b = t.a", "SELECT x.a, y.a FROM t x JOIN t y ON x.a < y.a",
      "SELECT x.a, y.a FROM (SELECT a FROM t WHERE a > 1) x LEFT JOIN (SELECT a, count(*) n FROM u GROUP BY a) y ON x.a = y.a",
      "SELECT x.a, y.k FROM t x LEFT JOIN (SELECT 1 AS k) y ON x.a = 1", "SELECT * FROM t JOIN u ON w.a = t.b JOIN w ON 1",
      "SELECT t.a, q.k FROM t RIGHT JOIN (SELECT 5 AS k UNION SELECT 1) q ON t.a = q.k",
      "SELECT * FROM (t JOIN u ON t.a = u.a) RIGHT JOIN w ON w.b = t.a",
      // Aggregates.
      "SELECT count(*), count(b), sum(a), avg(a), min(b), max(b), total(c), group_concat(a) FROM t",
      "SELECT count(*) FROM t WHERE 0", "SELECT sum(a) FROM t WHERE 0", "SELECT sum(a) FROM t HAVING count(*) > 100", "SELECT 'x', max(a) FROM t HAVING count(*) > 1",
      "SELECT e, count(*) FROM u GROUP BY e", "SELECT e COLLATE BINARY, count(*) FROM u GROUP BY e COLLATE BINARY",
      "SELECT a % 2 AS k, sum(c) FROM t GROUP BY k", "SELECT a % 2, sum(c) FROM t GROUP BY 1 HAVING count(*) > 1 ORDER BY 2",
      "SELECT a % 2, a % 2 + 1, sum(c) + 1 FROM t GROUP BY a % 2", "SELECT b, max(a) FROM t", "SELECT b, min(a), d FROM t GROUP BY a % 2",
      "SELECT count(DISTINCT e), count(DISTINCT a % 2) FROM u", "SELECT count(*) FILTER (WHERE a > 1), sum(a) FILTER (WHERE b NOTNULL) FROM t",
      "SELECT max(e), min(e), max(e COLLATE BINARY) FROM u", "SELECT a FROM t GROUP BY a HAVING max(c) > 1", "SELECT 5 FROM t GROUP BY 'x'",
      "SELECT a FROM t GROUP BY NULL", "SELECT count(*) FROM t GROUP BY a, a", "SELECT a, a FROM t GROUP BY 1, 2",
      "SELECT (SELECT max(t.a) FROM u) FROM t", "SELECT (SELECT sum(t.a + u.a) FROM u) FROM t", "SELECT sum((SELECT u.a FROM u WHERE u.a = t.a)) FROM t",
      "SELECT a, (SELECT count(*) FROM u WHERE u.a = t.a) FROM t GROUP BY a", "SELECT a + 1 FROM t GROUP BY a + 1 ORDER BY a + 1 DESC",
      "SELECT sum(x) FROM (SELECT a AS x FROM t UNION ALL SELECT a FROM u)", "SELECT max(x) FROM (SELECT sum(a) AS x FROM t GROUP BY b)",
      "SELECT b FROM t GROUP BY b ORDER BY count(*), b", "SELECT a FROM t GROUP BY a HAVING b = 'a'", "SELECT sum(a) AS s FROM t GROUP BY c > 1 HAVING s > 2",
      "SELECT count(*) FROM (SELECT 1)", "SELECT count(*) FROM (SELECT a FROM t LIMIT 2)", "SELECT max(a) + min(a) FROM t ORDER BY count(*)",
      // Windows.
      "SELECT a, row_number() OVER (ORDER BY a DESC), sum(a) OVER (PARTITION BY a % 2 ORDER BY a) FROM t",
      "SELECT a, lag(a) OVER w, lead(a, 2, 'none') OVER w, first_value(b) OVER w FROM t WINDOW w AS (ORDER BY a)",
      "SELECT a, sum(a) OVER (ORDER BY a ROWS BETWEEN 1 PRECEDING AND 1 FOLLOWING EXCLUDE CURRENT ROW) FROM t",
      "SELECT a, count(*) OVER (ORDER BY c GROUPS 1 PRECEDING), max(a) OVER (ORDER BY c RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW EXCLUDE TIES) FROM t",
      "SELECT a, count(*) OVER (PARTITION BY e) FROM u", "SELECT e, rank() OVER (ORDER BY e COLLATE BINARY NULLS LAST), dense_rank() OVER (ORDER BY e) FROM u",
      "SELECT a % 2, sum(a), sum(sum(a)) OVER () FROM t GROUP BY a % 2", "SELECT a, sum(a) OVER () + 1 AS x FROM t ORDER BY x, a DESC",
      "SELECT DISTINCT count(*) OVER (PARTITION BY a % 2) FROM t", "SELECT a FROM t ORDER BY row_number() OVER (ORDER BY b)",
      "SELECT a, sum(a) FILTER (WHERE a > 1) OVER (ORDER BY a) FROM t", "SELECT a, (SELECT sum(u.a) OVER () FROM u WHERE u.a = t.a) FROM t",
      "SELECT ntile(2) OVER (ORDER BY a), cume_dist() OVER (ORDER BY a), percent_rank() OVER (ORDER BY a), nth_value(a, 2) OVER (ORDER BY a) FROM t",
      // DISTINCT, ORDER BY, LIMIT.
      "SELECT DISTINCT e FROM u", "SELECT DISTINCT e COLLATE BINARY FROM u", "SELECT DISTINCT a % 2, 1 FROM t", "SELECT DISTINCT a % 2 FROM t ORDER BY 1 DESC",
      "SELECT DISTINCT e FROM u ORDER BY e || 'x'", "SELECT a FROM t ORDER BY b, a", "SELECT a FROM t ORDER BY b DESC NULLS LAST, a", "SELECT e FROM u ORDER BY e, a",
      "SELECT e FROM u ORDER BY e COLLATE BINARY DESC", "SELECT a AS b FROM t ORDER BY b", "SELECT -a AS a FROM t ORDER BY a", "SELECT -a AS a FROM t ORDER BY a + 0",
      "SELECT a FROM t ORDER BY a LIMIT 2", "SELECT a FROM t ORDER BY a DESC LIMIT 1 OFFSET 1", "SELECT a FROM t ORDER BY a LIMIT -1 OFFSET 2", "SELECT a FROM t ORDER BY a LIMIT 0",
      "SELECT a FROM t ORDER BY a LIMIT (SELECT 2)", "SELECT a FROM t WHERE a = (SELECT a FROM u ORDER BY a DESC LIMIT 1)", "SELECT a FROM t ORDER BY (SELECT count(*) FROM u WHERE u.a > t.a), a",
      "SELECT a FROM (SELECT a FROM t ORDER BY a DESC LIMIT 2) ORDER BY a", "SELECT a FROM (SELECT a, b FROM t ORDER BY b LIMIT 3) WHERE a > 1 ORDER BY a",
      "SELECT a, b FROM t ORDER BY 2, 1", "SELECT a FROM t ORDER BY 'x', a", "SELECT count(*) FROM t ORDER BY 1", "SELECT a x FROM t ORDER BY x COLLATE NOCASE",
      "SELECT group_concat(b, ',') FROM (SELECT b FROM t ORDER BY a DESC)", "SELECT b, d FROM t ORDER BY d, a", "SELECT a FROM u ORDER BY a NULLS LAST, e",
      // Compound queries.
      "SELECT a FROM t UNION SELECT a FROM u", "SELECT a FROM t UNION ALL SELECT a FROM u ORDER BY 1", "SELECT a FROM t INTERSECT SELECT a FROM u",
      "SELECT a FROM t EXCEPT SELECT a FROM u", "SELECT e FROM u UNION SELECT b FROM t", "SELECT b FROM t UNION SELECT e FROM u", "SELECT e FROM u EXCEPT SELECT b FROM t",
      "SELECT b FROM t INTERSECT SELECT e FROM u ORDER BY 1", "SELECT a FROM t UNION SELECT a FROM u EXCEPT SELECT 1 UNION ALL SELECT 7 UNION ALL SELECT 7",
      "SELECT a, b FROM t UNION SELECT e, a FROM u ORDER BY b, a", "SELECT e FROM u UNION SELECT b FROM t ORDER BY e COLLATE BINARY", "SELECT e FROM u UNION ALL SELECT b FROM t ORDER BY 1",
      "SELECT a FROM t UNION SELECT a FROM u ORDER BY a LIMIT 2 OFFSET 1", "SELECT * FROM (SELECT a FROM t UNION SELECT a FROM u) WHERE a > 1",
      "SELECT a FROM t WHERE a IN (SELECT a FROM u UNION SELECT 3)", "SELECT a FROM t WHERE b IN (SELECT a FROM u UNION SELECT e FROM u)", "SELECT max(a) FROM t UNION SELECT min(a) FROM t",
      "SELECT * FROM (SELECT e AS k FROM u UNION ALL SELECT b FROM t) WHERE k = 'ABC'", "SELECT * FROM (SELECT b AS k FROM t UNION ALL SELECT e FROM u) WHERE k = 'ABC'",
      "SELECT * FROM (SELECT a AS k FROM t UNION ALL SELECT b FROM t) WHERE k = '2'", "SELECT count(*) FROM t UNION ALL SELECT count(*) FROM u WHERE 0", "SELECT (SELECT b FROM t UNION SELECT e FROM u) = 'A'",
      // VALUES.
      "VALUES (1, 'a'), (2, NULL), (1, 'a')", "SELECT * FROM (VALUES (1, 'a'), (2, 'b')) ORDER BY 1 DESC", "SELECT a FROM t WHERE (a, b) IN (VALUES (1, 'a'), (2, 'b'))", "VALUES (1) UNION SELECT a FROM t",
      "SELECT a FROM t WHERE b IN (VALUES ('a'), (2))", "SELECT column1 + 1 FROM (VALUES (1), ('2'))", "SELECT t.a, column2 FROM t LEFT JOIN (VALUES (1, 'x')) ON column1 = t.a",
      // Subqueries.
      "SELECT a FROM t WHERE EXISTS (SELECT 1 FROM u WHERE u.a = t.a)", "SELECT a FROM t WHERE NOT EXISTS (SELECT * FROM u WHERE u.a = t.a)", "SELECT a, EXISTS (SELECT a FROM u WHERE u.a > t.a LIMIT 1 OFFSET 1) FROM t",
      "SELECT (SELECT b FROM t WHERE a = 99), (SELECT e FROM u WHERE a = 1)", "SELECT a FROM t WHERE a = (SELECT max(a) FROM t)", "SELECT a FROM t x WHERE c > (SELECT avg(c) FROM t WHERE a <> x.a)",
      "SELECT a FROM t WHERE b = (SELECT a FROM w WHERE b = 1)", "SELECT a FROM t WHERE (SELECT e FROM u WHERE u.a = 1) = 'abc'", "SELECT (SELECT (SELECT t.a + u.a FROM w LIMIT 1) FROM u WHERE u.a = 1) FROM t",
      "SELECT a FROM t WHERE a IN (SELECT a FROM u WHERE e = t.b OR t.b IS NULL)", "SELECT a FROM t GROUP BY a HAVING a IN (SELECT a FROM u)", "SELECT (SELECT count(*) FROM (SELECT 1 FROM u WHERE u.a < t.a)) FROM t",
      // Common tables and views.
      "WITH x AS (SELECT a FROM t) SELECT p.a, q.a FROM x p, x q WHERE p.a < q.a", "WITH x(k) AS (SELECT a + 1 FROM t), y AS (SELECT k FROM x) SELECT * FROM y, x WHERE y.k = x.k",
      "WITH x AS MATERIALIZED (SELECT a FROM t) SELECT * FROM x WHERE a > 1", "SELECT * FROM v", "SELECT p, q FROM v2 ORDER BY p, q", "SELECT v.a, v2.q FROM v LEFT JOIN v2 ON v.a = v2.p",
      "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 10) SELECT i FROM n", "WITH RECURSIVE n(i) AS (SELECT 1 UNION SELECT (i * 2) % 7 FROM n) SELECT i FROM n",
      "WITH RECURSIVE n(i) AS (VALUES (1), (10) UNION ALL SELECT i + 1 FROM n ORDER BY 1 DESC LIMIT 6) SELECT i FROM n", "WITH RECURSIVE n(i, j) AS (SELECT a, b FROM t UNION ALL SELECT n.i + 10, u.e FROM n JOIN u ON u.a = n.i) SELECT * FROM n",
      "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3 UNION ALL SELECT i + 10 FROM n WHERE i < 3) SELECT i FROM n", "SELECT a, (WITH RECURSIVE n(i) AS (SELECT t.a UNION ALL SELECT i - 1 FROM n WHERE i > 0) SELECT sum(i) FROM n) FROM t",
      "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 4) SELECT x.i, y.i FROM n x, n y WHERE x.i < y.i", "WITH RECURSIVE n(i) AS (SELECT e FROM u UNION SELECT upper(i) FROM n) SELECT * FROM n",
      // Table-valued functions.
      "SELECT key, value, type FROM json_each('[1,\"a\",null]')", "SELECT t.a, j.value FROM t, json_each('[' || t.a || ',5]') j", "SELECT t.a, j.value FROM t LEFT JOIN json_each('[' || t.a || ']') j ON j.value > 1",
      "SELECT a FROM t WHERE a IN (SELECT value FROM json_each('[1,3]'))", "SELECT a, (SELECT count(*) FROM json_each('[1,' || t.a || ']') WHERE value > 1) FROM t", "SELECT j.key, k.value FROM json_each('[[1],[2,3]]') j, json_each(j.value) k",
      "SELECT name FROM pragma_table_info('t')", "SELECT m.name, c.name FROM sqlite_schema m, pragma_table_info(m.name) c WHERE m.type = 'table'",
  };
}

}  // namespace trustsql::testing_support
