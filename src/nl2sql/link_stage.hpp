// Schema linking before the prompt is made: CRUSH4SQL's collective retrieval (link/linker.hpp) with the schema that a
// model hallucinates for the question.
#pragma once

#include <cstddef>

#include "nl2sql/stage.hpp"

namespace trustsql::nl2sql {

struct LinkStageOptions {
  ModelOptions model;
  std::size_t budget = 100;  // columns; the keys that join their tables come on top
};

class LinkStage final : public Stage {
 public:
  explicit LinkStage(LinkStageOptions options) : options_(std::move(options)) {}
  std::string_view name() const override { return "link"; }

  // Leaves in attempt.schema what is linked; all of it where that is nothing, or where it has no more columns than the
  // budget.
  Status run(Attempt& attempt, StageContext& context) const override;

 private:
  LinkStageOptions options_;
};

}  // namespace trustsql::nl2sql
