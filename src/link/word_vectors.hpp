// Vectors of words: a word's spelling and meaning, as features that are hashed into a fixed number of dimensions.
//
// The features of a word (of each of its base forms) are: the lemma itself; its subword n-grams, so that unknown names
// with similar spelling are near each other; its concepts in the lexicon and their related concepts (broader, derived,
// attribute, similar); the groups of schema words that it belongs to. An abbreviation has the features of its
// expansion. Each feature adds a fixed random direction, so the dot product of two words is approximately the weighted
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

// The weight of each kind of feature, before the vector of the word is scaled to length 1.
struct FeatureWeights {
  float lemma = 1.0F;
  float ngrams = 0.7F;    // for all n-grams together
  float concepts = 1.0F;  // for all concepts together
  float broader = 0.5F;   // of a related concept, relative to the concept itself
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
    std::string lemma;     // its most likely base form
    float importance = 0;  // its weight in a text of several words: low for words with little content
    Vector vector;         // of unit length
  };

  // The vector of `word`, a word from split_words() or two of them joined by '_'; valid until clear(). Each word is
  // computed once. Not thread-safe: an object is used within one call.
  const Word& of(const std::string& word);

  // The number of cached words; clear() removes them.
  std::size_t size() const { return known_.size(); }
  void clear() { known_.clear(); }

 private:
  void add_features(Vector& sum, std::string_view word, const std::vector<WordForm>& forms, float factor) const;
  void add_concepts(Vector& sum, std::string_view lemma, float factor) const;

  FeatureWeights weights_;
  std::unordered_map<std::string, Word> known_;
};

}  // namespace trustsql::link
