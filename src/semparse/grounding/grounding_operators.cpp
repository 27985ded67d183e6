// The rules of grounding on operators: what the question asks for, and what the query does.

#include <algorithm>
#include <cmath>

#include "base/text.hpp"
#include "semparse/grounding/grounder.hpp"

namespace trustsql::semparse {

bool Grounder::named_by_column(std::initializer_list<std::string_view> words) const {
  return std::any_of(leaves_.columns.begin(), leaves_.columns.end(), [&](ColumnId id) {
    const auto& all = domain_.column(id).all_words;
    return std::any_of(all.begin(), all.end(), [&](const std::string& word) {
      return std::find(words.begin(), words.end(), word) != words.end();
    });
  });
}

void Grounder::check_cues() {
  const auto asks = [this](AskedCue cue) { return has_cue(question_, cue, true); };
  const auto has = [this](Aggregate aggregate) { return leaves_.has(aggregate); };
  if (asks(AskedCue::average) && !has(Aggregate::avg) && !has(Aggregate::sum) &&
      !named_by_column({"average", "avg", "mean"}))
    add(GroundingRule::average_asked, "the question asks for an average");
  if (asks(AskedCue::extreme) && !leaves_.ordered && !has(Aggregate::max) && !has(Aggregate::min) && !leaves_.inner &&
      !names_extreme())
    add(GroundingRule::extreme_asked, "the question asks for an extreme");
  if (asks(AskedCue::order) && !leaves_.ordered) add(GroundingRule::order_asked, "the question asks for an order");
  if (leaves_.ordered && !leaves_.unusual &&
      ((asks(AskedCue::descending) && !asks(AskedCue::ascending) && !leaves_.descending) ||
       (asks(AskedCue::ascending) && !asks(AskedCue::descending) && !leaves_.ascending)))
    add(GroundingRule::direction_asked, "the question asks for the other direction");
  if (asks(AskedCue::negation) && !leaves_.excludes && !leaves_.null_test && !leaves_.unusual && !has_bound_literal() &&
      !has_negative_literal())
    add(GroundingRule::negation_asked, "the question excludes something");
  if (asks(AskedCue::both) && !leaves_.intersects && !leaves_.all && !leaves_.inner && !leaves_.any &&
      !leaves_.grouped && leaves_.select.size() < 2 && leaves_.tables.size() < 3)
    add(GroundingRule::both_asked, "the question asks for both of two");
  const bool range = std::any_of(linking_.numbers.begin(), linking_.numbers.end(),
                                 [](const NumberMention& number) { return number.second.has_value(); });
  if (range && !leaves_.between && !leaves_.all) add(GroundingRule::range_asked, "the question gives a range");
}

bool Grounder::names_extreme() const {
  for (std::size_t i = 0; i < question_.words.size(); ++i)
    if (used_[i] && (is_superlative_word(question_, i) || question_.words[i].lower == "maximum" ||
                     question_.words[i].lower == "minimum"))
      return true;
  return named_by_column({"maximum", "minimum", "max", "min", "high", "low", "best", "top", "most", "rank"});
}

bool Grounder::has_bound_literal() const {
  return std::any_of(leaves_.literals.begin(), leaves_.literals.end(), [](const LiteralLeaf& leaf) {
    return leaf.comparison == Comparison::less || leaf.comparison == Comparison::less_equal ||
           leaf.comparison == Comparison::greater || leaf.comparison == Comparison::greater_equal;
  });
}

bool Grounder::has_negative_literal() const {
  return std::any_of(leaves_.literals.begin(), leaves_.literals.end(), [](const LiteralLeaf& leaf) {
    const auto text = to_lower_ascii(leaf.text);
    return (leaf.number && *leaf.number == 0) || text.size() <= 1 || text.starts_with("no") || text.starts_with("un") ||
           text == "false" || text.find("not ") != std::string::npos;
  });
}

void Grounder::check_operators() {
  const auto allows = [this](AskedCue cue) { return has_cue(question_, cue, false); };
  const auto has = [this](Aggregate aggregate) { return leaves_.has(aggregate); };
  if (has(Aggregate::avg) && !allows(AskedCue::average))
    add(GroundingRule::average_given, "the question asks for no average");
  const bool extreme = allows(AskedCue::extreme);
  // "older than all engineers" may be written with max().
  if ((has(Aggregate::max) || has(Aggregate::min)) && !extreme && !leaves_.inner)
    add(GroundingRule::extreme_given, "the question asks for no extreme");
  if (leaves_.ordered && leaves_.limited && !extreme && linking_.numbers.empty())
    add(GroundingRule::limit_given, "the question asks for all");
  if (has(Aggregate::sum) && !allows(AskedCue::sum)) add(GroundingRule::sum_given, "the question asks for no sum");
  const bool counts = std::any_of(leaves_.select.begin(), leaves_.select.end(), [](const SelectLeaf& leaf) {
    return leaf.plain && leaf.aggregate == Aggregate::count;
  });
  if (counts && !allows(AskedCue::count)) add(GroundingRule::count_given, "the question asks for no number");
  if (leaves_.excludes && !leaves_.null_test && !allows(AskedCue::negation))
    add(GroundingRule::negation_given, "the question excludes nothing");
  if (leaves_.intersects && !allows(AskedCue::both))
    add(GroundingRule::both_given, "the question names one thing only");
  if (leaves_.between && !allows(AskedCue::range)) add(GroundingRule::range_given, "the question gives no range");
}

void Grounder::check_bounds() {
  if (leaves_.unusual || leaves_.excludes || has_cue(question_, AskedCue::negation, true)) return;
  for (const auto& number : linking_.numbers) {
    const auto bound = number.second ? Bound::none : bound_of(question_, number.span);
    const auto& word = question_.words[number.span.first];
    if (bound == Bound::none || !word.number) continue;
    const double value = *word.number;
    bool compared = false;
    bool right = false;
    for (const auto& leaf : leaves_.literals) {
      if (!leaf.number || leaf.limit) continue;
      compared |= same_number(*leaf.number, value);
      right |= fits(leaf, bound, value);
    }
    if (compared && !right)
      add(GroundingRule::bound_asked,
          "the bound " +
              std::string(question_.text_of({number.span.first > 1 ? number.span.first - 2 : 0, number.span.last})) +
              " is another one");
  }
}

bool Grounder::fits(const LiteralLeaf& leaf, Bound bound, double value) {
  const bool same = same_number(*leaf.number, value);
  const bool next = same_number(*leaf.number, value + 1);
  const bool last = same_number(*leaf.number, value - 1);
  switch (bound) {
    case Bound::none: return true;
    case Bound::at_least:
      return (same && leaf.comparison == Comparison::greater_equal) ||
             (last && leaf.comparison == Comparison::greater) || leaf.comparison == Comparison::between;
    case Bound::at_most:
      return (same && leaf.comparison == Comparison::less_equal) || (next && leaf.comparison == Comparison::less) ||
             leaf.comparison == Comparison::between;
    case Bound::more:
      return (same && leaf.comparison == Comparison::greater) ||
             (next && leaf.comparison == Comparison::greater_equal) || leaf.comparison == Comparison::between;
    case Bound::less:
      return (same && leaf.comparison == Comparison::less) || (last && leaf.comparison == Comparison::less_equal) ||
             leaf.comparison == Comparison::between;
  }
  return true;
}

bool Grounder::is_numeric(const SelectLeaf& leaf) const {
  if (!leaf.plain || leaf.aggregate == Aggregate::count || leaf.aggregate == Aggregate::sum ||
      leaf.aggregate == Aggregate::avg)
    return true;
  return leaf.column == nothing || domain_.column(leaf.column).kind == DataKind::number ||
         domain_.column(leaf.column).kind == DataKind::other;
}

void Grounder::check_answer() {
  if (question_.words.empty() || leaves_.select.empty()) return;
  const auto& first = question_.words.front().lower;
  const auto second = question_.words.size() > 1 ? std::string_view(question_.words[1].lower) : std::string_view();
  const auto numeric = std::count_if(leaves_.select.begin(), leaves_.select.end(),
                                     [this](const SelectLeaf& leaf) { return is_numeric(leaf); });
  const auto ids = std::count_if(leaves_.select.begin(), leaves_.select.end(), [this](const SelectLeaf& leaf) {
    return leaf.column != nothing && leaf.aggregate == Aggregate::none && domain_.column(leaf.column).is_id;
  });
  if (first == "how" && (second == "many" || second == "much") && numeric == 0)
    add(GroundingRule::answer_type, "the question asks how " + std::string(second) + ", and no number is selected");
  if (first == "who" && ids == 0 && numeric == static_cast<std::ptrdiff_t>(leaves_.select.size()))
    add(GroundingRule::answer_type, "the question asks who, and only numbers are selected");
}

}  // namespace trustsql::semparse
