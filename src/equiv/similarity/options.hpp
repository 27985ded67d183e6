// What the similarity metrics can be told.
#pragma once

#include <memory>
#include <string>
#include <unordered_set>

namespace trustsql {

struct SimilarityOptions {
  // Partial matching of trees (astpm).
  double alpha = 0.5;  // of a node itself; 1 - alpha of its children; in (0, 1)
  double beta = 1.0;   // > 1 weighs recall, < 1 precision

  // n-grams (bleu, crystalbleu, codebleu).
  int max_n = 4;  // 1 .. max_ngram
  // crystalbleu: the n-grams that do not count, as ngram_key() writes them. None given: those of SQL's grammar alone.
  std::shared_ptr<const std::unordered_set<std::string>> shared_ngrams = {};

  // codebleu: weights of its four parts, >= 0, not all 0.
  double ngram_weight = 0.25;
  double keyword_weight = 0.25;
  double syntax_weight = 0.25;
  double dataflow_weight = 0.25;
};

inline constexpr int max_ngram = 8;

}  // namespace trustsql
