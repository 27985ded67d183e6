// MAC-SQL (Wang et al. 2023), a baseline of TrustSQL: three agents.
//
//   selector     keeps the part of a big schema that the question needs
//   decomposer   answers sub-questions one after the other; its last query is the answer
//   refiner      runs that query; if it fails or finds nothing, asks for it again with SQLite's message
#pragma once

#include "nl2sql/generators/generate.hpp"
#include "nl2sql/prompts/prompt_parts.hpp"

namespace trustsql::nl2sql {

class MacSqlGenerator final : public Generator {
 public:
  MacSqlGenerator(const Method& method, ModelOptions model)
      : rows_(ContextRows::of(method)), model_(std::move(model)) {}

  // Reduces attempt.schema to the part that the selector keeps.
  Result<std::vector<llm::Message>> prompt(Attempt& attempt, StageContext& context) const override;
  bool reasons() const override { return true; }
  Result<Abstention> revise(const SqlOptions& sql, Attempt& attempt, StageContext& context) const override;

 private:
  Status select(Attempt& attempt, StageContext& context) const;
  Result<PromptValues> values_for(Attempt& attempt, StageContext& context) const;

  ContextRows rows_;
  ModelOptions model_;
};

}  // namespace trustsql::nl2sql
