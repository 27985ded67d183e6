// Named values: a question in which values and dates stand without the names of their columns, in the words of one that
// names them. It means the same where a value can be of one column only.
//
//   the average budget of the dramas    the average budget of the films whose genre is 'drama'
//   names of the French producers       names of the producers whose country is 'France'
//   List the directors from Mexico.     List the directors whose country is 'Mexico'.
//   Which guests are writers?           Which guests whose occupation is 'writer'?
//   How many visits in May 2024?        How many visits whose date is in May 2024?
#pragma once

#include <optional>
#include <string>

#include "semparse/question/question_view.hpp"

namespace trustsql::semparse {

// The question with names for the columns of its values; nullopt if there is none of which the column is beyond doubt.
std::optional<std::string> with_named_values(const QuestionView& view);

}  // namespace trustsql::semparse
