// Thresholds to abstain below, chosen on a validation set and applied to another: `confidence >= threshold` answers.
//
// Three methods:
//   heuristic       TrustSQL, Appendix C.2: +1 for a right answer, -1 for a wrong one (feasible question or not), are
//                   summed in order of descending confidence; the threshold is where this sum is largest.
//   rs              The threshold is where RS(c) (Eq. 1) of the validation set is largest.
//   selective_risk  The share of wrong answers among those given is at most alpha, with probability at least 1 - delta
//                   over the draw of the validation set: the guarantee of Geifman and El-Yaniv, "Selective
//                   Classification for Deep Neural Networks" (NIPS 2017), by exact binomial tails.
//
// Of equal maxima, the first one reached is taken, which answers the fewest questions. Abstaining from everything (sum
// 0, RS of ABSTAIN-ALL) is always the first candidate; if it is the best, there is no threshold, and since no
// confidence is >= NULL, nothing is answered.
#pragma once

#include <optional>

#include "score/reliability/confidence_ranking.hpp"

namespace trustsql {

enum class ThresholdMethod { heuristic, rs, selective_risk };

// The options of rs_threshold.
struct ThresholdOptions {
  ThresholdMethod method = ThresholdMethod::heuristic;
  Penalty c = Penalty::of(10);  // for rs; N is the number of samples
  double alpha = 0.05;          // for selective_risk: the tolerated share of wrong answers, in (0, 1)
  double delta = 0.05;          // for selective_risk: the tolerated probability of exceeding alpha, in (0, 1)
  friend bool operator==(const ThresholdOptions&, const ThresholdOptions&) = default;
};

// The threshold by the method in `options`; nullopt: abstain from everything.
std::optional<Number> choose_threshold(const ConfidenceRanking& ranking, const ThresholdOptions& options);

std::optional<Number> heuristic_threshold(const ConfidenceRanking& ranking);
std::optional<Number> rs_threshold(const ConfidenceRanking& ranking, Penalty c);

// The threshold that gives the most answers among those for which the guarantee holds; nullopt if it holds for none. It
// lies just above the confidence of the first answer that is dropped; -infinity if none is dropped. Preconditions: 0 <
// alpha < 1, 0 < delta < 1.
//
// Why the guarantee holds although the same samples choose the threshold: J ranks are fixed in advance (they depend
// only on the number of answers), and each is tested at level delta / J, so by the union bound any rank that passes may
// be taken. (The paper divides delta by the number of steps of a binary search, whose ranks depend on the outcomes;
// here they do not.) The candidate of rank k gives the answers that are more confident than the (k+1)-th one. Given the
// confidence v of the latter, the answers above v are independent draws from the distribution above v, whatever their
// number, ties and gaps. So the number of wrong ones among them is binomial with the true risk of answering above v,
// which is the rule expressed by the returned threshold.
std::optional<Number> selective_risk_threshold(const ConfidenceRanking& ranking, double alpha, double delta);

}  // namespace trustsql
