#include "sql/query_shape.hpp"

#include <gtest/gtest.h>

#include <string>

namespace trustsql {
namespace {

TEST(QueryShape, OrderByCountsAtTheOutermostLevelOnly) {
  for (const auto* sql :
       {"SELECT a FROM t ORDER BY a", "select a from t order /* x */ by a",
        "SELECT a FROM t UNION SELECT b FROM u ORDER\nBY 1", "WITH c AS (SELECT 1) SELECT * FROM c ORDER BY 1",
        "SELECT count(*) FROM t WHERE a IN (SELECT 1) ORDER BY 1 LIMIT 1"})
    EXPECT_TRUE(has_outermost_order_by(sql)) << sql;
  for (const auto* sql :
       {"SELECT a FROM t", "SELECT * FROM (SELECT a FROM t ORDER BY a)", "SELECT 'order by' FROM t",
        "SELECT a -- order by\n FROM t", "SELECT rank() OVER (ORDER BY a) FROM t",
        "SELECT a FROM t WINDOW w AS (ORDER BY a)", "SELECT \"order by\" FROM t",
        "WITH c AS (SELECT 1 ORDER BY 1) SELECT * FROM c", "SELECT a FROM t; SELECT b FROM t ORDER BY b", ""})
    EXPECT_FALSE(has_outermost_order_by(sql)) << sql;
}

std::string list_text(std::string_view sql) {
  const auto tokens = significant_tokens(sql);
  const auto list = outermost_select_list(tokens);
  if (!list) return "none";
  std::string text = list->distinct ? "distinct:" : "";
  for (std::size_t i = list->begin; i < list->end; ++i) text += std::string(tokens[i].text(sql)) + " ";
  return text;
}

TEST(QueryShape, SelectListOfTheOutermostLevel) {
  EXPECT_EQ(list_text("SELECT a, b FROM t"), "a , b ");
  EXPECT_EQ(list_text("select distinct a FROM t"), "distinct:a ");
  EXPECT_EQ(list_text("SELECT ALL a"), "a ");
  EXPECT_EQ(list_text("SELECT count(DISTINCT a) > 0 FROM t"), "count ( DISTINCT a ) > 0 ");
  EXPECT_EQ(list_text("WITH c AS (SELECT DISTINCT x FROM y) SELECT z FROM c"), "z ");
  EXPECT_EQ(list_text("SELECT (SELECT x FROM y), a UNION SELECT b"), "( SELECT x FROM y ) , a ");
  EXPECT_EQ(list_text("SELECT a IS NOT DISTINCT FROM b FROM t"), "a IS NOT DISTINCT FROM b ");
  EXPECT_EQ(list_text("SELECT a IS DISTINCT FROM b"), "a IS DISTINCT FROM b ");
  EXPECT_EQ(list_text("VALUES (1)"), "none");
  EXPECT_EQ(list_text("SELECT"), "");
  EXPECT_EQ(list_text("SELECT DISTINCT"), "distinct:");
  EXPECT_EQ(list_text("VALUES (1); SELECT 2"), "none");
  EXPECT_EQ(list_text(""), "none");
}

TEST(QueryShape, Repeatable) {
  EXPECT_TRUE(is_repeatable("SELECT 'random()' FROM randoms"));
  EXPECT_FALSE(is_repeatable("SELECT Random ()"));
  EXPECT_FALSE(is_repeatable("SELECT \"randomblob\"(4)"));
}

}  // namespace
}  // namespace trustsql
