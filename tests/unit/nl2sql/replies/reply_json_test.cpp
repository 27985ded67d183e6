#include "nl2sql/replies/reply_json.hpp"

#include <gtest/gtest.h>

namespace trustsql::nl2sql {
namespace {

using List = std::vector<std::string>;

TEST(ReplyJson, Lists) {
  EXPECT_EQ(text_list_in("[\"a\", \"b\"]"), (List{"a", "b"}));
  EXPECT_EQ(text_list_in("Sure [see below]:\n```json\n[\"a\", 1, null, \"b]\"]\n```\nThat is all."), (List{"a", "b]"}));
  EXPECT_EQ(text_list_in("[]"), List());
  EXPECT_EQ(text_list_in("a, b"), std::nullopt);
  EXPECT_EQ(text_list_in("[\"a\", \"b"), std::nullopt);
  EXPECT_EQ(text_list_in(""), std::nullopt);
}

TEST(ReplyJson, Objects) {
  const auto lists =
      text_lists_in("{x} The answer: {\"b\": [\"c\", \"d\"], \"a\": \"keep_all\", \"n\": 1, \"o\": {\"p\": [\"q\"]}}");
  ASSERT_TRUE(lists);
  EXPECT_EQ(*lists, (TextLists{{"b", {"c", "d"}}, {"a", {"keep_all"}}, {"n", {}}, {"o", {}}}));
  EXPECT_EQ(text_lists_in("[\"a\"]"), std::nullopt);
}

TEST(ReplyJson, NothingTakesLong) {
  const std::string deep(2'000'000, '[');
  EXPECT_EQ(text_list_in(deep), std::nullopt);
  const std::string closed = std::string(100'000, '[') + std::string(100'000, ']');
  EXPECT_EQ(text_list_in(closed), List());
  EXPECT_EQ(text_lists_in(std::string(1'000'000, '{')), std::nullopt);
}

}  // namespace
}  // namespace trustsql::nl2sql
