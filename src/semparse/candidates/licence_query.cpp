// Whether a query of an allowed form returns what the question asks for, and compares as it says.

#include <algorithm>
#include <iterator>
#include <string_view>

#include "semparse/candidates/licence.hpp"
#include "semparse/question/extremes.hpp"
#include "semparse/question/gradable.hpp"
#include "semparse/question/question_cues.hpp"
#include "semparse/tree/tree_sql.hpp"
#include "semparse/words/word_list.hpp"

namespace trustsql::semparse {

namespace {

constexpr std::string_view opening_words[] = {"which", "who", "whose", "when", "where"};
constexpr std::string_view time_words[] = {"date", "time", "year", "month", "day", "hour"};

// Whether the column holds amounts, which are added, and of which there is an average.
bool is_amount(const DomainColumn& column) {
  return column.kind == DataKind::number && !column.is_id && !column.is_key && !column.is_foreign;
}

// Texts, of which neither the first nor the last is a number.
bool holds_no_numbers(const DomainColumn& column) {
  return column.kind == DataKind::text && !column.min && !column.max;
}

}  // namespace

// "How many seats" asks for a stored number, and only "how many different seats" counts such numbers. Averages and sums
// are those of numbers that are no keys.
bool Licence::allows_amount(const Term& term) const {
  if (term.column == nothing) return true;
  const auto& column = view_.domain().column(term.column);
  if (term.aggregate == Aggregate::sum && is_point_in_time(column)) return false;  // nobody adds up years
  if (term.aggregate == Aggregate::avg || term.aggregate == Aggregate::sum)
    return column.kind != DataKind::text && !column.has_iso_dates && !column.is_foreign && !column.is_key;
  return term.aggregate != Aggregate::count || has(Cue::distinct) || !is_amount(column);
}

bool Licence::allows_amounts(const Tree& tree) const {
  const auto allows_all = [this](const std::vector<Term>& terms) {
    return std::all_of(terms.begin(), terms.end(), [this](const Term& term) { return allows_amount(term); });
  };
  const auto& block = tree.block;
  return allows_all(block.select) &&
         std::all_of(block.order.begin(), block.order.end(),
                     [this](const Order& order) { return allows_amount(order.term); }) &&
         std::all_of(block.having.begin(), block.having.end(),
                     [this](const Condition& condition) { return allows_amount(condition.term); }) &&
         std::all_of(block.where.begin(), block.where.end(), [&](const Condition& condition) {
           return std::all_of(condition.subquery.begin(), condition.subquery.end(),
                              [&](const Block& inner) { return allows_all(inner.select); });
         });
}

// "Which customers ..." and "customers ..." ask for what names a customer, and not for all that is known of one.
bool Licence::gives_asked_columns(const Tree& tree) const {
  const auto& question = view_.question().words;
  if (question.empty() || (all_columns_ && !is_listed(opening_words, question.front().lower))) return true;
  return std::none_of(tree.block.select.begin(), tree.block.select.end(), [this](const Term& term) {
    return term.column == nothing && term.aggregate == Aggregate::none &&
           view_.domain().table(term.table).display != nothing;
  });
}

bool Licence::gives_time(const Tree& tree) const {
  return std::any_of(tree.block.select.begin(), tree.block.select.end(), [this](const Term& term) {
    if (term.column == nothing || term.aggregate == Aggregate::count) return false;
    const auto& column = view_.domain().column(term.column);
    const auto is_time = [&column](std::string_view word) { return is_listed(column.all_words, word); };
    return column.kind == DataKind::date || std::any_of(std::begin(time_words), std::end(time_words), is_time);
  });
}

// "The oldest" has the least date of birth. Only where the question has a single superlative.
bool Licence::has_asked_extremes(const Tree& tree) const {
  const bool by_name = has(Cue::maximum) || has(Cue::minimum) || has_cue(view_.question(), AskedCue::negation, true);
  if (superlatives_.size() != 1 || by_name || has(Cue::top)) return true;
  const auto extremes = extremes_of(tree.block);
  const bool of_time = asks_for_time(view_.question(), superlatives_.front());
  const bool grades = view_.question().words[superlatives_.front()].lower.ends_with("est");  // no name is the highest
  return std::all_of(extremes.begin(), extremes.end(), [&](const TreeExtreme& found) {
    if ((of_time || grades) && holds_no_numbers(view_.domain().column(found.column))) return false;
    const auto asked = asked_extreme(view_.question(), superlatives_.front(), view_.domain().column(found.column));
    return asked == Extreme::unknown || asked == found.extreme;
  });
}

// "Alphabetical" orders texts: those that are named behind the word or just before it, otherwise the first that is
// returned.
bool Licence::sorts_by_letters(const Tree& tree) const {
  if (!alphabetical_ || tree.block.limit || tree.block.order.empty()) return true;
  const auto sorted = tree.block.order.front().term.column;
  const auto is_text = [this](ColumnId column) { return view_.domain().column(column).kind == DataKind::text; };
  if (sorted == nothing || !is_text(sorted)) return false;
  const auto& words = view_.question().words;
  for (const auto& mention : view_.linking().columns[static_cast<std::size_t>(sorted)])
    if (mention.span.first > *alphabetical_ || mention.span.last == *alphabetical_) return true;
  for (auto i = *alphabetical_; i < words.size(); ++i)
    if (view_.kind(i) == Symbol::column || view_.kind(i) == Symbol::table) return true;
  for (const auto& term : tree.block.select)
    if (term.column != nothing && term.aggregate == Aggregate::none && is_text(term.column))
      return term.column == sorted;
  return true;
}

// "Newest first", "the cheapest last": no text without numbers is new or cheap. "From Z to A" descends.
bool Licence::has_asked_order(const Tree& tree) const {
  if (order_superlatives_.size() != 1 || tree.block.limit) return true;
  const auto at = order_superlatives_.front();
  const auto& words = view_.question().words;
  const auto end = std::find_if(words.begin() + static_cast<std::ptrdiff_t>(at), words.end(),
                                [](const Word& word) { return word.lower == "first" || word.lower == "last"; });
  const bool reversed = end != words.end() && end->lower == "last";
  return std::all_of(tree.block.order.begin(), tree.block.order.end(), [&](const Order& order) {
    if (order.term.column == nothing) return true;
    const auto& column = view_.domain().column(order.term.column);
    if (holds_no_numbers(column)) return false;
    const auto asked = asked_extreme(view_.question(), at, column);
    return asked == Extreme::unknown || (asked == Extreme::greatest) == (order.descending != reversed);
  });
}

// "Sorted by id" sorts by what the words behind "by" name.
bool Licence::sorts_by_what_is_named(const Tree& tree) const {
  constexpr std::string_view sorting[] = {"sorted", "ordered", "order", "sort", "arranged", "ranked"};
  constexpr float named_coverage = 0.4F;
  if (tree.block.order.empty()) return true;
  const auto& words = view_.question().words;
  const auto by = std::adjacent_find(words.begin(), words.end(), [&](const Word& a, const Word& b) {
    return is_listed(sorting, a.lower) && b.lower == "by";
  });
  if (by == words.end()) return true;
  auto at = static_cast<std::size_t>(by - words.begin()) + 2;
  while (at < words.size() && is_function_word(words[at])) ++at;
  if (at >= words.size() || words[at].quoted) return true;
  const bool of = at + 1 < words.size() && words[at + 1].lower == "of";
  const bool says_id = is_identifier_word(words[at].lower) && !of;
  const auto is_named = [&](ColumnId id) {
    if (says_id && view_.domain().column(id).is_id) return true;
    const auto& mentions = view_.linking().columns[static_cast<std::size_t>(id)];
    return std::any_of(mentions.begin(), mentions.end(), [at](const Mention& mention) {
      return mention.span.first <= at && at < mention.span.last && mention.coverage > named_coverage &&
             mention.weakest >= WordMatch::abbreviation;
    });
  };
  const auto sorted = tree.block.order.front().term.column;
  if (sorted != nothing && is_named(sorted)) return true;
  for (ColumnId id = 0; id < static_cast<ColumnId>(view_.domain().columns().size()); ++id)
    if (is_named(id)) return false;
  return true;
}

// Whether the question names the column by more than the operator's words.
bool Licence::is_named_beside(ColumnId column, WordSpan operator_words) const {
  for (const auto& mention : view_.linking().columns[static_cast<std::size_t>(column)])
    for (auto i = mention.span.first; i < mention.span.last; ++i)
      if (!operator_words.contains({i, i + 1}) && !is_function_word(view_.question().words[i])) return true;
  return false;
}

// "What is the oldest aircraft?" asks for an aircraft, and not for a year.
bool Licence::returns_extreme_for_row(const Tree& tree) const {
  const auto& words = view_.question().words;
  if (superlatives_.size() != 1 || words.front().lower == "how" || asks_when_) return false;
  const auto at = superlatives_.front();
  const bool before_value = std::any_of(view_.literals().begin(), view_.literals().end(), [at](const Literal& literal) {
    return literal.value != nullptr && literal.span.first == at + 1;
  });
  const bool before_table =
      before_value || std::any_of(view_.linking().tables.begin(), view_.linking().tables.end(),
                                  [&](const std::vector<Mention>& mentions) {
                                    return std::any_of(mentions.begin(), mentions.end(), [&](const Mention& mention) {
                                      return mention.whole() && mention.span.first == at + 1;
                                    });
                                  });
  if (!before_table) return false;
  const auto extremes = extremes_of(tree.block);
  return std::any_of(tree.block.select.begin(), tree.block.select.end(), [&](const Term& term) {
    return term.column != nothing && !is_named_beside(term.column, {at, at + 1}) &&
           std::any_of(extremes.begin(), extremes.end(),
                       [&term](const TreeExtreme& extreme) { return extreme.column == term.column; });
  });
}

// Whether a table is named in full in front of the word, and not before `after`.
bool Licence::names_table_before(std::size_t word, std::size_t after) const {
  return std::any_of(view_.linking().tables.begin(), view_.linking().tables.end(),
                     [&](const std::vector<Mention>& mentions) {
                       return std::any_of(mentions.begin(), mentions.end(), [&](const Mention& mention) {
                         return mention.whole() && mention.span.first >= after && mention.span.last <= word;
                       });
                     });
}

// "Appointments with a fee over 100" asks for appointments, and not for fees: a column that is named only beside its
// bound, behind the table, is a condition.
bool Licence::returns_what_it_compares(const Draft& draft) const {
  constexpr int near = 3;
  const auto& words = view_.question().words;
  if (words.empty() || words.front().lower == "how" || asks_when_ || has(Cue::each)) return false;
  for (std::size_t i = 0; i < draft.uses.size(); ++i) {
    const auto& literal = view_.literals()[i];
    const auto column = draft.literal_columns[i];
    const bool compared = draft.uses[i] == LiteralUse::where || draft.uses[i] == LiteralUse::subquery;
    if (!compared || literal.number == nullptr || column == nothing || draft.operators[i] == LiteralOperator::equal ||
        draft.operators[i] == LiteralOperator::not_equal)
      continue;
    bool returned = false;
    for (std::size_t part = 0; part < draft.select.size(); ++part)
      returned |= draft.skeleton->select[part].aggregate == Aggregate::none &&
                  std::find(draft.select[part].begin(), draft.select[part].end(), column) != draft.select[part].end();
    if (!returned || lists_column(column)) continue;
    const auto& mentions = view_.linking().columns[static_cast<std::size_t>(column)];
    const auto is_beside = [&](const Mention& mention) {
      if (mention.span.first >= literal.span.last) return mention.span.first == literal.span.last;
      return words_between(mention.span, literal.span) <= near && names_table_before(mention.span.first, 0) &&
             !names_table_before(literal.span.first, mention.span.last);
    };
    if (std::all_of(mentions.begin(), mentions.end(), is_beside) && names_table_before(literal.span.first, 0))
      return true;
  }
  return false;
}

// How a number is compared, where the column holds points in time: what is older than 2010 is from before it.
Bound Licence::bound_in_time(WordSpan number) const {
  const auto bound = bound_of(view_.question(), number);
  const auto& words = view_.question().words;
  if (number.first < 2 || words[number.first - 1].lower != "than") return bound;
  const auto& compared = words[number.first - 2].lower;
  const bool negated =
      number.first >= 3 && (words[number.first - 3].lower == "no" || words[number.first - 3].lower == "not");
  if (compared == "older") return negated ? Bound::at_least : Bound::less;
  if (compared == "younger" || compared == "newer") return negated ? Bound::at_most : Bound::more;
  return bound;
}

// "20 years old" is no year of birth, and "in 2023" names no row by its key.
bool Licence::takes_age_for_year(const Draft& draft) const {
  constexpr std::int64_t first_year = 1000;
  constexpr std::int64_t first_recent_year = 1900;
  constexpr std::int64_t last_recent_year = 2100;
  const auto& words = view_.question().words;
  for (std::size_t i = 0; i < draft.uses.size(); ++i) {
    const auto& literal = view_.literals()[i];
    if (draft.uses[i] != LiteralUse::where || literal.number == nullptr || draft.literal_columns[i] == nothing)
      continue;
    const auto& column = view_.domain().column(draft.literal_columns[i]);
    const auto* number = std::get_if<std::int64_t>(&literal.number->value);
    if (column.kind == DataKind::number && is_point_in_time(column) && number != nullptr && *number < first_year)
      return true;
    const auto at = literal.span.first;
    if ((column.is_foreign || column.is_key) && number != nullptr && *number >= first_recent_year &&
        *number <= last_recent_year && at > 0 && words[at - 1].lower == "in")
      return true;
  }
  return false;
}

// "How old is she", "their ages": what an age is asked of is no year and no date as it is.
bool Licence::gives_time_for_age(const Tree& tree) const {
  const auto& words = view_.question().words;
  bool asks_age = false;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const auto& before = i > 0 ? std::string_view(words[i - 1].lower) : std::string_view();
    asks_age |= !words[i].quoted &&
                (words[i].lemma() == "age" || (words[i].lower == "old" && (before == "how" || before == "years")));
  }
  return asks_age && std::any_of(tree.block.select.begin(), tree.block.select.end(), [this](const Term& term) {
           return term.column != nothing && term.aggregate != Aggregate::count &&
                  is_point_in_time(view_.domain().column(term.column)) && naming(view_.column_mention(term.column)) < 4;
         });
}

// Rows of one table that are told apart by what several of them share.
bool Licence::excepts_shared_names(const Draft& draft) const {
  return draft.used.size() == 1 && std::any_of(draft.select.begin(), draft.select.end(), [this](const auto& columns) {
           return columns.size() == 1 && view_.domain().column(columns.front()).shared;
         });
}

// "Not before 1990" is 1990 or later. No list of groups or of other rows says that; it is said of the rows themselves.
bool Licence::leaves_out_denial(const Draft& draft) const {
  for (std::size_t i = 0; i < draft.uses.size(); ++i) {
    const auto& literal = view_.literals()[i];
    if (literal.number == nullptr || !is_denied_number(view_.question(), literal.span)) continue;
    switch (draft.uses[i]) {
      case LiteralUse::unused: break;
      case LiteralUse::limit: return true;
      case LiteralUse::having: return true;
      case LiteralUse::other:
        if (draft.skeleton->operation != SetOperation::except || excepts_shared_names(draft)) return true;
        break;
      case LiteralUse::subquery:
        if (draft.skeleton->subquery != SubqueryKind::missing) return true;
        break;
      case LiteralUse::where: {
        const auto op = draft.operators[i];
        const bool known = bound_of(view_.question(), literal.span) != Bound::none;
        // The operator of a bound is checked where its own words are.
        if (op == LiteralOperator::between || (!known && op == LiteralOperator::equal)) return true;
        break;
      }
    }
  }
  return false;
}

// "At least 3" is >=, and neither > nor <. Texts have no bounds.
bool Licence::contradicts_bound(const Draft& draft) const {
  for (std::size_t i = 0; i < draft.uses.size(); ++i) {
    const auto& literal = view_.literals()[i];
    if (draft.uses[i] == LiteralUse::limit && bound_of(view_.question(), literal.span) != Bound::none) return true;
    if ((draft.uses[i] != LiteralUse::where && draft.uses[i] != LiteralUse::having) || literal.number == nullptr ||
        literal.number->second)
      continue;
    const auto op = draft.operators[i];
    const auto column = draft.uses[i] == LiteralUse::where ? draft.literal_columns[i] : nothing;
    const bool sorted = op >= LiteralOperator::less && op <= LiteralOperator::greater_equal;
    if (sorted && column != nothing && holds_no_numbers(view_.domain().column(column))) return true;
    const bool in_time = column != nothing && is_point_in_time(view_.domain().column(column));
    auto bound = in_time ? bound_in_time(literal.span) : bound_of(view_.question(), literal.span);
    if (bound == Bound::none && column != nothing) bound = bound_before_name(literal.span, column);
    if (draft.uses[i] == LiteralUse::where && is_denied_number(view_.question(), literal.span)) bound = denied(bound);
    switch (bound) {
      case Bound::none: break;
      case Bound::at_least:
        if (op != LiteralOperator::greater_equal) return true;
        break;
      case Bound::at_most:
        if (op != LiteralOperator::less_equal) return true;
        break;
      case Bound::more:
        if (op != LiteralOperator::greater) return true;
        break;
      case Bound::less:
        if (op != LiteralOperator::less) return true;
        break;
    }
  }
  return false;
}

// A value that columns hold is compared with them, and not searched for in their texts, unless a word asks for that.
bool Licence::searches_for_known_value(const Draft& draft) const {
  if (pattern_) return false;
  for (std::size_t i = 0; i < draft.uses.size(); ++i) {
    const auto* value = view_.literals()[i].value;
    if (draft.uses[i] != LiteralUse::unused && value != nullptr && !value->cells.empty() &&
        draft.operators[i] >= LiteralOperator::contains)
      return true;
  }
  return false;
}

}  // namespace trustsql::semparse
