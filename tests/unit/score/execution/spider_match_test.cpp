#include "score/execution/spider_match.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "score/execution/python_value.hpp"
#include "unit/score/test_results.hpp"

namespace trustsql {
namespace {

bool spider(const ResultSet& gold, const ResultSet& prediction, bool order_matters = false) {
  const auto match = spider_match(gold, prediction, order_matters ? RowOrder::list : RowOrder::bag, 1'000'000);
  EXPECT_TRUE(match.ok());
  return match.ok() && match.value();
}

TEST(SpiderMatch, EmptyResultsAreEqualWhateverTheirColumns) {
  EXPECT_TRUE(spider(make_result(2, {}), make_result(1, {})));
  EXPECT_FALSE(spider(make_result(1, {}), make_result(1, {row(1)})));
}

TEST(SpiderMatch, ValuesAreEqualAsInPython) {
  EXPECT_TRUE(spider(make_result(1, {row(1)}), make_result(1, {row(1.0)})));
  EXPECT_TRUE(spider(make_result(1, {row(nullptr)}), make_result(1, {row(nullptr)})));
  EXPECT_FALSE(spider(make_result(1, {row("1")}), make_result(1, {row(1)})));
  EXPECT_FALSE(spider(make_result(1, {row("a")}), make_result(1, {row(ValueView::of_blob("a"))})));
}

// "1.0<class 'float'>" sorts before "10<class 'int'>", "1<class 'int'>" after "10<class 'int'>": equal rows, sorted
// differently.
TEST(SpiderMatch, EqualRowsAreRejectedWhereTheSortSetsThemApart) {
  const auto integers = make_result(2, {row(1, 10)});
  const auto mixed = make_result(2, {row(1.0, 10)});
  EXPECT_FALSE(spider(integers, mixed));
  EXPECT_FALSE(spider(integers, mixed, true));
  EXPECT_TRUE(spider(mixed, mixed));
  EXPECT_TRUE(spider(make_result(2, {row(2, 3)}), make_result(2, {row(2.0, 3)})));  // sorted alike by luck
  // "-0.0" sorts before "0", "0.0" after: "-" < "0".
  EXPECT_FALSE(spider(make_result(2, {row(0.0, "-z")}), make_result(2, {row(-0.0, "-z")})));
}

TEST(SpiderMatch, OrderCountsWhenItMatters) {
  const auto a = make_result(1, {row(1), row(2)});
  const auto b = make_result(1, {row(2), row(1)});
  EXPECT_TRUE(spider(a, b, false));
  EXPECT_FALSE(spider(a, b, true));
}

TEST(SpiderMatch, UndecodableBytesAreDropped) {
  const auto broken = make_result(1, {row("a\xff"
                                          "b")});
  const auto decoded = spider_decoded(broken);
  ASSERT_TRUE(decoded.has_value());
  EXPECT_EQ(decoded->at(0, 0).bytes, "ab");
  EXPECT_FALSE(spider_decoded(make_result(2, {row("ab", ValueView::of_blob("\xff"))})).has_value());
}

// --- the algorithm as data/README describes it, word for word, on values that compare as Python's --------------------

using ResultRows = std::vector<std::vector<ValueView>>;

bool python_equal(ValueView a, ValueView b) { return equal(a, b); }
bool row_equal(const std::vector<ValueView>& x, const std::vector<ValueView>& y) {
  return x.size() == y.size() && std::equal(x.begin(), x.end(), y.begin(), python_equal);
}
bool contains(const ResultRows& rows, const std::vector<ValueView>& r) {
  return std::any_of(rows.begin(), rows.end(), [&](const auto& x) { return row_equal(x, r); });
}
std::size_t count_of(const ResultRows& rows, const std::vector<ValueView>& r) {
  return static_cast<std::size_t>(
      std::count_if(rows.begin(), rows.end(), [&](const auto& x) { return row_equal(x, r); }));
}
bool list_equal(const ResultRows& x, const ResultRows& y) {
  return x.size() == y.size() && std::equal(x.begin(), x.end(), y.begin(), row_equal);
}
bool set_equal(const ResultRows& x, const ResultRows& y) {
  return std::all_of(x.begin(), x.end(), [&](const auto& r) { return contains(y, r); }) &&
         std::all_of(y.begin(), y.end(), [&](const auto& r) { return contains(x, r); });
}
bool bag_equal(const ResultRows& x, const ResultRows& y) {
  return x.size() == y.size() &&
         std::all_of(x.begin(), x.end(), [&](const auto& r) { return count_of(x, r) == count_of(y, r); });
}

ResultRows each_sorted(ResultRows rows) {
  for (auto& r : rows) {
    std::stable_sort(r.begin(), r.end(), [](ValueView a, ValueView b) {
      return python_str(a) + std::string(python_type(a.type)) < python_str(b) + std::string(python_type(b.type));
    });
  }
  return rows;
}

bool transcription(const ResultRows& first, const ResultRows& second, bool order_matters) {
  if (first.empty() && second.empty()) return true;
  if (first.size() != second.size()) return false;
  const std::size_t columns = first[0].size();
  if (second[0].size() != columns) return false;
  const auto sorted_first = each_sorted(first);
  const auto sorted_second = each_sorted(second);
  if (!(order_matters ? list_equal(sorted_first, sorted_second) : set_equal(sorted_first, sorted_second))) return false;
  auto permutation = in_order(columns);
  do {
    ResultRows permuted;
    for (const auto& r : second) {
      permuted.emplace_back();
      for (const std::size_t j : permutation) permuted.back().push_back(r[j]);
    }
    if (order_matters ? list_equal(first, permuted) : bag_equal(first, permuted)) return true;
  } while (std::next_permutation(permutation.begin(), permutation.end()));
  return false;
}

TEST(SpiderMatch, AgreesWithATranscriptionOfTheAlgorithm) {
  const std::vector<ValueView> values = {
      test_value(0),           test_value(0.0),    test_value(-0.0), test_value(1),    test_value(1.0),
      test_value(10),          test_value(10.0),   test_value(-1),   test_value(-1.0), test_value(2.5),
      test_value("1"),         test_value("1.0"),  test_value(""),   test_value("-"),  test_value(nullptr),
      ValueView::of_blob("1"), test_value("None"), test_value(1e16)};
  std::mt19937 random(11);
  std::size_t accepted = 0;
  std::size_t rejected_by_sort = 0;
  for (int round = 0; round < 8000; ++round) {
    const std::size_t columns = 1 + random() % 4;
    const std::size_t rows = random() % 4;
    const std::size_t variety = 2 + random() % values.size();
    const auto pick = [&] { return values[random() % std::min(variety, values.size())]; };
    ResultRows gold(rows);
    for (auto& r : gold)
      for (std::size_t j = 0; j < columns; ++j) r.push_back(pick());
    // The same rearranged, sometimes with a number in its other type, and sometimes with a value changed.
    const auto permutation = shuffled(columns, random);
    ResultRows predicted;
    for (const std::size_t r : random() % 2 == 0 ? in_order(rows) : shuffled(rows, random)) {
      predicted.emplace_back();
      for (const std::size_t j : permutation) {
        ValueView value = gold[r][j];
        if (random() % 3 == 0) {
          for (const auto& other : values)
            if (equal(other, value) && random() % 2 == 0) value = other;
        }
        if (random() % 40 == 0) value = pick();
        predicted.back().push_back(value);
      }
    }
    const auto a = make_result(columns, gold);
    const auto b = make_result(columns, predicted);
    for (const bool order_matters : {false, true}) {
      const bool expected = transcription(gold, predicted, order_matters);
      ASSERT_EQ(spider(a, b, order_matters), expected) << "round " << round << " order " << order_matters;
      accepted += expected ? 1 : 0;
      if (!expected && rows > 0 && !spider_quick_check(a, b, order_matters ? RowOrder::list : RowOrder::bag))
        ++rejected_by_sort;
    }
  }
  EXPECT_GT(accepted, 2000U);
  EXPECT_GT(rejected_by_sort, 200U);
}

}  // namespace
}  // namespace trustsql
