#include "nl2sql/stages/parsing.hpp"

namespace trustsql::nl2sql {

Result<std::shared_ptr<const semparse::Knowledge>> knowledge_of(StageContext& context) {
  TRUSTSQL_ASSIGN_OR_RETURN(const auto sandbox, context.source.lease());
  sandbox->set_stop(context.call.stop);
  return context.knowledge->knowledge(context.source, context.catalog, *sandbox);
}

Result<ParsedQuestion> parse_question(std::string_view question, StageContext& context) {
  const auto model = semparse::shipped_model();
  if (model == nullptr) return internal_error("the embedded parser's model cannot be read");
  TRUSTSQL_ASSIGN_OR_RETURN(const auto sandbox, context.source.lease());
  sandbox->set_stop(context.call.stop);
  ParsedQuestion parsed;
  TRUSTSQL_ASSIGN_OR_RETURN(parsed.knowledge, context.knowledge->knowledge(context.source, context.catalog, *sandbox));
  TRUSTSQL_ASSIGN_OR_RETURN(parsed.parse, semparse::Parser(model).parse(question, *parsed.knowledge, *sandbox));
  return parsed;
}

}  // namespace trustsql::nl2sql
