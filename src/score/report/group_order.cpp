#include "score/report/group_order.hpp"

#include <algorithm>
#include <array>
#include <compare>
#include <numeric>
#include <optional>
#include <span>
#include <string_view>

#include "base/text.hpp"

namespace trustsql {

namespace {

using Levels = std::span<const std::string_view>;

constexpr std::array<std::string_view, 5> spider_levels = {"easy", "medium", "hard", "extra", "extra hard"};
constexpr std::array<std::string_view, 3> bird_levels = {"simple", "moderate", "challenging"};
constexpr std::array<Levels, 2> scales = {Levels(spider_levels), Levels(bird_levels)};

// The position of a level in the scale; nullopt if it is none.
std::optional<std::ptrdiff_t> level_of(Levels scale, const Value& value) {
  const ValueView text = view(value);
  if (text.type != ValueType::text) return std::nullopt;
  const auto level = std::find(scale.begin(), scale.end(), to_lower_ascii(trim(text.bytes)));
  if (level == scale.end()) return std::nullopt;
  return level - scale.begin();
}

// The scale that all values of a column belong to, NULL aside; nullopt: there is none.
std::optional<Levels> scale_of(const std::vector<std::vector<Value>>& groups, std::size_t column) {
  for (const Levels scale : scales) {
    const auto belongs = [&](const auto& values) {
      return view(values[column]).is_null() || level_of(scale, values[column]);
    };
    if (std::all_of(groups.begin(), groups.end(), belongs)) return scale;
  }
  return std::nullopt;
}

}  // namespace

std::vector<std::uint32_t> sorted_groups(const std::vector<std::vector<Value>>& groups) {
  std::vector<std::uint32_t> order(groups.size());
  std::iota(order.begin(), order.end(), 0U);
  if (groups.empty()) return order;
  std::vector<std::optional<Levels>> scale_of_column;
  for (std::size_t i = 0; i < groups.front().size(); ++i) scale_of_column.push_back(scale_of(groups, i));
  const auto compare_values = [&](std::size_t column, const Value& a, const Value& b) -> std::strong_ordering {
    if (const auto& scale = scale_of_column[column]) {
      const auto by_level = level_of(*scale, a) <=> level_of(*scale, b);  // NULL has no level and comes first
      if (by_level != 0) return by_level;
    }
    return compare(view(a), view(b));
  };
  std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    for (std::size_t i = 0; i < groups[a].size(); ++i)
      if (const auto order_of_values = compare_values(i, groups[a][i], groups[b][i]); order_of_values != 0)
        return order_of_values < 0;
    return false;
  });
  return order;
}

}  // namespace trustsql
