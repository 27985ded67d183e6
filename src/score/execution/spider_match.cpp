#include "score/execution/spider_match.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <string>
#include <vector>

#include "base/text.hpp"
#include "db/results/column_match.hpp"
#include "score/execution/python_value.hpp"

namespace trustsql {

namespace {

bool is_negative_zero(double value) { return value == 0.0 && std::signbit(value); }

// Whether two numbers in these results may be equal and yet differ in type or text.
bool may_mix(const ResultSet& a, const ResultSet& b) {
  bool integers = false;
  bool whole_reals = false;
  bool negative_zeros = false;
  for (const auto* result : {&a, &b}) {
    for (std::size_t r = 0; r < result->row_count(); ++r) {
      for (std::size_t j = 0; j < result->column_count(); ++j) {
        const auto type = result->type_at(r, j);
        if (type == ValueType::integer) integers = true;
        if (type != ValueType::real) continue;
        const double value = result->at(r, j).real;
        whole_reals = whole_reals || value == std::floor(value);
        negative_zeros = negative_zeros || is_negative_zero(value);
      }
    }
  }
  return whole_reals && (integers || negative_zeros);
}

using ValueRow = std::vector<ValueView>;

// The row with its values sorted by text and type.
ValueRow sorted_row(const ResultSet& result, std::size_t row) {
  std::vector<std::pair<std::string, ValueView>> keyed;
  keyed.reserve(result.column_count());
  for (std::size_t j = 0; j < result.column_count(); ++j) {
    const auto value = result.at(row, j);
    keyed.emplace_back(python_str(value).append(python_type(value.type)), value);
  }
  std::stable_sort(keyed.begin(), keyed.end(), [](const auto& x, const auto& y) { return x.first < y.first; });
  ValueRow sorted;
  sorted.reserve(keyed.size());
  for (const auto& [key, value] : keyed) sorted.push_back(value);
  return sorted;
}

std::vector<ValueRow> sorted_rows(const ResultSet& result) {
  std::vector<ValueRow> rows;
  rows.reserve(result.row_count());
  for (std::size_t r = 0; r < result.row_count(); ++r) rows.push_back(sorted_row(result, r));
  return rows;
}

bool rows_equal(const ValueRow& x, const ValueRow& y) {
  return std::equal(x.begin(), x.end(), y.begin(), y.end(), [](ValueView a, ValueView b) { return equal(a, b); });
}

// set(rows), as a sorted list.
void make_set(std::vector<ValueRow>& rows) {
  std::sort(rows.begin(), rows.end(), [](const ValueRow& x, const ValueRow& y) {
    return std::lexicographical_compare(x.begin(), x.end(), y.begin(), y.end(),
                                        [](ValueView a, ValueView b) { return compare(a, b) < 0; });
  });
  rows.erase(std::unique(rows.begin(), rows.end(), rows_equal), rows.end());
}

}  // namespace

bool spider_quick_check(const ResultSet& gold, const ResultSet& prediction, RowOrder order) {
  auto gold_rows = sorted_rows(gold);
  auto predicted_rows = sorted_rows(prediction);
  if (order == RowOrder::bag) {
    make_set(gold_rows);
    make_set(predicted_rows);
  }
  return std::equal(gold_rows.begin(), gold_rows.end(), predicted_rows.begin(), predicted_rows.end(), rows_equal);
}

Result<bool> spider_match(const ResultSet& gold, const ResultSet& prediction, RowOrder order, std::int64_t max_steps) {
  if (gold.empty() && prediction.empty()) return true;
  TRUSTSQL_ASSIGN_OR_RETURN(const auto permutation, match_columns(gold, prediction, order, max_steps));
  if (!permutation) return false;
  return !may_mix(gold, prediction) || spider_quick_check(gold, prediction, order);
}

std::optional<ResultSet> spider_decoded(const ResultSet& result) {
  bool decodable = true;
  for (std::size_t r = 0; decodable && r < result.row_count(); ++r)
    for (std::size_t j = 0; decodable && j < result.column_count(); ++j)
      decodable = result.type_at(r, j) != ValueType::text || is_valid_utf8(result.at(r, j).bytes);
  if (decodable) return std::nullopt;

  ResultSet decoded(result.column_names());
  for (std::size_t r = 0; r < result.row_count(); ++r) {
    for (std::size_t j = 0; j < result.column_count(); ++j) {
      const auto value = result.at(r, j);
      decoded.append(value.type == ValueType::text ? ValueView::of_text(drop_invalid_utf8(value.bytes)) : value);
    }
  }
  return decoded;
}

}  // namespace trustsql
