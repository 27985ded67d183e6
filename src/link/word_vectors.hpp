// Vectors of words: what a word is spelt like and what it means, as features that are hashed into a fixed number of
// dimensions.
//
// Features of a word (of each of its base forms): the lemma itself; its subword n-grams, so that names that nobody
// listed are near each other where they are spelt alike; its concepts in the lexicon and those that these lead to
// (broader, derived, attribute, similar); the groups of schema words that it belongs to. An abbreviation has those of
// its expansion. Each feature adds a fixed random direction, so the dot product of two words is near the weighted
// number of their common features (the hashing trick, Weinberger et al. 2009, with several coordinates for each
// feature).
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "link/embedder.hpp"
#include "link/word_forms.hpp"

namespace trustsql::link {

// How much each kind of feature counts, before the vector of the word is scaled to length 1.
struct FeatureWeights {
  float lemma = 1.0F;
  float ngrams = 0.7F;    // of all n-grams together
  float concepts = 1.0F;  // of all concepts together
  float broader = 0.5F;   // of a concept that a concept leads to, against itself
  float derived = 0.6F;
  float attribute = 0.7F;
  float similar = 0.4F;
  float group = 1.5F;
};

class WordVectors {
 public:
  static constexpr std::size_t dimensions = 512;

  explicit WordVectors(const FeatureWeights& weights = {}) : weights_(weights) {}

  struct Word {
    std::string lemma;     // its likeliest base form
    float importance = 0;  // how much it counts in a text of several: little where it says little by itself
    Vector vector;         // of unit length
  };

  // `word` as split_words() gives it, or two of them with '_' between; valid until clear(). Each word is worked out
  // once. Not thread-safe: an object serves one call.
  const Word& of(const std::string& word);

  // How many words are kept; forgets them all.
  std::size_t size() const { return known_.size(); }
  void clear() { known_.clear(); }

 private:
  void add_features(Vector& sum, std::string_view word, const std::vector<WordForm>& forms, float factor) const;
  void add_concepts(Vector& sum, std::string_view lemma, float factor) const;

  FeatureWeights weights_;
  std::unordered_map<std::string, Word> known_;
};

}  // namespace trustsql::link
