// Execution-guided refinement, DART-SQL's ER (section 3.3, Algorithm 1).
//
// In each of at most R rounds the current SQL is run. Where that fails the model is told why, with the tables that hold
// a column whose name was wrong, and writes the SQL again; where it succeeds the model is shown the first M rows and
// judges whether they are right and whether exactly the columns that the question asks for are selected: if so that is
// the answer, else it writes again. Each round sees the prompt and the latest SQL and nothing of the rounds before.
// After R rounds the last SQL is returned unjudged.
//
// Where values may not be sent (StageContext::send_rows) the SQL is prepared and not run: the model is told what keeps
// it from preparing, in our words, else which columns it has, and judges by those. That a query fails while it runs,
// and how many rows it has, would tell it something about values.
//
// (The algorithm as printed runs the first SQL in every round; its text, and sense, ask for the current one.)
#pragma once

#include "nl2sql/write_sql.hpp"

namespace trustsql::nl2sql {

struct RefineOptions {
  SqlOptions sql;         // how SQL is asked for, voting included
  ModelOptions judge;     // temperature 0, one sample
  int rounds = 3;         // R
  std::size_t rows = 15;  // M
};

class RefineStage final : public Stage {
 public:
  explicit RefineStage(RefineOptions options) : options_(std::move(options)) {}

  std::string_view name() const override { return "refine"; }

  // Precondition: attempt.prompt is the conversation that attempt.sql answers. Abstains where a vote does not agree; a
  // reply without SQL leaves the SQL as it was.
  Status run(Attempt& attempt, StageContext& context) const override;

 private:
  RefineOptions options_;
};

}  // namespace trustsql::nl2sql
