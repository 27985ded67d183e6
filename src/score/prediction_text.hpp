// Cleaning of what a language model wrote, before it is taken for a query (TrustSQL's handling of predictions).
//
// Each step is an option. Judged by execution they matter little, since SQLite reads white space and quotes in any of
// these forms; they matter where texts are compared (voting), and where a model answers in prose instead of abstaining.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "base/value.hpp"

namespace trustsql {

struct PredictionCleaning {
  bool fence =
      false;  // of a text with a fenced block (``` or ```sql) the block's content is taken, of several the first's
  bool quotes =
      false;  // "..." becomes '...': right for data sets whose queries quote strings so, wrong for quoted names
  bool space = false;    // white space outside of quotes becomes one blank, comments likewise; none at either end
  bool abstain = false;  // a text without the word SELECT is an abstention

  // All steps but `quotes`: what semantics "trustsql" does unless told otherwise.
  static PredictionCleaning benchmark() { return {.fence = true, .space = true, .abstain = true}; }
  friend bool operator==(const PredictionCleaning&, const PredictionCleaning&) = default;
};

// The steps that `names` lists: fence, quotes, space, abstain. Error (invalid_argument): another name.
Result<PredictionCleaning> parse_cleaning(const std::vector<std::string>& names);

// The prediction after the steps asked for, in the order of their declaration; nullopt if it is an abstention.
std::optional<std::string> clean_prediction(std::string_view text, const PredictionCleaning& steps);

}  // namespace trustsql
