#include "equiv/similarity/bleu.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <unordered_map>

namespace trustsql {

namespace {

using NgramCounts = std::unordered_map<std::string, std::size_t>;

NgramCounts ngrams(const std::vector<Word>& words, std::size_t n, const NgramFilter& counts) {
  NgramCounts ngram_counts;
  for (std::size_t i = 0; i + n <= words.size(); ++i)
    if (!counts || counts(words, i, n)) ++ngram_counts[ngram_key(words, i, n)];
  return ngram_counts;
}

bool same_words(const std::vector<Word>& a, const std::vector<Word>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const Word& x, const Word& y) { return x.text == y.text; });
}

}  // namespace

double brevity_penalty(std::size_t reference, std::size_t candidate) {
  if (candidate == 0) return 0;
  return candidate >= reference ? 1 : std::exp(1 - static_cast<double>(reference) / static_cast<double>(candidate));
}

double bleu_score(const std::vector<Word>& reference, const std::vector<Word>& candidate, int max_n,
                  const NgramFilter& counts) {
  constexpr double smoothing = 0.1;
  const std::size_t orders = std::min(static_cast<std::size_t>(max_n), candidate.size());
  double sum_of_logs = 0;
  std::size_t counted = 0;
  bool any_match = false;
  for (std::size_t n = 1; n <= orders; ++n) {
    const auto expected = ngrams(reference, n, counts), given = ngrams(candidate, n, counts);
    if (expected.empty() && given.empty()) continue;
    std::size_t total = 0, matched = 0;
    for (const auto& [ngram, count] : given) {
      total += count;
      const auto clip = expected.find(ngram);
      if (clip != expected.end()) matched += std::min(count, clip->second);
    }
    any_match = any_match || matched > 0;
    const double numerator = matched > 0 ? static_cast<double>(matched) : smoothing;
    sum_of_logs += std::log(numerator / static_cast<double>(std::max<std::size_t>(total, 1)));
    ++counted;
  }
  if (counted == 0) return same_words(reference, candidate) ? 1 : 0;
  if (!any_match) return 0;
  return brevity_penalty(reference.size(), candidate.size()) * std::exp(sum_of_logs / static_cast<double>(counted));
}

Result<double> bleu(const QueryPair& pair, const SimilarityOptions& options) {
  TRUSTSQL_ASSIGN_OR_RETURN(const auto both, words_of_pair(pair.reference(), pair.candidate(), pair.version()));
  return bleu_score(both.reference, both.candidate, options.max_n);
}

}  // namespace trustsql
