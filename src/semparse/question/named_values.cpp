#include "semparse/question/named_values.hpp"

#include <algorithm>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "semparse/database/people.hpp"
#include "semparse/question/asked_rows.hpp"
#include "semparse/tree/description.hpp"
#include "semparse/words/word_list.hpp"

namespace trustsql::semparse {

namespace {

class ValueNaming {
 public:
  explicit ValueNaming(const QuestionView& view) : view_(view), words_(view.question().words) {}

  std::vector<Edit> find() {
    const auto& values = view_.linking().values;
    for (std::size_t i = 0; i < values.size();) {
      auto used = name_in_front(i);
      if (used == 0) used = name_flagged(values[i]) ? 1 : 0;
      if (used == 0 && !name_behind(values[i]) && !name_table(values[i]) && !name_head(values[i])) used = name_row(i);
      i += std::max<std::size_t>(1, used);
    }
    for (const auto& number : view_.linking().numbers) name_date(number);
    return in_order(std::move(edits_));
  }

 private:
  static constexpr std::int64_t first_year = 1800;
  static constexpr std::int64_t last_year = 2100;

  std::string_view at(std::size_t i) const { return i < words_.size() ? words_[i].lower : std::string_view(); }
  std::size_t skip_articles(std::size_t i) const {
    constexpr std::string_view articles[] = {"a", "an", "the"};
    return is_listed(articles, at(i)) ? i + 1 : i;
  }
  bool ends_clause(std::size_t i) const { return i >= words_.size() || is_function_word(words_[i]); }

  // A text that stands for itself: no test, no flag, nothing that names a column as well.
  static bool is_plain(const ValueMention& value) {
    return value.test == ColumnTest::none && !value.is_flag && !value.is_name && !value.cells.empty();
  }

  // The only column of `table`, or of all tables, that holds the value, if it is one that people read and the question
  // does not name it: its cell; nullptr otherwise.
  const ValueIndex::Cell* only_cell(const ValueMention& value, TableId table) const {
    const ValueIndex::Cell* only = nullptr;
    for (const auto& cell : value.cells) {
      if (table != nothing && view_.domain().column(cell.column).table != table) continue;
      if (only != nullptr) return nullptr;
      only = &cell;
    }
    if (only == nullptr) return nullptr;
    const auto& column = view_.domain().column(only->column);
    const auto* named = view_.column_mention(only->column);
    const bool says_column = named != nullptr && !named->span.overlaps(value.span) && named->spelled_out();
    if (column.kind != DataKind::text || column.is_id || column.words.empty() || says_column ||
        only->text.find('\'') != std::string::npos)
      return nullptr;
    return only;
  }

  // The only column of `table` that holds the value, if no table that its rows refer to has one.
  const ValueIndex::Cell* own_cell(const ValueMention& value, TableId table) const {
    const auto& domain = view_.domain();
    for (const auto number : domain.edges_of(table)) {
      const auto& edge = domain.edges()[number];
      const auto parent = domain.column(edge.parent).table;
      if (domain.column(edge.child).table == table && parent != table &&
          std::any_of(value.cells.begin(), value.cells.end(),
                      [&](const ValueIndex::Cell& cell) { return domain.column(cell.column).table == parent; }))
        return nullptr;
    }
    return only_cell(value, table);
  }

  std::string condition(const ValueIndex::Cell& cell) const {
    std::string text = "whose";
    for (const auto& word : view_.domain().column(cell.column).words) text += " " + word;
    return text + " is '" + std::string(cell.text) + "'";
  }

  // The table whose name begins at word `first`, or ends before word `last`.
  const Mention* table_from(std::size_t first, TableId& table) const {
    return find_table(table, [first](const Mention& mention) { return mention.span.first == first; });
  }
  const Mention* table_until(std::size_t last, TableId& table) const {
    return find_table(table, [last](const Mention& mention) { return mention.span.last == last; });
  }
  template <class Fits>
  const Mention* find_table(TableId& table, const Fits& fits) const {
    const auto& tables = view_.linking().tables;
    for (TableId id = 0; id < static_cast<TableId>(tables.size()); ++id)
      for (const auto& mention : tables[static_cast<std::size_t>(id)])
        if (fits(mention) && mention.spelled_out()) {
          table = id;
          return &mention;
        }
    return nullptr;
  }

  // "White Spanish wines": the values in front of a table's name, from number `first` on; how many they are.
  std::size_t name_in_front(std::size_t first) {
    const auto& values = view_.linking().values;
    auto last = first + 1;
    while (last < values.size() && values[last].span.first == values[last - 1].span.last) ++last;
    TableId table = nothing;
    const auto* mention = table_from(values[last - 1].span.last, table);
    if (mention == nullptr) return 0;
    std::string text(view_.question().text_of(mention->span));
    for (auto i = first; i < last; ++i) {
      const auto* cell = is_plain(values[i]) && !values[i].quoted ? only_cell(values[i], table) : nullptr;
      if (cell == nullptr) return 0;
      text += (i == first ? " " : " and ") + condition(*cell);
    }
    edits_.push_back({{values[first].span.first, mention->span.last}, std::move(text)});
    return last - first;
  }

  // "Directors from Mexico", "guests who are writers".
  bool name_behind(const ValueMention& value) {
    constexpr std::string_view links[] = {"from", "in", "at", "are", "is", "were", "was"};
    constexpr std::string_view saying_words[] = {"are", "is", "were", "was"};
    constexpr std::string_view locative_verbs[] = {"live", "lives", "lived",  "living",   "reside",  "resides", "based",
                                                   "kept", "held",  "stored", "situated", "located", "housed",  "hang"};
    if (!is_plain(value) || value.span.first == 0) return false;
    auto before = value.span.first;
    while (before > 0 && skip_articles(before - 1) == before) --before;
    if (before == 0 || !is_listed(links, at(before - 1))) return false;
    const bool said = is_listed(saying_words, at(before - 1));
    --before;
    // "Who live in London", "that are kept at the depot".
    bool lives = false;
    if (!said && before > 0 && is_listed(locative_verbs, at(before - 1)) && view_.kind(before - 1) != Symbol::table) {
      --before;
      lives = at(before).starts_with("liv") || at(before).starts_with("resid");
      if (before > 0 && is_listed(saying_words, at(before - 1))) --before;
      if (before > 0 && (at(before - 1) == "who" || at(before - 1) == "that" || at(before - 1) == "which")) --before;
    }
    if (said && before > 0 && (at(before - 1) == "who" || at(before - 1) == "that" || at(before - 1) == "which"))
      --before;
    if (!ends_clause(value.span.last)) return false;
    TableId table = nothing;
    if (table_until(before, table) == nullptr) return !said && name_behind_column(value, before);
    // "Employees in Leeds" live there or work there, "residents from Leeds" may come from a district of that name.
    const auto* cell = only_cell(value, said ? table : nothing);
    if (cell == nullptr && !said && at(before) == "from") cell = own_cell(value, table);
    if (cell == nullptr || view_.domain().column(cell->column).table != table) return false;
    if (lives && !is_residence(view_.domain().column(cell->column))) return false;
    const bool counts = said && at(0) == "how" && at(1) == "many";
    edits_.push_back({{before, value.span.last}, condition(*cell) + (counts ? " are there" : "")});
    return true;
  }

  // "Employees in Finance": in the department Finance, if only a department is called so.
  bool name_table(const ValueMention& value) {
    constexpr std::string_view links[] = {"in", "at", "from", "for", "with", "of", "by"};
    if (!is_plain(value) || value.span.first < 2 || at(value.span.last) == "'s") return false;
    const bool article = at(value.span.first - 1) == "the";
    if (!is_listed(links, at(value.span.first - (article ? 2 : 1))) || !ends_clause(value.span.last)) return false;
    const auto* cell = only_cell(value, nothing);
    if (cell == nullptr) return false;
    const auto owner = view_.domain().column(cell->column).table;
    const auto& table = view_.domain().table(owner);
    if (table.display != cell->column || table.surname != nothing || view_.table_mention(owner) != nullptr ||
        asked_table(view_) == nothing || !has_noun(view_.domain(), owner))
      return false;
    edits_.push_back(
        {value.span, (article ? "" : "the ") + noun_of(view_.domain(), owner) + " '" + std::string(cell->text) + "'"});
    return true;
  }

  // "Number of seats in the Old Town": of the venues in it, if the seats are of venues, which are not named.
  bool name_behind_column(const ValueMention& value, std::size_t before) {
    const auto* cell = only_cell(value, nothing);
    if (cell == nullptr) return false;
    const auto table = view_.domain().column(cell->column).table;
    const auto& columns = view_.linking().columns;
    for (auto id = view_.domain().table(table).first_column; id < view_.domain().table(table).last_column; ++id)
      for (const auto& mention : columns[static_cast<std::size_t>(id)])
        if (mention.span.last == before && mention.spelled_out() && view_.table_mention(table) == nullptr) {
          edits_.push_back({{before, value.span.last},
                            "of the " + plural_of(noun_of(view_.domain(), table)) + " " + condition(*cell)});
          return true;
        }
    return false;
  }

  // "Visits in 2024": those whose date is, if the visits have one date.
  void name_date(const NumberMention& number) {
    constexpr std::string_view links[] = {"in", "on", "during", "from"};
    const auto before = number.span.first;
    const auto* year = std::get_if<std::int64_t>(&number.value);
    const bool is_year = year != nullptr && *year >= first_year && *year <= last_year && !number.second;
    TableId table = nothing;
    if ((!is_year && !number.spelled) || before < 2 || !is_listed(links, at(before - 1)) ||
        table_until(before - 1, table) == nullptr || !ends_clause(number.span.last))
      return;
    ColumnId date = nothing;
    for (auto id = view_.domain().table(table).first_column; id < view_.domain().table(table).last_column; ++id) {
      const auto& column = view_.domain().column(id);
      const bool says_year = std::find(column.words.begin(), column.words.end(), "year") != column.words.end();
      if (column.kind != DataKind::date && !says_year) continue;
      if (date != nothing || !column.has_iso_dates) return;
      date = id;
    }
    if (date == nothing || view_.column_mention(date) != nullptr || view_.domain().column(date).words.empty()) return;
    std::string text = "whose";
    for (const auto& word : view_.domain().column(date).words) text += " " + word;
    edits_.push_back({{before - 1, before}, text + (at(before - 1) == "on" ? " is on" : " is in")});
  }

  // "The dramas", "how many dogs": rows that are called by a value.
  bool name_head(const ValueMention& value) {
    constexpr std::string_view determiners_of_heads[] = {"the", "all", "of", "are", "which", "many", "our", "any"};
    if (!is_plain(value) || value.quoted || value.span.first == 0 || !ends_clause(value.span.last) ||
        !is_listed(determiners_of_heads, at(value.span.first - 1)))
      return false;
    const auto& last = words_[value.span.last - 1];
    if (last.lower == last.lemma()) return false;  // no plural
    const auto* cell = only_cell(value, nothing);
    if (cell == nullptr) return false;
    const auto table = view_.domain().column(cell->column).table;
    const auto& mentions = view_.linking().tables[static_cast<std::size_t>(table)];
    if (std::any_of(mentions.begin(), mentions.end(),
                    [&value](const Mention& mention) { return !mention.span.overlaps(value.span); }))
      return false;
    edits_.push_back({value.span, plural_of(noun_of(view_.domain(), table)) + " " + condition(*cell)});
    return true;
  }

  // "How many private lessons were there", "number of cancelled bookings": how many lessons are private.
  bool name_flagged(const ValueMention& value) {
    TableId table = nothing;
    const auto* mention = value.is_flag ? table_from(value.span.last, table) : nullptr;
    if (mention == nullptr || value.span.first != 2) return false;
    auto end = mention->span.last;
    const bool counts = at(0) == "how" && at(1) == "many" && (at(end) == "are" || at(end) == "were");
    if (!counts && !(at(0) == "number" && at(1) == "of")) return false;
    if (counts && at(end + 1) == "there") end += 2;
    if (end < words_.size() && at(end) != "?" && at(end) != ".") return false;
    edits_.push_back({{0, end},
                      "how many " + std::string(view_.question().text_of(mention->span)) + " are " +
                          std::string(view_.question().text_of(value.span))});
    return true;
  }

  // The only table of which the value, or a first and a last name from it on, names rows; `nothing` if there is none.
  // `count`: of how many values.
  TableId named_by(std::size_t first, std::size_t& count) const {
    const auto& values = view_.linking().values;
    const auto& domain = view_.domain();
    const auto in = [&domain](const ValueMention& value, const auto& holds) {
      std::vector<TableId> tables;
      for (const auto& cell : value.cells)
        if (holds(cell.column)) tables.push_back(domain.column(cell.column).table);
      return tables;
    };
    const auto is_surname = [&domain](ColumnId id) { return domain.table(domain.column(id).table).surname == id; };
    const auto is_name = [&domain](ColumnId id) { return domain.table(domain.column(id).table).display == id; };
    auto tables = in(values[first], is_name);
    count = 1;
    if (first + 1 < values.size() && values[first + 1].span.first == values[first].span.last) {
      if (!is_plain(values[first + 1])) return nothing;
      const auto surnames = in(values[first + 1], is_surname);
      std::erase_if(tables, [&surnames](TableId table) {
        return std::find(surnames.begin(), surnames.end(), table) == surnames.end();
      });
      count = 2;
    } else if (values[first].cells.size() != 1 ||
               domain.table(domain.column(values[first].cells.front().column).table).surname != nothing) {
      return nothing;
    }
    return tables.size() == 1 ? tables.front() : nothing;
  }

  bool is_named(TableId table) const {
    const auto& mentions = view_.linking().tables[static_cast<std::size_t>(table)];
    return std::any_of(mentions.begin(), mentions.end(), [](const Mention& mention) { return mention.spelled_out(); });
  }

  // "Who owns Rex", "how many visits does Ada Moe have": the animal Rex, the customer Ada Moe.
  std::size_t name_row(std::size_t first) {
    constexpr std::string_view no_borders[] = {"named", "called", "titled", "name", "title", "mr", "mrs", "ms", "dr"};
    const auto& values = view_.linking().values;
    const auto& value = values[first];
    if (!is_plain(value) || value.quoted || value.is_derived || value.span.first == 0) return 0;
    const auto before = at(value.span.first - 1);
    if (is_listed(no_borders, before) || view_.kind(value.span.first - 1) == Symbol::value) return 0;
    std::size_t count = 0;
    const auto table = named_by(first, count);
    if (table == nothing || is_named(table) || !has_noun(view_.domain(), table)) return 0;
    const WordSpan name{value.span.first, values[first + count - 1].span.last};
    const auto behind = name.last;
    if (at(behind) == "'s" || at(behind) == "'" || view_.kind(behind - 1) != Symbol::value) return 0;
    if (behind < words_.size() && view_.kind(behind) == Symbol::value) return 0;
    if (before == "the" && !ends_clause(behind)) return 0;  // "the maths teacher"
    edits_.push_back({name, (before == "the" ? "" : "the ") + noun_of(view_.domain(), table) + " " +
                                std::string(view_.question().text_of(name))});
    return count;
  }

  const QuestionView& view_;
  const std::vector<Word>& words_;
  std::vector<Edit> edits_{};
};

}  // namespace

std::vector<Edit> value_edits(const QuestionView& view) { return ValueNaming(view).find(); }

}  // namespace trustsql::semparse
