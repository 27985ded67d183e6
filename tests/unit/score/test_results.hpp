// Results made in a test, and random ones.
#pragma once

#include <initializer_list>
#include <random>
#include <string>
#include <vector>

#include "db/results/result_set.hpp"

namespace trustsql {

inline ValueView test_value(int v) { return ValueView::of_integer(v); }
inline ValueView test_value(double v) { return ValueView::of_real(v); }
inline ValueView test_value(const char* v) { return ValueView::of_text(v); }
inline ValueView test_value(std::nullptr_t) { return ValueView::null(); }
inline ValueView test_value(ValueView v) { return v; }

template <class... V>
std::vector<ValueView> row(V... values) {
  return {test_value(values)...};
}

// A result with `columns` columns and the given rows.
inline ResultSet make_result(std::size_t columns, const std::vector<std::vector<ValueView>>& rows) {
  ResultSet result(std::vector<std::string>(columns, "c"));
  for (const auto& r : rows)
    for (const auto& value : r) result.append(value);
  return result;
}

inline std::vector<std::vector<ValueView>> rows_of(const ResultSet& result) {
  std::vector<std::vector<ValueView>> rows(result.row_count());
  for (std::size_t r = 0; r < rows.size(); ++r)
    for (std::size_t j = 0; j < result.column_count(); ++j) rows[r].push_back(result.at(r, j));
  return rows;
}

// `result` with column permutation[j] of the new one being column j, and rows in the order `row_order`.
inline ResultSet rearranged(const ResultSet& result, const std::vector<std::size_t>& permutation,
                            const std::vector<std::size_t>& row_order) {
  ResultSet changed(std::vector<std::string>(result.column_count(), "c"));
  std::vector<std::size_t> source(permutation.size());
  for (std::size_t j = 0; j < permutation.size(); ++j) source[permutation[j]] = j;
  for (const std::size_t r : row_order)
    for (const std::size_t j : source) changed.append(result.at(r, j));
  return changed;
}

inline std::vector<std::size_t> shuffled(std::size_t n, std::mt19937& random) {
  std::vector<std::size_t> order(n);
  for (std::size_t i = 0; i < n; ++i) order[i] = i;
  std::shuffle(order.begin(), order.end(), random);
  return order;
}

inline std::vector<std::size_t> in_order(std::size_t n) {
  std::vector<std::size_t> order(n);
  for (std::size_t i = 0; i < n; ++i) order[i] = i;
  return order;
}

}  // namespace trustsql
