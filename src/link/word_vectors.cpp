#include "link/word_vectors.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "base/text.hpp"
#include "base/value.hpp"
#include "link/lexicon/lexicon.hpp"
#include "link/schema_words.hpp"
#include "link/vector_math.hpp"
#include "link/word_forms.hpp"

namespace trustsql::link {

namespace {

// A feature is a 64-bit hash; these distinguish the kinds of features.
enum Kind : std::uint64_t { lemma_kind = 1, ngram_kind, concept_kind, group_kind };

constexpr std::size_t coordinates = 16;  // coordinates of one feature

void add_feature(Vector& sum, std::uint64_t feature, float weight) {
  const float step = weight / 4;  // a vector of 16 coordinates of this size has length `weight`
  static_assert(coordinates == 16);
  std::uint64_t state = mix64(feature);
  for (std::size_t i = 0; i < coordinates; i += 4) {
    std::uint64_t bits = state = mix64(state + i);
    for (std::size_t j = 0; j < 4; ++j, bits >>= 16)
      sum[bits % WordVectors::dimensions] += (bits & 0x8000) != 0 ? step : -step;
  }
}

std::uint64_t feature(Kind kind, std::uint64_t id) { return mix64(kind << 56 ^ id); }
std::uint64_t feature(Kind kind, std::string_view text) { return hash_bytes(text, kind); }

void add_ngrams(Vector& sum, std::string_view lemma, float weight) {
  const std::string bounded = "^" + std::string(lemma) + "$";
  std::vector<std::uint64_t> ngrams;
  for (std::size_t n = 3; n <= 5; ++n)
    for (std::size_t i = 0; i + n <= bounded.size(); ++i)
      ngrams.push_back(feature(ngram_kind, std::string_view(bounded).substr(i, n)));
  const float ngram_weight = weight / std::sqrt(static_cast<float>(ngrams.size()));
  for (const auto ngram : ngrams) add_feature(sum, ngram, ngram_weight);
}

bool is_number(std::string_view word) { return word[0] >= '0' && word[0] <= '9'; }

// The shares in an abbreviation's vector of its expansion and of its own meaning as a word.
constexpr float expanded_share = 0.8F;
constexpr float abbreviation_share = 0.5F;

// Decreases with the logarithm of a word's frequency, similar to smooth inverse frequency (Arora et al. 2017).
float importance_of(std::string_view word, const std::vector<WordForm>& forms) {
  if (is_function_word(word)) return 0.02F;
  if (is_number(word) || is_request_word(word) || word.size() == 1) return 0.3F;
  float frequency = 0;
  for (const auto& form : forms)
    if (const auto id = lexicon::find(form.lemma)) frequency = std::max(frequency, lexicon::log_frequency(*id));
  return std::clamp(1.3F - 0.06F * frequency, 0.4F, 1.3F);
}

}  // namespace

void WordVectors::add_concepts(Vector& sum, std::string_view lemma, float factor) const {
  std::map<lexicon::ConceptId, float> meanings;
  const auto weight_of = [this](Relation relation) {
    switch (relation) {
      case Relation::broader: return weights_.broader;
      case Relation::derived: return weights_.derived;
      case Relation::attribute: return weights_.attribute;
      case Relation::similar: return weights_.similar;
    }
    return 0.0F;
  };
  if (const auto word = lexicon::find(lemma)) {
    for (std::size_t i = 0; i < lexicon::sense_count(*word); ++i) {
      const auto sense = lexicon::sense(*word, i);
      meanings[sense.meaning] += sense.probability;
      for (std::size_t j = 0; j < lexicon::related_count(sense.meaning); ++j) {
        const auto related = lexicon::related(sense.meaning, j);
        const float share = sense.probability * weight_of(related.relation);
        meanings[related.meaning] += share;
        if (related.relation != Relation::broader) continue;
        for (std::size_t k = 0; k < lexicon::related_count(related.meaning); ++k) {
          const auto further = lexicon::related(related.meaning, k);
          if (further.relation == Relation::broader) meanings[further.meaning] += share * weights_.broader;
        }
      }
    }
  }
  float squares = 0;
  for (const auto& [meaning, weight] : meanings) squares += weight * weight;
  if (squares > 0) {
    const float scale = factor * weights_.concepts / std::sqrt(squares);
    for (const auto& [meaning, weight] : meanings) add_feature(sum, feature(concept_kind, meaning), weight * scale);
  }
  const auto groups = schema_groups(lemma);
  const float group_weight =
      factor * weights_.group / std::sqrt(static_cast<float>(std::max<std::size_t>(1, groups.size())));
  for (const auto group : groups) add_feature(sum, feature(group_kind, group), group_weight);
}

void WordVectors::add_features(Vector& sum, std::string_view word, const std::vector<WordForm>& forms,
                               float factor) const {
  if (is_number(word)) {
    add_feature(sum, feature(lemma_kind, word), factor * weights_.lemma);
    return;
  }
  if (const auto expanded = expansion(word); !expanded.empty()) {
    const auto parts = split(expanded, ' ');
    const float share = factor * expanded_share / std::sqrt(static_cast<float>(parts.size()));
    for (const auto part : parts)
      if (!is_function_word(part)) add_features(sum, part, word_forms(part), share);
    add_feature(sum, feature(lemma_kind, word), factor * weights_.lemma);
    add_concepts(sum, word, factor * abbreviation_share);
    return;
  }
  for (const auto& form : forms) {
    const float share = factor * form.weight;
    add_feature(sum, feature(lemma_kind, form.lemma), share * weights_.lemma);
    add_ngrams(sum, form.lemma, share * weights_.ngrams);
    add_concepts(sum, form.lemma, share);
  }
}

const WordVectors::Word& WordVectors::of(const std::string& text) {
  const auto [entry, added] = known_.try_emplace(text);
  Word& word = entry->second;
  if (!added) return word;
  word.vector.assign(dimensions, 0.0F);
  if (text.empty()) return word;
  if (text.find('_') != std::string::npos) {
    word.lemma = text;
    word.importance = 1;
    add_concepts(word.vector, text, 1);
  } else {
    const auto forms = word_forms(text);
    word.lemma = forms[0].lemma;
    word.importance = importance_of(text, forms);
    add_features(word.vector, text, forms, 1);
  }
  normalise(word.vector);
  return word;
}

}  // namespace trustsql::link
