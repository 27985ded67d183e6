#include "db/results/row_match.hpp"

#include <algorithm>
#include <numeric>

namespace trustsql {

namespace {

bool row_equal(const ResultSet& a, std::size_t row_a, const ResultSet& b, std::size_t row_b,
               std::span<const std::size_t> permutation) {
  for (std::size_t j = 0; j < permutation.size(); ++j)
    if (!equal(a.at(row_a, j), b.at(row_b, permutation[j]))) return false;
  return true;
}

struct HashedRow {
  std::uint64_t hash;
  std::size_t row;
  friend bool operator<(const HashedRow& x, const HashedRow& y) { return x.hash < y.hash; }
};

// The rows of `result` sorted by their hashes, which are computed in the order of `columns`.
std::vector<HashedRow> hashed_rows(const ResultSet& result, std::span<const std::size_t> columns) {
  std::vector<HashedRow> rows(result.row_count());
  for (std::size_t r = 0; r < rows.size(); ++r) {
    std::uint64_t h = 0;
    std::uint64_t position_salt =
        0;  // makes the sum depend on positions; unlike nested hashes, the summands can be computed in parallel
    for (const std::size_t column : columns)
      h += mix64(hash(result.at(r, column)) + (position_salt += 0x9e3779b97f4a7c15ULL));
    rows[r] = {h, r};
  }
  std::sort(rows.begin(), rows.end());
  return rows;
}

// A result whose columns are read in a given order.
struct Permuted {
  const ResultSet& result;
  std::span<const std::size_t> columns;

  std::strong_ordering compare_rows(std::size_t x, const Permuted& other, std::size_t y) const {
    for (std::size_t j = 0; j < columns.size(); ++j) {
      const auto order = compare(result.at(x, columns[j]), other.result.at(y, other.columns[j]));
      if (order != 0) return order;
    }
    return std::strong_ordering::equal;
  }
  bool rows_equal(std::size_t x, const Permuted& other, std::size_t y) const {
    for (std::size_t j = 0; j < columns.size(); ++j)
      if (!equal(result.at(x, columns[j]), other.result.at(y, other.columns[j]))) return false;
    return true;
  }
  void sort(std::span<HashedRow> rows) const {
    std::sort(rows.begin(), rows.end(),
              [this](const HashedRow& x, const HashedRow& y) { return compare_rows(x.row, *this, y.row) < 0; });
  }
};

// Whether two runs of rows with the same hash are the same bag. Nearly always all of their rows are equal; if hashes
// collided, the runs are sorted by value.
bool runs_match(std::span<HashedRow> run_a, std::span<HashedRow> run_b, const Permuted& a, const Permuted& b) {
  const std::size_t first = run_a.front().row;
  const bool uniform =
      std::all_of(run_a.begin() + 1, run_a.end(), [&](const HashedRow& x) { return a.rows_equal(first, a, x.row); }) &&
      std::all_of(run_b.begin(), run_b.end(), [&](const HashedRow& x) { return a.rows_equal(first, b, x.row); });
  if (uniform) return true;
  a.sort(run_a);
  b.sort(run_b);
  return std::equal(run_a.begin(), run_a.end(), run_b.begin(), run_b.end(),
                    [&](const HashedRow& x, const HashedRow& y) { return a.rows_equal(x.row, b, y.row); });
}

bool bags_match(const Permuted& a, const Permuted& b) {
  auto rows_a = hashed_rows(a.result, a.columns);
  auto rows_b = hashed_rows(b.result, b.columns);
  if (!std::equal(rows_a.begin(), rows_a.end(), rows_b.begin(), rows_b.end(),
                  [](const auto& x, const auto& y) { return x.hash == y.hash; }))
    return false;
  for (std::size_t begin = 0; begin < rows_a.size();) {
    std::size_t end = begin + 1;
    while (end < rows_a.size() && rows_a[end].hash == rows_a[begin].hash) ++end;
    if (!runs_match(std::span(rows_a).subspan(begin, end - begin), std::span(rows_b).subspan(begin, end - begin), a, b))
      return false;
    begin = end;
  }
  return true;
}

}  // namespace

ColumnPermutation identity_permutation(std::size_t columns) {
  ColumnPermutation permutation(columns);
  std::iota(permutation.begin(), permutation.end(), std::size_t{0});
  return permutation;
}

bool rows_match(const ResultSet& a, const ResultSet& b, std::span<const std::size_t> permutation, RowOrder order) {
  if (a.row_count() != b.row_count()) return false;
  std::size_t common_prefix = 0;  // length of the common prefix: usually all rows or none
  while (common_prefix < a.row_count() && row_equal(a, common_prefix, b, common_prefix, permutation)) ++common_prefix;
  if (common_prefix == a.row_count()) return true;
  if (order == RowOrder::list) return false;
  const auto identity = identity_permutation(permutation.size());
  return bags_match({a, identity}, {b, permutation});
}

}  // namespace trustsql
