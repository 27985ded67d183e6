#include "db/results/column_match.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "unit/score/test_results.hpp"

namespace trustsql {
namespace {

constexpr std::int64_t plenty = 1'000'000;

bool matches(const ResultSet& a, const ResultSet& b, RowOrder order, std::int64_t max_steps = plenty) {
  const auto permutation = match_columns(a, b, order, max_steps);
  EXPECT_TRUE(permutation.ok()) << permutation.error().message;
  if (!permutation.ok() || !permutation.value()) return false;
  EXPECT_TRUE(rows_match(a, b, **permutation, order));
  return true;
}

// The definition: every permutation, rows compared as sorted lists.
bool naive_match(const ResultSet& a, const ResultSet& b, RowOrder order) {
  if (a.column_count() != b.column_count() || a.row_count() != b.row_count()) return false;
  const auto less = [](const std::vector<ValueView>& x, const std::vector<ValueView>& y) {
    return std::lexicographical_compare(x.begin(), x.end(), y.begin(), y.end(),
                                        [](ValueView v, ValueView w) { return compare(v, w) < 0; });
  };
  auto rows_a = rows_of(a);
  if (order == RowOrder::bag) std::sort(rows_a.begin(), rows_a.end(), less);
  auto permutation = in_order(a.column_count());
  do {
    auto rows_b = rows_of(b);
    for (auto& r : rows_b) {
      auto copy = r;
      for (std::size_t j = 0; j < r.size(); ++j) r[j] = copy[permutation[j]];
    }
    if (order == RowOrder::bag) std::sort(rows_b.begin(), rows_b.end(), less);
    const bool same =
        std::equal(rows_a.begin(), rows_a.end(), rows_b.begin(), rows_b.end(), [](const auto& x, const auto& y) {
          return std::equal(x.begin(), x.end(), y.begin(), y.end(),
                            [](ValueView v, ValueView w) { return equal(v, w); });
        });
    if (same) return true;
  } while (std::next_permutation(permutation.begin(), permutation.end()));
  return false;
}

TEST(ColumnMatch, SmallExamples) {
  const auto a = make_result(2, {row(1, "x"), row(2, "y")});
  EXPECT_TRUE(matches(a, make_result(2, {row("x", 1), row("y", 2)}), RowOrder::list));
  EXPECT_FALSE(matches(a, make_result(2, {row("y", 2), row("x", 1)}), RowOrder::list));
  EXPECT_TRUE(matches(a, make_result(2, {row("y", 2), row("x", 1)}), RowOrder::bag));
  EXPECT_FALSE(
      matches(a, make_result(2, {row("x", 2), row("y", 1)}), RowOrder::bag));  // the right columns, the wrong rows
  EXPECT_FALSE(matches(a, make_result(2, {row("x", 1)}), RowOrder::bag));
  EXPECT_FALSE(matches(a, make_result(3, {row(1, "x", 1), row(2, "y", 1)}), RowOrder::bag));
}

TEST(ColumnMatch, ResultsWithoutRowsNeedAsManyColumns) {
  EXPECT_TRUE(matches(make_result(2, {}), make_result(2, {}), RowOrder::bag));
  EXPECT_FALSE(matches(make_result(2, {}), make_result(1, {}), RowOrder::bag));
  EXPECT_FALSE(matches(make_result(2, {}), make_result(1, {}), RowOrder::list));
}

TEST(ColumnMatch, MultiplicitiesCount) {
  EXPECT_FALSE(
      matches(make_result(1, {row(1), row(1), row(2)}), make_result(1, {row(1), row(2), row(2)}), RowOrder::bag));
  // Two columns of the left are equal, none of the right, though all have the same bag of values.
  EXPECT_FALSE(matches(make_result(2, {row(1, 1), row(2, 2)}), make_result(2, {row(1, 2), row(2, 1)}), RowOrder::bag));
}

TEST(ColumnMatch, ValuesAreEqualAsInSqlite) {
  EXPECT_TRUE(matches(make_result(1, {row(1)}), make_result(1, {row(1.0)}), RowOrder::bag));
  EXPECT_TRUE(matches(make_result(1, {row(nullptr)}), make_result(1, {row(nullptr)}), RowOrder::bag));
  EXPECT_FALSE(matches(make_result(1, {row(1)}), make_result(1, {row("1")}), RowOrder::bag));
  EXPECT_FALSE(matches(make_result(1, {row("a")}), make_result(1, {row("A")}), RowOrder::bag));
  EXPECT_FALSE(matches(make_result(1, {row("a")}), make_result(1, {row(ValueView::of_blob("a"))}), RowOrder::bag));
  EXPECT_FALSE(matches(make_result(1, {row(ValueView::of_integer(9007199254740993))}),
                       make_result(1, {row(9007199254740992.0)}), RowOrder::bag));
}

ResultSet random_result(std::mt19937& random, std::size_t columns, std::size_t rows, std::size_t values) {
  ResultSet result(std::vector<std::string>(columns, "c"));
  for (std::size_t i = 0; i < columns * rows; ++i) {
    const auto v = static_cast<int>(random() % values);
    result.append(v % 3 == 0   ? ValueView::of_real(v / 3)
                  : v % 3 == 1 ? ValueView::of_integer(v / 3)
                               : ValueView::of_text("t"));
  }
  return result;
}

TEST(ColumnMatch, AgreesWithTheDefinitionOnRandomResults) {
  std::mt19937 random(1);
  std::size_t equal_results = 0;
  for (int round = 0; round < 6000; ++round) {
    const std::size_t columns = 1 + random() % 4;
    const std::size_t rows = random() % 5;
    const std::size_t values = 2 + random() % 5;
    const auto a = random_result(random, columns, rows, values);
    // Half of the time, the same result rearranged, often with one value changed.
    auto b = round % 2 == 0 ? random_result(random, columns, rows, values)
                            : rearranged(a, shuffled(columns, random), shuffled(rows, random));
    if (round % 4 == 1 && rows > 0) {
      auto changed = rows_of(b);
      changed[random() % rows][random() % columns] = test_value(static_cast<int>(random() % 2));
      b = make_result(columns, changed);
    }
    for (const auto order : {RowOrder::list, RowOrder::bag}) {
      const bool expected = naive_match(a, b, order);
      equal_results += expected ? 1 : 0;
      ASSERT_EQ(matches(a, b, order), expected) << "round " << round;
    }
  }
  EXPECT_GT(equal_results, 1500U);
}

// 0/1 matrices in which every column has the same number of ones: signatures do not help.
TEST(ColumnMatch, AgreesWithTheDefinitionOnBalancedMatrices) {
  std::mt19937 random(2);
  std::size_t equal_results = 0;
  for (int round = 0; round < 600; ++round) {
    const std::size_t n = 4 + random() % 3;
    const auto matrix = [&] {
      std::vector<std::vector<ValueView>> cells(n, std::vector<ValueView>(n, test_value(0)));
      for (std::size_t j = 0; j < n; ++j) {
        const auto ones = shuffled(n, random);
        for (std::size_t k = 0; k < 2; ++k) cells[ones[k]][j] = test_value(1);
      }
      return make_result(n, cells);
    };
    const auto a = matrix();
    const auto b = round % 3 == 0 ? rearranged(a, shuffled(n, random), shuffled(n, random)) : matrix();
    const bool expected = naive_match(a, b, RowOrder::bag);
    equal_results += expected ? 1 : 0;
    ASSERT_EQ(matches(a, b, RowOrder::bag), expected) << "round " << round;
  }
  EXPECT_GT(equal_results, 200U);
}

// The adjacency matrix of a graph on 16 vertices given by a rule; vertices are pairs (i, j) modulo 4. The diagonal is
// marked, so that rows and columns can only be permuted alike.
template <class Adjacent>
ResultSet torus_graph(Adjacent adjacent) {
  std::vector<std::vector<ValueView>> cells(16, std::vector<ValueView>(16, test_value(0)));
  for (int u = 0; u < 16; ++u)
    for (int v = 0; v < 16; ++v)
      cells[static_cast<std::size_t>(u)][static_cast<std::size_t>(v)] =
          test_value(u == v                                                       ? 2
                     : adjacent((u / 4 - v / 4 + 4) % 4, (u % 4 - v % 4 + 4) % 4) ? 1
                                                                                  : 0);
  return make_result(16, cells);
}

// Two strongly regular graphs with the same parameters (16, 6, 2, 2) that are not isomorphic: the rook's graph and
// Shrikhande's. Refinement alone cannot tell them apart.
TEST(ColumnMatch, StronglyRegularGraphs) {
  const auto rook = torus_graph([](int i, int j) { return (i == 0) != (j == 0); });
  const auto shrikhande = torus_graph([](int i, int j) {
    return (i == 0 && (j == 1 || j == 3)) || (j == 0 && (i == 1 || i == 3)) || (i == 1 && j == 1) || (i == 3 && j == 3);
  });
  std::mt19937 random(3);
  EXPECT_TRUE(matches(rook, rearranged(rook, shuffled(16, random), shuffled(16, random)), RowOrder::bag));
  EXPECT_TRUE(matches(shrikhande, rearranged(shrikhande, shuffled(16, random), shuffled(16, random)), RowOrder::bag));
  EXPECT_FALSE(matches(rook, shrikhande, RowOrder::bag));
}

TEST(ColumnMatch, GivesUpWithAnErrorBeyondItsSteps) {
  const auto rook = torus_graph([](int i, int j) { return (i == 0) != (j == 0); });
  const auto shrikhande = torus_graph([](int i, int j) {
    return (i == 0 && (j == 1 || j == 3)) || (j == 0 && (i == 1 || i == 3)) || (i == 1 && j == 1) || (i == 3 && j == 3);
  });
  const auto given_up = match_columns(rook, shrikhande, RowOrder::bag, 5);
  ASSERT_FALSE(given_up.ok());
  EXPECT_EQ(given_up.error().code, ErrorCode::limit_exceeded);
  EXPECT_NE(given_up.error().message.find("match_max_steps"), std::string::npos);
  // Results that need no search are not affected.
  EXPECT_TRUE(matches(rook, rook, RowOrder::bag, 1));
}

// Many disjoint copies of a structure, shuffled: each choice is right, none may be tried in vain.
TEST(ColumnMatch, SymmetryDoesNotMakeASearchOfAMatch) {
  constexpr std::size_t blocks = 40;
  std::vector<std::vector<ValueView>> cells(3 * blocks, std::vector<ValueView>(3 * blocks, test_value(0)));
  for (std::size_t b = 0; b < blocks; ++b)
    for (std::size_t k = 0; k < 3; ++k) {
      cells[3 * b + k][3 * b + k] = test_value(1);
      cells[3 * b + k][3 * b + (k + 1) % 3] = test_value(1);
    }
  const auto a = make_result(3 * blocks, cells);
  std::mt19937 random(4);
  EXPECT_TRUE(matches(a, rearranged(a, shuffled(3 * blocks, random), shuffled(3 * blocks, random)), RowOrder::bag));
}

TEST(ColumnMatch, ManyRandomColumns) {
  constexpr std::size_t columns = 30;
  constexpr std::size_t rows = 2000;
  std::mt19937 random(5);
  for (const std::size_t values : {5, 10, 1000000}) {
    const auto a = random_result(random, columns, rows, values);
    EXPECT_TRUE(matches(a, rearranged(a, shuffled(columns, random), shuffled(rows, random)), RowOrder::bag));
    EXPECT_TRUE(matches(a, rearranged(a, shuffled(columns, random), in_order(rows)), RowOrder::list));
    EXPECT_FALSE(matches(a, random_result(random, columns, rows, values), RowOrder::bag));
  }
}

TEST(ColumnMatch, ManyIdenticalColumns) {
  constexpr std::size_t columns = 12;
  constexpr std::size_t rows = 20000;
  std::mt19937 random(6);
  ResultSet a(std::vector<std::string>(columns, "c"));
  for (std::size_t r = 0; r < rows; ++r)
    for (std::size_t j = 0; j < columns; ++j) a.append(test_value(static_cast<int>(r % 1000)));
  EXPECT_TRUE(matches(a, rearranged(a, in_order(columns), shuffled(rows, random)), RowOrder::bag));
  auto other = rows_of(a);
  std::swap(other[0][3], other[1][3]);
  EXPECT_FALSE(matches(a, make_result(columns, other), RowOrder::bag));
  EXPECT_FALSE(matches(a, make_result(columns, other), RowOrder::list));
}

}  // namespace
}  // namespace trustsql
