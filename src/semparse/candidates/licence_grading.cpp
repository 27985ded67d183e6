// What superlatives and comparatives are about: "the cheapest" has the lowest price where there is one, and nothing is
// counted for it.

#include <algorithm>
#include <string_view>

#include "base/text.hpp"
#include "semparse/candidates/licence.hpp"
#include "semparse/question/asked_rows.hpp"
#include "semparse/question/asked_times.hpp"
#include "semparse/question/extremes.hpp"
#include "semparse/question/gradable.hpp"
#include "semparse/question/graded_columns.hpp"
#include "semparse/question/question_cues.hpp"
#include "semparse/question/units.hpp"
#include "semparse/words/word_list.hpp"

namespace trustsql::semparse {

namespace {

constexpr std::int64_t greatest_age = 200;

bool has_column(const std::vector<ColumnId>& columns, ColumnId column) {
  return std::find(columns.begin(), columns.end(), column) != columns.end();
}

// Whether the query takes the first rows by how many others there are.
bool takes_first_by_count(const Block& block) {
  return block.limit && std::any_of(block.order.begin(), block.order.end(),
                                    [](const Order& order) { return order.term.aggregate == Aggregate::count; });
}

// Whether the name of a date says by a participle what happened then, and that is not how the row came to be:
// tagged_on, DateTagged.
bool names_event(std::string_view name) {
  constexpr std::string_view beginnings[] = {
      "created",  "started", "released", "published", "founded",  "opened",   "produced",   "recorded",
      "placed",   "ordered", "booked",   "scheduled", "observed", "reported", "listed",     "posted",
      "occurred", "dated",   "issued",   "submitted", "launched", "happened", "established"};
  constexpr std::size_t shortest = 5;
  std::string part;
  const auto ends_event = [&] {
    return part.size() >= shortest && part.ends_with("ed") && !is_listed(beginnings, part);
  };
  for (std::size_t i = 0; i < name.size(); ++i) {
    const char c = name[i];
    const char lower = to_lower_ascii(c);
    const bool is_letter = lower >= 'a' && lower <= 'z';
    const bool begins = is_letter && c != lower && i > 0 && name[i - 1] == to_lower_ascii(name[i - 1]);
    if (!is_letter || begins) {
      if (ends_event()) return true;
      part.clear();
    }
    if (is_letter) part += lower;
  }
  return ends_event();
}

}  // namespace

// "Earns the most": the columns that the word in front names, where no noun follows.
std::vector<ColumnId> Licence::columns_before_most(std::size_t at) const {
  const auto& words = view_.question().words;
  std::vector<ColumnId> columns;
  const auto& word = words[at].lower;
  if ((word != "most" && word != "least") || at == 0) return columns;
  if (at + 1 < words.size() && !is_function_word(words[at + 1])) return columns;
  if (at + 1 < words.size() && words[at + 1].lower == "of") return columns;
  const auto end = words[at - 1].lower == "the" ? at - 1 : at;
  for (ColumnId id = 0; id < static_cast<ColumnId>(view_.domain().columns().size()); ++id) {
    const auto& column = view_.domain().column(id);
    if (column.kind != DataKind::number || column.is_id) continue;
    for (const auto& mention : view_.linking().columns[static_cast<std::size_t>(id)])
      if (mention.span.last == end && mention.coverage > 0.4F) columns.push_back(id);
  }
  return columns;
}

// "Earns the most": of one row, the stored salary, and no sum of salaries.
bool Licence::adds_up_single_rows(const Draft& draft) const {
  if (draft.group == nothing || draft.order.column == nothing || draft.order.aggregate == Aggregate::none) return false;
  const auto& domain = view_.domain();
  const auto table = domain.column(draft.group).table;
  return domain.column(draft.order.column).table == table && draft.order.aggregate != Aggregate::count &&
         (draft.group == draft.order.column || draft.group == domain.table(table).key ||
          domain.is_display(draft.group)) &&
         draft.skeleton->limit == LimitKind::one && !total_ && !average_;
}

// "The newest patient" is not the youngest; "the oldest coach" has not been there longest.
bool Licence::contradicts_time(const Tree& tree) const {
  constexpr std::string_view of_life[] = {"birth", "bear", "born", "dob", "birthday", "birthdate", "birthyear", "age"};
  constexpr std::string_view of_making[] = {"build", "built", "make",    "made",        "found", "founded",
                                            "open",  "write", "written", "manufacture", "model", "establish"};
  constexpr std::string_view of_stay[] = {"since",      "join",   "joined",   "hire",     "hired",     "sign",
                                          "signed",     "enrol",  "enroll",   "enrolled", "signup",    "register",
                                          "registered", "employ", "employed", "appoint",  "appointed", "debut"};
  if (superlatives_.size() != 1) return false;
  const auto& word = view_.question().words[superlatives_.front()].lower;
  const auto is_of = [this](ColumnId id, const auto& list) {
    const auto& words = view_.domain().column(id).all_words;
    return std::any_of(words.begin(), words.end(), [&list](const std::string& part) { return is_listed(list, part); });
  };
  const auto extremes = extremes_of(tree.block);
  const auto has_extreme_of = [&](const auto& list) {
    return std::any_of(extremes.begin(), extremes.end(),
                       [&](const TreeExtreme& extreme) { return is_of(extreme.column, list); });
  };
  if (word == "newest" || word == "latest") return has_extreme_of(of_life);
  if (word != "oldest" && word != "youngest" && word != "eldest") return false;
  // Who has a date of birth is not the oldest by the year of a debut; what was built in a year is.
  const auto has_other_age = [&](const TreeExtreme& extreme) {
    const auto& table = view_.domain().table(view_.domain().column(extreme.column).table);
    for (auto id = table.first_column; id < table.last_column; ++id)
      if (id != extreme.column && is_of(id, of_life))
        return !is_of(extreme.column, of_life) && !is_of(extreme.column, of_making);
    return false;
  };
  // The youngest are alive, and so is who has a last name.
  const auto is_no_life = [&](const TreeExtreme& extreme) {
    const auto& table = view_.domain().table(view_.domain().column(extreme.column).table);
    return (word != "oldest" || table.surname != nothing) && !is_of(extreme.column, of_life);
  };
  if (std::any_of(extremes.begin(), extremes.end(), is_no_life)) return true;
  return has_extreme_of(of_stay) || std::any_of(extremes.begin(), extremes.end(), has_other_age);
}

bool Licence::has_graded_extremes(const Tree& tree) const {
  const auto of_flag = [this](const TreeExtreme& extreme) {
    const auto& column = view_.domain().column(extreme.column);
    return column.kind == DataKind::boolean || (column.min && *column.min == 0 && column.max && *column.max == 1);
  };
  if (const auto all = extremes_of(tree.block); std::any_of(all.begin(), all.end(), of_flag)) return false;
  if (contradicts_time(tree)) return false;
  if (graded_extreme_.empty()) return true;
  const auto extremes = extremes_of(tree.block);
  return !takes_first_by_count(tree.block) &&
         std::all_of(extremes.begin(), extremes.end(),
                     [this](const TreeExtreme& extreme) { return has_column(graded_extreme_, extreme.column); });
}

// The number behind "cheaper than" is a price, where there is one, and that behind "older than" no year.
bool Licence::compares_what_is_graded(const Draft& draft) const {
  const auto& words = view_.question().words;
  for (std::size_t i = 0; i < draft.uses.size(); ++i) {
    const auto& literal = view_.literals()[i];
    const auto first = literal.span.first;
    if (literal.number == nullptr || first < 2 || words[first - 1].lower != "than") continue;
    if (draft.uses[i] != LiteralUse::where && draft.uses[i] != LiteralUse::having) continue;
    const bool counts = draft.uses[i] == LiteralUse::having && draft.having.aggregate == Aggregate::count;
    const auto column = draft.uses[i] == LiteralUse::where ? draft.literal_columns[i] : draft.having.column;
    const auto& adjective = words[first - 2].lower;
    const auto* number = std::get_if<std::int64_t>(&literal.number->value);
    if ((adjective == "older" || adjective == "younger") && number != nullptr && *number < greatest_age) {
      if (counts || (column != nothing && is_point_in_time(view_.domain().column(column)))) return false;
      continue;
    }
    const bool paired = first >= 3 && (words[first - 3].lower == "more" || words[first - 3].lower == "less");
    const auto graded = graded_columns(view_, paired ? first - 3 : first - 2);
    if (!graded.empty() && (counts || (column != nothing && !has_column(graded, column)))) return false;
  }
  return true;
}

// "More than 30 hours", "add up to more than 200": a bound on a sum.
bool Licence::is_sum_bound(const Literal& literal) const {
  constexpr std::size_t reach = 5;
  const auto& words = view_.question().words;
  if (literal.span.last < words.size() && !unit_of(words[literal.span.last].lower).empty()) return true;
  for (auto i = literal.span.first; i > 1 && literal.span.first - i < reach; --i)
    if (words[i - 1].lower == "up" && (words[i - 2].lemma() == "add" || words[i - 2].lemma() == "sum")) return true;
  return false;
}

// "Rentals that cost more than 25": a number with nothing behind it, and a column of numbers in front of the
// comparison, is no count.
bool Licence::counts_what_is_compared(const Draft& draft) const {
  const auto& words = view_.question().words;
  for (std::size_t i = 0; i < draft.uses.size(); ++i) {
    const auto& literal = view_.literals()[i];
    if (draft.uses[i] != LiteralUse::having || draft.having.aggregate != Aggregate::count || literal.number == nullptr)
      continue;
    if (is_sum_bound(literal)) return true;
    auto at = literal.span.first;
    if (literal.span.last < words.size() && !is_function_word(words[literal.span.last]) &&
        words[literal.span.last].lower != "per")
      continue;
    if (at < 2 || words[at - 1].lower != "than") continue;
    at -= 2;
    for (ColumnId id = 0; id < static_cast<ColumnId>(view_.domain().columns().size()); ++id) {
      const auto& column = view_.domain().column(id);
      if (column.kind != DataKind::number || column.is_id) continue;
      for (const auto& mention : view_.linking().columns[static_cast<std::size_t>(id)])
        if (mention.coverage > 0.4F && mention.span.last == at) return true;
    }
  }
  return false;
}

// "Joined before 2012" compares the date of joining, where there is one.
bool Licence::dates_something_else(const Draft& draft) const {
  for (std::size_t i = 0; i < draft.uses.size(); ++i)
    if (draft.uses[i] == LiteralUse::where && draft.literal_columns[i] != nothing &&
        verb_dates_something_else(view_, view_.literals()[i], draft.literal_columns[i]))
      return true;
  return false;
}

// "The violations of 2023" are not those that were paid then: the date of what happens to a row later is named by its
// verb, "paid in 2023".
bool Licence::dates_by_later_event(const Draft& draft) const {
  constexpr std::string_view later[] = {
      "pay",    "payment", "due",    "return", "ship",      "deliver", "delivery", "close",     "resolve",
      "cancel", "end",     "finish", "expire", "expiry",    "update",  "modify",   "modified",  "die",
      "death",  "retire",  "leave",  "left",   "terminate", "delete",  "complete", "discharge", "approve",
      "sell",   "birth",   "bear",   "born",   "dob",       "birthday"};
  const auto is_later = [&](ColumnId id) {
    const auto date = view_.domain().stored_column(id);
    const auto& column = view_.domain().column(date);
    if (!column.has_iso_dates && !is_point_in_time(column)) return false;
    if (!names_event(column.name) && std::none_of(column.words.begin(), column.words.end(),
                                                  [&](const std::string& word) { return is_listed(later, word); }))
      return false;
    const auto& words = view_.question().words;
    const auto& mentions = view_.linking().columns[static_cast<std::size_t>(date)];
    return std::none_of(mentions.begin(), mentions.end(), [&](const Mention& mention) {
      for (auto i = mention.span.first; i < mention.span.last; ++i)
        if (words[i].lower != "date" && words[i].lower != "year" && words[i].lower != "month") return true;
      return false;
    });
  };
  if (draft.group != nothing && view_.domain().column(draft.group).part_of.date != nothing && is_later(draft.group))
    return true;
  for (std::size_t i = 0; i < draft.uses.size(); ++i)
    if (draft.uses[i] != LiteralUse::unused && view_.literals()[i].number != nullptr &&
        draft.literal_columns[i] != nothing && is_later(draft.literal_columns[i]))
      return true;
  return false;
}

// "In 2023" says when, and is no amount: the column holds years or dates, unless the question names it.
bool Licence::takes_year_for_amount(const Draft& draft) const {
  const auto& words = view_.question().words;
  for (std::size_t i = 0; i < draft.uses.size(); ++i) {
    const auto& literal = view_.literals()[i];
    const auto id = draft.literal_columns[i];
    if ((draft.uses[i] == LiteralUse::limit || draft.uses[i] == LiteralUse::having) && is_said_as_year(view_, literal))
      return true;
    if (draft.uses[i] == LiteralUse::unused || literal.number == nullptr || id == nothing || literal.span.first == 0)
      continue;
    const auto* year = std::get_if<std::int64_t>(&literal.number->value);
    const auto& before = words[literal.span.first - 1].lower;
    if (year == nullptr || *year < first_plain_year || *year > last_plain_year ||
        (before != "in" && before != "during"))
      continue;
    const auto& column = view_.domain().column(id);
    const auto* mention = view_.column_mention(id);
    const bool is_year = std::find(column.all_words.begin(), column.all_words.end(), "year") != column.all_words.end();
    const bool holds_amounts = column.kind == DataKind::number && !is_year && !is_point_in_time(column);
    const bool named = mention != nullptr && mention->coverage > (holds_amounts ? 0.9F : 0.4F);
    if (named && (mention->weakest == WordMatch::form || column.kind != DataKind::text)) continue;
    if (holds_amounts) return true;
    if (column.kind == DataKind::text && !is_year && !column.min && !column.max) return true;
    // The year of something else, where what is asked for has a date of its own.
    const auto spoken_of = table_before(view_, literal.span.first);
    const auto asked = spoken_of != nothing ? spoken_of : asked_table(view_);
    bool has_value = false;
    for (std::size_t j = 0; j < draft.uses.size(); ++j)
      has_value |= draft.uses[j] != LiteralUse::unused && view_.literals()[j].value != nullptr &&
                   draft.literal_columns[j] != nothing &&
                   view_.domain().column(draft.literal_columns[j]).table == column.table;
    if (asked == nothing || column.table == asked || has_value ||
        (spoken_of == nothing && view_.table_mention(column.table) != nullptr))
      continue;
    const auto& table = view_.domain().table(asked);
    for (auto other = table.first_column; other < table.last_column; ++other)
      if (is_point_in_time(view_.domain().column(other))) return true;
  }
  return false;
}

// "60 pounds" is nothing to compare a weight in kilograms with.
bool Licence::contradicts_unit(const Draft& draft) const {
  const auto& words = view_.question().words;
  for (std::size_t i = 0; i < draft.uses.size(); ++i) {
    const auto& literal = view_.literals()[i];
    const auto at = literal.span.last;
    if (draft.uses[i] == LiteralUse::unused || literal.number == nullptr || draft.literal_columns[i] == nothing ||
        at >= words.size() || words[at].quoted)
      continue;
    const auto unit = unit_of(words[at].lower);
    if (!unit.empty() && !may_be_in(view_.domain().column(draft.literal_columns[i]), unit)) return true;
  }
  return false;
}

// "The average length in minutes" is no average of seconds.
bool Licence::answers_in_other_unit(const Tree& tree) const {
  const auto& words = view_.question().words;
  for (std::size_t i = 0; i + 1 < words.size(); ++i) {
    if (words[i].lower != "in" || words[i].quoted || words[i + 1].quoted) continue;
    const auto unit = unit_of(words[i + 1].lower);
    if (unit.empty()) continue;
    if (std::any_of(tree.block.select.begin(), tree.block.select.end(), [&](const Term& term) {
          return term.column != nothing && term.aggregate != Aggregate::count &&
                 view_.domain().column(term.column).kind == DataKind::number &&
                 !may_be_in(view_.domain().column(term.column), unit);
        }))
      return true;
  }
  return false;
}

void Licence::find_graded_extreme() {
  if (superlatives_.size() != 1 || has(Cue::maximum) || has(Cue::minimum)) return;
  const auto at = superlatives_.front();
  graded_extreme_ = columns_before_most(at);
  if (graded_extreme_.empty()) graded_extreme_ = graded_columns(view_, at);
}

}  // namespace trustsql::semparse
