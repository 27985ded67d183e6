#include "semparse/grounding/grounding.hpp"

#include <algorithm>
#include <cmath>

#include "semparse/grounding/grounder.hpp"
#include "semparse/words/intent.hpp"

namespace trustsql::semparse {

bool contains_words(const std::string& text, const std::string& words) {
  return words.empty() || (" " + text + " ").find(" " + words + " ") != std::string::npos;
}

bool same_number(double a, double b) { return std::fabs(a - b) < 1e-9 * std::max(1.0, std::fabs(a)); }

Grounding Grounder::run() {
  mark_used_words();
  check_intent();
  check_literals();
  check_values_of_question();
  check_cues();
  check_operators();
  check_bounds();
  check_answer();
  check_mentions();
  check_selected();
  list_roles();
  return std::move(grounding_);
}

void Grounder::add(GroundingRule rule, std::string detail) {
  grounding_.violations.push_back({rule, std::move(detail)});
}

std::string Grounder::name_of(ColumnId id) const {
  const auto& column = domain_.column(id);
  return domain_.table(column.table).name + "." + column.name;
}

bool Grounder::is_used(ColumnId id) const {
  return leaves_.uses(id) || std::binary_search(leaves_.joined.begin(), leaves_.joined.end(), id);
}

void Grounder::mark_used_words() {
  used_.assign(question_.words.size(), false);
  const auto mark = [this](WordSpan span) {
    for (auto i = span.first; i < span.last; ++i) used_[i] = true;
  };
  for (ColumnId id = 0; id < static_cast<ColumnId>(domain_.columns().size()); ++id) {
    if (!is_used(id)) continue;
    for (const auto& mention : linking_.columns[static_cast<std::size_t>(id)]) mark(mention.span);
  }
  for (const auto table : leaves_.tables)
    for (const auto& mention : linking_.tables[static_cast<std::size_t>(table)]) mark(mention.span);
  for (std::size_t i = 0; i < question_.words.size(); ++i) names_shared_ |= used_[i];
  for (std::size_t i = 0; i < question_.words.size(); ++i) {
    const auto& word = question_.words[i];
    const auto plain = value_words(word.text);
    if (plain.empty() || is_function_word(word)) continue;
    const bool in_literal = std::any_of(leaves_.literals.begin(), leaves_.literals.end(), [&](const LiteralLeaf& leaf) {
      if (leaf.number && word.number) return same_number(*leaf.number, *word.number);
      return contains_words(value_words(leaf.text), plain);
    });
    if (in_literal) used_[i] = names_shared_ = true;
  }
}

void Grounder::check_intent() {
  std::vector<bool> named(question_.words.size(), false);
  const auto mark = [&named](const std::vector<Mention>& mentions) {
    for (const auto& mention : mentions)
      for (auto i = mention.span.first; mention.whole() && i < mention.span.last; ++i) named[i] = true;
  };
  for (const auto& mentions : linking_.columns) mark(mentions);
  for (const auto& mentions : linking_.tables) mark(mentions);
  for (const auto& value : linking_.values)
    for (auto i = value.span.first; i < value.span.last; ++i) named[i] = true;
  const auto intent = intent_of(question_, named);
  if (!intent.wants_data()) add(GroundingRule::task, std::string(intent.what) + " is not what a query gives");
}

void Grounder::list_roles() {
  for (std::size_t i = 0; i < question_.words.size(); ++i) {
    const auto& word = question_.words[i];
    if (!used_[i] && !is_function_word(word) && !word.quoted) grounding_.without_role.push_back(word.text);
  }
  for (const auto id : leaves_.columns) {
    const auto* mention = best_mention(id);
    if (mention == nullptr || mention->coverage < part_of_name) grounding_.without_licence.push_back(name_of(id));
  }
}

std::string_view rule_name(GroundingRule rule) {
  static constexpr std::string_view names[] = {
      "task",           "literal",       "number",        "quotation",         "count",         "value",
      "elsewhere",      "letter_case",   "average_asked", "extreme_asked",     "order_asked",   "direction_asked",
      "negation_asked", "range_asked",   "both_asked",    "bound_asked",       "average_given", "extreme_given",
      "sum_given",      "count_given",   "limit_given",   "negation_given",    "both_given",    "range_given",
      "answer_type",    "column_unused", "table_unused",  "select_unlicensed", "nothing_shared"};
  static_assert(std::size(names) == grounding_rules);
  return names[static_cast<std::size_t>(rule)];
}

Grounding ground(const Question& question, const Linking& linking, const QueryLeaves& leaves, const Domain& domain,
                 const ValueIndex& values, std::string_view evidence) {
  return Grounder(question, linking, leaves, domain, values, evidence).run();
}

Grounding ground(std::string_view question, const ast::Query& query, const Resolution& resolution,
                 const Knowledge& knowledge, std::string_view evidence) {
  auto read = read_question(question);
  const auto linking = QuestionLinker(knowledge.domain, knowledge.values).link(read);
  return ground(read, linking, leaves_of(query, resolution, knowledge.domain), knowledge.domain, knowledge.values,
                evidence);
}

}  // namespace trustsql::semparse
