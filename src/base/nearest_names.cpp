#include "base/nearest_names.hpp"

#include <algorithm>
#include <utility>

#include "base/edit_distance.hpp"
#include "base/text.hpp"

namespace trustsql {

namespace {

constexpr std::size_t max_names = 5;

}  // namespace

NearestNames::NearestNames(std::string_view name)
    : name_(name), limit_(name.size() < 5 ? 1 : std::max<std::size_t>(2, name.size() / 3)) {}

void NearestNames::add(std::string_view name, std::string shown) {
  auto distance = edit_distance(name_, name, limit_);
  // singerid for singer_id, and name for song_name.
  const bool contains =
      name_.size() > 3 && name.size() > 3 && (contains_ignore_case(name, name_) || contains_ignore_case(name_, name));
  if (distance > limit_ && contains) distance = limit_;
  if (distance > limit_ || distance >= std::max(name.size(), name_.size())) return;
  if (seen_.insert(shown).second) candidates_.push_back({distance, std::move(shown)});
}

std::vector<std::string> NearestNames::take() {
  std::stable_sort(candidates_.begin(), candidates_.end(),
                   [](const auto& a, const auto& b) { return a.distance < b.distance; });
  std::vector<std::string> names;
  for (auto& candidate : candidates_) {
    if (names.size() < max_names) names.push_back(std::move(candidate.shown));
  }
  return names;
}

}  // namespace trustsql
