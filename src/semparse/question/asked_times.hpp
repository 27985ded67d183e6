// Asked times: which dates a year in a question is about.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "semparse/question/question_view.hpp"

namespace trustsql::semparse {

// Numbers of these are years where nothing says otherwise.
inline constexpr std::int64_t first_plain_year = 1500;
inline constexpr std::int64_t last_plain_year = 2100;

// "In 2022", "after 1980", "since 2015", "2022 or later", "the 2022 sales".
bool is_said_as_year(const QuestionView& view, const Literal& literal);

// The table that is named last in front of the word; `nothing` if there is none.
TableId table_before(const QuestionView& view, std::size_t word);

// The columns that a year is not compared with, for each column, by number; empty if it may be any of them:
// - where the verb in front of it names dates or years, all others: "joined before 2012";
// - where the rows that are spoken of have a date or a year of their own, columns of other rows that the question does
//   not name: "the inspections of 2023".
std::vector<bool> dates_of_something_else(const QuestionView& view, const Literal& literal);

// The first of these alone, for one column.
bool verb_dates_something_else(const QuestionView& view, const Literal& literal, ColumnId column);

}  // namespace trustsql::semparse
