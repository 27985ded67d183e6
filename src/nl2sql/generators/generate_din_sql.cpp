#include "nl2sql/generators/generate_din_sql.hpp"

#include "base/text.hpp"
#include "nl2sql/prompts/prompt_parts.hpp"
#include "nl2sql/replies/reply_json.hpp"

namespace trustsql::nl2sql {

namespace {

enum class Class { easy, joined, nested };

// The text after the last "Schema_links:", up to the end of its line; the whole reply if there is no such label.
std::string links_in(std::string_view reply) {
  constexpr std::string_view mark = "Schema_links:";
  const auto begin = reply.rfind(mark);
  if (begin == std::string_view::npos) return std::string(trim(reply));
  const auto links = trim(reply.substr(begin + mark.size()));
  return std::string(links.substr(0, links.find('\n')));
}

// The last label, since the prompt asks for it at the end. Without a label, the most general class.
Class class_in(std::string_view reply) {
  const std::string text = to_lower_ascii(reply);
  const auto end_of = [&](std::string_view label) {
    const auto place = text.rfind(label);
    return place == std::string::npos ? 0 : place + label.size();
  };
  const auto easy = end_of("easy");
  const auto joined = end_of("non-nested");
  const auto nested = end_of("nested");  // also matches the end of "non-nested"
  if (easy > joined && easy > nested) return Class::easy;
  return joined > 0 && joined == nested ? Class::joined : Class::nested;
}

std::string_view name_of(Class label) {
  return label == Class::easy ? "easy" : label == Class::joined ? "non-nested" : "nested";
}

std::string_view prompt_of(Class label) {
  return label == Class::easy     ? "generate.din.easy"
         : label == Class::joined ? "generate.din.joined"
                                  : "generate.din.nested";
}

// The sub-questions, as the next prompt shows them.
std::string questions_in(std::string_view reply) {
  const auto begin = reply.rfind("Questions:");
  const auto questions =
      text_list_in(begin == std::string_view::npos ? reply : reply.substr(begin)).value_or(std::vector<std::string>());
  std::string text = "[";
  for (const auto& question : questions) {
    if (text.size() > 1) text += ", ";
    text += "\"" + question + "\"";
  }
  return text + "]";
}

}  // namespace

Result<PromptValues> DinSqlGenerator::values_for(Attempt& attempt, StageContext& context) const {
  TRUSTSQL_ASSIGN_OR_RETURN(auto values, basic_values(SchemaStyle::columns_fk, attempt, context));
  TRUSTSQL_ASSIGN_OR_RETURN(values.texts["content"], content_text(rows_, attempt, context));
  return values;
}

Result<std::vector<llm::Message>> DinSqlGenerator::prompt(Attempt& attempt, StageContext& context) const {
  TRUSTSQL_ASSIGN_OR_RETURN(auto values, values_for(attempt, context));
  {
    TracedStep step(attempt, context, "din.link");
    TRUSTSQL_ASSIGN_OR_RETURN(const auto replies, ask_text(step, "din.link", values, model_, 1, context));
    values.texts["links"] = links_in(replies.front());
    step.finish(replies.front(), "schema links: " + quote_for_message(values.texts["links"]));
  }
  TracedStep step(attempt, context, "din.classify");
  TRUSTSQL_ASSIGN_OR_RETURN(const auto replies, ask_text(step, "din.classify", values, model_, 1, context));
  const auto label = class_in(replies.front());
  values.texts["questions"] = questions_in(replies.front());
  step.finish(replies.front(), std::string(name_of(label)));
  return context.prompts.render(prompt_of(label), values);
}

Result<Abstention> DinSqlGenerator::revise(const SqlOptions& sql, Attempt& attempt, StageContext& context) const {
  TRUSTSQL_ASSIGN_OR_RETURN(auto values, values_for(attempt, context));
  values.texts["sql"] = *attempt.sql;
  TRUSTSQL_ASSIGN_OR_RETURN(const auto conversation, context.prompts.render("generate.din.correct", values));
  TRUSTSQL_ASSIGN_OR_RETURN(const auto abstention, write_sql("din.correct", conversation, sql, attempt, context));
  // A reply without SQL corrects nothing.
  return abstention == Abstention::no_sql ? Abstention::none : abstention;
}

}  // namespace trustsql::nl2sql
