// BLEU (Papineni et al. 2002) of two queries, as sequences of words: the geometric mean of the shares of the
// candidate's n-grams that the reference contains, times a penalty for a shorter candidate.
//
// A question has one reference and few words, so two details follow the evaluation of code: an order n without
// matching n-grams counts as 0.1 of one n-gram (Chen and Cherry 2014, their first smoothing method), and n is at most
// the length of the candidate. Without a common word the score is 0.
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "equiv/similarity.hpp"
#include "equiv/similarity/words.hpp"

namespace trustsql {

// Whether an n-gram counts: the words, the position of its first one, and n.
using NgramFilter = std::function<bool(const std::vector<Word>& words, std::size_t first, std::size_t n)>;

// The score over the n-grams that count, or over all without a filter. Orders without such n-grams in both queries
// are ignored; if no order is left, the score is 1 for equal words and 0 otherwise.
double bleu_score(const std::vector<Word>& reference, const std::vector<Word>& candidate, int max_n,
                  const NgramFilter& counts = {});

// exp(1 - reference / candidate) for a shorter candidate, otherwise 1; 0 for an empty candidate.
double brevity_penalty(std::size_t reference, std::size_t candidate);

Result<double> bleu(const QueryPair& pair, const SimilarityOptions& options);

}  // namespace trustsql
