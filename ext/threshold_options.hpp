// The options that the functions which choose a threshold share.
#pragma once

#include <array>

#include "base/options.hpp"
#include "score/threshold.hpp"

namespace trustsql::ext {

inline constexpr auto selective_risk_options = std::to_array<OptionSpec>({
    {.key = "alpha",
     .type = OptionType::real,
     .description = "With method selective_risk: the share of wrong answers that is tolerated; 0.05 by default.",
     .min = 1e-6,
     .max = 1 - 1e-6},
    {.key = "delta",
     .type = OptionType::real,
     .description =
         "With method selective_risk: the probability of exceeding alpha that is tolerated; 0.05 by default.",
     .min = 1e-12,
     .max = 1 - 1e-6},
});

// What `options` say by their keys method, alpha and delta; the default for each that they do not have.
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
