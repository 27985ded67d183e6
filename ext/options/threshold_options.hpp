// The options of the functions that choose a threshold.
#pragma once

#include "base/options.hpp"
#include "score/reliability/threshold.hpp"

namespace trustsql::ext {

// What an option `method` may be.
inline constexpr Choices<ThresholdMethod> threshold_methods = {{"heuristic", ThresholdMethod::heuristic},
                                                               {"rs", ThresholdMethod::rs},
                                                               {"selective_risk", ThresholdMethod::selective_risk}};
inline constexpr Option<ThresholdMethod> threshold_method_option = {
    .key = "method",
    .description =
        "heuristic (the largest sum of +1 and -1 in order of confidence), rs (the largest RS(c)) or "
        "selective_risk (the share of wrong answers is at most alpha, with probability at least 1 - delta).",
    .default_value = ThresholdOptions{}.method,
    .choices = threshold_methods};
inline constexpr Option<Value> threshold_penalty_option = {
    .key = "c",
    .description = "With method rs: the penalty, a number >= 0 or 'N' (the number of rows).",
    .default_value = ThresholdOptions{}.c.value(0)};
inline constexpr Option<double> alpha_option = {
    .key = "alpha",
    .description = "With method selective_risk: the tolerated share of wrong answers.",
    .default_value = ThresholdOptions{}.alpha,
    .min = 1e-6,
    .max = 1 - 1e-6};
inline constexpr Option<double> delta_option = {
    .key = "delta",
    .description = "With method selective_risk: the tolerated probability of exceeding alpha.",
    .default_value = ThresholdOptions{}.delta,
    .min = 1e-12,
    .max = 1 - 1e-6};

inline constexpr auto threshold_options =
    option_table(threshold_method_option, threshold_penalty_option, alpha_option, delta_option);

// The values of threshold_options. Errors (invalid_argument): an option that does not go with the method, no penalty.
inline Result<ThresholdOptions> threshold_options_of(const Options& options) {
  ThresholdOptions threshold;
  threshold.method = options.get(threshold_method_option);
  if (options.has(threshold_penalty_option) && threshold.method != ThresholdMethod::rs)
    return invalid_argument("option 'c' requires method rs");
  for (const auto* option : {&alpha_option, &delta_option}) {
    if (options.has(*option) && threshold.method != ThresholdMethod::selective_risk)
      return invalid_argument("option '" + std::string(option->key) + "' requires method selective_risk");
  }
  TRUSTSQL_ASSIGN_OR_RETURN(threshold.c, parse_penalty(view(options.get(threshold_penalty_option))));
  threshold.alpha = options.get(alpha_option);
  threshold.delta = options.get(delta_option);
  return threshold;
}

}  // namespace trustsql::ext
