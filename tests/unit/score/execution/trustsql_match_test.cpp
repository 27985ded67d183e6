#include "score/execution/trustsql_match.hpp"

#include <gtest/gtest.h>

#include "unit/score/test_results.hpp"

namespace trustsql {
namespace {

using Dataset = TrustsqlDataset;

TEST(TrustsqlText, DistinctIsInsertedWhereTheGoldHasIt) {
  const auto prediction = [](std::string_view sql, std::string_view gold) {
    return trustsql_prediction(sql, gold, Dataset::atis);
  };
  EXPECT_EQ(prediction("SELECT a FROM t", "SELECT DISTINCT b FROM t"), "SELECT DISTINCT a FROM t");
  EXPECT_EQ(prediction("SELECT ALL a FROM t", "SELECT DISTINCT b FROM t"), "SELECT DISTINCT a FROM t");
  EXPECT_EQ(prediction("WITH c AS (SELECT 1) SELECT a FROM c", "SELECT DISTINCT b FROM t"),
            "WITH c AS (SELECT 1) SELECT DISTINCT a FROM c");
  for (const auto* unchanged : {"SELECT DISTINCT a FROM t", "VALUES (1)", "", "SELECT"})
    EXPECT_EQ(prediction(unchanged, "SELECT b FROM t"), unchanged);
  EXPECT_EQ(prediction("SELECT DISTINCT a", "SELECT DISTINCT b"), "SELECT DISTINCT a");
  EXPECT_EQ(prediction("SELECT a", "SELECT max(DISTINCT b) FROM (SELECT DISTINCT c FROM t)"), "SELECT a");
  EXPECT_EQ(trustsql_prediction("SELECT a", "SELECT DISTINCT b", Dataset::spider), "SELECT a");
}

TEST(TrustsqlText, DistinctIsInsertedIntoCount) {
  const auto prediction = [](std::string_view sql, std::string_view gold) {
    return trustsql_prediction(sql, gold, Dataset::advising);
  };
  constexpr std::string_view gold = "SELECT COUNT( DISTINCT b ) FROM t";
  EXPECT_EQ(prediction("SELECT COUNT(a) FROM t", gold), "SELECT COUNT(DISTINCT a) FROM t");
  EXPECT_EQ(prediction("SELECT count ( ALL a ) > 0, Count(b) FROM t", gold),
            "SELECT count ( DISTINCT a ) > 0, Count(DISTINCT b) FROM t");
  EXPECT_EQ(prediction("WITH c AS (SELECT 1) SELECT 2 * count(a) FILTER (WHERE a > 1) FROM c", gold),
            "WITH c AS (SELECT 1) SELECT 2 * count(DISTINCT a) FILTER (WHERE a > 1) FROM c");
  // Only in the outermost select list, and only where the query stays valid and has no DISTINCT of its own.
  for (const auto* unchanged :
       {"SELECT COUNT(*) FROM t", "SELECT COUNT( * ) FROM t", "SELECT count() FROM t", "SELECT a FROM t",
        "SELECT count(DISTINCT a), count(b) FROM t", "SELECT (SELECT count(a) FROM t)",
        "SELECT count(a) OVER () FROM t", "SELECT count(a) FILTER (WHERE 1) OVER w FROM t WINDOW w AS ()",
        "SELECT a FROM t GROUP BY a HAVING count(b) > 1", "SELECT count FROM t", "SELECT 'count(a)' FROM t",
        "SELECT COUNT("})
    EXPECT_EQ(prediction(unchanged, gold), unchanged);
  // The gold query decides.
  for (const auto* other : {"SELECT COUNT(b) FROM t", "SELECT COUNT(*) FROM t",
                            "SELECT a FROM (SELECT COUNT(DISTINCT b))", "SELECT (SELECT COUNT(DISTINCT b) FROM t)"})
    EXPECT_EQ(prediction("SELECT COUNT(a) FROM t", other), "SELECT COUNT(a) FROM t");
  EXPECT_EQ(prediction("SELECT a, COUNT(b) FROM t", "SELECT DISTINCT a, COUNT(b) FROM t"),
            "SELECT DISTINCT a, COUNT(b) FROM t");
  EXPECT_EQ(prediction("SELECT COUNT(b) FROM t", "SELECT DISTINCT COUNT(DISTINCT b) FROM t"),
            "SELECT DISTINCT COUNT(DISTINCT b) FROM t");
  // Both rules of EHRSQL at once.
  EXPECT_EQ(trustsql_prediction("SELECT count(a) FROM t WHERE b < NOW()", gold, Dataset::ehrsql),
            "SELECT count(DISTINCT a) FROM t WHERE b < '2100-12-31 23:59:00'");
}

TEST(TrustsqlText, EhrsqlIntervals) {
  const auto fixed = [](std::string_view sql) { return trustsql_gold(sql, Dataset::ehrsql); };
  EXPECT_EQ(fixed("a >= DATE_SUB(NOW(), INTERVAL 1 YEAR)"), "a >= datetime('2100-12-31 23:59:00', '-1 year')");
  EXPECT_EQ(fixed("a < date_add( t.b , interval '2' month )"), "a < datetime( t.b , '+2 month' )");
  EXPECT_EQ(
      fixed("DATE_SUB(CURDATE(), INTERVAL 3 WEEK), DATE_ADD(a, INTERVAL 1 QUARTER), DATE_ADD(a, INTERVAL -5 DAY)"),
      "datetime('2100-12-31', '-21 day'), datetime(a, '+3 month'), datetime(a, '-5 day')");
  EXPECT_EQ(fixed("DATE_SUB(a, INTERVAL n + 1 HOUR)"), "datetime(a, (-1 * ( n + 1 )) || ' hour')");
  EXPECT_EQ(fixed("DATE_SUB(DATE_ADD(max(a, b), INTERVAL 1 DAY), INTERVAL (SELECT 2) MINUTE)"),
            "datetime(datetime(max(a, b), '+1 day'), (-1 * ( (SELECT 2) )) || ' minute')");
  for (const auto* unchanged :
       {"DATE_SUB(a, 1)", "DATE_SUB(a, INTERVAL 1)", "DATE_SUB(a, INTERVAL DAY)", "DATE_SUB(INTERVAL 1 DAY)",
        "DATE_SUB(a, INTERVAL 1 LIGHTYEAR)", "DATE_SUB(a, INTERVAL 1 DAY", "DATE_SUB", "DATE_SUB()", "interval",
        "'DATE_SUB(a, INTERVAL 1 DAY)'", "DATE_SUB(, INTERVAL 1 DAY)"})
    EXPECT_EQ(fixed(unchanged), unchanged);
  EXPECT_EQ(trustsql_gold("DATE_SUB(a, INTERVAL 1 DAY)", Dataset::advising), "DATE_SUB(a, INTERVAL 1 DAY)");
}

TEST(TrustsqlText, DatasetsHaveNames) {
  for (const auto dataset : {Dataset::atis, Dataset::advising, Dataset::ehrsql, Dataset::spider})
    EXPECT_EQ(find_dataset(dataset_name(dataset)), dataset);
  EXPECT_EQ(find_dataset("EHRSQL"), Dataset::ehrsql);
  EXPECT_EQ(find_dataset("bird"), std::nullopt);
  EXPECT_EQ(find_dataset(""), std::nullopt);
}

TEST(TrustsqlText, EhrsqlHasItsOwnClock) {
  const auto fixed = [](std::string_view sql) { return trustsql_gold(sql, Dataset::ehrsql); };
  EXPECT_EQ(fixed("SELECT datetime(current_time, '-1 day'), CURRENT_DATE, date('now'), NOW(), CURDATE ( ), curtime()"),
            "SELECT datetime('2100-12-31 23:59:00', '-1 day'), '2100-12-31', date('2100-12-31 23:59:00'), '2100-12-31 "
            "23:59:00', '2100-12-31', "
            "'23:59:00'");
  EXPECT_EQ(fixed("SELECT 'current_time', now, \"current_time\" -- current_time"),
            "SELECT 'current_time', now, \"current_time\" -- current_time");
  EXPECT_EQ(trustsql_gold("SELECT current_time", Dataset::atis), "SELECT current_time");
}

TEST(TrustsqlText, EhrsqlHasBoundsOfVitalSigns) {
  EXPECT_EQ(trustsql_gold("x BETWEEN temperature_lower AND temperature_upper AND y > sao2_lower AND z < Mean_BP_upper",
                          Dataset::ehrsql),
            "x BETWEEN 35.5 AND 38.1 AND y > 95.0 AND z < 110.0");
  EXPECT_EQ(trustsql_gold("t.temperature_lower, weight_lower, temperature", Dataset::ehrsql),
            "t.temperature_lower, weight_lower, temperature");
}

TEST(TrustsqlText, EhrsqlFormatsOfStrftime) {
  EXPECT_EQ(trustsql_gold("strftime('%y-%j %m', a) = '%y' AND STRFTIME ( '%j', b)", Dataset::ehrsql),
            "strftime('%Y-%J %m', a) = '%y' AND STRFTIME ( '%J', b)");
}

bool match(const ResultSet& gold, const ResultSet& prediction, std::string_view sql = "SELECT a",
           Dataset dataset = Dataset::atis) {
  return trustsql_match(gold, prediction, sql, dataset);
}

TEST(TrustsqlMatch, CellsThatReadAsNumbersAreRounded) {
  EXPECT_TRUE(match(make_result(1, {row(1)}), make_result(1, {row("1.0001")})));
  EXPECT_TRUE(match(make_result(1, {row(0.6666)}), make_result(1, {row(0.667)})));
  EXPECT_FALSE(match(make_result(1, {row(0.6666)}), make_result(1, {row(0.666)})));
  EXPECT_TRUE(match(make_result(1, {row("abc")}), make_result(1, {row("abc")})));
  EXPECT_FALSE(match(make_result(1, {row("abc")}), make_result(1, {row("ABC")})));
  EXPECT_TRUE(match(make_result(1, {row(nullptr)}), make_result(1, {row(nullptr)})));
  EXPECT_FALSE(match(make_result(1, {row(nullptr)}), make_result(1, {row(0)})));
}

TEST(TrustsqlMatch, RowsAreSortedColumnsAreNot) {
  EXPECT_TRUE(match(make_result(2, {row(1, "x"), row(2, "y")}), make_result(2, {row(2, "y"), row(1, "x")}),
                    "SELECT a, b FROM t ORDER BY a"));
  EXPECT_FALSE(match(make_result(2, {row(1, "x")}), make_result(2, {row("x", 1)})));
  EXPECT_FALSE(match(make_result(1, {row(1)}), make_result(1, {row(1), row(1)})));
  EXPECT_TRUE(match(make_result(1, {}), make_result(2, {})));
}

TEST(TrustsqlMatch, AHundredRowsAreCompared) {
  std::vector<std::vector<ValueView>> rows;
  for (int i = 0; i < 100; ++i) rows.push_back(row(i));
  const auto hundred = make_result(1, rows);
  rows.push_back(row("zzz"));
  EXPECT_TRUE(match(hundred, make_result(1, rows)));
  rows.push_back(row(0));  // sorts among the first hundred
  EXPECT_FALSE(match(hundred, make_result(1, rows)));
}

TEST(TrustsqlMatch, CountOfNothingIsZero) {
  const auto zero = make_result(1, {row(0)});
  const auto nothing = make_result(1, {});
  EXPECT_TRUE(match(zero, nothing, "SELECT COUNT(*) FROM t"));
  EXPECT_FALSE(match(zero, nothing, "SELECT a FROM t"));
  EXPECT_FALSE(match(zero, nothing, "SELECT a FROM t GROUP BY a HAVING count(*) > 1"));
  EXPECT_FALSE(match(make_result(1, {row(1)}), nothing, "SELECT COUNT(*) FROM t"));
  // The gold query's result is read in the same way: equal queries that find no group are equal.
  EXPECT_TRUE(match(nothing, nothing, "SELECT COUNT(*) FROM t GROUP BY a"));
  EXPECT_TRUE(match(nothing, zero, "SELECT COUNT(*) FROM t GROUP BY a"));
  EXPECT_FALSE(match(nothing, make_result(1, {row(1)}), "SELECT COUNT(*) FROM t GROUP BY a"));
}

TEST(TrustsqlMatch, YesOrNoQuestions) {
  const auto yes = make_result(1, {row(1)});
  const auto no = make_result(1, {row(0)});
  const auto many = make_result(1, {row(3), row(5), row(3)});
  const auto nothing = make_result(1, {});
  for (const auto* sql :
       {"SELECT COUNT(*) > 0 FROM t", "SELECT count ( DISTINCT (a) ) > 0", "SELECT COUNT(*)>0 AS yes FROM t"}) {
    EXPECT_TRUE(match(yes, many, sql)) << sql;
    EXPECT_FALSE(match(no, many, sql)) << sql;
    EXPECT_TRUE(match(no, nothing, sql)) << sql;
    EXPECT_FALSE(match(yes, nothing, sql)) << sql;
    // Whatever is not a 0 or NULL alone means yes.
    for (const auto& found : {make_result(1, {row("a text")}), make_result(1, {row(-2)}), make_result(2, {row(0, 0)}),
                              make_result(1, {row(0), row(7)}), make_result(1, {row(nullptr), row(0)})}) {
      EXPECT_TRUE(match(yes, found, sql)) << sql;
      EXPECT_FALSE(match(no, found, sql)) << sql;
    }
    for (const auto& none : {make_result(1, {row(nullptr)}), make_result(1, {row(0), row(0)}),
                             make_result(1, {row("0")}), make_result(1, {row(0.0001)})})
      EXPECT_TRUE(match(no, none, sql)) << sql;
    EXPECT_TRUE(match(make_result(1, {row(1), row(0)}), make_result(1, {row(1), row(0)}), sql)) << sql;
  }
  for (const auto* sql :
       {"SELECT COUNT(*) > 1 FROM t", "SELECT COUNT(*) FROM t", "SELECT COUNT(*) > 0, a FROM t", "SELECT 1 > 0"})
    EXPECT_FALSE(match(yes, many, sql)) << sql;
}

TEST(TrustsqlMatch, AdvisingReadsYesAndNo) {
  const auto words = make_result(1, {row("N"), row("No"), row("Y"), row("Yes")});
  const auto numbers = make_result(1, {row(0), row(0), row(1), row(1)});
  EXPECT_TRUE(match(words, numbers, "SELECT a", Dataset::advising));
  EXPECT_FALSE(match(words, numbers, "SELECT a", Dataset::atis));
}

}  // namespace
}  // namespace trustsql
