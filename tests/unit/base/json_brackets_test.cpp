#include "base/json_brackets.hpp"

#include <gtest/gtest.h>

namespace trustsql {
namespace {

TEST(JsonBrackets, Nesting) {
  EXPECT_EQ(json_nesting("1"), 0);
  EXPECT_EQ(json_nesting(R"({"a": [1, {"b": []}], "c": {}})"), 4);
  EXPECT_EQ(json_nesting(R"(["[[[", "\"[["])"), 1);
  EXPECT_EQ(json_nesting("]]]["), 0);
  EXPECT_EQ(json_nesting("[[["), 3);
}

TEST(JsonBrackets, Length) {
  EXPECT_EQ(bracketed_json_length("[1, [2]] and more ]"), 8U);
  EXPECT_EQ(bracketed_json_length(R"({"a": "}"} })"), 10U);
  EXPECT_EQ(bracketed_json_length(R"(["\"]"] ])"), 7U);
  EXPECT_EQ(bracketed_json_length("[1, 2"), 0U);
}

}  // namespace
}  // namespace trustsql
