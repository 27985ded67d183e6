#include "equiv/refuter/result_difference.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace trustsql::equiv {
namespace {

using Rows = std::vector<std::vector<Value>>;

ResultSet result(std::size_t columns, const Rows& rows) {
  ResultSet result(std::vector<std::string>(columns, "c"));
  for (const auto& row : rows) {
    for (const auto& value : row) result.append(view(value));
  }
  return result;
}

std::string compare(std::size_t columns, const Rows& a, const Rows& b, RowsMatter rows = RowsMatter::as_bag,
                    bool may_be_empty_aggregate = true) {
  const auto difference = result_difference(result(columns, a), result(columns, b), {rows, may_be_empty_aggregate});
  return difference ? difference->text() : "same";
}

const Value one = std::int64_t{1};
const Value two = std::int64_t{2};
const Value null;
const Value text = std::string("1");

TEST(ResultDifferenceTest, BagsListsAndSets) {
  EXPECT_EQ(compare(1, {{one}, {two}}, {{two}, {one}}), "same");
  EXPECT_EQ(compare(1, {{one}, {two}}, {{two}, {one}}, RowsMatter::as_list), "row_order");
  EXPECT_EQ(compare(1, {{one}, {two}}, {{one}, {two}, {two}}), "duplicates");
  EXPECT_EQ(compare(1, {{one}, {two}}, {{one}, {two}, {two}}, RowsMatter::as_list), "duplicates");
  EXPECT_EQ(compare(1, {{one}, {two}}, {{one}, {two}, {two}}, RowsMatter::as_set), "same");
  EXPECT_EQ(compare(1, {{one}}, {{two}}), "outright");
  EXPECT_EQ(compare(1, {{one}}, {{two}}, RowsMatter::as_set), "outright");
  EXPECT_EQ(compare(1, {{one}}, {{text}}), "outright");
  EXPECT_EQ(compare(1, {{one}}, {{1.0}}), "same");
  EXPECT_EQ(compare(1, {{null}}, {{null}}), "same");
}

TEST(ResultDifferenceTest, ColumnsInAnotherOrder) {
  EXPECT_EQ(compare(2, {{one, text}, {two, text}}, {{text, two}, {text, one}}), "column_order");
  EXPECT_EQ(compare(2, {{one, text}, {two, text}}, {{text, two}, {text, one}}, RowsMatter::as_list),
            "column_order+row_order");
  EXPECT_EQ(compare(2, {{one, text}, {one, text}}, {{text, one}}), "duplicates+column_order");
  EXPECT_EQ(compare(2, {{one, text}}, {{text, one}}, RowsMatter::as_set), "column_order");
  EXPECT_EQ(compare(2, {{one, two}, {two, one}}, {{one, one}, {two, two}}), "outright");
}

TEST(ResultDifferenceTest, NumbersOfColumns) {
  EXPECT_EQ(result_difference(result(1, {{one}}), result(2, {{one, two}}), {})->text(), "outright");
  EXPECT_EQ(result_difference(result(1, {}), result(2, {{one, two}}), {})->text(), "outright");
  EXPECT_FALSE(result_difference(result(1, {}), result(2, {}), {})) << "there is nothing to be seen";
}

TEST(ResultDifferenceTest, NothingBesideARowOfNothing) {
  EXPECT_EQ(compare(2, {}, {{null, std::int64_t{0}}}), "empty");
  EXPECT_EQ(compare(2, {{0.0, null}}, {}), "empty");
  EXPECT_EQ(compare(1, {}, {{null}, {null}}), "outright");
  EXPECT_EQ(compare(1, {}, {{one}}), "outright");
  EXPECT_EQ(compare(1, {}, {{std::string()}}), "outright");
  EXPECT_EQ(compare(1, {}, {{null}}, RowsMatter::as_bag, false), "outright");
}

TEST(ResultDifferenceTest, Infinities) {
  const double infinite = std::numeric_limits<double>::infinity();
  EXPECT_EQ(compare(1, {{infinite}, {-infinite}}, {{-infinite}, {infinite}}), "same");
  EXPECT_EQ(compare(1, {{infinite}}, {{-infinite}}), "outright");
  EXPECT_EQ(compare(1, {{infinite}}, {{1.5}}), "outright");
  EXPECT_EQ(compare(1, {{1.5}, {-infinite}}, {{2.5}, {-infinite}}), "outright");
}

TEST(ResultDifferenceTest, RealsThatAgreeToNineDigits) {
  EXPECT_EQ(compare(1, {{0.1 + 0.2}}, {{0.3}}), "same");
  EXPECT_EQ(compare(1, {{0.1 + 0.2}, {1e300}}, {{1e300 * (1 + 1e-12)}, {0.3}}), "same");
  EXPECT_EQ(compare(1, {{3.0000000001}}, {{std::int64_t{3}}}), "same");
  EXPECT_EQ(compare(1, {{0.1 + 0.2 - 0.3}}, {{std::int64_t{0}}}), "same");
  EXPECT_EQ(compare(1, {{3.00001}}, {{3.0}}), "outright");
  EXPECT_EQ(compare(1, {{1e-5}}, {{std::int64_t{0}}}), "outright");
  EXPECT_EQ(compare(1, {{0.3}, {0.3}}, {{0.1 + 0.2}}), "duplicates");
}

}  // namespace
}  // namespace trustsql::equiv
