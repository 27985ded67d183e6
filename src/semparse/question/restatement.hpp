// Restatement: a question in the form in which most people ask.
//
//   Which authors were born before 1960? Show name and birth year, oldest first.
//     show the name and birth year of the authors that were born before 1960, oldest first
//   stations in Riverside with their capacity    show the name and capacity of the stations in Riverside
//   avg trip distance by bike type               average trip distance for each bike type
//   members per plan                             the number of members for each plan
//   books by price, highest first    books in descending order of price (asked_order.hpp)
//   In which countries are our clients? No duplicates please.    in which different countries are our clients
#pragma once

#include <optional>
#include <string>

#include "semparse/question/question_view.hpp"

namespace trustsql::semparse {

// The restated question; nullopt if it is asked in the usual form, or in one that is not known.
std::optional<std::string> restate(const QuestionView& view);

}  // namespace trustsql::semparse
