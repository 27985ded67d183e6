#include "nl2sql/stages/triage.hpp"

#include <algorithm>
#include <array>

#include "base/text.hpp"
#include "nl2sql/prompts/prompt_parts.hpp"
#include "nl2sql/replies/one_word.hpp"
#include "nl2sql/trace.hpp"

namespace trustsql::nl2sql {

namespace {

constexpr std::string_view answerable = "answerable";
constexpr std::string_view infeasible_word = "not_answerable";
constexpr auto style = SchemaStyle::create_table_select_col3;

constexpr auto types = std::to_array<std::string_view>(
    {"column-surface", "column-related", "column-unrelated", "non-sql", "ext-know", "ambiguous", "small-talk"});

// The type that is named first in a reply, in any case, with spaces or underscores allowed instead of hyphens.
std::string_view named_type(std::string_view reply, bool small_talk) {
  auto text = to_lower_ascii(reply);
  std::replace_if(
      text.begin(), text.end(), [](char c) { return c == '_' || c == ' '; }, '-');
  std::string_view first_type;
  auto first_position = std::string::npos;
  for (const auto type : types) {
    if (const auto position = text.find(type); position < first_position) {
      first_type = type;
      first_position = position;
    }
  }
  return first_type == "small-talk" && !small_talk ? "non-sql" : first_type;
}

llm::ChatRequest request_for(const ModelOptions& model, std::vector<llm::Message> conversation) {
  llm::ChatRequest request;
  request.model = model.model;
  request.messages = std::move(conversation);
  request.seed = model.seed;
  request.max_tokens = model.max_tokens;
  return request;
}

}  // namespace

Status TriageStage::run(Attempt& attempt, StageContext& context) const {
  TracedStep step(attempt, context, name());
  TRUSTSQL_ASSIGN_OR_RETURN(auto values, basic_values(style, attempt, context));
  values.lists["databases"];
  values.lists["examples"];
  if (context.examples != nullptr) {
    TRUSTSQL_ASSIGN_OR_RETURN(const auto demonstrations,
                              choose_demonstrations(*context.examples, attempt.question, options_.demonstrations,
                                                    context.example_embedder, context.call));
    TRUSTSQL_RETURN_IF_ERROR(add_demonstrations(values, demonstrations, *context.examples, style, context.send_rows,
                                                answerable, infeasible_word, context.call));
  }
  TRUSTSQL_ASSIGN_OR_RETURN(auto conversation, context.prompts.render("triage", values));
  step.set_input(conversation_text(conversation));
  TRUSTSQL_ASSIGN_OR_RETURN(const auto choices, context.ask(request_for(options_.model, conversation)));

  const auto& reply = choices.front().text;
  const auto answer = read_one_word(choices.front(), answerable, infeasible_word);
  if (answer.yes.value_or(false)) {
    step.finish(reply, std::string(answerable));
    return ok_status();
  }
  attempt.abstention = Abstention::infeasible;
  step.finish(reply, answer.yes ? std::string(infeasible_word) : "not_answerable: the reply is neither word");
  if (!options_.type) return ok_status();
  return ask_type(attempt, context, std::move(conversation), reply);
}

Status TriageStage::ask_type(Attempt& attempt, StageContext& context, std::vector<llm::Message> conversation,
                             const std::string& answer) const {
  TracedStep step(attempt, context, "triage.type");
  PromptValues values;
  values.texts["small_talk"] = options_.small_talk ? "yes" : "";
  TRUSTSQL_ASSIGN_OR_RETURN(auto question, context.prompts.render("triage.type", values));
  step.set_input(conversation_text(question));
  conversation.push_back(
      {.role = llm::Role::assistant, .text = answer.empty() ? std::string(infeasible_word) : answer});
  conversation.insert(conversation.end(), std::make_move_iterator(question.begin()),
                      std::make_move_iterator(question.end()));
  TRUSTSQL_ASSIGN_OR_RETURN(const auto choices, context.ask(request_for(options_.model, std::move(conversation))));
  attempt.infeasible_type = named_type(choices.front().text, options_.small_talk);
  step.finish(choices.front().text,
              attempt.infeasible_type.empty() ? "the reply names no type" : attempt.infeasible_type);
  return ok_status();
}

}  // namespace trustsql::nl2sql
