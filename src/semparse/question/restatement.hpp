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

// The question for the names of the rows that it asks for: "Which films have an award?" is "show the titles of the
// films that have an award". nullopt if it asks for something else, or if it is not plain what names the rows.
std::optional<std::string> with_named_rows(const QuestionView& view);
// "How many films do we have of each genre?" as "show the genre and the number of films for each genre"; nullopt if the
// question asks for no numbers of rows in groups, or for more.
std::optional<std::string> with_named_groups(const QuestionView& view);

}  // namespace trustsql::semparse
