#include "nl2sql/stages/link_stage.hpp"

#include "base/text.hpp"
#include "link/linker.hpp"
#include "link/question_schema.hpp"
#include "nl2sql/prompts/schema_keys.hpp"
#include "nl2sql/stages/hallucinate.hpp"
#include "nl2sql/trace.hpp"

namespace trustsql::nl2sql {

namespace {

std::size_t column_count(const SchemaSubset& schema) {
  std::size_t columns = 0;
  for (const auto& [table, shown] : schema.columns) columns += shown.size();
  return columns;
}

}  // namespace

Status LinkStage::run(Attempt& attempt, StageContext& context) const {
  TracedStep step(attempt, context, name());
  const auto& question = attempt.current_question();
  step.set_input(question);
  const auto before = column_count(attempt.schema);
  if (before <= options_.budget) {
    step.finish("", "the whole schema has " + std::to_string(before) + " columns, no more than the budget");
    return ok_status();
  }
  HallucinationOptions hallucination;
  hallucination.model = options_.model;
  TRUSTSQL_ASSIGN_OR_RETURN(auto relations, hallucinate(question, hallucination, context.prompts, context.chat,
                                                        context.call, &context.usage));
  link::LinkOptions options{.budget = options_.budget};
  if (relations.empty()) {
    relations = link::schema_of_question(question);
    options = link::without_model(options);
  }
  std::vector<std::pair<std::size_t, std::size_t>> places;
  auto elements = link::elements_of(context.catalog, &places);
  std::shared_ptr<const link::Corpus> built;
  const link::Corpus* corpus = context.corpus;
  if (corpus == nullptr) {
    TRUSTSQL_ASSIGN_OR_RETURN(built, link::Corpus::build(std::move(elements), context.embedder, nullptr, context.call));
    corpus = built.get();
  }
  TRUSTSQL_ASSIGN_OR_RETURN(const auto linked,
                            link::Linker(*corpus, context.embedder).link(question, relations, options, context.call));
  SchemaSubset kept;
  for (const auto& element : linked) {
    const auto [table, column] = places[element.element];
    const auto shown = attempt.schema.columns.find(table);
    if (shown != attempt.schema.columns.end() && shown->second.count(column) > 0) kept.columns[table].insert(column);
  }
  if (!kept.columns.empty()) {
    add_keys(context.catalog, attempt.schema, kept);
    attempt.schema = std::move(kept);
  }
  step.finish(join(relations, "\n"), std::to_string(column_count(attempt.schema)) + " of " + std::to_string(before) +
                                         " columns are kept, in " + std::to_string(attempt.schema.columns.size()) +
                                         " tables");
  return ok_status();
}

}  // namespace trustsql::nl2sql
