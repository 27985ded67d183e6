// The reliability score of TrustSQL (section 3.2): phi_c of Eq. 1 for one sample, RS(c) for many.
//
// RS(c) depends only on the number of samples in each of the five cases, so everything here works on counts: adding and
// removing a sample take constant time, sums are exact, and moving a window frame by one row costs the same whatever
// its length.
//
// Every RS and every share is in percent, as the paper prints them (100 = perfect); phi is the raw score of one sample.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>

#include "base/result.hpp"
#include "base/value.hpp"
#include "score/reliability/reliability_case.hpp"

namespace trustsql {

// The penalty c of Eq. 1: a number >= 0, or N, the number of evaluated samples.
class Penalty {
 public:
  constexpr Penalty() = default;
  // Precondition: c is finite and >= 0.
  static constexpr Penalty of(double c) { return {c, false}; }
  static constexpr Penalty n() { return {0, true}; }

  constexpr bool is_n() const { return is_n_; }
  // The value of c for `samples` samples.
  constexpr double value(std::int64_t samples) const { return is_n_ ? static_cast<double>(samples) : c_; }

  // N is greater than every number.
  friend constexpr auto operator<=>(const Penalty& a, const Penalty& b) {
    if (a.is_n_ != b.is_n_) return a.is_n_ ? std::partial_ordering::greater : std::partial_ordering::less;
    return a.c_ <=> b.c_;
  }
  friend constexpr bool operator==(const Penalty&, const Penalty&) = default;

 private:
  constexpr Penalty(double c, bool is_n) : c_(c), is_n_(is_n) {}
  double c_ = 0;
  bool is_n_ = false;
};

// The penalty given by an argument: a finite number >= 0, or the text 'N'.
// Error (invalid_argument): anything else, NULL included.
Result<Penalty> parse_penalty(ValueView value);

// The largest c for which every RS(c), in percent, is in the range of double.
inline constexpr double largest_penalty = 1e306;

// phi_c(x) of Eq. 1: 1 for I and V, 0 for II, -c for III and IV.
double phi(ReliabilityCase reliability_case, double c);

// The number of samples in each case. Precondition of all functions: no count is negative.
struct CaseCounts {
  std::array<std::int64_t, reliability_case_count> by_case{};

  std::int64_t& operator[](ReliabilityCase c) { return by_case[static_cast<std::size_t>(c)]; }
  std::int64_t operator[](ReliabilityCase c) const { return by_case[static_cast<std::size_t>(c)]; }
  CaseCounts& operator+=(const CaseCounts& other);
  friend bool operator==(const CaseCounts&, const CaseCounts&) = default;

  std::int64_t total() const { return feasible() + infeasible(); }
  std::int64_t feasible() const { return by_case[0] + by_case[1] + by_case[2]; }
  std::int64_t infeasible() const { return by_case[3] + by_case[4]; }
  std::int64_t answered() const { return by_case[0] + by_case[2] + by_case[3]; }
  std::int64_t useful() const { return by_case[0] + by_case[4]; }
  std::int64_t harmful() const { return by_case[2] + by_case[3]; }

  // Only the samples of feasible questions, as in Table 4; only those of infeasible ones.
  CaseCounts feasible_only() const { return {{by_case[0], by_case[1], by_case[2], 0, 0}}; }
  CaseCounts infeasible_only() const { return {{0, 0, 0, by_case[3], by_case[4]}}; }
  // The same questions with abstention from all of them: ABSTAIN-ALL of Table 3.
  CaseCounts abstain_all() const { return {{0, feasible(), 0, 0, infeasible()}}; }
};

// RS(c), the mean of phi_c, in percent; c = N is counts.total(). nullopt if there are no samples. Infinite only if the
// mean exceeds the range of double, which requires a c above largest_penalty.
std::optional<double> reliability_score(const CaseCounts& counts, Penalty c);
// The same with c = N fixed beforehand, for resampled counts whose total may differ from the original one.
std::optional<double> reliability_score(const CaseCounts& counts, double c);

// RS(c) if `share` of the questions, in [0, 1], were infeasible: the mean of phi_c over the feasible and over the
// infeasible samples, weighted by 1 - share and share. c = N is counts.total(). nullopt if a part with a positive
// weight has no samples.
std::optional<double> reliability_score_at_share(const CaseCounts& counts, Penalty c, double share);

// 100 * numerator / denominator, rounded once; nullopt if the denominator is 0.
std::optional<double> percent(std::int64_t numerator, std::int64_t denominator);

// The share of samples that were answered, in percent: (I + III + IV) / all.
std::optional<double> coverage(const CaseCounts& counts);
// Table 8: the share of right queries among all queries given, in percent: I / (I + III + IV).
std::optional<double> answer_precision(const CaseCounts& counts);

// RS(c) of the samples that are currently in a group or a window frame.
class ReliabilityMean {
 public:
  // Adds or removes a sample in amortised constant time. nullopt is a sample without a case: it is counted as skipped,
  // but its c is still checked. Precondition of remove: the same sample was added and not yet removed.
  void add(std::optional<ReliabilityCase> reliability_case, Penalty c);
  void remove(std::optional<ReliabilityCase> reliability_case, Penalty c);

  const CaseCounts& counts() const { return counts_; }
  std::int64_t skipped() const { return skipped_; }

  // RS(c) in percent, where N is the number of samples with a case; nullopt if there are none.
  // Errors (invalid_argument): the samples do not all have the same c (the message names two of them); c is so large
  // (above largest_penalty) that RS(c) exceeds the range of double.
  Result<std::optional<double>> value() const;

 private:
  CaseCounts counts_;
  std::int64_t skipped_ = 0;
  // The number of samples with each c: a single entry unless the caller made a mistake. The first c, which nearly all
  // samples have, is stored separately.
  std::optional<Penalty> first_;
  std::int64_t first_count_ = 0;
  std::map<Penalty, std::int64_t> others_;
};

}  // namespace trustsql
