// Thresholds to abstain below, chosen on a validation set and applied to another: `confidence >= threshold` answers.
//
// Three methods:
//   heuristic       TrustSQL, Appendix C.2: +1 for a right answer, -1 for a wrong one (feasible question or not),
//   summed up in
//                   order of descending confidence; the threshold stands where that sum is largest.
//   rs              where RS(c) (Eq. 1) of the validation set is largest.
//   selective_risk  the share of wrong answers among those given is at most alpha, with probability at least 1 - delta
//   over the
//                   draw of the validation set: the guarantee of Geifman and El-Yaniv, "Selective Classification for
//                   Deep Neural Networks" (NIPS 2017), by exact binomial tails.
//
// Equal maxima: the one that is reached first, which answers least. Abstaining from everything (sum 0, RS of
// ABSTAIN-ALL) is always among the candidates and comes first; where it is the best, there is no threshold, and since
// no confidence is >= NULL, nothing is answered.
#pragma once

#include <optional>

#include "score/confidence_ranking.hpp"

namespace trustsql {

enum class ThresholdMethod { heuristic, rs, selective_risk };

// What the options of rs_threshold say.
struct ThresholdOptions {
  ThresholdMethod method = ThresholdMethod::heuristic;
  Penalty c = Penalty::of(10);  // of rs; N is the number of samples
  double alpha = 0.05;          // of selective_risk: the share of wrong answers that is tolerated, in (0, 1)
  double delta = 0.05;          // of selective_risk: the probability of exceeding it that is tolerated, in (0, 1)
  friend bool operator==(const ThresholdOptions&, const ThresholdOptions&) = default;
};

// The threshold by the method that `options` names; nullopt: abstain from everything.
std::optional<Number> choose_threshold(const ConfidenceRanking& ranking, const ThresholdOptions& options);

std::optional<Number> heuristic_threshold(const ConfidenceRanking& ranking);
std::optional<Number> rs_threshold(const ConfidenceRanking& ranking, Penalty c);

// The threshold that answers most among those for which the guarantee holds; nullopt if it holds for none. It lies just
// above the confidence of the first answer that is dropped; -infinity if none is. Preconditions: 0 < alpha < 1, 0 <
// delta < 1.
//
// How the guarantee is kept although the same samples choose the threshold: J ranks are fixed beforehand (they depend
// on the number of answers alone), and each is tested at level delta / J, so that by the union bound any of them that
// passes may be taken (the paper divides delta by the steps of a binary search; there which ranks are looked at depends
// on the outcomes, here it does not). The candidate of rank k answers what is more confident than the (k+1)-th answer.
// Given that one's confidence v, the answers above v are independent draws from those above v, whatever their number,
// ties and gaps, so the wrong ones among them are binomial with the true risk of answering above v, which is the rule
// that the returned threshold states.
std::optional<Number> selective_risk_threshold(const ConfidenceRanking& ranking, double alpha, double delta);

}  // namespace trustsql
