#include "semparse/question/date_parts.hpp"

#include <algorithm>
#include <string_view>

#include "semparse/words/word_list.hpp"

namespace trustsql::semparse {

namespace {

// A question with more is one about a database whose dates nobody can tell apart.
constexpr std::size_t max_dates = 6;

constexpr std::string_view year_words[] = {"year", "years"};
constexpr std::string_view month_words[] = {"month", "months"};

class DatePartFinder {
 public:
  explicit DatePartFinder(const QuestionView& view) : view_(view), domain_(view.domain()) {}

  std::vector<DatePart> find() const {
    std::vector<DatePart> parts;
    for (std::size_t i = 0; i < view_.question().words.size(); ++i) {
      const auto unit = asked_unit(i);
      if (!unit || is_name(i)) continue;
      const auto dates = dates_of_asked_rows(i);
      if (dates.size() > max_dates) continue;
      for (const auto date : dates)
        if (std::find(parts.begin(), parts.end(), DatePart{date, *unit}) == parts.end()) parts.push_back({date, *unit});
    }
    return parts;
  }

 private:
  // "Each year", "per month", "by year", "which year", "yearly number": the unit that word `i` asks for.
  std::optional<DateUnit> asked_unit(std::size_t i) const {
    constexpr std::string_view determiners[] = {"each", "every", "per", "by", "which", "what", "calendar"};
    const auto& words = view_.question().words;
    if (words[i].quoted) return std::nullopt;
    if (const auto unit = period_of_amount(view_.question(), i)) return unit;
    // A word of a date may stand between: "per birth year".
    const auto before = i >= 2 && names_date(i - 1) ? i - 2 : i - 1;
    if (i == 0 || words[before].quoted || !is_listed(determiners, words[before].lower)) return std::nullopt;
    if (i + 1 < words.size() && words[i + 1].number) return std::nullopt;
    if (is_listed(year_words, words[i].lower)) return DateUnit::year;
    if (is_listed(month_words, words[i].lower)) return DateUnit::month;
    return std::nullopt;
  }

  bool names_date(std::size_t i) const {
    for (ColumnId id = 0; id < static_cast<ColumnId>(domain_.columns().size()); ++id)
      for (const auto& mention : view_.linking().columns[static_cast<std::size_t>(id)])
        if (domain_.column(id).has_iso_dates && mention.span.first <= i && i < mention.span.last) return true;
    return false;
  }

  bool names(TableId table) const {
    const auto* mention = view_.table_mention(table);
    return mention != nullptr && mention->spelled_out();
  }

  // Whether a column is called so: wholly, or in part where its table is named as well. A date is not called a year.
  bool is_name(std::size_t i) const {
    for (ColumnId id = 0; id < static_cast<ColumnId>(domain_.columns().size()); ++id)
      if (const auto& column = domain_.column(id);
          !column.has_iso_dates || is_listed(column.all_words, view_.question().words[i].lemma()))
        for (const auto& mention : view_.linking().columns[static_cast<std::size_t>(id)])
          if (mention.span.first <= i && i < mention.span.last && (mention.whole() || names(domain_.column(id).table)))
            return true;
    return false;
  }

  // Whether the question speaks of the column by a word of its own, other than word `i`: "hired" of hire_date.
  bool is_spoken_of(ColumnId column, std::size_t i) const {
    const auto& mentions = view_.linking().columns[static_cast<std::size_t>(column)];
    return std::any_of(mentions.begin(), mentions.end(),
                       [i](const Mention& mention) { return mention.span.last <= i || mention.span.first > i; });
  }

  // Dates of the tables that the question names, of all tables where it names none with dates; of several dates of a
  // table those that it speaks of.
  std::vector<ColumnId> dates_of_asked_rows(std::size_t i) const {
    std::vector<ColumnId> of_named;
    std::vector<ColumnId> all;
    for (TableId table = 0; table < static_cast<TableId>(domain_.tables().size()); ++table) {
      std::vector<ColumnId> dates;
      std::vector<ColumnId> spoken_of;
      for (auto id = domain_.table(table).first_column; id < domain_.table(table).last_column; ++id) {
        if (!domain_.column(id).has_iso_dates) continue;
        dates.push_back(id);
        if (is_spoken_of(id, i)) spoken_of.push_back(id);
      }
      if (!spoken_of.empty()) dates = std::move(spoken_of);
      all.insert(all.end(), dates.begin(), dates.end());
      if (names(table)) of_named.insert(of_named.end(), dates.begin(), dates.end());
    }
    return of_named.empty() ? all : of_named;
  }

  const QuestionView& view_;
  const Domain& domain_;
};

}  // namespace

std::optional<DateUnit> period_of_amount(const Question& question, std::size_t at) {
  constexpr std::string_view yearly[] = {"yearly", "annual"};
  constexpr std::string_view amounts[] = {"number", "total", "count", "average", "sum"};
  const auto& words = question.words;
  if (at + 1 >= words.size() || words[at].quoted || !is_listed(amounts, words[at + 1].lower)) return std::nullopt;
  if (words[at].lower == "monthly") return DateUnit::month;
  return is_listed(yearly, words[at].lower) ? std::optional(DateUnit::year) : std::nullopt;
}

std::vector<DatePart> asked_date_parts(const QuestionView& view) { return DatePartFinder(view).find(); }

}  // namespace trustsql::semparse
