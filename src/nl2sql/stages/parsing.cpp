#include "nl2sql/stages/parsing.hpp"

#include "semparse/equal_readings.hpp"

namespace trustsql::nl2sql {

Result<std::shared_ptr<const semparse::Knowledge>> knowledge_of(StageContext& context) {
  TRUSTSQL_ASSIGN_OR_RETURN(const auto sandbox, context.source.lease());
  sandbox->set_stop(context.call.stop);
  return context.knowledge->knowledge(context.source, context.catalog, *sandbox);
}

Result<std::shared_ptr<const semparse::ParserModel>> model_of(const StageContext& context) {
  auto model = context.model ? context.model : semparse::shipped_model();
  if (model == nullptr) return internal_error("the embedded parser's model cannot be read");
  return model;
}

Result<std::shared_ptr<const semparse::ParserModel>> trained_model(const StageContext& context, std::string_view part) {
  TRUSTSQL_ASSIGN_OR_RETURN(auto model, model_of(context));
  if (!model->classifier || !model->detector)
    return invalid_argument(std::string(part) +
                            " needs a model that nl2sql_train has made; the setting nl2sql_model names its file");
  return model;
}

Result<std::shared_ptr<const ParsedQuestion>> parse_question(std::string_view question, StageContext& context) {
  if (context.parsed && context.parsed->question == question) return context.parsed;
  TRUSTSQL_ASSIGN_OR_RETURN(const auto model, model_of(context));
  TRUSTSQL_ASSIGN_OR_RETURN(const auto sandbox, context.source.lease());
  sandbox->set_stop(context.call.stop);
  ParsedQuestion parsed{.question = std::string(question)};
  TRUSTSQL_ASSIGN_OR_RETURN(parsed.knowledge, context.knowledge->knowledge(context.source, context.catalog, *sandbox));
  TRUSTSQL_ASSIGN_OR_RETURN(parsed.parse, semparse::Parser(model).parse(question, *parsed.knowledge, *sandbox));
  semparse::join_equal_readings(context.catalog, parsed.parse.readings);
  context.parsed = std::make_shared<const ParsedQuestion>(std::move(parsed));
  return context.parsed;
}

}  // namespace trustsql::nl2sql
