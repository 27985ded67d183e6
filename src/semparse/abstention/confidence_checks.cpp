#include "semparse/abstention/confidence_checks.hpp"

#include <algorithm>
#include <cmath>

#include "semparse/abstention/triage.hpp"
#include "semparse/candidates/ranking.hpp"
#include "semparse/question/question_cues.hpp"

namespace trustsql::semparse {

namespace {

// Whether the first noun that names a table or a column is a plural.
float names_plural(const QuestionView& view) {
  const auto& words = view.question().words;
  const auto names = [&view](std::size_t at) {
    const auto kind = view.kind(at);
    return kind == Symbol::table || kind == Symbol::column || kind == Symbol::part;
  };
  std::size_t at = 0;
  while (at < words.size() && !names(at)) ++at;
  if (at == words.size()) return -1;
  while (at + 1 < words.size() && view.kind(at + 1) == view.kind(at)) ++at;
  return words[at].lemma() != words[at].lower ? 1.0F : 0.0F;
}

// The words that the candidate leaves unexplained, by where they stand.
void check_words(const QuestionView& view, const Candidate& candidate, std::vector<float>& checks) {
  constexpr float rarest = 0.01F;
  const auto explanation = explain(view, candidate);
  const auto& explained = explanation.explained;
  const auto& words = view.question().words;
  float capitalised = 0;
  float names = 0;
  float behind = 0;  // an explained word
  float before = 0;
  float weight = 0;
  float longest = 0;
  float tail = 0;  // at the end of the question
  float run = 0;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (is_function_word(words[i])) continue;
    if (explained[i]) {
      run = 0;
      tail = 0;
      continue;
    }
    ++tail;
    longest = std::max(longest, ++run);
    if (i > 0 && words[i].capitalised && view.kind(i) != Symbol::number) ++capitalised;
    if (i > 0 && is_written_as_name(view.question(), i)) ++names;
    if (i > 0 && explained[i - 1]) ++behind;
    if (i + 1 < words.size() && explained[i + 1]) ++before;
    weight -= std::log(std::max(view.vocabulary().idle(words[i].lower), rarest));
  }
  // Words that two columns share: one of them may be meant alone.
  float shared = 0;
  const auto& uses = explanation.uses;
  for (std::size_t a = 0; a < uses.size(); ++a)
    for (std::size_t b = 0; b < a; ++b)
      if (uses[a].mention != nullptr && uses[b].mention != nullptr && uses[a].column != nothing &&
          uses[b].column != nothing && uses[a].column != uses[b].column &&
          uses[a].mention->span.overlaps(uses[b].mention->span))
        ++shared;
  checks.insert(checks.end(), {capitalised, names, behind, before, weight, longest, shared, tail});
}

}  // namespace

std::vector<float> confidence_checks(const QuestionView& view, const ValueIndex& values, const Candidate& candidate) {
  std::vector<float> checks = {names_plural(view)};
  checks.reserve(confidence_check_count);
  const auto& domain = view.domain();
  const auto grounding = ground(view.question(), view.linking(), leaves_of(candidate.tree, domain), domain, values);
  std::vector<float> broken(grounding_rules, 0.0F);
  for (const auto& violation : grounding.violations) ++broken[static_cast<std::size_t>(violation.rule)];
  checks.insert(checks.end(), broken.begin(), broken.end());
  checks.push_back(static_cast<float>(grounding.violations.size()));
  checks.push_back(static_cast<float>(grounding.without_role.size()));
  checks.push_back(static_cast<float>(grounding.without_licence.size()));
  check_words(view, candidate, checks);
  return checks;
}

}  // namespace trustsql::semparse
