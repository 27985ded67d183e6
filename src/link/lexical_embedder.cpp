#include "link/lexical_embedder.hpp"

#include <algorithm>
#include <cmath>

#include "base/text.hpp"
#include "link/lexicon/lexicon.hpp"
#include "link/schema_words.hpp"
#include "link/vector_math.hpp"
#include "link/word_forms.hpp"
#include "link/word_split.hpp"

namespace trustsql::link {

namespace {

struct WeightedWord {
  std::string word;
  float weight;
};

// How much the parts of a qualified name count, from the last to the first.
#include <cstdlib>
static float PE(const char*n,double d){auto e=getenv(n);return static_cast<float>(e?atof(e):d);}
static const float part_weights[] = {1.0F, PE("ptable",0.6F), PE("pdb",0.35F)};

// "table.column": a dot between two characters neither of which is a digit or blank.
bool is_qualifying_dot(std::string_view text, std::size_t at) {
  if (text[at] != '.' || at == 0 || at + 1 == text.size()) return false;
  const auto part_of_name = [](char c) { return !is_space(c) && c != '.' && !(c >= '0' && c <= '9'); };
  return !is_space(text[at - 1]) && text[at - 1] != '.' && part_of_name(text[at + 1]);
}

std::vector<std::string_view> name_parts(std::string_view text) {
  std::vector<std::string_view> parts;
  std::size_t begin = 0;
  for (std::size_t i = 0; i < text.size() && parts.size() < 2; ++i) {
    if (!is_qualifying_dot(text, i)) continue;
    parts.push_back(text.substr(begin, i - begin));
    begin = i + 1;
  }
  parts.push_back(text.substr(begin));
  return parts;
}

// Names of two words that the lexicon or the schema words know as one ("first name").
void add_pairs(std::vector<WeightedWord>& words, std::size_t begin) {
  const std::size_t end = words.size();
  for (std::size_t i = begin; i + 1 < end; ++i) {
    const std::string pair = word_forms(words[i].word)[0].lemma + "_" + word_forms(words[i + 1].word)[0].lemma;
    if (!lexicon::find(pair) && schema_groups(pair).empty()) continue;
    words.push_back({pair, 0.5F * (words[i].weight + words[i + 1].weight)});
  }
}

std::vector<WeightedWord> weighted_words(WordVectors& vectors, std::string_view text) {
  std::vector<WeightedWord> words;
  const auto parts = name_parts(text);
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const std::size_t begin = words.size();
    for (auto& word : split_words(parts[i])) {
      const float weight = vectors.importance(word);
      words.push_back({std::move(word), weight});
    }
    add_pairs(words, begin);
    // A part counts the same however many words it has.
    float total = 0;
    for (std::size_t j = begin; j < words.size(); ++j) total += words[j].weight;
    if (parts.size() == 1 || total <= 0) continue;
    for (std::size_t j = begin; j < words.size(); ++j) words[j].weight *= part_weights[parts.size() - 1 - i] / std::max(total, 0.5F);
  }
  static const bool dedupe = PE("dedupe", 1) > 0;
  if (dedupe) {
    std::vector<WeightedWord> merged;
    for (auto& word : words) {
      std::string l = word_forms(word.word)[0].lemma;
      auto same = std::find_if(merged.begin(), merged.end(), [&](const WeightedWord& m) { return word_forms(m.word)[0].lemma == l; });
      if (same == merged.end()) merged.push_back(std::move(word));
      else same->weight = std::max(same->weight, word.weight);
    }
    return merged;
  }
  return words;
}

Vector pooled(WordVectors& vectors, const std::vector<WeightedWord>& words) {
  Vector sum(WordVectors::dimensions, 0.0F);
  for (const auto& [word, weight] : words) add_scaled(sum, vectors.of(word), weight);
  normalise(sum);
  return sum;
}

}  // namespace

std::string LexicalEmbedder::name() const {
  return "lexical-1-" + std::to_string(WordVectors::dimensions) + (lexicon::is_empty() ? "-no-lexicon" : "");
}

Result<std::vector<Vector>> LexicalEmbedder::embed(std::span<const std::string> texts, const llm::CallContext&) { return embed(texts); }

std::vector<Vector> LexicalEmbedder::embed(std::span<const std::string> texts) const {
  WordVectors vectors(features_);
  std::vector<Vector> embedded;
  embedded.reserve(texts.size());
  for (const auto& text : texts) embedded.push_back(pooled(vectors, weighted_words(vectors, text)));
  return embedded;
}

Vector LexicalEmbedder::embed_one(std::string_view text) const {
  WordVectors vectors(features_);
  return pooled(vectors, weighted_words(vectors, text));
}

std::vector<Vector> LexicalEmbedder::embed_in_context(std::string_view context, std::span<const std::string> texts) const {
  WordVectors vectors(features_);
  const auto context_words = weighted_words(vectors, context);
  const Vector whole = pooled(vectors, context_words);
  std::vector<Vector> embedded;
  for (const auto& text : texts) {
    const auto words = weighted_words(vectors, text);
    Vector sum = pooled(vectors, words);
    Vector attended(WordVectors::dimensions, 0.0F);
    for (const auto& [word, weight] : words) {
      const Vector& own = vectors.of(word);
      for (const auto& [other, other_weight] : context_words) {
        const Vector& seen = vectors.of(other);
        const float near = std::max(0.0F, dot(own, seen) - 0.1F);
        if (near > 0) add_scaled(attended, seen, weight * other_weight * near);
      }
    }
    normalise(attended);
    add_scaled(sum, attended, context_.attention);
    add_scaled(sum, whole, context_.whole);
    normalise(sum);
    embedded.push_back(std::move(sum));
  }
  return embedded;
}

std::vector<Vector> LexicalEmbedder::embed_words(std::string_view text) const {
  WordVectors vectors(features_);
  std::vector<Vector> embedded;
  for (const auto& [word, weight] : weighted_words(vectors, text))
    if (!is_function_word(word)) embedded.push_back(vectors.of(word));
  return embedded;
}

}  // namespace trustsql::link
