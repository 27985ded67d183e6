#include "equiv/difference_explanation.hpp"

#include "base/text.hpp"
#include "equiv/explanation/clause_differences.hpp"
#include "equiv/explanation/result_words.hpp"
#include "plan/normaliser.hpp"
#include "plan/query_plan.hpp"
#include "sql/parser.hpp"
#include "sql/printer.hpp"

namespace trustsql::equiv {

namespace {

constexpr int max_explained_steps = 2'000;  // of the normaliser

// The clauses of a query in normal form; nullopt if it cannot be planned.
std::optional<explanation::QueryClauses> clauses(std::string_view sql, const Catalog& catalog,
                                                 const ResolveOptions& dialect, const std::function<bool()>& stop) {
  auto plan = plan::plan_query(sql, catalog, dialect);
  if (!plan.ok()) return std::nullopt;
  const auto normalised = plan::normalise(*std::move(plan), {.assume = plan::Assume::nothing(),
                                                             .rules = explanation::rules_within_clauses(),
                                                             .max_steps = max_explained_steps,
                                                             .stop = stop});
  return explanation::clauses_of(normalised.plan);
}

// Two compound queries with other operators between their parts, which the normal form may not show.
std::vector<std::string> set_operation_phrases(std::string_view a, std::string_view b, const ResolveOptions& dialect) {
  const auto first = parse_query(a, dialect.grammar());
  const auto second = parse_query(b, dialect.grammar());
  if (!first.ok() || !second.ok() || first->arms.size() != second->arms.size()) return {};
  std::vector<std::string> phrases;
  for (std::size_t i = 0; i < first->arms.size(); ++i) {
    const auto& arm = first->arms[i];
    const auto& other = second->arms[i];
    if (arm.body != other.body) return {};
    if (i == 0 || arm.op == other.op || !phrases.empty()) continue;
    phrases.push_back("combines its parts by " + std::string(operator_text(other.op)) + " instead of " +
                      std::string(operator_text(arm.op)));
  }
  return phrases;
}

std::string listed_phrases(const std::vector<std::string>& phrases) {
  std::string text;
  for (std::size_t i = 0; i < phrases.size(); ++i) {
    if (i > 0) text += i + 1 < phrases.size() ? ", " : " and ";
    text += phrases[i];
  }
  return text;
}

// The names are words in a sentence; one of several letters begins it with a capital.
std::string capitalised(std::string sentence, const QueryNames& names) {
  const bool is_letter_name = (sentence.starts_with(names.first + " ") && names.first.size() == 1) ||
                              (sentence.starts_with(names.second + " ") && names.second.size() == 1);
  if (!sentence.empty() && !is_letter_name && sentence.front() >= 'a' && sentence.front() <= 'z')
    sentence.front() = static_cast<char>(sentence.front() - 'a' + 'A');
  return sentence;
}

}  // namespace

std::string explain_difference(std::string_view a, std::string_view b, const Counterexample& counterexample,
                               const Catalog& catalog, const ResolveOptions& dialect, const QueryNames& names,
                               const std::function<bool()>& stop) {
  std::vector<std::string> phrases = set_operation_phrases(a, b, dialect);
  if (phrases.empty()) {
    const auto clauses_a = clauses(a, catalog, dialect, stop);
    const auto clauses_b = clauses(b, catalog, dialect, stop);
    if (clauses_a && clauses_b) phrases = explanation::clause_differences(*clauses_a, *clauses_b, names.first);
  }
  const auto data = explanation::data_words(counterexample.script);
  const auto results = explanation::result_difference_words(counterexample.a, counterexample.b,
                                                            counterexample.deviations, names.first, names.second);
  std::string sentence = phrases.empty() ? std::string() : names.second + " " + listed_phrases(phrases) + ": ";
  sentence += data.value_or("on some database") + ", " + results;
  // Empty tables speak for themselves.
  const bool on_empty_tables = data && data->starts_with("on ");
  if (const auto where = explanation::deviation_words(counterexample.deviations); !where.empty() && !on_empty_tables)
    sentence += "; the difference shows only " + where;
  return capitalised(std::move(sentence), names) + ".";
}

}  // namespace trustsql::equiv
