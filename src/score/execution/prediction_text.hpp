// Cleaning of a language model's text before it is treated as a query (TrustSQL's handling of predictions).
//
// Each step is optional. For judging by execution they matter little, since SQLite accepts white space and quotes in
// any of these forms; they matter when texts are compared (voting), and when a model answers in prose instead of
// abstaining.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/value.hpp"

namespace trustsql {

struct PredictionCleaning {
  // Replaces a text that contains a fenced block (``` or ```sql) by the content of the first one.
  bool fence = false;
  // Turns "..." into '...': right for data sets whose queries quote strings this way, wrong for quoted names.
  bool quotes = false;
  bool space = false;    // white space and comments outside quotes become one space, or nothing at either end
  bool abstain = false;  // a text without the word SELECT is an abstention

  // All steps but `quotes`: the default of semantics "trustsql".
  static PredictionCleaning benchmark() { return {.fence = true, .space = true, .abstain = true}; }
  friend bool operator==(const PredictionCleaning&, const PredictionCleaning&) = default;
};

// The prediction after the requested steps, which are applied in the order fence, abstain, quotes, space; nullopt if it
// is an abstention.
std::optional<std::string> clean_prediction(std::string_view text, const PredictionCleaning& steps);

}  // namespace trustsql
