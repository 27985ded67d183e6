#include "sql/printer.hpp"

#include <gtest/gtest.h>

#include "sql/parser.hpp"

namespace trustsql {
namespace {

std::string printed(std::string_view sql, PrintStyle style = PrintStyle::canonical) {
  const auto parsed = parse_query(sql);
  return parsed.ok() ? print_query(*parsed, style) : parsed.error().message;
}

TEST(Printer, CanonicalTextForgetsTheSpelling) {
  EXPECT_EQ(printed("select  all a b,c  as\"d\" from t x /* y */ where a==1 and b<>2 ;"),
            "SELECT a AS b, c AS d FROM t AS x WHERE a = 1 AND b != 2");
  EXPECT_EQ(printed("SELECT a ISNULL, a NOT NULL, a IS NOT DISTINCT FROM b"),
            "SELECT a IS NULL, a IS NOT NULL, a IS b");
  EXPECT_EQ(
      printed("SELECT a FROM t INNER JOIN u ON (a = b) LEFT OUTER JOIN v USING(c) ORDER BY a ASC, b DESC LIMIT 1, 2"),
      "SELECT a FROM t JOIN u ON a = b LEFT JOIN v USING (c) ORDER BY a, b DESC LIMIT 2 OFFSET 1");
  EXPECT_EQ(printed("SELECT sum(ALL a) OVER (ROWS 1 PRECEDING)"),
            "SELECT sum(a) OVER (ROWS BETWEEN 1 PRECEDING AND CURRENT ROW)");
}

TEST(Printer, AllClausesAreThere) {
  for (const char* const sql : {
           "WITH RECURSIVE a(x, y) AS NOT MATERIALIZED (VALUES (1, 2), (3, 4)), b AS MATERIALIZED (SELECT 1) SELECT * "
           "FROM a, b",
           "SELECT DISTINCT t.*, count(DISTINCT a) FILTER (WHERE b > 0) OVER w FROM main.t AS u NOT INDEXED NATURAL "
           "LEFT JOIN v INDEXED BY i CROSS "
           "JOIN (w JOIN "
           "x ON 1) AS y, f(1, 2) AS z FULL JOIN (SELECT 1) RIGHT JOIN q WHERE a GROUP BY b, c HAVING max(d) WINDOW w "
           "AS (PARTITION BY a ORDER BY b "
           "DESC NULLS "
           "LAST GROUPS BETWEEN UNBOUNDED PRECEDING AND 1 FOLLOWING EXCLUDE TIES), v AS (w RANGE BETWEEN CURRENT ROW "
           "AND UNBOUNDED FOLLOWING)",
           "SELECT 1 UNION ALL SELECT 2 UNION VALUES (3) INTERSECT SELECT 4 EXCEPT SELECT 5 ORDER BY 1 NULLS FIRST "
           "LIMIT 1",
           "SELECT CASE a WHEN 1 THEN 2 WHEN 3 THEN 4 ELSE 5 END, CASE WHEN a THEN b END, CAST(a AS VARCHAR(10,-2)), "
           "CAST(b AS ), a COLLATE nocase",
           "SELECT a IN (1, 2), a NOT IN (), a IN (SELECT 1), a IN t, a IN main.f(1), (a, b) = (1, 2), EXISTS (SELECT "
           "1), NOT EXISTS (SELECT 2), "
           "(SELECT 3)",
           "SELECT x'00ff' = X'', 'it''s', 0x1F, 1_000, .5e-3, NULL, CURRENT_DATE, CURRENT_TIME, CURRENT_TIMESTAMP, "
           "TRUE, ?, ?1, :a, @b, $c::d(e)",
           "SELECT a LIKE b ESCAPE 'c', a NOT GLOB b, a REGEXP b, a NOT MATCH b, a NOT BETWEEN 1 AND 2, a -> 'x' ->> "
           "1, group_concat(DISTINCT a "
           "ORDER BY b)",
       }) {
    // Blobs are in capitals.
    std::string expected = sql;
    if (const auto blob = expected.find("x'00ff'"); blob != expected.npos) expected.replace(blob, 7, "X'00FF'");
    EXPECT_EQ(printed(sql), expected);
  }
}

TEST(Printer, ParenthesesOnlyWhereNeeded) {
  EXPECT_EQ(printed("SELECT ((a + (b * c)) * d) - (e - f), (a - b) - c"),
            "SELECT (a + b * c) * d - (e - f), a - b - c");
  EXPECT_EQ(printed("SELECT (a AND b) OR c, a AND (b OR c), a AND (b AND c), NOT (a OR b), (NOT a) = b"),
            "SELECT a AND b OR c, a AND (b OR c), a AND (b AND c), NOT (a OR b), (NOT a) = b");
  EXPECT_EQ(printed("SELECT -(-a), - -1, -(a COLLATE x), (-a) COLLATE x, a - -b, -(+a)"),
            "SELECT -(-a), -(-1), -(a COLLATE x), -a COLLATE x, a - -b, -+a");
  EXPECT_EQ(printed("SELECT a BETWEEN (b AND c) AND (d = e), a = (b IS NULL), (a = b) IS NULL"),
            "SELECT a BETWEEN (b AND c) AND (d = e), a = (b IS NULL), a = b IS NULL");
  // Before 3.41 the first is a list of one value.
  const std::string sets = "SELECT a IN ((SELECT 1)), a IN (SELECT 1)";
  EXPECT_EQ(print_query(*parse_query(sets, {.version = 3'040'001}), PrintStyle::canonical), sets);
  EXPECT_EQ(printed(sets), "SELECT a IN (SELECT 1), a IN (SELECT 1)");
}

TEST(Printer, NamesAreQuotedWhereTheyMustBe) {
  EXPECT_EQ(printed("SELECT [a], `b c`, \"d\", [select], t.[x y], t.\"z\", [e`f]"),
            "SELECT a, `b c`, \"d\", `select`, t.\"x y\", t.z, `e``f`");
  EXPECT_EQ(printed("SELECT key, end, `key`, t.`group`, `true`, true, t.`true` FROM 'a b' AS [over], [order]"),
            "SELECT key, end, `key`, t.\"group\", `true`, true, t.true FROM \"a b\" AS \"over\", \"order\"");
  EXPECT_EQ(printed("SELECT over, filter, window, left, \"\", `cast`, `cast`(1), [with] FROM t"),
            "SELECT `over`, `filter`, `window`, `left`, \"\", `cast`, \"cast\"(1), `with` FROM t");
  EXPECT_EQ(printed("SELECT \xc3\xa4, `\xef\xbb\xbfz`, `1a`, a$1 FROM t"),
            "SELECT \xc3\xa4, `\xef\xbb\xbfz`, `1a`, a$1 FROM t");
}

TEST(Printer, ATextThatNamesAColumnStays) {
  EXPECT_EQ(printed("SELECT \"1+1\" FROM (SELECT 1+1, 2+2)"), "SELECT \"1+1\" FROM (SELECT 1+1, 2 + 2)");
  EXPECT_EQ(printed("SELECT * FROM (SELECT a+1 -- x\n) NATURAL JOIN t"),
            "SELECT * FROM (SELECT a+1 -- x\n) NATURAL JOIN t");
  EXPECT_EQ(printed("SELECT x.[count( * )] FROM (SELECT Count( * ), count(*)) x"),
            "SELECT x.\"count( * )\" FROM (SELECT Count( * ), count(*)) AS x");
}

TEST(Printer, ParametersWithoutNumbersKeepTheirOrder) {
  EXPECT_EQ(printed("SELECT 1 LIMIT ?, ?"), "SELECT 1 LIMIT ?, ?");
  EXPECT_EQ(printed("SELECT 1 LIMIT ? OFFSET ?"), "SELECT 1 LIMIT ? OFFSET ?");
  EXPECT_EQ(printed("SELECT 1 LIMIT ?1, ?2"), "SELECT 1 LIMIT ?2 OFFSET ?1");
}

TEST(Printer, TreesThatWereNotParsedAreWrittenSafely) {
  const ast::Expr nul{ast::Literal{ast::Literal::Kind::string, std::string("a\0b", 3)}};
  EXPECT_EQ(print_expression(nul), "CAST(X'610062' AS TEXT)");
  const ast::Expr keyword{ast::ColumnRef{{}, {}, {"select"}}};
  EXPECT_EQ(print_expression(keyword), "`select`");
}

TEST(Printer, PrettyTextBreaksLongLinesOnly) {
  EXPECT_EQ(printed("SELECT a FROM t WHERE b", PrintStyle::pretty), "SELECT a FROM t WHERE b");
  EXPECT_EQ(printed("SELECT name, count(*) FROM singer AS T1 JOIN concert AS T2 ON T1.id = T2.singer WHERE year > 2000 "
                    "AND (name LIKE 'a%' OR name "
                    "LIKE 'b%') GROUP BY name "
                    "HAVING count(*) > (SELECT avg(n) FROM (SELECT count(*) AS n FROM concert WHERE stadium IS NOT "
                    "NULL AND year BETWEEN 1990 AND "
                    "2020 GROUP BY singer)) ORDER BY 2",
                    PrintStyle::pretty),
            R"(SELECT name, count(*)
FROM singer AS T1 JOIN concert AS T2 ON T1.id = T2.singer
WHERE year > 2000 AND (name LIKE 'a%' OR name LIKE 'b%')
GROUP BY name
HAVING
  count(*) > (
    SELECT avg(n)
    FROM
      (
        SELECT count(*) AS n
        FROM concert
        WHERE stadium IS NOT NULL AND year BETWEEN 1990 AND 2020
        GROUP BY singer
      )
  )
ORDER BY 2)");
}

}  // namespace
}  // namespace trustsql
