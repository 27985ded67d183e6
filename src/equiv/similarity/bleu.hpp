// BLEU (Papineni et al. 2002) of two queries, as sequences of words: the geometric mean of how many of the candidate's
// n-grams the reference has, times a penalty for a candidate that is shorter.
//
// A question has one reference and few words, so two things are as in the evaluation of code: an order n none of whose
// n-grams match counts 0.1 of one n-gram (Chen and Cherry 2014, their first smoothing), and n ends at the length of the
// candidate. Without a common word the score is 0.
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "equiv/similarity.hpp"
#include "equiv/similarity/words.hpp"

namespace trustsql {

// Whether an n-gram counts: the words, the position of its first one, and n.
using NgramFilter = std::function<bool(const std::vector<Word>& words, std::size_t first, std::size_t n)>;

// The score over the n-grams that count, all where there is no filter. Orders without any in both queries are left out;
// where none is left the score is 1 for equal words and 0 for others.
double bleu_score(const std::vector<Word>& reference, const std::vector<Word>& candidate, int max_n,
                  const NgramFilter& counts = {});

// exp(1 - reference / candidate) for a shorter candidate, else 1; 0 for an empty one.
double brevity_penalty(std::size_t reference, std::size_t candidate);

Result<double> bleu(const QueryPair& pair, const SimilarityOptions& options);

}  // namespace trustsql
