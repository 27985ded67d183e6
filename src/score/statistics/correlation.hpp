// Correlation of two numbers over rows: Pearson's r, Spearman's rho, Kendall's tau and the gamma of Goodman and
// Kruskal.
//
// These are what FuncEvalGMN's Table 1 reports for a similarity metric. Its Appendix I prints (C - D) / (C + D) for
// Kendall's tau, which is gamma here, but the figures are those of tau-b, scipy's default: of binary scores tau-b
// equals Spearman's rho, as in the table, and of continuous ones it is about (2 AUC - 1) sqrt(2 p (1 - p)), where p is
// the share of positive labels; gamma would be 2 AUC - 1.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "base/number.hpp"
#include "base/result.hpp"
#include "score/statistics/scaling.hpp"

namespace trustsql {

// Pairs (x, y). Ranks need an order: no NaN. Infinities are ranked like other numbers.
using Pairs = std::vector<std::pair<Number, Number>>;

// Pearson's r of pairs that are added one by one, in constant memory. Means and moments are updated by Welford's
// recurrences, which do not cancel where the values are large and lie close together. They refer to the values divided
// by a power of two, which grows with the values, so that no square leaves the range of double.
class PearsonCorrelation {
 public:
  // Adds a pair. Precondition: both are finite.
  void add(Number x, Number y);

  // r in [-1, 1]; nullopt for fewer than two pairs, or if x or y is constant.
  std::optional<double> value() const;

 private:
  struct Variable {
    std::optional<Number> origin = {};  // subtracted from each value: an integer beyond 2^53
    int exponent = least_exponent;      // values are divided by 2^exponent
    double mean = 0;
    double sum_squares = 0;  // of deviations from the mean

    // `value` minus the origin, divided by the power of two. Where the power has to grow, the moments and `sum_xy` are
    // rescaled.
    double scale(Number value, bool is_first, double& sum_xy);
  };

  std::int64_t n_ = 0;
  Variable x_, y_;
  double sum_xy_ = 0;  // of products of deviations from the means
};

// Spearman's rho: Pearson's r of the ranks, where equal values share their mean rank. In [-1, 1]; nullopt for fewer
// than two pairs, or if x or y is constant. O(n log n). Precondition: no NaN.
std::optional<double> spearman(const Pairs& pairs);

enum class KendallVariant {
  a,      // (C - D) / all pairs of rows
  b,      // (C - D) / sqrt(pairs of rows that differ in x * pairs that differ in y): scipy's default
  gamma,  // (C - D) / (C + D)
};
// 'a', 'b' or 'gamma'. Error (invalid_argument): anything else.
Result<KendallVariant> parse_kendall_variant(std::string_view name);

// Kendall's rank correlation; C is the number of concordant pairs of rows, D that of discordant ones. In [-1, 1];
// nullopt if the denominator is 0. O(n log n) by Knight's algorithm (W. R. Knight, JASA 1966). Reorders `pairs`.
// Precondition: no NaN.
std::optional<double> kendall_tau(Pairs& pairs, KendallVariant variant);

}  // namespace trustsql
