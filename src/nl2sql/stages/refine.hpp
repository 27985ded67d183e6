// Execution-guided refinement, DART-SQL's ER (section 3.3, Algorithm 1).
//
// In each of at most R rounds the current SQL is run. If it fails, the model is told why, including the tables that
// have the column whose name was wrong, and writes the SQL again. If it succeeds, the model is shown the first M rows
// and judges whether they are right and whether exactly the requested columns are selected: if so, this is the answer;
// otherwise the model writes the SQL again. Each round sees the prompt and the latest SQL, but nothing of earlier
// rounds. After R rounds the last SQL is returned unjudged.
//
// If values may not be sent (StageContext::send_rows), the SQL is prepared but not run: the model is told in our own
// words why it does not prepare, or else which columns it has, and judges by those. A failure at run time, or the
// number of rows, would reveal something about values.
//
// (The algorithm as printed runs the first SQL in every round; its description, and common sense, require the current
// one.)
#pragma once

#include "nl2sql/stages/write_sql.hpp"

namespace trustsql::nl2sql {

struct RefineOptions {
  SqlOptions sql;                                  // how SQL is asked for, voting included
  ModelOptions judge;                              // temperature 0, one sample
  int rounds = MethodNumbers{}.rounds;             // R
  std::size_t rows = MethodNumbers{}.result_rows;  // M
};

class RefineStage final : public Stage {
 public:
  explicit RefineStage(RefineOptions options) : options_(std::move(options)) {}

  std::string_view name() const override { return "refine"; }

  // Precondition: attempt.prompt is the conversation that attempt.sql answers. Abstains if the samples of a vote do not
  // agree; a reply without SQL leaves the SQL unchanged.
  Status run(Attempt& attempt, StageContext& context) const override;

 private:
  RefineOptions options_;
};

}  // namespace trustsql::nl2sql
