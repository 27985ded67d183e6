// DAIL-SQL (Gao et al. 2023), the base prompt of DART-SQL (its Listing 2): the whole schema as CREATE TABLE, after S
// demonstrations that are similar to the question with its values masked, and whose queries are similar to a
// preliminary query.
//
// The preliminary query is the answer to the same prompt with demonstrations chosen by the question alone; it is
// requested once, at temperature 0, and used for nothing else. Without demonstrations it is omitted.
#pragma once

#include "nl2sql/generators/generate.hpp"
#include "nl2sql/prompts/prompt_parts.hpp"

namespace trustsql::nl2sql {

class DailGenerator final : public Generator {
 public:
  DailGenerator(const Method& method, ModelOptions model)
      : demonstrations_(method.demonstrations), rows_(ContextRows::of(method)), model_(std::move(model)) {}

  Result<std::vector<llm::Message>> prompt(Attempt& attempt, StageContext& context) const override;

 private:
  Result<std::vector<llm::Message>> prompt_with(const std::vector<const Example*>& examples, bool with_rows,
                                                Attempt& attempt, StageContext& context) const;
  Result<std::string> preliminary_sql(Attempt& attempt, StageContext& context) const;

  int demonstrations_;
  ContextRows rows_;
  ModelOptions model_;
};

}  // namespace trustsql::nl2sql
