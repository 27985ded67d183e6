#include "link/methods.hpp"

#include <algorithm>
#include <unordered_map>

#include "link/schema_words.hpp"
#include "link/vector_math.hpp"
#include "link/word_split.hpp"

namespace trustsql::link {

namespace {

std::vector<Ranked> ranked(std::span<const float> scores, std::size_t budget) {
  std::vector<Ranked> result;
  for (const auto element : largest(scores, budget)) result.push_back({element, scores[element]});
  return result;
}

}  // namespace

std::vector<Ranked> rank_by_question(const ElementIndex& index, const Vector& question, std::size_t budget) {
  return ranked(index.cosines(std::span(&question, 1)), budget);
}

MaxSim::MaxSim(const ElementSet& elements) : texts_(elements.size()) {
  WordVectors vectors;
  std::unordered_map<std::string, std::uint32_t> numbers;
  for (std::size_t i = 0; i < elements.size(); ++i) {
    for (const auto& word : split_words(elements[i].text())) {
      const auto [place, added] = numbers.try_emplace(word, static_cast<std::uint32_t>(numbers.size()));
      if (added) {
        const auto& vector = vectors.of(word).vector;
        words_.insert(words_.end(), vector.begin(), vector.end());
      }
      texts_[i].push_back(place->second);
    }
  }
}

std::vector<Ranked> MaxSim::rank(const std::string& question, std::size_t budget) const {
  const auto asked = embedder_.embed_words(question);
  if (asked.empty()) return {};
  std::vector<float> packed;
  for (const auto& vector : asked) packed.insert(packed.end(), vector.begin(), vector.end());
  std::vector<float> similarity(words_.size() / WordVectors::dimensions * asked.size());
  dot_all(words_, packed, WordVectors::dimensions, similarity);
  std::vector<float> scores(texts_.size(), 0.0F);
  for (std::size_t i = 0; i < texts_.size(); ++i) {
    for (std::size_t q = 0; q < asked.size() && !texts_[i].empty(); ++q) {
      float best = -1;
      for (const auto word : texts_[i]) best = std::max(best, similarity[word * asked.size() + q]);
      scores[i] += best;
    }
  }
  return ranked(scores, budget);
}

}  // namespace trustsql::link
