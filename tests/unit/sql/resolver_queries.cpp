#include "unit/sql/resolver_queries.hpp"

#include "base/text.hpp"

namespace trustsql::testing_support {

namespace {

// One query a line. In parts, since compilers limit the length of a literal.
constexpr const char* text[] = {
    R"sql(
-- Names
SELECT a FROM t
SELECT A, t.B, main.t.c, rowid, T.ROWID, _rowid_, oid FROM t
SELECT * FROM t
SELECT t.*, u.* FROM t, u
SELECT a FROM t, u
SELECT nope FROM t
SELECT t.nope FROM t
SELECT x.a FROM t
SELECT main.u.a FROM t
SELECT aux.t.aa FROM aux.t
SELECT aux.t.aa FROM t
SELECT t.aa FROM aux.t
SELECT main.t.a, aux.t.aa FROM main.t, aux.t
SELECT t.a FROM main.t, aux.t
SELECT t.rowid FROM main.t, aux.t
SELECT rowid FROM t, u
SELECT rowid FROM t, v1
SELECT rowid FROM v1
SELECT rowid FROM k
SELECT rowid FROM t, k
SELECT k.rowid FROM t, k
SELECT * FROM only
SELECT * FROM aux.only
SELECT only.oo, aux.only.oo FROM only
SELECT main.only.oo FROM only
SELECT * FROM w
SELECT * FROM main.w
SELECT * FROM temp.w
SELECT temporary FROM w
SELECT * FROM nope
SELECT * FROM main.nope
SELECT * FROM nope.t
SELECT nope.t.a FROM t
SELECT *
SELECT x.* FROM t
SELECT t.* FROM t AS x
SELECT main.t.a FROM t AS x
SELECT x.a, main.x.a FROM t AS x
SELECT * FROM t AS x, t AS x
SELECT x.b FROM t AS x, u AS x
SELECT x.a FROM t AS x, u AS x
SELECT "odd column", "true", true, "select", [a:1], `A:1` FROM "odd table"
SELECT * FROM "odd table"
SELECT true, false, TRUE, "true", 'true' FROM t
SELECT (true), (((a))), -a, +a, a+1 , a  +  1 FROM t
SELECT a AS x, b y, c 'z', d "q" FROM t
SELECT "nope", "nope" AS z, [nope] FROM t
SELECT "nope", "b" FROM t
SELECT `nope` FROM t
SELECT "nope"
SELECT t."nope" FROM t
SELECT 1 FROM t WHERE "nope" = b
SELECT count(*) FROM t
SELECT count(*) FROM t, u
SELECT p, v, l FROM g
SELECT * FROM g
SELECT * FROM s
)sql",
    R"sql(
-- Aliases
SELECT a AS x FROM t WHERE x > 1
SELECT a AS b FROM t WHERE b = 1
SELECT a AS x, x FROM t
SELECT a + 1 AS x, b FROM t ORDER BY x
SELECT a AS b, b AS a FROM t ORDER BY a
SELECT a AS b, b AS a FROM t GROUP BY a
SELECT a AS b, b AS a FROM t GROUP BY b ORDER BY b
SELECT a AS x FROM t GROUP BY x
SELECT a AS x FROM t GROUP BY x HAVING x > 1
SELECT a AS x FROM t HAVING x > 1
SELECT count(*) AS n FROM t HAVING n > 1
SELECT count(*) AS n FROM t GROUP BY a HAVING n > 1
SELECT count(*) AS n FROM t GROUP BY n
SELECT count(*) AS n FROM t GROUP BY n+1
SELECT count(*) AS n FROM t GROUP BY 1
SELECT count(*) AS n FROM t WHERE n > 1
SELECT count(*) AS n FROM t ORDER BY n
SELECT count(*) AS n FROM t ORDER BY n+1
SELECT count(*) AS n FROM t ORDER BY sum(n)
SELECT a AS x FROM t GROUP BY a HAVING sum(x) > 1
SELECT a AS x FROM t WHERE (SELECT x) = 1
SELECT a AS x FROM t WHERE EXISTS (SELECT 1 FROM u WHERE x = u.a)
SELECT a AS x, (SELECT x) FROM t
SELECT a AS x FROM t ORDER BY (SELECT x)
SELECT a AS x FROM t ORDER BY t.x
SELECT a AS x FROM t LIMIT x
SELECT a AS x FROM t JOIN u ON x = u.a
SELECT t.a AS x FROM t JOIN u ON x = u.a
SELECT row_number() OVER () AS r FROM t WHERE r = 1
SELECT row_number() OVER () AS r FROM t ORDER BY r
SELECT row_number() OVER () AS r FROM t ORDER BY r + 1
SELECT row_number() OVER () AS r FROM t GROUP BY r
SELECT row_number() OVER () AS r FROM t GROUP BY a HAVING r > 1
SELECT row_number() OVER () AS r FROM t ORDER BY (SELECT r)
SELECT (1,2) AS x FROM t WHERE x = 1
SELECT (SELECT 1,2) AS x FROM t WHERE x = 1
SELECT * FROM t ORDER BY b
SELECT * FROM t ORDER BY t.b, 2, b || 'x'
SELECT t.b FROM t ORDER BY a
SELECT DISTINCT b FROM t ORDER BY a
SELECT a AS "x y" FROM t ORDER BY "x y", [x y], `x y`
SELECT a AS x FROM t ORDER BY 'x'
)sql",
    R"sql(
-- ORDER BY, GROUP BY, LIMIT
SELECT a, b FROM t ORDER BY 1, 2
SELECT a, b FROM t ORDER BY 0
SELECT a, b FROM t ORDER BY 3
SELECT a, b FROM t ORDER BY -1
SELECT a, b FROM t ORDER BY +1
SELECT a, b FROM t ORDER BY 1.0
SELECT a, b FROM t ORDER BY 0x2
SELECT a, b FROM t ORDER BY 1 COLLATE nocase
SELECT a, b FROM t ORDER BY 99999999999
SELECT a, b FROM t ORDER BY 70000
SELECT a, b FROM t GROUP BY 1, 2
SELECT a, b FROM t GROUP BY 3
SELECT a, b, c, d FROM t GROUP BY 1, 2, 3, 5
SELECT a, b FROM t GROUP BY 0
SELECT a FROM t ORDER BY 1,1,1,1,1,1,1,1,1,1,1,12
SELECT a FROM t ORDER BY 1,1,1,1,1,1,1,1,1,1,12
SELECT a FROM t ORDER BY 1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,22
SELECT a FROM t GROUP BY count(*)
SELECT a FROM t GROUP BY a, sum(b)
SELECT a FROM t ORDER BY sum(b)
SELECT a FROM t GROUP BY b ORDER BY sum(b)
SELECT a, sum(b) FROM t ORDER BY sum(c)
SELECT a FROM t ORDER BY nope
SELECT a FROM t GROUP BY nope
SELECT a FROM t ORDER BY "nope"
SELECT (SELECT u.e FROM u ORDER BY t.a) FROM t
SELECT (SELECT u.e FROM u GROUP BY t.a) FROM t
SELECT (SELECT u.e FROM u LIMIT t.a) FROM t
SELECT (SELECT u.e FROM u GROUP BY u.a HAVING t.a > 1) FROM t
SELECT (SELECT u.e FROM u ORDER BY (SELECT t.a)) FROM t
SELECT a FROM t LIMIT 1 OFFSET 2
SELECT a FROM t LIMIT (SELECT max(a) FROM t)
SELECT a FROM t LIMIT count(*)
SELECT a FROM t LIMIT "x"
SELECT a FROM t LIMIT true
)sql",
    R"sql(
-- Compound queries, VALUES
SELECT a FROM t UNION SELECT a FROM u ORDER BY a
SELECT a FROM t UNION SELECT a FROM u ORDER BY b
SELECT a, b FROM t UNION SELECT a, e FROM u ORDER BY e
SELECT a, b FROM t UNION SELECT a, e FROM u ORDER BY u.e
SELECT a, b FROM t UNION SELECT a, e FROM u ORDER BY t.b, 1
SELECT a, b FROM t UNION SELECT a, e FROM u ORDER BY f
SELECT a, b FROM t UNION SELECT a, e FROM u ORDER BY 3
SELECT a, b FROM t UNION SELECT a, e FROM u ORDER BY 0
SELECT a AS x, b FROM t UNION SELECT a AS y, e FROM u ORDER BY y
SELECT a AS x, b FROM t UNION SELECT a AS y, e FROM u ORDER BY a + 0
SELECT a + 1, b FROM t UNION SELECT a + 2, e FROM u ORDER BY a + 2
SELECT a + 1, b FROM t UNION SELECT a + 2, e FROM u ORDER BY a + 1 COLLATE nocase
SELECT a + 1, b FROM t UNION ALL SELECT a + 2, e FROM u ORDER BY a + 3
SELECT a, b FROM t UNION SELECT a FROM u
SELECT a FROM t UNION ALL SELECT a, f FROM u
SELECT a FROM t INTERSECT SELECT a, f FROM u
SELECT a FROM t EXCEPT SELECT a, f FROM u
SELECT a FROM t UNION ALL VALUES (1, 2)
VALUES (1, 2), (3)
VALUES (1, 2) UNION SELECT 3
VALUES (1, 2), (3, 4) ORDER BY 1
VALUES (1, 2), (3, 4) ORDER BY column1
SELECT * FROM (VALUES (1, 2), (3, 4)) ORDER BY column2
SELECT column1, column2 FROM (VALUES (1, 2), (3, 4))
SELECT column3 FROM (VALUES (1, 2), (3, 4))
VALUES (count(*))
VALUES (a)
VALUES ("a", true)
SELECT (VALUES (1), (2))
SELECT (VALUES (t.a)) FROM t
SELECT a, a FROM t UNION SELECT a, a FROM u ORDER BY 1 COLLATE nocase
SELECT a, a FROM t UNION ALL SELECT a, a FROM u ORDER BY 1 COLLATE nocase
SELECT a, a FROM t UNION SELECT a, a FROM u ORDER BY 1
SELECT a FROM t UNION SELECT a FROM u ORDER BY count(*)
SELECT count(*) FROM t UNION SELECT count(*) FROM u ORDER BY count(*)
SELECT nope FROM t UNION SELECT nope2 FROM u
SELECT a FROM t UNION SELECT nope2 FROM u
SELECT a FROM t UNION SELECT a FROM u LIMIT a
SELECT a FROM t UNION SELECT a FROM u ORDER BY (SELECT 1)
SELECT (SELECT 1) FROM t UNION SELECT a FROM u ORDER BY (SELECT 1)
SELECT max(b) OVER () FROM t UNION SELECT 1 ORDER BY max(b) OVER ()
)sql",
    R"sql(
-- Joins
SELECT * FROM t JOIN u USING (a)
SELECT a FROM t JOIN u USING (a)
SELECT t.a, u.a FROM t JOIN u USING (a)
SELECT * FROM t JOIN u USING (b)
SELECT * FROM t JOIN u USING (nope)
SELECT * FROM t NATURAL JOIN u
SELECT a FROM t NATURAL JOIN u
SELECT * FROM t NATURAL JOIN main.w
SELECT * FROM t NATURAL JOIN u NATURAL JOIN main.w
SELECT * FROM t NATURAL LEFT JOIN u NATURAL LEFT JOIN main.w
SELECT a, b FROM t NATURAL JOIN u NATURAL JOIN main.w
SELECT a, b FROM t JOIN u JOIN main.w USING (a)
SELECT a FROM t LEFT JOIN u USING (a)
SELECT a FROM t RIGHT JOIN u USING (a)
SELECT a FROM t FULL JOIN u USING (a)
SELECT * FROM t RIGHT JOIN u USING (a)
SELECT * FROM t FULL JOIN u USING (a)
SELECT a, t.a, u.a FROM t FULL JOIN u USING (a)
SELECT a FROM t FULL JOIN u USING (a) FULL JOIN main.w USING (a)
SELECT * FROM t FULL JOIN u USING (a) FULL JOIN main.w USING (a)
SELECT * FROM t FULL JOIN u USING (a) JOIN main.w USING (a)
SELECT * FROM t JOIN u USING (a) FULL JOIN main.w USING (a)
SELECT * FROM t JOIN u ON t.a = u.a FULL JOIN main.w USING (a)
SELECT a FROM t JOIN u ON t.a = u.a JOIN main.w USING (a)
SELECT * FROM t LEFT JOIN u USING (a) RIGHT JOIN main.w USING (a)
SELECT a FROM t LEFT JOIN u USING (a) RIGHT JOIN main.w USING (a)
SELECT b FROM t LEFT JOIN u USING (a) RIGHT JOIN main.w USING (b)
SELECT b FROM t LEFT JOIN u USING (a) RIGHT JOIN main.w USING (a)
SELECT * FROM t JOIN u ON t.a = main.w.a JOIN main.w
SELECT * FROM t LEFT JOIN u ON t.a = main.w.a JOIN main.w
SELECT * FROM t JOIN u ON t.a = main.w.a RIGHT JOIN main.w
SELECT * FROM t LEFT JOIN u ON t.a = u.a AND EXISTS (SELECT 1 WHERE main.w.a) JOIN main.w
SELECT * FROM t CROSS JOIN u ON t.a = u.a
SELECT * FROM t, u USING (a)
SELECT * FROM t, (u)
SELECT * FROM t, (u AS x)
SELECT x.e FROM t, (u AS x)
SELECT u.e FROM t, (u AS x)
SELECT y.e FROM t, (u AS x) AS y
SELECT x.e FROM (u AS x), t
SELECT * FROM (t JOIN u USING (a))
SELECT * FROM (t JOIN u USING (a)) JOIN main.w USING (a)
SELECT * FROM main.w JOIN (t JOIN u USING (a)) USING (a)
SELECT a, t.a, u.a, t.b FROM main.w JOIN (t JOIN u USING (a)) USING (a)
SELECT * FROM main.w JOIN (t JOIN u USING (a)) ON w.g = t.b
SELECT w.a FROM main.w JOIN (t JOIN u USING (a)) ON w.g = t.b
SELECT a FROM main.w JOIN (t JOIN u USING (a)) ON w.g = t.b
SELECT e FROM main.w JOIN (t JOIN u USING (a)) ON w.g = t.b
SELECT * FROM main.w LEFT JOIN (t FULL JOIN u USING (a)) USING (a)
SELECT a FROM main.w LEFT JOIN (t FULL JOIN u USING (a)) USING (a)
SELECT t.a FROM main.w LEFT JOIN (t FULL JOIN u USING (a)) USING (a)
SELECT * FROM main.w FULL JOIN (t FULL JOIN u USING (a)) USING (a)
SELECT a FROM main.w FULL JOIN (t FULL JOIN u USING (a)) USING (a)
SELECT * FROM main.w LEFT JOIN (t JOIN u) USING (a)
SELECT * FROM main.w LEFT JOIN (t JOIN u) AS x USING (a)
SELECT x.* FROM main.w LEFT JOIN (t JOIN u) AS x
SELECT t.* FROM main.w LEFT JOIN (t JOIN u) AS x
SELECT u.* FROM main.w LEFT JOIN (t JOIN u)
SELECT x.a, x.b FROM main.w LEFT JOIN (t JOIN u) AS x
SELECT t.a FROM main.w LEFT JOIN (t JOIN u) AS x
SELECT x."a:1" FROM main.w LEFT JOIN (t JOIN u) AS x
SELECT "a:1" FROM main.w LEFT JOIN (t JOIN u) AS x
SELECT rowid FROM main.w LEFT JOIN (t JOIN u) AS x
SELECT t.rowid FROM main.w LEFT JOIN (t JOIN u) AS x
SELECT w.rowid FROM main.w LEFT JOIN (t JOIN u) AS x
SELECT * FROM main.w JOIN (t JOIN u ON t.a = w.a)
SELECT * FROM main.w JOIN (t JOIN u ON t.a = u.a) ON w.a = u.a
SELECT * FROM main.w JOIN (t JOIN (u JOIN k) ON t.a = k.y)
SELECT u.a, k.x, t.a FROM main.w JOIN (t JOIN (u JOIN k) ON t.a = k.y)
SELECT * FROM (t JOIN u USING (a)) AS x JOIN main.w USING (a)
SELECT x.a, t.a FROM (t JOIN u USING (a)) AS x JOIN main.w USING (a)
SELECT main.t.a FROM main.w JOIN (t JOIN u)
SELECT main.x.a FROM main.w JOIN (t AS x JOIN u)
SELECT * FROM main.w JOIN (t AS x JOIN t AS x)
SELECT x.* FROM main.w JOIN (t AS x JOIN u AS y)
SELECT y.* , x.b FROM main.w JOIN (t AS x JOIN u AS y)
SELECT * FROM ((t))
SELECT * FROM ((t JOIN u)) JOIN main.w
SELECT * FROM main.w JOIN ((t JOIN u))
SELECT * FROM main.w JOIN ((SELECT a FROM t)) AS x
SELECT x.a FROM main.w JOIN ((SELECT a FROM t) AS y) AS x
SELECT y.a FROM main.w JOIN ((SELECT a FROM t) AS y)
SELECT * FROM t NATURAL JOIN (u NATURAL JOIN main.w)
SELECT a FROM t NATURAL JOIN (u NATURAL JOIN main.w)
SELECT * FROM t LEFT JOIN u ON 1 RIGHT JOIN main.w ON 1 FULL JOIN k ON 1
SELECT * FROM t a JOIN t b USING (a) JOIN t c USING (a)
SELECT * FROM t a RIGHT JOIN t b USING (a) RIGHT JOIN t c USING (a)
SELECT * FROM t a FULL JOIN t b USING (a) RIGHT JOIN t c USING (a)
SELECT a FROM t a FULL JOIN t b USING (a) RIGHT JOIN t c USING (a)
SELECT a FROM t a RIGHT JOIN t b USING (a) FULL JOIN t c USING (a)
SELECT a FROM t a RIGHT JOIN t b USING (a) JOIN t c USING (a)
SELECT a FROM t a FULL JOIN t b USING (a), t c
SELECT b FROM t a FULL JOIN t b USING (a, b)
SELECT a FROM t x FULL JOIN t y ON x.a = y.a FULL JOIN t z USING (a)
)sql",
    R"sql(
-- Subqueries
SELECT * FROM (SELECT a, b FROM t)
SELECT * FROM (SELECT a, b FROM t) AS x WHERE x.a = 1
SELECT x.c FROM (SELECT a, b FROM t) AS x
SELECT "(subquery-1)".a FROM (SELECT a, b FROM t)
SELECT * FROM (SELECT a, a, a + 1, "x", TRUE, t.a, A FROM t)
SELECT * FROM (SELECT a AS true, b FROM t)
SELECT true FROM (SELECT a AS true, b FROM t)
SELECT * FROM (SELECT t.a, u.a FROM t, u)
SELECT a FROM (SELECT t.a, u.a FROM t, u)
SELECT "a:1" FROM (SELECT t.a, u.a FROM t, u)
SELECT * FROM (SELECT * FROM t, u)
SELECT * FROM (SELECT a FROM t) , (SELECT a FROM u)
SELECT a FROM (SELECT a FROM t) , (SELECT a FROM u)
SELECT rowid FROM (SELECT a FROM t)
SELECT rowid FROM (SELECT rowid FROM t)
SELECT rowid FROM (SELECT rowid FROM u)
SELECT * FROM t, (SELECT t.a)
SELECT * FROM t, (SELECT * FROM u WHERE u.a = t.a)
SELECT (SELECT e FROM u WHERE u.a = t.a) FROM t
SELECT (SELECT x FROM (SELECT t.a AS x)) FROM t
SELECT (SELECT x FROM (SELECT e AS x FROM u WHERE a = t.a)) FROM t
SELECT (SELECT (SELECT t.b || u.e || main.w.g FROM main.w) FROM u) FROM t
SELECT 1 FROM t WHERE a IN (SELECT a FROM u)
SELECT 1 FROM t WHERE a IN (SELECT b FROM u)
SELECT 1 FROM t WHERE a IN (SELECT zz FROM u)
SELECT 1 FROM t WHERE a IN (SELECT a, e FROM u)
SELECT 1 FROM t WHERE (a, b) IN (SELECT a, e FROM u)
SELECT 1 FROM t WHERE (a, b) IN (SELECT a FROM u)
SELECT 1 FROM t WHERE a IN u
SELECT 1 FROM t WHERE (a, b, c) IN u
SELECT 1 FROM t WHERE a IN nope
SELECT 1 FROM t WHERE a IN main.nope
SELECT 1 FROM t WHERE a IN (u)
SELECT 1 FROM t WHERE a IN ()
SELECT 1 FROM t WHERE zz IN ()
SELECT 1 FROM t WHERE zz NOT IN ()
SELECT 1 FROM t WHERE a IN json_each(b)
SELECT 1 FROM t WHERE (1,2,3,4,5,6,7,8) IN json_each('[1]')
SELECT 1 FROM t WHERE EXISTS (SELECT * FROM u WHERE u.a = t.a)
SELECT 1 FROM t WHERE EXISTS (SELECT a, e, nope FROM u)
SELECT (SELECT a, b FROM t)
SELECT (SELECT * FROM t)
SELECT (SELECT a FROM t LIMIT 1) + 1
SELECT (SELECT sum(t.a) FROM u) FROM t
SELECT (SELECT sum(t.a) FROM u), b FROM t
SELECT (SELECT sum(t.a + u.a) FROM u) FROM t
SELECT (SELECT sum(u.a) FROM u) FROM t
SELECT (SELECT count(*) FROM u) FROM t
SELECT (SELECT sum(1)) FROM t
SELECT (SELECT sum(t.a)) FROM t GROUP BY b
SELECT b FROM t GROUP BY b HAVING (SELECT sum(t.a)) > 1
SELECT b FROM t WHERE (SELECT sum(t.a)) > 1
SELECT b FROM t WHERE a = (SELECT max(t.a) FROM u)
SELECT b FROM t WHERE a = (SELECT max(u.a) FROM u)
SELECT count(*) FROM t WHERE a = (SELECT max(t.a) FROM u)
SELECT b FROM t ORDER BY (SELECT max(t.a))
SELECT b, count(*) FROM t ORDER BY (SELECT max(t.a))
SELECT (SELECT (SELECT sum(t.a)) FROM u) FROM t
SELECT (SELECT (SELECT sum(u.a)) FROM u) FROM t
SELECT (SELECT (SELECT sum(u.a) + sum(t.a)) FROM u) FROM t
SELECT sum((SELECT a)) FROM t
SELECT sum((SELECT sum(a))) FROM t
SELECT sum(sum(a)) FROM t
SELECT sum((SELECT sum(e) FROM u)) FROM t
SELECT sum((SELECT sum(t.a) FROM u)) FROM t
)sql",
    R"sql(
-- Common tables
WITH x AS (SELECT a FROM t) SELECT * FROM x
WITH x(p) AS (SELECT a FROM t) SELECT p, x.p FROM x
WITH x(p, q) AS (SELECT a FROM t) SELECT * FROM x
WITH x(p) AS (SELECT a FROM t) SELECT a FROM x
WITH x AS (SELECT a FROM t), y AS (SELECT a + 1 AS b FROM x) SELECT * FROM y, x
WITH y AS (SELECT a + 1 AS b FROM x), x AS (SELECT a FROM t) SELECT * FROM y
WITH x AS (SELECT * FROM y), y AS (SELECT * FROM x) SELECT * FROM x
WITH x AS (SELECT * FROM x) SELECT * FROM x
WITH t AS (SELECT * FROM t) SELECT * FROM t
WITH t AS (SELECT * FROM main.t) SELECT * FROM t
WITH x AS (SELECT nope FROM t) SELECT 1
WITH x AS (SELECT nope FROM t) SELECT 1 FROM x
WITH x AS (SELECT * FROM nope) SELECT 1 FROM t
WITH x AS (SELECT 1 AS one) SELECT main.x.one FROM x
WITH x AS (SELECT 1 AS one) SELECT * FROM main.x
WITH x AS (SELECT 1 AS one) SELECT (SELECT one FROM x) FROM t
WITH x AS (SELECT a) SELECT (SELECT a FROM x) FROM t
WITH x AS (SELECT a AS aa) SELECT (SELECT aa FROM x), (SELECT aa FROM x) FROM t
WITH x AS (SELECT a AS aa) SELECT aa FROM x
WITH x AS (SELECT 1 AS one) SELECT * FROM x AS p, x AS q
WITH x AS (SELECT 1 AS one) SELECT * FROM (WITH x AS (SELECT 2 AS two) SELECT * FROM x), x
WITH x AS (WITH y AS (SELECT 1 AS one) SELECT * FROM y) SELECT * FROM x
WITH x AS (WITH y AS (SELECT 1 AS one) SELECT * FROM y) SELECT * FROM y
WITH x AS (SELECT 1 AS one) SELECT * FROM t WHERE a IN x
WITH x AS (SELECT 1 AS one) SELECT * FROM t WHERE a IN (SELECT one FROM x) AND b IN (SELECT one FROM x)
WITH x AS (SELECT 1 AS one) SELECT * FROM x(1)
WITH x AS (SELECT 1 AS one) SELECT * FROM v5
WITH u AS (SELECT 1 AS one) SELECT * FROM v2
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 10) SELECT i FROM n
WITH n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 10) SELECT i FROM n
WITH n(i) AS (VALUES (1) UNION SELECT i + 1 FROM n WHERE i < 10) SELECT i FROM n
WITH n AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM n) SELECT i FROM n
WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n UNION ALL SELECT i + 2 FROM n) SELECT i FROM n
WITH n(i) AS (SELECT 1 UNION ALL SELECT 5 UNION ALL SELECT i + 2 FROM n) SELECT i FROM n
WITH n(i) AS (SELECT i + 1 FROM n UNION ALL SELECT 1) SELECT i FROM n
WITH n(i) AS (SELECT 1 UNION ALL SELECT n.i + m.i FROM n, n AS m) SELECT i FROM n
WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM t, n) SELECT i FROM n
WITH n(i) AS (SELECT 1 UNION ALL SELECT (SELECT max(i) FROM n)) SELECT i FROM n
WITH n(i) AS (SELECT 1 UNION ALL SELECT i FROM n WHERE i IN (SELECT i FROM n)) SELECT i FROM n
WITH n(i) AS (SELECT 1 UNION ALL SELECT i FROM n WHERE i IN n) SELECT i FROM n
WITH n(i) AS (SELECT 1 INTERSECT SELECT i FROM n) SELECT i FROM n
WITH n(i) AS (SELECT 1 UNION SELECT 2 UNION ALL SELECT i FROM n) SELECT i FROM n
WITH n(i) AS (SELECT 1 UNION ALL SELECT 2 UNION SELECT i FROM n) SELECT i FROM n
WITH n(i) AS (SELECT 1 UNION ALL SELECT count(*) FROM n) SELECT i FROM n
WITH n(i) AS (SELECT 1 UNION ALL SELECT row_number() OVER () FROM n) SELECT i FROM n
WITH n(i) AS (SELECT 1 UNION ALL SELECT i, 2 FROM n) SELECT i FROM n
WITH n(i, j) AS (SELECT 1 UNION ALL SELECT i FROM n) SELECT i FROM n
WITH n(i) AS (SELECT 1 UNION ALL SELECT x.i + 1 FROM n AS x WHERE n.i < 3) SELECT i FROM n
WITH n(i) AS (SELECT 1 UNION ALL SELECT x.i + 1 FROM n AS x WHERE x.i < 3) SELECT i FROM n
WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM (n) WHERE i < 3) SELECT i FROM n
WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM t JOIN (n) WHERE i < 3) SELECT i FROM n
WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM t JOIN (n JOIN u) WHERE i < 3) SELECT i FROM n
WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM (SELECT * FROM n)) SELECT i FROM n
WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n ORDER BY 1 LIMIT 5) SELECT i FROM n
WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n ORDER BY i) SELECT i FROM n
WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT a.i, b.i FROM n AS a, n AS b
WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n GROUP BY i) SELECT i FROM n
WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM main.n) SELECT i FROM n
)sql",
    R"sql(
-- Views
SELECT * FROM v1
SELECT a, bee, "c + 1" FROM v1
SELECT * FROM v2
SELECT p FROM v2
SELECT a FROM v2
SELECT * FROM v3
SELECT a FROM v3
SELECT * FROM v4
SELECT s, yes FROM v4
SELECT (SELECT s FROM v4) FROM (SELECT 1 AS nope)
SELECT (SELECT yes FROM v4) FROM (SELECT 1 AS true)
SELECT * FROM v5
SELECT * FROM bad1
SELECT * FROM bad2
SELECT * FROM bad3
SELECT * FROM loop1
SELECT * FROM tv
SELECT main.v1.a FROM v1
SELECT * FROM v1 AS x JOIN v1 AS y USING (a)
SELECT * FROM v1(1)
SELECT * FROM t(1)
SELECT * FROM t INDEXED BY ti WHERE b = 1
SELECT * FROM t NOT INDEXED
)sql",
    R"sql(
-- Table-valued functions, tables that SQLite has itself
SELECT * FROM json_each('[1]')
SELECT key, value, json, root FROM json_each('[1]')
SELECT j.key FROM t, json_each(t.b) AS j
SELECT j.key FROM json_each(t.b) AS j, t
SELECT * FROM json_each(nope)
SELECT * FROM json_each
SELECT rowid FROM json_each('[1]')
SELECT * FROM json_tree('[1]', '$', 3)
SELECT * FROM json_each((SELECT b FROM t))
SELECT * FROM t JOIN json_each(t.b) ON json_each.value = t.a
SELECT (SELECT count(*) FROM json_each(t.b)) FROM t
SELECT * FROM pragma_table_info('t')
SELECT name, arg, "schema" FROM pragma_table_info('t')
SELECT * FROM pragma_nope
SELECT * FROM generate_series(1, 2)
SELECT * FROM sqlite_schema
SELECT name FROM sqlite_master
SELECT sqlite_master.name FROM sqlite_schema
SELECT sqlite_schema.name FROM sqlite_schema
SELECT * FROM temp.sqlite_schema
SELECT * FROM sqlite_temp_master
SELECT * FROM aux.sqlite_master
SELECT * FROM main.sqlite_temp_master
SELECT * FROM fts
SELECT title, fts, rank, rowid FROM fts
SELECT * FROM fts WHERE fts MATCH 'x'
SELECT * FROM fts('x')
SELECT * FROM fts('x', 'y', 'z')
)sql",
    R"sql(
-- Functions
SELECT nope(a) FROM t
SELECT nope(zz) FROM t
SELECT nope(a) + zz FROM t
SELECT nope(a), zz FROM t
SELECT abs() FROM t
SELECT abs(a, b) FROM t
SELECT abs(zz, b) FROM t
SELECT max(a, b), max(a), min(a, b, c) FROM t
SELECT max() FROM t
SELECT count() FROM t
SELECT count(a, b) FROM t
SELECT count(DISTINCT a) FROM t
SELECT count(DISTINCT a, b) FROM t
SELECT sum(DISTINCT a), group_concat(DISTINCT b) FROM t
SELECT group_concat(DISTINCT b, ',') FROM t
SELECT abs(DISTINCT a) FROM t
SELECT abs(*) FROM t
SELECT max(*) FROM t
SELECT coalesce(a), coalesce(a, b) FROM t
SELECT iif(a, b), iif(a, b, c) FROM t
SELECT ifnull(a, b), nullif(a, b) FROM t
SELECT likelihood(a, 0.5), likely(a), unlikely(a) FROM t
SELECT likelihood(a, 2.0) FROM t
SELECT likelihood(a, 1) FROM t
SELECT likelihood(a, b) FROM t
SELECT likelihood(a, -0.5) FROM t
SELECT abs(a) FILTER (WHERE a > 1) FROM t
SELECT sum(a) FILTER (WHERE a > 1) FROM t
SELECT sum(a) FILTER (WHERE sum(a) > 1) FROM t
SELECT sum(a) FILTER (WHERE zz > 1) FROM t
SELECT a FROM t WHERE sum(a) > 1
SELECT sum(a) FROM t WHERE sum(a) > 1
SELECT sum(a) FROM t JOIN u ON sum(t.a) > 1
SELECT sum(t.a) FROM t JOIN u ON sum(t.a) > 1
SELECT a FROM t JOIN u USING (a) WHERE count(*) > 1
SELECT a LIKE b, a GLOB b, a LIKE b ESCAPE 'x' FROM t
SELECT a REGEXP b FROM t
SELECT a MATCH b FROM t
SELECT a GLOB b ESCAPE 'x' FROM t
SELECT regexp(a, b) FROM t
SELECT match(a, b) FROM t
SELECT like(a), like(a, b, c, d) FROM t
SELECT current_date, current_time, current_timestamp
SELECT current_date()
SELECT sqlite_version(), random()
SELECT load_extension('x')
SELECT json_extract(b, '$'), b -> '$', b ->> '$' FROM t
SELECT "->"(b, '$') FROM t
SELECT date('now'), strftime('%Y', b), julianday(), unixepoch() FROM t
SELECT round(a, 1), substr(b, 1), trim(b), instr(b, 'x'), hex(b), typeof(b), quote(b), unicode(b), char(1, 2), printf('%d', a), format('x') FROM t
SELECT pi(), sqrt(a), ceil(a), log(a, 2), mod(a, 2), sign(a) FROM t
SELECT total_changes(), changes(), last_insert_rowid(), sqlite_source_id(), zeroblob(3), randomblob(2), soundex(b), subtype(b) FROM t
SELECT CAST(a AS nope), CAST(zz AS int) FROM t
)sql",
    R"sql(
-- Windows
SELECT row_number() OVER (ORDER BY a) FROM t
SELECT row_number() FROM t
SELECT rank() OVER w, sum(a) OVER w FROM t WINDOW w AS (PARTITION BY b ORDER BY c)
SELECT rank() OVER nope FROM t WINDOW w AS (PARTITION BY b ORDER BY c)
SELECT sum(a) OVER (w ORDER BY a) FROM t WINDOW w AS (PARTITION BY b)
SELECT sum(a) OVER (w ORDER BY a) FROM t WINDOW w AS (PARTITION BY b ORDER BY c)
SELECT sum(a) OVER (w PARTITION BY a) FROM t WINDOW w AS (PARTITION BY b)
SELECT sum(a) OVER (w) FROM t WINDOW w AS (ROWS 1 PRECEDING)
SELECT sum(a) OVER w FROM t WINDOW w AS (ROWS 1 PRECEDING)
SELECT sum(a) OVER (nope) FROM t
SELECT sum(a) OVER w2 FROM t WINDOW w1 AS (PARTITION BY b), w2 AS (w1 ORDER BY c)
SELECT sum(a) OVER w2 FROM t WINDOW w1 AS (PARTITION BY b), w2 AS (w1 PARTITION BY c)
SELECT sum(a) OVER w1 FROM t WINDOW w1 AS (w2 ORDER BY b), w2 AS (PARTITION BY c)
SELECT sum(a) FROM t WINDOW w1 AS (PARTITION BY b), w2 AS (nope ORDER BY c)
SELECT sum(a) FROM t WINDOW w1 AS (PARTITION BY zz)
SELECT sum(a) OVER w1 FROM t WINDOW w1 AS (PARTITION BY zz)
SELECT sum(a) FROM t WINDOW w1 AS (PARTITION BY (SELECT 1 FROM nope))
SELECT abs(a) OVER () FROM t
SELECT nope(a) OVER () FROM t
SELECT sum(DISTINCT a) OVER () FROM t
SELECT row_number() FILTER (WHERE a) OVER () FROM t
SELECT sum(a) FILTER (WHERE a > 1) OVER () FROM t
SELECT sum(sum(a)) OVER () FROM t
SELECT sum(a) OVER (ORDER BY sum(b)) FROM t
SELECT sum(sum(a) OVER ()) OVER () FROM t
SELECT sum(sum(a) OVER ()) FROM t
SELECT a FROM t WHERE row_number() OVER () = 1
SELECT a FROM t GROUP BY row_number() OVER ()
SELECT a FROM t GROUP BY a HAVING row_number() OVER () = 1
SELECT a FROM t ORDER BY row_number() OVER ()
SELECT a, row_number() OVER (ORDER BY b) FROM t ORDER BY row_number() OVER (ORDER BY b)
SELECT a FROM t LIMIT row_number() OVER ()
SELECT sum(a) OVER (RANGE BETWEEN 1 PRECEDING AND 2 FOLLOWING) FROM t
SELECT sum(a) OVER (ORDER BY a RANGE BETWEEN 1 PRECEDING AND 2 FOLLOWING) FROM t
SELECT sum(a) OVER (ORDER BY a, b RANGE 1 PRECEDING) FROM t
SELECT sum(a) OVER (ROWS 1 FOLLOWING) FROM t
SELECT sum(a) OVER (ROWS BETWEEN CURRENT ROW AND 1 PRECEDING) FROM t
SELECT sum(a) OVER (ROWS BETWEEN 1 FOLLOWING AND 1 PRECEDING) FROM t
SELECT sum(a) OVER (ROWS BETWEEN 1 FOLLOWING AND 2 FOLLOWING) FROM t
SELECT sum(a) OVER (ROWS a PRECEDING) FROM t
SELECT sum(a) OVER (ROWS zz PRECEDING) FROM t
SELECT sum(a) OVER (ROWS (SELECT 1 FROM nope) PRECEDING) FROM t
SELECT lag(a), lead(a) OVER () FROM t
SELECT lag(a) OVER (), lag(a, 1) OVER (), lag(a, 1, 2) OVER (), first_value(a) OVER (), nth_value(a, 2) OVER (), ntile(3) OVER () FROM t
SELECT (SELECT sum(t.a) OVER () FROM u) FROM t
SELECT (SELECT row_number() OVER (ORDER BY t.a) FROM u) FROM t
SELECT count(*) OVER () FROM t GROUP BY a
SELECT sum(count(*)) OVER () FROM t GROUP BY a
SELECT zz OVER () FROM t
)sql",
    R"sql(
-- Row values
SELECT (1, 2)
SELECT (1, 2) = (3, 4), (1, 2) < (3, 4), (1, 2) IS (3, 4), (1, 2) BETWEEN (1, 2) AND (3, 4)
SELECT (1, 2) = (3, 4, 5)
SELECT (1, 2) = 3
SELECT (a, b) = (SELECT a, e FROM u) FROM t
SELECT (a, b) = (SELECT a FROM u) FROM t
SELECT (a, zz) = (1, 2) FROM t
SELECT (1, 2) IN ((1, 2), (3, 4))
SELECT (1, 2) IN ((1, 2), (3, 4, 5))
SELECT (1, 2) IN (1, 2)
SELECT 1 IN ((1, 2))
SELECT CASE (1, 2) WHEN (1, 2) THEN 3 END
SELECT CASE (1, 2) WHEN 1 THEN 3 END
SELECT (1, 2) + 1
SELECT 1 FROM t WHERE (a, b)
SELECT 1 FROM t ORDER BY (a, b)
SELECT 1 FROM t GROUP BY (a, b)
SELECT (1, 2) IS NULL
SELECT max((1, 2), 3)
SELECT 1 BETWEEN (1, 2) AND 3
SELECT (SELECT 1, 2) BETWEEN (1, 2) AND (3, 4)
SELECT * FROM t WHERE (a, b) > (1, 'x') COLLATE nocase
)sql",
    R"sql(
-- IS TRUE, collations, literals, parameters
SELECT a IS TRUE, a IS NOT FALSE, a IS nope FROM t
SELECT a IS TRUE, a IS NOT "nope" FROM t
SELECT zz IS TRUE FROM t
SELECT zz IS nope FROM t
SELECT a COLLATE nope FROM t
SELECT a = b COLLATE nope FROM t
SELECT a COLLATE nope FROM t ORDER BY 1
SELECT a FROM t ORDER BY b COLLATE nope
SELECT a COLLATE nope FROM t GROUP BY 1
SELECT DISTINCT a COLLATE nope FROM t
SELECT a COLLATE nope FROM t UNION SELECT 1
SELECT max(b COLLATE nope) FROM t
SELECT a COLLATE nocase FROM t
SELECT 0xffffffffffffffffff
SELECT 0xffffffffffffffff, 9223372036854775808, -9223372036854775808
SELECT ?, ?1, :x, @y, $z
SELECT a FROM t WHERE b = ? AND c = :x
)sql",
    R"sql(
-- What SQLite folds
SELECT a FROM t WHERE 0 AND nope
SELECT a FROM t WHERE nope AND (0)
SELECT a FROM t WHERE 0x0 AND nope
SELECT a FROM t WHERE -0 AND nope
SELECT a FROM t WHERE 0.0 AND nope
SELECT a FROM t WHERE FALSE AND nope
SELECT a FROM t WHERE NOT (1 AND 0) AND nope
SELECT a FROM t WHERE (0 AND 1) AND nope
SELECT a FROM t WHERE (0 COLLATE BINARY) AND nope
SELECT a FROM t WHERE 1 OR nope
SELECT a FROM t WHERE nope IN () AND nope
SELECT a FROM t WHERE nope NOT IN () AND nope
SELECT a, b FROM t ORDER BY 0 AND 1
SELECT a, b FROM t ORDER BY nope IN ()
SELECT a, b FROM t GROUP BY 0 AND nope
SELECT a, b FROM t LIMIT 0 AND nope
SELECT a, b FROM t WHERE count(*) IN ()
SELECT a, 0 AND count(*) FROM t HAVING 1
SELECT a, 0 AND (SELECT nope FROM nope) FROM t
SELECT a, 0 AND nope() FROM t
SELECT a, (SELECT nope FROM nope) IN () FROM t
SELECT t.a FROM t JOIN u ON nope WHERE nope IN ()
SELECT t.a FROM t JOIN u ON nope WHERE 0
SELECT t.a FROM t JOIN u ON nope WHERE FALSE
SELECT t.a FROM t JOIN u ON t.b = 1 AND 0 WHERE u.nope
SELECT t.a FROM t LEFT JOIN u ON 0 WHERE nope
SELECT t.a FROM t LEFT JOIN u ON nope JOIN w ON 0
SELECT t.a FROM (t JOIN u ON nope) WHERE 0
SELECT t.a FROM w JOIN (t JOIN u ON nope) ON 1 WHERE 0
SELECT t.a FROM w JOIN (t JOIN u ON 0) ON t.nope
SELECT t.a FROM t, json_each(nope) WHERE 0
SELECT t.a FROM t JOIN u ON t.a = (SELECT nope FROM nope) WHERE 0
SELECT t.a FROM t JOIN u ON t.a IN nope WHERE 0
SELECT t.a FROM t JOIN u USING (nope) WHERE 0
-- EXISTS
SELECT EXISTS (SELECT (1, 2) FROM t)
SELECT EXISTS (SELECT a = (1, 2) FROM t)
SELECT EXISTS (SELECT b COLLATE nope = 1 FROM t)
SELECT EXISTS (SELECT (SELECT 1, 2) FROM t ORDER BY (1, 2))
SELECT EXISTS (SELECT max(b COLLATE nope) FROM t)
SELECT EXISTS (SELECT a, (1, 2) FROM t UNION SELECT 1, 2)
SELECT EXISTS (SELECT a FROM t WHERE (1, 2))
SELECT EXISTS (SELECT a FROM t ORDER BY sum(b))
SELECT count(*) FROM u WHERE EXISTS (SELECT group_concat(e) FROM t)
SELECT count(*) FROM u WHERE EXISTS (SELECT group_concat(e) FROM t GROUP BY 1)
SELECT count(*) FROM u WHERE EXISTS (SELECT group_concat(e) FROM t WHERE sum(e) = 1)
SELECT count(*) FROM u WHERE (SELECT group_concat(e) FROM t)
-- Aggregates and windows that are found late
SELECT 1 ORDER BY sum(1)
SELECT (SELECT 1 FROM t ORDER BY sum(1))
SELECT a IN (SELECT 1, 2) FROM t
SELECT row_number() OVER () FROM t GROUP BY 1
SELECT 1 + max(a) OVER () FROM t GROUP BY 1
SELECT (SELECT sum(a)), row_number() OVER () FROM t
SELECT EXISTS (SELECT sum(a)), row_number() OVER () FROM t
SELECT (SELECT x FROM (SELECT sum(t.a) AS x)) FROM t
SELECT (SELECT 1) < count(a) AS x FROM t GROUP BY x
SELECT count(a) COLLATE NOCASE AS x FROM t GROUP BY x
SELECT count(a) FROM t GROUP BY 1 COLLATE NOCASE
-- FULL JOIN
SELECT w.b, b, "b", [w].b FROM w NATURAL FULL JOIN u
SELECT 1 FROM main.w JOIN u ON a NATURAL FULL JOIN k
SELECT 1 FROM t JOIN main.w ON a USING (a)
SELECT 1 FROM t JOIN u ON x NATURAL FULL JOIN k
SELECT b COLLATE NOCASE, TRUE FROM t EXCEPT SELECT 1, 2 ORDER BY 1 COLLATE NOCASE
-- rowid, seen from inside
SELECT (SELECT rowid FROM v1) FROM t
SELECT (SELECT rowid FROM u, t) FROM t
SELECT (SELECT rowid FROM k, k AS k2) FROM t
)sql"};

}  // namespace

std::vector<std::string> resolver_queries() {
  std::vector<std::string> queries;
  for (const auto* part : text) {
    for (const auto line : split(part, '\n')) {
      if (!line.empty() && line.substr(0, 2) != "--") queries.emplace_back(line);
    }
  }
  return queries;
}

}  // namespace trustsql::testing_support
