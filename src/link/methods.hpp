// The methods that CRUSH4SQL compares itself with (5.2), on the same vectors.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "link/element.hpp"
#include "link/element_index.hpp"
#include "link/lexical_embedder.hpp"

namespace trustsql::link {

struct Ranked {
  std::size_t element;  // its number
  double score;
};

// Single DPR: the elements nearest to the question's one vector.
std::vector<Ranked> rank_by_question(const ElementIndex& index, const Vector& question, std::size_t budget);

// Token-level maximum similarity, ColBERT's form (Khattab and Zaharia 2020): of each word of the question the largest
// cosine to a word of the element, summed. Word vectors are made once for a corpus.
class MaxSim {
 public:
  explicit MaxSim(const ElementSet& elements);
  std::vector<Ranked> rank(const std::string& question, std::size_t budget) const;

 private:
  LexicalEmbedder embedder_;
  std::vector<float> words_;                       // the vectors of the distinct words, one after the other
  std::vector<std::vector<std::uint32_t>> texts_;  // for each element its words
};

}  // namespace trustsql::link
