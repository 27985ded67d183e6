// PatternIndex: the patterns of questions by the words and the pairs of neighbours that they have.
#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

namespace trustsql::semparse {

// A pattern, and how near it is to a question: the cosine of their words and pairs of words, weighted by rarity.
struct NearPattern {
  int pattern = -1;
  float nearness = 0;
};

class PatternIndex {
 public:
  static constexpr int unknown_word = -1;
  static constexpr int slot_mark = -2;

  // Adds the next pattern: the numbers of its words, slot_mark for a slot. `family`: what nearest() counts it under.
  void add(const std::vector<int>& words, int family);
  // To be called once, after the last pattern: how rare words are depends on all patterns.
  void finish();

  // The patterns that share most with a question, the best first, at most `count` and of each family `per_family`.
  // `words`: the numbers of its words, unknown_word for those that no pattern has, slot_mark for what may be a value.
  std::vector<NearPattern> nearest(const std::vector<int>& words, std::size_t count, std::size_t per_family) const;

 private:
  float weight_of(std::size_t holders) const;

  std::vector<int> families_{};
  std::vector<float> norms_{};
  std::unordered_map<std::uint64_t, std::vector<int>> postings_{};  // for each word, or pair, the patterns that have it
};

}  // namespace trustsql::semparse
