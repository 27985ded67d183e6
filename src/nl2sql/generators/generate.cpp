#include "nl2sql/generators/generate.hpp"

#include "nl2sql/generators/generate_c3.hpp"
#include "nl2sql/generators/generate_dail.hpp"
#include "nl2sql/generators/generate_din_sql.hpp"
#include "nl2sql/generators/generate_mac_sql.hpp"
#include "nl2sql/generators/generate_sqlprompt.hpp"
#include "nl2sql/trace.hpp"

namespace trustsql::nl2sql {

Result<Abstention> Generator::revise(const SqlOptions&, Attempt&, StageContext&) const { return Abstention::none; }

std::unique_ptr<const Generator> make_generator(const Method& method, const ModelOptions& model) {
  switch (method.generator) {
    case GeneratorKind::sqlprompt: return std::make_unique<SqlPromptGenerator>(method);
    case GeneratorKind::dail: return std::make_unique<DailGenerator>(method, model);
    case GeneratorKind::c3: return std::make_unique<C3Generator>(method, model);
    case GeneratorKind::din_sql: return std::make_unique<DinSqlGenerator>(method, model);
    case GeneratorKind::mac_sql: return std::make_unique<MacSqlGenerator>(method, model);
    case GeneratorKind::embedded:
    case GeneratorKind::abstain_all: break;
  }
  return nullptr;
}

Status PromptStage::run(Attempt& attempt, StageContext& context) const {
  TracedStep step(attempt, context, name());
  step.set_input(attempt.current_question());
  const auto before = attempt.trace.size();
  TRUSTSQL_ASSIGN_OR_RETURN(attempt.prompt, generator_->prompt(attempt, context));
  std::size_t columns = 0;
  for (const auto& [table, shown] : attempt.schema.columns) columns += shown.size();
  // Questions asked by the generator have trace rows of their own, which count their usage.
  if (attempt.trace.size() > before) step.forget_usage();
  step.finish(conversation_text(attempt.prompt), std::to_string(attempt.schema.columns.size()) + " tables, " +
                                                     std::to_string(columns) + " columns are shown");
  return ok_status();
}

Status GenerateStage::run(Attempt& attempt, StageContext& context) const {
  TRUSTSQL_ASSIGN_OR_RETURN(attempt.abstention, write_sql(name(), attempt.prompt, sql_, attempt, context));
  if (attempt.abstained()) return ok_status();
  TRUSTSQL_ASSIGN_OR_RETURN(attempt.abstention, generator_->revise(sql_, attempt, context));
  return ok_status();
}

}  // namespace trustsql::nl2sql
