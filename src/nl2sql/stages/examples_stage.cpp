#include "nl2sql/stages/examples_stage.hpp"

#include <algorithm>
#include <cstdio>

#include "base/text.hpp"
#include "nl2sql/trace.hpp"
#include "semparse/examples/example_check.hpp"
#include "semparse/knowledge_cache.hpp"
#include "semparse/question/correction.hpp"

namespace trustsql::nl2sql {

namespace {

// An infeasible example speaks for a question that has this share of its words in common with it.
constexpr double min_likeness = 0.6;
constexpr double sure = 0.8;  // below this confidence the parser is asked in any case

std::string percent_text(double probability) {
  char text[16];
  std::snprintf(text, sizeof text, "%.1f%%", 100 * probability);
  return text;
}

std::string slots_text(const semparse::ExampleAnswer& answer) {
  std::string text;
  for (const auto& slot : answer.slots)
    text += (text.empty() ? "" : "\n") + slot.words + ": " + (slot.number ? "number" : "value") +
            (slot.column.empty() ? "" : " of " + slot.column);
  return text;
}

// By what the answer follows from the example.
std::string relation_text(const semparse::ExampleAnswer& answer, const std::string& question) {
  const auto quoted = quote_for_message(question, 120);
  if (answer.learned) return "was learned: " + quoted;
  return (answer.by_analogy ? "by analogy with the example " : "as in the example ") + quoted;
}

void answer_with(const semparse::ExampleAnswer& answer, Attempt& attempt) {
  attempt.sql = answer.sql;
  attempt.signals.reading = answer.confidence;
  attempt.confidence = answer.confidence;
  attempt.learned = answer.learned;
  attempt.abstention = Abstention::none;
  attempt.detail.clear();
  attempt.suggestion.clear();
}

}  // namespace

Status ExamplesStage::run(Attempt& attempt, StageContext& context) const {
  if (context.examples == nullptr) return parse_->run(attempt, context);
  TRUSTSQL_ASSIGN_OR_RETURN(const auto model, context.examples->learned(context.call.stop));
  if (model == nullptr) return parse_->run(attempt, context);
  TracedStep step(attempt, context, name());
  step.set_input(attempt.question);
  semparse::ExampleAnswer answer;
  std::optional<semparse::MissingValue> missing;
  std::string nearest;  // to the missing value
  {
    TRUSTSQL_ASSIGN_OR_RETURN(const auto sandbox, context.source.lease());
    sandbox->set_stop(context.call.stop);
    TRUSTSQL_ASSIGN_OR_RETURN(const auto knowledge,
                              context.knowledge->knowledge(context.source, context.catalog, *sandbox));
    const semparse::DatabaseValues values(*knowledge);
    answer = model->answer(attempt.question, &values);
    if (answer.sql && !answer.learned) {
      TRUSTSQL_ASSIGN_OR_RETURN(missing, semparse::find_missing_value(answer, knowledge->domain, *sandbox));
      if (missing)
        nearest = semparse::did_you_mean(
            knowledge->domain,
            semparse::find_near(knowledge->values, missing->words, {.column = missing->id, .max_values = 3}));
    }
  }
  const auto example = answer.example ? model->examples()[*answer.example].question : std::string();
  if (answer.infeasible && (answer.learned || answer.likeness >= min_likeness)) {
    attempt.abstention = Abstention::infeasible;
    attempt.infeasible_type = answer.infeasible_type;
    step.finish("",
                "abstains: " + std::string(answer.learned ? "" : "it is like ") +
                    (answer.learned ? "the question was learned as infeasible"
                                    : quote_for_message(example, 120) + ", which was learned as infeasible"),
                0);
    return ok_status();
  }
  if (!answer.sql || answer.infeasible) {
    step.finish("", "no example fits");
    return parse_->run(attempt, context);
  }
  if (missing) {
    step.finish(*answer.sql,
                relation_text(answer, example) + ", but " + missing->column + " holds no " +
                    quote_for_message(missing->words, 60),
                0);
    TRUSTSQL_RETURN_IF_ERROR(parse_->run(attempt, context));
    if (attempt.abstained()) {
      attempt.abstention = Abstention::not_understood;
      attempt.detail = missing->column + " holds no " + quote_for_message(missing->words, 60);
      attempt.suggestion = nearest.empty() ? "ask for a value that " + missing->column + " holds" : nearest;
    }
    return ok_status();
  }
  const auto slots = slots_text(answer);
  const auto output = slots.empty() ? *answer.sql : slots + "\n" + *answer.sql;
  if (answer.confidence >= std::max(options_.threshold, sure)) {
    step.finish(output, relation_text(answer, example) + ", " + percent_text(answer.confidence) + " sure",
                answer.confidence);
    answer_with(answer, attempt);
    return ok_status();
  }
  step.finish(
      output,
      relation_text(answer, example) + ", only " + percent_text(answer.confidence) + " sure: the parser is asked",
      answer.confidence);
  TRUSTSQL_RETURN_IF_ERROR(parse_->run(attempt, context));
  const bool parser_is_surer = attempt.sql && !attempt.abstained() && attempt.confidence >= answer.confidence;
  if (!parser_is_surer && answer.confidence >= options_.threshold) answer_with(answer, attempt);
  return ok_status();
}

}  // namespace trustsql::nl2sql
