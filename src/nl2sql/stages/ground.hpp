// Grounding: holds back SQL that the question does not license, or that leaves out what the question says. The rules
// are hard ones (semparse/grounding/grounding.hpp): whatever wrote the SQL, right queries hardly ever break them. SQL
// with a value that its column does not hold, but one spelt similarly, is held back as well. No model is asked, and no
// query is run.
#pragma once

#include "nl2sql/stages/stage.hpp"

namespace trustsql::nl2sql {

class GroundStage final : public Stage {
 public:
  std::string_view name() const override { return "ground"; }

  // Abstains with a misspelt value or else the first broken rule as the reason; the trace has all of them. SQL that
  // does not resolve is left to the stages after this one. Precondition: context.knowledge.
  Status run(Attempt& attempt, StageContext& context) const override;
};

}  // namespace trustsql::nl2sql
