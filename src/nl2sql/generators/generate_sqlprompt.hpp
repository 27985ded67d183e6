// SQLPROMPT, TrustSQL's generator (Appendix D.1, after Chang and Fosler-Lussier 2023): the schema in the style
// Columns=[]+FK, after demonstrations; with [DEMO] they include as many infeasible as feasible ones, labelled
// not_answerable (Appendix D.2).
#pragma once

#include "nl2sql/generators/generate.hpp"
#include "nl2sql/prompts/demonstrations.hpp"
#include "nl2sql/prompts/prompt_parts.hpp"

namespace trustsql::nl2sql {

// A model's reply to a question that the database cannot answer.
inline constexpr std::string_view not_answerable = "not_answerable";

class SqlPromptGenerator final : public Generator {
 public:
  explicit SqlPromptGenerator(const Method& method);

  Result<std::vector<llm::Message>> prompt(Attempt& attempt, StageContext& context) const override;

 private:
  ContextRows rows_;
  bool infeasible_;
  DemonstrationCounts counts_;
};

}  // namespace trustsql::nl2sql
