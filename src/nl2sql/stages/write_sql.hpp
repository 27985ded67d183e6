// Asking a model for SQL, in the same way for every method, both in generation and in refinement.
//
//   ask for n samples -> extract the SQL of each reply -> ask again if it has a forbidden construct -> vote
//
// DART-SQL: self-consistency (n = 5, T = 1) applies to every generation of SQL, including those of refinement, and a
// query with a forbidden construct is requested again immediately (sections 3.3 and 4.1).
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "nl2sql/method_numbers.hpp"
#include "nl2sql/stages/vote.hpp"

namespace trustsql::nl2sql {

struct SqlOptions {
  ModelOptions model;
  int samples = 1;
  double temperature = 0;
  VoteRule rule = {};   // if there are several samples
  bool forbid = false;  // forbids LEFT JOIN and SELECT *
  int asks_again =
      MethodNumbers{}.asks_again;  // how often a sample with one of these is requested again; then it is accepted
  bool last_block = false;         // the last of several queries in a reply counts: it reasons step by step
  bool token_confidence = false;   // request log-probabilities, for MaxEnt and MaxProb
};

// Asks for the SQL that answers `conversation`, and adds rows to the trace (stage `step`). attempt.candidates are then
// the samples. If one of them is chosen, attempt.sql is its SQL, attempt.signals are its signals, and the result is
// `none`. Otherwise attempt.sql is unchanged, and the result says why: no_sql or no_agreement. Errors: those of
// StageContext::ask() and vote().
Result<Abstention> write_sql(std::string_view step, const std::vector<llm::Message>& conversation,
                             const SqlOptions& options, Attempt& attempt, StageContext& context);

}  // namespace trustsql::nl2sql
