#include "score/set_match/hardness.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <nlohmann/json.hpp>

#include "sql/parser.hpp"
#include "unit/sql/real_queries.hpp"

namespace trustsql {
namespace {

std::string spider(std::string_view sql) {
  const auto parsed = parse_query(sql);
  return parsed.ok() ? std::string(spider_hardness(*parsed)) : parsed.error().message;
}
std::string simple(std::string_view sql) {
  const auto parsed = parse_query(sql);
  return parsed.ok() ? std::string(trustsql_hardness(*parsed)) : parsed.error().message;
}

TEST(Hardness, TrustsqlCountsTablesAndNesting) {
  EXPECT_EQ(simple("SELECT a, max(b) FROM t WHERE c = 1 GROUP BY a ORDER BY 2 LIMIT 1"), "easy");
  EXPECT_EQ(simple("VALUES (1)"), "easy");
  EXPECT_EQ(simple("SELECT a FROM t, u"), "medium");
  EXPECT_EQ(simple("SELECT a FROM (t JOIN u)"), "medium");
  EXPECT_EQ(simple("SELECT a FROM t WHERE b IN (SELECT c FROM u)"), "hard");
  EXPECT_EQ(simple("SELECT a FROM (SELECT a FROM t)"), "hard");
  EXPECT_EQ(simple("WITH c AS (SELECT 1) SELECT * FROM c"), "hard");
  EXPECT_EQ(simple("SELECT 1 UNION SELECT 2"), "hard");
}

TEST(Hardness, SpiderCountsComponents) {
  EXPECT_EQ(spider("SELECT a FROM t WHERE b = 1"), "easy");
  EXPECT_EQ(spider("SELECT a, b FROM t WHERE b = 1"), "medium");
  EXPECT_EQ(spider("SELECT a FROM t JOIN u ON t.x = u.x WHERE b = 1"), "medium");
  EXPECT_EQ(spider("SELECT a FROM t JOIN u ON t.x = u.x WHERE b = 1 ORDER BY c"), "hard");
  EXPECT_EQ(spider("SELECT a FROM t WHERE b = (SELECT max(b) FROM t)"), "hard");
  EXPECT_EQ(spider("SELECT a FROM t WHERE b = (SELECT max(b) FROM t) AND c = 1"), "extra");
  // The whole of a compound: its last ORDER BY and LIMIT are not the first part's.
  EXPECT_EQ(spider("SELECT a FROM t UNION SELECT b FROM u ORDER BY 1 LIMIT 3"), "hard");
  EXPECT_EQ(spider("SELECT a FROM t UNION SELECT b FROM u UNION SELECT c FROM v"), "hard");
  // OR and LIKE weigh as much as a clause.
  EXPECT_EQ(spider("SELECT a FROM t WHERE b LIKE 'x'"), "medium");
  EXPECT_EQ(spider("SELECT a FROM t WHERE b = 1 OR c = 2 OR d = 3"), "hard");
  // Negated conditions of WHERE count as aggregates.
  EXPECT_EQ(spider("SELECT count(*) FROM t WHERE b NOT LIKE 'x'"), "medium");
  EXPECT_EQ(spider("SELECT a FROM t WHERE b NOT IN (SELECT b FROM u)"), "hard");
  EXPECT_EQ(spider("SELECT count(*) FROM t WHERE b NOT IN (SELECT b FROM u)"), "extra");
  // So do connectives of HAVING; its aggregates do not.
  EXPECT_EQ(spider("SELECT a FROM t GROUP BY a HAVING count(*) > 1"), "easy");
  EXPECT_EQ(spider("SELECT a FROM t GROUP BY a HAVING count(*) > 1 AND sum(b) > 2 AND sum(c) > 3"), "medium");
}

TEST(Hardness, SpiderEqualsTheOfficialLabels) {
  const auto folder = testing_data::data_folder();
  if (!folder) GTEST_SKIP() << "no development data";
  std::map<std::string, int> counts;
  std::vector<std::filesystem::path> files = {*folder / "spider" / "validation.jsonl"};
  for (const auto& entry : std::filesystem::directory_iterator(*folder / "predictions"))
    if (entry.path().extension() == ".jsonl") files.push_back(entry.path());
  for (const auto& file : files) {
    std::ifstream in(file);
    for (std::string line; std::getline(in, line);) {
      const auto row = nlohmann::json::parse(line);
      const auto gold = row.at("gold").get<std::string>();
      EXPECT_EQ(spider(gold), row.at("hardness").get<std::string>()) << gold;
      if (file == files.front()) ++counts[row.at("hardness")];
    }
  }
  EXPECT_EQ(counts, (std::map<std::string, int>{{"easy", 100}, {"medium", 196}, {"hard", 75}, {"extra", 74}}));
}

// TrustSQL's Table 6 counts 3,571 easy, 2,410 medium and 1,019 hard ones among Spider's 7,000 training questions. The
// hard ones are these and the two that SQLite cannot read; 38 that have one table and nothing nested are medium in the
// paper.
TEST(Hardness, TrustsqlOnSpidersTrainingQueries) {
  const auto folder = testing_data::data_folder();
  if (!folder) GTEST_SKIP() << "no development data";
  std::map<std::string, int> counts;
  std::ifstream in(*folder / "spider" / "train.jsonl");
  for (std::string line; std::getline(in, line);) {
    const std::string level = simple(nlohmann::json::parse(line).at("gold").get<std::string>());
    ++counts[level.starts_with("line") ? "no query" : level];
  }
  EXPECT_EQ(counts, (std::map<std::string, int>{{"easy", 3609}, {"medium", 2372}, {"hard", 1017}, {"no query", 2}}));
}

}  // namespace
}  // namespace trustsql
