// The options shared by the functions that choose a threshold.
#pragma once

#include <array>

#include "base/options.hpp"
#include "score/reliability/threshold.hpp"

namespace trustsql::ext {

inline constexpr auto selective_risk_options = std::to_array<OptionSpec>({
    {.key = "alpha",
     .type = OptionType::real,
     .description = "With method selective_risk: the tolerated share of wrong answers; 0.05 by default.",
     .min = 1e-6,
     .max = 1 - 1e-6},
    {.key = "delta",
     .type = OptionType::real,
     .description = "With method selective_risk: the tolerated probability of exceeding alpha; 0.05 by default.",
     .min = 1e-12,
     .max = 1 - 1e-6},
});

// The threshold options from the keys method, alpha and delta of `options`; a missing key has its default.
inline ThresholdOptions threshold_method_of(const Options& options) {
  ThresholdOptions threshold;
  const auto method = options.text("method");
  if (method == "rs") threshold.method = ThresholdMethod::rs;
  if (method == "selective_risk") threshold.method = ThresholdMethod::selective_risk;
  threshold.alpha = options.real("alpha").value_or(threshold.alpha);
  threshold.delta = options.real("delta").value_or(threshold.delta);
  return threshold;
}

}  // namespace trustsql::ext
