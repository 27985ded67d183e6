// DAIL-SQL (Gao et al. 2023), the base prompt of DART-SQL (its Listing 2): the whole schema as CREATE TABLE, after S demonstrations
// that are like the question with its values masked and whose queries are like a preliminary one.
#pragma once

#include "nl2sql/generate.hpp"

namespace trustsql::nl2sql {

class DailGenerator final : public Generator {
 public:
  DailGenerator(const Method& method, ModelOptions model)
      : demonstrations_(method.demonstrations), rows_(method.context_rows ? method.content_rows : 0), model_(std::move(model)) {}

  Result<std::vector<llm::Message>> prompt(Attempt& attempt, StageContext& context) const override;

 private:
  int demonstrations_;
  int rows_;
  ModelOptions model_;
};

}  // namespace trustsql::nl2sql
