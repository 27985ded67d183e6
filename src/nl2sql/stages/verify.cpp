#include "nl2sql/stages/verify.hpp"

#include "nl2sql/prompts/prompt_parts.hpp"
#include "nl2sql/replies/one_word.hpp"
#include "nl2sql/trace.hpp"

namespace trustsql::nl2sql {

Status VerifyStage::run(Attempt& attempt, StageContext& context) const {
  TracedStep step(attempt, context, name());
  if (!attempt.sql) {
    step.finish({}, "there is no SQL to look at");
    return ok_status();
  }
  TRUSTSQL_ASSIGN_OR_RETURN(auto values, basic_values(SchemaStyle::columns_fk, attempt, context));
  values.texts["question"] = attempt.question;  // the original one: the rewriting may be the mistake
  values.texts["sql"] = *attempt.sql;
  llm::ChatRequest request;
  request.model = options_.model.model;
  request.seed = options_.model.seed;
  request.max_tokens = options_.model.max_tokens;
  request.top_logprobs = 5;
  TRUSTSQL_ASSIGN_OR_RETURN(request.messages, context.prompts.render("verify", values));
  step.set_input(conversation_text(request.messages));

  auto choices = context.ask(request);
  if (!choices.ok() && choices.error().code == ErrorCode::invalid_argument) {
    // Some servers reject the whole request if they cannot return log-probabilities.
    request.top_logprobs = 0;
    choices = context.ask(request);
  }
  if (!choices.ok()) return std::move(choices).error();

  const auto& choice = choices->front();
  const auto answer = read_one_word(choice, "correct", "incorrect");
  attempt.signals.verification = answer.probability;
  if (!answer.yes) {
    attempt.abstention = Abstention::error_detected;
    step.finish(choice.text, "held back: the reply is neither correct nor incorrect", answer.probability);
  } else if (answer.probability < options_.min_probability) {
    attempt.abstention = Abstention::error_detected;
    step.finish(choice.text, "incorrect: held back", answer.probability);
  } else {
    step.finish(choice.text, "correct", answer.probability);
  }
  return ok_status();
}

}  // namespace trustsql::nl2sql
