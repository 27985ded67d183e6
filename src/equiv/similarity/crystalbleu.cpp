#include "equiv/similarity/crystalbleu.hpp"

#include <algorithm>

#include "equiv/similarity/bleu.hpp"

namespace trustsql {

Result<double> crystalbleu(const QueryPair& pair, const SimilarityOptions& options) {
  TRUSTSQL_ASSIGN_OR_RETURN(const auto both, words_of_pair(pair.reference(), pair.candidate(), pair.version()));
  const auto distinguishes = [&](const std::vector<Word>& words, std::size_t first, std::size_t n) {
    if (options.shared_ngrams) return !options.shared_ngrams->contains(ngram_key(words, first, n));
    const auto begin = words.begin() + static_cast<std::ptrdiff_t>(first);
    return !std::all_of(begin, begin + static_cast<std::ptrdiff_t>(n), [](const Word& word) { return word.is_syntax; });
  };
  return bleu_score(both.reference, both.candidate, options.max_n, distinguishes);
}

}  // namespace trustsql
