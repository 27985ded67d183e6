#include "equiv/deviation.hpp"

namespace trustsql::equiv {

std::string_view name(Deviation deviation) {
  switch (deviation) {
    case Deviation::duplicates: return "duplicates";
    case Deviation::empty: return "empty";
    case Deviation::column_order: return "column_order";
    case Deviation::row_order: return "row_order";
    case Deviation::null: return "null";
    case Deviation::foreign_key: return "foreign_key";
    case Deviation::type: return "type";
    case Deviation::letter_case: return "case";
  }
  return "";
}

std::optional<Deviation> find_deviation(std::string_view name) {
  for (int i = 0; i < deviation_count; ++i) {
    const auto deviation = static_cast<Deviation>(i);
    if (equiv::name(deviation) == name) return deviation;
  }
  return std::nullopt;
}

std::string deviation_names() {
  std::string names;
  for (int i = 0; i < deviation_count; ++i)
    names += (i == 0 ? "" : ", ") + std::string(name(static_cast<Deviation>(i)));
  return names;
}

std::string Deviations::text() const {
  if (none()) return "outright";
  std::string text;
  for (int i = 0; i < deviation_count; ++i) {
    const auto deviation = static_cast<Deviation>(i);
    if (!has(deviation)) continue;
    if (!text.empty()) text += '+';
    text += name(deviation);
  }
  return text;
}

// Any single deviation costs less than any two; among single ones, those that questions and users care about most
// cost least.
int cost(Deviations deviations) {
  constexpr int costs[deviation_count] = {100, 104, 106, 105, 102, 101, 107, 103};
  int sum = 0;
  for (int i = 0; i < deviation_count; ++i) {
    if (deviations.has(static_cast<Deviation>(i))) sum += costs[i];
  }
  return sum;
}

}  // namespace trustsql::equiv
