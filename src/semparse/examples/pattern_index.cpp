#include "semparse/examples/pattern_index.hpp"

#include <algorithm>
#include <cmath>

#include "base/text.hpp"

namespace trustsql::semparse {

namespace {

constexpr float least_norm = 1e-3F;  // added, so that nothing is divided by zero

std::uint64_t posting_key(int a, int b) {
  return mix64((static_cast<std::uint64_t>(static_cast<std::uint32_t>(a)) << 32) | static_cast<std::uint32_t>(b));
}

// Calls `visit` with the key of each word and each pair of neighbours.
template <class Visit>
void each_key(const std::vector<int>& words, Visit visit) {
  constexpr int none = -3;
  int before = none;
  for (const int word : words) {
    if (word >= 0) visit(posting_key(word, none));
    if (before != PatternIndex::unknown_word && word != PatternIndex::unknown_word) visit(posting_key(before, word));
    before = word;
  }
}

}  // namespace

void PatternIndex::add(const std::vector<int>& words, int family) {
  const auto number = static_cast<int>(families_.size());
  families_.push_back(family);
  each_key(words, [&](std::uint64_t key) {
    auto& holders = postings_[key];
    if (holders.empty() || holders.back() != number) holders.push_back(number);
  });
}

float PatternIndex::weight_of(std::size_t holders) const {
  return std::log(1 + static_cast<float>(families_.size()) / static_cast<float>(holders));
}

void PatternIndex::finish() {
  norms_.assign(families_.size(), 0.0F);
  for (const auto& [key, holders] : postings_) {
    const float weight = weight_of(holders.size());
    for (const int pattern : holders) norms_[static_cast<std::size_t>(pattern)] += weight * weight;
  }
  for (auto& norm : norms_) norm = std::sqrt(norm) + least_norm;
}

std::vector<NearPattern> PatternIndex::nearest(const std::vector<int>& words, std::size_t count,
                                               std::size_t per_family) const {
  std::vector<float> scores(families_.size(), 0.0F);
  std::vector<int> touched;
  float norm = 0;
  each_key(words, [&](std::uint64_t key) {
    const auto entry = postings_.find(key);
    const float weight = weight_of(entry == postings_.end() ? 1 : entry->second.size());
    norm += weight * weight;
    if (entry == postings_.end()) return;
    for (const int pattern : entry->second) {
      auto& score = scores[static_cast<std::size_t>(pattern)];
      if (score == 0) touched.push_back(pattern);
      score += weight * weight;
    }
  });
  for (const int pattern : touched)
    scores[static_cast<std::size_t>(pattern)] /= norms_[static_cast<std::size_t>(pattern)];
  const auto better = [&scores](int a, int b) {
    const float x = scores[static_cast<std::size_t>(a)];
    const float y = scores[static_cast<std::size_t>(b)];
    return x != y ? x > y : a > b;
  };
  const auto looked_at = std::min(touched.size(), count * 8);
  std::partial_sort(touched.begin(), touched.begin() + static_cast<std::ptrdiff_t>(looked_at), touched.end(), better);
  std::unordered_map<int, std::size_t> of_family;
  std::vector<NearPattern> nearest;
  norm = std::sqrt(norm) + least_norm;
  for (std::size_t i = 0; i < looked_at && nearest.size() < count; ++i)
    if (of_family[families_[static_cast<std::size_t>(touched[i])]]++ < per_family)
      nearest.push_back({touched[i], scores[static_cast<std::size_t>(touched[i])] / norm});
  return nearest;
}

}  // namespace trustsql::semparse
