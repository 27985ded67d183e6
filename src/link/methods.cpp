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

std::vector<Ranked> rank_by_question(const ElementIndex& index, const Vector& question, Surroundings surroundings,
                                     std::size_t budget) {
  return ranked(index.cosines(std::span(&question, 1), surroundings), budget);
}

MaxSim::MaxSim(const ElementSet& elements) : texts_(elements.size()) {
  WordVectors vectors;
  std::unordered_map<std::string, std::uint32_t> numbers;
  for (std::size_t i = 0; i < elements.size(); ++i) {
    for (const auto& word : split_words(elements[i].text())) {
      const auto [entry, added] = numbers.try_emplace(word, static_cast<std::uint32_t>(numbers.size()));
      if (added) {
        const auto& vector = vectors.of(word).vector;
        words_.insert(words_.end(), vector.begin(), vector.end());
      }
      texts_[i].push_back(entry->second);
    }
  }
}

std::vector<Ranked> MaxSim::rank(const std::string& question, std::size_t budget) const {
  const auto question_words = embedder_.embed_words(question);
  if (question_words.empty()) return {};
  std::vector<float> packed;
  for (const auto& vector : question_words) packed.insert(packed.end(), vector.begin(), vector.end());
  std::vector<float> similarity(words_.size() / WordVectors::dimensions * question_words.size());
  dot_all(words_, packed, WordVectors::dimensions, similarity);
  std::vector<float> scores(texts_.size(), 0.0F);
  for (std::size_t i = 0; i < texts_.size(); ++i) {
    for (std::size_t q = 0; q < question_words.size() && !texts_[i].empty(); ++q) {
      float best = -1;
      for (const auto word : texts_[i]) best = std::max(best, similarity[word * question_words.size() + q]);
      scores[i] += best;
    }
  }
  return ranked(scores, budget);
}

}  // namespace trustsql::link
