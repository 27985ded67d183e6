#include "equiv/deviation.hpp"

namespace trustsql::equiv {

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
  constexpr int costs[deviation_count] = {100, 104, 106, 105, 102, 101, 107, 103, 108};
  int sum = 0;
  for (int i = 0; i < deviation_count; ++i) {
    if (deviations.has(static_cast<Deviation>(i))) sum += costs[i];
  }
  return sum;
}

}  // namespace trustsql::equiv
