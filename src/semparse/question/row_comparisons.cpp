#include "semparse/question/row_comparisons.hpp"

#include <algorithm>
#include <iterator>
#include <optional>
#include <string_view>
#include <vector>

#include "semparse/database/people.hpp"
#include "semparse/question/gradable.hpp"
#include "semparse/words/word_list.hpp"

namespace trustsql::semparse {

namespace {

// The words of a question without those between quotation marks.
std::string_view plain_word(const Question& question, std::size_t i) {
  return i < question.words.size() && !question.words[i].quoted ? std::string_view(question.words[i].lower)
                                                                : std::string_view();
}

// What is said in front of the name of a row: "the same city as", "more docks than".
struct RowComparison {
  std::size_t first = 0;  // where that begins
  ColumnId column = nothing;
  Comparison comparison = Comparison::equal;
};

// Finds what is said of a row of one table.
class RowComparisonReader {
 public:
  RowComparisonReader(const Domain& domain, const Question& question, const Linking& linking, TableId table)
      : domain_(domain), question_(question), linking_(linking), table_(table) {}

  // `at`: the first word of the name.
  std::optional<RowComparison> before(std::size_t at) const {
    constexpr std::string_view determiners[] = {"the", "a", "an"};
    while (at > 0 && is_listed(determiners, word(at - 1))) --at;
    if (at > 1 && word(at - 1) == "of" && word(at - 2) == "that") at -= 2;
    if (at < 2) return std::nullopt;
    if (word(at - 1) == "as") return same(at - 1);
    if (word(at - 1) == "than") return than(at - 1);
    if (word(at - 1) == "before") return in_time(at - 1, Comparison::less);
    return word(at - 1) == "after" ? in_time(at - 1, Comparison::greater) : std::nullopt;
  }

 private:
  struct Graded {
    const Gradable* measure = nullptr;
    std::size_t first = 0;
    bool less = false;  // "less expensive"
  };

  std::string_view word(std::size_t i) const { return plain_word(question_, i); }

  // "In the same city as"; "joined the same year as". `as`: the place of "as".
  std::optional<RowComparison> same(std::size_t as) const {
    constexpr std::string_view links[] = {"in", "from", "at", "of", "with", "to", "on", "by", "have", "has", "share"};
    for (auto i = as; i > 0 && as - i <= longest_name; --i) {
      if (word(i - 1) != "same") continue;
      auto first = i - 1;
      if (first > 0 && word(first - 1) == "the") --first;
      if (first > 0 && is_listed(links, word(first - 1))) --first;
      auto column = only_column([&](ColumnId id) {
        return !domain_.column(id).is_key && id != domain_.table(table_).display &&
               is_named(id, [&](WordSpan name) { return name.first >= i && name.last == as; });
      });
      if (column == nothing && as == i + 1 && word(i) == "year" && first > 0) {
        column = only_column([&](ColumnId id) {
          return is_year(id) && is_named(id, [first](WordSpan name) { return name.last == first; });
        });
        --first;
      }
      return comparison_at(first, column, Comparison::equal);
    }
    return std::nullopt;
  }

  // `than`: the place of "than".
  std::optional<RowComparison> than(std::size_t than) const {
    const auto last = than - 1;
    if (const auto graded = graded_before(than)) {
      const bool more = graded->measure->greater != graded->less;
      const auto column =
          only_column([&](ColumnId id) { return measures(*graded->measure, domain_.column(id)) && is_amount(id); });
      return comparison_at(graded->first, column, more ? Comparison::greater : Comparison::less);
    }
    if (word(last) == "older" || word(last) == "younger") return by_age(last);
    if (word(last) == "earlier") return in_time(last, Comparison::less);
    if (word(last) == "later") return in_time(last, Comparison::greater);
    if (const auto comparison = comparison_of(word(last))) return of_amount_before(last, *comparison);
    // "More docks than".
    for (auto i = last; i > 0 && last - i <= longest_name; --i) {
      const auto comparison = comparison_of(word(i - 1));
      if (!comparison) continue;
      const bool article = i > 1 && (word(i - 2) == "a" || word(i - 2) == "an");
      const auto column = only_column([&](ColumnId id) {
        return is_amount(id) && is_named(id, [&](WordSpan name) { return name == WordSpan{i, than}; });
      });
      return comparison_at(article ? i - 2 : i - 1, column, *comparison);
    }
    return std::nullopt;
  }

  static std::optional<Comparison> comparison_of(std::string_view word) {
    constexpr std::string_view more[] = {"more", "higher", "greater", "larger", "bigger"};
    constexpr std::string_view less[] = {"fewer", "less", "lower", "smaller"};
    if (is_listed(more, word)) return Comparison::greater;
    if (is_listed(less, word)) return Comparison::less;
    return std::nullopt;
  }

  // "Heavier", "more expensive", "earn more": what stands in front of "than".
  std::optional<Graded> graded_before(std::size_t than) const {
    const auto is_degree = [this](std::size_t i) { return word(i) == "more" || word(i) == "less"; };
    if (word(than - 1).ends_with("er") && graded_at(question_, than - 1) != nullptr)
      return Graded{graded_at(question_, than - 1), than - 1, false};
    if (than < 2) return std::nullopt;
    const auto degree = is_degree(than - 2) ? than - 2 : than - 1;
    const auto* measure = gradable_of(question_.words[degree == than - 1 ? than - 2 : than - 1]);
    if (!is_degree(degree) || measure == nullptr) return std::nullopt;
    return Graded{measure, than - 2, word(degree) == "less"};
  }

  // "A fee lower than": `at` is the place of the comparative.
  std::optional<RowComparison> of_amount_before(std::size_t at, Comparison comparison) const {
    constexpr std::string_view copulas[] = {"is", "are", "was", "were"};
    const auto end = is_listed(copulas, word(at - 1)) ? at - 1 : at;
    std::size_t first = end;
    const auto column = only_column([&](ColumnId id) {
      return is_amount(id) && is_named(id, [&](WordSpan name) {
               if (name.last == end) first = std::min(first, name.first);
               return name.last == end;
             });
    });
    return comparison_at(first, column, comparison);
  }

  // What is "older" has lived longer, or was born earlier.
  std::optional<RowComparison> by_age(std::size_t at) const {
    constexpr std::string_view births[] = {"birth", "born", "birthday", "birthdate", "dob", "bear"};
    const bool older = word(at) == "older";
    const auto age = only_column(
        [&](ColumnId id) { return is_listed(domain_.column(id).all_words, std::string_view("age")) && is_amount(id); });
    if (age != nothing) return RowComparison{at, age, older ? Comparison::greater : Comparison::less};
    const auto birth = only_column([&](ColumnId id) {
      const auto& words = domain_.column(id).all_words;
      return is_time(id) &&
             std::any_of(words.begin(), words.end(), [&](const std::string& each) { return is_listed(births, each); });
    });
    return comparison_at(at, birth, older ? Comparison::less : Comparison::greater);
  }

  // "Hired before", "opened earlier than": `at` is the place of the word that says which.
  std::optional<RowComparison> in_time(std::size_t at, Comparison comparison) const {
    const auto column = only_column(
        [&](ColumnId id) { return is_time(id) && is_named(id, [at](WordSpan name) { return name.last == at; }); });
    return comparison_at(at - 1, column, comparison);
  }

  static std::optional<RowComparison> comparison_at(std::size_t first, ColumnId column, Comparison comparison) {
    return column == nothing ? std::nullopt : std::optional(RowComparison{first, column, comparison});
  }

  template <class IsThere>
  bool is_named(ColumnId id, const IsThere& is_there) const {
    const auto& mentions = linking_.columns[static_cast<std::size_t>(id)];
    return std::any_of(mentions.begin(), mentions.end(), [&](const Mention& mention) {
      return names_surely(mention, domain_.column(id)) && is_there(mention.span);
    });
  }

  // The only column of the table for which this holds; `nothing` if there is none, or several.
  template <class Holds>
  ColumnId only_column(const Holds& holds) const {
    ColumnId found = nothing;
    for (auto id = domain_.table(table_).first_column; id < domain_.table(table_).last_column; ++id) {
      if (!holds(id)) continue;
      if (found != nothing) return nothing;
      found = id;
    }
    return found;
  }

  bool is_amount(ColumnId id) const {
    const auto& column = domain_.column(id);
    return column.kind == DataKind::number && !column.is_id && !column.has_text_numbers;
  }

  bool is_year(ColumnId id) const {
    constexpr double first_year = 1000;
    constexpr double last_year = 2200;
    const auto& column = domain_.column(id);
    return is_amount(id) && column.min && column.max && *column.min >= first_year && *column.max <= last_year;
  }

  bool is_time(ColumnId id) const { return domain_.column(id).has_iso_dates || is_year(id); }

  static constexpr std::size_t longest_name = 4;  // words

  const Domain& domain_;
  const Question& question_;
  const Linking& linking_;
  const TableId table_;
};

// The row that the question names, by one value or by a first and a last name.
struct NamedRow {
  TableId table = nothing;
  WordSpan span{};
  std::vector<ValueIndex::Cell> cells{};
};

// The first table whose rows the question names as such.
TableId first_table(const Domain& domain, const Linking& linking) {
  TableId first = nothing;
  auto at = max_question_words;
  for (TableId table = 0; table < static_cast<TableId>(domain.tables().size()); ++table)
    for (const auto& mention : linking.tables[static_cast<std::size_t>(table)])
      if (mention.spelled_out() && mention.span.first < at && domain.stored_table(table) == table) {
        first = table;
        at = mention.span.first;
      }
  return first;
}

const ValueIndex::Cell* cell_of(const ValueMention& mention, ColumnId column) {
  const auto cell = std::find_if(mention.cells.begin(), mention.cells.end(),
                                 [column](const ValueIndex::Cell& each) { return each.column == column; });
  return cell == mention.cells.end() ? nullptr : &*cell;
}

// The row of `asked`, or of people where that is `nothing`, that the value names and no other value like it does.
std::optional<NamedRow> named_row(const Domain& domain, const Linking& linking, std::size_t number, TableId asked) {
  const auto& value = linking.values[number];
  if (value.is_flag || value.is_derived || value.test != ColumnTest::none) return std::nullopt;
  auto id = asked;
  for (const auto& cell : value.cells)
    if (const auto table = domain.column(cell.column).table;
        asked == nothing && domain.table(table).display == cell.column && are_people(domain, table))
      id = table;
  if (id == nothing || domain.table(id).display == nothing) return std::nullopt;
  const auto& table = domain.table(id);
  const auto* name = cell_of(value, table.display);
  if (name == nullptr) return std::nullopt;
  if (table.surname == nothing) {
    if (domain.column(table.display).shared) return std::nullopt;
    return NamedRow{id, value.span, {*name}};
  }
  if (number + 1 == linking.values.size()) return std::nullopt;
  const auto& next = linking.values[number + 1];
  const auto* surname = cell_of(next, table.surname);
  if (surname == nullptr || next.span.first != value.span.last) return std::nullopt;
  return NamedRow{id, {value.span.first, next.span.last}, {*name, *surname}};
}

bool is_negated(const Question& question, std::size_t at) {
  constexpr std::string_view denials[] = {"not", "never", "no"};
  constexpr std::size_t reach = 3;
  for (std::size_t i = at > reach ? at - reach : 0; i < at; ++i)
    if (is_listed(denials, plain_word(question, i))) return true;
  return false;
}

// Whether a word before `end` leaves the named row itself out: "which other clients".
bool says_other(const Question& question, std::size_t end) {
  constexpr std::string_view others[] = {"other", "another", "else"};
  for (std::size_t i = 0; i < end; ++i)
    if (is_listed(others, plain_word(question, i))) return true;
  return false;
}

}  // namespace

void link_row_comparisons(const Domain& domain, Question& question, Linking& linking) {
  const auto asked = first_table(domain, linking);
  if (asked == nothing && plain_word(question, 0) != "who") return;
  for (std::size_t i = 0; i < linking.values.size(); ++i) {
    const auto row = named_row(domain, linking, i, asked);
    if (!row) continue;
    const auto said = RowComparisonReader(domain, question, linking, row->table).before(row->span.first);
    if (!said || is_negated(question, said->first)) continue;
    // Without "other", it is open whether the row itself is meant as well.
    const bool equal = said->comparison == Comparison::equal;
    if (equal && !says_other(question, said->first)) continue;
    add_column_test({.span = {said->first, row->span.last},
                     .text = {},
                     .capitalised = true,
                     .cells = {{said->column, {}}},
                     .test = ColumnTest::row,
                     .comparison = said->comparison,
                     .row = row->cells},
                    question, linking);
    return;
  }
}

}  // namespace trustsql::semparse
