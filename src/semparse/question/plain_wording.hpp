// Plain wording: a question in the words that most people use, where others say the same.
//
//   I'd like to see the mean price per genre       show the average price for each genre
//   Count the customers.                           how many customers are there
//   Which genres do we have?                       show the different genres
//   How many films do we have on record?           how many films do we have
//   average price for each genre                   average price of books for each genre
#pragma once

#include <optional>
#include <string>

#include "semparse/question/question_view.hpp"

namespace trustsql::semparse {

// Requests, averages, "per" and counts in plain words; nullopt if they are there already. No word that names something
// of the database is changed.
std::optional<std::string> plain_wording(const QuestionView& view);

// The question with the rows that its columns belong to, if it names no table, all columns that it names are wholly
// named and of one table alone, and no word is unknown; else nullopt.
std::optional<std::string> with_implied_rows(const QuestionView& view);

}  // namespace trustsql::semparse
