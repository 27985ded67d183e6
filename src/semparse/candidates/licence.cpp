#include "semparse/candidates/licence.hpp"

#include <algorithm>
#include <string_view>

#include "semparse/question/asked_rows.hpp"
#include "semparse/question/extremes.hpp"
#include "semparse/question/question_cues.hpp"
#include "semparse/words/word_list.hpp"

namespace trustsql::semparse {

namespace {

constexpr std::string_view total_words[] = {"total",     "totals", "sum",      "summed",     "many",   "much",
                                            "overall",   "number", "combined", "altogether", "amount", "together",
                                            "aggregate", "add",    "count",    "cumulative", "entire", "whole"};
// In base forms, and adverbs.
constexpr std::string_view order_words[] = {"sort",
                                            "order",
                                            "rank",
                                            "ranking",
                                            "arrange",
                                            "increasing",
                                            "decreasing",
                                            "increase",
                                            "decrease",
                                            "reverse",
                                            "reversed",
                                            "alphabetic",
                                            "alphabetical",
                                            "alphabetically",
                                            "ascend",
                                            "descend",
                                            "ascending",
                                            "descending",
                                            "asc",
                                            "desc",
                                            "lexicographic",
                                            "lexicographical",
                                            "chronological",
                                            "chronologically",
                                            "lexicographically",
                                            "alphabet",
                                            "ascendingly",
                                            "descendingly",
                                            "sorting",
                                            "ordering"};
// Words for all that is known of something, in base forms.
constexpr std::string_view whole_row_words[] = {
    "all",      "information", "info",  "detail",  "everything", "record", "row", "column", "data",  "full",
    "complete", "entire",      "whole", "content", "every",      "each",   "any", "known",  "table", "entry"};
constexpr std::string_view exclusion_words[] = {
    "not",     "no",        "never",   "without", "except",    "neither", "nor",     "none",        "nothing",
    "exclude", "excluding", "besides", "other",   "cannot",    "lack",    "lacking", "missing",     "unable",
    "outside", "only",      "but",     "rather",  "apart",     "else",    "yet",     "exclusively", "absent",
    "zero",    "unlike",    "another", "remain",  "remaining", "left",    "empty",   "non",         "different",
    "instead", "fail",      "omit",    "avoid",   "free",      "still",   "nobody",  "out",         "unused"};

bool names_total(const Question& question) {
  return std::any_of(question.words.begin(), question.words.end(),
                     [](const Word& word) { return is_listed(total_words, word.lower); });
}

// A word for what is left out.
bool names_exclusion(const Question& question) {
  return std::any_of(question.words.begin(), question.words.end(), [](const Word& word) {
    return !word.quoted && (is_listed(exclusion_words, word.lower) || is_listed(exclusion_words, word.lemma()));
  });
}

// Outside of `list`, the words that list what is to be returned.
bool names_alternative(const Question& question, WordSpan list) {
  constexpr std::string_view alternative_words[] = {"or",  "and", "either",   "both",  "also", "well",
                                                    "all", "as",  "together", "along", ",",    "addition"};
  for (std::size_t i = 0; i < question.words.size(); ++i)
    if ((i < list.first || i >= list.last) && is_listed(alternative_words, question.words[i].lower)) return true;
  return false;
}

// "Count" and the like, but for "count" in the name of a column: "a page count".
bool asks_for_count(const QuestionView& view) {
  auto question = view.question();
  for (const auto& mentions : view.linking().columns)
    for (const auto& mention : mentions)
      for (auto i = mention.span.first; i < mention.span.last; ++i)
        if (mention.span.size() > 1 && mention.spelled_out() && question.words[i].lemma() == "count")
          question.words[i].quoted = true;
  return has_cue(question, AskedCue::count, false);
}

bool names_whole_rows(const Question& question) {
  return std::any_of(question.words.begin(), question.words.end(), [](const Word& word) {
    return is_listed(whole_row_words, word.lower) || is_listed(whole_row_words, word.lemma());
  });
}

bool names_part_of_text(const Question& question) {
  constexpr std::string_view text_words[] = {"include", "word",   "phrase", "prefix", "suffix",  "character",
                                             "string",  "letter", "text",   "like",   "contain", "substring"};
  return std::any_of(question.words.begin(), question.words.end(),
                     [&](const Word& word) { return is_listed(text_words, word.lemma()); });
}

// "Sorted by", "alphabetical", "from high to low", "starting with the oldest".
bool names_order(const QuestionView& view) {
  const auto& question = view.question();
  const auto& words = question.words;
  // "Order id" and "orders" are names.
  const auto is_name = [&](std::size_t i) {
    return words[i].lemma() == "order" && (view.kind(i) == Symbol::table || view.kind(i) == Symbol::column) &&
           !(i + 1 < words.size() && words[i + 1].lower == "by") && !(i > 0 && words[i - 1].lower.ends_with("ing"));
  };
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i].quoted || is_name(i)) continue;
    if (is_listed(order_words, words[i].lower) || is_listed(order_words, words[i].lemma())) return true;
    if (is_order_superlative(question, i)) return true;
    const auto next = i + 1 < words.size() ? std::string_view(words[i + 1].lower) : std::string_view();
    const bool end_of_range = is_superlative_word(question, i) || words[i].lower == "low" || words[i].lower == "high" ||
                              words[i].lower == "recent" || words[i].lower.ends_with("er") || words[i].lower == "a" ||
                              words[i].lower == "z";
    if (end_of_range && next == "to") return true;
    if ((words[i].lower == "starting" || words[i].lower == "beginning") && next == "with") return true;
  }
  return false;
}

// Words for the one end of a column that say nothing of the other.
constexpr std::string_view greatest_only_words[] = {"maximum", "max",     "maximal", "most",     "highest", "largest",
                                                    "biggest", "longest", "tallest", "heaviest", "greatest"};
constexpr std::string_view least_only_words[] = {"minimum",  "min",      "minimal",  "least",  "lowest",
                                                 "smallest", "shortest", "lightest", "fewest", "cheapest"};

// Whether a word asks for an extreme other than those of the list: "best" and "oldest" may ask for either end.
template <class List>
bool names_end(const Question& question, const List& other_end) {
  for (std::size_t i = 0; i < question.words.size(); ++i) {
    const auto& word = question.words[i];
    if (!word.quoted && !is_listed(other_end, word.lower) && is_extreme_word(question, i)) return true;
  }
  return false;
}

bool is_average_word(std::string_view word) { return word == "average" || word == "mean"; }

// "Than any", "than all", and not "than the average".
bool compares_with_all(const Question& question, const std::vector<CueMention>& cues) {
  return std::any_of(cues.begin(), cues.end(), [&question](const CueMention& mention) {
    return mention.cue == Cue::than_average && !is_average_word(question.words[mention.span.last - 1].lower);
  });
}

// "Alphabetical", "lexicographically".
std::optional<std::size_t> alphabetical_word(const Question& question) {
  for (std::size_t i = 0; i < question.words.size(); ++i) {
    const auto& word = question.words[i];
    if (!word.quoted && (word.lower.starts_with("alphabetic") || word.lower.starts_with("lexicographic"))) return i;
  }
  return std::nullopt;
}

// Whether the value is negated by itself: "not shipped", "not from France", "do not live in Paris", "other than red".
bool is_negated_value(const QuestionView& view, const Literal& literal) {
  if (literal.value == nullptr) return false;
  const auto& words = view.question().words;
  constexpr std::size_t reach = 4;
  std::size_t others = 0;
  for (auto at = literal.span.first; at > 0 && literal.span.first - at < reach; --at) {
    const auto& word = words[at - 1];
    if (word.quoted) return false;
    if (word.lower == "not") return !(at < words.size() && words[at].lower == "only");
    if (word.lower == "than" && at >= 2 && words[at - 2].lower == "other") return true;
    // "Without a garden", where a column says yes or no.
    if (literal.value->is_derived && (word.lower == "without" || word.lower == "no")) return true;
    if (word.lower == "or" || word.lower == "and" || word.lower == "," || word.lower == "but") return false;
    if (is_function_word(word)) continue;
    if (view.kind(at - 1) == Symbol::column || view.kind(at - 1) == Symbol::part) continue;
    if (view.kind(at - 1) != Symbol::word || ++others > 1) return false;
  }
  return false;
}

// Whether the block returns a sum or the like of the column.
bool aggregates(const Block& block, ColumnId column) {
  return std::any_of(block.select.begin(), block.select.end(), [column](const Term& term) {
    return term.column == column && term.aggregate != Aggregate::none && term.aggregate != Aggregate::count;
  });
}

// Whether the time of one condition is part of the other's: LIKE '2026-03%', LIKE '2026%'.
bool is_within(const Condition& part, const Condition& whole) {
  const auto& text = std::get<std::string>(whole.values.front());
  return std::get<std::string>(part.values.front()).starts_with(std::string_view(text).substr(0, text.size() - 1));
}

// Whether one column is said to have two values or times at once, or one value twice.
bool is_contradictory(const Block& block) {
  if (block.any) return false;
  for (std::size_t i = 0; i < block.where.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) {
      const auto& a = block.where[i];
      const auto& b = block.where[j];
      const bool equal = a.comparison == Comparison::equal && b.comparison == Comparison::equal &&
                         a.values.size() == 1 && b.values.size() == 1;
      const bool in_time = a.comparison == Comparison::like && b.comparison == Comparison::like && is_of_year(a) &&
                           is_of_year(b) && a.values.front() != b.values.front() && !is_within(a, b) &&
                           !is_within(b, a);
      if (a.term == b.term && (equal || in_time)) return true;
    }
  return false;
}

}  // namespace

Licence::Licence(const QuestionView& view, const std::vector<CueMention>& cues)
    : view_(view),
      cues_(cues),
      average_(has_cue(view.question(), AskedCue::average, false)),
      extreme_(has_cue(view.question(), AskedCue::extreme, false)),
      least_(names_end(view.question(), greatest_only_words)),
      greatest_(names_end(view.question(), least_only_words)),
      compared_with_all_(compares_with_all(view.question(), cues)),
      sum_(has_cue(view.question(), AskedCue::sum, false)),
      total_(names_total(view.question())),
      count_(asks_for_count(view)),
      negation_(names_exclusion(view.question())),
      strict_negation_(has_cue(view.question(), AskedCue::negation, true)),
      both_(has_cue(view.question(), AskedCue::both, false)),
      pattern_(has(Cue::pattern) || names_part_of_text(view.question())),
      order_(names_order(view)),
      alphabetical_(alphabetical_word(view.question())),
      asks_when_(!view.question().words.empty() && view.question().words.front().lower == "when"),
      asks_who_(!view.question().words.empty() && view.question().words.front().lower == "who"),
      all_columns_(names_whole_rows(view.question())),
      superlatives_(superlatives_of(view.question())) {
  for (std::size_t i = 0; i < view.question().words.size(); ++i)
    if (is_order_superlative(view.question(), i)) order_superlatives_.push_back(i);
  while (first_name_at_ < view.question().words.size() && view.kind(first_name_at_) != Symbol::column &&
         view.kind(first_name_at_) != Symbol::table)
    ++first_name_at_;
  if (const auto table = asked_table(view); table != nothing && asks_for_rows(view, table)) asked_rows_ = table;
  for (const auto& literal : view.literals()) negated_.push_back(is_negated_value(view, literal));
  spread_negation();
  list_ = opening_list(view);
  if (list_ && list_->items.size() < 2) list_.reset();
  alternative_ = names_alternative(view.question(), list_ ? list_->span : WordSpan{});
  find_graded_extreme();
  find_negated_columns();
  strict_negation_ |= !negated_columns_.empty();
  ids_ = std::any_of(view.question().words.begin(), view.question().words.end(),
                     [](const Word& word) { return is_identifier_word(word.lower); });
}

// "Not in Tampa or Miami" negates both, if a column holds both.
void Licence::spread_negation() {
  constexpr std::string_view links[] = {"or", "nor", "and", ","};
  const auto& words = view_.question().words;
  const auto share_column = [](const ValueMention& a, const ValueMention& b) {
    return std::any_of(a.cells.begin(), a.cells.end(), [&b](const ValueIndex::Cell& cell) {
      return std::any_of(b.cells.begin(), b.cells.end(),
                         [&cell](const ValueIndex::Cell& other) { return other.column == cell.column; });
    });
  };
  for (std::size_t i = 1; i < negated_.size(); ++i) {
    const auto& before = view_.literals()[i - 1];
    const auto& literal = view_.literals()[i];
    if (!negated_[i - 1] || literal.value == nullptr || before.value == nullptr ||
        before.span.last >= literal.span.first || !is_listed(links, words[before.span.last].lower))
      continue;
    bool adjacent = true;
    for (auto at = before.span.last + 1; at < literal.span.first; ++at)
      adjacent &= is_function_word(words[at]) || is_listed(links, words[at].lower);
    if (adjacent && share_column(*before.value, *literal.value)) negated_[i] = true;
  }
}

bool Licence::has(Cue cue) const {
  return std::any_of(cues_.begin(), cues_.end(), [cue](const CueMention& mention) { return mention.cue == cue; });
}

bool Licence::asks_for_groups() const { return has(Cue::each); }

bool Licence::allows(Aggregate aggregate) const {
  switch (aggregate) {
    case Aggregate::avg: return average_;
    case Aggregate::max: return extreme_ && (greatest_ || compared_with_all_);
    case Aggregate::min: return extreme_ && (least_ || compared_with_all_);
    case Aggregate::sum: return sum_;
    default: return true;
  }
}

// "More than the average" is >, and neither >= nor a comparison the other way round.
bool Licence::contradicts_comparison(Comparison comparison) const {
  const auto& words = view_.question().words;
  for (const auto& mention : cues_) {
    if (mention.cue != Cue::than_average || negation_) continue;
    const auto at = mention.span.first;
    const auto word = words[at].lower == "than" && at > 0 ? std::string_view(words[at - 1].lower) : words[at].lower;
    if (is_more_word(word)) return comparison != Comparison::greater;
    if (is_less_word(word)) return comparison != Comparison::less;
  }
  return false;
}

// "Which products are above the average price?" compares with the average.
bool Licence::compares_with_average(const Skeleton& skeleton) const {
  const auto& words = view_.question().words;
  const bool asked = std::any_of(cues_.begin(), cues_.end(), [&words](const CueMention& mention) {
    return mention.cue == Cue::than_average && is_average_word(words[mention.span.last - 1].lower);
  });
  if (!asked) return true;
  if (skeleton.subquery == SubqueryKind::aggregate && skeleton.subquery_select.aggregate != Aggregate::avg)
    return false;
  // The one average is what is compared with, and not what is asked for.
  const auto averages =
      std::count_if(cues_.begin(), cues_.end(), [](const CueMention& mention) { return mention.cue == Cue::average; });
  if (averages == 1 && std::any_of(skeleton.select.begin(), skeleton.select.end(),
                                   [](const SelectPart& part) { return part.aggregate == Aggregate::avg; }))
    return false;
  return skeleton.subquery == SubqueryKind::aggregate || skeleton.having || skeleton.literals;
}

// "Which", "who" and "list" ask for more than a number, unless a word asks for that.
bool Licence::gives_only_count(const Skeleton& skeleton) const {
  const auto& words = view_.question().words;
  if (words.empty() || has(Cue::count) || has(Cue::sum)) return false;
  const auto& first = words.front().lower;
  if (first != "which" && first != "who" && first != "list") return false;
  return std::all_of(skeleton.select.begin(), skeleton.select.end(),
                     [](const SelectPart& part) { return part.aggregate == Aggregate::count; });
}

bool Licence::allows(const Skeleton& skeleton) const {
  const auto is_free = [this](const SelectPart& part) {
    return allows(part.aggregate) && (count_ || part.aggregate != Aggregate::count);
  };
  if (!std::all_of(skeleton.select.begin(), skeleton.select.end(), is_free)) return false;
  const auto sums = [](const SelectPart& part) { return part.aggregate == Aggregate::sum; };
  if (!total_ && std::any_of(skeleton.select.begin(), skeleton.select.end(), sums)) return false;
  if (gives_only_count(skeleton) || !compares_with_average(skeleton)) return false;
  if (skeleton.order && !allows(skeleton.order->aggregate)) return false;
  if (skeleton.having && !allows(skeleton.having->aggregate)) return false;
  // A group is there for an aggregate.
  const auto aggregated = [](const SelectPart& part) { return part.aggregate != Aggregate::none; };
  if (skeleton.group && !skeleton.having && !(skeleton.order && aggregated(*skeleton.order)) &&
      std::none_of(skeleton.select.begin(), skeleton.select.end(), aggregated))
    return false;
  // Columns of single rows beside what is counted or added up say nothing.
  const auto of_all_rows = [](const SelectPart& part) {
    return part.aggregate == Aggregate::count || part.aggregate == Aggregate::sum || part.aggregate == Aggregate::avg;
  };
  if (!skeleton.group && std::any_of(skeleton.select.begin(), skeleton.select.end(), of_all_rows) &&
      !std::all_of(skeleton.select.begin(), skeleton.select.end(), aggregated))
    return false;
  if (skeleton.limit == LimitKind::one && !extreme_) return false;
  const bool sorted = skeleton.order.has_value() && skeleton.limit == LimitKind::none;
  if (sorted && !order_) return false;
  if (!order_superlatives_.empty() && !sorted && skeleton.limit != LimitKind::number) return false;
  if (skeleton.subquery == SubqueryKind::missing && !negation_) return false;
  if (skeleton.subquery == SubqueryKind::aggregate && !allows(skeleton.subquery_select.aggregate) &&
      !(compared_with_all_ && skeleton.subquery_select.aggregate != Aggregate::avg))
    return false;
  // "The oldest in Oslo" is no comparison with the others.
  const bool of_extreme =
      skeleton.subquery == SubqueryKind::aggregate &&
      (skeleton.subquery_select.aggregate == Aggregate::min || skeleton.subquery_select.aggregate == Aggregate::max);
  if (of_extreme && skeleton.subquery_comparison != Comparison::equal && !compared_with_all_ && !has(Cue::more) &&
      !has(Cue::less) && !negation_)
    return false;
  // Nor is one of some rows the extreme of others: "the cheapest from Oslo to Rome".
  if (of_extreme && skeleton.subquery_comparison == Comparison::equal && skeleton.literals &&
      skeleton.subquery_literals)
    return false;
  if (skeleton.subquery == SubqueryKind::aggregate && contradicts_comparison(skeleton.subquery_comparison))
    return false;
  if (skeleton.operation == SetOperation::except && !negation_) return false;
  if ((skeleton.operation == SetOperation::union_ || skeleton.any) && !alternative_) return false;
  return skeleton.operation != SetOperation::intersect || both_;
}

// Whether "or" stands between two values of one column of the query, and nowhere else.
bool Licence::mixes_alternatives(const Draft& draft) const {
  const auto& words = view_.question().words;
  std::size_t between = 0;
  std::optional<std::size_t> before;
  for (std::size_t i = 0; i < draft.uses.size(); ++i) {
    if (draft.uses[i] != LiteralUse::where) continue;
    const auto begin = before ? view_.literals()[*before].span.last : std::size_t{0};
    const bool same = before && draft.literal_columns[*before] == draft.literal_columns[i];
    for (auto at = begin; same && at < view_.literals()[i].span.first; ++at)
      if (!words[at].quoted && words[at].lower == "or") ++between;
    before = i;
  }
  return between > 0 &&
         between == static_cast<std::size_t>(std::count_if(words.begin(), words.end(), [](const Word& word) {
           return !word.quoted && word.lower == "or";
         }));
}

// "Lions or zebras", and only one of them is a condition.
bool Licence::leaves_out_alternative(const Draft& draft) const {
  const auto& words = view_.question().words;
  const auto is_used = [&draft](std::size_t i) { return draft.uses[i] != LiteralUse::unused; };
  for (std::size_t i = 1; i < draft.uses.size(); ++i) {
    const auto& before = view_.literals()[i - 1];
    const auto& literal = view_.literals()[i];
    if (before.value == nullptr || literal.value == nullptr || before.span.last >= literal.span.first ||
        is_used(i - 1) == is_used(i) || words[before.span.last].quoted || words[before.span.last].lower != "or")
      continue;
    const auto used = is_used(i) ? i : i - 1;
    const auto& other = *view_.literals()[is_used(i) ? i - 1 : i].value;
    if (before.span.last + 1 == literal.span.first &&
        std::any_of(other.cells.begin(), other.cells.end(),
                    [&](const ValueIndex::Cell& cell) { return cell.column == draft.literal_columns[used]; }))
      return true;
  }
  return false;
}

// Of what "and" joins, one suffices only where a column cannot have both values: "from France and Japan". Conditions on
// two columns of the same rows are no conditions on two sets of rows.
bool Licence::splits_conditions(const Draft& draft) const {
  constexpr std::string_view or_words[] = {"or", "either", "any", "anyone"};
  const auto& words = view_.question().words;
  const bool alternative = std::any_of(
      words.begin(), words.end(), [&](const Word& word) { return !word.quoted && is_listed(or_words, word.lower); });
  const auto columns_of = [&draft](LiteralUse use) {
    std::vector<ColumnId> columns;
    for (std::size_t i = 0; i < draft.uses.size(); ++i)
      if (draft.uses[i] == use) columns.push_back(draft.literal_columns[i]);
    return columns;
  };
  const auto first = columns_of(LiteralUse::where);
  if (draft.skeleton->any) {
    if (std::all_of(first.begin(), first.end(), [&](ColumnId id) { return id == first.front(); })) return false;
    // "Red or blue cars of 2020": "or" stands between two values of a column, and the third has to hold as well.
    return !alternative || mixes_alternatives(draft);
  }
  const auto operation = draft.skeleton->operation;
  if (operation != SetOperation::intersect && (operation != SetOperation::union_ || alternative)) return false;
  const auto second = columns_of(LiteralUse::other);
  if (first.empty() || second.empty() || draft.used.size() != 1) return false;
  return std::none_of(second.begin(), second.end(), [&](ColumnId id) {
    return view_.domain().column(id).table != draft.used.front() ||
           std::find(first.begin(), first.end(), id) != first.end();
  });
}

bool Licence::allows(const Draft& draft, const Tree& tree) const {
  if (draft.group != nothing && aggregates(tree.block, draft.group)) return false;
  if (draft.skeleton->any && std::find(negated_.begin(), negated_.end(), true) != negated_.end()) return false;
  if (is_contradictory(tree.block) || (!tree.other.empty() && is_contradictory(tree.other.front()))) return false;
  return allows_amounts(tree) && gives_asked_columns(tree) && has_asked_extremes(tree) && has_asked_order(tree) &&
         !returns_extreme_for_row(tree) && !returns_what_it_compares(draft) && !contradicts_negation(draft) &&
         !contradicts_bound(draft) && !selects_by_what_it_joins(draft, tree) && !searches_for_known_value(draft) &&
         !leaves_out_negation(draft) && sorts_by_letters(tree) && has_graded_extremes(tree) &&
         compares_what_is_graded(draft) && !counts_what_is_compared(draft) && !takes_year_for_amount(draft) &&
         !dates_something_else(draft) && !contradicts_unit(draft) && !lacks_unnamed_rows(draft) &&
         !groups_by_days(draft) && !takes_age_for_year(draft) && !gives_time_for_age(tree) &&
         !answers_in_other_unit(tree) && !adds_up_single_rows(draft) && !judges_by_another_amount(draft) &&
         !splits_conditions(draft) && !misplaces_number(draft) && !contradicts_direction(draft) &&
         !lacks_rows_by_own_value(draft) && !leaves_out_denial(draft) && !leaves_out_alternative(draft) &&
         !has_rows_it_denies(draft) && !adds_sign(draft) && !excludes_other_bound(draft) && !contradicts_scale(draft) &&
         !compares_unnamed_amount(draft) && !searches_nothing(tree) && !lacks_rows_nobody_names(draft) &&
         !intersects_single_values(draft) && !dates_by_later_event(draft);
}

}  // namespace trustsql::semparse
