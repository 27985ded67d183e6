#include "equiv/refuter/result_difference.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "db/results/column_match.hpp"
#include "db/results/row_match.hpp"

namespace trustsql::equiv {

namespace {

constexpr double relative_tolerance = 1e-9;
constexpr double absolute_tolerance = 1e-12;  // what may remain if a sum should be zero

// For the search for a permutation of columns; results are small.
constexpr std::int64_t max_matching_steps = 20'000;

bool has_reals(const ResultSet& result) {
  for (std::size_t r = 0; r < result.row_count(); ++r) {
    for (std::size_t c = 0; c < result.column_count(); ++c) {
      if (result.type_at(r, c) == ValueType::real) return true;
    }
  }
  return false;
}

void collect_reals(const ResultSet& result, std::vector<double>& reals) {
  for (std::size_t r = 0; r < result.row_count(); ++r) {
    for (std::size_t c = 0; c < result.column_count(); ++c) {
      if (result.type_at(r, c) == ValueType::real) reals.push_back(result.at(r, c).real);
    }
  }
}

bool is_near(double a, double b) {
  if (std::isinf(a) || std::isinf(b)) return a == b;
  return std::abs(a - b) <= std::max(absolute_tolerance, relative_tolerance * std::max(std::abs(a), std::abs(b)));
}

// `result` with each real in `sorted` replaced by its representative.
ResultSet snapped(const ResultSet& result, const std::vector<double>& sorted,
                  const std::vector<double>& representatives) {
  ResultSet copy(result.column_names());
  for (std::size_t r = 0; r < result.row_count(); ++r) {
    for (std::size_t c = 0; c < result.column_count(); ++c) {
      auto value = result.at(r, c);
      if (value.type == ValueType::real) {
        const auto representative = std::lower_bound(sorted.begin(), sorted.end(), value.real);
        if (representative != sorted.end())
          value.real = representatives[static_cast<std::size_t>(representative - sorted.begin())];
      }
      copy.append(value);
    }
  }
  return copy;
}

// The rows of `result` without duplicates.
ResultSet without_duplicates(const ResultSet& result) {
  std::vector<std::size_t> rows(result.row_count());
  for (std::size_t r = 0; r < rows.size(); ++r) rows[r] = r;
  const auto order = [&](std::size_t x, std::size_t y) {
    for (std::size_t c = 0; c < result.column_count(); ++c) {
      const auto cells = compare(result.at(x, c), result.at(y, c));
      if (cells != 0) return cells;
    }
    return std::strong_ordering::equal;
  };
  std::sort(rows.begin(), rows.end(), [&](std::size_t x, std::size_t y) { return order(x, y) < 0; });
  ResultSet copy(result.column_names());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (i > 0 && order(rows[i - 1], rows[i]) == 0) continue;
    for (std::size_t c = 0; c < result.column_count(); ++c) copy.append(result.at(rows[i], c));
  }
  return copy;
}

bool match_in_place(const ResultSet& a, const ResultSet& b, RowOrder order) {
  return rows_match(a, b, identity_permutation(a.column_count()), order);
}

// Whether the results match under a permutation of columns. If that takes too many steps, assume so: this gives the
// milder grade.
bool match_permuted(const ResultSet& a, const ResultSet& b, RowOrder order) {
  const auto permutation = match_columns(a, b, order, max_matching_steps);
  return !permutation.ok() || permutation->has_value();
}

// Whether the result is a single row of NULLs and zeros, as aggregates return over no rows.
bool is_empty_aggregate_row(const ResultSet& result) {
  if (result.row_count() != 1) return false;
  for (std::size_t c = 0; c < result.column_count(); ++c) {
    const auto value = result.at(0, c);
    if (!value.is_null() && !(value.is_number() && equal(value, ValueView::of_integer(0)))) return false;
  }
  return true;
}

std::optional<Deviations> difference(const ResultSet& a, const ResultSet& b, const ResultComparison& how) {
  const RowsMatter rows = how.rows;
  if (a.column_count() != b.column_count()) return a.empty() && b.empty() ? std::nullopt : std::optional(Deviations{});
  if (how.may_be_empty_aggregate &&
      ((a.empty() && is_empty_aggregate_row(b)) || (b.empty() && is_empty_aggregate_row(a))))
    return Deviations{Deviation::empty};
  if (rows == RowsMatter::as_set) {
    const ResultSet set_a = without_duplicates(a);
    const ResultSet set_b = without_duplicates(b);
    if (match_in_place(set_a, set_b, RowOrder::bag)) return std::nullopt;
    if (match_permuted(set_a, set_b, RowOrder::bag)) return Deviations{Deviation::column_order};
    return Deviations{};
  }
  const bool list = rows == RowsMatter::as_list;
  if (match_in_place(a, b, list ? RowOrder::list : RowOrder::bag)) return std::nullopt;
  std::optional<Deviations> best;
  const auto offer = [&](Deviations deviations) {
    if (!best || cost(deviations) < cost(*best)) best = deviations;
  };
  if (list && match_in_place(a, b, RowOrder::bag)) offer({Deviation::row_order});
  if (a.column_count() > 1 && match_permuted(a, b, list ? RowOrder::list : RowOrder::bag))
    offer({Deviation::column_order});
  if (!best && list && match_permuted(a, b, RowOrder::bag)) offer({Deviation::row_order, Deviation::column_order});
  if (a.row_count() != b.row_count() || !best) {
    const ResultSet set_a = without_duplicates(a);
    const ResultSet set_b = without_duplicates(b);
    if (match_in_place(set_a, set_b, RowOrder::bag)) {
      offer({Deviation::duplicates});
    } else if (!best && match_permuted(set_a, set_b, RowOrder::bag)) {
      offer({Deviation::duplicates, Deviation::column_order});
    }
  }
  return best ? *best : Deviations{};
}

}  // namespace

std::optional<Deviations> result_difference(const ResultSet& a, const ResultSet& b, const ResultComparison& how) {
  auto exact = difference(a, b, how);
  if (!exact || a.column_count() != b.column_count() || (!has_reals(a) && !has_reals(b))) return exact;
  std::vector<double> reals;
  collect_reals(a, reals);
  collect_reals(b, reals);
  std::sort(reals.begin(), reals.end());
  std::vector<double> representatives(reals.size());
  for (std::size_t i = 0; i < reals.size(); ++i) {
    const double whole = std::nearbyint(reals[i]);
    representatives[i] = i > 0 && is_near(reals[i - 1], reals[i]) ? representatives[i - 1]
                         : is_near(reals[i], whole)               ? whole
                                                                  : reals[i];
  }
  return difference(snapped(a, reals, representatives), snapped(b, reals, representatives), how);
}

}  // namespace trustsql::equiv
