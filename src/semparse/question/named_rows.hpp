// A second wording of a question for rows or for groups: the question for what names them.
//
//   Which films have an award?                     show the titles of the films that have an award
//   Who is the youngest player?                    show the name of the youngest player
//   How many films do we have of each genre?       show the genre and the number of films for each genre
#pragma once

#include <optional>
#include <string>

#include "semparse/question/question_view.hpp"

namespace trustsql::semparse {

// The question for the names of the rows that it asks for; nullopt if it asks for something else, or if it is not plain
// what names the rows.
std::optional<std::string> with_named_rows(const QuestionView& view);

// The question for the groups beside the number of rows of each; nullopt if it asks for no numbers of rows in groups,
// or for more.
std::optional<std::string> with_named_groups(const QuestionView& view);

}  // namespace trustsql::semparse
