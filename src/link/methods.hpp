// The baseline methods of CRUSH4SQL's evaluation (5.2), on the same vectors.
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
  std::size_t element;  // number of the element
  double score;
};

// Single DPR: the elements nearest to the single vector of the question.
std::vector<Ranked> rank_by_question(const ElementIndex& index, const Vector& question, Surroundings surroundings,
                                     std::size_t budget);

// Token-level maximum similarity, ColBERT's form (Khattab and Zaharia 2020): for each word of the question, the largest
// cosine to a word of the element, summed over the question's words. Word vectors are computed once for a corpus.
class MaxSim {
 public:
  explicit MaxSim(const ElementSet& elements);
  std::vector<Ranked> rank(const std::string& question, std::size_t budget) const;

 private:
  LexicalEmbedder embedder_;
  std::vector<float> words_;                       // the vectors of the distinct words, concatenated
  std::vector<std::vector<std::uint32_t>> texts_;  // for each element, the indexes of its words
};

}  // namespace trustsql::link
