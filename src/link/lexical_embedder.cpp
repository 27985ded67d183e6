#include "link/lexical_embedder.hpp"

#include <algorithm>

#include "base/text.hpp"
#include "link/lexicon/lexicon.hpp"
#include "link/schema_words.hpp"
#include "link/vector_math.hpp"
#include "link/word_split.hpp"

namespace trustsql::link {

namespace {

struct WeightedWord {
  const WordVectors::Word* word;
  float weight;
};

// The numbers of bytes and of words of a text that are read, and of words whose vectors are cached between texts.
constexpr std::size_t max_embedded_bytes = 64 << 10;
constexpr std::size_t max_embedded_words = 1024;
constexpr std::size_t max_cached_words = 16'384;

// The weights of the parts of a qualified name, from the last to the first.
constexpr float part_weights[] = {1.0F, 0.5F, 0.35F};
// A part's weight does not depend on its number of words, but is lower if its words are unimportant.
constexpr float least_part_total = 0.5F;

// In a context, the weight of the context's words that are near a word, and the cosine above which they are near.
constexpr float attention = 0.15F;
constexpr float least_near = 0.1F;

// Whether text[position] is a dot as in "table.column": between characters of names, unlike in "3.5" or at the end of a
// sentence.
bool is_qualifying_dot(std::string_view text, std::size_t position) {
  if (text[position] != '.' || position == 0 || position + 1 == text.size()) return false;
  const char before = text[position - 1];
  const char after = text[position + 1];
  return !is_space(before) && before != '.' && !is_space(after) && after != '.' && !(after >= '0' && after <= '9');
}

std::vector<std::string_view> name_parts(std::string_view text) {
  std::vector<std::string_view> parts;
  std::size_t begin = 0;
  for (std::size_t i = 0; i < text.size() && parts.size() + 1 < std::size(part_weights); ++i) {
    if (!is_qualifying_dot(text, i)) continue;
    parts.push_back(text.substr(begin, i - begin));
    begin = i + 1;
  }
  parts.push_back(text.substr(begin));
  return parts;
}

// Adds pairs of words that the lexicon or the schema words contain as one name ("first name").
void add_pairs(WordVectors& vectors, std::vector<WeightedWord>& words, std::size_t begin) {
  const std::size_t end = words.size();
  for (std::size_t i = begin; i + 1 < end; ++i) {
    const std::string pair = words[i].word->lemma + "_" + words[i + 1].word->lemma;
    if (!lexicon::find(pair) && schema_groups(pair).empty()) continue;
    words.push_back({&vectors.of(pair), 0.5F * (words[i].weight + words[i + 1].weight)});
  }
}

// The weighted words of `text`, each once: a column name that repeats its table's name must not be dominated by it.
std::vector<WeightedWord> weighted_words(WordVectors& vectors, std::string_view text) {
  std::vector<WeightedWord> words;
  const auto parts = name_parts(text.substr(0, max_embedded_bytes));
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const std::size_t begin = words.size();
    for (const auto& word : split_words(parts[i])) {
      if (words.size() >= max_embedded_words) break;
      const auto& vector = vectors.of(word);
      words.push_back({&vector, vector.importance});
    }
    add_pairs(vectors, words, begin);
    if (parts.size() == 1) continue;
    float total = 0;
    for (std::size_t j = begin; j < words.size(); ++j) total += words[j].weight;
    const float scale = part_weights[parts.size() - 1 - i] / std::max(total, least_part_total);
    for (std::size_t j = begin; j < words.size(); ++j) words[j].weight *= scale;
  }
  std::vector<WeightedWord> distinct;
  for (const auto& word : words) {
    const auto previous = std::find_if(distinct.begin(), distinct.end(), [&](const WeightedWord& other) {
      return other.word->lemma == word.word->lemma;
    });
    if (previous == distinct.end()) {
      distinct.push_back(word);
    } else {
      previous->weight = std::max(previous->weight, word.weight);
    }
  }
  return distinct;
}

Vector pooled(const std::vector<WeightedWord>& words) {
  Vector sum(WordVectors::dimensions, 0.0F);
  for (const auto& [word, weight] : words) add_scaled(sum, word->vector, weight);
  normalise(sum);
  return sum;
}

}  // namespace

std::string LexicalEmbedder::name() const {
  return "lexical-1-" + std::to_string(WordVectors::dimensions) + "-" + std::to_string(lexicon::word_count());
}

Result<std::vector<Vector>> LexicalEmbedder::embed(std::span<const std::string> texts, const llm::RequestContext&) {
  return embed(texts);
}

Result<std::vector<Vector>> LexicalEmbedder::embed_in_context(const std::string& context,
                                                              std::span<const std::string> texts, float weight,
                                                              const llm::RequestContext&) {
  return embed_in_context(context, texts, weight);
}

std::vector<Vector> LexicalEmbedder::embed(std::span<const std::string> texts) const {
  WordVectors vectors(features_);
  std::vector<Vector> embedded;
  embedded.reserve(texts.size());
  for (const auto& text : texts) {
    if (vectors.size() > max_cached_words) vectors.clear();
    embedded.push_back(pooled(weighted_words(vectors, text)));
  }
  return embedded;
}

std::vector<Vector> LexicalEmbedder::embed_in_context(const std::string& context, std::span<const std::string> texts,
                                                      float weight) const {
  WordVectors vectors(features_);
  const auto context_words = weighted_words(vectors, context);
  const Vector whole = pooled(context_words);
  std::vector<Vector> embedded;
  embedded.reserve(texts.size());
  for (const auto& text : texts) {
    const auto words = weighted_words(vectors, text);
    Vector attended(WordVectors::dimensions, 0.0F);
    for (const auto& [word, importance] : words) {
      for (const auto& [other, other_importance] : context_words) {
        const float near = dot(word->vector, other->vector) - least_near;
        if (near > 0) add_scaled(attended, other->vector, importance * other_importance * near);
      }
    }
    normalise(attended);
    Vector vector = pooled(words);
    add_scaled(vector, attended, attention);
    add_scaled(vector, whole, weight);
    normalise(vector);
    embedded.push_back(std::move(vector));
  }
  return embedded;
}

std::vector<Vector> LexicalEmbedder::embed_words(const std::string& text) const {
  WordVectors vectors(features_);
  std::vector<Vector> embedded;
  for (const auto& [word, weight] : weighted_words(vectors, text))
    if (!is_function_word(word->lemma)) embedded.push_back(word->vector);
  return embedded;
}

}  // namespace trustsql::link
