// Date parts: years and months that a question groups by or asks for, where the database has only the dates.
//
//   How many orders were placed in each year?     the years of order.order_date
//   In which month was the most rain measured?    the months of reading.taken_on, as 2026-03
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "semparse/question/question_view.hpp"

namespace trustsql::semparse {

// The parts of dates that "each year", "by month", "in which year" and the like may ask for; none where a column is
// called so, or where too many dates come into question.
std::vector<DatePart> asked_date_parts(const QuestionView& view);

// The period for which "monthly number", "yearly total" and the like ask for an amount, where word `at` says so.
std::optional<DateUnit> period_of_amount(const Question& question, std::size_t at);

}  // namespace trustsql::semparse
