// Learned examples before the semantic parser: what nl2sql_learn() has stored about this database answers first.
//
// A question that was learned gets its query, one that differs from it in values or times gets the query with these,
// and others what the examples make likeliest (src/semparse/examples). A question that is like one which was learned as
// infeasible is not answered. Where examples are not sure, the parser is asked, which knows the schema alone; the surer
// of the two answers.
#pragma once

#include <memory>

#include "nl2sql/stages/stage.hpp"

namespace trustsql::nl2sql {

struct ExamplesStageOptions {
  double threshold = 0;  // for the confidence
};

class ExamplesStage final : public Stage {
 public:
  // `parse` is the stage that is asked where the examples are not sure.
  ExamplesStage(ExamplesStageOptions options, std::shared_ptr<const Stage> parse)
      : options_(options), parse_(std::move(parse)) {}
  std::string_view name() const override { return "examples"; }

  // Sets attempt.sql and attempt.signals.reading, or abstains, or leaves that to the parser. Without examples it is the
  // parser alone, and adds no row. Precondition: context.knowledge.
  Status run(Attempt& attempt, StageContext& context) const override;

 private:
  ExamplesStageOptions options_;
  std::shared_ptr<const Stage> parse_;
};

}  // namespace trustsql::nl2sql
