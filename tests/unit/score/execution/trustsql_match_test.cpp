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
  EXPECT_EQ(prediction("SELECT a", "SELECT count(DISTINCT b) FROM (SELECT DISTINCT c FROM t)"), "SELECT a");
  EXPECT_EQ(trustsql_prediction("SELECT a", "SELECT DISTINCT b", Dataset::spider), "SELECT a");
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
  EXPECT_FALSE(match(nothing, zero, "SELECT COUNT(*) FROM t"));
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
