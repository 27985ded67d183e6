// Schema linking before the prompt is composed: CRUSH4SQL's collective retrieval (link/linker.hpp) with the schema that
// a model hallucinates for the question.
#pragma once

#include <cstddef>

#include "nl2sql/method_numbers.hpp"
#include "nl2sql/stages/stage.hpp"

namespace trustsql::nl2sql {

struct LinkStageOptions {
  ModelOptions model;
  std::size_t budget = MethodNumbers{}.link_budget;  // columns; the keys that join their tables are added
};

class LinkStage final : public Stage {
 public:
  explicit LinkStage(LinkStageOptions options) : options_(std::move(options)) {}
  std::string_view name() const override { return "link"; }

  // Reduces attempt.schema to the linked columns; leaves it unchanged if none are linked, or if it has no more columns
  // than the budget.
  Status run(Attempt& attempt, StageContext& context) const override;

 private:
  LinkStageOptions options_;
};

}  // namespace trustsql::nl2sql
