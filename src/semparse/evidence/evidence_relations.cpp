// What speaks of relations and measures: verbs between joined tables, references that stand for names, and adjectives
// that measure what is compared.

#include <algorithm>
#include <string_view>

#include "semparse/evidence/evidence_collector.hpp"
#include "semparse/question/extremes.hpp"
#include "semparse/question/gradable.hpp"
#include "semparse/question/question_cues.hpp"

namespace trustsql::semparse {

namespace {

// Words for what identifies something.
bool speaks_of_ids(const Question& question) {
  return std::any_of(question.words.begin(), question.words.end(),
                     [](const Word& word) { return is_identifier_word(word.lower) || word.lower == "no"; });
}

}  // namespace

void EvidenceCollector::relations() {
  const auto& words = view_.question().words;
  // "Which waiters have served no orders?": a form of a verb that nothing names, where tables are joined.
  int verbs = 0;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const auto kind = view_.kind(i);
    if (explanation_.explained[i] || is_function_word(words[i]) || words[i].quoted || words[i].capitalised) continue;
    if (kind != Symbol::word && kind != Symbol::unknown && kind != Symbol::part) continue;
    const auto& word = words[i].lower;
    const bool inflected = words[i].lemma() != word && (word.ends_with("ed") || word.ends_with("ing") ||
                                                        word.ends_with("en") || word.ends_with('t'));
    verbs += inflected ? 1 : 0;
  }
  write_("verbs that only a join explains", explanation_.tables.size() > 1 ? verbs : 0);
  write_("verbs that nothing explains", explanation_.tables.size() > 1 ? 0 : verbs);
  // "How many orders did each customer make?" returns names of customers, and no customer_id of orders.
  int references = 0;
  const bool ids = speaks_of_ids(view_.question());
  const auto stands_for_name = [&](ColumnId column) {
    const auto& edges = domain_.edges();
    return !ids && std::any_of(edges.begin(), edges.end(), [&](const JoinEdge& edge) {
      return edge.child == column && domain_.table(table_of(edge.parent)).display != nothing;
    });
  };
  for (const auto& part : draft_.select)
    for (const auto column : part) references += stands_for_name(column) ? 1 : 0;
  write_("references in the place of names", references);
  // "The cheapest" and a price, "taller than" and a height.
  int measured = 0;
  int unmeasured = 0;
  const auto extremes = extremes_of(candidate_.tree.block);
  for (std::size_t i = 0; i < words.size(); ++i) {
    const auto* graded = graded_at(view_.question(), i);
    if (graded == nullptr) continue;
    bool found = std::any_of(extremes.begin(), extremes.end(), [&](const TreeExtreme& extreme) {
      return measures(*graded, domain_.column(extreme.column));
    });
    for (const auto column : draft_.literal_columns)
      found |= column != nothing && measures(*graded, domain_.column(column));
    for (const auto column : {draft_.outer_column, draft_.order.column})
      found |= column != nothing && measures(*graded, domain_.column(column));
    ++(found ? measured : unmeasured);
  }
  write_("adjectives that measure what is compared", measured);
  write_("adjectives that measure something else", unmeasured);
  int derived = 0;
  int spelled = 0;
  for (std::size_t i = 0; i < draft_.uses.size(); ++i) {
    const auto& literal = view_.literals()[i];
    if (draft_.uses[i] == LiteralUse::unused) continue;
    derived += literal.value != nullptr && literal.value->is_derived ? 1 : 0;
    spelled += literal.number != nullptr && literal.number->spelled ? 1 : 0;
  }
  write_("values in other words", derived);
  write_("dates that are written out", spelled);
}

}  // namespace trustsql::semparse
