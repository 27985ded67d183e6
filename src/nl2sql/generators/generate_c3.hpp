// C3 (Dong et al. 2023), a base prompt of DART-SQL: no demonstrations at all.
//
//   clear prompting          the model recalls the tables, then the columns that the question needs: the set of four
//                            tables, and for each table the five columns, that most of several samples name first. The
//                            prompt shows only these, with the keys that join them.
//   calibration with hints   the model is warned of typical mistakes in an earlier conversation
//   consistent output        many samples, majority by execution: write_sql.hpp
#pragma once

#include "nl2sql/generators/generate.hpp"
#include "nl2sql/prompts/prompt_parts.hpp"

namespace trustsql::nl2sql {

class C3Generator final : public Generator {
 public:
  C3Generator(const Method& method, ModelOptions model)
      : samples_(method.recall_samples), rows_(ContextRows::of(method)), model_(std::move(model)) {}

  // Replaces attempt.schema by the recalled tables and columns.
  Result<std::vector<llm::Message>> prompt(Attempt& attempt, StageContext& context) const override;

 private:
  Status recall_tables(Attempt& attempt, StageContext& context) const;
  Status recall_columns(Attempt& attempt, StageContext& context) const;

  int samples_;
  ContextRows rows_;
  ModelOptions model_;
};

}  // namespace trustsql::nl2sql
