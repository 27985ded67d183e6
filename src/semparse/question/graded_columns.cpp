#include "semparse/question/graded_columns.hpp"

#include <algorithm>

#include "semparse/question/extremes.hpp"
#include "semparse/question/gradable.hpp"

namespace trustsql::semparse {

namespace {

bool is_named_age(const DomainColumn& column) {
  return column.kind == DataKind::number &&
         std::find(column.all_words.begin(), column.all_words.end(), "age") != column.all_words.end();
}

// The columns for which `fits` holds: those of the tables that the question names, if there are any and `named_tables`.
template <class Fits>
std::vector<ColumnId> columns_that(const QuestionView& view, const Fits& fits, bool named_tables) {
  std::vector<ColumnId> all;
  std::vector<ColumnId> of_named;
  for (ColumnId id = 0; id < static_cast<ColumnId>(view.domain().columns().size()); ++id) {
    const auto& column = view.domain().column(id);
    if (!fits(column)) continue;
    all.push_back(id);
    if (const auto* mention = view.table_mention(column.table); named_tables && mention != nullptr && mention->whole())
      of_named.push_back(id);
  }
  return of_named.empty() ? all : of_named;
}

}  // namespace

std::vector<ColumnId> graded_columns(const QuestionView& view, std::size_t at) {
  const auto& question = view.question();
  if (asks_for_time(question, at) || (at + 1 < question.words.size() && asks_for_time(question, at + 1)))
    return columns_that(
        view, [](const DomainColumn& column) { return is_point_in_time(column) || is_named_age(column); }, false);
  const auto* graded = graded_at(question, at);
  if (graded == nullptr) return {};
  // "The largest budget" is not about a size: only "the largest hall" and "which hall is the largest" are.
  if (graded->word == "large" || graded->word == "big" || graded->word == "small") {
    const auto next = at + 1;
    const bool of_rows =
        next >= question.words.size() || is_function_word(question.words[next]) || view.kind(next) == Symbol::table;
    if (!of_rows || question.words[at].lower.ends_with("er")) return {};
  }
  return columns_that(
      view, [graded](const DomainColumn& column) { return measures(*graded, column); }, true);
}

}  // namespace trustsql::semparse
