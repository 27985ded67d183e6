#include "link/recall.hpp"

#include <algorithm>
#include <set>

#include "base/text.hpp"

namespace trustsql::link {

namespace {

std::set<std::string> folded(std::span<const std::string> names) {
  std::set<std::string> folded_names;
  for (const auto& name : names) folded_names.insert(to_lower_ascii(trim(name)));
  return folded_names;
}

}  // namespace

std::optional<double> element_recall(std::span<const std::string> gold, std::span<const std::string> retrieved) {
  const auto gold_names = folded(gold);
  const auto retrieved_names = folded(retrieved);
  if (gold_names.empty()) return std::nullopt;
  const auto hits = std::ranges::count_if(gold_names, [&](const auto& name) { return retrieved_names.contains(name); });
  return static_cast<double>(hits) / static_cast<double>(gold_names.size());
}

}  // namespace trustsql::link
