// Asking a model for SQL: the one way in which every method does it, in generation and in refinement.
//
//   ask for n samples -> take the SQL out of each reply -> ask again where it has what is forbidden -> vote
//
// DART-SQL: self-consistency (n = 5, T = 1) belongs to every generation of SQL, those of refinement included, and a
// query with a forbidden construct is asked for again at once (sections 3.3 and 4.1).
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "nl2sql/vote.hpp"

namespace trustsql::nl2sql {

struct SqlOptions {
  ModelOptions model;
  int samples = 1;
  double temperature = 0;
  VoteRule rule = {};       // where there are several samples
  bool forbid = false;      // LEFT JOIN and SELECT *
  int asks_again = 2;       // how often a sample with one of them is asked for again; after that it is taken as it is
  bool last_block = false;  // of several queries in a reply the last one counts: it reasons step by step
  bool token_confidence = false;  // log-probabilities are asked for, for MaxEnt and MaxProb
};

// Asks for the SQL that answers `conversation`, which gives a row to the trace (stage `step`).
// On success attempt.candidates are the samples and the signals those of the one chosen, and attempt.sql is that one.
// Where there is none attempt.sql stays as it was, and what is returned says why: no_sql, or no_agreement. Otherwise
// `none`. Errors: of StageContext::ask() and vote().
Result<Abstention> write_sql(std::string_view step, const std::vector<llm::Message>& conversation,
                             const SqlOptions& options, Attempt& attempt, StageContext& context);

}  // namespace trustsql::nl2sql
