#include "sql/features.hpp"

#include <gtest/gtest.h>

#include "base/text.hpp"
#include "sql/parser.hpp"

namespace trustsql {
namespace {

std::string features(std::string_view sql) {
  const auto parsed = parse_query(sql);
  if (!parsed.ok()) return parsed.error().message;
  std::vector<std::string_view> used;
  for (const auto& [name, is_used] : query_features(*parsed))
    if (is_used) used.push_back(name);
  return join(used, " ");
}

TEST(Features, EachConstructIsFound) {
  EXPECT_EQ(features("SELECT 1"), "");
  EXPECT_EQ(features("SELECT a FROM t, u WHERE b"), "where join");
  EXPECT_EQ(features("SELECT a FROM t LEFT JOIN u USING (a) ORDER BY b LIMIT 1"), "join order_by limit outer_join");
  EXPECT_EQ(features("SELECT count(*), max(a), avg(b), sum(c) FROM t GROUP BY d HAVING 1"),
            "group_by aggregation count average min_max sum having");
  EXPECT_EQ(features("SELECT max(a, b)"), "");
  EXPECT_EQ(features("SELECT count(DISTINCT a), CAST(b AS INT)"), "aggregation count distinct cast");
  EXPECT_EQ(features("SELECT sum(a) OVER (ORDER BY b) FROM t"), "sum window");
  EXPECT_EQ(features("SELECT substr(a, 1) FROM t WHERE b LIKE 'x' AND c BETWEEN 1 AND 2"),
            "where str_func regex_filter between");
  EXPECT_EQ(features("SELECT a || b, CASE WHEN c IS NULL THEN 1 END"), "str_func case null_test");
  EXPECT_EQ(features("SELECT 1 UNION SELECT 2 INTERSECT SELECT 3 EXCEPT SELECT 4"), "union intersect except");
  EXPECT_EQ(features("WITH c AS (SELECT DISTINCT a FROM t) SELECT * FROM c"), "subquery distinct with");
  EXPECT_EQ(features("SELECT a IN (1), b FROM t WHERE EXISTS (SELECT 1)"), "where subquery in exists");
}

TEST(Features, AreFoundAtAnyDepth) {
  EXPECT_EQ(features("SELECT (SELECT min(x) FROM (SELECT x FROM t ORDER BY y))"),
            "order_by subquery aggregation min_max");
  EXPECT_EQ(features("SELECT a FROM t WHERE b IN (SELECT c FROM (u JOIN v))"), "where join subquery in");
}

}  // namespace
}  // namespace trustsql
