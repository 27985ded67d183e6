#include "base/edit_distance.hpp"

#include <algorithm>
#include <vector>

#include "base/text.hpp"

namespace trustsql {

std::size_t edit_distance(std::string_view a, std::string_view b, std::size_t limit) {
  if (std::max(a.size(), b.size()) - std::min(a.size(), b.size()) > limit) return limit + 1;
  // The rows of the dynamic-programming table for the current byte of `a` and the two before it.
  std::vector<std::size_t> before(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::swap(before, last);
    std::swap(last, row);
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const auto same_byte = [&](std::size_t back) {
        return to_lower_ascii(a[i - back]) == to_lower_ascii(b[j - back]);
      };
      const auto crossed = [&] {
        return to_lower_ascii(a[i - 1]) == to_lower_ascii(b[j - 2]) &&
               to_lower_ascii(a[i - 2]) == to_lower_ascii(b[j - 1]);
      };
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (same_byte(1) ? 0 : 1)});
      if (i > 1 && j > 1 && crossed()) row[j] = std::min(row[j], before[j - 2] + 1);
    }
    if (std::min(*std::min_element(row.begin(), row.end()), *std::min_element(last.begin(), last.end())) > limit)
      return limit + 1;
  }
  return std::min(row.back(), limit + 1);
}

}  // namespace trustsql
