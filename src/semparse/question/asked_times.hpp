// Asked times: which dates a year in a question is about.
#pragma once

#include <cstddef>

#include "semparse/question/question_view.hpp"

namespace trustsql::semparse {

// Numbers of these are years where nothing says otherwise.
inline constexpr std::int64_t first_plain_year = 1500;
inline constexpr std::int64_t last_plain_year = 2100;

// "In 2022", "after 1980", "since 2015", "2022 or later", "the 2022 sales".
bool is_said_as_year(const QuestionView& view, const Literal& literal);

// The table that is named last in front of the word; `nothing` if there is none.
TableId table_before(const QuestionView& view, std::size_t word);

// Whether the verb in front of a year names a date or a year, and not this column: "joined before 2012".
bool dates_something_else_by_verb(const QuestionView& view, const Literal& literal, ColumnId column);

// The same, or whether the rows that are spoken of have a date or a year of their own, and the column, which the
// question does not name, is of others: "the inspections of 2023".
bool dates_something_else(const QuestionView& view, const Literal& literal, ColumnId column);

}  // namespace trustsql::semparse
