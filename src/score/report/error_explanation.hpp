// Why answers are wrong: the kind of error, and a small database on which gold query and prediction differ.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "db/results/result_set.hpp"
#include "db/sandbox/sandbox.hpp"
#include "equiv/verdict.hpp"
#include "score/execution/prediction_text.hpp"
#include "score/reliability/wrong_answers.hpp"

namespace trustsql {

// The results of a gold query and of a prediction on their own database.
struct OwnResults {
  static constexpr std::size_t most_rows = 10;  // of each that are kept
  ResultSet gold;
  ResultSet prediction;
  std::size_t gold_rows = 0;
  std::size_t prediction_rows = 0;
};

struct ExplainedError {
  // What became of the search for a counterexample.
  enum class Search {
    none,     // there is nothing to search for: no gold query, no prediction, or no schema
    found,    // `counterexample` is set
    same,     // the two queries are proved to mean the same
    unknown,  // there may be one
    no_time,  // the time for all searches was over
  };

  WrongAnswer answer;
  std::string kind;  // the source's own error_kind, else that of error_kind(); empty: unknown
  Search search = Search::none;
  std::optional<equiv::Counterexample> counterexample;
  std::string difference;         // with a counterexample: what the prediction does otherwise, in one sentence
  std::optional<OwnResults> own;  // without a counterexample, if the queries were run to judge the answer and there is
                                  // time to run them again
};

struct ExplanationOptions {
  std::chrono::milliseconds budget{5000};          // for all searches together; 0: no search
  std::chrono::milliseconds budget_of_pair{1000};  // for one of them
  bool columns_in_order = false;                   // whether results differ if only the order of their columns does
  PredictionCleaning cleaning = {};                // applied to predictions, as where they were judged
  std::size_t threads = 1;
};

// What the searches need.
struct ExplanationContext {
  // The database of an answer, as AnswerTexts::database names it. Called in the calling thread only.
  std::function<Result<std::shared_ptr<SandboxSource>>(const std::optional<std::string>&)> open;
  SandboxLimits limits;
  ResolveOptions dialect;
  std::function<bool()> interrupted;  // called in the calling thread, periodically
};

// An explanation of each of `answers`, in the same order. A pair of queries that several systems have is compared once.
// A database that cannot be opened is no error: its answers have no counterexample. Errors: interrupted, out_of_memory.
Result<std::vector<ExplainedError>> explain_errors(std::vector<WrongAnswer> answers, const ExplanationOptions& options,
                                                   const ExplanationContext& context);

}  // namespace trustsql
