// Whether a query is negative where the question is, and about the same.

#include <algorithm>
#include <string_view>

#include "semparse/candidates/licence.hpp"
#include "semparse/tree/tree_sql.hpp"
#include "semparse/words/word_list.hpp"

namespace trustsql::semparse {

// A negated value is an inequality, or what NOT IN or EXCEPT leaves out.
bool Licence::contradicts_negation(const Draft& draft) const {
  for (std::size_t i = 0; i < draft.uses.size(); ++i) {
    if (!negated_[i]) continue;
    const bool unequal =
        draft.operators[i] == LiteralOperator::not_equal || draft.operators[i] == LiteralOperator::lacks;
    // What is left without those that are not vegetarian is vegetarian.
    const bool excluded = (draft.uses[i] == LiteralUse::other && draft.skeleton->operation == SetOperation::except) ||
                          (draft.uses[i] == LiteralUse::subquery && draft.skeleton->subquery == SubqueryKind::missing);
    if (excluded && unequal) return true;
    if (draft.uses[i] == LiteralUse::where && !unequal && draft.skeleton->subquery != SubqueryKind::missing)
      return true;
  }
  return false;
}

// "Without", "not": something of the query is negative, or a bound of a number that the words turn round.
bool Licence::leaves_out_negation(const Draft& draft) const {
  const auto& skeleton = *draft.skeleton;
  if (!strict_negation_ || skeleton.subquery == SubqueryKind::missing || skeleton.null_test != NullTest::none ||
      skeleton.operation == SetOperation::except)
    return false;
  for (std::size_t i = 0; i < draft.uses.size(); ++i) {
    const auto op = draft.operators[i];
    if (draft.uses[i] == LiteralUse::unused || draft.uses[i] == LiteralUse::limit) continue;
    if (op == LiteralOperator::not_equal || op == LiteralOperator::lacks ||
        (op >= LiteralOperator::less && op <= LiteralOperator::greater_equal))
      return false;
    // A code for "no": whether the column has one is not known here.
    if (view_.literals()[i].number != nullptr) return false;
  }
  return skeleton.subquery != SubqueryKind::aggregate;
}

// "Wards with no night nurses" have none, and are not those with other nurses.
bool Licence::has_rows_it_denies(const Draft& draft) const {
  const auto& words = view_.question().words;
  for (std::size_t i = 0; i < draft.uses.size(); ++i) {
    const auto& literal = view_.literals()[i];
    if (draft.uses[i] != LiteralUse::where || literal.value == nullptr || literal.span.first == 0) continue;
    auto before = literal.span.first - 1;
    if (before > 0 && words[before].lower == "any") --before;
    if (words[before].lower != "no" && words[before].lower != "without") continue;
    const auto denied_rows = tables_named_at(literal.span.last);
    const auto table = view_.domain().column(draft.literal_columns[i]).table;
    if (std::find(denied_rows.begin(), denied_rows.end(), table) != denied_rows.end() && table != asked_rows_)
      return true;
  }
  return false;
}

// "No phone", "without a phone", "not been returned": columns that the question names as missing, and no table.
void Licence::find_negated_columns() {
  constexpr std::string_view skipped[] = {"a", "an", "any", "the", "been", "yet", "their", "be", "being", "have"};
  constexpr float named_from = 0.4F;  // coverage
  const auto& words = view_.question().words;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const auto& word = words[i].lower;
    const bool noun = word == "no" || word == "without" || word == "lack" || word == "lacks" || word == "lacking";
    const bool verb = word == "not" || word == "never";
    if (words[i].quoted || (!noun && !verb)) continue;
    auto at = i + 1;
    while (at < words.size() && is_listed(skipped, words[at].lower)) ++at;
    if (at >= words.size() || view_.kind(at) == Symbol::value || view_.kind(at) == Symbol::number) continue;
    // "Not returned", and "without a phone", but not "without registered members".
    if (verb && words[at].lower == words[at].lemma()) continue;
    if (noun && at + 1 < words.size() && view_.kind(at + 1) == Symbol::table) continue;
    const auto begins = [at](const std::vector<Mention>& mentions) {
      return std::any_of(mentions.begin(), mentions.end(), [at](const Mention& mention) {
        return mention.span.first == at && mention.coverage > named_from && mention.weakest == WordMatch::form;
      });
    };
    if (std::any_of(view_.linking().tables.begin(), view_.linking().tables.end(), begins)) continue;
    for (ColumnId id = 0; id < static_cast<ColumnId>(view_.domain().columns().size()); ++id) {
      const auto& column = view_.domain().column(id);
      if (asked_rows_ != nothing && column.table != asked_rows_) continue;
      if (verb && column.kind != DataKind::date) continue;
      if (begins(view_.linking().columns[static_cast<std::size_t>(id)])) negated_columns_.push_back(id);
    }
  }
}

// Borrowers without a phone are not those without loans, of which the question says nothing.
bool Licence::lacks_unnamed_rows(const Draft& draft) const {
  if (negated_columns_.empty() || draft.skeleton->subquery != SubqueryKind::missing) return false;
  return view_.table_mention(view_.domain().column(draft.inner_column).table) == nullptr;
}

// Whether a subquery selects rows by a table that the query joins anyway. No member with a loan is among those without
// one; and the loans of members who have a loan of this year are of other years as well.
bool Licence::selects_by_what_it_joins(const Draft& draft, const Tree& tree) const {
  const auto kind = draft.skeleton->subquery;
  if (kind != SubqueryKind::existing && (kind != SubqueryKind::missing || draft.skeleton->subquery_literals))
    return false;
  const auto inner = view_.domain().column(draft.inner_column).table;
  const auto used = tables_of(view_.domain(), tree.block);
  return inner != view_.domain().column(draft.outer_column).table &&
         std::find(used.begin(), used.end(), inner) != used.end();
}

// Whether the question writes a value of several words as it is stored, and as a name.
bool Licence::is_written_value(const ValueMention& value) const {
  return value.span.size() > 1 && value.capitalised && !value.is_name && !value.quoted &&
         std::any_of(value.cells.begin(), value.cells.end(),
                     [&value](const ValueIndex::Cell& cell) { return cell.text == value.text; });
}

bool Licence::uses_sure_values(const Draft& draft) const {
  for (std::size_t i = 0; i < draft.uses.size(); ++i) {
    const auto* value = view_.literals()[i].value;
    if (value == nullptr) continue;
    if (value->test != ColumnTest::none) {
      if (draft.uses[i] != LiteralUse::where || (value->test == ColumnTest::row && draft.skeleton->any)) return false;
      continue;
    }
    const bool sure = value->is_flag || is_written_value(*value) || is_counted(*value);
    if (sure && draft.uses[i] == LiteralUse::unused) return false;
    // "Paid visits" are no others, and "not paid" is another value.
    if (value->is_flag && !negated_[i] && draft.uses[i] == LiteralUse::where &&
        draft.operators[i] != LiteralOperator::equal)
      return false;
  }
  return true;
}

bool Licence::uses_negated_values(const Draft& draft) const {
  for (std::size_t i = 0; i < draft.uses.size(); ++i)
    if (negated_[i] && draft.uses[i] == LiteralUse::unused) return false;
  return true;
}

}  // namespace trustsql::semparse
