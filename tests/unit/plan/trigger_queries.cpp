#include "unit/plan/trigger_queries.hpp"

namespace trustsql::testing_support {

const char* TriggerQueries::schema() {
  return R"(
    CREATE TABLE p(id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, age INT, city TEXT, score REAL);
    CREATE TABLE c(cid INTEGER PRIMARY KEY, pid INT NOT NULL REFERENCES p(id), qid INTEGER REFERENCES p, v INT, w TEXT COLLATE NOCASE, x REAL);
    CREATE TABLE m(a INT, b TEXT, n NUMERIC, PRIMARY KEY (a, b));
    CREATE TABLE k(code TEXT PRIMARY KEY, label TEXT, pid INTEGER REFERENCES p(id));
    CREATE TABLE l(code TEXT REFERENCES k(code), n INT);
    CREATE TABLE g(key TEXT PRIMARY KEY, z) WITHOUT ROWID;
    CREATE TABLE e(i INT, j INT NOT NULL, s TEXT, r REAL, a);
    CREATE TABLE st(i INTEGER NOT NULL, t TEXT, u INTEGER UNIQUE, r REAL) STRICT;
    CREATE VIEW pv AS SELECT id, age + 1 AS older, upper(city) AS town FROM p WHERE age IS NOT NULL;
    CREATE VIEW cv(pid, n) AS SELECT pid, count(*) FROM c GROUP BY pid;
  )";
}

namespace {

using Forms = std::map<std::string, std::vector<std::string>, std::less<>>;

// clang-format off
const Forms& macros() {
  static const Forms forms = {
      {"lit", {"0", "1", "2", "3", "-1", "2.5", "2.0", "'a'", "'A'", "'b'", "'1'", "'2.0'", "NULL", "''", "10"}},
      {"int", {"0", "1", "2", "3", "4"}},
      {"text", {"'a'", "'b'", "'A'", "'1'"}},
      {"cmp", {"=", "<", "<=", ">", ">=", "<>", "IS", "IS NOT"}},
      {"order", {"<", "<=", ">", ">="}},
      {"pcol", {"p.id", "p.name", "p.age", "p.city", "p.score"}},
      {"ccol", {"c.cid", "c.pid", "c.qid", "c.v", "c.w", "c.x"}},
      {"ecol", {"e.i", "e.j", "e.s", "e.r", "e.a"}},
      {"stcol", {"st.i", "st.t", "st.u", "st.r"}},
      {"pexpr", {"{pcol}", "{pcol}", "{pcol}", "p.age + 1", "p.id * 2", "upper(p.city)", "coalesce(p.city, 'a')", "-p.score", "p.name || 'x'", "abs(p.age)", "length(p.city)", "p.city COLLATE NOCASE", "CAST(p.age AS TEXT)"}},
      {"eexpr", {"{ecol}", "{ecol}", "{ecol}", "e.i + e.j", "e.i * 1", "lower(e.s)", "ifnull(e.a, 0)", "typeof(e.a)", "e.r / 2", "e.s COLLATE NOCASE", "CAST(e.a AS INT)"}},
      {"pcond", {"{pexpr} {cmp} {lit}", "{pcol} {cmp} {pcol}", "{pcol} IS [NOT |]NULL", "{pcol} [NOT |]IN ({lit}, {lit})", "{pcol} [NOT |]BETWEEN {lit} AND {lit}", "{pcol} [NOT |]LIKE [{text}|'%a%'|'1%']", "NOT {pcol} {cmp} {lit}", "({pcond} OR {pcond})", "({pcond} AND {pcond})", "{pcol}"}},
      {"ccond", {"{ccol} {cmp} {lit}", "{ccol} {cmp} {ccol}", "{ccol} IS [NOT |]NULL", "{ccol} [NOT |]IN ({lit}, {lit})", "({ccond} OR {ccond})", "{ccol} LIKE {text}"}},
      {"econd", {"{eexpr} {cmp} {lit}", "{ecol} {cmp} {ecol}", "{ecol} IS [NOT |]NULL", "{ecol} [NOT |]IN ({lit}, {lit})", "({econd} OR {econd})", "({econd} AND {econd})", "NOT ({econd})", "{ecol} BETWEEN {lit} AND {lit}"}},
      {"agg", {"count(*)", "count({ecol})", "sum({ecol})", "min({ecol})", "max({ecol})", "avg({ecol})", "count(DISTINCT {ecol})", "total({ecol})"}},
      {"cagg", {"count(*)", "count({ccol})", "sum({ccol})", "min({ccol})", "max({ccol})", "avg({ccol})", "count(DISTINCT {ccol})"}},
      {"pc", {"p JOIN c ON p.id = c.pid", "p, c WHERE c.pid = p.id", "c JOIN p ON c.qid = p.id"}},
  };
  return forms;
}

const Forms& forms_of_rules() {
  static const Forms forms = {
      {"between_expansion", {"SELECT {ecol} FROM e WHERE {eexpr} [NOT |]BETWEEN {lit} AND {lit}", "SELECT {ecol} BETWEEN {ecol} AND {lit} FROM e"}},
      {"boolean_simplification", {"SELECT * FROM e WHERE [({econd}) AND 1|({econd}) OR 0|{ecol} = {int} OR ({ecol} = {int} AND {econd})]",
                                  "SELECT * FROM e WHERE (e.i = 1 AND {econd}) OR (e.i = 1 AND {econd})", "SELECT ({econd}) AND [1|0|NULL|'a'], {ecol} OR [0|1|NULL] FROM e",
                                  "SELECT * FROM e WHERE e.i = 1 AND (e.i = 1 OR {econd})", "SELECT * FROM e WHERE e.j > 1 AND NOT (e.j > 1) OR {econd}", "SELECT {ecol} AND {ecol} FROM e"}},
      {"case_simplification", {"SELECT CASE WHEN {econd} THEN [1|0] ELSE [0|1] END, CASE WHEN e.a THEN 1 ELSE 0 END FROM e", "SELECT CASE {ecol} WHEN {lit} THEN {ecol} WHEN {lit} THEN {lit} [ELSE {ecol} |]END FROM e", "SELECT {ecol} FROM e WHERE CASE WHEN {econd} THEN 1 ELSE 0 END",
                               "SELECT CASE WHEN [1|0|NULL|'1x'|{econd}] THEN {ecol} WHEN [1|{econd}] THEN {lit} ELSE [NULL|{ecol}] END FROM e", "SELECT CASE WHEN {econd} THEN e.i ELSE e.i END FROM e"}},
      {"comparison_conversion", {"SELECT * FROM e WHERE {ecol} {cmp} {lit}", "SELECT * FROM p WHERE {pcol} {cmp} [{lit}|{pcol}]", "SELECT e.s IN ({lit}, {lit}), e.i {cmp} {lit}, e.r {cmp} {lit} FROM e",
                                 "SELECT * FROM c WHERE c.w {cmp} {lit}", "SELECT {stcol} {cmp} {lit} FROM st", "SELECT {stcol} {cmp} {ecol} FROM st, e"}},
      {"constant_folding", {"SELECT {ecol} FROM e WHERE {ecol} {cmp} {int} [+|-|*|/|%] {lit}", "SELECT {lit} {cmp} {lit}, {lit} [+|-|*|/|%|\\|\\||&|<<|>>] {lit}, -{lit}, NOT {lit}, {lit} IS NULL",
                            "SELECT {lit} IN ({lit}, {lit}), {lit} BETWEEN {lit} AND {lit}, CAST({lit} AS [INT|TEXT|REAL|NUMERIC]), [abs|length|upper|lower|typeof]({lit}) FROM e"}},
      {"function_spelling", {"SELECT upper(lower({ecol})), lower(upper(upper({ecol}))) FROM e", "SELECT ifnull({ecol}, {lit}), iif({econd}, {ecol}, {lit}), substring(e.s, 1, 1) FROM e"}},
      {"in_list_normalisation", {"SELECT * FROM e WHERE {ecol} [NOT |]IN ([{lit}|1, 1, {lit}|{lit}, NULL|{ecol}, {lit}])", "SELECT * FROM e WHERE e.s = {lit} OR e.s = {lit} OR e.s IN ({lit}, {lit})", "SELECT e.i IN ({lit}), e.s NOT IN ({lit}) FROM e",
                                 "SELECT * FROM e WHERE e.i = {lit} OR e.i = {lit} OR {econd}", "SELECT e.a = {lit} OR e.a = {lit} FROM e"}},
      {"integer_bounds", {"SELECT e.i, count(*) FROM e GROUP BY e.i HAVING count(*) {cmp} [1|2|1.5|2.0|2.5]", "SELECT * FROM p WHERE p.[id|age] {cmp} [1|2|2.5|2.0|-1]", "SELECT * FROM st WHERE st.[i|u] {cmp} [1|2|2.5|3.0]", "SELECT * FROM p WHERE length(p.name) {cmp} [1|2|1.5]"}},
      {"negation_pushdown", {"SELECT * FROM e WHERE NOT ({econd})", "SELECT NOT ({econd}), NOT ({ecol} AND {ecol}), NOT NOT {ecol} FROM e", "SELECT * FROM e WHERE NOT ({econd} AND {econd} OR {econd})", "SELECT * FROM e WHERE NOT EXISTS (SELECT 1 FROM p WHERE p.id = e.i)", "SELECT * FROM e WHERE NOT e.i IN (SELECT id FROM p)"}},
      {"null_simplification", {"SELECT {pcol} IS [NOT |]NULL, coalesce(p.id, p.age), coalesce(p.age, NULL, p.city) FROM p", "SELECT * FROM p WHERE p.[id|name|age] IS [NOT |][{pcol}|{lit}|NULL]", "SELECT * FROM p WHERE {pcol} {cmp} NULL",
                               "SELECT * FROM c LEFT JOIN p ON c.qid = p.id WHERE p.id IS [NOT |]NULL", "SELECT * FROM m WHERE m.a IS [NOT |]NULL OR m.b IS NULL", "SELECT * FROM e WHERE e.i > 1 AND (e.i IS NULL OR e.s = 'a')"}},
      {"range_merging", {"SELECT * FROM e WHERE e.[i|s|r|a] {order} {lit} AND e.[i|s|r|a] {order} {lit} AND {ecol} [<>|=] {lit}", "SELECT * FROM st WHERE st.i {order} {int} AND st.i {order} {int}", "SELECT * FROM e WHERE e.a IN ({lit}, {lit}, {lit}) AND e.a {cmp} {lit}",
                         "SELECT * FROM e WHERE (e.a {order} {lit} AND e.a {order} {lit}) OR {econd}", "SELECT * FROM p WHERE p.id {order} {int} AND p.id {order} {int} AND p.id <> {int}", "SELECT * FROM e WHERE e.a <> {lit} AND e.a <> {lit} AND e.a NOT IN ({lit}, {lit})", "SELECT * FROM p WHERE p.city {order} {text} AND p.city {order} {text}",
                         "SELECT * FROM c WHERE c.w {order} {text} AND c.w {order} {text} AND c.w <> {text}", "SELECT * FROM e WHERE e.i = {int} AND e.i = {int}"}},
      {"self_comparison", {"SELECT * FROM e WHERE [{ecol}|e.a] {cmp} e.a", "SELECT e.i {cmp} e.i, e.j {cmp} e.j, e.a {cmp} e.a FROM e", "SELECT * FROM p AS p WHERE p.age {cmp} p.age AND p.city {cmp} p.city"}},
      {"conjunct_simplification", {"SELECT * FROM e WHERE ({econd} AND 1) AND e.i IS NOT NULL AND e.i = 1", "SELECT * FROM (SELECT * FROM e WHERE {econd}) AS e WHERE {econd}", "SELECT * FROM e WHERE e.i > 0 AND e.i > 0 AND e.a IS NOT NULL AND e.a < 3", "SELECT * FROM p JOIN c ON p.id = c.pid AND (p.age > 0 AND 1)"}},
      {"empty_relation", {"SELECT * FROM e WHERE NOT EXISTS (SELECT [count(*) FROM p|1])", "SELECT * FROM e WHERE 0 AND {econd}", "SELECT count(*), max(e.i) FROM e WHERE [0|NULL]", "SELECT e.i, count(*) FROM e WHERE 0 GROUP BY e.i", "SELECT * FROM p LEFT JOIN c ON [0|NULL|p.id = c.pid AND 0]", "SELECT id FROM p WHERE 0 UNION ALL SELECT cid FROM c", "SELECT id FROM p WHERE 0 [UNION|INTERSECT|EXCEPT] SELECT cid FROM c",
                          "SELECT id FROM p EXCEPT SELECT cid FROM c WHERE 0", "SELECT * FROM p WHERE p.id IN (SELECT pid FROM c WHERE 0)", "SELECT * FROM (SELECT * FROM p LIMIT 0) AS p JOIN c ON p.id = c.pid", "SELECT * FROM p FULL JOIN c ON 0 WHERE 0", "SELECT DISTINCT age FROM p WHERE 1 = 0 ORDER BY 1", "SELECT (SELECT max(v) FROM c WHERE 0), p.id FROM p WHERE NOT EXISTS (SELECT 1 FROM c WHERE 0)"}},
      {"filter_pushdown_join", {"SELECT * FROM p JOIN c ON p.id = c.pid WHERE {pcond} AND {ccond}", "SELECT * FROM p, c, e WHERE p.id = c.pid AND e.i = c.v AND {econd} AND {pcond}", "SELECT * FROM p LEFT JOIN c ON p.id = c.pid AND [{ccond}|{pcond}] WHERE [{pcond}|{ccond}]", "SELECT * FROM c LEFT JOIN p ON c.qid = p.id WHERE {ccond}",
                                "SELECT * FROM (p JOIN c ON p.id = c.pid) JOIN e ON e.j = p.age AND {pcond} WHERE {econd}", "SELECT p.* FROM p JOIN c ON {pcond} AND p.id = c.qid LEFT JOIN e ON e.i = c.v AND {ccond} WHERE {pcond}", "SELECT * FROM p RIGHT JOIN c ON p.id = c.pid AND {pcond} WHERE {ccond}", "SELECT * FROM p FULL JOIN c ON p.id = c.pid AND {pcond} WHERE {ccond}"}},
      {"filter_pushdown_project", {"SELECT * FROM (SELECT {eexpr} AS x, {eexpr} AS y FROM e) AS d WHERE [x {cmp} {lit}|y IS NOT NULL|x = y|x {order} {lit} AND y {cmp} {lit}]", "SELECT * FROM pv WHERE pv.[older|id|town] {cmp} {lit}", "WITH d AS (SELECT {ecol} AS x FROM e) SELECT * FROM d WHERE x {cmp} {lit}"}},
      {"filter_pushdown_set", {"SELECT * FROM (SELECT {ecol} AS x FROM e UNION ALL SELECT {pcol} FROM p) WHERE x {cmp} {lit}", "SELECT * FROM (SELECT DISTINCT {ecol} AS x, e.i AS y FROM e) WHERE [x|y] {cmp} {lit}", "SELECT * FROM (SELECT {ecol} AS x FROM e ORDER BY {ecol}) WHERE x {cmp} {lit}",
                               "SELECT * FROM (SELECT e.i AS x, count(*) OVER (PARTITION BY e.i) AS n FROM e) WHERE x {cmp} {lit}", "SELECT * FROM (SELECT DISTINCT st.i AS x, st.t AS y FROM st) WHERE x {cmp} {lit} AND y {cmp} {lit}", "SELECT * FROM (SELECT DISTINCT p.id AS x, p.city AS y FROM p) WHERE [x|y] {cmp} {lit}",
                               "SELECT * FROM (SELECT st.i AS x, sum(st.r) OVER (PARTITION BY st.i) AS n FROM st) WHERE x > 1 AND n > 0", "SELECT id FROM (SELECT id FROM p UNION ALL SELECT cid FROM c UNION ALL SELECT 2) WHERE id {cmp} {int}"}},
      {"having_to_where", {"SELECT {ecol}, {agg} FROM e GROUP BY e.[i|s|j] HAVING e.[i|s|j] {cmp} {lit}", "SELECT p.city, count(*) FROM p GROUP BY p.city HAVING p.city {cmp} {lit} AND count(*) > 0", "SELECT st.i, max(st.r) FROM st GROUP BY st.i, st.t HAVING st.i > 1 AND st.t <> 'a'", "SELECT max(e.i) FROM e HAVING 1", "SELECT c.w, count(*) FROM c GROUP BY c.w HAVING c.w {cmp} {text}",
                           "SELECT p.age + 1, count(*) FROM p GROUP BY p.age + 1 HAVING p.age + 1 {cmp} {int}", "SELECT length(p.name) AS n, count(*) FROM p GROUP BY n HAVING n > 0"}},
      {"limit_simplification", {"SELECT [count(*)|max(e.i)] FROM e LIMIT {int} OFFSET [0|1]", "SELECT id FROM p ORDER BY id LIMIT [0|1|2|-1] [OFFSET [0|1|-1]|]", "SELECT * FROM (SELECT id FROM p ORDER BY id LIMIT {int} OFFSET {int}) LIMIT {int} OFFSET {int}", "SELECT [count(*)|max(e.i)] FROM e LIMIT [1|2]", "SELECT * FROM p WHERE p.id = {int} LIMIT {int}"}},
      {"outer_to_inner", {"SELECT * FROM p LEFT JOIN c ON p.id = c.pid WHERE {ccond}", "SELECT * FROM p RIGHT JOIN c ON p.id = c.qid WHERE {pcond}", "SELECT * FROM p FULL JOIN c ON p.id = c.pid WHERE [{pcond}|{ccond}|{pcond} AND {ccond}]", "SELECT * FROM p LEFT JOIN c ON p.id = c.pid JOIN e ON e.i = c.v", "SELECT * FROM (SELECT p.id, c.v FROM p LEFT JOIN c ON p.id = c.pid) AS d WHERE v {cmp} {lit}",
                          "SELECT * FROM p LEFT JOIN c ON p.id = c.qid LEFT JOIN e ON e.i = c.v WHERE {econd}", "SELECT * FROM p LEFT JOIN c ON p.id = c.pid WHERE NOT ({ccond} AND {ccond})", "SELECT count(*) FROM p LEFT JOIN (c LEFT JOIN e ON c.v = e.j) ON p.id = c.pid WHERE e.i = {int}"}},
      {"projection_pull_up", {"SELECT x + 1, y FROM (SELECT {eexpr} AS x, {eexpr} AS y FROM e) AS d", "SELECT max(x), y FROM (SELECT {eexpr} AS x, e.j + 1 AS y FROM e) AS d GROUP BY y", "SELECT d.x, p.id FROM (SELECT e.i + 1 AS x FROM e) AS d [LEFT |]JOIN p ON p.id = d.x", "SELECT p.id, d.x FROM p [LEFT |]JOIN (SELECT e.i + 1 AS x FROM e) AS d ON p.id = d.x",
                              "SELECT {pexpr} AS x FROM p ORDER BY p.id LIMIT 3", "SELECT x FROM (SELECT p.age * 2 AS x FROM p ORDER BY p.id LIMIT 2) WHERE x > 1", "SELECT *, (SELECT count(*) FROM c WHERE c.pid = d.x) FROM (SELECT p.id + 1 AS x FROM p) AS d", "SELECT * FROM pv JOIN cv ON pv.older = cv.pid", "SELECT * FROM pv WHERE pv.older IN (SELECT v FROM c WHERE c.cid = pv.older)",
                              "SELECT sum(x) OVER (ORDER BY x) FROM (SELECT p.id * 2 AS x FROM p)"}},
      {"right_to_left_join", {"SELECT {pcol}, {ccol} FROM p RIGHT JOIN c ON p.id = c.pid", "SELECT * FROM p RIGHT JOIN c ON p.id = c.qid AND {pcond} WHERE {ccond}", "SELECT * FROM p NATURAL RIGHT JOIN e", "SELECT * FROM p RIGHT JOIN c ON p.id = c.pid RIGHT JOIN e ON e.i = p.age"}},
      {"single_row_join", {"SELECT {ecol}, k.x FROM e, (SELECT {lit} AS x) AS k WHERE {econd}", "SELECT * FROM (SELECT 1 AS x, 'a' AS y) AS k [LEFT |]JOIN e ON e.i = k.x", "SELECT * FROM (VALUES ({lit}, {lit})) AS k, e", "VALUES ({lit}, {lit})", "SELECT * FROM p LEFT JOIN (SELECT 2 AS x) AS k ON k.x = p.id", "SELECT 1 FROM (SELECT count(*) FROM p)"}},
      {"sort_key_reduction", {"SELECT * FROM p ORDER BY [id|name], {pcol}", "SELECT * FROM p WHERE p.age = {int} ORDER BY age, id", "SELECT * FROM e ORDER BY e.i, e.i DESC, e.s", "SELECT count(*) FROM e ORDER BY 1", "SELECT m.a, m.b, m.n FROM m ORDER BY m.a, m.b, m.n", "SELECT p.id, c.cid FROM p JOIN c ON p.id = c.pid ORDER BY c.cid, p.id, p.name", "SELECT * FROM p ORDER BY [1|'a'|NULL], name", "SELECT p.age, count(*) FROM p GROUP BY p.age ORDER BY p.age, count(*)", "SELECT * FROM p ORDER BY name COLLATE NOCASE, name, id"}},
      {"column_pruning", {"SELECT {ecol} FROM (SELECT *, e.i + 1 AS z FROM e) AS e", "SELECT x FROM (SELECT e.i AS x, {agg}, {agg} FROM e GROUP BY e.i)", "SELECT count(*) FROM (SELECT {ecol}, {ecol} FROM e)", "SELECT i FROM (SELECT i, s FROM e UNION ALL SELECT id, city FROM p)", "SELECT x FROM (SELECT e.i AS x, row_number() OVER (ORDER BY e.j) AS n FROM e)", "SELECT EXISTS (SELECT {ecol}, {ecol} FROM e WHERE {econd})", "SELECT a FROM (VALUES (1, 2), (3, 4)) AS q(a)",
                          "SELECT x FROM (SELECT e.s AS x, max(e.i) FROM e)", "SELECT count(*) FROM (SELECT DISTINCT i, s FROM e)"}},
      {"derived_table_inlining", {"SELECT * FROM (SELECT {ecol}, {ecol} AS y FROM e [WHERE {econd} |][ORDER BY {ecol}|]) AS d", "WITH d AS (SELECT {ecol} AS x FROM e) SELECT * FROM d AS a JOIN d AS b ON a.x = b.x", "SELECT * FROM pv WHERE older > 1", "SELECT n FROM cv ORDER BY n", "SELECT * FROM (SELECT p.id, p.age FROM p ORDER BY p.id DESC) LIMIT 2", "SELECT * FROM (SELECT id FROM p ORDER BY id LIMIT 2) ORDER BY id DESC"}},
      {"projection_removal", {"SELECT {pcol} FROM (SELECT * FROM p)", "SELECT count(*) FROM (SELECT e.i FROM e)", "SELECT * FROM (SELECT s, i FROM e WHERE i > 0) WHERE s <> 'b'", "SELECT id FROM p WHERE id IN (SELECT pid FROM (SELECT c.pid FROM c))"}},
      {"sort_removal", {"SELECT count(*) FROM (SELECT * FROM e ORDER BY e.i)", "SELECT max(i) FROM (SELECT i FROM e ORDER BY j LIMIT 3)", "SELECT * FROM (SELECT e.i FROM e ORDER BY e.s) AS d JOIN p ON d.i = p.id", "SELECT * FROM p WHERE p.id IN (SELECT pid FROM c ORDER BY v)", "SELECT EXISTS (SELECT 1 FROM e ORDER BY e.i)", "SELECT * FROM (SELECT i FROM e ORDER BY j) ORDER BY i", "SELECT DISTINCT i FROM (SELECT * FROM e ORDER BY s)", "SELECT i FROM (SELECT i FROM e ORDER BY s) UNION SELECT id FROM p"}},
      {"operand_order", {"SELECT * FROM e WHERE {lit} {cmp} {ecol}", "SELECT {lit} {cmp} {eexpr} FROM e"}},
      {"exists_to_semi_join", {"SELECT * FROM p WHERE [NOT |]EXISTS (SELECT {ccol} FROM c WHERE [c.pid = p.id|c.qid = p.id|c.v < p.age|c.w = p.city] AND {ccond})", "SELECT * FROM p WHERE [NOT |]EXISTS (SELECT {ccol} FROM c WHERE {ccond}) AND {pcond}", "SELECT * FROM p WHERE [NOT |]EXISTS (SELECT DISTINCT {ccol} FROM c WHERE c.pid = p.id ORDER BY {ccol} LIMIT [1|2|0])",
                               "SELECT * FROM p WHERE [NOT |]EXISTS (SELECT [count(*)|max(c.v)] FROM c WHERE c.pid = p.id [GROUP BY c.v|])", "SELECT * FROM p WHERE [NOT |]EXISTS (SELECT 1 FROM c, e WHERE c.pid = p.id AND e.i = c.v AND e.j > p.age)", "SELECT * FROM p JOIN c ON p.id = c.pid AND [NOT |]EXISTS (SELECT 1 FROM e WHERE e.i = p.age AND e.j = c.v)",
                               "SELECT * FROM p WHERE EXISTS (SELECT 1 FROM c WHERE c.pid = p.id AND [NOT |]EXISTS (SELECT 1 FROM e WHERE e.i = [c.v|p.age]))", "SELECT * FROM p WHERE [NOT |]EXISTS (SELECT 1 FROM c WHERE c.pid = p.id UNION SELECT 2 FROM e WHERE e.i = p.id)", "SELECT * FROM p WHERE EXISTS (SELECT c.v, count(*) FROM c WHERE c.pid = p.id GROUP BY c.v HAVING count(*) > [1|p.age])"}},
      {"in_to_semi_join", {"SELECT * FROM p WHERE {pcol} [NOT |]IN (SELECT {ccol} FROM c [WHERE {ccond}|])", "SELECT * FROM p WHERE p.id [NOT |]IN (SELECT [c.pid|c.qid] FROM c WHERE [c.v = p.age|{ccond}])", "SELECT * FROM p WHERE (p.id, p.age) [NOT |]IN (SELECT c.[pid|qid], c.v FROM c)", "SELECT * FROM e WHERE {ecol} [NOT |]IN (SELECT DISTINCT {ecol} FROM e AS e WHERE {econd})", "SELECT * FROM p WHERE p.[id|age] [NOT |]IN (SELECT [max|min|count](c.v) FROM c [GROUP BY c.pid|])",
                          "SELECT * FROM p WHERE p.age [NOT |]IN (SELECT c.v + 1 FROM c ORDER BY c.v [LIMIT 2|])", "SELECT * FROM p JOIN c ON p.id = c.pid AND p.age + c.v [NOT |]IN (SELECT e.i FROM e)", "SELECT * FROM p WHERE p.id IN (SELECT pid FROM c WHERE c.v [NOT |]IN (SELECT e.i FROM e WHERE e.j = p.age))", "SELECT * FROM p WHERE p.[city|name|age] [NOT |]IN (SELECT c.w FROM c UNION SELECT e.s FROM e)", "SELECT * FROM st WHERE st.[i|t] [NOT |]IN (SELECT e.[i|s|a] FROM e)"}},
      {"truth_simplification", {"SELECT ({econd}) IS [NOT |][TRUE|FALSE], EXISTS (SELECT 1 FROM p WHERE p.id = e.i) IS [NOT |][TRUE|FALSE], (e.j = 1) IS [NOT |][TRUE|FALSE] FROM e", "SELECT * FROM e WHERE {ecol}", "SELECT * FROM e WHERE ({econd}) IS [NOT |][TRUE|FALSE]", "SELECT * FROM e WHERE ({econd}) [=|<>] [0|1]", "SELECT * FROM st WHERE st.[i|r|u] AND {stcol} IS NOT NULL", "SELECT * FROM p WHERE p.id [+|-|*] {int}", "SELECT * FROM p WHERE NOT p.id OR -p.age", "SELECT * FROM p WHERE (p.id > 1) IS NOT [TRUE|FALSE]", "SELECT (p.id > 1) IS NOT [TRUE|FALSE], (p.age > 1) IS NOT [TRUE|FALSE] FROM p"}},
      {"scalar_subquery_unnesting", {"SELECT * FROM p WHERE {pcol} {cmp} (SELECT [max({ccol})|min({ccol})|count(*)|avg(c.v)|sum(c.v)] FROM c [WHERE {ccond}|])", "SELECT p.id, (SELECT [max(c.v)|count(*)] FROM c [WHERE c.pid = p.id|]) AS x FROM p", "SELECT * FROM p WHERE {pcol} {cmp} (SELECT {ccol} FROM c WHERE c.cid = [p.id|{int}])", "SELECT (SELECT count(*) FROM p) - (SELECT count(*) FROM c), (SELECT max(i) FROM e)", "SELECT * FROM p JOIN c ON p.id = c.pid AND c.v {cmp} (SELECT max(e.i) FROM e [WHERE e.j = p.age|])",
                                    "SELECT * FROM p WHERE p.age = (SELECT max(age) FROM p) OR {pcond}", "SELECT p.city, count(*) FROM p GROUP BY p.city HAVING count(*) > (SELECT avg(e.i) FROM e)", "SELECT CASE WHEN p.age > (SELECT min(v) FROM c) THEN (SELECT 1) ELSE (SELECT p.id) END FROM p", "SELECT (SELECT q.name FROM p AS q WHERE q.id = c.pid) FROM c ORDER BY c.cid", "SELECT * FROM c WHERE c.v < (SELECT avg(d.v) FROM c AS d WHERE d.pid = c.pid)"}},
      {"apply_to_join", {"SELECT * FROM p WHERE {pcol} {cmp} (SELECT [max|min|count|sum]({ccol}) FROM c)", "SELECT p.id, (SELECT c.v FROM c WHERE c.cid = {int}) FROM p", "SELECT (SELECT i FROM st WHERE u = {int}) AS x, e.i FROM e"}},
      {"scalar_subquery_inlining", {"SELECT (SELECT {lit}), (SELECT p.id + {int}) FROM p WHERE {pcol} {cmp} (SELECT {lit})", "SELECT (SELECT (SELECT e.i)) FROM e"}},
      {"set_operation_simplification", {"SELECT {ecol} FROM e [UNION|UNION ALL|INTERSECT|EXCEPT] SELECT {pcol} FROM p", "SELECT id FROM p [UNION ALL|UNION] SELECT cid FROM c [UNION ALL|UNION|EXCEPT|INTERSECT] SELECT i FROM st", "SELECT p.id, p.city FROM p [INTERSECT|EXCEPT] SELECT c.pid, c.w FROM c", "SELECT city FROM p [INTERSECT|EXCEPT] SELECT w FROM c ORDER BY 1", "SELECT w FROM c [UNION|INTERSECT|EXCEPT] SELECT city FROM p", "SELECT count(*) FROM (SELECT i FROM st [UNION|INTERSECT|EXCEPT] SELECT id FROM p)", "SELECT id, name FROM p [INTERSECT|EXCEPT] SELECT id, name FROM p WHERE {pcond}",
                                       "SELECT t FROM st [UNION|INTERSECT|EXCEPT] SELECT city FROM p [UNION|INTERSECT|EXCEPT] SELECT name FROM p"}},
      {"semi_join_pull_up", {"SELECT * FROM (SELECT * FROM p WHERE id [NOT |]IN (SELECT pid FROM c)) AS q JOIN e ON e.i = q.id", "SELECT * FROM e, (SELECT * FROM p WHERE [NOT |]EXISTS (SELECT 1 FROM c WHERE c.pid = p.id)) AS q WHERE e.j = q.age", "SELECT * FROM (SELECT * FROM p WHERE id [NOT |]IN (SELECT pid FROM c)) AS q LEFT JOIN e ON e.i = q.id", "SELECT * FROM (SELECT * FROM p WHERE [NOT |]EXISTS (SELECT 1 FROM c, e WHERE c.pid = p.id LIMIT 1)) AS q JOIN (SELECT * FROM e WHERE e.i [NOT |]IN (SELECT u FROM st)) AS f ON f.j = q.id",
                            "SELECT q.id FROM (SELECT id FROM p INTERSECT SELECT pid FROM c) AS q JOIN e ON e.i = q.id"}},
      {"semi_join_to_join", {"SELECT v FROM c WHERE pid IN (SELECT id FROM p WHERE {pcond})", "SELECT DISTINCT city FROM p WHERE id IN (SELECT pid FROM c WHERE {ccond})", "SELECT city, max(age) FROM p WHERE EXISTS (SELECT 1 FROM c WHERE c.pid = p.id) GROUP BY city", "SELECT * FROM p WHERE age IN (SELECT max(v) FROM c)", "SELECT * FROM l WHERE code IN (SELECT code FROM k)", "SELECT * FROM p WHERE id IN (SELECT pid FROM c WHERE v IN (SELECT i FROM e))", "SELECT * FROM e WHERE (i, s) IN (SELECT a, b FROM m)", "SELECT * FROM p WHERE name IN (SELECT name FROM p AS q WHERE q.age > 1)"}},
      {"distinct_removal", {"SELECT DISTINCT id, {pcol} FROM p", "SELECT DISTINCT name FROM p WHERE {pcond}", "SELECT DISTINCT a, b FROM m", "SELECT DISTINCT i FROM (SELECT DISTINCT i, s FROM e)", "SELECT DISTINCT code FROM k", "SELECT DISTINCT p.id, c.cid FROM p JOIN c ON p.id = c.pid", "SELECT DISTINCT p.id FROM p LEFT JOIN c ON p.id = c.pid", "SELECT DISTINCT u FROM st", "SELECT DISTINCT max(i) FROM e", "SELECT DISTINCT age, count(*) FROM p GROUP BY age", "SELECT * FROM p WHERE id IN (SELECT DISTINCT pid FROM c)", "SELECT count(*) FROM (SELECT DISTINCT key FROM g)", "SELECT DISTINCT c.cid, p.name FROM c LEFT JOIN p ON c.qid = p.id", "SELECT DISTINCT rowid, i FROM e"}},
      {"count_simplification", {"SELECT [avg|total](CAST({ecol} AS [REAL|FLOAT|INT])), avg(DISTINCT CAST({ecol} AS REAL)) FROM e", "SELECT count([{pcol}|1|'a']) FROM p", "SELECT count(p.id), count(c.cid), count(c.v) FROM p LEFT JOIN c ON p.id = c.pid", "SELECT age, count(id), count(DISTINCT id), count(DISTINCT name) FROM p GROUP BY age", "SELECT min(DISTINCT {ecol}), max(DISTINCT {ecol}), count(DISTINCT {ecol}) FROM e", "SELECT p.id, count(DISTINCT c.cid), sum(DISTINCT c.cid) FROM p JOIN c ON p.id = c.pid GROUP BY p.id", "SELECT count(DISTINCT code), count(DISTINCT a) FROM k, m", "SELECT count(DISTINCT u), count(u), count(i) FROM st", "SELECT pid, count(DISTINCT cid), avg(DISTINCT cid) FROM c GROUP BY pid HAVING count(cid) > 0", "SELECT count(age) FROM p WHERE age > 0"}},
      {"aggregate_filter", {"SELECT s, sum(j > {int}), sum(j IS NOT NULL AND i IS {lit}), sum(i = {int}) FROM e GROUP BY s", "SELECT pid, sum(cid IN (1, 2, 3)) FROM c GROUP BY pid", "SELECT [count|sum|avg|total|min|max](CASE WHEN {econd} THEN {ecol} [ELSE NULL |]END) FROM e", "SELECT i, sum(CASE WHEN {econd} THEN 1 ELSE 0 END), count(CASE WHEN {econd} THEN 1 END) FROM e GROUP BY i", "SELECT sum(CASE WHEN {econd} THEN 1 ELSE 0 END) FROM e", "SELECT sum(iif({econd}, 1, 0)) FILTER (WHERE {econd}), count(iif({econd}, 1, NULL)) FILTER (WHERE {econd}) FROM e GROUP BY j", "SELECT s, max(CASE WHEN {econd} THEN i END) FROM e"}},
      {"bare_column_to_key", {"SELECT p.name, count(*) FROM p JOIN c ON p.id = c.pid GROUP BY p.id", "SELECT id, {pcol}, {pcol} FROM p GROUP BY id", "SELECT {pcol}, max(c.v) FROM p JOIN c ON p.id = c.pid GROUP BY c.pid", "SELECT p.name, p.age, count(c.cid) FROM p LEFT JOIN c ON p.id = c.pid GROUP BY p.[id|name] HAVING count(*) > 0", "SELECT label, count(*) FROM k JOIN l ON k.code = l.code GROUP BY k.code", "SELECT n, count(*) FROM m GROUP BY a, b", "SELECT city FROM p GROUP BY name", "SELECT p.name FROM p JOIN c ON p.id = c.pid GROUP BY p.id ORDER BY count(*) DESC, p.name LIMIT 1", "SELECT t, count(*) FROM st GROUP BY u"}},
      {"group_key_reduction", {"SELECT count(*) FROM p GROUP BY id, name", "SELECT count(*), max(v) FROM p JOIN c ON p.id = c.pid GROUP BY p.id, p.name, c.pid", "SELECT p.age, count(*) FROM p GROUP BY p.age, p.age + 1", "SELECT age FROM p GROUP BY age, id", "SELECT c1 FROM (SELECT age AS a1, age AS a2, count(*) AS c1 FROM p GROUP BY age, age)", "SELECT max(v) FROM c GROUP BY pid, cid", "SELECT x, n FROM (SELECT p.id AS x, p.city AS y, count(*) AS n FROM p GROUP BY p.id, p.city, upper(p.city))", "SELECT count(*) FROM m GROUP BY a, b, n", "SELECT count(*) FROM e GROUP BY i, i, s"}},
      {"aggregate_to_distinct", {"SELECT {ecol} FROM e GROUP BY {ecol}", "SELECT i, s FROM e GROUP BY i, s", "SELECT w FROM c GROUP BY w", "SELECT age + 1 FROM p GROUP BY age + 1", "SELECT pid FROM c WHERE {ccond} GROUP BY pid HAVING pid > 0", "SELECT count(*) FROM (SELECT i, w FROM e, c GROUP BY i, w)"}},
      {"group_by_removal", {"SELECT id, count(*), count(age), max(city), min(score), sum(id) FROM p GROUP BY id", "SELECT name, sum(age) FROM p GROUP BY name", "SELECT cid, max(x), count(DISTINCT v) FROM c GROUP BY cid", "SELECT c.cid, count(*), max(p.age) FROM c JOIN p ON c.pid = p.id GROUP BY c.cid", "SELECT a, b, count(*) FROM m GROUP BY a, b", "SELECT u, sum(i) FROM st GROUP BY u", "SELECT age, count(*) FROM p WHERE id = {int} GROUP BY age", "SELECT key, max(z) FROM g GROUP BY key HAVING count(*) > 0", "SELECT city, count(*) FROM p GROUP BY city, name"}},
      {"left_join_removal", {"SELECT {ccol} FROM c LEFT JOIN p ON c.[pid|qid] = p.id", "SELECT count(*) FROM c LEFT JOIN p ON c.pid = p.id AND p.age > 1", "SELECT DISTINCT {pcol} FROM p LEFT JOIN c ON p.id = c.pid", "SELECT count(*) FROM p LEFT JOIN c ON p.id = c.pid", "SELECT city, max(age) FROM p LEFT JOIN c ON p.id = c.pid GROUP BY city", "SELECT e.i FROM e LEFT JOIN (SELECT pid, count(*) AS n FROM c GROUP BY pid) AS d ON d.pid = e.i", "SELECT l.n FROM l LEFT JOIN k ON l.code = k.code", "SELECT e.i FROM e LEFT JOIN (SELECT max(v) AS x FROM c) AS d", "SELECT e.s FROM e LEFT JOIN m ON m.a = e.i AND m.b = e.s", "SELECT c.v FROM c LEFT JOIN p ON c.pid = p.id LEFT JOIN p AS q ON q.name = p.name"}},
      {"foreign_key_join_removal", {"SELECT p.id, c.v FROM c JOIN p ON c.[pid|qid] = p.id", "SELECT p.id, count(*) FROM c JOIN p ON c.pid = p.id GROUP BY p.id", "SELECT k.code, n FROM l JOIN k ON l.code = k.code ORDER BY k.code", "SELECT p.id FROM p JOIN (SELECT pid, count(*) AS n FROM c GROUP BY pid) AS d ON d.pid = p.id WHERE d.n > 0", "SELECT {ccol} FROM c JOIN p ON c.[pid|qid] = p.id", "SELECT count(*) FROM p JOIN c ON c.pid = p.id WHERE {ccond}", "SELECT p.id, c.v FROM p, c WHERE p.id = c.pid", "SELECT c.v FROM c JOIN p ON c.pid = p.id WHERE [p.id|c.pid] {order} {int}", "SELECT n FROM l JOIN k ON l.code = k.code", "SELECT c.v, e.s FROM c JOIN p ON c.pid = p.id JOIN e ON e.i = c.v", "SELECT k.label FROM k JOIN p ON k.pid = p.id", "SELECT count(*) FROM c JOIN p ON c.pid = p.id AND c.qid = p.id", "SELECT x.v FROM c AS x JOIN c AS y ON x.cid = y.cid JOIN p ON p.id = y.pid"}},
      {"self_join_removal", {"SELECT q.x, p.age FROM (SELECT id AS x, name FROM p ORDER BY id LIMIT 3) AS q JOIN p ON p.id = q.x", "SELECT c.v, q.age, p.age, q.name FROM c LEFT JOIN p ON c.qid = p.id LEFT JOIN p AS q ON q.id = p.id", "SELECT * FROM c LEFT JOIN p ON c.qid = p.id AND p.age > 1 LEFT JOIN p AS q ON q.[id|name] = p.[id|name]", "SELECT * FROM p AS a JOIN p AS b ON a.id = b.id UNION ALL SELECT * FROM p AS a JOIN p AS b ON a.name = b.name", "SELECT a.name, b.age FROM p AS a JOIN p AS b ON a.id = b.id", "SELECT a.city FROM p AS a, p AS b WHERE a.name = b.name AND b.age > 1 AND a.score < 3", "SELECT * FROM p AS a JOIN p AS b ON a.id = b.id AND a.age = b.age", "SELECT a.n, b.n FROM m AS a JOIN m AS b ON a.a = b.a AND a.b = b.b", "SELECT x.v FROM c AS x JOIN c AS y ON x.cid = y.cid LEFT JOIN p ON p.id = y.pid", "SELECT a.id FROM p AS a JOIN p AS b ON a.age = b.age", "SELECT a.label FROM k AS a JOIN k AS b ON a.code = b.code", "SELECT a.id FROM p AS a WHERE a.id IN (SELECT b.id FROM p AS b WHERE b.age > {int})", "SELECT a.t FROM st AS a JOIN st AS b ON a.u = b.u", "SELECT a.v, b.v FROM c AS a JOIN c AS b ON a.cid = b.cid WHERE b.pid = {int} AND a.pid = {int}", "SELECT count(*) FROM e AS a JOIN e AS b ON a.rowid = b.rowid"}},
      {"left_to_anti_join", {"SELECT p.* FROM p LEFT JOIN c ON p.id = c.pid WHERE c.[pid|cid|v|qid] IS NULL", "SELECT * FROM p LEFT JOIN c ON p.id = c.pid AND {ccond} WHERE c.cid IS NULL AND {pcond}", "SELECT * FROM l LEFT JOIN k ON l.code = k.code WHERE k.code IS NULL", "SELECT p.id, c.v FROM p LEFT JOIN c ON p.age = c.v WHERE c.v IS NULL [AND c.w IS NULL|OR p.id = 1]", "SELECT count(*) FROM p LEFT JOIN (SELECT pid FROM c WHERE v > 1) AS d ON d.pid = p.id WHERE d.pid IS NULL"}},
      {"transitive_equalities", {"SELECT * FROM p, c, p AS q WHERE p.id = c.pid AND c.pid = q.id AND [q.id > {int}|q.id = {int}|{pcond}]", "SELECT * FROM p JOIN c ON p.id = c.pid WHERE c.pid = {int} AND {pcond}", "SELECT * FROM st AS a, st AS b WHERE a.i = b.i AND b.i = {int} AND a.u IN (1, b.i)", "SELECT * FROM p, c, k WHERE p.id = c.qid AND p.id = k.pid AND c.qid = k.pid", "SELECT * FROM p, st WHERE p.name = st.t AND st.t = {text} AND upper(p.name) = p.city", "SELECT * FROM p, c WHERE p.id = {int} AND c.pid = {int}", "SELECT * FROM p WHERE p.age = p.id AND p.id = c AND p.age < 3", "SELECT * FROM p WHERE EXISTS (SELECT 1 FROM c WHERE c.pid = p.id AND c.qid = p.id AND c.pid > 1)", "SELECT * FROM e WHERE e.i = e.j AND e.j = {int} AND e.i < 3", "SELECT * FROM p, c LEFT JOIN k ON k.pid = c.qid WHERE p.id = c.qid AND c.qid = c.pid AND c.pid > 0"}},
      {"correlated_aggregate_unnesting", {"SELECT * FROM c WHERE c.v {cmp} (SELECT [avg|count|max|total|sum|min](d.v) FROM c AS d WHERE d.pid = c.pid [AND d.v > {int}|])", "SELECT p.id, (SELECT count(*) FROM c WHERE c.pid = p.id), (SELECT max(c.v) + 1 FROM c WHERE c.qid = p.id AND {ccond}) FROM p", "SELECT * FROM p WHERE (SELECT count(*) FROM c WHERE c.pid = p.id) {cmp} [0|1|2]",
                                         "SELECT * FROM p WHERE p.age {cmp} (SELECT sum(e.i) + count(*) FROM e JOIN c ON e.i = c.v WHERE c.pid = p.id)", "SELECT p.id, (SELECT count(*) FROM c WHERE c.pid = p.id AND c.qid = p.age) AS n FROM p ORDER BY n, p.id", "SELECT p.id FROM p WHERE p.age = (SELECT count(*) FROM c WHERE c.pid > p.id)"}},
      {"arithmetic_simplification", {"SELECT [0 + |1 * |]({ecol} [+|-|*] {ecol}), ({ecol} * {ecol}) [+ 0|- 0|* 1|/ 1] FROM e", "SELECT [p.id|p.age|p.score|p.city] [+ 0|* 1|- 0|/ 1], 1 * p.id FROM p", "SELECT CAST([p.id|p.age|p.score|length(p.city)] AS [INTEGER|INT|NUMERIC|DECIMAL]) FROM p", "SELECT * FROM st WHERE CAST(st.[i|u] AS INT) {cmp} {lit}"}},
      {"integer_sums", {"SELECT * FROM p WHERE p.[id|age] [+|-] {int} {cmp} {int}", "SELECT * FROM st WHERE {int} [+|-] st.[i|u] {cmp} {int}", "SELECT p.id - 1 {cmp} {int}, 9223372036854775807 - p.id < {int} FROM p", "SELECT e.i FROM e GROUP BY e.i HAVING count(*) + 1 {cmp} {int}"}},
      {"constant_aggregate", {"SELECT count(NULL), [sum|avg|total|min|max](NULL), {agg} FROM e [GROUP BY e.i|]", "SELECT count(*) FILTER (WHERE [0|1|NULL]), sum(e.i) FILTER (WHERE [0|1]) FROM e", "SELECT e.s, max(NULL), count(DISTINCT NULL) FROM e GROUP BY e.i", "SELECT {agg}, [total|count|avg](e.j) FILTER (WHERE 0) FROM e GROUP BY e.s"}},
      {"distinct_into_aggregate", {"SELECT [count|sum|avg|total|max](x) FROM (SELECT DISTINCT {ecol} AS x FROM e)", "SELECT s, count(x), [sum|min|count](x) FROM (SELECT DISTINCT e.s, {ecol} AS x FROM e) GROUP BY s", "SELECT count(DISTINCT x) FROM (SELECT e.i AS x FROM e GROUP BY e.i)", "SELECT count(v), sum(DISTINCT v) FROM (SELECT v FROM c UNION SELECT age FROM p)"}},
      {"partial_aggregate_merging", {"SELECT x, [sum(y)|count(y)|avg(y)|min(y)|max(y)|count(DISTINCT y)], sum(n) FROM (SELECT i AS x, [j|s|a] AS y, count(*) AS n FROM e GROUP BY 1, 2) GROUP BY x", "SELECT x, min(x), max(k), count(DISTINCT k), sum(n) FROM (SELECT age AS x, city AS k, count(*) AS n FROM p GROUP BY age, city UNION ALL SELECT v, w, count(*) FROM c GROUP BY v, w COLLATE BINARY) GROUP BY x", "SELECT sum(y), count(DISTINCT y), min(n) FROM (SELECT i AS x, j AS y, min(r) AS n FROM e GROUP BY i, j) GROUP BY [x|y|NULL]", "SELECT x, [sum(n)|sum(s)|max(b)|min(a)], sum(n) FROM (SELECT e.i AS x, e.s AS y, count([*|e.j|e.a]) AS n, sum({ecol}) AS s, min({ecol}) AS a, max({ecol}) AS b FROM e GROUP BY e.i, e.s) GROUP BY x", "SELECT [sum(s)|max(b)|sum(n)] FROM (SELECT sum(e.[i|r]) AS s, max(e.[j|s]) AS b, count(*) AS n FROM e UNION ALL SELECT sum(p.[age|score]), max(p.[age|city]), count(*) FROM p)", "SELECT x, sum(n) FROM (SELECT e.i AS x, count(*) AS n FROM e GROUP BY e.i UNION ALL SELECT p.age, count(*) FROM p GROUP BY p.age) GROUP BY x", "SELECT sum(n) FROM (SELECT count(*) AS n FROM e [GROUP BY e.i|])", "SELECT x, max(m) FROM (SELECT i AS x, max(j) AS m FROM e GROUP BY i UNION ALL SELECT pid, max(v) FROM c GROUP BY pid, qid) GROUP BY x"}},
      {"distinct_join_to_semi_join", {"SELECT {pcol} FROM p JOIN (SELECT DISTINCT pid FROM c WHERE {ccond}) AS d ON p.id = d.pid", "SELECT d.pid, p.name FROM (SELECT DISTINCT pid FROM c) AS d, p WHERE p.id = d.pid AND {pcond}", "SELECT count(*), d.x FROM c JOIN (SELECT age AS x FROM p GROUP BY age) AS d ON c.v = d.x GROUP BY d.x", "SELECT a.i FROM st AS a JOIN (SELECT DISTINCT i, u FROM st WHERE r > 1) AS b ON a.i = b.i [AND a.u = b.u|]"}},
      {"repeated_sort_removal", {"SELECT * FROM (SELECT id, age FROM p ORDER BY [id|age] LIMIT {int}) ORDER BY [id|age]", "SELECT name FROM (SELECT * FROM p ORDER BY age, id LIMIT 3) ORDER BY age, id", "SELECT id FROM (SELECT id FROM p ORDER BY id [DESC|DESC|] LIMIT 3 OFFSET 1) ORDER BY id [DESC|]", "SELECT name FROM (SELECT * FROM p ORDER BY name LIMIT 4) ORDER BY name LIMIT 2"}},
      {"constant_key_removal", {"SELECT {agg}, 1 FROM e GROUP BY NULL", "SELECT i, 'x', {agg} FROM e GROUP BY i, 'x'", "SELECT k, {agg} FROM (SELECT 'a' AS k, * FROM e) AS e GROUP BY k", "SELECT s, [i|j], max(i) FROM e GROUP BY s, s = s OR 1"}},
      {"single_group", {"SELECT n, sum(n), {agg} FROM (SELECT count(*) AS n FROM p) LEFT JOIN e ON e.i < n GROUP BY [NULL|'a'] ", "SELECT max(x), count(*) FROM (SELECT 1 AS x UNION ALL SELECT i FROM e) GROUP BY NULL", "SELECT x FROM (SELECT [min|max|sum](i) AS x FROM e) ORDER BY x [DESC|] LIMIT 1"}},
      {"having_not_null", {"SELECT p.id, max(c.v) FROM p LEFT JOIN c ON p.id = c.pid GROUP BY p.id HAVING max(c.v) {cmp} {lit}", "SELECT city, sum(age), count(age) FROM p GROUP BY city HAVING [sum|avg|min](age) {order} {lit}", "SELECT [max|sum](age) FROM p HAVING max(age) > {int}", "SELECT i, min(s) FROM e GROUP BY i HAVING min(s) {cmp} {lit} AND count(s) > 0", "SELECT s, count(DISTINCT a) FROM e GROUP BY s HAVING max(a) FILTER (WHERE i > {int}) {order} {lit}"}},
      {"matched_outer_join", {"SELECT {pcol}, {ccol} FROM c LEFT JOIN p ON c.[pid|qid] = p.id", "SELECT p.age, q.name FROM p LEFT JOIN p AS q ON p.id = q.id [AND q.age > {int}|]", "SELECT * FROM (SELECT * FROM p WHERE age > 1) AS p LEFT JOIN (SELECT * FROM p WHERE age > [1|2]) AS q ON p.id = q.id", "SELECT * FROM p FULL JOIN (SELECT * FROM p WHERE age > {int}) AS q ON p.id = q.id", "SELECT * FROM st AS a FULL JOIN st AS b ON a.i = b.i", "SELECT a.i, b.u FROM st AS a LEFT JOIN st AS b ON a.[u|i] = b.[u|i]", "SELECT p.name, c.v FROM p FULL JOIN c ON c.pid = p.id", "SELECT l.n, k.label FROM l LEFT JOIN k ON l.code = k.code", "SELECT q.age, r.age FROM c LEFT JOIN p AS q ON q.id = c.qid LEFT JOIN p AS r ON r.id = q.id"}},
      {"limit_below_left_join", {"SELECT c.v, p.name FROM c LEFT JOIN p ON c.[pid|qid] = p.id ORDER BY c.[v|cid] [DESC|][, c.cid|] LIMIT [{int}|-1] [OFFSET 1|]", "SELECT * FROM (SELECT c.cid AS x, p.city AS t FROM c LEFT JOIN p ON c.qid = p.id ORDER BY c.cid LIMIT 3) WHERE t IS NOT NULL", "SELECT l.n, k.label FROM l LEFT JOIN k ON l.code = k.code ORDER BY l.n, l.rowid LIMIT {int}", "SELECT count(*) FROM (SELECT p.id FROM p LEFT JOIN c ON p.id = c.pid ORDER BY p.id LIMIT 3)"}},
      {"left_join_to_exists", {"SELECT c.v, p.id IS [NOT |]NULL FROM c LEFT JOIN p ON c.qid = p.id [AND p.age > 1|]", "SELECT c.v FROM c LEFT JOIN p ON c.qid = p.id WHERE p.[id|name] IS NOT NULL OR c.v > {int}", "SELECT e.i, CASE WHEN d.f IS NOT NULL THEN 'y' ELSE 'n' END FROM e LEFT JOIN (SELECT DISTINCT i, 1 AS f FROM st) AS d ON d.i = e.j", "SELECT e.i FROM e LEFT JOIN (SELECT count(*) AS f, max(age) AS g FROM p HAVING count(*) > {int}) AS d WHERE [f|g] IS NULL OR e.i = 1", "SELECT p.id, sum(d.cid IS NULL) FROM p LEFT JOIN c AS d ON d.cid = p.age GROUP BY p.id"}},
      {"in_to_exists", {"SELECT p.id IN (SELECT pid FROM c[ WHERE {ccond}|]), p.id NOT IN (SELECT cid FROM c) FROM p", "SELECT * FROM p WHERE p.age = {int} OR p.[id|age] IN (SELECT [pid|qid] FROM c)", "SELECT * FROM p WHERE (p.id, p.name) IN (SELECT pid, w FROM c) OR p.age > 1", "SELECT * FROM st WHERE st.i NOT IN (SELECT i FROM st WHERE r > 1) OR st.t = 'a'", "SELECT * FROM c WHERE c.w IN (SELECT [name|city] FROM p) OR c.v = {int}", "SELECT count(*) FROM p WHERE NOT (p.id IN (SELECT pid FROM c WHERE c.v = p.age) AND p.age > {int})"}},
      {"top_row_to_extreme", {"SELECT [i|s|r|a] FROM e ORDER BY 1 [DESC|] LIMIT 1", "SELECT p.age FROM p WHERE {pcond} ORDER BY p.age DESC LIMIT 1", "SELECT id + 1, id FROM p ORDER BY id [DESC|] LIMIT 1", "SELECT e.a FROM e ORDER BY e.a [DESC|ASC NULLS LAST|DESC NULLS FIRST], e.i LIMIT 1", "SELECT count(*) FROM p GROUP BY city ORDER BY count(*) DESC LIMIT 1", "SELECT (SELECT c.v FROM c WHERE c.pid = p.id ORDER BY c.v DESC LIMIT 1) FROM p", "SELECT max(x) FROM (SELECT w AS x FROM c ORDER BY w COLLATE BINARY DESC LIMIT 1)"}},
      {"grouped_scalar", {"SELECT * FROM p WHERE age {cmp} (SELECT age FROM p ORDER BY age DESC LIMIT 1)", "SELECT (SELECT c.v FROM c WHERE c.pid = p.id ORDER BY c.v DESC LIMIT 1) FROM p", "SELECT p.id FROM p WHERE (SELECT c.cid + 1 FROM c WHERE c.v = p.age ORDER BY c.cid LIMIT 1) IS [NOT |]NULL", "SELECT coalesce((SELECT i FROM e WHERE j > {int} ORDER BY i DESC LIMIT 1), 7)"}},
      {"common_column", {"SELECT x, y, sum(z) FROM (SELECT i AS x, i AS y, j AS z FROM e UNION ALL SELECT age, age, id FROM p) GROUP BY x, y", "SELECT * FROM (SELECT s AS a, i AS b, s AS c FROM e UNION ALL SELECT city, age, city FROM p UNION ALL SELECT name, id, name FROM p) WHERE a {cmp} {lit} AND c {cmp} {lit}", "SELECT sum(u), x FROM (SELECT i AS x, [NULL|1|'a'] AS u FROM e UNION ALL SELECT age, [NULL|1] FROM p) GROUP BY x", "SELECT i, 1, s FROM e UNION ALL SELECT age, 1, city FROM p [ORDER BY 1|]", "SELECT * FROM (SELECT 0 AS f, name FROM p UNION ALL SELECT 0, w FROM c) WHERE f = [0|1]", "SELECT x FROM (SELECT 'a' AS x, i FROM e UNION ALL SELECT 'a', j FROM e) WHERE x {cmp} {lit}"}},
      {"projection_renaming", {"SELECT x, y FROM (SELECT id AS x, id AS y FROM p) WHERE x {cmp} {int}", "SELECT q.x, p.id FROM p LEFT JOIN (SELECT pid AS x FROM c UNION ALL SELECT qid FROM c) AS q ON q.x = p.id", "SELECT id FROM p INTERSECT SELECT pid FROM c", "SELECT (SELECT p.id AS x FROM c WHERE c.pid = p.id) FROM p", "SELECT * FROM (SELECT DISTINCT city AS t, city AS u FROM p)", "SELECT a.id, b.id FROM (SELECT id FROM p EXCEPT SELECT qid FROM c) AS a, (SELECT id FROM p EXCEPT SELECT pid FROM c) AS b"}},
  };
  return forms;
}
// clang-format on

}  // namespace

std::vector<std::string> TriggerQueries::rules() {
  std::vector<std::string> names;
  for (const auto& [rule, forms] : forms_of_rules()) names.push_back(rule);
  return names;
}

std::string TriggerQueries::query(const std::string& rule) {
  const auto& forms = forms_of_rules().at(rule);
  return expand(forms[random_() % forms.size()]);
}

std::string TriggerQueries::expand(std::string_view form) {
  std::string text;
  const auto end_of = [&](std::size_t open, char opening, char closing) {
    int level = 0;
    for (std::size_t i = open; i < form.size(); ++i) {
      if (form[i] == '\\')
        ++i;
      else if (form[i] == opening)
        ++level;
      else if (form[i] == closing && --level == 0)
        return i;
    }
    return form.size();
  };
  for (std::size_t i = 0; i < form.size(); ++i) {
    if (form[i] == '\\') {
      text += form[++i];
    } else if (form[i] == '[') {
      const auto end = end_of(i, '[', ']');
      std::vector<std::string_view> choices;
      std::size_t from = i + 1;
      int level = 0;
      for (std::size_t at = from; at <= end; ++at) {
        if (at < end && form[at] == '\\')
          ++at;
        else if (at < end && form[at] == '[')
          ++level;
        else if (at < end && form[at] == ']')
          --level;
        else if (at == end || (form[at] == '|' && level == 0)) {
          choices.push_back(form.substr(from, at - from));
          from = at + 1;
        }
      }
      text += expand(choices[random_() % choices.size()]);
      i = end;
    } else if (form[i] == '{') {
      const auto end = end_of(i, '{', '}');
      const auto& choices = macros().find(form.substr(i + 1, end - i - 1))->second;
      ++depth_;
      // Conditions within conditions end somewhere.
      text += expand(choices[random_() % (depth_ > 4 ? 1 : choices.size())]);
      --depth_;
      i = end;
    } else {
      text += form[i];
    }
  }
  return text;
}

}  // namespace trustsql::testing_support
