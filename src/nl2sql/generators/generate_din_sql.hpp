// DIN-SQL (Pourreza and Rafiei 2023), a baseline of TrustSQL: the task in four steps.
//
//   schema linking -> classification (easy, non-nested, nested) -> generation by class -> self-correction
//
// Linking and classification are asked at temperature 0. Self-correction is a generation of SQL like the first one.
#pragma once

#include "nl2sql/generators/generate.hpp"
#include "nl2sql/prompts/prompt_parts.hpp"

namespace trustsql::nl2sql {

class DinSqlGenerator final : public Generator {
 public:
  DinSqlGenerator(const Method& method, ModelOptions model)
      : rows_(ContextRows::of(method)), model_(std::move(model)) {}

  Result<std::vector<llm::Message>> prompt(Attempt& attempt, StageContext& context) const override;
  bool reasons() const override { return true; }
  Result<Abstention> revise(const SqlOptions& sql, Attempt& attempt, StageContext& context) const override;

 private:
  Result<PromptValues> values_for(Attempt& attempt, StageContext& context) const;

  ContextRows rows_;
  ModelOptions model_;
};

}  // namespace trustsql::nl2sql
